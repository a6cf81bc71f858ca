"""The same two bodies at rest, pose after pose: what is known of one pose helps with the next."""
