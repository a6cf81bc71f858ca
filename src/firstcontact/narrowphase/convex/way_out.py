"""How deep two convex shapes are in each other: the shortest way out, and where they touch at its end."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import kernel
from firstcontact.arrays import Array
from firstcontact.narrowphase.convex.difference import CorePair, Escape, size_of
from firstcontact.narrowphase.convex.expanding_polytope import escape_convex_convex
from firstcontact.narrowphase.convex.gjk import CLOSED, EXACT, RelativePose, closest_convex_convex
from firstcontact.narrowphase.convex.penetration_descent import along_valleys, descended, is_smooth
from firstcontact.narrowphase.convex.polytope import is_full, workspace
from firstcontact.narrowphase.convex.separating_axis_boxes import escape_box_box
from firstcontact.scalar.error_bounds import SHORTEST
from firstcontact.scalar.vec3 import Vec3, add, norm, scale, sub
from firstcontact.shapes.convex import BOX, POINT

Ids = NDArray[np.int64]

# Corners of a polytope: enough for almost all pairs, and little to allocate; and when to give up.
FEW_CORNERS, MANY_CORNERS = 128, 1024


class ConvexOverlap(NamedTuple):
    """Two shapes, as seen from b.

    depth : how far b has to go along the direction to be out of a; negative where they are apart
    direction : unit vector from a to b
    point_a : the deepest point of a; that of b is ``depth direction`` back from it
    """

    depth: float
    direction: Vec3
    point_a: Vec3


@kernel
def penetration_convex_convex(
    pair: CorePair, pool_a: Array, pool_b: Array, numbers: Array, links: Ids
) -> ConvexOverlap:
    """Find the shortest way out of two shapes; numbers and links are a `polytope.workspace`."""
    a, b, radii = pair.a, pair.b, pair.a.radius + pair.b.radius
    rounding = CLOSED * (size_of(pair) + radii) + SHORTEST
    if a.kind == POINT and b.kind == POINT:
        n, length = pair.frame.offset, norm(pair.frame.offset)
        n = scale(-1.0 / length, n) if length > SHORTEST else (1.0, 0.0, 0.0)
        return _overlap(pair, Escape(-length, n, True, pair.frame.offset, 1), rounding)
    if radii > 0.0:
        # Round shapes are most often apart but for their roundness.
        guess = scale(-1.0, pair.frame.offset)
        closest = closest_convex_convex(a, b, pool_a, pool_b, pair.frame, guess, EXACT)
        if closest.gap > 0.0:
            escape = Escape(-closest.gap, closest.direction, True, closest.point_a, closest.steps)
            return _overlap(pair, escape, rounding)
    if a.kind == BOX and b.kind == BOX:
        escape = escape_box_box(pair)
    else:
        escape = escape_convex_convex(pair, pool_a, pool_b, numbers, links)
        if is_full(numbers, escape.steps):
            numbers, links = workspace(MANY_CORNERS)
            escape = escape_convex_convex(pair, pool_a, pool_b, numbers, links)
        if is_smooth(pair) and escape.depth + radii >= -rounding:
            is_hard = is_full(numbers, escape.steps)
            escape = descended(pair, pool_a, pool_b, escape)
            if is_hard:
                escape = along_valleys(pair, pool_a, pool_b, escape)
    if not escape.is_known and escape.depth + radii >= -rounding:
        # Where b touches a, once it is there; a little apart, for the closest points to be a clear matter.
        way = scale(escape.depth + 4.0 * rounding, escape.direction)
        frame = RelativePose(pair.frame.rotation, sub(pair.frame.offset, way))
        closest = closest_convex_convex(a, b, pool_a, pool_b, frame, escape.direction, EXACT)
        point = add(closest.point_a, way)
        escape = Escape(escape.depth, escape.direction, True, point, escape.steps + closest.steps)
    return _overlap(pair, escape, rounding)


@kernel
def _overlap(pair: CorePair, escape: Escape, rounding: float) -> ConvexOverlap:
    """Add the shapes' radii to a way out of their cores."""
    depth = escape.depth + pair.a.radius + pair.b.radius
    point = add(escape.point, scale(pair.a.radius, escape.direction))
    # Touching, as far as can be told.
    return ConvexOverlap(0.0 if -rounding <= depth < 0.0 else depth, escape.direction, point)
