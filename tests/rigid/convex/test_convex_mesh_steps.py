"""Steps of a shape and a triangle, or a volume: nothing happens in them."""

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.advancement.goal import Goal
from firstcontact.bodies.convex_mesh_volume import triangle_shape, volume_shape
from firstcontact.bodies.mesh_body import body_of
from firstcontact.bodies.placed_triangle import triangle_of
from firstcontact.bounds.swept_sphere import volume_of
from firstcontact.motions.relative_motion import placement_at, relative_motion
from firstcontact.narrowphase.convex.gjk import EXACT, RelativePose, closest_convex_convex
from firstcontact.rigid.convex.convex_mesh_steps import (
    is_swept,
    step_shape_triangle,
    step_shape_volume,
    swept_time,
)
from firstcontact.shapes.convex import convex_at
from properties.convex_families import KINDS, shape
from properties.rigid_families import aimed, orientation, row, soup, unit

ZERO = np.zeros(3)
NOWHERE = (0.0, 0.0, 0.0)
GOAL = Goal(0.0, 1.0, 1e-3, 2e-3, 0.0, 9, 9.0)


def motion_of(row_a, row_b, body):
    return relative_motion(row_a, row_b, NOWHERE, body.origin)


def moving(rng, rate_a, rate_b, body):
    place, velocity = aimed(rng)
    return motion_of(
        row(orientation(rng), 0.3 * rate_a * unit(rng), place, velocity, rate_a * unit(rng)),
        row(orientation(rng), unit(rng), ZERO, turn=rate_b * unit(rng)),
        body,
    )


def gap_at(convex, other, pools, motion, t):
    """Distance of two shapes at a time."""
    place = placement_at(motion, t)
    frame, guess = RelativePose(place.rotation, place.offset), tuple(-x for x in place.offset)
    closest = closest_convex_convex(convex, other, *pools, frame, guess, EXACT)
    return closest.distance - convex.radius - other.radius


def never_nearer(convex, other, pools, motion, step):
    """Is the distance beyond the margin all through a step?"""
    times = np.linspace(0.0, min(step, 1.0), 9)
    return all(gap_at(convex, other, pools, motion, t) > GOAL.margin - 1e-12 for t in times)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("rates", [(0.0, 0.0), (1.0, 0.0), (5.0, 5.0)])
def test_nothing_happens_in_a_step(kind, rates):
    rng = np.random.default_rng(31)
    n_steps = 0
    for _ in range(12):
        thing, body, room = shape(rng, 0.5, kind), body_of(soup(rng, 6)), np.empty(12)
        convex, pool = convex_at(thing.table.records, 0), thing.table.pool
        if kind == "hull" and np.any(thing.table.records[0, 9:]):
            thing = fc.ConvexHull(thing.points - thing.table.records[0, 9:])
            convex, pool = convex_at(thing.table.records, 0), thing.table.pool
        motion = moving(rng, *rates, body)
        place, i = placement_at(motion, 0.0), int(rng.integers(6))
        swept = is_swept(convex, motion)
        step = step_shape_triangle(convex, pool, body.triangles, i, place, GOAL, swept)
        triangle = triangle_shape(body.triangles, i)
        assert never_nearer(convex, triangle, (pool, body.triangles.reshape(-1)), motion, step) or step == 0.0
        node = volume_of(body.volumes, int(rng.integers(len(body.volumes))))
        other = volume_shape(node, room)
        step = step_shape_volume(convex, pool, node, other, room, place, GOAL.margin)
        assert never_nearer(convex, other, (pool, room), motion, step) or step == 0.0
        n_steps += step > 0.0
    assert n_steps > 6


def test_who_is_swept():
    body = body_of(soup(np.random.default_rng(1), 3))
    ball, oval, box = (
        convex_at(x.table.records, 0) for x in (fc.Sphere(1), fc.Ellipsoid([1, 2, 3]), fc.Box([1, 1, 1]))
    )
    straight, rest = row(np.eye(3), ZERO, ZERO, [1, 0, 0]), row(np.eye(3), ZERO, ZERO)
    rolling = row(np.eye(3), ZERO, ZERO, [1, 0, 0], [0, 1, 0])
    swinging = row(np.eye(3), np.ones(3), ZERO, [1, 0, 0], [0, 1, 0])
    expected = {
        (0, 0): (True, True, False),
        (1, 0): (True, False, False),
        (2, 0): (False, False, False),
        (0, 1): (False, False, False),
    }
    for (i, j), answers in expected.items():
        motion = motion_of((straight, rolling, swinging)[i], (rest, rolling)[j], body)
        assert tuple(is_swept(x, motion) for x in (ball, oval, box)) == answers


@pytest.mark.parametrize("kind", ["sphere", "ellipsoid"])
def test_closed_forms_end_close_to_contact(kind):
    rng = np.random.default_rng(33)
    n_hits = 0
    for _ in range(150):
        thing, body = shape(rng, 0.5, kind), body_of(soup(rng, 4))
        convex, pool = convex_at(thing.table.records, 0), thing.table.pool
        motion = moving(rng, 0.0, 0.0, body)
        i = int(rng.integers(4))
        time = swept_time(convex, pool, triangle_of(body.triangles, i), 0.0, placement_at(motion, 0.0), GOAL)
        if time > 0.0:
            n_hits += 1
            triangle, pools = triangle_shape(body.triangles, i), (pool, body.triangles.reshape(-1))
            times = time * np.linspace(0.0, 1.0, 9)
            gaps = [gap_at(convex, triangle, pools, motion, t) for t in times]
            assert min(gaps) > GOAL.margin - 1e-12
            if kind == "sphere":
                assert gaps[-1] <= GOAL.target
    assert n_hits > 5
