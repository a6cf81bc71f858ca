"""Pairs of features that are listed once, and asked about again and again within a step."""
