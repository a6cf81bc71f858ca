"""Searches go on in finer pieces where a deviation is what decides, and only there."""

from typing import NamedTuple

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.advancement import refining
from firstcontact.advancement.refining import Motions, breaks_of, first_refined
from firstcontact.motions.rigid_motion import DEVIATION, START_TIME
from firstcontact.motions.rigid_paths import motion_at_origin
from firstcontact.queries import batches

BALL = fc.Sphere(1.0)
FLOOR = fc.Box([400, 400, 2]).at((np.eye(3), [0, 0, -1]))


class Found(NamedTuple):
    status: np.ndarray
    time: np.ndarray
    triangles: np.ndarray
    counts: np.ndarray


def falls(heights, acceleration):
    """Balls that fall from heights of their lowest points."""
    places = np.zeros((len(heights), 3))
    places[:, 2] = np.add(heights, 1.0)
    return BALL.moving((np.eye(3), places), acceleration=acceleration)


def test_pieces_reach_from_the_start_to_the_end():
    rng = np.random.default_rng(0)
    starts = np.concatenate([rng.random(200), 1.0 - 2.0 ** -rng.uniform(1, 53, 200), [0.0, 1.0]])
    lengths = 10.0 ** rng.uniform(-9, 0, len(starts))
    for n_even in (1, 8, 100):
        breaks = breaks_of(starts, lengths, n_even)
        assert (breaks[:, 0] == starts).all()
        assert (breaks[:, -1] == 1.0).all()
        assert (np.diff(breaks, axis=1) >= 0.0).all()
        assert (np.diff(breaks, axis=1)[:, :n_even] <= lengths[:, np.newaxis] + 2.0**-52).all()


def test_longer_pieces_are_at_most_twice_as_long():
    lengths = np.diff(breaks_of(np.array([0.25]), np.array([1e-4]), 8)[0])
    assert lengths[:8] == pytest.approx(1e-4)
    assert (lengths[1:] <= 2.0 * lengths[:-1] * (1.0 + 1e-9)).all()


def search_of(times, looked_at):
    """A search that finds contact at given times, or none, and remembers what it was asked."""

    def search(rows_a, rows_b, which):
        looked_at.append((np.arange(len(times))[which], rows_a))
        now = times[which]
        status = np.where(now < np.inf, fc.Status.CONTACT, fc.Status.SEPARATED).astype(np.int8)
        return Found(status, now.copy(), np.zeros((len(now), 2), int), np.ones((len(now), 4), int))

    return search


def test_only_what_needs_it_is_searched_again():
    motion = falls([1, 1, 1, 1], [[0, 0, -8], [0, 0, -8], [0, 0, -1e-9], [0, 0, 0]]).motion
    looked_at, times = [], np.array([0.5, np.inf, 0.5, 0.5])
    found = first_refined(Motions(motion, motion_at_origin()), 1e-6, search_of(times, looked_at))
    assert looked_at[0][0].tolist() == [0, 1, 2, 3]
    assert len(looked_at) > 3
    assert all(which.tolist() == [0] for which, _ in looked_at[1:])
    assert all(rows[0, 0, START_TIME] == 0.5 for _, rows in looked_at[1:])
    firsts = [rows[0, 0, DEVIATION] for _, rows in looked_at]
    assert (np.diff(firsts) < 0.0).all()
    assert firsts[-1] <= 0.25e-6 < firsts[-2]
    assert found.counts[:, 0].tolist() == [len(looked_at), 1, 1, 1]


def test_what_is_exact_is_searched_once():
    motion = BALL.moving((np.eye(3), [0, 0, 4]), velocity=[0, 0, -8]).motion
    looked_at = []
    first_refined(Motions(motion, motion_at_origin()), 1e-6, search_of(np.array([0.5]), looked_at))
    assert len(looked_at) == 1
    assert looked_at[0][1] is motion.rows()


def test_where_the_rounds_run_out_that_is_said(monkeypatch):
    monkeypatch.setattr(refining, "MAX_ROUNDS", 2)
    monkeypatch.setattr(batches, "law_tables", lambda *_: None)
    stated = fc.motion(lambda t: [0, 0, 2 - 4 * t * t], acceleration_bound=8.0)
    hit = fc.first_contact(BALL.along(stated), FLOOR)
    assert hit.status == fc.Status.MAX_ITERATIONS
    assert 0.0 < hit.time <= 0.5
    assert hit.time_upper == np.inf
    found = fc.first_contacts(falls([1.0, 0.5], [0, 0, -8]), FLOOR)
    assert (found.status == fc.Status.MAX_ITERATIONS).all()
    assert np.isnan(found.points).all()


def test_a_ball_that_falls_beside_a_wall_is_followed_to_the_end():
    """At one and a half times the tolerance all the way: no piece that is long will do."""
    wall = fc.Box([2, 400, 400]).at((np.eye(3), [-1, 0, 0]))
    beside = BALL.moving((np.eye(3), [1.0 + 3e-4, 0, 0]), acceleration=[0, 0, -10])
    assert not fc.first_contact(beside, wall, tolerance=2e-4)
    assert fc.first_contact(beside, wall, tolerance=2e-4, min_separation=3e-4).time == 0.0


def test_the_breaks_of_a_row_depend_on_no_other():
    rng = np.random.default_rng(5)
    starts, lengths = rng.random(40), 10.0 ** rng.uniform(-9, 0, 40)
    together = breaks_of(starts, lengths, 8)
    for k in range(40):
        alone = breaks_of(starts[k : k + 1], lengths[k : k + 1], 8)[0]
        assert (together[k, : len(alone)] == alone).all()
        assert (together[k, len(alone) :] == 1.0).all()


def test_throws_in_a_batch_and_in_a_scene_are_those_alone():
    ball = fc.Sphere(0.5)
    places = np.array([[-0.0954, -1.1869, 1.3972], [0.9324, -0.5252, -1.1178]])
    velocities = np.array([[1.6162, 0.4355, -1.6596], [-0.4493, 1.6578, 0.841]])
    accelerations = np.array([[-1.3141, 0.6587, 0.9554], [0.5246, -2.5583, -1.5353]])

    def thrown(i):
        pose = np.broadcast_to(np.eye(3), (*places[i].shape[:-1], 3, 3)), places[i]
        return ball.moving(pose, velocity=velocities[i], acceleration=accelerations[i])

    alone = [fc.first_contact(thrown(i), ball, tolerance=1e-6).time for i in range(2)]
    assert fc.first_contacts(thrown(slice(None)), ball, tolerance=1e-6).time.tolist() == alone
    scene = fc.Scene(a=thrown(0), b=thrown(1), e=ball)
    scene.ignore("a", "b")
    assert scene.safe_step(tolerance=1e-6) == scene.first_contact(tolerance=1e-6).time == min(alone)
