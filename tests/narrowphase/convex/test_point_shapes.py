"""Points and convex shapes: against closed forms, meshes, and the conditions of a closest point."""

import numpy as np
import pytest

from firstcontact import Box, Capsule, Cone, Cylinder, Ellipsoid, Rounded, Sphere, signed_distance

SHAPES = {
    "Sphere": Sphere(1.3),
    "Box": Box([1.0, 2.0, 3.0]),
    "Capsule": Capsule(0.5, 2.0),
    "Cylinder": Cylinder(1.0, 2.5),
    "Cone": Cone(1.0, 2.5),
    "flat Cone": Cone(2.0, 0.3),
    "Rounded": Rounded(Cone(1.0, 2.0), 0.25),
    "Ellipsoid": Ellipsoid([1.0, 2.0, 0.3]),
    "round Ellipsoid": Ellipsoid([2.0, 0.5, 2.0]),
}

# Sharp edges, and tips, have normals more than a right angle apart: minus their least cosines.
SHARPEST = {"Cone": 0.7242, "flat Cone": 0.9890}


def points(rng, n=300):
    around = rng.normal(size=(n, 3)) * 2
    around[::5] = rng.integers(-2, 3, (len(around[::5]), 3)) / 2
    around[1::7, 0] = 0.0
    around[2::7, 2] = 0.0
    return around


@pytest.mark.parametrize("name", SHAPES)
def test_the_mesh_of_a_shape_is_about_as_far(name):
    shape, p = SHAPES[name], points(np.random.default_rng(0))
    exact, near = signed_distance(shape, p), signed_distance(shape.mesh, p)
    np.testing.assert_allclose(exact.distance, near.distance, atol=0.03)
    np.testing.assert_allclose(np.linalg.norm(p - exact.points, axis=1), np.abs(exact.distance), atol=1e-14)


@pytest.mark.parametrize("name", SHAPES)
def test_normals_lead_from_the_closest_point(name):
    shape, p = SHAPES[name], points(np.random.default_rng(1))
    found = signed_distance(shape, p)
    np.testing.assert_allclose(found.points + found.distance[:, None] * found.normals, p, atol=1e-13)
    np.testing.assert_allclose(np.linalg.norm(found.normals, axis=1), 1.0, rtol=1e-14)
    on = signed_distance(shape, found.points)
    np.testing.assert_allclose(on.distance, 0.0, atol=1e-14)
    smooth = np.einsum("ij,ij->i", on.normals, found.normals)
    assert (smooth > -SHARPEST.get(name, 0.0) - 1e-12).all()
    assert (smooth > 1 - 1e-6).mean() > (0.5 if name in ("Box", "Cylinder", "Cone", "flat Cone") else 0.9)


@pytest.mark.parametrize("name", SHAPES)
def test_no_point_of_the_surface_is_closer(name):
    shape, rng = SHAPES[name], np.random.default_rng(2)
    p = points(rng)
    found = signed_distance(shape, p)
    surface = signed_distance(shape, rng.normal(size=(4000, 3)) * 2).points
    gaps = np.linalg.norm(p[:, None] - surface, axis=2).min(axis=1)
    assert (np.abs(found.distance) <= gaps + 1e-14).all()


@pytest.mark.parametrize("scale", [1e-30, 1.0, 1e30])
def test_an_ellipsoid_like_a_needle_and_like_a_coin(scale):
    rng = np.random.default_rng(3)
    for radii in ([1.0, 1e-6, 1e-6], [1.0, 1.0, 1e-9], [1.0, 1.0, 1.0], [1e-3, 1.0, 1e3]):
        shape = Ellipsoid(np.array(radii) * scale)
        p = rng.normal(size=(200, 3)) * scale
        p[::3] *= np.array(radii)
        p[::4, 2] = 0.0
        found = signed_distance(shape, p)
        on = ((found.points / (np.array(radii) * scale)) ** 2).sum(axis=1)
        np.testing.assert_allclose(on, 1.0, rtol=1e-9)
        offset = p - found.points
        across = np.cross(offset, found.normals)
        size = np.linalg.norm(p, axis=1) + max(radii) * scale
        assert (np.linalg.norm(across, axis=1) <= 1e-12 * size).all()
        is_inside = ((p / (np.array(radii) * scale)) ** 2).sum(axis=1) < 1
        np.testing.assert_array_equal(found.distance < 0, is_inside)


def test_cones_by_hand():
    cone = Cone(3, 4)  # its side is 5 long, its apex at 2
    found = signed_distance(
        cone, [[0, 0, 7], [3, 0, -5], [6, 0, -5], [0, 0, -1.5], [0, 0, 1], [3, 0, 1], [0, 0, -2]]
    )
    side = 3 * 0.8 + (1 - 2) * 0.6
    np.testing.assert_allclose(found.distance, [5, 3, np.sqrt(18), -0.5, -0.6, side, 0], atol=1e-15)
    assert found.points[2].tolist() == [3, 0, -2]
    np.testing.assert_allclose(found.normals[5], [0.8, 0, 0.6])
    assert found.normals[3].tolist() == [0, 0, -1]


def test_middles():
    for shape, depth in ((Sphere(2), 2), (Box([2, 4, 6]), 1), (Capsule(1, 3), 1), (Cylinder(1, 6), 1)):
        assert signed_distance(shape, [0, 0, 0]).distance == -depth
    assert signed_distance(Ellipsoid([1, 2, 3]), [0, 0, 0]).distance == -1
    assert signed_distance(Ellipsoid([3, 2, 1]), [0, 0, 0]).points.tolist() == [0, 0, 1]
