"""Things of a list in plain NumPy: where their vertices are at any time, and how far features are apart.

A thing is ``{"vertices", "faces", "thickness"}`` with ``"frames"`` and ``"times"`` where it deforms, or a
``"motion"`` where it is rigid. Nothing here is of the library, but for its numbers of edges.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from oracles.feature_distance import distances_of_points

Array = NDArray[np.float64]
Ids = NDArray[np.int64]

# Samples over the step; and halvings, each by two thirds, around the nearest of them.
N_TIMES, N_ROUNDS = 49, 50


class Pairs(NamedTuple):
    """Pairs of features of two things: kinds as `ContactKind` has them, ids, and their four vertices."""

    kinds: Ids
    ids: Ids
    vertices: Ids


def places(thing: dict[str, Any], times: Array) -> Array:
    """Where all vertices are, (n_times, n, 3)."""
    if "frames" in thing:
        frames, knots = np.asarray(thing["frames"], float).reshape(len(thing["times"]), -1, 3), thing["times"]
        k = np.clip(np.searchsorted(knots, times, side="right") - 1, 0, len(knots) - 2)
        part = ((times - np.take(knots, k)) / (np.take(knots, k + 1) - np.take(knots, k)))[:, None, None]
        return np.asarray((1.0 - part) * frames[k] + part * frames[k + 1])
    motion = {name: np.asarray(value, float) for name, value in thing["motion"].items()}
    turn = motion["turn"]
    angle = float(np.sqrt(turn @ turn))
    x, y, z = turn / angle if angle else turn
    across = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    t = times[:, None, None]
    turned = np.eye(3) + np.sin(angle * t) * across + 2.0 * np.sin(angle * t / 2.0) ** 2 * (across @ across)
    own = np.reshape(thing["vertices"], (-1, 3)) - motion["center"]
    start = motion["rotation"] @ motion["center"] + motion["place"]
    way = start + times[:, None] * motion["velocity"] + 0.5 * times[:, None] ** 2 * motion["acceleration"]
    return np.asarray(np.einsum("tij,jk,nk->tni", turned, motion["rotation"], own) + way[:, None])


def all_pairs(one: Any, other: Any) -> Pairs:
    """All pairs of a vertex and a face, of two edges, of a face and a vertex, of two meshes."""
    used = [np.unique(mesh.faces) for mesh in (one, other)]
    vertex_face = np.stack(np.meshgrid(used[0], np.arange(len(other.faces)), indexing="ij"), -1).reshape(
        -1, 2
    )
    edges = np.stack(
        np.meshgrid(np.arange(len(one.edges)), np.arange(len(other.edges)), indexing="ij"), -1
    ).reshape(-1, 2)
    face_vertex = np.stack(np.meshgrid(np.arange(len(one.faces)), used[1], indexing="ij"), -1).reshape(-1, 2)
    corners = [
        np.concatenate([vertex_face[:, :1], other.faces[vertex_face[:, 1]] + one.n_vertices], axis=1),
        np.concatenate([one.edges[edges[:, 0]], other.edges[edges[:, 1]] + one.n_vertices], axis=1),
        np.concatenate([face_vertex[:, 1:] + one.n_vertices, one.faces[face_vertex[:, 0]]], axis=1),
    ]
    counts = [len(part) for part in corners]
    return Pairs(
        np.repeat([0, 1, 2], counts),
        np.concatenate([vertex_face, edges, face_vertex]).astype(np.int64),
        np.concatenate(corners).astype(np.int64),
    )


class Approach(NamedTuple):
    """How two things come near: pairs, samples of distances, and the least that was found, and when."""

    pairs: Pairs
    times: Array
    distances: Array  # (n_times, n_pairs)
    least: Array
    then: Array


def distances_at(things: Any, pairs: Pairs, times: Array) -> Array:
    """Distances (n,) of pairs, each at a time of its own."""
    found = np.empty(len(times))
    for first in range(0, len(times), 2000):  # so that what is placed fits into memory
        part = slice(first, first + 2000)
        own = np.concatenate([places(thing, times[part]) for thing in things], axis=1)
        corners = np.take_along_axis(own, pairs.vertices[part, :, None], axis=1)
        found[part] = distances_of_points(corners, pairs.kinds[part] == 1)
    return found


def approach(things: Any, pairs: Pairs, reach: float) -> Approach:
    """Sample all distances; where a sample is within reach and what moves in between, look closer."""
    times = np.linspace(0.0, 1.0, N_TIMES)
    own = np.concatenate([places(thing, times) for thing in things], axis=1)
    n = len(pairs.kinds)
    sampled = np.array([distances_of_points(row[pairs.vertices], pairs.kinds == 1) for row in own])
    sampled = sampled.reshape(N_TIMES, n)
    speed = np.sqrt(((own[1:] - own[:-1]) ** 2).sum(axis=2)).max(initial=0.0)
    least, then = sampled.min(axis=0, initial=np.inf), times[sampled.argmin(axis=0)] if n else np.empty(0)
    padded = np.concatenate([np.full((1, n), np.inf), sampled, np.full((1, n), np.inf)])
    is_low = (sampled <= padded[:-2]) & (sampled <= padded[2:]) & (sampled <= reach + 2.0 * speed)
    at, which = np.nonzero(is_low)
    low, high = times[np.maximum(at - 1, 0)], times[np.minimum(at + 1, N_TIMES - 1)]
    some = Pairs(pairs.kinds[which], pairs.ids[which], pairs.vertices[which])
    for _ in range(N_ROUNDS if len(which) else 0):
        one, other = low + (high - low) / 3.0, high - (high - low) / 3.0
        is_first = distances_at(things, some, one) <= distances_at(things, some, other)
        low, high = np.where(is_first, low, one), np.where(is_first, other, high)
    middle = 0.5 * (low + high)
    closer = distances_at(things, some, middle)
    for k in np.argsort(-closer):  # the least of a pair comes last
        if closer[k] < least[which[k]]:
            least[which[k]], then[which[k]] = closer[k], middle[k]
    return Approach(pairs, times, sampled, least, then)
