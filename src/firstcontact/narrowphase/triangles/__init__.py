"""Pairs of triangles, segments and points, and a ray and a triangle."""
