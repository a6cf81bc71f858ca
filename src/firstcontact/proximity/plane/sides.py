"""Which points of the plane are inside of closed outlines: exactly.

A ray from a point along the first axis crosses edges from below to above, or down: those with one end at the
point's height or below, and one above it. It is inside where it crosses an odd number of them.
"""

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel, on_ranges
from firstcontact.arrays import Array, Flags, Ids, Keys
from firstcontact.bodies.plane_body import PlaneBody, edge_at
from firstcontact.motions.rigid_motion import ROTATION
from firstcontact.motions.short_rows import TRANSLATION
from firstcontact.narrowphase.plane.turn import TURN_ROOM, Vec2, turn_sign

# Points from which another thread is worth its start.
WORTH_A_THREAD = 4096


def are_inside(body: PlaneBody, points: Array) -> NDArray[np.bool_]:
    """Which of some points (n, 2) are inside; of a point on an edge the answer may be either."""
    inside = np.zeros(len(points), np.bool_)
    if len(body.edges) == 0:
        return inside

    def task(first: int, last: int) -> None:
        _tell_range(body, points, inside, first, last)

    on_ranges(task, len(points), WORTH_A_THREAD)
    return inside


@driver
def _tell_range(body: PlaneBody, points: Array, inside: Flags, first: int, last: int) -> None:
    """Tell the sides of the points [first, last)."""
    stack, room = np.empty(body.depth + 2, np.int64), np.empty(TURN_ROOM)
    for i in range(first, last):
        p = points[i, 0], points[i, 1]
        inside[i] = is_inside(body.edges, body.boxes, body.children, p, stack, room)


@driver
def holds_a_point(body: PlaneBody, holder: Array, points: Array, other: Array) -> bool:
    """Is any of some points (k, 2) inside of outlines, as two rows of motion, at rest, place both?"""
    stack, room = np.empty(body.depth + 2, np.int64), np.empty(TURN_ROOM)
    a, b, c, d = holder[ROTATION], holder[ROTATION + 1], holder[ROTATION + 3], holder[ROTATION + 4]
    e, f, g, h = other[ROTATION], other[ROTATION + 1], other[ROTATION + 3], other[ROTATION + 4]
    left, up = other[TRANSLATION] - holder[TRANSLATION], other[TRANSLATION + 1] - holder[TRANSLATION + 1]
    for i in range(len(points)):
        x, y = points[i, 0], points[i, 1]
        u, v = e * x + f * y + left, g * x + h * y + up
        p = a * u + c * v, b * u + d * v
        if is_inside(body.edges, body.boxes, body.children, p, stack, room):
            return True
    return False


@kernel
def is_inside(edges: Array, boxes: Array, children: Ids, p: Vec2, stack: Keys, room: Array) -> bool:
    """Is a point inside of closed outlines?"""
    is_odd, top = False, 1
    stack[0] = 0
    while top > 0:
        top -= 1
        node = stack[top]
        if not (boxes[node, 1] <= p[1] < boxes[node, 3] and p[0] <= boxes[node, 2]):
            continue
        child = children[node, 0]
        if child >= 0:
            stack[top], stack[top + 1] = child, children[node, 1]
            top += 2
            continue
        a, b = edge_at(edges, ~child)
        is_up = a[1] <= p[1]
        side = 1 if p[0] < boxes[node, 0] else turn_sign(a, b, p, room) * (1 if is_up else -1)
        is_odd = is_odd != (side > 0)
    return is_odd
