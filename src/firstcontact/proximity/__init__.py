"""Queries at one instant."""
