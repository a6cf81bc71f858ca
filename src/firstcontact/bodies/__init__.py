"""Shapes as compiled code sees them: arrays and their trees."""
