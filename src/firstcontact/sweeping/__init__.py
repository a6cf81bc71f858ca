"""What moving things pass through: closed meshes that contain a sweep, or are inside of it."""
