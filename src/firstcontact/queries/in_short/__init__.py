"""Queries about single plain things in short: one call of compiled code."""
