"""Convex shapes: what they are made of, what they refuse, and their meshes."""

import pickle

import numpy as np
import pytest

from firstcontact import (
    Box,
    Capsule,
    Cone,
    ConvexHull,
    ConvexSupport,
    Cylinder,
    Ellipsoid,
    HeightField,
    Mesh,
    Rounded,
    Sphere,
)
from firstcontact.bodies.mesh_parts import parts_of


def stretched(directions):
    """Farthest points of an ellipsoid."""
    radii = np.array([1.0, 2.0, 3.0])
    return radii**2 * directions / np.linalg.norm(radii * directions, axis=1)[:, np.newaxis]


SHAPES = [
    Sphere(2),
    Ellipsoid([1, 2, 3]),
    Capsule(0.5, 3),
    Cylinder(1, 4),
    Box([1, 2, 3]),
    Cone(1, 3),
    Rounded(Box([1, 2, 3]), 0.5),
    Rounded(Cylinder(1, 4), 0.5),
    Rounded(Cone(1, 3), 0.25),
    Rounded(Ellipsoid([1, 1.5, 2]), 0.5),
    Rounded(Sphere(1), 1),
    Rounded(ConvexHull(np.random.default_rng(3).standard_normal((40, 3))), 0.25),
    ConvexSupport(stretched, tolerance=0.01),
    ConvexHull(np.random.default_rng(3).standard_normal((40, 3))),
]


def rounded_volume(volume, area, width, radius):
    """Steiner's formula: the mean width counts 2 pi times."""
    return volume + area * radius + 2 * np.pi * width * radius**2 + 4 / 3 * np.pi * radius**3


def volume(mesh):
    a, b, c = (mesh.vertices[mesh.faces[:, k]] for k in range(3))
    return np.einsum("ij,ij->", a, np.cross(b, c)) / 6


@pytest.mark.parametrize("shape", SHAPES, ids=repr)
def test_meshes_are_closed_and_look_outwards(shape):
    assert parts_of(shape.mesh).n_open_edges == 0
    assert volume(shape.mesh) > 0
    np.testing.assert_allclose(shape.mesh.bounds, shape.bounds, rtol=1e-12)


@pytest.mark.parametrize(
    ("shape", "expected"),
    [
        (SHAPES[0], 4 / 3 * np.pi * 8),
        (SHAPES[1], 4 / 3 * np.pi * 6),
        (SHAPES[2], np.pi * 0.25 * 3 + 4 / 3 * np.pi * 0.125),
        (SHAPES[3], np.pi * 4),
        (SHAPES[4], 6),
        (SHAPES[5], np.pi),
        (SHAPES[6], rounded_volume(6, 22, 3, 0.5)),
        (SHAPES[7], rounded_volume(4 * np.pi, 10 * np.pi, 2 + np.pi / 2, 0.5)),
        (SHAPES[10], 4 / 3 * np.pi * 8),
    ],
    ids=repr,
)
def test_volumes_of_meshes_are_those_of_the_shapes(shape, expected):
    assert expected * (1 if isinstance(shape, Box) else 0.97) <= volume(shape.mesh) * (1 + 1e-12)
    assert volume(shape.mesh) <= expected * (1 + 1e-12)


@pytest.mark.parametrize("shape", SHAPES, ids=repr)
def test_shapes_keep_read_only_arrays_and_stand_at_the_origin(shape):
    assert shape.bounds.flags.writeable is False
    np.testing.assert_array_equal(shape.at(np.eye(4)).pose(0.5), np.eye(4))
    copy = pickle.loads(pickle.dumps(shape))
    np.testing.assert_array_equal(copy.table.records, shape.table.records)


@pytest.mark.parametrize("shape", [*SHAPES, SHAPES[-1].mesh, HeightField([[0, 1], [2, 0]])], ids=repr)
def test_shapes_say_how_far_they_reach(shape):
    directions = np.random.default_rng(5).standard_normal((50, 3))
    surface = shape if isinstance(shape, Mesh) else shape.mesh
    farthest = np.linalg.norm(surface.vertices - shape.bounds.mean(axis=0), axis=1).max()
    assert farthest * (1 - 1e-12) <= shape.farthest <= farthest * 1.01
    reached, seen = shape.support(directions), (directions @ surface.vertices.T).max(axis=1)
    assert (reached >= seen - 1e-12).all()
    assert (reached <= seen + 0.02 * np.linalg.norm(directions, axis=1)).all()
    assert (directions @ shape.corners.T).max(axis=1).min(initial=np.inf) >= seen.min() - 1e-12


@pytest.mark.parametrize("shape", [*SHAPES, ConvexHull(np.eye(3), flat=True)], ids=repr)
def test_a_witness_is_a_point_of_the_shape(shape):
    directions = np.random.default_rng(6).standard_normal((500, 3))
    assert (directions @ shape.witness <= shape.support(directions) + 1e-15).all()


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: Sphere(0), ValueError, "radius must be positive; received 0"),
        (lambda: Sphere(np.nan), ValueError, "radius must be positive and finite; received nan"),
        (lambda: Sphere("2"), TypeError, "radius must be a number; received '2'"),
        (lambda: Sphere(1e-60), ValueError, r"radius must be between 2\*\*-150"),
        (lambda: Sphere(1e60), ValueError, r"radius must be between 2\*\*-150"),
        (lambda: Sphere([1, 2]), TypeError, "radius must be a number"),
        (lambda: Ellipsoid([1, 2]), ValueError, r"radii must have shape \(3,\), one for each axis; received"),
        (lambda: Ellipsoid([1, 2, -3]), ValueError, r"radii\[2\] must be positive; received -3"),
        (lambda: Box(1), ValueError, r"extents must have shape \(3,\)"),
        (lambda: Box([1, -2, 3]), ValueError, r"extents\[1\] must be positive; received -2"),
        (lambda: Capsule(1, 0), ValueError, "length must be positive; received 0"),
        (lambda: Cylinder(0, 1), ValueError, "radius must be positive; received 0"),
        (lambda: Cone(0, 1), ValueError, "radius must be positive; received 0"),
        (lambda: Cone(1, -1), ValueError, "height must be positive; received -1"),
        (lambda: Rounded(Box([1, 1, 1]), 0), ValueError, "radius must be positive; received 0"),
        (
            lambda: Rounded(Sphere(1).mesh, 1),
            TypeError,
            "a convex shape can be rounded; received a Mesh: take",
        ),
        (lambda: Rounded(Sphere(1).at(np.eye(4)), 1), TypeError, "a convex shape can be rounded; received"),
        (lambda: Rounded(3, 1), TypeError, "a convex shape can be rounded; received 3"),
        (lambda: ConvexHull([]), ValueError, "points must be one or more; received none"),
        (lambda: ConvexHull([[0, 0, 0]] * 4), ValueError, "points must span a volume, and are all one; flat"),
        (lambda: ConvexHull([[0, 0, 0], [1, 1, 1], [3, 3, 3]]), ValueError, "points .* and lie on a line"),
        (lambda: ConvexHull(np.eye(3)), ValueError, "points must span a volume, and lie in a plane; flat"),
        (lambda: ConvexHull(np.eye(3), flat="yes"), TypeError, "flat must be True or False"),
        (lambda: ConvexHull([[0, 0, np.inf]]), ValueError, "points must be finite; row 0 has inf"),
        (lambda: HeightField([1, 2, 3]), ValueError, r"heights must have shape \(m, n\)"),
        (lambda: HeightField([[1, 2], [3, np.nan]]), ValueError, "heights must be finite; row 1 has nan"),
        (lambda: HeightField([[1, 2], [3, 4]], -1), ValueError, "spacing must be positive; received -1"),
        (lambda: HeightField([[1, 2], [3, 4]], (1, 2, 3)), ValueError, "spacing must be one number or two"),
    ],
)
def test_wrong_sizes_are_told(make, error, message):
    with pytest.raises(error, match=f"^{message}"):
        make()


@pytest.mark.parametrize(
    ("points", "n_faces"),
    [
        ([[1, 2, 3]], 1),
        ([[1, 2, 3], [4, 5, 6]], 1),
        ([[0, 0, 0], [1, 1, 1], [2, 2, 2], [5, 5, 5]], 1),
        ([[0, 0, 1], [1, 0, 1], [0, 1, 1], [1, 1, 1], [0.5, 0.5, 1]], 4),
    ],
)
def test_flat_hulls_are_accepted_on_request(points, n_faces):
    hull = ConvexHull(points, flat=True)
    assert hull.is_flat
    assert hull.mesh.n_faces == n_faces
    np.testing.assert_array_equal(hull.mesh.bounds, hull.bounds)


def test_a_hull_may_be_flat_but_need_not_where_that_is_allowed():
    assert not ConvexHull(np.eye(4)[:, :3], flat=True).is_flat


def test_hulls_know_each_point_once():
    corners = np.eye(4)[:, :3]
    hull = ConvexHull(np.concatenate([corners, corners, -0.0 * corners]))
    assert len(hull.points) == 4
    assert hull.mesh.n_faces == 4


@pytest.mark.parametrize("size", [1e-30, 1e-6, 1e6, 1e30])
def test_hulls_have_the_same_faces_at_any_size(size):
    points = np.random.default_rng(5).standard_normal((30, 3))
    np.testing.assert_array_equal(
        ConvexHull(points * 2.0 ** round(np.log2(size))).mesh.faces, ConvexHull(points).mesh.faces
    )


@pytest.mark.parametrize("n_thin", [1, 2])
@pytest.mark.parametrize("thickness", [1e-8, 1e-12, 1e-13, 3e-14, 1e-14, 1e-15])
def test_the_mesh_of_a_thin_hull_has_all_that_is_far_out(n_thin, thickness):
    directions = np.random.default_rng(8).standard_normal((500, 3))
    for seed in range(8):
        rng = np.random.default_rng(seed)
        points = rng.standard_normal((14, 3))
        points[:, :n_thin] *= thickness
        points = points @ np.linalg.qr(rng.standard_normal((3, 3)))[0]
        hull = ConvexHull(points, flat=True)
        seen = (directions @ hull.mesh.vertices.T).max(axis=1)
        np.testing.assert_allclose(seen, hull.support(directions), rtol=0, atol=1e-12)
        assert parts_of(hull.mesh).n_open_edges == 0 or hull.is_flat


def test_height_fields_are_meshes():
    field = HeightField([[0, 1, 2], [3, 4, 5]], spacing=(2, 0.5))
    assert isinstance(field, Mesh)
    assert field.n_faces == 4
    assert field.vertices[4].tolist() == [2, 0.5, 4]
    a, b, c = (field.vertices[field.faces[:, k]] for k in range(3))
    assert (np.cross(b - a, c - a)[:, 2] > 0).all()
    copy = pickle.loads(pickle.dumps(field))
    assert repr(copy) == repr(field) == "HeightField(2 x 3 heights, from [0, 0, 0] to [2, 1, 5])"


def test_what_is_no_mesh_has_no_vertices():
    with pytest.raises(TypeError, match=r"^a Sphere has no vertices and faces; its \.mesh has$"):
        Sphere(1).at(np.eye(4)).vertices(0)
