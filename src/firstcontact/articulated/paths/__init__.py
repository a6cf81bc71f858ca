"""Searches along the paths of robots."""
