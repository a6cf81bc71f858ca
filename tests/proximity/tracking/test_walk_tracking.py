"""Trackers that walk from feature to feature: the distances of exact arithmetic, and of the plain query."""

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.proximity.tracking.walk_tracking import N_LEFT, N_WALKED
from oracles.convex_exact import exact_hull_distance_squared, placed_exactly, root
from poses import pose
from samples import sample

RNG = np.random.default_rng(11)


def ball(n, sizes=(1, 1, 1)):
    points = RNG.normal(size=(n, 3))
    return fc.ConvexHull(points / np.linalg.norm(points, axis=1)[:, None] * sizes, flat=True)


def lattice(n):
    return fc.ConvexHull(RNG.integers(-2, 3, (n, 3)) / 2.0, flat=True)


PRISM = fc.ConvexHull([[np.cos(t), np.sin(t), z] for t in np.arange(0, 6.28, 0.1) for z in (-0.5, 0.5)])
POLYTOPES = {
    "tetrahedra": (ball(4), ball(4)),
    "hulls": (ball(100), ball(40)),
    "large hulls": (ball(2500), ball(2100, (1, 0.2, 0.1))),
    "boxes": (fc.Box([1, 2, 1]), fc.Box([2, 1, 1.5])),
    "prisms": (PRISM, fc.Box([1, 1, 1])),
    "flat": (ball(9, (1, 1, 0)), ball(12, (1, 0, 1))),
    "flat and box": (ball(9, (1, 1, 0)), fc.Box([1, 1, 1])),
    "nearly flat": (ball(20, (1, 1, 1e-13)), ball(20, (1, 1e-7, 1))),
    "segment": (fc.ConvexHull([[0, 0, 0], [1, 0, 0]], flat=True), ball(30)),
    "lattice": (lattice(9), lattice(9)),
    "lattice and box": (lattice(30), fc.Box([1, 1, 1])),
    "doubles": (fc.ConvexHull(np.repeat(np.eye(4)[:, :3], 3, axis=0)), fc.Box([1, 1, 1])),
    "rounded": (fc.Rounded(fc.Box([1, 1, 1]), 0.1), fc.Rounded(ball(20), 0.2)),
    "ball and capsule": (fc.Sphere(0.2), fc.Capsule(0.1, 1)),
}
SIZE = 6.0  # of both bodies, and how far they are apart
N_STEPS = sample(150, of=10_000)


def walk(n, seed):
    """Small steps past and through each other, a leap now and then, and rows of poses that align exactly."""
    rng = np.random.default_rng(seed)
    place, turn = np.array([2.0, 0.0, 0.0]), np.zeros(3)
    for k in range(n):
        step = 10.0 ** rng.uniform(-6, -1)
        if k % 50 == 0:
            place, turn = 2.0 * rng.normal(size=3), 2.0 * rng.normal(size=3)
        if k % 50 == 30:
            place, turn = np.round(2.0 * place) / 2.0, np.zeros(3)
        if k % 50 < 30:
            place, turn = place + step * rng.normal(size=3) - 0.01 * place, turn + step * rng.normal(size=3)
        elif k % 50 < 40:
            place = place + np.array([0.0, 0.0, 1 / 64])
        yield pose(place, turn)


@pytest.mark.parametrize("name", POLYTOPES)
def test_distances_along_a_walk(name):
    a, b = POLYTOPES[name]
    tracker, steps = fc.Tracker(a, b, method="voronoi"), np.array(list(walk(N_STEPS, len(name))))
    truth = fc.distance(a.at(steps), b).distance
    for here, gap in zip(steps, truth.tolist(), strict=True):
        near = tracker.distance(here)
        assert abs(near.distance - gap) <= 1e-13 * SIZE
        assert (near.distance == 0.0) == (gap == 0.0) == tracker.intersects(here)
        assert abs(np.linalg.norm(near.points_a - near.points_b) - near.distance) <= 1e-12 * SIZE
    known = tracker._tracked._walks.state
    # What overlaps is left to GJK; of what is apart, nearly all is walked to.
    assert known[N_LEFT] <= np.count_nonzero(truth == 0.0) + 0.15 * N_STEPS
    assert known[N_WALKED] + known[N_LEFT] == N_STEPS


@pytest.mark.parametrize("name", ["tetrahedra", "boxes", "flat", "lattice", "doubles", "segment"])
def test_distances_in_exact_arithmetic(name):
    a, b = POLYTOPES[name]
    tracker, there = fc.Tracker(a, b, method="voronoi"), np.eye(4)
    for here in walk(sample(12, of=400), 3):
        sides = [(shape.mesh.vertices, at) for shape, at in ((a, here), (b, there))]
        truth = root(exact_hull_distance_squared(*(placed_exactly(p, m[:3, :3], m[:3, 3]) for p, m in sides)))
        assert abs(Fraction(tracker.distance(here, there).distance) - truth) <= 1e-13 * SIZE


def test_a_small_step_takes_a_step_or_two():
    for n in (10, 100, 1000):
        tracker = fc.Tracker(ball(n), ball(n), method="voronoi")
        poses = [pose((2.5, turn, 0), (0, turn, turn)) for turn in np.linspace(0.0, 0.1, 100)]
        steps = [tracker.distance(here).stats.iterations for here in poses]
        assert np.mean(steps[1:]) < 2.0


def test_a_leap_starts_from_the_table():
    a, b = POLYTOPES["large hulls"]
    tracker, rng = fc.Tracker(a, b, method="voronoi"), np.random.default_rng(2)
    steps = []
    for _ in range(60):
        place = rng.normal(size=3)
        here = pose(3.0 * place / np.linalg.norm(place), rng.normal(size=3))
        near = tracker.distance(here)
        steps.append(near.stats.iterations)
        assert abs(near.distance - fc.distance(a.at(here), b).distance) <= 1e-13 * SIZE
    assert np.mean(steps) < 25  # of 13,000 features


def test_contact_and_depth_are_those_of_any_tracker():
    a, b = POLYTOPES["hulls"]
    plain, tracker = fc.Tracker(a, b, method="gjk"), fc.Tracker(a, b, method="voronoi")
    for here in walk(40, 5):
        assert tracker.intersects(here) == plain.intersects(here)
        assert tracker.penetration(here) == plain.penetration(here)
    assert tracker.first_contact([pose((3, 0, 0)), pose()]) == plain.first_contact([pose((3, 0, 0)), pose()])


def test_the_method_travels_and_is_told():
    tracker = fc.Tracker(*POLYTOPES["boxes"], method="voronoi")
    for same in (pickle.loads(pickle.dumps(tracker)), copy.deepcopy(tracker)):
        assert repr(same) == repr(tracker) == "Tracker(Box([1, 2, 1]), Box([2, 1, 1.5]), method='voronoi')"
        assert same.distance(pose((3, 0, 0))) == tracker.distance(pose((3, 0, 0)))


def test_what_has_no_features_is_told():
    box, cube = fc.Box([1, 1, 1]), fc.Box([1, 1, 1]).mesh
    rule = r"^method='voronoi' walks over vertices, edges and faces; b, a Cylinder, has none$"
    for round_one in (fc.Cylinder(1, 1), fc.Rounded(fc.Cylinder(1, 1), 0.1)):
        with pytest.raises(ValueError, match=rule):
            fc.Tracker(box, round_one, method="voronoi")
    with pytest.raises(ValueError, match=r"^method must be 'gjk' or 'voronoi'; received 'c2a'$"):
        fc.Tracker(box, box, method="c2a")
    for a, b in ((box, cube), (cube, cube), (box, fc.HalfSpace([0, 0, 1], 0)), (fc.Compound([box]), box)):
        with pytest.raises(
            ValueError, match=r"^method of a Tracker is for two convex shapes, and one of these"
        ):
            fc.Tracker(a, b, method="gjk")


def test_threads_share_a_tracker():
    a, b = POLYTOPES["hulls"]
    tracker, walks = fc.Tracker(a, b, method="voronoi"), [list(walk(60, seed)) for seed in range(4)]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda steps: [tracker.distance(here).distance for here in steps], walks))
    for steps, gaps in zip(walks, found, strict=True):
        assert np.allclose(gaps, fc.distance(a.at(np.array(steps)), b).distance, rtol=0, atol=1e-13 * SIZE)
