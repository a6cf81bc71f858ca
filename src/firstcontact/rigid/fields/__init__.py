"""First contact and clearance of bodies and fields."""
