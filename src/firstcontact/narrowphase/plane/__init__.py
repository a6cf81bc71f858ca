"""Pairs of primitives in the plane: points and edges."""
