"""When features of moving things come near each other, by distances at times that are halved till they tell.

A distance changes no faster than the vertices of both sides go together: two samples prove all between them
to be farther than a length, or their middle is looked at next. Nothing here is of the library. A thing is
plain data: ``vertices`` as they are at rest, ``faces``, ``thickness`` of each vertex, and ``frames`` with
``times``; or ``motion``, a pose, velocities and an acceleration; or ``stops``, poses that it goes through or
a spline through them, with ``times``.
"""

from ast import literal_eval
from functools import lru_cache
from itertools import combinations, product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline
from scipy.spatial.transform import Rotation, RotationSpline

from oracles.feature_distance import distances_of_points

Array = NDArray[np.float64]
Ids = NDArray[np.int64]

# Parts of the step at first; halvings; intervals of one pair, beyond which it is open.
N_PARTS, N_HALVINGS, MOST_INTERVALS = 64, 34, 24

# Where speeds of splines and of ways through poses are looked at, and what may be between.
N_SPEEDS, FASTER = 400, 1.5

# Of a crossing: how far inside it is, by weights, and how long before and after the sides are looked at.
INSIDE, AROUND = 1e-3, 1e-6


class Pairs(NamedTuple):
    """Pairs of features: kinds as `ContactKind` has them, ids of both, and four vertices of all things."""

    kinds: Ids
    ids: Ids
    corners: Ids


class Verdict(NamedTuple):
    """Of each pair, a time by which it has come near, or `inf`; and whether it can come near at all."""

    by: Array
    is_open: NDArray[np.bool_]


def places(thing: dict[str, Any], times: Array) -> Array:
    """Where all vertices are at times, (n_times, n, 3)."""
    own = np.reshape(thing["vertices"], (-1, 3)).astype(float)
    if "frames" in thing:
        frames, knots = (
            np.reshape(thing["frames"], (len(thing["times"]), *own.shape)),
            np.array(thing["times"]),
        )
        k = np.clip(np.searchsorted(knots, times, side="right") - 1, 0, len(knots) - 2)
        part = ((times - knots[k]) / (knots[k + 1] - knots[k]))[:, None, None]
        return np.asarray((1.0 - part) * frames[k] + part * frames[k + 1])
    turned, origins = poses(thing, times)
    return np.asarray(np.einsum("tij,nj->tni", turned, own) + origins[:, None])


def poses(thing: dict[str, Any], times: Array) -> tuple[Array, Array]:
    """Rotations and origins of a rigid thing."""
    if "stops" in thing:
        turns, stops = Rotation.from_rotvec(np.array(thing["turns"])), np.array(thing["stops"])
        knots = np.array(thing["times"])
        if thing["is_spline"]:
            turning, going = _splines(repr((thing["times"], thing["turns"], thing["stops"])))
            return turning(times).as_matrix(), going(times)
        k = np.clip(np.searchsorted(knots, times, side="right") - 1, 0, len(knots) - 2)
        part = (times - knots[k]) / (knots[k + 1] - knots[k])
        steps = (turns[1:] * turns[:-1].inv()).as_rotvec()[k]
        turned = Rotation.from_rotvec(part[:, None] * steps) * turns[k]
        return turned.as_matrix(), stops[k] + part[:, None] * (stops[k + 1] - stops[k])
    motion = {name: np.asarray(value, float) for name, value in thing["motion"].items()}
    turned = Rotation.from_rotvec(times[:, None] * motion["turn"]).as_matrix() @ motion["rotation"]
    t = times[:, None]
    center = motion["rotation"] @ motion["center"] + motion["place"]
    center = center + t * motion["velocity"] + t * t / 2.0 * motion["acceleration"]
    return turned, center - turned @ motion["center"]


@lru_cache(64)
def _splines(of: str) -> tuple[Any, Any]:
    """Splines through times, turns and stops."""
    knots, turns, stops = map(np.array, literal_eval(of))
    return RotationSpline(knots, Rotation.from_rotvec(turns)), CubicSpline(knots, stops)


def speeds(thing: dict[str, Any]) -> Array:
    """How fast each vertex goes at the most, (n,)."""
    if "frames" in thing:
        times = np.array(thing["times"])
        ways = np.linalg.norm(np.diff(places(thing, times), axis=0), axis=2)
        return np.asarray((ways / np.diff(times)[:, None]).max(axis=0, initial=0.0))
    if "motion" in thing:
        motion = {name: np.asarray(value, float) for name, value in thing["motion"].items()}
        arms = np.linalg.norm(np.reshape(thing["vertices"], (-1, 3)) - motion["center"], axis=1)
        straight = np.linalg.norm(motion["velocity"]) + np.linalg.norm(motion["acceleration"])
        return np.asarray(straight + np.linalg.norm(motion["turn"]) * arms)
    at = places(thing, np.linspace(0.0, 1.0, N_SPEEDS + 1))
    ways = np.linalg.norm(np.diff(at, axis=0), axis=2)
    return np.asarray(FASTER * N_SPEEDS * ways.max(axis=0, initial=0.0))


def edges_of(faces: Any) -> list[tuple[int, int]]:
    """The edges of faces, as `Mesh.edges` has them."""
    return sorted({(min(f[i], f[i - 1]), max(f[i], f[i - 1])) for f in faces for i in range(3)})


def radii_of(thing: dict[str, Any]) -> tuple[Array, Array, Array]:
    """How thick vertices, edges and faces are: a face as its thickest corner, others as a face of theirs."""
    faces, thick = thing["faces"], np.asarray(thing["thickness"], float)
    edges = edges_of(faces)
    index = {edge: k for k, edge in enumerate(edges)}
    of_vertices, of_edges, of_faces = np.zeros(len(thick)), np.zeros(len(edges)), np.zeros(len(faces))
    for k, f in enumerate(faces):
        of_faces[k] = max(thick[v] for v in f)
        for i in range(3):
            edge = index[min(f[i], f[i - 1]), max(f[i], f[i - 1])]
            of_vertices[f[i]] = max(of_vertices[f[i]], of_faces[k])
            of_edges[edge] = max(of_edges[edge], of_faces[k])
    return of_vertices, of_edges, of_faces


def pairs_between(a: dict[str, Any], b: dict[str, Any] | None = None) -> tuple[Pairs, Array]:
    """All pairs of features of two things, or of one with itself that share no vertex; and what is thick."""
    is_self, b, shift = b is None, a if b is None else b, 0 if b is None else len(a["vertices"])
    (va, ea, fa), (vb, eb, fb) = radii_of(a), radii_of(b)
    edges = edges_of(a["faces"]), edges_of(b["faces"])
    used = sorted({v for f in a["faces"] for v in f}), sorted({v for f in b["faces"] for v in f})
    rows: list[tuple[int, int, int, list[int], float]] = []
    rows += [(0, i, j, [i, *(v + shift for v in f)], va[i] + fb[j])
             for i, (j, f) in product(used[0], enumerate(b["faces"]))]  # fmt: skip
    rows += [(1, i, j, [*e, *(v + shift for v in f)], ea[i] + eb[j])
             for (i, e), (j, f) in product(enumerate(edges[0]), enumerate(edges[1]))
             if not is_self or i < j]  # fmt: skip
    if is_self:
        rows = [row for row in rows if not set(row[3][: 1 + row[0]]) & set(row[3][1 + row[0] :])]
    else:
        rows += [(2, i, j, [j + shift, *f], fa[i] + vb[j])
                 for (i, f), j in product(enumerate(a["faces"]), used[1])]  # fmt: skip
    found = Pairs(
        np.array([row[0] for row in rows], int),
        np.array([row[1:3] for row in rows], int).reshape(-1, 2),
        np.array([row[3] for row in rows], int).reshape(-1, 4),
    )
    return found, np.array([row[4] for row in rows], float)


def distances(things: Any, pairs: Pairs, which: Ids, times: Array) -> Array:
    """Distances (n,) of some pairs, each at a time of its own."""
    moments, at = np.unique(times, return_inverse=True)
    found = np.empty(len(which))
    order = np.argsort(at, kind="stable")
    for first in range(0, len(which), 20_000):  # so that what is placed fits into memory
        rows = order[first : first + 20_000]
        low, high = at[rows[0]], at[rows[-1]] + 1
        own = np.concatenate([places(thing, moments[low:high]) for thing in things], axis=1)
        corners = own[(at[rows] - low)[:, None], pairs.corners[which[rows]]]
        found[rows] = distances_of_points(corners, pairs.kinds[which[rows]] == 1)
    return found


def verdict(things: Any, pairs: Pairs, targets: Array, slack: float) -> Verdict:
    """When pairs come within their targets: by a time at the latest, or never, or near enough to be open."""
    n, parts = len(pairs.kinds), _parts(things)
    by, is_open = np.full(n, np.inf), np.zeros(n, np.bool_)
    if n == 0:
        return Verdict(by, is_open)
    fast = np.concatenate([speeds(thing) for thing in things])[pairs.corners]
    is_edges = pairs.kinds == 1
    speed = np.where(
        is_edges, fast[:, :2].max(axis=1) + fast[:, 2:].max(axis=1), fast[:, 0] + fast[:, 1:].max(axis=1)
    )
    times = np.unique(np.concatenate([np.linspace(0.0, 1.0, parts + 1), *_knots(things)]))
    which = np.tile(np.arange(n), len(times))
    at = distances(things, pairs, which, np.repeat(times, n)).reshape(len(times), n)
    k, pair = np.divmod(np.arange((len(times) - 1) * n), n)
    low, high, near, far = times[k], times[k + 1], at[k, pair], at[k + 1, pair]
    for moment, row in zip(times, at, strict=True):
        by = np.where(row < targets - slack, np.minimum(by, moment), by)
    for round_ in range(N_HALVINGS):
        least = 0.5 * (near + far - speed[pair] * (high - low))
        kept = (least <= targets[pair] + slack) & (low < by[pair])
        if round_ > 3:  # what stays near for long is looked at no further
            counts = np.bincount(pair[kept], minlength=n)
            is_open |= counts > MOST_INTERVALS
            kept &= counts[pair] <= MOST_INTERVALS
        low, high, near, far, pair = low[kept], high[kept], near[kept], far[kept], pair[kept]
        if len(pair) == 0:
            break
        middle = 0.5 * (low + high)
        between = distances(things, pairs, pair, middle)
        is_near = between < targets[pair] - slack
        np.minimum.at(by, pair[is_near], middle[is_near])
        low, high = np.concatenate([low, middle]), np.concatenate([middle, high])
        near, far, pair = np.concatenate([near, between]), np.concatenate([between, far]), np.tile(pair, 2)
    is_open[pair] = True
    is_open[np.isfinite(by)] = True
    is_thin = targets[pair] <= slack
    for i in np.flatnonzero(is_thin)[np.argsort(low[is_thin], kind="stable")]:
        own = pair[i]
        if not by[own] < np.inf and crosses(things, pairs.corners[own], is_edges[own], low[i], high[i]):
            by[own] = high[i] + AROUND
    return Verdict(by, is_open)


def crosses(things: Any, corners: Ids, is_edges: bool, low: float, high: float) -> bool:
    """Do two features pass through each other around a time, well inside of both?"""
    before, after = low - AROUND, high + AROUND
    if before < 0.0 or after > 1.0 or any(((k > before) & (k < after)).any() for k in _knots(things)):
        return False
    moments = np.array([before, 0.5 * (low + high), after])
    own = np.concatenate([places(thing, moments) for thing in things], axis=1)
    p = own[:, corners]
    sizes = np.abs(p - p[:, 3:]).max() ** 3
    volumes = np.linalg.det(p[[0, 2], :3] - p[[0, 2], 3:])
    if not (volumes[0] * volumes[1] < 0.0 and np.abs(volumes).min() > 1e-12 * sizes):
        return False
    a, b, c, d = p[1]
    ways = [b - a, c - d, c - a] if is_edges else [c - b, d - b, a - b]
    matrix = np.stack([*ways[:2], np.cross(ways[0], ways[1])], axis=1)
    if abs(np.linalg.det(matrix)) < 1e-6 * max(np.abs(matrix[:, :2]).max(), 1e-300) ** 4:
        return False
    u, v, _ = np.linalg.solve(matrix, ways[2])
    least = min(u, v, 1.0 - u, 1.0 - v) if is_edges else min(u, v, 1.0 - u - v)
    return bool(least > INSIDE)


def _parts(things: Any) -> int:
    turns = [np.linalg.norm(thing["motion"]["turn"]) for thing in things if "motion" in thing]
    return int(min(N_PARTS * (1 + max(turns, default=0.0) / 3.0), 400))


def _knots(things: Any) -> list[Array]:
    return [np.array(thing["times"], float) for thing in things if "motion" not in thing]


def pierced(a: dict[str, Any], b: dict[str, Any] | None, margin: float) -> tuple[set[Any], set[Any]]:
    """Edges that pass through faces at the start, (kind, id on a, id on b): those that do, and that may."""
    is_self, b = b is None, a if b is None else b
    start = [places(thing, np.zeros(1))[0] for thing in (a, b)]
    surely, perhaps = set(), set()
    for kind, first, second in ((3, 0, 1),) if is_self else ((3, 0, 1), (4, 1, 0)):
        one, other = (a, b)[first], (a, b)[second]
        for (i, e), (j, f) in product(enumerate(edges_of(one["faces"])), enumerate(other["faces"])):
            if is_self and set(e) & set(f):
                continue
            p, q = start[first][list(e)]
            x, y, z = start[second][list(f)]
            size = np.abs([p - z, q - z, x - z, y - z, p - q]).max() ** 3
            if not size > 0.0:
                perhaps.add((kind, i, j) if kind == 3 else (kind, j, i))
                continue
            ends = [np.linalg.det([x - z, y - z, end - z]) / size for end in (p, q)]
            sides = [np.linalg.det([q - p, u - p, v - p]) / size for u, v in ((x, y), (y, z), (z, x))]
            key = (kind, i, j) if kind == 3 else (kind, j, i)
            is_between, is_beyond = ends[0] * ends[1] < 0.0, min(map(abs, ends)) > margin
            if is_between and is_beyond and (min(sides) > margin or max(sides) < -margin):
                surely.add(key)
            if not (min(ends) > margin or max(ends) < -margin) and not (
                min(sides) < -margin and max(sides) > margin
            ):
                perhaps.add(key)
    return surely, perhaps


def all_of(things: Any, is_asked: Any) -> list[tuple[int, int]]:
    """Which things are asked about each other, and which about themselves."""
    return [*combinations(range(len(things)), 2), *((k, k) for k, asked in enumerate(is_asked) if asked)]
