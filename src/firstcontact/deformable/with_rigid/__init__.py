"""Deforming meshes against what stays rigid."""
