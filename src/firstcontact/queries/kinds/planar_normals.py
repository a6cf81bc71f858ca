"""Normals in the plane where edges cross, as they may at the start: in space they would lead out of it."""

import numpy as np
from numpy.typing import NDArray

from firstcontact.arrays import Array, Ids
from firstcontact.motions.plane_poses import poses_in_plane
from firstcontact.shapes.moving import Moving
from firstcontact.shapes.planar import as_planar


def with_normals(
    normals: Array, things: tuple[Moving, Moving], ids: Ids, times: Array, rows: NDArray[np.intp] | None
) -> Array:
    """Normals (n, 3) of contacts as they are in the plane, (n, 2).

    Where edges cross, it is across one of them, along which they part the soonest.

    Parameters
    ----------
    ids, times : (n, 2) the edges of both, and (n,) when they touch
    rows : (n,) which motion of a batch each is about; None of single motions
    """
    found = normals[:, :2].copy()
    is_out = np.abs(normals[:, 2]) > 0.5  # in the plane, or along the third axis
    if is_out.any():
        own = None if rows is None else rows[is_out]
        ends = [_ends(thing, ids[is_out, k], times[is_out], own) for k, thing in enumerate(things)]
        found[is_out] = _ways_apart(*ends)
    return found


def _ends(thing: Moving, ids: Ids, times: Array, rows: NDArray[np.intp] | None) -> Array:
    """Where the ends of edges are at their times, (n, 2, 2)."""
    shape = as_planar(thing.shape)
    edges, found = shape.edges[ids], np.empty((len(ids), 2, 2))
    for t in np.unique(times).tolist():
        at = times == t
        if rows is None:
            found[at] = thing.vertices(t)[edges[at]]
        else:
            poses = poses_in_plane(thing.rigid.pose(t).reshape(-1, 4, 4))
            own = poses[rows[at] if len(poses) > 1 else np.zeros(np.count_nonzero(at), np.intp)]
            found[at] = shape.vertices[edges[at]] @ own[:, :2, :2].transpose(0, 2, 1) + own[:, None, :2, 2]
    return found


def _ways_apart(a: Array, b: Array) -> Array:
    """Unit vectors (n, 2), from a to b, against which edges (n, 2, 2) that cross part the soonest."""
    best, found = np.full(len(a), np.inf), np.tile([1.0, 0.0], (len(a), 1))
    for edge, other, sign in ((a, b, 1.0), (b, a, -1.0)):
        way = edge[:, 1] - edge[:, 0]
        length = np.linalg.norm(way, axis=1)
        is_long = length > 0.0
        across = np.stack([-way[:, 1], way[:, 0]], axis=1)
        normal = np.divide(across, length[:, None], out=np.zeros_like(across), where=is_long[:, None])
        heights = np.einsum("nij,nj->ni", other - edge[:, :1], normal)
        # The other edge leaves to the left when its lower end has come up to the line, and the same below.
        for side in (1.0, -1.0):
            depth = np.where(is_long, np.maximum((-side * heights).max(axis=1), 0.0), np.inf)
            is_less = depth < best
            best[is_less], found[is_less] = depth[is_less], (sign * side * normal)[is_less]
    return found
