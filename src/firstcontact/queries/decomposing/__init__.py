"""Meshes as convex parts, and how far these are from the mesh."""
