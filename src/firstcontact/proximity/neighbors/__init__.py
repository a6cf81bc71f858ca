"""Which points are near each other: cells of space, and what is within a radius of each point."""
