"""Motions as they are described, whatever follows them: formulas, splines, functions with bounds."""
