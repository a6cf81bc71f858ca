"""Robots: kinematic trees, and certified checks of their paths."""
