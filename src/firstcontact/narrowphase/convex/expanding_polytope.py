"""The shortest way out of each other of two convex cores that overlap (van den Bergen, 2001), with its proof.

Along each direction that is tried, a way is known that takes them apart: an upper bound. A polytope that is
inside the set of differences grows where its surface is nearest to the origin: that is a lower bound. When
they meet, the shortest way is known; if the search ends early, what is reported still takes them apart.
The distance of a face counts as negative where the origin is beyond it, so any polytope will do to start.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import kernel
from firstcontact.arrays import INFINITY, Array
from firstcontact.narrowphase.convex.difference import CorePair, Escape, placed, size_of
from firstcontact.narrowphase.convex.gjk import CLOSED
from firstcontact.narrowphase.convex.penetration_descent import NARROW, is_smooth
from firstcontact.narrowphase.convex.polytope import (
    ROW,
    corner_at,
    first_corner,
    first_plane,
    grow,
    is_full,
    put_corner,
    start_tetrahedron,
)
from firstcontact.narrowphase.convex.simplex import triangle_weights
from firstcontact.scalar.error_bounds import SHORTEST
from firstcontact.scalar.mat3 import mat_vec
from firstcontact.scalar.vec3 import Vec3, add, cross, dot, norm, scale, sub
from firstcontact.shapes.cores import support

Ids = NDArray[np.int64]

# The two bounds count as one when they differ by this part; of smooth shapes, whose bounds never meet, by the
# second, and `penetration_descent` does the rest.
PART, SMOOTH_PART = 1e-12, 1e-9


class Way(NamedTuple):
    """A way out: its length and direction."""

    depth: float
    direction: Vec3


@kernel
def escape_convex_convex(pair: CorePair, pool_a: Array, pool_b: Array, numbers: Array, links: Ids) -> Escape:
    """Find the shortest way out of two cores; numbers and links are a `workspace`.

    With all of its corners taken, the search ends early.
    """
    a, b, frame, back = pair
    rounding = CLOSED * size_of(pair) + SHORTEST
    part = SMOOTH_PART if is_smooth(pair) else PART
    best, is_solid = _start(pair, pool_a, pool_b, numbers, rounding)
    n_corners, planes, corners = 4, first_plane(len(numbers)), first_corner(len(numbers))
    if is_solid:
        n_faces = start_tetrahedron(numbers, links)
        while not is_full(numbers, n_corners) and best.depth >= -rounding:
            face, lower = 0, numbers[0]
            for i in range(1, n_faces):
                if numbers[i] < lower:
                    face, lower = i, numbers[i]
            if not lower <= best.depth:
                break
            at = planes + 4 * face
            n = numbers[at], numbers[at + 1], numbers[at + 2]
            d, e = mat_vec(back, n), (-n[0], -n[1], -n[2])
            p = placed(frame, support(a, pool_a, d))
            v = sub(p, support(b, pool_b, e))
            depth, at = dot(n, v), corners + 6 * n_corners
            numbers[at], numbers[at + 1], numbers[at + 2] = v
            numbers[at + 3], numbers[at + 4], numbers[at + 5] = p
            if depth - lower <= part * depth + rounding:
                foot, point = _foot(numbers, links, n_faces, face, depth + part * depth + rounding)
                is_known = norm(sub(foot, scale(depth, n))) <= NARROW * size_of(pair)
                return Escape(depth, n, is_known, point, n_corners)
            if depth < best.depth:
                best = Way(depth, n)
            grown = grow(numbers, links, n_faces, face, n_corners)
            if grown < 0:
                numbers[face] = INFINITY
            else:
                n_faces, n_corners = grown, n_corners + 1
    return Escape(best.depth, best.direction, False, best.direction, n_corners)


@kernel
def _foot(numbers: Array, links: Ids, n_faces: int, face: int, nearest: float) -> tuple[Vec3, Vec3]:
    """Point of the surface nearest to the origin, on a face or one in its plane, and the point of a."""
    best, foot, point = INFINITY, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    planes, corners = first_plane(len(numbers)), first_corner(len(numbers))
    plane = planes + 4 * face
    n = numbers[plane], numbers[plane + 1], numbers[plane + 2]
    for other in range(-1, n_faces):
        # First the face itself; then, if the foot is not on it, those that are as near, on the same side.
        at = face if other < 0 else other
        if numbers[at] > nearest:
            continue
        plane = planes + 4 * at
        if not n[0] * numbers[plane] + n[1] * numbers[plane + 1] + n[2] * numbers[plane + 2] > 0.5:
            continue
        i, j, k = (
            corners + 6 * links[ROW * at],
            corners + 6 * links[ROW * at + 1],
            corners + 6 * links[ROW * at + 2],
        )
        a, b = (numbers[i], numbers[i + 1], numbers[i + 2]), (numbers[j], numbers[j + 1], numbers[j + 2])
        c = numbers[k], numbers[k + 1], numbers[k + 2]
        r, s, t = triangle_weights(a, b, c)
        v = add(add(scale(r, a), scale(s, b)), scale(t, c))
        if norm(v) < best:
            best, foot = norm(v), v
            a = numbers[i + 3], numbers[i + 4], numbers[i + 5]
            b = numbers[j + 3], numbers[j + 4], numbers[j + 5]
            c = numbers[k + 3], numbers[k + 4], numbers[k + 5]
            point = add(add(scale(r, a), scale(s, b)), scale(t, c))
        if best <= nearest:
            break
    return foot, point


@kernel
def _start(pair: CorePair, pool_a: Array, pool_b: Array, numbers: Array, rounding: float) -> tuple[Way, bool]:
    """Write a tetrahedron of differences; return the best way met, and whether the tetrahedron has a volume.

    Two corners at the ends of a line, one off it, one off their plane: each the farther of two.
    """
    offset = pair.frame.offset
    length = norm(offset)
    n = scale(-1.0 / length, offset) if length > SHORTEST else (1.0, 0.0, 0.0)
    best = Way(INFINITY, n)
    for k in range(3):
        opposite, last = scale(-1.0, n), k + 1
        p = placed(pair.frame, support(pair.a, pool_a, mat_vec(pair.back, n)))
        v = sub(p, support(pair.b, pool_b, opposite))
        put_corner(numbers, last, v, p)
        ahead = dot(n, v)
        if ahead < best.depth:
            best = Way(ahead, n)
        if best.depth < -rounding:
            return best, False
        p = placed(pair.frame, support(pair.a, pool_a, mat_vec(pair.back, opposite)))
        v = sub(p, support(pair.b, pool_b, n))
        put_corner(numbers, 4 if k > 0 else 0, v, p)
        behind = dot(opposite, v)
        if behind < best.depth:
            best = Way(behind, opposite)
        if best.depth < -rounding or ahead + behind <= rounding:
            return best, False
        base = corner_at(numbers, 0)
        along = sub(corner_at(numbers, 1), base)
        if k == 0:
            n = _across(along)
            continue
        if ahead - dot(n, base) < behind - dot(opposite, base):
            _copy(numbers, 4, last)
            if k == 2:  # the fourth corner is to be above the first three
                _copy(numbers, 1, 4)
                _copy(numbers, 2, 1)
                _copy(numbers, 4, 2)
        if k == 1:
            n = _unit(cross(along, sub(corner_at(numbers, 2), base)))
    return best, True


@kernel
def _across(v: Vec3) -> Vec3:
    """Unit vector at right angles to v."""
    x, y, z = abs(v[0]), abs(v[1]), abs(v[2])
    if x <= y and x <= z:
        return _unit((0.0, -v[2], v[1]))
    if y <= z:
        return _unit((v[2], 0.0, -v[0]))
    return _unit((-v[1], v[0], 0.0))


@kernel
def _unit(v: Vec3) -> Vec3:
    length = norm(v)
    return scale(1.0 / length, v) if length > 0.0 else (1.0, 0.0, 0.0)


@kernel
def _copy(numbers: Array, i: int, j: int) -> None:
    """Make corner j what corner i is."""
    corners = first_corner(len(numbers))
    for k in range(6):
        numbers[corners + 6 * j + k] = numbers[corners + 6 * i + k]
