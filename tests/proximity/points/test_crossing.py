"""Surfaces that go through themselves."""

import numpy as np

from firstcontact import Box, Mesh, Sphere, signed_distance
from firstcontact.proximity.points.crossing import self_contact


def both(one, other, offset):
    faces = np.concatenate([one.faces, other.faces + one.n_vertices])
    return Mesh(np.concatenate([one.vertices, other.vertices + offset]), faces)


def crosses(mesh):
    return self_contact(mesh, mesh.faces.astype(np.int64)).crosses


def test_bodies_that_overlap_cross():
    ball, box = Sphere(1.0).mesh, Box([1.0, 1.0, 1.0]).mesh
    for offset in ([1.5, 0.1, 0.2], [1.9, 0.0, 0.0], [0.9, 0.9, 0.3]):
        assert crosses(both(ball, ball, offset))
    assert crosses(both(ball, box, [1.3, 0.03, 0.02]))
    assert crosses(both(box, ball, [1.3, 0.03, 0.02]))


def test_bodies_apart_and_inside_each_other_do_not():
    ball, box = Sphere(1.0).mesh, Box([0.5, 0.5, 0.5]).mesh
    assert not crosses(ball)
    assert not crosses(box)
    assert not crosses(both(ball, ball, [2.1, 0.0, 0.0]))
    assert not crosses(both(ball, box, [0.0, 0.0, 0.0]))
    assert not crosses(Mesh([], []))


def test_edges_that_meet_only_the_border_of_faces_count():
    """As where boxes overlap along a diagonal, or in planes that they share: no edge is inside a face."""
    box = Box([1.0, 1.0, 1.0]).mesh
    for offset in ([0.5, 0.5, 0.5], [0.5, 0.0, 0.0], [0.5, 0.5, 0.0], [0.0, 0.0, 0.0]):
        assert crosses(both(box, box, offset))
    assert crosses(both(box, box, [1.0, 0.0, 0.0]))  # touching, which winding numbers tell as well
    assert not crosses(both(box, box, [1.5, 0.0, 0.0]))


def test_signs_where_boxes_overlap_along_a_diagonal():
    box = Box([1.0, 1.0, 1.0]).mesh
    mesh = both(box, box, [0.5, 0.5, 0.5])
    points = np.random.default_rng(3).uniform(-1.0, 1.5, (2000, 3))
    is_in = (np.abs(points) < 0.5).all(axis=1) | (np.abs(points - 0.5) < 0.5).all(axis=1)
    assert 100 < is_in.sum() < 1000
    assert np.array_equal(signed_distance(mesh, points).distance < 0.0, is_in)


def test_a_needle_through_one_face():
    needle = Mesh(
        [[0, 0, -9], [0.01, 0, 9], [0, 0.01, 9], [-0.01, -0.01, 9]],
        [[0, 2, 1], [0, 3, 2], [0, 1, 3], [1, 2, 3]],
    )
    assert crosses(both(Box([8.0, 8.0, 1.0]).mesh, needle, [1.234, 0.5, 0.0]))
