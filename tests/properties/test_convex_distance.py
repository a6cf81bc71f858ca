"""Distances of convex shapes against the oracle, and what must not change them."""

import numpy as np
import pytest

import firstcontact as fc
from firstcontact import _jit
from properties.convex_claims import is_off_shape, scale_of, true_distances
from properties.convex_families import FAMILIES, generate, moved_by, scaled
from properties.rigid_families import orientation
from samples import sample

# What a distance may be off, relative to it, and relative to the sizes of the shapes and how far they are
# apart. Almost all are right to 1e-13 of these; the worst of 100,000 was off by half of this.
RELATIVE, OF_SCALE = 1e-10, 1e-11

# How far apart shapes may be, relative to their place, that cannot be told from touching.
OF_FAR = 1e-14

# The same for the points: round shapes that almost touch are about as close within this of the true place.
OF_POINTS = 1e-6

every_family = pytest.mark.parametrize("family", FAMILIES)


def measured(case):
    return fc.distance(case.a.at(case.poses_a), case.b.at(case.poses_b))


def touches(case):
    return fc.intersects(case.a.at(case.poses_a), case.b.at(case.poses_b))


N_CASES = sample(2, of=4)


def cases_of(family, n=N_CASES, first=0):
    return [generate(family, seed) for seed in range(first, first + n)]


def check_distances(cases):
    truth, scale = true_distances(cases), np.concatenate([scale_of(case) for case in cases])
    found = np.concatenate([measured(case).distance for case in cases])
    slack = RELATIVE * truth.upper + OF_SCALE * scale
    # Where rounding of places far from the origin hides a gap, the shapes count as touching.
    touching = np.concatenate([touches(case) for case in cases])
    far = np.concatenate([np.abs(case.places_a).max(axis=1) for case in cases])
    assert not found[touching].any()
    is_hidden = touching & (truth.lower <= slack + OF_FAR * far)
    assert np.all(is_hidden | (found >= truth.lower - slack))
    assert np.all(found <= truth.upper + slack)


@every_family
def test_distances_are_right(family):
    check_distances(cases_of(family))


@every_family
def test_points_are_on_the_shapes_and_as_far_apart_as_the_distance(family):
    for case in cases_of(family, 1, 20):
        found, scale = measured(case), scale_of(case)
        slack = 1e-12 * (scale + np.abs(case.places_a).max() + np.abs(case.places_b).max())
        assert np.all(is_off_shape(case.a, case.poses_a, found.points_a) <= slack)
        assert np.all(is_off_shape(case.b, case.poses_b, found.points_b) <= slack)
        apart = np.linalg.norm(found.points_b - found.points_a, axis=1)
        assert np.all(np.abs(apart - found.distance) <= slack + OF_POINTS * scale)


@every_family
def test_no_contact_is_missed_and_none_is_made_up(family):
    cases = cases_of(family, 4, 40)
    truth, scale = true_distances(cases), np.concatenate([scale_of(case) for case in cases])
    found = np.concatenate([touches(case) for case in cases])
    assert np.all(found[truth.gap <= 0])
    assert not np.any(found[truth.lower > 1e-12 * scale])


@every_family
def test_a_and_b_may_be_swapped(family):
    for case in cases_of(family, 3, 60):
        there = measured(case)
        back = fc.distance(case.b.at(case.poses_b), case.a.at(case.poses_a))
        assert np.all(np.abs(there.distance - back.distance) <= 2 * OF_SCALE * scale_of(case))


@every_family
def test_the_place_in_the_world_does_not_matter(family):
    rng = np.random.default_rng(5)
    for case in cases_of(family, 2, 80):
        turn, way = orientation(rng), scale_of(case).max() * rng.standard_normal(3)
        turned = moved_by(case, way)
        turned = turned._replace(
            rotations_a=turn @ case.rotations_a,
            rotations_b=turn @ case.rotations_b,
            places_a=turned.places_a @ turn.T,
            places_b=turned.places_b @ turn.T,
        )
        here, there = measured(case).distance, measured(turned).distance
        slack = 2 * OF_SCALE * (scale_of(case) + np.abs(turned.places_a).max() + np.abs(case.places_a).max())
        assert np.all(np.abs(here - there) <= slack + 2 * RELATIVE * here)


@pytest.mark.parametrize("family", ["plain", "flat hulls", "touching", "lattice", "many points"])
def test_a_power_of_two_changes_nothing_but_the_scale(family):
    for case in cases_of(family, 3, 100):
        for factor in (2.0**-60, 2.0**60):
            assert np.array_equal(factor * measured(case).distance, measured(scaled(case, factor)).distance)


@pytest.mark.parametrize("family", ["plain", "needles", "parallel", "coincident"])
def test_one_pair_is_answered_as_in_a_batch(family):
    for case in cases_of(family, 2, 120):
        batch = measured(case)
        for k in range(len(batch.distance)):
            pose_a, pose_b = (case.rotations_a[k], case.places_a[k]), (case.rotations_b[k], case.places_b[k])
            one = fc.distance(case.a.at(pose_a), case.b.at(pose_b))
            assert one.distance == batch.distance[k]
            assert np.array_equal(one.points_a, batch.points_a[k])
            assert np.array_equal(one.points_b, batch.points_b[k])


def test_threads_do_not_change_a_bit(monkeypatch):
    case = generate("many points", 7)
    poses = [np.tile(x, (200, *[1] * (x.ndim - 1))) for x in (*case.poses_a, *case.poses_b)]
    a, b = case.a.at(tuple(poses[:2])), case.b.at(tuple(poses[2:]))
    answers = []
    for n_threads in (1, 2):
        monkeypatch.setattr(_jit, "thread_count", lambda n=n_threads: n)
        found = fc.distance(a, b)
        answers.append((found.distance.tobytes(), found.points_a.tobytes(), found.points_b.tobytes()))
    assert answers[0] == answers[1]


@pytest.mark.slow
@every_family
def test_distances_of_many_pairs_are_right(family):
    for first in range(1000, 1800, 100):
        check_distances(cases_of(family, 100, first))
