"""Whether two polytopes at rest have a common point, by a method of one's choice.

Separating axes and linear programming say so where they can prove it: a gap is measured along its direction
over all points, and an overlap must be more than what is in doubt. All else, what is flat or rounded among
it, is decided as by default.
"""

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel, on_ranges
from firstcontact.arrays import INFINITY, Array
from firstcontact.narrowphase.convex.gjk import Precision, RelativePose, closest_from, no_simplex
from firstcontact.narrowphase.convex.separating_axis_convex import gap_convex_convex
from firstcontact.narrowphase.features.common_point import N_ROW, N_SIDES, common_point, write_half_spaces
from firstcontact.narrowphase.features.polytope_faces import PolytopeFaces
from firstcontact.narrowphase.features.separating_axis_polytopes import axes_of_edges, axes_of_faces
from firstcontact.narrowphase.features.verdict import APART, OPEN, OVERLAPPING, FacePair, Verdict
from firstcontact.proximity.distance.convex_distance import frame_of, place_of
from firstcontact.proximity.distance.single_distance import NEARLY
from firstcontact.proximity.touching.convex_intersections import far_rounding, near_rounding
from firstcontact.scalar.mat3 import mat_vec, transposed
from firstcontact.scalar.vec3 import Vec3, add, dot, norm, scale, sub
from firstcontact.shapes.convex import BOX, Convex
from firstcontact.shapes.cores import support
from firstcontact.shapes.packed_convex import packed_origin, packed_shape

# Methods, by name.
METHODS = {"gjk": 0, "sat": 1, "lp": 2}
GJK, SAT, LP = range(3)

# Added to what was decided as by default.
BY_DEFAULT = 2

# Points that a linear programme takes for common may be beyond a plane by this part of what is in doubt.
PART_OF_DOUBT = 2.0**-10

# Pairs from which several threads are worth their start.
WORTH_A_THREAD = 512


def polytope_intersections(
    method: int,
    packed: tuple[Array, Array],
    faces: tuple[PolytopeFaces, PolytopeFaces],
    rows: tuple[Array, Array],
) -> NDArray[np.int8]:
    """Whether two shapes have a common point in each pair of poses, (n,): 1 or 0, and BY_DEFAULT more.

    Never 0 where they have; 1 also where rounding hides the gap. Rows (n or 1, 26) are of motions.
    """
    n = max(len(rows[0]), len(rows[1]))
    touches = np.empty(n, np.int8)
    number = int(np.int64(method))

    def task(first: int, last: int) -> None:
        part = np.arange(first, last)
        one, other = (own[part] if len(own) > 1 else np.repeat(own, len(part), axis=0) for own in rows)
        _mark(number, packed, faces, one, other, touches[first:last])

    on_ranges(task, n, WORTH_A_THREAD)
    return touches


@driver
def _mark(
    method: int,
    packed: tuple[Array, Array],
    faces: tuple[PolytopeFaces, PolytopeFaces],
    rows_a: Array,
    rows_b: Array,
    touches: NDArray[np.int8],
) -> None:
    packed_a, packed_b = packed
    a, b = packed_shape(packed_a), packed_shape(packed_b)
    origin_a, origin_b = packed_origin(packed_a), packed_origin(packed_b)
    n_rows = len(faces[0].planes) + len(faces[1].planes) + N_SIDES
    half_spaces, flat = np.empty((n_rows, N_ROW)), np.empty((n_rows, 3))
    depth = min(faces[0].depth, faces[1].depth)
    for k in range(len(touches)):
        frame = frame_of(place_of(rows_a[k], origin_a), place_of(rows_b[k], origin_b))
        rounding = near_rounding(a, b, frame.offset) + far_rounding(rows_a[k], origin_a)
        rounding += far_rounding(rows_b[k], origin_b)
        margin = a.radius + b.radius + rounding
        towards = scale(-1.0, frame.offset)
        if method == GJK:
            precision = Precision(INFINITY, margin, margin)
            closest, _ = closest_from(a, b, packed_a, packed_b, frame, no_simplex(towards), precision)
            touches[k] = 0 if closest.gap > margin else 1
            continue
        doubt = NEARLY * (a.reach + b.reach + norm(frame.offset)) + rounding
        is_solid = depth > doubt
        pair = FacePair(faces[0].planes, faces[0].edges, faces[1].planes, faces[1].edges, frame, doubt)
        found = Verdict(int(np.int64(OPEN)), towards)
        are_boxes = a.kind == BOX and b.kind == BOX and margin == rounding  # whose 15 axes come last
        if method == SAT and not are_boxes:
            found = axes_of_faces(a, b, packed_a, packed_b, pair, margin)
            if found.kind == OVERLAPPING:
                found = axes_of_edges(pair, margin)
        elif method == LP and is_solid:
            n = write_half_spaces(pair, b.half, half_spaces)
            near = PART_OF_DOUBT * doubt
            found = common_point(half_spaces, n, b.half, towards, flat, near)
        if found.kind == OVERLAPPING and is_solid:
            touches[k] = 1
        elif found.kind == APART and _is_gap(a, b, packed_a, packed_b, frame, found.direction, margin):
            touches[k] = 0
        else:
            gap = gap_convex_convex(a, b, packed_a, packed_b, frame, towards, rounding)
            touches[k] = BY_DEFAULT + (0 if gap.width > 0.0 else 1)


@kernel
def _is_gap(
    a: Convex, b: Convex, pool_a: Array, pool_b: Array, frame: RelativePose, direction: Vec3, margin: float
) -> bool:
    """Is there more than a margin between all points of two cores, along a direction of any length?"""
    size = norm(direction)
    if not size > 0.0:
        return False
    n = scale(1.0 / size, direction)
    p = add(frame.offset, mat_vec(frame.rotation, support(a, pool_a, mat_vec(transposed(frame.rotation), n))))
    return dot(n, sub(support(b, pool_b, (-n[0], -n[1], -n[2])), p)) > margin
