"""Hierarchies: binary trees over bounds, which see rows of numbers and never what is inside."""
