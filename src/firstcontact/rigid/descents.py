"""Down along time with two bodies, or with the two triangles of theirs that are told: upper bounds."""

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import kernel
from firstcontact.advancement.arrival import ITERATIONS, TRIANGLE_TESTS
from firstcontact.advancement.descent import Descent, Valley, first_look, next_look, parting_rate
from firstcontact.advancement.nearest import Nearness, worth_a_look
from firstcontact.bodies.convex_mesh_volume import triangle_shape
from firstcontact.bodies.placed_triangle import placed_triangle, radius_of, triangle_of
from firstcontact.motions.relative_motion import placement_at
from firstcontact.narrowphase.convex.gjk import (
    EXACT,
    Precision,
    RelativePose,
    closest_convex_convex,
    closest_from,
    core_distance,
    moved_simplex,
    no_simplex,
)
from firstcontact.narrowphase.triangles.triangle_distance import closest_triangle_triangle
from firstcontact.rigid.pair_kinds import Convexes, Meshes, SolidMesh, first_of
from firstcontact.scalar.vec3 import norm, scale, sub

# How well distances on the way are known, in units of how well the least is to be.
CLOSELY = 2.0**-6


@kernel
def gone_down(
    convexes: Convexes | None,
    solid: SolidMesh | None,
    meshes: Meshes | None,
    triangles: tuple[int, int],
    valley: Valley,
    nearness: Nearness,
    counts: NDArray[np.int64],
) -> Descent:
    """Go down along time; no triangles but these, of a and of b, are needed for an upper bound."""
    if convexes is not None:
        descent = _with_convexes(convexes, valley, nearness, counts)
    if solid is not None:
        descent = _with_triangle(solid, triangles[1], valley, nearness, counts)
    if meshes is not None:
        descent = _with_triangles(meshes, triangles, valley, nearness, counts)
    return descent


@kernel
def _with_convexes(pair: Convexes, valley: Valley, nearness: Nearness, counts: NDArray[np.int64]) -> Descent:
    a, b, pool_a, pool_b = first_of(pair.a), first_of(pair.b), pair.a.pool, pair.b.pool
    radii, descent, place = a.radius + b.radius, first_look(valley), placement_at(valley.motion, valley.at)
    frame, simplex = RelativePose(place.rotation, place.offset), no_simplex(scale(-1.0, place.offset))
    precision = Precision(max(CLOSELY * nearness.part, EXACT.part), radii, 0.0)
    while descent.n_left > 0:
        counts[ITERATIONS] += 1
        before, place = frame, placement_at(valley.motion, descent.now)
        frame = RelativePose(place.rotation, place.offset)
        simplex = moved_simplex(simplex, before, frame)
        closest, simplex = closest_from(a, b, pool_a, pool_b, frame, simplex, precision)
        distance = max(core_distance(closest) - radii, 0.0)
        # Along the line of the cores' closest points; as the shapes overlap, there is nothing below.
        rate = parting_rate(place, closest.point_a, closest.point_b)
        descent = next_look(descent, distance, rate, worth_a_look(distance, nearness))
    return descent


@kernel
def _with_triangle(
    pair: SolidMesh, i: int, valley: Valley, nearness: Nearness, counts: NDArray[np.int64]
) -> Descent:
    shape, pool, triangles = first_of(pair.table), pair.table.pool, pair.mesh.triangles
    triangle, corners = triangle_shape(triangles, i), triangles.reshape(-1)
    descent = first_look(valley)
    guess = sub(triangle_of(triangles, i)[0], placement_at(valley.motion, valley.at).offset)
    while descent.n_left > 0:
        counts[TRIANGLE_TESTS] += 1
        place = placement_at(valley.motion, descent.now)
        frame = RelativePose(place.rotation, place.offset)
        closest = closest_convex_convex(shape, triangle, pool, corners, frame, guess, EXACT)
        guess, distance = closest.direction, max(core_distance(closest) - shape.radius - triangle.radius, 0.0)
        rate = parting_rate(place, closest.point_a, closest.point_b)
        descent = next_look(descent, distance, rate, worth_a_look(distance, nearness))
    return descent


@kernel
def _with_triangles(
    pair: Meshes, triangles: tuple[int, int], valley: Valley, nearness: Nearness, counts: NDArray[np.int64]
) -> Descent:
    triangle_a = triangle_of(pair.a.triangles, triangles[0])
    triangle_b = triangle_of(pair.b.triangles, triangles[1])
    radii = radius_of(pair.a.triangles, triangles[0]) + radius_of(pair.b.triangles, triangles[1])
    descent = first_look(valley)
    while descent.n_left > 0:
        counts[TRIANGLE_TESTS] += 1
        place = placement_at(valley.motion, descent.now)
        p, q = closest_triangle_triangle(placed_triangle(place, triangle_a), triangle_b)
        distance, rate = max(norm(sub(q, p)) - radii, 0.0), parting_rate(place, p, q)
        descent = next_look(descent, distance, rate, worth_a_look(distance, nearness))
    return descent
