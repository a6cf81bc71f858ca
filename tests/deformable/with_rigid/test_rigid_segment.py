"""Parts of rigid motions: positions to rounding, and paths within their deviation from straight ones."""

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.deformable.with_rigid.rigid_segment import segment_of
from oracles.closest_triangles import Real, cross
from poses import random_poses

RNG = np.random.default_rng(4)
POINTS = RNG.normal(size=(40, 3))
MESH = fc.Mesh(POINTS, RNG.integers(0, 40, (20, 3)))


def motions(seed):
    """One of every kind."""
    rng, poses = np.random.default_rng(seed), random_poses(4, seed)
    yield MESH.moving(poses[0], poses[1])
    yield MESH.moving(poses[0], poses[1], path="screw")
    yield MESH.moving(poses[0], (poses[0, :3, :3], poses[1, :3, 3]))
    yield MESH.moving(poses[0], angular_velocity=40.0 * rng.normal(size=3), velocity=rng.normal(size=3))
    yield MESH.moving(poses[0], angular_velocity=1e-7 * rng.normal(size=3), center=1e6 * rng.normal(size=3))
    yield MESH.along(poses, [0, 0.1, 0.7, 1])


def true_positions(motion, k, t):
    """The formula, x(0) + t v + (Rot - 1) R0 (x - center), in extended precision."""
    rotation, start = motion.rotations[0, k].astype(Real), motion.translations[0, k].astype(Real)
    arms = (POINTS.astype(Real) - motion.centers[0, k]) @ rotation.T
    row = motion.rows()[0, k].astype(Real)
    axis, passed = row[15:18], Real(t) - Real(motion.times[k])
    across = cross(np.broadcast_to(axis, arms.shape).T, arms.T).T
    inward = cross(np.broadcast_to(axis, arms.shape).T, across.T).T
    turned = np.sin(row[18] * passed) * across + 2 * np.sin(row[18] * passed / 2) ** 2 * inward
    return POINTS.astype(Real) @ rotation.T + start + passed * row[12:15] + turned


def segments(moving):
    n = len(moving.motion.times) - 1
    return [segment_of(moving.motion, k, POINTS, 0.0) for k in range(n)]


def lengths(vectors):
    return np.sqrt((vectors.astype(Real) ** 2).sum(axis=1))


@pytest.mark.parametrize("seed", range(3))
def test_positions_are_right_to_within_half_the_rounding(seed):
    rng = np.random.default_rng(seed)
    for moving in motions(seed):
        for k, segment in enumerate(segments(moving)):
            for t in (segment.start, segment.end, *rng.uniform(segment.start, segment.end, 5)):
                truth = true_positions(moving.motion, k, t)
                assert np.all(lengths(segment.at(t) - truth) <= 0.5 * segment.rounding)
                if t < segment.end:
                    assert np.all(lengths(segment.at(t) - moving.vertices(t)) <= segment.rounding)
            assert segment.rounding < 1e-9


@pytest.mark.parametrize("seed", range(3))
def test_paths_are_within_their_deviation_of_straight_ones(seed):
    rng = np.random.default_rng([1, seed])
    for moving in motions(seed):
        for k, segment in enumerate(segments(moving)):
            for scale in (1.0, 0.1, 1e-3, 1e-6):
                start, end = np.sort(segment.start + scale * (segment.end - segment.start) * rng.random(2))
                x, y = segment.at(start), segment.at(end)
                for t in rng.uniform(start, end, 5):
                    share = (t - Real(start)) / (Real(end) - Real(start))
                    off = lengths((1 - share) * x + share * y - true_positions(moving.motion, k, t))
                    assert np.all(off <= segment.deviation(end - start))


def test_the_deviation_of_a_circle_is_nearly_reached_in_the_middle():
    moving = MESH.moving(np.eye(4), angular_velocity=[0, 0, 1], center=[0, 0, 0])
    (segment,) = segments(moving)
    assert segment.radius == pytest.approx(np.linalg.norm(POINTS[:, :2], axis=1).max())
    middle = 0.5 * (segment.at(0.0) + segment.at(0.1))
    assert 0.99 * segment.deviation(0.1) < lengths(middle - segment.at(0.05)).max() < segment.deviation(0.1)


def test_a_span_is_that_of_its_deviation():
    for moving in motions(7):
        for segment in segments(moving):
            for deviation in (1e-12, 1e-6, 1e-3, 0.3):
                span = segment.span(deviation)
                if span < np.inf:
                    assert segment.deviation(span) - segment.rounding == pytest.approx(deviation, rel=1e-3)
                else:
                    assert segment.deviation(1e9) <= deviation + segment.rounding


def test_nothing_turns_in_a_straight_segment():
    (segment,) = segments(MESH.moving(np.eye(4), velocity=[1, 2, 3]))
    assert (segment.rate, segment.radius, segment.span(0.0)) == (0.0, 0.0, np.inf)
    assert segment.deviation(1.0) == segment.rounding
    assert np.allclose(segment.at(0.5), POINTS + np.array([0.5, 1.0, 1.5]), rtol=0.0, atol=1e-15)


@pytest.mark.parametrize("rate", [1e-300, 1e-160, 1e20, 1e45])
def test_no_rate_of_turn_is_too_small_or_too_large(rate):
    (segment,) = segments(MESH.moving(np.eye(4), angular_velocity=[0, rate, 0]))
    assert np.isfinite(segment.at(1.0)).all()
    assert 0.0 < segment.rounding < 100.0
    assert segment.deviation(1.0) <= 2.0 * segment.radius + segment.rounding


def test_no_vertices():
    segment = segment_of(MESH.moving(np.eye(4), angular_velocity=[0, 0, 1]).motion, 0, np.empty((0, 3)), 0.0)
    assert segment.at(0.5).shape == (0, 3)
    assert (segment.radius, segment.span(1e-9)) == (0.0, np.inf)
