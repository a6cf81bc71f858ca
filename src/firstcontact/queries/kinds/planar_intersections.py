"""Pairs of edges of the plane that meet, decided exactly."""

import numpy as np
from numpy.typing import NDArray

from firstcontact.advancement.ask import Ask
from firstcontact.answers.intersection_results import Intersections, IntersectionStats
from firstcontact.arrays import Array
from firstcontact.bodies.plane_body import PlaneBody, placed_body, plane_body_of
from firstcontact.motions.plane_poses import poses_in_plane
from firstcontact.narrowphase.plane.meeting_edges import ALONG
from firstcontact.proximity.plane.edge_pairs import EdgePairs, meeting_edges
from firstcontact.queries.batches import common_length
from firstcontact.queries.kinds.resting import Resting, rested
from firstcontact.shapes.moving import Moving
from firstcontact.shapes.planar import Planar, as_planar


def intersections_in_plane(a: Moving, b: Moving | None, ask: Ask) -> Intersections:
    """List the pairs of edges of two things that meet, or of one with itself, in one pose or a batch."""
    one, other = rested("intersections", "a", a), None if b is None else rested("intersections", "b", b)
    n = len(one.motion) if other is None else common_length(one.motion, other.motion, "poses")
    found = [_own_pairs(one, k) if other is None else _pairs(one, other, k) for k in range(n)]
    ids = np.concatenate([np.empty((0, 2), np.int32), *(pairs.ids for pairs in found)])
    ends = np.concatenate([np.empty((0, 2, 2)), *(pairs.ends for pairs in found)])
    how = np.concatenate([np.empty(0, np.int32), *(pairs.how for pairs in found)])
    poses = np.repeat(np.arange(n, dtype=np.int32), [len(pairs.how) for pairs in found])
    columns = ids[:, 0].copy(), ids[:, 1].copy()
    return Intersections(*columns, ends, how == ALONG, poses, IntersectionStats(0, 0, 0))


def _pairs(one: Resting, other: Resting, k: int) -> EdgePairs:
    """Pairs of two things in one pose of a batch."""
    a, b = (_placed(thing, k) for thing in (one, other))
    return meeting_edges(a, b._replace(depth=b.depth))  # two things, also where they are the same


def _own_pairs(one: Resting, k: int) -> EdgePairs:
    """Pairs of one thing with itself: neighbours only where they share more than their common end."""
    shape, body = as_planar(one.shape), _placed(one, k)
    pairs = meeting_edges(body, body)
    is_near = _are_neighbors(shape, pairs.ids)
    is_pair = ~is_near | (pairs.how == ALONG)
    return EdgePairs(pairs.ids[is_pair], pairs.how[is_pair], pairs.ends[is_pair])


def _are_neighbors(shape: Planar, ids: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Which pairs of edges have a point in common by its number?"""
    ends = shape.edges[ids]
    found: NDArray[np.bool_] = (ends[:, 0, :, np.newaxis] == ends[:, 1, np.newaxis, :]).any(axis=(1, 2))
    return found


def _placed(thing: Resting, k: int) -> PlaneBody:
    """Edges where they are in one pose; exact in the identity pose."""
    body, poses = plane_body_of(as_planar(thing.shape)), thing.motion.pose(0.0).reshape(-1, 4, 4)
    pose: Array = poses_in_plane(poses[k if len(poses) > 1 else 0])
    return body if np.array_equal(pose, np.eye(3)) else placed_body(body, pose)
