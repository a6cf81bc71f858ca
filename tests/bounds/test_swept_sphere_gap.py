"""The gap of two volumes never exceeds their distance, and the direction proves it."""

import numpy as np
import pytest

from firstcontact.bounds.swept_sphere import Volume
from firstcontact.bounds.swept_sphere_gap import gap_volume_volume, placed
from firstcontact.scalar.error_bounds import UNIT_ROUNDOFF
from oracles.closest_triangles import Real, closest_points, norm
from properties.rigid_families import orientation, rotation_by, unit
from samples import sample

RNG = np.random.default_rng(11)
ROUNDING = 32.0 * UNIT_ROUNDOFF


def volume(center, axes, sizes):
    return Volume(*(tuple(map(float, v)) for v in (center, *axes)), *map(float, sizes), 0.0)


def random_volume(kind="any", scale=1.0, away=2.0):
    sizes = RNG.uniform(0.0, 1.0, 3) * RNG.choice([1.0, 0.1, 0.0], 3)
    axes = orientation(RNG)
    if kind == "aligned":
        axes, sizes = np.eye(3)[RNG.permutation(3)], np.round(4.0 * sizes) / 4.0
    if kind == "parallel":
        axes = rotation_by([0.0, 0.0, RNG.uniform(0.0, 6.0)])
    if kind == "nearly parallel":
        axes = rotation_by(1e-7 * RNG.standard_normal(3))
    if kind == "points":
        sizes = sizes * [0.0, 0.0, 1.0]
    if kind == "segments":
        sizes = sizes * [1.0, 0.0, 1.0]
    return volume(scale * away * RNG.standard_normal(3), axes, scale * sizes)


def corners(v):
    center, along, across = (np.array(x, Real) for x in v[:3])
    length, width = Real(v.half_length), Real(v.half_width)
    return [center + i * length * along + j * width * across for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))]


def distance(a, b):
    """Distance of two rectangles, as that of two triangles of each, less the radii: negative where inside."""
    halves = [[[c[0], c[1], c[2]], [c[0], c[2], c[3]]] for c in (corners(a), corners(b))]
    pairs = np.array([[x, y] for x in halves[0] for y in halves[1]]).transpose(1, 3, 2, 0)
    p, q = closest_points(*pairs)
    return norm(q - p).min() - a.radius - b.radius


def size_of(a, b):
    return max(np.abs(np.array(v.center)).max() + v.half_length + v.half_width + v.radius for v in (a, b))


def shadow(v, n):
    """Interval of a volume's points along a unit vector."""
    heights = [np.dot(corner, n) for corner in corners(v)]
    return min(heights) - v.radius, max(heights) + v.radius


KINDS = ["any", "aligned", "parallel", "nearly parallel", "points", "segments"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("away", [0.3, 2.0, 20.0])
def test_the_gap_never_exceeds_the_distance(kind, away):
    for _ in range(sample(20, of=60)):
        a, b = random_volume(kind, away=away), random_volume(kind, away=away)
        gap, direction = gap_volume_volume(a, b)
        assert gap <= distance(a, b) + ROUNDING * size_of(a, b) or gap < 0.0
        if gap > 0.0:
            assert np.linalg.norm(direction) == pytest.approx(1.0, abs=8 * UNIT_ROUNDOFF)
            n = np.array(direction, Real)
            assert gap <= shadow(b, n)[0] - shadow(a, n)[1] + ROUNDING * size_of(a, b)


@pytest.mark.parametrize("scale", [1e-150, 1e-30, 1e-6, 1e6, 1e40])
def test_the_gap_at_any_scale(scale):
    for _ in range(40):
        a, b = random_volume(scale=scale), random_volume(scale=scale)
        gap, _ = gap_volume_volume(a, b)
        assert gap <= distance(a, b) + ROUNDING * size_of(a, b) or gap < 0.0


def test_the_gap_is_most_of_the_distance():
    """Not a promise, but the search would be slow without."""
    kept = []
    for kind in KINDS * 40:
        a, b = random_volume(kind, away=4.0), random_volume(kind, away=4.0)
        true = distance(a, b)
        if true > 0.1:
            kept.append(max(gap_volume_volume(a, b)[0], 0.0) / true)
    assert len(kept) > 100
    assert np.mean(kept) > 0.95


def test_flat_volumes_face_to_face():
    for height in (1e-9, 1e-3, 1.0):
        a = volume([0.0, 0.0, 0.0], np.eye(3), [2.0, 1.0, 0.0])
        b = volume([0.7, 0.3, height], rotation_by([0.0, 0.0, 0.4]), [3.0, 0.5, 0.0])
        gap, direction = gap_volume_volume(a, b)
        assert gap == pytest.approx(height, rel=1e-6)
        assert direction == pytest.approx((0.0, 0.0, 1.0), abs=1e-6)
        assert gap_volume_volume(b, a)[1] == pytest.approx((0.0, 0.0, -1.0), abs=1e-6)


def test_points_are_spheres():
    for _ in range(40):
        a, b = random_volume("points"), random_volume("points")
        apart = np.linalg.norm(np.subtract(b.center, a.center)) - a.radius - b.radius
        gap, _ = gap_volume_volume(a, b)
        assert gap == pytest.approx(apart, abs=1e-14) or (gap < 0.0 and apart < 0.0)


def test_volumes_at_one_place_have_no_gap():
    for kind in KINDS:
        a = random_volume(kind)
        assert gap_volume_volume(a, a)[0] <= 0.0


def test_a_placed_volume_is_the_volume_of_placed_points():
    for _ in range(20):
        v, rotation, offset = random_volume(), orientation(RNG), 3.0 * unit(RNG)
        moved = placed(v, tuple(rotation.ravel().tolist()), tuple(offset.tolist()))
        expected = [rotation @ corner.astype(float) + offset for corner in corners(v)]
        assert np.allclose(np.array(corners(moved), float), expected, rtol=0.0, atol=1e-14)
        assert np.allclose(moved.normal, rotation @ v.normal, rtol=0.0, atol=1e-15)
        assert moved[4:] == v[4:]
