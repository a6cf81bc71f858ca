"""Depths of convex shapes against the oracle, and what must not change them."""

import numpy as np
import pytest

import firstcontact as fc
from oracles.closest_triangles import Real
from oracles.convex_cores import shadow_gap
from oracles.convex_penetration import penetration
from properties.convex_claims import is_off_shape, scale_of, true_distances
from properties.convex_families import FAMILIES, cores_of, generate
from samples import sample

# What a depth may be off, relative to the sizes of the shapes and how far they are apart; of ellipsoids and
# cylinders, relative to the depth.
OF_SCALE, OF_SMOOTH = 1e-13, 1e-5

# Families in which shapes overlap often, and the oracle takes no more than milliseconds.
DEEP = (
    "plain",
    "thin",
    "flat hulls",
    "needles",
    "touching",
    "parallel",
    "lattice",
    "coincident",
    "deep",
    "tiny",
)


def depths(case):
    return fc.penetration(case.a.at(case.poses_a), case.b.at(case.poses_b))


def way_of(found):
    return np.where(np.isnan(found.direction), [1.0, 0.0, 0.0], found.direction)


@pytest.mark.parametrize("family", DEEP)
def test_depths_are_the_least(family):
    n_overlaps = 0
    for seed in range(2, 20):
        case = generate(family, seed)
        found, scale = depths(case), scale_of(case)
        for k in np.flatnonzero(found.is_overlapping)[:2]:
            n_overlaps += 1
            poses = [(rotations[k], places[k]) for rotations, places in (case.poses_a, case.poses_b)]
            truth = penetration(case.a, poses[0], case.b, poses[1])
            assert found.depth[k] <= truth.upper * (1.0 + OF_SMOOTH) + OF_SCALE * scale[k]
            assert found.depth[k] >= truth.lower - OF_SCALE * scale[k]
    assert n_overlaps > 2


@pytest.mark.parametrize("family", FAMILIES)
def test_the_way_parts_the_shapes(family):
    for seed in range(10, 14):
        case = generate(family, seed)
        found, scale = depths(case), scale_of(case)
        a, b = cores_of(case)
        overlap = -shadow_gap(a, b, way_of(found).T.astype(Real))
        assert np.all((overlap <= found.depth + OF_SCALE * scale) | ~found.is_overlapping)
        assert np.all((overlap >= found.depth - OF_SCALE * scale) | ~found.is_overlapping)


@pytest.mark.parametrize("family", FAMILIES)
def test_what_overlaps_is_known(family):
    cases = [generate(family, seed) for seed in range(20, 20 + sample(2, of=4))]
    truth, scale = true_distances(cases), np.concatenate([scale_of(case) for case in cases])
    found = np.concatenate([depths(case).is_overlapping for case in cases])
    assert np.all(found[truth.gap <= 0])
    assert not np.any(found[truth.lower > 1e-12 * scale])


@pytest.mark.parametrize("family", DEEP)
def test_points_are_on_the_shapes_at_both_ends_of_the_way(family):
    case = generate(family, 30)
    found = depths(case)
    slack = 1e-6 * (scale_of(case) + np.abs(case.places_a).max())
    is_apart = ~found.is_overlapping
    points_a, points_b = (np.where(is_apart[:, None], 0.0, x) for x in (found.points_a, found.points_b))
    assert np.all((is_off_shape(case.a, case.poses_a, points_a) <= slack) | is_apart)
    assert np.all((is_off_shape(case.b, case.poses_b, points_b) <= slack) | is_apart)
    way = np.where(is_apart[:, None], 0.0, found.depth[:, None] * way_of(found))
    assert np.all(np.linalg.norm(points_a - points_b - way, axis=1) <= 1e-6 * slack)


@pytest.mark.parametrize("family", DEEP)
def test_a_and_b_may_be_swapped(family):
    case = generate(family, 40)
    there, back = depths(case), fc.penetration(case.b.at(case.poses_b), case.a.at(case.poses_a))
    slack = OF_SMOOTH * there.depth + OF_SCALE * scale_of(case)
    assert np.all(np.abs(there.depth - back.depth) <= slack)


def test_one_pair_is_answered_as_in_a_batch():
    case = generate("deep", 50)
    batch = depths(case)
    for k in range(len(batch.depth)):
        pose_a, pose_b = (case.rotations_a[k], case.places_a[k]), (case.rotations_b[k], case.places_b[k])
        one = fc.penetration(case.a.at(pose_a), case.b.at(pose_b))
        assert one.depth == batch.depth[k]
        assert bool(one) == batch.is_overlapping[k]
        assert np.array_equal(one.direction, batch.direction[k], equal_nan=True)
