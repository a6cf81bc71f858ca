"""Numbers: what every other package computes with."""
