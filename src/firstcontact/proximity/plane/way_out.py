"""The shortest way by which one part of the plane gets out of another, of all shapes, with holes or not.

All places of b, as vectors t, where it overlaps a are the Minkowski sum of a and -b. The border of that is
part of the convolution of both: segments, each an edge of one slid along a corner of the other that looks
against it (Guibas, Ramshaw, Stolfi 1983). The nearest place of the border is the foot of the origin on a
segment, or where two of them cross. Candidates are tried in order of their distance: the first from which b,
moved on by a hair, touches a nowhere, is the shortest way out. A way that is found is so in any case; that
there is no shorter one is right to rounding, and to gaps not wider than a hair.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel
from firstcontact.arrays import Array, Keys
from firstcontact.bodies.plane_body import PlaneBody, edge_at, plane_body
from firstcontact.narrowphase.plane.meeting_edges import APART, meeting_of_edges
from firstcontact.narrowphase.plane.turn import TURN_ROOM, Vec2
from firstcontact.proximity.plane.edge_pairs import meeting_edges
from firstcontact.proximity.plane.sides import is_inside
from firstcontact.shapes.planar import Planar

# How far b is moved on, in units of the size of both, to see whether it is out.
HAIR = 1e-9
# Pairs of an edge and a corner looked at together.
CHUNK = 1 << 20


class Region(NamedTuple):
    """A part of the plane: its body, and of each edge where it begins and ends, and the point before.

    points, nexts, befores : (m, 2), so that what is inside is to the left from each point to the next
    firsts : one point of each outline
    """

    body: PlaneBody
    points: Array
    nexts: Array
    befores: Array
    firsts: Array


class WayOut(NamedTuple):
    """How far b goes, which way, and the points of a and b that meet then.

    contacts : (2, 3, 2), what holds b back at the end of its way, where one or two corners slide along edges:
        the points of a and of b, and a normal; the sum of both normals is the direction
    """

    depth: float
    direction: Array
    point_a: Array
    point_b: Array
    contacts: Array


class Segments(NamedTuple):
    """Of the convolution: from where to where, (k, 2, 2); which way it looks; the corner of it, and whose."""

    ends: Array
    normals: Array
    corners: Array
    is_of_b: NDArray[np.bool_]


def region_of(shape: Planar, vertices: Array, turns: Array) -> Region:
    """A filled shape with its points at places (n, 2)."""
    tails, heads = vertices[shape.edges[:, 0]], vertices[shape.edges[:, 1]]
    is_left = (turns > 0.0)[:, np.newaxis]
    points, nexts = np.where(is_left, tails, heads), np.where(is_left, heads, tails)
    starts = np.cumsum(shape.counts) - shape.counts
    befores = np.empty_like(points)
    for first, count in zip(starts.tolist(), shape.counts.tolist(), strict=True):
        own = slice(first, first + count)
        step = 1 if turns[first] > 0.0 else -1
        befores[own] = np.roll(points[own], step, axis=0)
    return Region(plane_body(vertices, shape.edges), points, nexts, befores, vertices[starts])


def way_out(a: Region, b: Region) -> WayOut | None:
    """Find the shortest way by which b gets out of a; None where there is nothing to get out of."""
    if len(a.points) == 0 or len(b.points) == 0:
        return None
    segments = _convolution(a, b)
    size = float(np.abs(np.concatenate([a.points, b.points])).max()) + 2.0**-400
    feet = _feet(segments.ends)
    lengths = np.linalg.norm(feet, axis=1)
    is_ahead = np.einsum("ij,ij->i", feet, segments.normals) >= -HAIR * size
    order = np.argsort(np.where(is_ahead, lengths, np.inf), kind="stable")[: np.count_nonzero(is_ahead)]
    is_long = lengths > HAIR * size  # else rounding hides the way, and the segment tells it
    ways = np.divide(feet, lengths[:, None], out=segments.normals.copy(), where=is_long[:, None])
    best = _first_free(a, b, (feet[order], ways[order]), HAIR * size)
    bound = lengths[order[best]] if best >= 0 else np.inf
    corner = _nearer_crossing(a, b, segments, (bound, HAIR * size))
    if corner is not None:
        way, normal, two = corner
        return _told(way, normal, segments, two)
    if best < 0:
        return None
    k = int(order[best])
    return _told(feet[k], ways[k], segments, (k, k))


def _told(way: Array, normal: Array, segments: Segments, ends: tuple[int, int]) -> WayOut:
    """The way out, by the one or two segments that it ends at."""
    contacts = np.zeros((2, 3, 2))
    for own, k in zip(contacts, ends, strict=True):
        corner = segments.corners[k]
        own[:2] = (corner + way, corner) if segments.is_of_b[k] else (corner, corner - way)
    contacts[0, 2] = normal
    if ends[0] != ends[1]:
        first, second = segments.normals[list(ends)]
        area = first[0] * second[1] - first[1] * second[0]
        if abs(area) > HAIR:
            contacts[0, 2] = first * (normal[0] * second[1] - normal[1] * second[0]) / area
            contacts[1, 2] = second * (first[0] * normal[1] - first[1] * normal[0]) / area
    point_a, point_b = contacts[0, :2].copy()
    return WayOut(float(np.linalg.norm(way)), normal + 0.0, point_a, point_b, contacts)


def _convolution(a: Region, b: Region) -> Segments:
    """Places of b at which a corner of one slides along an edge of the other."""
    ends, normals, corners, is_of_b = [], [], [], []
    for of_b, edges, other in ((True, a, b), (False, b, a)):
        step = max(CHUNK // len(other.points), 1)
        for first in range(0, len(edges.points), step):
            own = slice(first, first + step)
            p, q = edges.points[own], edges.nexts[own]
            out = np.stack([q[:, 1] - p[:, 1], p[:, 0] - q[:, 0]], axis=1)
            lengths = np.linalg.norm(out, axis=1, keepdims=True)
            np.divide(out, lengths, out=out, where=lengths > 0.0)  # where a turn has not joined both ends
            i, j = _facing(out, other)
            corner = other.points[j]
            pair = np.stack([p[i] - corner, q[i] - corner], axis=1)
            ends.append(pair if of_b else -pair)
            normals.append(out[i] if of_b else -out[i])
            corners.append(corner)
            is_of_b.append(np.full(len(i), of_b))
    return Segments(*map(np.concatenate, (ends, normals, corners, is_of_b)))


def _facing(out: Array, other: Region) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Pairs of edges, by which way they look (n, 2), and corners that look against them."""
    ahead, behind = other.nexts - other.points, other.points - other.befores
    is_convex = behind[:, 0] * ahead[:, 1] - behind[:, 1] * ahead[:, 0] >= 0.0
    slack = -1e-12 * (np.abs(ahead).max(axis=1) + np.abs(behind).max(axis=1))
    found = (out @ ahead.T >= slack) & (out @ -behind.T >= slack) & is_convex
    i, j = np.nonzero(found)
    return i, j


def _feet(ends: Array) -> Array:
    """The places (k, 2) of segments (k, 2, 2) that are nearest to the origin."""
    way = ends[:, 1] - ends[:, 0]
    length = np.einsum("ij,ij->i", way, way)
    s = -np.einsum("ij,ij->i", ends[:, 0], way)
    s = np.clip(np.divide(s, length, out=np.zeros_like(s), where=length > 0.0), 0.0, 1.0)[:, np.newaxis]
    found: Array = np.where(s <= 0.5, ends[:, 0] + s * way, ends[:, 1] - (1.0 - s) * way)
    return found


def _nearer_crossing(
    a: Region, b: Region, segments: Segments, near: tuple[float, float]
) -> tuple[Array, Array, tuple[int, int]] | None:
    """The nearest free place where two segments cross, nearer than a bound; which way it is; and these two.

    What is free there is before both segments: a hair on is along the middle of both normals, which need
    not be the way from the origin.
    """
    bound, hair = near
    own = np.flatnonzero(np.linalg.norm(_feet(segments.ends), axis=1) < bound)
    body = plane_body(
        segments.ends[own].reshape(-1, 2), np.arange(2 * len(own), dtype=np.int32).reshape(-1, 2)
    )
    pairs = meeting_edges(body, body)
    places, which = pairs.ends.reshape(-1, 2), own[np.repeat(pairs.ids, 2, axis=0)]
    lengths = np.linalg.norm(places, axis=1)
    middles = segments.normals[which].sum(axis=1)
    widths = np.linalg.norm(middles, axis=1)  # 0 between segments that face each other: there is no room
    order = np.argsort(lengths, kind="stable")
    order = order[(lengths[order] < bound) & (widths[order] > 0.0)]
    outs = middles[order] / widths[order, np.newaxis]
    best = _first_free(a, b, (places[order], outs), hair)
    if best < 0:
        return None
    way, length = places[order[best]], lengths[order[best]]
    i, j = which[order[best]].tolist()
    return way, way / length if length > hair else outs[best], (i, j)


def _first_free(a: Region, b: Region, places: tuple[Array, Array], hair: float) -> int:
    """The first of some places, and ways from there, at which b is out of a; -1 if it is at none."""
    stack = np.empty((a.body.depth + b.body.depth + 2, 2), np.int64)
    keys, room = np.empty(max(a.body.depth, b.body.depth) + 2, np.int64), np.empty(TURN_ROOM)
    bodies, firsts = (a.body, b.body), (a.firsts, b.firsts)
    return int(_try_places(bodies, firsts, (*places, hair), (stack, keys, room)))


@driver
def _try_places(
    bodies: tuple[PlaneBody, PlaneBody],
    firsts: tuple[Array, Array],
    tried: tuple[Array, Array, float],
    work: tuple[Keys, Keys, Array],
) -> int:
    places, ways, hair = tried
    for i in range(len(places)):
        x, y = places[i, 0] + hair * ways[i, 0], places[i, 1] + hair * ways[i, 1]
        if _is_free(bodies, firsts, (x, y), work):
            return i
    return -1


@kernel
def _is_free(
    bodies: tuple[PlaneBody, PlaneBody],
    firsts: tuple[Array, Array],
    t: Vec2,
    work: tuple[Keys, Keys, Array],
) -> bool:
    """Is b, moved by t, out of a?"""
    (a, b), (stack, keys, room) = bodies, work
    if _edges_meet(a, b, t, stack, room):
        return False
    for i in range(len(firsts[1])):
        p = firsts[1][i, 0] + t[0], firsts[1][i, 1] + t[1]
        if is_inside(a.edges, a.boxes, a.children, p, keys, room):
            return False
    for i in range(len(firsts[0])):
        p = firsts[0][i, 0] - t[0], firsts[0][i, 1] - t[1]
        if is_inside(b.edges, b.boxes, b.children, p, keys, room):
            return False
    return True


@kernel
def _edges_meet(a: PlaneBody, b: PlaneBody, t: Vec2, stack: Keys, room: Array) -> bool:
    """Does any edge of a meet one of b, moved by t?"""
    top = 1
    stack[0, 0], stack[0, 1] = 0, 0
    while top > 0:
        top -= 1
        i, j = stack[top, 0], stack[top, 1]
        if a.boxes[i, 0] > b.boxes[j, 2] + t[0] or b.boxes[j, 0] + t[0] > a.boxes[i, 2]:
            continue
        if a.boxes[i, 1] > b.boxes[j, 3] + t[1] or b.boxes[j, 1] + t[1] > a.boxes[i, 3]:
            continue
        left, right = a.children[i, 0], b.children[j, 0]
        if left < 0 and right < 0:
            (px, py), (qx, qy) = edge_at(b.edges, ~right)
            moved = (px + t[0], py + t[1]), (qx + t[0], qy + t[1])
            how, _, _ = meeting_of_edges(edge_at(a.edges, ~left), moved, room)
            if how != APART:
                return True
        elif right < 0 or (left >= 0 and _width(a.boxes, i) >= _width(b.boxes, j)):
            stack[top, 0], stack[top, 1] = left, j
            stack[top + 1, 0], stack[top + 1, 1] = a.children[i, 1], j
            top += 2
        else:
            stack[top, 0], stack[top, 1] = i, right
            stack[top + 1, 0], stack[top + 1, 1] = i, b.children[j, 1]
            top += 2
    return False


@kernel
def _width(boxes: Array, i: int) -> float:
    return float((boxes[i, 2] - boxes[i, 0]) + (boxes[i, 3] - boxes[i, 1]))
