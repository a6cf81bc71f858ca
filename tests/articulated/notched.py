"""A closed mesh that is not convex."""

import numpy as np

import firstcontact as fc


def notched():
    """An L of three cubes."""
    outline = np.array([[0, 0], [2, 0], [2, 1], [1, 1], [1, 2], [0, 2]], float)
    caps = np.array([[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]])
    n = len(outline)
    low, high = np.column_stack([outline, np.zeros(n)]), np.column_stack([outline, np.ones(n)])
    i = np.arange(n)
    j = np.roll(i, -1)
    sides = np.concatenate([np.stack([i, j, j + n], axis=1), np.stack([i, j + n, i + n], axis=1)])
    return fc.Mesh(np.concatenate([low, high]), np.concatenate([caps[:, ::-1], caps + n, sides]))
