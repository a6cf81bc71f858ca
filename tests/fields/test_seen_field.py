"""What a field says around a point holds in all of a ball, in one leaf or in many, in its box or beyond."""

import numpy as np
import pytest
import trimesh

import firstcontact as fc
from firstcontact.fields.seen_field import (
    around,
    entry_time,
    least_at,
    most_at,
    normal_at,
    power_above,
    seen_field,
)

RING = fc.Mesh.from_trimesh(trimesh.creation.torus(1.0, 0.35, major_sections=14, minor_sections=10))
SHAPES = {"ball": fc.Sphere(0.7), "box": fc.Box([1.0, 0.4, 2.0]), "torus": RING}


@pytest.fixture(scope="module", params=SHAPES)
def pair(request):
    shape = SHAPES[request.param]
    return shape, seen_field(fc.DistanceField.of(shape, 0.03))


def signed(shape, field, points):
    return fc.signed_distance(shape, np.atleast_2d(points) + np.array(field.origin)).distance


def places(field, rng, n):
    reach = 1.5 * field.reach
    return rng.uniform(-reach, reach, (n, 3))


def test_bounds_hold_at_points_near_and_far(pair):
    shape, field = pair
    points = places(field, np.random.default_rng(0), 400)
    truth = signed(shape, field, points)
    least = np.array([least_at(field, tuple(x)) for x in points])
    most = np.array([most_at(field, tuple(x)) for x in points])
    assert (least <= truth).all()
    assert (truth <= most).all()


def test_balls_are_bounded_all_over(pair):
    shape, field = pair
    rng = np.random.default_rng(1)
    kinds = {"leaf": 0, "leaves": 0, "beyond": 0, "unknown": 0}
    for x in places(field, rng, 300):
        radius = float(rng.choice([1e-3, 0.02, 0.1]))
        near = around(field, tuple(x), radius)
        if near.low == -np.inf:
            kinds["unknown"] += 1
            continue
        beyond = (
            np.abs(x) > 0.5 * field.octree.grid.width * np.array(field.octree.grid.shape) - radius
        ).any()
        kinds["beyond" if beyond else "leaf" if near.bend < np.inf else "leaves"] += 1
        steps = rng.normal(size=(60, 3))
        steps *= radius / np.linalg.norm(steps, axis=1)[:, np.newaxis] * rng.random((60, 1)) ** 0.2
        truth = signed(shape, field, x + steps)
        assert (truth >= near.low + steps @ np.array(near.gradient) - field.tolerance - 1e-12).all()
    assert min(kinds[name] for name in ("leaf", "leaves", "beyond")) >= 5


def test_normals_lead_away_from_the_shape(pair):
    shape, field = pair
    points = places(field, np.random.default_rng(2), 60)
    truth = signed(shape, field, points)
    for x, d in zip(points, truth, strict=True):
        if d > 5 * field.tolerance:
            value, away = normal_at(field, tuple(x))
            assert abs(np.linalg.norm(away) - 1.0) < 1e-12
            foot = x - value * np.array(away)
            assert abs(signed(shape, field, foot)[0]) < 0.5 * d + 3 * field.tolerance


def test_entry_times_are_never_late():
    field = seen_field(fc.DistanceField.of(fc.Box([1.0, 1.0, 1.0]), 0.1))
    assert abs(entry_time(field, (-3.0, 0.0, 0.0), (1.0, 0.0, 0.0), 0.5) - 2.0) < 1e-9
    assert entry_time(field, (-3.0, 0.0, 0.0), (1.0, 0.0, 0.0), 0.5) <= 2.0
    assert entry_time(field, (-3.0, 0.0, 0.0), (-1.0, 0.0, 0.0), 0.5) == np.inf
    assert entry_time(field, (-3.0, 2.0, 0.0), (1.0, 0.0, 0.0), 0.5) == np.inf
    assert entry_time(field, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 0.5) == 0.0


def test_powers_of_two_above_lengths():
    for length in (1e-300, 0.3, 0.5, 1.0, 3.7e9):
        assert length <= power_above(length) <= 2.0 * length


def test_a_field_far_from_the_origin_is_seen_exactly():
    far = fc.ConvexHull(fc.Box([1.0, 1.0, 1.0]).mesh.vertices + np.array([1e6, -2e6, 3e6]))
    field = fc.DistanceField.of(far, 0.05)
    seen = seen_field(field)
    assert seen is seen_field(field)
    x = np.array([0.25, 0.125, 0.625])
    assert least_at(seen, tuple(x)) == field(x + np.array(seen.origin)) - field.tolerance
