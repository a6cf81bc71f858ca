"""How far points are from edges of the plane, where these are closest, and which way leads off."""

from math import sqrt

import numpy as np

from firstcontact._jit import driver, kernel, on_ranges
from firstcontact.arrays import INFINITY, Array, Ids, Keys
from firstcontact.bodies.plane_body import PlaneBody, box_gap_squared, edge_at
from firstcontact.narrowphase.plane.turn import TURN_ROOM, Edge2, Vec2
from firstcontact.proximity.plane.sides import is_inside
from firstcontact.proximity.points.signed_on_mesh import Field

# Points from which another thread is worth its start.
WORTH_A_THREAD = 2048

# A point this near, in units of the coordinates, is on the surface as far as rounding can tell: the way
# outwards is then that of the edge.
ON_EDGE = 2.0**-46


def signed_on_edges(body: PlaneBody, points: Array, turns: Array | None = None) -> Field:
    """Measure points (n, 2) from edges; of outlines, negative inside.

    turns : (m,) 1 where the inside of an outline is to the left of an edge, -1 where it is to the right
    """
    n, nowhere = len(points), np.full((len(points), 2), np.nan)
    found = Field(np.full(n, INFINITY), nowhere, nowhere.copy(), np.full(n, -1, np.int32))
    sides = np.ones(len(body.edges)) if turns is None else turns
    if len(body.edges) == 0:
        return found

    def task(first: int, last: int) -> None:
        _measure_range(body, (points, sides), turns is not None, found, first, last)

    on_ranges(task, n, WORTH_A_THREAD)
    return found


@driver
def _measure_range(
    body: PlaneBody, given: tuple[Array, Array], is_filled: bool, found: Field, first: int, last: int
) -> None:
    """Measure the points [first, last); the search begins at the edge of the point before."""
    points, turns = given
    edges, boxes, children = body.edges, body.boxes, body.children
    stack, keys, room = np.empty(body.depth + 2), np.empty(body.depth + 2, np.int64), np.empty(TURN_ROOM)
    edge, near = 0, (edges[0, 0], edges[0, 1])
    for i in range(first, last):
        p = points[i, 0], points[i, 1]
        edge, near = closest_edge(edges, boxes, children, p, edge, stack, keys)
        inside = is_filled and is_inside(edges, boxes, children, p, keys, room)
        x, y = p[0] - near[0], p[1] - near[1]
        gap = sqrt(x * x + y * y)
        found.faces[i], found.points[i, 0], found.points[i, 1] = edge, near[0], near[1]
        found.distances[i] = -gap if inside else gap
        size = abs(p[0]) + abs(p[1]) + abs(near[0]) + abs(near[1])
        if gap > ON_EDGE * size:
            side = -1.0 if inside else 1.0
            found.normals[i, 0], found.normals[i, 1] = side * x / gap, side * y / gap
        else:
            found.normals[i, 0], found.normals[i, 1] = right_of(edge_at(edges, edge), turns[edge])


@kernel
def closest_edge(
    edges: Array, boxes: Array, children: Ids, p: Vec2, guess: int, stack: Array, keys: Keys
) -> tuple[int, Vec2]:
    """The edge that is closest to a point, and its closest point; a good guess saves time."""
    best, near = guess, closest_on_edge(edge_at(edges, guess), p)
    least = _squared(p, near)
    keys[0], stack[0], top = 0, box_gap_squared(boxes, 0, p), 1
    while top > 0:
        top -= 1
        node = keys[top]
        if stack[top] >= least:
            continue
        left, right = children[node, 0], children[node, 1]
        if left < 0:
            point = closest_on_edge(edge_at(edges, ~left), p)
            gap = _squared(p, point)
            if gap < least:
                best, near, least = ~left, point, gap
            continue
        gap, other = box_gap_squared(boxes, left, p), box_gap_squared(boxes, right, p)
        if gap < other:  # the nearer one is looked into first
            left, right, gap, other = right, left, other, gap
        keys[top], stack[top] = left, gap
        keys[top + 1], stack[top + 1] = right, other
        top += 2
    return best, near


@kernel
def closest_on_edge(e: Edge2, p: Vec2) -> Vec2:
    """The point of an edge that is closest to a point; ends are told to the last digit."""
    a, b = e
    x, y = b[0] - a[0], b[1] - a[1]
    along = (p[0] - a[0]) * x + (p[1] - a[1]) * y
    if along <= 0.0:
        return a
    length = x * x + y * y
    if along >= length:
        return b
    s = along / length
    if s <= 0.5:
        return a[0] + s * x, a[1] + s * y
    s = ((b[0] - p[0]) * x + (b[1] - p[1]) * y) / length
    return b[0] - s * x, b[1] - s * y


@kernel
def _squared(p: Vec2, q: Vec2) -> float:
    x, y = p[0] - q[0], p[1] - q[1]
    return x * x + y * y


@kernel
def right_of(e: Edge2, turn: float) -> Vec2:
    """A unit vector to the right of an edge, or with a turn of -1 to the left."""
    a, b = e
    x, y = b[0] - a[0], b[1] - a[1]
    length = sqrt(x * x + y * y)
    if length == 0.0:
        return 1.0, 0.0
    return turn * y / length, -turn * x / length
