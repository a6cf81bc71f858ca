"""Pairs of features that are not asked for: neighbours in the mesh as it was made, and groups of vertices."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel
from firstcontact.arrays import Array, Ids
from firstcontact.narrowphase.triangles.closest_points import contact_weights, weighted_offset
from firstcontact.scalar.vec3 import Vec3, norm, sub

# The group of vertices that no ignored pair of groups has.
NO_GROUP = -1


class LeftOut(NamedTuple):
    """Which pairs of features are left out, by the vertices of all surfaces of a problem in a row.

    owners : (n,) which surface each vertex is of; only features of one can be neighbours
    ring_offsets, rings : the vertices near vertex v along edges are ``rings[ring_offsets[v]:ring_offsets[v +
        1]]``, ascending; no offsets where that is not asked
    rest, near : (n, 3) where vertices are at rest, and the distance of features there; below 0 for none
    groups, is_ignored : (n,) the group of each vertex, or NO_GROUP, and which pairs of groups are ignored
    """

    owners: Ids
    ring_offsets: NDArray[np.int64]
    rings: Ids
    rest: Array
    near: float
    groups: Ids
    is_ignored: NDArray[np.bool_]


class Near(NamedTuple):
    """Which features of a mesh are neighbours: up to so many edges apart, or within a distance at rest."""

    rings: int = -1
    distance: float = -1.0


class Groups(NamedTuple):
    """Groups of the vertices of each mesh, (n,) integers, and which two are ignored, (k, 2)."""

    of_vertices: tuple[NDArray[np.int64], ...]
    ignored: NDArray[np.int64]


def left_out_of(
    rests: Sequence[Array], edges: Sequence[Ids], near: Near | None, groups: Groups | None
) -> LeftOut | None:
    """What is left out of the pairs of some meshes, by their vertices at rest and edges; None for nothing."""
    if near is None and groups is None:
        return None
    counts = [len(rest) for rest in rests]
    n = sum(counts)
    owners = np.repeat(np.arange(len(counts), dtype=np.int32), counts)
    offsets, rings = np.empty(0, np.int64), np.empty(0, np.int32)
    if near is not None and near.rings >= 0:
        starts = np.cumsum([0, *counts[:-1]])
        every = np.concatenate([own + first for own, first in zip(edges, starts, strict=True)])
        offsets, rings = rings_of(every.astype(np.int64), n, near.rings)
    own, is_ignored = np.full(n, NO_GROUP, np.int32), np.zeros((0, 0), np.bool_)
    if groups is not None:
        own, is_ignored = _numbered(groups)
    distance = -1.0 if near is None else near.distance
    return LeftOut(owners, offsets, rings, np.concatenate(rests), distance, own, is_ignored)


def rings_of(edges: NDArray[np.int64], n: int, k: int) -> tuple[NDArray[np.int64], Ids]:
    """The vertices up to k edges from each of n, itself among them, ascending: offsets and vertices."""
    first, second = np.arange(n, dtype=np.int64), np.arange(n, dtype=np.int64)
    both = np.concatenate([edges, edges[:, ::-1]])
    both = both[np.argsort(both[:, 0], kind="stable")]
    starts = np.searchsorted(both[:, 0], np.arange(n + 1))
    for _ in range(k):
        counts = starts[second + 1] - starts[second]
        at = np.repeat(starts[second] - np.cumsum(counts) + counts, counts) + np.arange(counts.sum())
        pairs = np.repeat(first, counts) * n + both[at, 1]
        found = np.unique(np.concatenate([first * n + second, pairs]))
        if len(found) == len(first):
            break
        first, second = found // n, found % n
    offsets = np.searchsorted(first, np.arange(n + 1)).astype(np.int64)
    return offsets, second.astype(np.int32)


def _numbered(groups: Groups) -> tuple[Ids, NDArray[np.bool_]]:
    """Groups by numbers from 0, those alone that are ignored with some; and which two are."""
    names = np.unique(groups.ignored)
    own = np.concatenate(groups.of_vertices)
    at = np.minimum(np.searchsorted(names, own), max(len(names) - 1, 0))
    is_named = names[at] == own if len(names) else np.zeros(len(own), np.bool_)
    table = np.zeros((len(names), len(names)), np.bool_)
    first, second = np.searchsorted(names, groups.ignored.T.reshape(2, -1))
    table[first, second] = table[second, first] = True
    return np.where(is_named, at, NO_GROUP).astype(np.int32), table


def are_left_out(left_out: LeftOut, corners: Ids, is_edge_edge: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which pairs are left out, (n,), by their four vertices: vertex and face, or both edges."""
    n_first = np.where(is_edge_edge, 2, 1)
    return _marked(left_out, np.ascontiguousarray(corners), n_first, True)


def are_pierced_left_out(left_out: LeftOut, edges: Ids, faces: Ids) -> NDArray[np.bool_]:
    """Which edges (n, 2) that pass through faces (n, 3) are left out: at rest, by an end, or by a side."""
    corners = np.concatenate([edges, faces], axis=1)
    is_out = _marked(left_out, corners, np.full(len(corners), 2), False)
    if left_out.near >= 0.0:
        for end in range(2):
            own = np.concatenate([edges[:, end : end + 1], faces], axis=1)
            is_out |= _near_at_rest(left_out, own, False)
        for side in range(3):
            own = np.concatenate([edges, faces[:, [side, (side + 1) % 3]]], axis=1)
            is_out |= _near_at_rest(left_out, own, True)
    return is_out


def _near_at_rest(left_out: LeftOut, corners: Ids, is_edge_edge: bool) -> NDArray[np.bool_]:
    """Which pairs are within the distance at rest."""
    alone = left_out._replace(ring_offsets=np.empty(0, np.int64), is_ignored=np.zeros((0, 0), np.bool_))
    n_first = np.full(len(corners), 2 if is_edge_edge else 1)
    return _marked(alone, np.ascontiguousarray(corners), n_first, True)


def _marked(left_out: LeftOut, corners: Ids, n_first: NDArray[np.int64], are_four: bool) -> NDArray[np.bool_]:
    is_out = np.zeros(len(corners), np.bool_)
    _mark_pairs(left_out, corners, n_first.astype(np.int64), are_four, is_out)
    return is_out


@driver
def _mark_pairs(
    left_out: LeftOut,
    corners: Ids,
    n_first: NDArray[np.int64],
    are_four: bool,
    is_out: NDArray[np.bool_],
) -> None:
    """Mark the pairs that are left out, by their vertices, of which so many are of the first feature."""
    for i in range(len(corners)):
        own, n = corners[i], n_first[i]
        is_of_one = left_out.owners[own[0]] == left_out.owners[own[n]]
        if is_of_one and len(left_out.ring_offsets) > 0:
            is_out[i] = _are_in_rings(left_out, own, n)
        if is_of_one and are_four and left_out.near >= 0.0 and not is_out[i]:
            is_out[i] = _gap_at_rest(left_out.rest, own, n == 2) <= left_out.near
        if len(left_out.is_ignored) > 0 and not is_out[i]:
            is_out[i] = _are_in_groups(left_out, own, n)


@kernel
def _are_in_rings(left_out: LeftOut, corners: Ids, n: int) -> bool:
    """Is a vertex of the first feature near one of the second along edges?"""
    for i in range(n):
        first, last = left_out.ring_offsets[corners[i]], left_out.ring_offsets[corners[i] + 1]
        for j in range(n, len(corners)):
            low, high = first, last
            while low < high:
                middle = (low + high) // 2
                if left_out.rings[middle] < corners[j]:
                    low = middle + 1
                else:
                    high = middle
            if low < last and left_out.rings[low] == corners[j]:
                return True
    return False


@kernel
def _are_in_groups(left_out: LeftOut, corners: Ids, n: int) -> bool:
    """Are all pairs of vertices, one of each feature, of two groups that are ignored?"""
    for i in range(n):
        for j in range(n, len(corners)):
            g, h = left_out.groups[corners[i]], left_out.groups[corners[j]]
            if g < 0 or h < 0 or not left_out.is_ignored[g, h]:
                return False
    return True


@kernel
def _gap_at_rest(rest: Array, corners: Ids, is_edge_edge: bool) -> float:
    """Distance of two features at rest."""
    last = _place(rest, corners[3])
    r = (
        sub(_place(rest, corners[0]), last),
        sub(_place(rest, corners[1]), last),
        sub(_place(rest, corners[2]), last),
    )
    return norm(weighted_offset(r, contact_weights(r, is_edge_edge), is_edge_edge))


@kernel
def _place(rest: Array, i: int) -> Vec3:
    return rest[i, 0], rest[i, 1], rest[i, 2]
