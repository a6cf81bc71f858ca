"""First contacts of bodies with a constant acceleration, against closed forms and dense samples.

Never late; at the time found, within the tolerance; at `time_upper`, in contact.
"""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import firstcontact as fc

Real = np.longdouble
HERE = np.eye(3)
GROUND = fc.Box([1e4, 1e4, 10]).at((HERE, [0, 0, -5]))
BALL = fc.Sphere(0.5)
SHAPES = (
    fc.Box([1, 0.4, 0.7]),
    fc.Capsule(0.2, 1),
    fc.Ellipsoid([0.3, 0.7, 0.4]),
    fc.Box([1, 0.5, 0.3]).mesh,
    fc.Cylinder(0.5, 0.4).mesh,
)
HITS = (fc.Status.CONTACT, fc.Status.CONTACT_AT_START)


def heights(h, v, a, t):
    """Heights of lowest points at times."""
    return h.astype(Real) + v.astype(Real) * t + a.astype(Real) * t * t / 2


def lowest_before(h, v, a, until):
    """Least heights from the start up to times."""
    turning = np.clip(np.divide(-v, a, out=np.zeros_like(v), where=a != 0.0), 0.0, until)
    return np.minimum(np.minimum(heights(h, v, a, 0.0), heights(h, v, a, until)), heights(h, v, a, turning))


def drops(rng, n):
    """Heights, velocities and accelerations of balls above a ground; many graze it, or start on it."""
    h, v = rng.uniform(0, 3, n), rng.normal(size=n) * 10.0 ** rng.uniform(-3, 2, n)
    a = rng.normal(size=n) * 10.0 ** rng.uniform(-6, 4, n)
    kind = rng.integers(0, 6, n)
    h[kind == 0] = 0.0
    v[kind == 1] = 0.0
    # Down to a hair's breadth above the ground, or below, and up again.
    grazes = (kind == 2) | (kind == 3)
    a[grazes] = np.abs(a[grazes]) + 4.0
    lowest = np.where(rng.random(n) < 0.5, 1e-4, 1e-7) * rng.normal(size=n)
    v[grazes] = -np.sqrt(2.0 * a[grazes] * np.maximum(h[grazes] - lowest[grazes], 0.0))
    return h, v, a


@pytest.mark.parametrize("min_separation", [0.0, 0.25])
@pytest.mark.parametrize(
    "shape", [BALL, fc.Box([1, 1, 1]), fc.Box([1, 1, 1]).mesh], ids=["ball", "box", "mesh"]
)
def test_bodies_thrown_above_a_ground(shape, min_separation):
    rng, n, tolerance = np.random.default_rng(1), 3000, 1e-6
    if isinstance(shape, fc.Mesh):
        n = 300
    h, v, a = drops(rng, n)
    aside = rng.normal(size=(2, n, 2))
    place = np.column_stack([aside[0], h + (0.5 + min_separation)])
    acceleration = np.column_stack([rng.choice([0.0, 1.0, 50.0], (n, 1)) * aside[1], a])
    moving = shape.moving((HERE, place), velocity=np.column_stack([aside[1], v]), acceleration=acceleration)
    found = fc.first_contacts(moving, GROUND, tolerance=tolerance, min_separation=min_separation)
    h = place[:, 2].astype(Real) - Real(0.5) - Real(min_separation)
    until = np.minimum(found.time, 1.0)
    rounding = 1e-12 * (1.0 + np.abs(place).sum(axis=1) + np.abs(v) + np.abs(acceleration).sum(axis=1))
    before = lowest_before(h, v, a, np.maximum(until - 1e-16, 0.0))
    is_hit = np.isin(found.status, HITS)
    assert (found.status != fc.Status.MAX_ITERATIONS).all()
    assert (before[found.time > 0.0] > -1e-15).all()
    assert (lowest_before(h, v, a, np.ones(n))[~is_hit] > 0.0).all()
    near = np.abs(heights(h, v, a, until))[is_hit & (found.time > 0.0)]
    assert (near <= (tolerance + 64 * rounding)[is_hit & (found.time > 0.0)]).all()
    is_proven = found.time_upper <= 1.0
    assert (heights(h, v, a, np.minimum(found.time_upper, 1.0))[is_proven] <= 0.0).all()
    assert is_proven[is_hit & (lowest_before(h, v, a, np.ones(n)) < -1e-3)].mean() > 0.9


def test_two_balls_that_are_both_thrown():
    """A quartic: the squared distance of two points on parabolas."""
    rng, n, tolerance = np.random.default_rng(2), 2000, 1e-6
    places, velocities, accelerations = (rng.normal(size=(2, n, 3)) * size for size in (2.0, 0.3, 2.0))
    velocities[0] -= 1.5 * (places[0] - places[1])  # to each other
    accelerations[:, : n // 4] = [0, 0, -9.81]  # both fall
    a, b = (
        BALL.moving((HERE, places[k]), velocity=velocities[k], acceleration=accelerations[k]) for k in (0, 1)
    )
    found = fc.first_contacts(a, b, tolerance=tolerance)
    p, v, c = (x[0].astype(Real) - x[1] for x in (places, velocities, accelerations))

    def gaps(t):
        return np.sqrt(((p + t * v + t * t * c / 2) ** 2).sum(axis=-1)) - 1

    is_hit = np.isin(found.status, HITS)
    until = np.minimum(found.time, 1.0)
    for part in np.concatenate([np.linspace(0, 1, 400, endpoint=False), 1.0 - 2.0 ** -np.arange(10.0, 50.0)]):
        assert (gaps((part * until)[:, np.newaxis]) > 0.0)[until > 0.0].all()
    assert (gaps(until[:, np.newaxis])[is_hit & (until > 0.0)] <= tolerance).all()
    is_proven = found.time_upper <= 1.0
    assert (gaps(np.minimum(found.time_upper, 1.0)[:, np.newaxis])[is_proven] <= 0.0).all()
    assert 0.2 < is_hit.mean() < 0.95
    assert is_proven[is_hit].mean() > 0.95


def any_motion(rng, shape, at):
    turn, start = rng.normal(size=3) * rng.choice([0.0, 1.0, 6.0]), (Rotation.random(rng=rng), at)
    acceleration = rng.normal(size=3) * rng.choice([0.0, 1e-3, 2.0, 40.0])
    if rng.random() < 0.3:
        return shape.moving(start, (Rotation.random(rng=rng), rng.normal(size=3)), acceleration=acceleration)
    velocity = rng.normal(size=3) - np.multiply(2, at)
    return shape.moving(start, velocity=velocity, angular_velocity=turn, acceleration=acceleration)


@pytest.mark.parametrize("seed", range(12))
def test_spinning_bodies_of_all_kinds(seed):
    rng, tolerance = np.random.default_rng([3, seed]), 1e-6
    for _ in range(5):
        one, other = (SHAPES[i] for i in rng.integers(0, len(SHAPES), 2))
        a, b = (
            any_motion(rng, one, np.add(rng.normal(size=3), [2, 0, 0])),
            any_motion(rng, other, rng.normal(size=3)),
        )
        hit = fc.first_contact(a, b, tolerance=tolerance)
        until = min(hit.time, 1.0)
        times = until * np.concatenate(
            [np.linspace(0, 1, 120, endpoint=False), 1.0 - 2.0 ** -np.arange(8.0, 30.0)]
        )
        poses = [np.array([thing.pose(t) for t in (*times, until)]) for thing in (a, b)]
        distances = fc.distance(one.at(poses[0]), other.at(poses[1])).distance
        if until > 0.0:
            assert (distances[:-1] > 0.0).all()
            assert not hit or distances[-1] <= tolerance + 1e-12
        if hit.time_upper <= 1.0:
            then = [x.shape.at(x.pose(hit.time_upper)) for x in (a, b)]
            assert hit.time_upper >= hit.time
            assert fc.distance(*then).distance <= 1e-12
        assert fc.safe_step(a, b, tolerance=tolerance) == until
        assert fc.is_free(a, b, tolerance=tolerance) == (not hit)
        assert fc.Scene(a=a, b=b).safe_step(tolerance=tolerance) == until


def test_resting_on_the_ground_is_contact_from_the_start():
    for shape in (BALL, fc.Box([1, 1, 1]), fc.Box([1, 1, 1]).mesh):
        for acceleration in (-10.0, -1e-9, 10.0):
            hit = fc.first_contact(
                shape.moving((HERE, [0, 0, 0.5]), acceleration=[0, 0, acceleration]), GROUND
            )
            assert (hit.status, hit.time) == (fc.Status.CONTACT_AT_START, 0.0)


def test_without_an_acceleration_nothing_changes():
    rng, n = np.random.default_rng(5), 200
    place, velocity, turn = rng.normal(size=(3, n, 3))
    for shape in (fc.Box([1, 1, 1]), fc.Box([1, 1, 1]).mesh):
        plain, zero, mixed = (
            shape.moving(
                (HERE, np.add(place, [0, 0, 2])), velocity=2 * velocity, angular_velocity=turn, **more
            )
            for more in (
                {},
                {"acceleration": [0, 0, 0]},
                {"acceleration": np.where(np.arange(n)[:, None] % 2, 0, [0, 0, -1])},
            )
        )
        expected, found, half = (fc.first_contacts(x, GROUND) for x in (plain, zero, mixed))
        assert expected.time.tobytes() == found.time.tobytes()
        assert expected.time_upper.tobytes() == found.time_upper.tobytes()
        assert expected.time[1::2].tobytes() == half.time[1::2].tobytes()


@pytest.mark.parametrize("size", [2.0**-100, 2.0**100])
def test_units_change_nothing(size):
    def times(unit):
        ball = fc.Sphere(0.5 * unit).moving(
            (HERE, unit * np.array([[0, 0, 2.0], [0, 0, 4.0]])),
            velocity=[unit, 0, 0],
            acceleration=[0, 0, -8 * unit],
        )
        return fc.first_contacts(ball, fc.Box([99 * unit, 99 * unit, unit])).time

    assert times(size) == pytest.approx(times(1.0), rel=1e-9)


def test_a_batch_is_what_each_alone_is():
    rng, n = np.random.default_rng(6), 30
    places, velocities, accelerations = np.add(
        rng.normal(size=(3, n, 3)), [[[0, 0, 2]], [[0, 0, 0]], [[0, 0, -4]]]
    )
    batch = BALL.moving((HERE, places), velocity=velocities, acceleration=accelerations)
    found = fc.first_contacts(batch, GROUND)
    shown = fc.first_contacts(batch, GROUND, progress=True)
    assert found.time.tobytes() == shown.time.tobytes()
    for i in range(n):
        one = BALL.moving((HERE, places[i]), velocity=velocities[i], acceleration=accelerations[i])
        assert fc.first_contact(one, GROUND).time == pytest.approx(found.time[i], abs=1e-6)


@pytest.mark.parametrize("shape", [BALL, fc.Box([1, 1, 1]).mesh], ids=["ball", "mesh"])
@pytest.mark.parametrize("min_separation", [0.0, 0.1])
def test_thrown_onto_a_mesh_that_deforms(shape, min_separation):
    """The ground rises at a constant speed."""
    ground = fc.Box([99, 99, 1]).mesh
    rising = ground.deforming(ground.vertices - [0, 0, 0.5], ground.vertices - [0, 0, -0.5])
    rng = np.random.default_rng(7)
    for _ in range(20):
        h, v, a = rng.uniform(0.2, 2), rng.normal() * 3, rng.normal() * 10
        thrown = shape.moving((HERE, [0, 0, 0.5 + h]), velocity=[1, 0, v], acceleration=[0, 3, a])
        hit = fc.first_contact(thrown, rising, min_separation=min_separation, tolerance=1e-6)
        low, up, bend = (np.array([x]) for x in (h - min_separation, v - 1.0, a))
        until = np.array([min(hit.time, 1.0)])
        assert lowest_before(low, up, bend, until)[0] > -1e-14
        assert not hit or abs(heights(low, up, bend, until)[0]) <= 1e-6
        if hit.time_upper <= 1.0:
            assert heights(low, up, bend, np.array([hit.time_upper]))[0] <= 1e-14
