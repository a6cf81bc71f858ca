"""How far shapes reach and how far apart they are, against their meshes and the queries."""

import numpy as np
import pytest

import firstcontact as fc
from articulated.proof.test_certificate import l_shaped
from firstcontact.articulated.proof import proof_shapes
from firstcontact.articulated.proof.proof_shapes import apart, extent_of, is_inside, support
from poses import at

SHAPES = [
    fc.Sphere(0.7),
    fc.Capsule(0.2, 1.5),
    fc.Cylinder(0.5, 0.8),
    fc.Ellipsoid([0.3, 1.0, 2.0]),
    fc.Box([1, 2, 3]),
    fc.Cone(0.5, 1.5),
    fc.Rounded(fc.Box([1, 2, 3]), 0.4),
    fc.ConvexHull(np.random.default_rng(0).standard_normal((40, 3))),
    l_shaped(),
]


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: type(shape).__name__)
def test_support_and_extent(shape):
    directions = np.random.default_rng(1).standard_normal((200, 3))
    points = shape.vertices if isinstance(shape, fc.Mesh) else shape.mesh.vertices
    of = extent_of(shape)
    reached, best = support(of, directions), (directions @ points.T).max(axis=1)
    # The corners of the mesh of a round shape are on its surface.
    assert (reached >= best - 1e-12).all()
    assert (reached <= best + 0.02 * np.linalg.norm(directions, axis=1)).all()
    farthest = np.linalg.norm(points - of.middle, axis=1).max()
    assert farthest - 1e-12 <= of.radius <= farthest * 1.01
    assert np.allclose([of.middle - of.half, of.middle + of.half], shape.bounds)


def test_a_large_mesh_is_held_by_its_box(monkeypatch):
    monkeypatch.setattr(proof_shapes, "MOST_POINTS", 11)
    assert len(extent_of(l_shaped()).points) == 8
    assert support(extent_of(l_shaped()), np.array([[1.0, 1.0, 0.0]]))[0] == pytest.approx(0.6)


@pytest.mark.parametrize("a", [fc.Sphere(0.1), l_shaped()])
@pytest.mark.parametrize("b", [fc.Box([0.2, 0.2, 0.2]), l_shaped()])
def test_distances(a, b):
    poses = np.tile(np.eye(4), (4, 1, 1))
    poses[:, :3, 3] = np.random.default_rng(2).uniform(0.4, 1, (4, 3))
    found = apart(a, b, poses, poses[:1].repeat(4, axis=0) * 0 + np.eye(4), 0.0)
    wanted = [fc.distance(a.at(pose), b).distance for pose in poses]
    if isinstance(a, fc.Mesh) or isinstance(b, fc.Mesh):
        assert np.allclose(found.distances, wanted, rtol=0.0, atol=1e-12)
        assert (found.distances <= wanted).all()
        assert not found.directions.any()
    else:
        assert np.allclose(np.linalg.norm(found.directions, axis=1), 1.0)


def test_inside():
    eye, there = np.eye(4), np.eye(4)
    there[:3, 3] = [0.05, 0.2, 0]
    small = fc.Sphere(0.01)
    assert is_inside(small, l_shaped(), there, eye, 0.0)
    assert is_inside(fc.ConvexHull(0.01 * np.eye(3), flat=True), l_shaped(), there, eye, 0.0)
    assert is_inside(fc.Box([0.01, 0.01, 0.01]).mesh, l_shaped(), there, eye, 0.0)
    there[0, 3] = 0.2  # in the notch
    assert not is_inside(small, l_shaped(), there, eye, 0.0)
    assert not is_inside(l_shaped(), small, eye, there, 0.0)
    assert fc.distance(small.at(at(0.2, 0.2, 0)), l_shaped()).distance > 0.0
