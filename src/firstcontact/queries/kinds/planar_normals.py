"""Normals in the plane: of edges that touch, or cross at the start, those along which they part.

Two segments in space that touch have a common perpendicular, which leads out of the plane; and between points
that are nearer than rounding there is no way. What is seen in the plane says more: an end of one edge is on
the other, or both lie along each other, and the normal is across that one.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact.arrays import Array, Ids
from firstcontact.motions.plane_poses import poses_in_plane
from firstcontact.motions.poses_then import poses_then
from firstcontact.shapes.movable import Kind
from firstcontact.shapes.moving import Moving
from firstcontact.shapes.planar import as_planar

# Edges nearer than this touch, in units of their lengths; and what rounding may do, in units of coordinates.
NEAR, ROUNDED = 2.0**-28, 2.0**-44

# How much earlier it is seen from which side an edge came that lies along the other, in units of the time.
EARLIER = 2.0**-10


class Sides(NamedTuple):
    """Edges (n, 2, 2) as others (n, 2, 2) see them.

    across : (n, 2) unit vectors to the left of the others; zero where these have no length
    heights : (n, 2) of both ends along these
    places : (n, 2) of both ends along the others, from their beginnings
    lengths : (n,) of the others
    """

    across: Array
    heights: Array
    places: Array
    lengths: Array


def with_normals(normals: Array, things: tuple[Moving, Moving], ids: Ids, times: Array) -> Array:
    """Normals (n, 3) of contacts as they are in the plane, (n, 2), from the first thing to the second.

    Where edges cross, it is across one of them, along which they part the soonest.

    Parameters
    ----------
    ids, times : (n, 2) the edges of both, and (n,) when they touch; of a batch one contact for each motion
    """
    found = normals[:, :2].copy()
    is_told = (ids >= 0).all(axis=1) & np.isfinite(times)
    if not is_told.any():
        return found
    own, then = np.where(is_told[:, np.newaxis], ids, 0), np.where(is_told, times, 0.0)
    a, b = (_ends(thing, own[:, k], then) for k, thing in enumerate(things))
    is_out = is_told & (np.abs(normals[:, 2]) > 0.5)  # in the plane, or along the third axis
    found[is_out] = _ways_apart(a[is_out], b[is_out])
    size = np.linalg.norm(a[:, 1] - a[:, 0], axis=1) + np.linalg.norm(b[:, 1] - b[:, 0], axis=1)
    near = NEAR * size + ROUNDED * (np.abs(a).max(axis=(1, 2)) + np.abs(b).max(axis=(1, 2)))
    left = is_told & ~is_out
    for one, other, sign in ((a, b, 1.0), (b, a, -1.0)):
        seen = _seen(other, one)
        rows = np.flatnonzero(left & _is_upon(seen, near))
        if len(rows) > 0:
            sides = _sides(seen, near, rows)
            open_rows = rows[sides == 0.0]
            if len(open_rows) > 0:
                before = [_ends(thing, own[:, k], then * (1.0 - EARLIER)) for k, thing in enumerate(things)]
                earlier = _seen(*(before[::-1] if sign > 0.0 else before))
                sides[sides == 0.0] = np.sign(earlier.heights[open_rows].sum(axis=1))
            is_known = sides != 0.0
            found[rows[is_known]] = (sign * sides)[is_known, np.newaxis] * seen.across[rows[is_known]]
            left[rows[is_known]] = False
    return found + 0.0


def _ends(thing: Moving, ids: NDArray[np.int32], times: Array) -> Array:
    """Where the ends of edges (n,) are at times (n,) of their own, (n, 2, 2)."""
    shape = as_planar(thing.shape)
    ends = shape.edges[ids]
    if thing.kind is Kind.DEFORMING_PLANAR:
        knots, frames = thing.deforms.times, thing.deforms.frames
        steps = np.minimum(np.searchsorted(knots, times, side="right"), len(knots) - 1) - 1
        s = ((times - knots[steps]) / (knots[steps + 1] - knots[steps]))[:, np.newaxis, np.newaxis]
        before, after = (frames[k[:, np.newaxis], ends, :2] for k in (steps, steps + 1))
        found: Array = (1.0 - s) * before + s * after
        return found
    poses = poses_in_plane(poses_then(thing.rigid, times))
    return shape.vertices[ends] @ poses[:, :2, :2].transpose(0, 2, 1) + poses[:, np.newaxis, :2, 2]


def _seen(edges: Array, others: Array) -> Sides:
    """Edges as others see them."""
    way = others[:, 1] - others[:, 0]
    lengths = np.linalg.norm(way, axis=1)
    unit = np.divide(way, lengths[:, None], out=np.zeros_like(way), where=lengths[:, None] > 0.0)
    across, arms = np.stack([-unit[:, 1], unit[:, 0]], axis=1), edges - others[:, :1]
    heights, places = (np.einsum("nij,nj->ni", arms, axis) for axis in (across, unit))
    return Sides(across, heights, places, lengths)


def _is_upon(seen: Sides, near: Array) -> NDArray[np.bool_]:
    """Which edges touch others within these: by an end, or along a piece of both."""
    margin, lengths = 4.0 * near[:, np.newaxis], seen.lengths[:, np.newaxis]
    is_flat = np.abs(seen.heights) <= near[:, np.newaxis]
    is_end = is_flat & (seen.places > margin) & (seen.places < lengths - margin)
    low, high = seen.places.min(axis=1), seen.places.max(axis=1)
    shared = np.minimum(high, seen.lengths) - np.maximum(low, 0.0)
    found: NDArray[np.bool_] = is_end.any(axis=1) | (is_flat.all(axis=1) & (shared > margin[:, 0]))
    return found


def _sides(seen: Sides, near: Array, rows: NDArray[np.intp]) -> Array:
    """On which side of the others edges are, 1 or -1; 0 where they lie along them, or cross them."""
    heights = seen.heights[rows]
    is_clear = np.abs(heights) > near[rows, np.newaxis]
    total = np.where(is_clear, np.sign(heights), 0.0).sum(axis=1)
    found: Array = np.sign(total)
    return found


def _ways_apart(a: Array, b: Array) -> Array:
    """Unit vectors (n, 2), from a to b, against which edges (n, 2, 2) that cross part the soonest."""
    best, found = np.full(len(a), np.inf), np.tile([1.0, 0.0], (len(a), 1))
    for edge, other, sign in ((a, b, 1.0), (b, a, -1.0)):
        seen = _seen(other, edge)
        # The other edge leaves to the left when its lower end has come up to the line, and the same below.
        for side in (1.0, -1.0):
            up = np.maximum((-side * seen.heights).max(axis=1, initial=-np.inf), 0.0)
            depth = np.where(seen.lengths > 0.0, up, np.inf)
            is_less = depth < best
            best[is_less], found[is_less] = depth[is_less], (sign * side * seen.across)[is_less]
    return found
