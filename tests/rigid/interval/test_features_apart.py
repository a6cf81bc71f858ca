"""Triangles that are said to stay apart do, by samples in extended precision; functions that are always 0."""

import numpy as np
import pytest

from firstcontact.bodies.placed_triangle import placed_triangle
from firstcontact.motions.relative_motion import relative_motion
from firstcontact.rigid.interval.features_apart import (
    direction_stays_between,
    features_stay_apart,
    prism_of,
    triangles_stay_apart,
)
from firstcontact.rigid.interval.placement_range import placement_range
from properties.rigid_families import row
from rigid.test_mesh_steps import Pair
from samples import sample

FAMILIES = ["both moving", "spinning", "screw", "many turns", "degenerate", "sliding", "far 1e6", "unequal"]
LEAF = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
OTHER = ((0.1, 0.0, 0.0), (0.9, 0.5, 0.0), (0.0, 0.7, 0.0))
ZERO = (0.0, 0.0, 0.0)


def corners(body, k):
    return tuple(map(tuple, body.triangles[k, :9].reshape(3, 3).tolist()))


@pytest.mark.parametrize("family", FAMILIES)
def test_triangles_stay_apart(family):
    n_apart = 0
    for seed in range(sample(8, of=80)):
        pair = Pair(family, seed)
        motion = relative_motion(pair.row_a, pair.row_b, pair.a.origin, pair.b.origin)
        margin = float(pair.rng.choice([0.0, 0.01])) * min(pair.a.reach, pair.b.reach) + pair.hidden
        i, j = pair.rng.integers(len(pair.a.order)), pair.rng.integers(len(pair.b.order))
        own = [
            tuple(map(tuple, body.triangles[k, :9].reshape(3, 3))) for body, k in ((pair.a, i), (pair.b, j))
        ]
        length = pair.left(float(pair.rng.choice([0.01, 0.1, 0.5])))
        over = placement_range(motion, pair.t, pair.t + length)
        apart = pair.nearest([i], [j], length)
        if apart[0] > margin and triangles_stay_apart(over, *own, margin):
            n_apart += 1
            assert apart.min() >= margin - pair.hidden
    assert n_apart > 0


def moved(offset, velocity=ZERO, turn=ZERO, length=1.0):
    rows = row(np.eye(3), np.zeros(3), offset, velocity, turn), row(np.eye(3), np.zeros(3), np.zeros(3))
    over = placement_range(relative_motion(*rows, ZERO, ZERO), 0.0, length)
    return over, placed_triangle(over.place, LEAF)


def test_features_decide_where_no_direction_does():
    pair, n_decided = Pair("spinning", 16), 0
    motion = relative_motion(pair.row_a, pair.row_b, pair.a.origin, pair.b.origin)
    over = placement_range(motion, pair.t, pair.t + pair.left(0.01))
    for i in range(len(pair.a.order)):
        for j in range(len(pair.b.order)):
            a, b = corners(pair.a, i), corners(pair.b, j)
            placed = placed_triangle(over.place, a)
            by_features = features_stay_apart(over, a, placed, b, 1e-6)
            by_direction = direction_stays_between(over, a, placed, b, 1e-6)
            n_decided += by_features and not by_direction
            assert triangles_stay_apart(over, a, b, 1e-6) == (by_features or by_direction)
    assert n_decided > 0


def test_two_leaves_one_above_the_other():
    for speed, is_apart in ((0.2, True), (-1.0, False)):
        over, placed = moved([0.0, 0.0, 0.5], [0.0, 0.0, speed], [0.0, 0.0, 0.1])
        assert features_stay_apart(over, LEAF, placed, OTHER, 0.01) == is_apart


def test_what_slides_in_one_plane_is_decided_by_a_direction():
    over, placed = moved([-3.0, 1.001, 0.0], velocity=[6.0, 0.0, 0.0])
    assert not features_stay_apart(over, LEAF, placed, LEAF, 1e-6)  # parallel edges, functions that are 0
    assert triangles_stay_apart(over, LEAF, LEAF, 1e-6)
    over, _ = moved([-3.0, 0.999, 0.0], velocity=[6.0, 0.0, 0.0])
    assert not triangles_stay_apart(over, LEAF, LEAF, 1e-6)


def test_a_triangle_without_area_is_decided_by_a_direction():
    needle = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (2.0, 0.0, 0.0))
    over, _ = moved([0.0, 0.0, 0.1], velocity=[1.0, 0.0, 0.0])
    assert triangles_stay_apart(over, needle, LEAF, 0.09)
    assert not triangles_stay_apart(over, needle, LEAF, 0.11)
    assert triangles_stay_apart(over, needle, needle, 0.09)


@pytest.mark.parametrize("seed", range(10))
def test_a_prism_has_no_corner_beyond_it(seed):
    rng = np.random.default_rng(seed)
    corners = rng.normal(size=(3, 3)) * [1.0, 10.0**-seed, 1.0]
    prism = prism_of(tuple(map(tuple, corners.tolist())))
    for k in range(3):
        along = (corners - corners[k]) @ prism.sides[k]
        assert along.max() <= prism.tops[k] < 1e-6
        assert along.min() < -1e-9
    assert np.abs((corners - corners[0]) @ prism.normal).max() <= prism.thickness < 1e-6
