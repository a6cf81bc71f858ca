"""Pairs of primitives: when, where and how far apart."""
