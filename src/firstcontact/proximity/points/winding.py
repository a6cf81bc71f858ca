"""How often a surface winds around points: generalized winding numbers (Jacobson 2013).

The solid angles of all triangles, seen from a point, over 4 pi: a whole number where the surface is closed.
Far parts of the surface count as one dipole each (Barill 2018), which is off by a few hundredths. Where that
is close to what is asked, nearer parts are taken one by one, and in the end all triangles.
"""

from math import atan2, pi
from typing import NamedTuple

import numpy as np

from firstcontact._jit import driver, kernel, on_ranges
from firstcontact._lanes import (
    AREA,
    DIPOLE_LINKS,
    DIPOLE_ROWS,
    LINKS,
    MIDDLE,
    RADIUS,
    WIDTH,
    Singles,
    add_dipoles,
    lowest_bit,
)
from firstcontact.arrays import Array, Flags, Ids
from firstcontact.bodies.point_body import PointBody, corners_at, point_body_of
from firstcontact.narrowphase.triangles.solid_angle import half_solid_angle
from firstcontact.proximity.points.point_order import point_order
from firstcontact.scalar.vec3 import Triangle, Vec3, cross, norm, sub
from firstcontact.shapes.kept import OnceForEachMesh
from firstcontact.shapes.mesh import Mesh

# Points from which another thread is worth its start.
WORTH_A_THREAD = 1024

# Columns of the sums that dipoles are made of.
N_SUMS = 7

# What is farther away than so many radii counts as a dipole, and how much the sum is off then: measured, with
# a factor of two and more (docs/points.md). The last has none but what is smaller than rounding.
NEAREST = (2.0, 8.0, 2.0**30)
ACCURACY = (0.15, 0.01, 0.0)

# From points farther away than this, in units of the tree, a surface is seen under an angle below 1e-10.
FARTHEST = 2.0**20

# Where dipoles are that are left over.
NOWHERE = 2.0**40

# From here on a point is inside.
HALF = 0.5

Box = tuple[float, float, float, float, float, float]


class WindingBody(NamedTuple):
    """The dipoles of a body's tree, in units of the tree.

    dipoles : (m + n_leaves, DIPOLE_ROWS, WIDTH) float32, of the children of each block, then of the triangles
        of each leaf
    links : the same memory as int32: the number of what a child is made of, ~p of the triangle at place p
    """

    dipoles: Singles
    links: Ids


class Surface(NamedTuple):
    """What solid angles are summed up of: dipoles, and of a `PointBody` what is needed of it."""

    dipoles: WindingBody
    triangles: Array
    middle: Vec3
    factor: float
    depth: int


@OnceForEachMesh
def winding_body_of(mesh: Mesh) -> WindingBody:
    """Return the dipoles of a mesh, made on the first call."""
    body = point_body_of(mesh)
    n_blocks, n_leaves = len(body.blocks), len(body.leaves)
    dipoles = np.zeros((n_blocks + n_leaves, DIPOLE_ROWS, WIDTH), np.float32)
    if body.depth > 0:
        _gather(body, dipoles, np.zeros((n_blocks + n_leaves + 1, N_SUMS)))
    links = dipoles.view(np.int32)
    children = body.links[:, LINKS]
    links[:n_blocks, DIPOLE_LINKS] = np.where(children >= 0, children, n_blocks + ~children)
    links[n_blocks:, DIPOLE_LINKS] = ~np.arange(n_leaves * WIDTH).reshape(n_leaves, WIDTH)
    return WindingBody(dipoles, links)


@driver
def _gather(body: PointBody, dipoles: Singles, sums: Array) -> None:
    """Sum up areas, and find middles and radii, from the last leaf to the first block: children come first.

    Sums have a row for each block and leaf, and one for a child: area times normal, area, area times middle.
    """
    own, n_blocks = len(dipoles), len(body.blocks)
    for back in range(own):
        item = own - 1 - back
        for k in range(WIDTH):
            box = (
                _triangle_box(body, WIDTH * (item - n_blocks) + k)
                if item >= n_blocks
                else _box(body, item, k)
            )
            if box[0] > box[3]:  # left over
                dipoles[item, RADIUS, k], dipoles[item, MIDDLE, k] = -1.0, NOWHERE
                continue
            if item >= n_blocks:
                _set_triangle(
                    sums, own, corners_at(body.triangles, WIDTH * (item - n_blocks) + k), body.middle
                )
            else:
                child = body.links[item, LINKS, k]
                for column in range(N_SUMS):
                    sums[own, column] = sums[child if child >= 0 else n_blocks + ~child, column]
            for column in range(N_SUMS):
                sums[item, column] += sums[own, column]
            _write(dipoles, sums, item, k, box)


@kernel
def _box(body: PointBody, block: int, k: int) -> Box:
    b = body.blocks
    low = float(b[block, 0, k]), float(b[block, 1, k]), float(b[block, 2, k])
    return low[0], low[1], low[2], float(b[block, 3, k]), float(b[block, 4, k]), float(b[block, 5, k])


@kernel
def _triangle_box(body: PointBody, place: int) -> Box:
    """Box of a triangle; an empty one where there is none."""
    if body.faces[place] < 0:
        return 1.0, 1.0, 1.0, -1.0, -1.0, -1.0
    a, b, c = corners_at(body.triangles, place)
    a, b, c = sub(a, body.middle), sub(b, body.middle), sub(c, body.middle)
    low = min(min(a[0], b[0]), c[0]), min(min(a[1], b[1]), c[1]), min(min(a[2], b[2]), c[2])
    high = max(max(a[0], b[0]), c[0]), max(max(a[1], b[1]), c[1]), max(max(a[2], b[2]), c[2])
    return low[0], low[1], low[2], high[0], high[1], high[2]


@kernel
def _set_triangle(sums: Array, row: int, t: Triangle, middle: Vec3) -> None:
    a, b, c = t
    twice = cross(sub(b, a), sub(c, a))
    area = 0.5 * norm(twice)
    for k in range(3):
        sums[row, k] = 0.5 * twice[k]
        sums[row, 4 + k] = area * ((a[k] - middle[k]) + (b[k] - middle[k]) + (c[k] - middle[k])) / 3.0
    sums[row, 3] = area


@kernel
def _write(dipoles: Singles, sums: Array, item: int, k: int, box: Box) -> None:
    """Write a dipole; its radius reaches to the farthest corner of the box."""
    squared, own = 0.0, len(dipoles)
    for axis in range(3):
        low, high = box[axis], box[3 + axis]
        middle = sums[own, 4 + axis] / sums[own, 3] if sums[own, 3] > 0.0 else 0.5 * (low + high)
        dipoles[item, MIDDLE + axis, k], dipoles[item, AREA + axis, k] = middle, sums[own, axis]
        squared += max(high - middle, middle - low) ** 2
    dipoles[item, RADIUS, k] = squared


def winding_numbers(mesh: Mesh, points: Array, attempt: int = 0) -> Array:
    """How often a mesh winds around points (n, 3), as accurately as an attempt is."""
    winding = np.zeros(len(points))
    body = point_body_of(mesh)
    if body.depth > 0:
        dipoles = winding_body_of(mesh)

        def task(first: int, last: int) -> None:
            _sum_range(body, dipoles, points, NEAREST[attempt], winding, first, last)

        on_ranges(task, len(points), WORTH_A_THREAD)
    return winding


def winds_around(mesh: Mesh, points: Array) -> Flags:
    """Does a mesh wind around points (n, 3), by half a turn or more, in either direction?"""
    order = point_order(points)
    ordered = points[order]
    winding = np.abs(winding_numbers(mesh, ordered))
    for attempt in range(1, len(NEAREST)):
        close = np.flatnonzero(np.abs(winding - HALF) < ACCURACY[attempt - 1])
        if len(close) > 0:
            winding[close] = np.abs(winding_numbers(mesh, ordered[close], attempt))
    is_inside = np.empty(len(points), np.bool_)
    is_inside[order] = winding > HALF
    return is_inside


@driver
def _sum_range(
    body: PointBody,
    dipoles: WindingBody,
    points: Array,
    nearest: float,
    winding: Array,
    first: int,
    last: int,
) -> None:
    seen = Surface(dipoles, body.triangles, body.middle, body.factor, body.depth)
    sum_range(seen, points, nearest, winding, first, last)


@kernel
def sum_range(body: Surface, points: Array, nearest: float, winding: Array, first: int, last: int) -> None:
    """Sum up the solid angles seen from the points [first, last)."""
    rows, links, triangles = body.dipoles.dipoles, body.dipoles.links, body.triangles
    stack, sums = np.empty(WIDTH * (body.depth + 1) + 1, np.int32), np.empty(WIDTH, np.float32)
    limit = np.float32(nearest * nearest)
    for i in range(first, last):
        p = body.factor * points[i, 0], body.factor * points[i, 1], body.factor * points[i, 2]
        x, y, z = sub(p, body.middle)
        q = np.float32(x), np.float32(y), np.float32(z)
        turns, re, im = 0.0, 1.0, 0.0
        for k in range(WIDTH):
            sums[k] = 0.0
        stack[0], n = 0, int(max(max(abs(x), abs(y)), abs(z)) < FARTHEST)
        while n > 0:
            n -= 1
            item = stack[n]
            near = add_dipoles(rows, item, q, limit, sums)
            while near != 0:
                child = links[item, DIPOLE_LINKS, lowest_bit(near)]
                near &= near - 1
                if child >= 0:
                    stack[n] = child
                    n += 1
                else:
                    re, im, more = _turned(re, im, corners_at(triangles, ~child), p)
                    turns += more
        far = 0.0
        for k in range(WIDTH):
            far += sums[k]
        winding[i] = turns + (0.5 * far + atan2(im, re)) / (2.0 * pi)


@kernel
def _turned(re: float, im: float, t: Triangle, p: Vec3) -> tuple[float, float, float]:
    """Turn a complex number by half the solid angle of a triangle.

    Also returned is by how many whole turns its angle, in (-pi, pi], is then too small. One arc tangent for
    all triangles, in place of one for each, takes half the time.
    """
    cosine, sine = half_solid_angle(t, p)
    size = abs(sine) + abs(cosine)
    if not size > 0.0:
        return re, im, 0.0
    sine, cosine = sine / size, cosine / size
    new_re, new_im = re * cosine - im * sine, re * sine + im * cosine
    size = abs(new_re) + abs(new_im)
    turns = 0.0
    if im >= 0.0 and sine >= 0.0 and new_im < 0.0:
        turns = 1.0
    elif im < 0.0 and sine < 0.0 and new_im >= 0.0:
        turns = -1.0
    return new_re / size, new_im / size + 0.0, turns  # not -0.0, whose angle would be -pi
