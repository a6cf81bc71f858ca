"""Compiling ahead, and what is compiled already."""
