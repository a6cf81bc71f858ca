"""Queries at one instant in the plane."""
