"""Bounds: what certainly holds a moving thing, as intervals along a few fixed directions."""
