"""Pairs of triangles that some direction parts, many at once."""

import numpy as np

from firstcontact.arrays import Array, Flags
from firstcontact.scalar.error_bounds import UNIT_ROUNDOFF

# A gap, in units of the largest coordinate and of the direction's length, that roundings cannot feign.
ROUNDING = 64.0 * UNIT_ROUNDOFF


def are_apart(one: Array, other: Array) -> Flags:
    """Say of pairs of triangles, (n, 3, 3) each, which are apart: those have no common point.

    By separating axes: normals, products of sides, and those across sides in a plane. Triangles that touch,
    or come as near as rounding, are not apart.
    """
    is_apart = _are_apart(one, other, False)
    left = np.flatnonzero(~is_apart)
    is_apart[left] = _are_apart(one[left], other[left], True)
    return is_apart


def _are_apart(one: Array, other: Array, is_thorough: bool) -> Flags:
    """Look along the axes and normals, which part most pairs; or, thoroughly, along all other directions."""
    corner = one[:, :1]
    a, b = one - corner, other - corner
    sides_a, sides_b = np.roll(a, -1, axis=1) - a, np.roll(b, -1, axis=1) - b
    normal_a, normal_b = (np.cross(sides[:, 0], sides[:, 1]) for sides in (sides_a, sides_b))
    axes = [normal_a, normal_b, *(np.broadcast_to(axis, normal_a.shape) for axis in np.eye(3))]
    if is_thorough:
        axes = [np.cross(sides_a[:, i], sides_b[:, j]) for i in range(3) for j in range(3)]
        axes += [np.cross(normal_a, sides_a[:, i]) for i in range(3)]
        axes += [np.cross(normal_b, sides_b[:, i]) for i in range(3)]
    sizes = np.maximum(np.abs(a).max(axis=(1, 2)), np.abs(b).max(axis=(1, 2)))
    is_apart = np.zeros(len(one), np.bool_)
    for axis in axes:
        p, q = np.einsum("nij,nj->ni", a, axis), np.einsum("nij,nj->ni", b, axis)
        gap = np.maximum(p.min(axis=1) - q.max(axis=1), q.min(axis=1) - p.max(axis=1))
        is_apart |= gap > ROUNDING * sizes * np.abs(axis).sum(axis=1)
    return is_apart
