"""Steps along a direction that may turn: nothing closes in them, as corners of hulls in long doubles tell."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import firstcontact as fc
from firstcontact.motions.motion_bound import lasting_time
from firstcontact.motions.relative_motion import Placement
from firstcontact.narrowphase.convex.gjk import EXACT, RelativePose, closest_from, no_simplex
from firstcontact.narrowphase.convex.lasting_direction import _turn_of, longer_time
from firstcontact.narrowphase.convex.shape_travel import travel_of_a
from firstcontact.shapes.convex import convex_at, origin_at

NOWHERE = (0.0, 0.0, 0.0)


def unit(rng):
    v = rng.normal(size=3)
    return v / np.linalg.norm(v)


def hull(rng):
    if rng.random() < 0.5:
        return fc.Box(rng.uniform(0.3, 1.5, 3))
    return fc.ConvexHull(rng.normal(size=(int(rng.integers(4, 12)), 3)))


def corners_of(shape):
    return shape.mesh.vertices - np.array(origin_at(shape.table.records, 0))


def case(rng, gap):
    """Two hulls that are a gap apart, and turn; the placement, the direction, and where the search ended."""
    a, b = hull(rng), hull(rng)
    rotation = Rotation.random(rng=rng).as_matrix()
    shapes = convex_at(a.table.records, 0), convex_at(b.table.records, 0)
    pools = a.table.pool, b.table.pool
    aim = unit(rng)
    offset, found, simplex = -5.0 * aim, None, None
    for _ in range(3):
        frame = RelativePose(tuple(rotation.ravel()), tuple(offset))
        found, simplex = closest_from(*shapes, *pools, frame, no_simplex(tuple(aim)), EXACT)
        offset = offset + (found.distance - gap) * np.array(found.direction)
    frame = RelativePose(tuple(rotation.ravel()), tuple(offset))
    found, simplex = closest_from(*shapes, *pools, frame, no_simplex(tuple(aim)), EXACT)
    rates = rng.uniform(0.0, 12.0, 2) * (rng.random(2) < 0.8)
    place = Placement(
        tuple(rotation.ravel()),
        tuple(offset),
        tuple(rng.normal(size=3) * rng.choice([0.0, 1.0, 5.0])),
        tuple(unit(rng)),
        float(rates[0]),
        tuple(offset + rng.choice([0.0, 0.3]) * rng.normal(size=3)),
        tuple(unit(rng)),
        float(rates[1]),
        tuple(rng.choice([0.0, 0.3]) * rng.normal(size=3)),
    )
    return (a, b), shapes, pools, place, found, simplex


def turned(axis, angle):
    """Rotation by an angle about an axis, in long doubles."""
    x, y, z = np.array(axis, np.longdouble)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]], np.longdouble)
    return np.eye(3, dtype=np.longdouble) + np.sin(angle) * cross + (1 - np.cos(angle)) * (cross @ cross)


def gap_along(n, things, place, s):
    """How far the two are apart along a vector at a time."""
    a, b = things
    placed = corners_of(a) @ np.array(place.rotation).reshape(3, 3).T + place.offset
    arms = (placed - place.pivot_a) @ turned(place.axis_a, np.longdouble(s * place.rate_a)).T
    one = arms + place.pivot_a + s * np.array(place.velocity, np.longdouble)
    arms = (corners_of(b) - place.pivot_b) @ turned(place.axis_b, np.longdouble(s * place.rate_b)).T
    return float(((arms + place.pivot_b) @ n).min() - (one @ n).max())


@pytest.mark.parametrize("gap", [1.0, 1e-2, 1e-6])
def test_nothing_closes_in_a_step(gap):
    rng = np.random.default_rng(int(1 / gap))
    n_longer = 0
    for _ in range(200):
        things, shapes, pools, place, found, simplex = case(rng, gap)
        n = found.direction
        if not found.gap > 0.5 * gap:
            continue
        bend = 0.5 * sum(
            rate**2 * (np.linalg.norm(np.subtract(center, pivot)) + shape.reach)
            for rate, center, pivot, shape in (
                (place.rate_a, place.offset, place.pivot_a, shapes[0]),
                (place.rate_b, NOWHERE, place.pivot_b, shapes[1]),
            )
        )
        step = longer_time(*shapes, *pools, place, simplex, (n, found.gap, bend, 0.0, 2.0))
        turn = np.array(_turn_of(n, simplex, place))
        rate = float(np.linalg.norm(turn))
        axis = turn / rate if rate > 0 else np.array([0.0, 0.0, 1.0])
        for s in np.linspace(0.0, step, 17):
            directions = np.array(n, np.longdouble), turned(axis, np.longdouble(rate * s)) @ np.array(n)
            best = max(gap_along(d, things, place, s) for d in directions)
            assert best > -1e-13
        coarse = travel_of_a(shapes[0], pools[0], n, place)
        n_longer += step > lasting_time(found.gap, coarse) or place.rate_a == 0.0
    assert n_longer > 50


def test_a_face_that_turns_away_under_a_corner_takes_one_step():
    # A corner a hair above the middle of a face, both of which turn alike: nothing comes nearer.
    flat, point = fc.Box([2, 2, 1]), fc.ConvexHull([[0, 0, 0]], flat=True)
    offset, place_of = np.array([0.0, 0.0, 0.5 + 1e-9]), (1.0, 0.0, 0.0)
    shapes = convex_at(point.table.records, 0), convex_at(flat.table.records, 0)
    pools = point.table.pool, flat.table.pool
    frame = RelativePose(tuple(np.eye(3).ravel()), tuple(offset))
    found, simplex = closest_from(*shapes, *pools, frame, no_simplex((0.1, 0.2, -1.0)), EXACT)
    place = Placement(frame.rotation, frame.offset, NOWHERE, place_of, 3.0, NOWHERE, place_of, 3.0, NOWHERE)
    bend = 0.5 * 9.0 * (np.linalg.norm(offset) + shapes[1].reach)
    step = longer_time(*shapes, *pools, place, simplex, (found.direction, found.gap, bend, 0.0, 1.0))
    fixed = found.gap / (3.0 * shapes[1].reach)
    assert step > 100 * fixed
