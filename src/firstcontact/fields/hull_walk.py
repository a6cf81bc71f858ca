"""Does a surface meet the convex hull of some balls? Boxes and triangles that a plane parts from it do not.

Lengths are those of the surface's tree, seen from its middle: see `PointBody`.
"""

from math import sqrt
from typing import NamedTuple

import numpy as np

from firstcontact._jit import kernel
from firstcontact._lanes import LINKS, WIDTH
from firstcontact.arrays import Array, Keys
from firstcontact.bodies.point_body import PointBody, corners_at
from firstcontact.narrowphase.triangles.nearest_on_triangle import nearest_on_triangle
from firstcontact.scalar.vec3 import Triangle, Vec3, add, cross, dot, norm, scale, sub

# Planes that are tried, one after the other, between a triangle and a hull that others did not part.
N_ATTEMPTS = 4

N_BALLS = 8

# Columns of the balls of a hull.
X, Y, Z, RADIUS = range(4)


class HullRoom(NamedTuple):
    """What a search works in: the balls of a hull, (N_BALLS, 4), and blocks to look into."""

    balls: Array
    stack: Keys


class Hull(NamedTuple):
    """What is known of the hull of balls: a box, a ball, and how far it goes along an axis, all around it."""

    low: Vec3
    high: Vec3
    middle: Vec3
    radius: float
    axis: Vec3
    first: float
    last: float


def hull_room(depth: int) -> HullRoom:
    """Make room for a search: a block is replaced by WIDTH at the most."""
    return HullRoom(np.empty((N_BALLS, 4)), np.empty((WIDTH - 1) * depth + 1 + WIDTH, np.int64))


@kernel
def hull_of(balls: Array, axis: Vec3, slack: float) -> Hull:
    """Bound the hull of balls; it grows by what rounding may put anything off."""
    low, high = (np.inf, np.inf, np.inf), (-np.inf, -np.inf, -np.inf)
    first, last, middle = np.inf, -np.inf, (0.0, 0.0, 0.0)
    for i in range(N_BALLS):
        y, m = (balls[i, X], balls[i, Y], balls[i, Z]), balls[i, RADIUS] + slack
        low = min(low[0], y[0] - m), min(low[1], y[1] - m), min(low[2], y[2] - m)
        high = max(high[0], y[0] + m), max(high[1], y[1] + m), max(high[2], y[2] + m)
        at = dot(axis, y)
        first, last, middle = min(first, at - m), max(last, at + m), add(middle, scale(1.0 / N_BALLS, y))
    radius = 0.0
    for i in range(N_BALLS):
        y, m = (balls[i, X], balls[i, Y], balls[i, Z]), balls[i, RADIUS] + slack
        radius = max(radius, norm(sub(y, middle)) + m)
    return Hull(low, high, middle, radius + slack, axis, first, last)


@kernel
def is_free(body: PointBody, hull: Hull, room: HullRoom, slack: float) -> bool:
    """Is there no triangle in the hull of the balls? False may be said of one that is close to it."""
    blocks, links, faces, triangles = body.blocks, body.links, body.faces, body.triangles
    balls, stack = room.balls, room.stack
    low, high, middle, axis = hull.low, hull.high, hull.middle, hull.axis
    first, last, reach = hull.first, hull.last, hull.radius * hull.radius
    stack[0], n = 0, 1
    while n > 0:
        n -= 1
        block = stack[n]
        if block < 0:
            for place in range(WIDTH * ~block, WIDTH * ~block + WIDTH):
                if faces[place] >= 0:
                    a, b, c = corners_at(triangles, place)
                    t = sub(a, body.middle), sub(b, body.middle), sub(c, body.middle)
                    if not _is_apart(t, hull, balls, slack):
                        return False
            continue
        for k in range(WIDTH):
            ax, bx = float(blocks[block, 0, k]), float(blocks[block, 3, k])
            if ax > high[0] or bx < low[0]:
                continue
            ay, by = float(blocks[block, 1, k]), float(blocks[block, 4, k])
            if ay > high[1] or by < low[1]:
                continue
            az, bz = float(blocks[block, 2, k]), float(blocks[block, 5, k])
            if az > high[2] or bz < low[2]:
                continue
            mx, my, mz = 0.5 * (ax + bx), 0.5 * (ay + by), 0.5 * (az + bz)
            at = axis[0] * mx + axis[1] * my + axis[2] * mz
            half = 0.5 * ((bx - ax) * abs(axis[0]) + (by - ay) * abs(axis[1]) + (bz - az) * abs(axis[2]))
            if at - half > last or at + half < first:
                continue
            gx = min(max(middle[0], ax), bx) - middle[0]
            gy = min(max(middle[1], ay), by) - middle[1]
            gz = min(max(middle[2], az), bz) - middle[2]
            squared = gx * gx + gy * gy + gz * gz
            if squared > reach or _is_beyond(balls, middle, (gx, gy, gz), squared, slack):
                continue
            stack[n] = links[block, LINKS, k]
            n += 1
    return True


@kernel
def _is_beyond(balls: Array, middle: Vec3, g: Vec3, squared: float, slack: float) -> bool:
    """Is all of a hull on this side of the plane through middle + g, across g?"""
    length = sqrt(squared)
    for i in range(N_BALLS):
        x, y, z = balls[i, X] - middle[0], balls[i, Y] - middle[1], balls[i, Z] - middle[2]
        if g[0] * x + g[1] * y + g[2] * z + (balls[i, RADIUS] + slack) * length >= squared:
            return False
    return True


@kernel
def _is_apart(t: Triangle, hull: Hull, balls: Array, slack: float) -> bool:
    """Does a plane part a triangle from the hull of balls?"""
    a, b, c = t
    if max(max(a[0], b[0]), c[0]) < hull.low[0] or min(min(a[0], b[0]), c[0]) > hull.high[0]:
        return True
    if max(max(a[1], b[1]), c[1]) < hull.low[1] or min(min(a[1], b[1]), c[1]) > hull.high[1]:
        return True
    if max(max(a[2], b[2]), c[2]) < hull.low[2] or min(min(a[2], b[2]), c[2]) > hull.high[2]:
        return True
    x, y, z = dot(hull.axis, a), dot(hull.axis, b), dot(hull.axis, c)
    if max(max(x, y), z) < hull.first or min(min(x, y), z) > hull.last:
        return True
    normal = cross(sub(b, a), sub(c, a))
    if _parts(t, balls, normal, slack)[0] or _parts(t, balls, scale(-1.0, normal), slack)[0]:
        return True
    # Towards the closest point of the triangle from the middle, then from the ball that was in the way too.
    start, g = hull.middle, (0.0, 0.0, 0.0)
    for _ in range(N_ATTEMPTS):
        wb, wc = nearest_on_triangle(sub(start, a), sub(b, a), sub(c, a))
        q = add(a, add(scale(wb, sub(b, a)), scale(wc, sub(c, a))))
        way = sub(q, start)
        length = norm(way)
        if not length > 0.0:
            return False
        g = add(g, scale(1.0 / length, way))
        is_parting, i = _parts(t, balls, g, slack)
        if is_parting:
            return True
        start = balls[i, X], balls[i, Y], balls[i, Z]
    return False


@kernel
def _parts(t: Triangle, balls: Array, g: Vec3, slack: float) -> tuple[bool, int]:
    """Is all of a triangle farther along g than the hull of balls? And which ball goes farthest."""
    length = norm(g)
    least = min(min(dot(g, t[0]), dot(g, t[1])), dot(g, t[2]))
    most, farthest = -np.inf, 0
    for i in range(N_BALLS):
        at = g[0] * balls[i, X] + g[1] * balls[i, Y] + g[2] * balls[i, Z]
        at += (balls[i, RADIUS] + slack) * length
        if at > most:
            most, farthest = at, i
    return least > most, farthest
