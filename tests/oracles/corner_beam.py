"""A mesh that is two boxes, and whose hull is half a box more: distances of these are known."""

import numpy as np

import firstcontact as fc


def corner_beam(height=1.0):
    """An L of two legs of length 2 and width 1, with its corner at the origin."""
    outline = np.array([[0, 0], [2, 0], [2, 1], [1, 1], [1, 2], [0, 2]], float)
    lower = np.column_stack([outline, np.zeros(6)])
    faces = [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]]
    sides = [
        [i, j, k] for a in range(6) for b in [(a + 1) % 6] for i, j, k in ((a, b, b + 6), (a, b + 6, a + 6))
    ]
    whole = [face[::-1] for face in faces] + [[6 + i for i in face] for face in faces] + sides
    return fc.Mesh(np.concatenate([lower, lower + np.array([0, 0, height])]), whole)
