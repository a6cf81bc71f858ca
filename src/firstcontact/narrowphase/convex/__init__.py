"""Pairs of convex shapes: GJK, polytopes, separating axes, support maps."""
