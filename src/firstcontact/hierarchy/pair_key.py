"""Two numbers in one: ``a << HALF | b`` stands for a pair of nodes, or of features."""

HALF = 32
LOWER = (1 << HALF) - 1
