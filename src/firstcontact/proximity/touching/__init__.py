"""What touches, and what is inside."""
