"""Robots: what they are, and files that describe them."""
