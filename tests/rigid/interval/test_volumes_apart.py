"""What volumes hold stays apart where they are said to: sampled in extended precision."""

import numpy as np
import pytest

from firstcontact.bounds.swept_sphere import Volume, volume_of
from firstcontact.motions.relative_motion import relative_motion
from firstcontact.motions.rigid_paths import motion_at_origin
from firstcontact.rigid.interval.placement_range import Way, placement_range, way_of
from firstcontact.rigid.interval.volumes_apart import (
    blur_of,
    boxes_stay_apart,
    spheres_stay_apart,
    volumes_stay_apart,
)
from rigid.test_mesh_steps import Pair, below
from samples import sample

FAMILIES = ["both moving", "spinning", "screw", "many turns", "degenerate", "sliding", "far 1e6", "unequal"]
ZERO, X, Y, Z = (0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
SQUARE = Volume(ZERO, X, Y, Z, 1.0, 1.0, 0.25, 1.75)


@pytest.mark.parametrize("family", FAMILIES)
def test_what_is_below_stays_apart(family):
    n_apart = 0
    for seed in range(sample(6, of=60)):
        pair = Pair(family, seed)
        motion = relative_motion(pair.row_a, pair.row_b, pair.a.origin, pair.b.origin)
        margin = float(pair.rng.choice([0.0, 0.01])) * min(pair.a.reach, pair.b.reach) + pair.hidden
        nodes = pair.rng.integers(len(pair.a.children)), pair.rng.integers(len(pair.b.children))
        volumes = volume_of(pair.a.volumes, nodes[0]), volume_of(pair.b.volumes, nodes[1])
        length = pair.left(float(pair.rng.choice([0.01, 0.1, 0.5])))
        over = placement_range(motion, pair.t, pair.t + length)
        way = way_of(over, volumes[0].center, volumes[1].center)
        if volumes_stay_apart(over, way, *volumes, margin):
            n_apart += 1
            apart = pair.nearest(below(pair.a, nodes[0]), below(pair.b, nodes[1]), length)
            assert apart.min() >= margin - pair.hidden
    assert n_apart > 0


def at_rest(offset, turned=(X, Y, Z)):
    row = motion_at_origin().rows()[0, 0]
    over = placement_range(relative_motion(row, row, ZERO, ZERO), 0.0, 1.0)
    flat = tuple(np.ravel(turned).tolist())
    return over._replace(place=over.place._replace(rotation=flat, offset=offset))


@pytest.mark.parametrize("seed", range(sample(10, of=200)))
def test_at_rest_fifteen_axes_are_the_distance_of_rectangles_or_less(seed):
    rng = np.random.default_rng(seed)
    turned, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    offset = tuple((rng.normal(size=3) * 2.0).tolist())
    over = at_rest(offset, turned)
    way = way_of(over, ZERO, ZERO)
    grid = np.stack(np.meshgrid(np.linspace(-1, 1, 21), np.linspace(-1, 1, 21), [0.0]), -1).reshape(-1, 3)
    points = grid @ turned.T + offset
    nearest = np.linalg.norm(points[:, np.newaxis] - grid, axis=2).min()
    # No axis tells more than the distance, which samples show too large.
    assert not boxes_stay_apart(over, way, SQUARE, SQUARE, max(nearest - 0.5, 0.0) + 1e-9)
    spread = np.abs(points).sum()
    assert spread > 0.0


def test_each_axis_of_a_box():
    for axis in range(3):
        for gap, is_apart in ((1e-9, True), (-1e-9, False)):
            offset = [0.0, 0.0, 0.0]
            offset[axis] = (2.5 if axis < 2 else 0.5) + 0.1 + gap
            over = at_rest(tuple(offset))
            way = way_of(over, ZERO, ZERO)
            assert boxes_stay_apart(over, way, SQUARE, SQUARE, 0.1) == is_apart


def test_crossed_edges_need_an_axis_of_both():
    # Two long thin rectangles on edge, crossed: only the axis at right angles to both keeps them apart.
    s = np.sqrt(0.5)
    thin = Volume(ZERO, X, Y, Z, 3.0, 0.0, 0.1, 3.1)
    turned = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    for height, is_apart in ((0.21, True), (0.19, False)):
        over = at_rest((0.0, 0.0, height), turned)
        way = way_of(over, ZERO, ZERO)
        tilted = thin._replace(across=(0.0, s, s), normal=(0.0, -s, s))
        assert boxes_stay_apart(over, way, tilted, tilted, 0.0) == is_apart
        assert not spheres_stay_apart(way, over.half, 6.2)


def test_spheres_that_pass_each_other():
    passing = Way((-5.0, 2.0, 0.0), (10.0, 0.0, 0.0), 0.0)
    assert spheres_stay_apart(passing, 1.0, 1.999)
    assert not spheres_stay_apart(passing, 1.0, 2.001)
    assert spheres_stay_apart(passing, 0.1, 4.4)
    assert not spheres_stay_apart(passing._replace(rest=0.01), 1.0, 1.999)
    assert spheres_stay_apart(Way((3.0, 0.0, 0.0), ZERO, 0.0), 1.0, 2.9)


def test_blur_is_how_far_points_go():
    over = at_rest((5.0, 0.0, 0.0))._replace(half=0.5, turn=(0.0, 0.0, 2.0), swing=0.25)
    way = Way((5.0, 0.0, 0.0), (0.0, 3.0, 4.0), 0.125)
    assert blur_of(over, way, 2.0) == 0.5 * 5.0 + 0.125 + 2.0 * (0.5 * 2.0 + 0.25)
