"""How long a mesh stays clear of another thing, triangle by triangle.

A bound along a direction holds for convex things. So each triangle that is not far away has one of its own,
along its own closest direction; the least time counts. Volumes of the trees are dropped by the speed of any
two points along any direction.
"""

from typing import NamedTuple

import numpy as np

from firstcontact._jit import kernel
from firstcontact.arrays import Array, Ids
from firstcontact.articulated.model.world_shapes import Geometries
from firstcontact.articulated.paths.pair_gap import PART, seen_from_mesh, standing
from firstcontact.articulated.paths.shape_states import BALL, Approach, any_speed, spread, turn_at
from firstcontact.bodies.convex_mesh_volume import triangle_shape
from firstcontact.bodies.mesh_table import MeshTable, mesh_at
from firstcontact.bodies.placed_triangle import placed_triangle, radius_of, triangle_of
from firstcontact.bodies.wide_body import WIDTH, NodeStack, WideBody
from firstcontact.bounds.block_gaps import measure_block
from firstcontact.bounds.swept_sphere import REACH, volume_of
from firstcontact.bounds.swept_sphere_gap import gap_volume_volume, placed
from firstcontact.hierarchy.pair_key import HALF, LOWER
from firstcontact.motions.motion_bound import Travel, lasting_time
from firstcontact.motions.relative_motion import Placement
from firstcontact.narrowphase.convex.gjk import Precision, RelativePose, closest_convex_convex
from firstcontact.narrowphase.triangles.triangle_distance import closest_triangle_triangle
from firstcontact.narrowphase.triangles.triangle_separation import shadow_gap
from firstcontact.proximity.distance.closest_pair import pushed
from firstcontact.scalar.error_bounds import SHORTEST
from firstcontact.scalar.mat3 import Mat3, mat_vec, transposed
from firstcontact.scalar.vec3 import Vec3, add, dot, norm, scale, sub
from firstcontact.shapes.convex import convex_at, origin_at


class Window(NamedTuple):
    """What is asked about a pair.

    time : longer does not matter
    margin : distance that counts as contact, and that rounding may hide
    target : distance at which a pair counts as in contact
    is_either_way : whether times before now count as well as those after
    """

    time: float
    margin: float
    target: float
    is_either_way: bool


class Clearance(NamedTuple):
    """For how long all triangles stay apart: no less than this; an upper bound of their distance now.

    gap, closing, direction : of the triangle for which it is least: the gap less the margin, its rate, and a
        unit vector from a to b in the world
    """

    time: float
    distance: float
    gap: float
    closing: float
    direction: Vec3


class Sides(NamedTuple):
    """Two things, the second of which is a mesh, in its frame.

    place : where the first is
    turn : orientation of the mesh in the world
    approach : how the pair moves
    a, b : which rows of the tables they are
    sign : -1 where the first is the b of the pair
    """

    place: Placement
    turn: Mat3
    approach: Approach
    a: int
    b: int
    sign: float


@kernel
def mesh_clearance(
    shapes: Geometries,
    meshes: MeshTable,
    shape_states: Array,
    pair: Ids,
    approach: Approach,
    window: Window,
    stack: NodeStack,
) -> Clearance:
    """How long two things, one of which is a mesh or both, stay apart."""
    a, b, sign = int(np.int64(pair[0])), int(np.int64(pair[1])), 1.0
    if shapes.meshes[b] < 0:
        a, b, sign = b, a, -1.0
    mesh = mesh_at(meshes, int(np.int64(shapes.meshes[b])))
    turn_b = turn_at(shape_states, b)
    rotation, offset = seen_from_mesh(shapes.records, mesh.origin, shape_states, a, b)
    if shapes.meshes[a] < 0:
        sides = Sides(standing(rotation, offset), turn_b, approach, a, b, sign)
        return _convex_clearance(shapes, mesh, shape_states, sides, window, stack)
    other = mesh_at(meshes, int(np.int64(shapes.meshes[a])))
    offset = add(offset, mat_vec(rotation, sub(other.origin, origin_at(shapes.records, a))))
    sides = Sides(standing(rotation, offset), turn_b, approach, a, b, sign)
    return _mesh_clearance(shapes, other, mesh, shape_states, sides, window, stack)


@kernel
def _convex_clearance(
    shapes: Geometries, mesh: WideBody, shape_states: Array, sides: Sides, window: Window, stack: NodeStack
) -> Clearance:
    """How long a convex shape and a mesh stay apart: through the tree, the nearer children first."""
    shape, volume = convex_at(shapes.records, sides.a), volume_of(shapes.volumes, sides.a)
    place, pool = sides.place, shapes.pool
    triangles, corners = mesh.triangles, mesh.triangles.reshape(-1)
    frame, around = RelativePose(place.rotation, place.offset), placed(volume, place.rotation, place.offset)
    gaps, waiting, measured, _ = stack
    best, need = _no_end(window), _need(shapes, sides, window, window.time)
    gaps[0], waiting[0], n = norm(place.offset) - volume.reach - mesh.reach, 0, 1
    guess = scale(-1.0, place.offset)
    while n > 0 and best.time > 0.0:
        n -= 1
        if gaps[n] >= need:
            continue
        i = waiting[n]
        block = mesh.blocks_of[i]
        if block >= 0:
            if _is_clear(
                shapes,
                shape_states,
                sides,
                window,
                best,
                gap_volume_volume(around, volume_of(mesh.volumes, i)),
            ):
                continue
            measure_block(around, mesh.blocks[block], measured)
            first = n
            for k in range(WIDTH):
                if measured[k] < need:
                    n = pushed(gaps, waiting, first, n, measured[k], int(np.int64(mesh.nodes[block, k])))
            continue
        triangle = triangle_shape(triangles, int(~block))
        radii = shape.radius + triangle.radius
        precision = Precision(PART, radii + window.margin, radii + window.target)
        found = closest_convex_convex(shape, triangle, pool, corners, frame, guess, precision)
        guess = found.direction
        least, most = found.gap - radii, found.distance - radii
        shorter = _shortened(shapes, shape_states, sides, window, best, (least, most), found.direction)
        if shorter.time < best.time:
            need = _need(shapes, sides, window, shorter.time)
        best = shorter
    return best


@kernel
def _mesh_clearance(
    shapes: Geometries,
    a: WideBody,
    b: WideBody,
    shape_states: Array,
    sides: Sides,
    window: Window,
    stack: NodeStack,
) -> Clearance:
    """How long two meshes stay apart: through both trees, the nearer children first."""
    place = sides.place
    back = transposed(place.rotation)
    offset_back = scale(-1.0, mat_vec(back, place.offset))
    gaps, pairs, measured, _ = stack
    best, need = _no_end(window), _need(shapes, sides, window, window.time)
    gaps[0], pairs[0], n = norm(place.offset) - a.reach - b.reach, 0, 1
    while n > 0 and best.time > 0.0:
        n -= 1
        if gaps[n] >= need:
            continue
        i, j = pairs[n] >> HALF, pairs[n] & LOWER
        block_a, block_b, first = a.blocks_of[i], b.blocks_of[j], n
        if block_a < 0 and block_b < 0:
            one = placed_triangle(place, triangle_of(a.triangles, ~block_a))
            other = triangle_of(b.triangles, ~block_b)
            p, q = closest_triangle_triangle(one, other)
            e = sub(q, p)
            distance = norm(e)
            n_hat = scale(1.0 / distance, e) if distance > SHORTEST else (1.0, 0.0, 0.0)
            radii = radius_of(a.triangles, ~block_a) + radius_of(b.triangles, ~block_b)
            bounds = min(shadow_gap(one, other, e), distance) - radii, distance - radii
            shorter = _shortened(shapes, shape_states, sides, window, best, bounds, n_hat)
            if shorter.time < best.time:
                need = _need(shapes, sides, window, shorter.time)
            best = shorter
            continue
        volume_a = placed(volume_of(a.volumes, i), place.rotation, place.offset)
        if _is_clear(
            shapes, shape_states, sides, window, best, gap_volume_volume(volume_a, volume_of(b.volumes, j))
        ):
            continue
        if block_b < 0 or (block_a >= 0 and a.volumes[i, REACH] > b.volumes[j, REACH]):
            measure_block(placed(volume_of(b.volumes, j), back, offset_back), a.blocks[block_a], measured)
            for k in range(WIDTH):
                if measured[k] < need:
                    n = pushed(gaps, pairs, first, n, measured[k], (a.nodes[block_a, k] << HALF) | j)
        else:
            measure_block(volume_a, b.blocks[block_b], measured)
            for k in range(WIDTH):
                if measured[k] < need:
                    n = pushed(gaps, pairs, first, n, measured[k], (i << HALF) | b.nodes[block_b, k])
    return best


@kernel
def _no_end(window: Window) -> Clearance:
    """What holds before any triangle was looked at."""
    return Clearance(window.time, np.inf, np.inf, 0.0, (0.0, 0.0, 0.0))


@kernel
def _need(shapes: Geometries, sides: Sides, window: Window, time: float) -> float:
    """Distance from which on no two points matter: they neither meet in a time, nor are in contact now.

    Either way, it is enough to know that the time is too short; after that, only contacts matter.
    """
    if window.is_either_way and time < window.time:
        return 2.0 * window.target
    approach, attachments = sides.approach, shapes.attachments
    speed = any_speed(approach, attachments[sides.a, BALL], attachments[sides.b, BALL])
    if sides.sign < 0.0:
        speed = any_speed(approach, attachments[sides.b, BALL], attachments[sides.a, BALL])
    travel = min(time * speed + 0.5 * time * time * approach.bend, time * approach.speed)
    return max(travel + window.margin, 2.0 * window.target)


@kernel
def _is_clear(
    shapes: Geometries,
    shape_states: Array,
    sides: Sides,
    window: Window,
    best: Clearance,
    found: tuple[float, Vec3],
) -> bool:
    """Does the gap of two volumes last at least as long as what is known of others?"""
    gap = found[0]
    if not gap > window.target:
        return False
    return _shortened(shapes, shape_states, sides, window, best, (gap, np.inf), found[1]).time >= best.time


@kernel
def _shortened(
    shapes: Geometries,
    shape_states: Array,
    sides: Sides,
    window: Window,
    best: Clearance,
    bounds: tuple[float, float],
    direction: Vec3,
) -> Clearance:
    """What a triangle leaves of a time: bounds of its distance, the direction of the lower one."""
    approach, attachments, a, b = sides.approach, shapes.attachments, sides.a, sides.b
    n = mat_vec(sides.turn, scale(sides.sign, direction))
    spin_a, spin_b = approach.spin_a, approach.spin_b
    if sides.sign < 0.0:
        spin_a, spin_b = spin_b, spin_a
    more = spread(turn_at(shape_states, a), attachments[a], spin_a, n) + spread(
        turn_at(shape_states, b), attachments[b], spin_b, n
    )
    speed = dot(n, approach.velocity)
    closing = (abs(speed) if window.is_either_way else speed) + more
    gap, distance = bounds[0] - window.margin, min(best.distance, bounds[1])
    time = lasting_time(gap, Travel(closing, approach.speed, 0.5 * approach.bend))
    if time >= best.time:
        return Clearance(best.time, distance, best.gap, best.closing, best.direction)
    return Clearance(time, distance, gap, closing, n)
