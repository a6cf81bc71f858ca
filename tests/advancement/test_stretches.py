"""Finer pieces made in compiled code: the same first contacts as round by round, of all kinds."""

import itertools

import numpy as np
import pytest
from scipy.interpolate import CubicSpline, PPoly, make_interp_spline
from scipy.spatial.transform import Rotation, RotationSpline

import firstcontact as fc
from firstcontact.motions.law_table import law_tables
from firstcontact.motions.rigid_paths import motion_at_origin
from firstcontact.queries import batches
from poses import random_poses
from samples import sample

HERE = np.eye(3)


def matrices(times, turn):
    return Rotation.from_rotvec(np.asarray(times)[..., None] * turn)


def throws(rng, shape, n):
    start, pull = rng.normal(size=(n, 3)) * 2.0, rng.normal(size=(n, 3)) * 4.0
    way = -start * rng.uniform(0.5, 2.0, (n, 1)) - 0.5 * pull
    turn = rng.normal(size=(n, 3)) * 3.0
    return shape.moving((HERE, start), velocity=way, angular_velocity=turn, acceleration=pull)


def splines(rng, shape, n):
    poses = np.stack([random_poses(5, int(seed)) for seed in rng.integers(1 << 30, size=n)])
    start = rng.normal(size=(n, 1, 3)) * 2.0
    poses[..., :3, 3] = start * np.linspace(1, -1, 5)[:, None] + rng.normal(size=(n, 5, 3)) * 0.3
    poses[..., :3, 3] += rng.normal(size=(n, 1, 3))
    return shape.along(fc.Spline(None, poses))


def scipy_splines(rng, shape, n):
    knots = np.linspace(0, 3, 6)
    places = rng.normal(size=(1, n, 3)) * np.linspace(2, -2, 6)[:, None, None]
    places = places + rng.normal(size=(6, n, 3)) * 0.3
    place = make_interp_spline(knots, places, k=5)
    return shape.along((RotationSpline(knots, matrices(knots, rng.normal(size=3))), place))


def formulas(rng, shape, n):
    start, swing = rng.normal(size=(n, 3)) * 1.5, rng.normal(size=(n, 3))

    def function(t):
        waves = [start[i] * (1 - 2 * t) + swing[i] * np.sin(4 * t) for i in range(n)]
        turns = [[swing[i, 0] * t, swing[i, 1] * np.sin(t), 2.0 * t * t] for i in range(n)]
        return np.array(turns, object), np.array(waves, object)

    return shape.along(fc.motion(function))


LAWS = (throws, splines, scipy_splines, formulas)


def as_kind(shape, kind):
    return shape.mesh if kind == "mesh" else shape


def found_by_rounds(monkeypatch, ask):
    """What is found with pieces from Python: the slow way."""
    with monkeypatch.context() as patch:
        patch.setattr(batches, "law_tables", lambda *_: None)
        return ask()


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize(("kind_a", "kind_b"), list(itertools.product(("convex", "mesh"), repeat=2)))
def test_the_same_as_round_by_round(law, kind_a, kind_b, monkeypatch):
    rng = np.random.default_rng(len(law.__name__))
    shape, other = as_kind(fc.Box([0.9, 0.5, 0.3]), kind_a), as_kind(fc.Capsule(0.3, 0.5), kind_b)
    n = sample(12, of=60)
    moving, tolerance = law(rng, shape, n), 1e-6
    turning = other.moving(np.eye(4), angular_velocity=[0.3, 0, 1])
    quick = fc.first_contacts(moving, turning, tolerance=tolerance)
    slow = found_by_rounds(monkeypatch, lambda: fc.first_contacts(moving, turning, tolerance=tolerance))
    assert (quick.status == slow.status).all()
    assert 0 < (quick.status != fc.Status.SEPARATED).sum() < n
    is_hit = quick.status == fc.Status.CONTACT
    assert (np.abs(quick.time[is_hit] - slow.time[is_hit]) < 1e-4).all()
    assert (quick.time <= slow.time_upper).all()
    assert (slow.time <= quick.time_upper).all()


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize(("kind_a", "kind_b"), list(itertools.product(("convex", "mesh"), repeat=2)))
def test_in_short_to_the_last_bit_as_of_a_batch(law, kind_a, kind_b):
    shape, other = as_kind(fc.Box([0.9, 0.5, 0.3]), kind_a), as_kind(fc.Capsule(0.3, 0.5), kind_b)
    for seed in range(sample(6, of=40)):
        moving = law(np.random.default_rng(seed), shape, 1)
        many = fc.first_contacts(moving, other)
        one = fc.Moving(shape, moving.motion.chosen(slice(0, 1), False))
        hit = fc.first_contact(one, other)
        assert (hit.status, hit.time) == (many.status[0], many.time[0])
        assert hit.time_upper == many.time_upper[0]
        assert fc.safe_step(one, other) == min(hit.time, 1.0)
        assert fc.is_free(one, other) == (not hit)
        if hit:
            assert hit.points[0] == pytest.approx(many.points[0], abs=1e-5)
        back = fc.first_contact(other, one)
        assert back.status == hit.status


def test_at_the_start_the_normal_is_the_way_out():
    pull = {"acceleration": [0, 0, -1.0]}
    sunk = fc.Sphere(1.0).moving((HERE, [0, 0, 0.9]), **pull)
    floor = fc.Box([40, 40, 2]).at((HERE, [0, 0, -1]))
    single, many = fc.first_contact(sunk, floor), fc.first_contacts(sunk, floor)
    assert single.status == many.status[0] == fc.Status.CONTACT_AT_START
    assert single.normals[0] == pytest.approx([0, 0, -1], abs=1e-6)
    assert many.normals[0] == pytest.approx([0, 0, -1], abs=1e-6)
    assert single.time_upper == many.time_upper[0] == 0.0


def test_a_kink_and_a_turn_on_the_spot():
    there = PPoly(np.array([[[4.0, 0, 0], [-4.0, 0, 0]], [[0.0, 0, 0], [2.0, 0, 0]]]), [0, 0.5, 1])
    stick = fc.Box([1.0, 0.1, 0.1])
    knots = np.linspace(0, 1, 4)
    turn = RotationSpline(knots, matrices(knots, np.array([0, 0, 3.0])))
    still = CubicSpline(knots, np.zeros((4, 3)))
    # Half of a diagonal reaches to 0.5025 from the middle.
    for gap, is_hit in ((0.0, True), (0.002, True), (0.003, False)):
        wall = fc.Box([1, 9, 9]).at((HERE, [-1.0 - gap, 0, 0]))
        assert bool(fc.first_contact(stick.along((turn, still)), wall)) is is_hit
    hit = fc.first_contact(fc.Sphere(0.5).along(there), fc.Box([1, 1, 1]).at((HERE, [3.0 - 1e-3, 0, 0])))
    assert 0.5 - 1e-3 / 4 - 1e-6 < hit.time <= 0.5 - 1e-3 / 4


def test_what_slides_along_a_wall_is_followed_to_the_end():
    wall = fc.Box([2, 400, 400]).at((HERE, [-1, 0, 0]))
    t = np.linspace(0, 1, 7)
    places = np.stack([1.0 + 3e-4 + 0 * t, np.sin(3 * t), t**2], axis=1)
    beside = fc.Sphere(1.0).along(CubicSpline(t, places))
    assert not fc.first_contact(beside, wall, tolerance=1e-4)
    assert fc.first_contacts(beside, wall, tolerance=1e-4).status == fc.Status.SEPARATED
    assert fc.first_contact(beside, wall, tolerance=1e-4, min_separation=3e-4).time == 0.0


def test_rounding_far_from_the_origin_ends_a_search():
    """A piece of no length deviates by more than the tolerance: it is mostly rounding, and that is all."""
    far = np.array([1e9, 0, 0])
    falls = fc.Sphere(1.0).moving((HERE, far + 3.0 * HERE[2]), acceleration=[0, 0, -8])
    floor = fc.Box([40, 40, 2]).at((HERE, far - HERE[2]))
    hit = fc.first_contact(falls, floor, tolerance=1e-9)
    truth = np.sqrt(0.5)
    assert hit.status == fc.Status.CONTACT
    assert truth - 1e-4 < hit.time <= truth


def test_only_laws_that_compiled_code_knows_have_tables():
    ball, here = fc.Sphere(1.0), motion_at_origin()
    thrown = ball.moving(np.eye(4), acceleration=[0, 0, 1]).motion
    stated = ball.along(fc.motion(lambda t: [t, 0, 0], acceleration_bound=0.0)).motion
    several = ball.along(fc.motion(lambda t: np.array([[t, 0 * t, 0 * t], [np.sin(t), 0 * t, 0 * t]]))).motion
    formula = ball.along(fc.motion(lambda t: [np.sin(t), 0, 0])).motion
    assert law_tables(here, here) is None
    assert law_tables(stated, here) is None
    assert law_tables(several, thrown) is None
    one, other = law_tables(thrown, formula)
    assert one.formulas is not None
    assert other.formulas is not None
    assert law_tables(thrown, here)[0].formulas is None
