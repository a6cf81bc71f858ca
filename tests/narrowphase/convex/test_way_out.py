import numpy as np
import pytest

import firstcontact as fc
from firstcontact.narrowphase.convex.polytope import workspace
from firstcontact.narrowphase.convex.way_out import penetration_convex_convex
from narrowphase.convex.pairs import any_rotation, pair_of

WORK = workspace(1024)


def overlap(a, b, rotation=None, offset=(0.0, 0.0, 0.0)):
    return penetration_convex_convex(*pair_of(a, b, rotation, offset), *WORK)


def test_spheres():
    found = overlap(fc.Sphere(1), fc.Sphere(2), None, (0.0, 0.0, 2.5))
    assert found.depth == pytest.approx(0.5, rel=1e-15)
    assert found.direction == (0.0, 0.0, -1.0)
    assert found.point_a == (0.0, 0.0, 1.5)
    assert overlap(fc.Sphere(1), fc.Sphere(2), None, (0.0, 0.0, 3.5)).depth < 0
    same = overlap(fc.Sphere(1), fc.Sphere(2))
    assert same.depth == 3.0
    assert np.linalg.norm(same.direction) == 1.0


def test_crossed_capsules_leave_across_both():
    capsule, turn = fc.Capsule(0.5, 2), np.array([[0.0, 0, 1], [0, 1, 0], [-1, 0, 0]])
    found = overlap(capsule, capsule, turn)
    assert found.depth == pytest.approx(1.0, rel=1e-14)
    assert np.allclose(np.abs(found.direction), (0, 1, 0))


def test_a_core_inside_a_box_adds_its_radius():
    found = overlap(fc.Sphere(0.25), fc.Box([2, 2, 2]), None, (0.0, 0.6, 0.1))
    assert found.depth == pytest.approx(0.4 + 0.25, rel=1e-14)
    assert found.direction == (0.0, -1.0, 0.0)
    assert np.allclose(found.point_a, (0.0, 0.35, 0.1))


@pytest.mark.parametrize("seed", range(10))
def test_an_ellipsoid_in_its_stretched_space_is_a_sphere(seed):
    # A point inside an ellipsoid: the way out is to the nearest point of its surface, here by dense sampling.
    rng = np.random.default_rng(seed)
    radii = rng.uniform(0.5, 2.0, 3)
    place = 0.4 * radii * rng.normal(size=3) / 2
    found = overlap(fc.Sphere(0.1), fc.Ellipsoid(radii), any_rotation(rng), place)
    n = rng.normal(size=(200_000, 3))
    n /= np.linalg.norm(n, axis=1, keepdims=True)
    depths = np.linalg.norm(radii * n, axis=1) + n @ place + 0.1
    assert depths.min() * (1 - 1e-3) <= found.depth <= depths.min()
    d = -np.array(found.direction)
    assert found.depth == pytest.approx(np.linalg.norm(radii * d) - d @ place + 0.1, rel=1e-13)
    # On the surface: where the normal is the direction.
    assert np.linalg.norm((found.point_a + found.depth * d) / radii) == pytest.approx(1.0, abs=1e-10)


def test_a_cylinder_around_its_own_axis_has_many_ways_out():
    found = overlap(fc.Sphere(0.1), fc.Cylinder(1, 8), None, (0.0, 0.0, 0.3))
    assert found.depth == pytest.approx(1.1, rel=1e-12)
    assert abs(found.direction[2]) < 1e-6


def test_parallel_boxes_touch_within_both():
    box = fc.Box([2, 2, 2])
    found = overlap(box, box, None, (1.9, 0.5, -0.25))
    assert found.depth == pytest.approx(0.1, rel=1e-13)
    assert found.direction == (-1.0, 0.0, 0.0)
    assert found.point_a[0] == pytest.approx(0.9)
    assert -0.5 - 1e-9 <= found.point_a[1] <= 1 + 1e-9
    assert -1 - 1e-9 <= found.point_a[2] <= 0.75 + 1e-9


def test_touching_counts():
    box = fc.Box([2, 2, 2])
    assert overlap(box, box, None, (2.0, 0.5, 0.5)).depth == 0.0
    assert overlap(fc.Sphere(1), box, None, (2.0, 0.0, 0.0)).depth == pytest.approx(0.0, abs=1e-15)
