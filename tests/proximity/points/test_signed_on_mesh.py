"""Sides of meshes: against winding numbers in extended precision, whichever way they are told."""

import numpy as np
import pytest

from firstcontact import Box, HeightField, Mesh, Sphere
from firstcontact.proximity.points.signed_on_mesh import PSEUDONORMAL, WINDING, rule_of, signed_on_mesh
from oracles.exact_sides import exact_windings
from oracles.point_meshes import distances_to_faces, winding_numbers
from properties.point_families import (
    CLOSED,
    FAMILIES,
    closed,
    crossing,
    doubled,
    holed,
    placed,
    points_around,
    size_at,
)
from samples import sample

# Of the sizes: closer to the surface, rounding decides; closer to slivers, the referee has too few digits.
HIDDEN, BLURRED = 1e-14, 1e-8

# Winding numbers this close to a half may be on either side of it.
CLOSE = 1e-6


def check_sides(mesh, points, rules, hidden=HIDDEN):
    winding = np.abs(winding_numbers(points, mesh.vertices, mesh.faces))
    away = distances_to_faces(points, mesh.vertices, mesh.faces).min(axis=1)
    is_clear = (away > hidden * size_at(points, mesh)) & (np.abs(winding - 0.5) > CLOSE)
    for rule in rules:
        found = signed_on_mesh(mesh, points, rule)
        wrong = is_clear & ((found.distances < 0) != (winding > 0.5))
        assert not wrong.any(), (rule, points[wrong][0].tolist(), float(winding[wrong][0]))
        np.testing.assert_allclose(np.linalg.norm(found.normals, axis=1), 1.0, rtol=1e-12)
    return np.count_nonzero(is_clear)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.__name__)
def test_sides_are_those_that_the_surface_winds_around(family):
    n_clear = 0
    for seed in range(sample(12, of=200)):
        rng = np.random.default_rng(seed)
        mesh = placed(rng, family(rng))
        if mesh.n_faces:
            rules = {WINDING, rule_of(mesh)}
            hidden = HIDDEN if family in CLOSED else BLURRED
            n_clear += check_sides(mesh, points_around(rng, mesh, 60), rules, hidden)
    assert n_clear > 60


@pytest.mark.parametrize("family", CLOSED, ids=lambda family: family.__name__)
def test_pseudonormals_are_used_where_they_are_right(family):
    for seed in range(6):
        mesh = family(np.random.default_rng(seed))
        assert rule_of(mesh) == PSEUDONORMAL
        inside_out = Mesh(mesh.vertices, mesh.faces[:, ::-1])
        assert rule_of(inside_out) == PSEUDONORMAL
        points = points_around(np.random.default_rng(seed), mesh, 100)
        away, turned = (signed_on_mesh(one, points, PSEUDONORMAL).distances for one in (mesh, inside_out))
        is_clear = np.abs(away) > HIDDEN * size_at(points, mesh)
        np.testing.assert_array_equal(np.sign(away[is_clear]), np.sign(turned[is_clear]))


@pytest.mark.parametrize("family", [crossing, holed, doubled], ids=lambda family: family.__name__)
def test_winding_numbers_are_used_where_pseudonormals_are_not_right(family):
    assert [rule_of(family(np.random.default_rng(seed))) for seed in range(6)] == [WINDING] * 6


def test_a_ball_in_a_ball_is_no_cavity():
    """Pseudonormals alone would take what is around the inner one for outside."""
    outer, inner = Sphere(2.0).mesh, Sphere(1.0).mesh
    faces = np.concatenate([outer.faces, inner.faces + outer.n_vertices])
    both = Mesh(np.concatenate([outer.vertices, inner.vertices]), faces)
    assert rule_of(both) == WINDING
    assert signed_on_mesh(both, np.array([[1.1, 0.0, 0.0]]), WINDING).distances[0] < 0
    turned = Mesh(both.vertices, np.concatenate([outer.faces, inner.faces[:, ::-1] + outer.n_vertices]))
    assert rule_of(turned) == PSEUDONORMAL
    assert signed_on_mesh(turned, np.array([[1.1, 0.0, 0.0], [0.5, 0.0, 0.0]]), PSEUDONORMAL).distances[1] > 0


def test_vertices_at_one_place_count_as_one_where_that_closes_a_mesh():
    box = Box([2.0, 2.0, 2.0]).mesh
    soup = Mesh(box.vertices[box.faces].reshape(-1, 3), np.arange(3 * box.n_faces).reshape(-1, 3))
    assert rule_of(soup) == PSEUDONORMAL
    points = np.random.default_rng(0).uniform(-2, 2, (500, 3))
    one, other = (signed_on_mesh(mesh, points, PSEUDONORMAL) for mesh in (box, soup))
    np.testing.assert_array_equal(one.distances, other.distances)


def test_triangles_of_no_area_in_a_closed_mesh():
    """An edge is split on one side only: the other side is closed by a triangle without area."""
    box = Box([2.0, 2.0, 2.0]).mesh
    a, b, c = box.faces[0]
    vertices = np.concatenate([box.vertices, box.vertices[[a, b]].mean(axis=0, keepdims=True)])
    new = box.n_vertices
    faces = np.concatenate([box.faces[1:], [[a, new, c], [new, b, c], [a, b, new]]])
    mesh = Mesh(vertices, faces)
    assert rule_of(mesh) == WINDING  # an edge ends on a face: crossings may look like that
    rng = np.random.default_rng(1)
    middle = vertices[new] + 1e-3 * rng.normal(size=(300, 3))
    check_sides(mesh, np.concatenate([middle, points_around(rng, mesh, 300)]), [PSEUDONORMAL, WINDING])


def test_two_cubes_that_share_a_corner():
    box = Box([2.0, 2.0, 2.0]).mesh
    far = int(np.flatnonzero((box.vertices == 1).all(axis=1))[0])
    near = int(np.flatnonzero((box.vertices == -1).all(axis=1))[0])
    ids = np.arange(box.n_vertices) + box.n_vertices
    ids[near] = far
    mesh = Mesh(np.concatenate([box.vertices, box.vertices + 2]), np.concatenate([box.faces, ids[box.faces]]))
    rng = np.random.default_rng(2)
    assert rule_of(mesh) == PSEUDONORMAL
    check_sides(mesh, 1 + 0.3 * rng.normal(size=(400, 3)), [PSEUDONORMAL, WINDING])


@pytest.mark.parametrize("gap", [1e-300, 1e-20, 1e-17, 1e-13])
def test_walls_closer_together_than_rounding(gap):
    """Both are as near to a point, but on one side of it the faces of the other box look away."""
    one, other = Box([1.0, 1.0, 1.0]).mesh, Box([1.0, 3.0, 3.0]).mesh
    right = other.vertices + np.array([0.5, 0.0, 0.0])
    right[right[:, 0] == 0.0, 0] = gap
    faces = np.concatenate([other.faces, one.faces + 8])
    mesh = Mesh(np.concatenate([right, one.vertices - [0.5, 0.0, 0.0]]), faces)
    points = np.random.default_rng(4).uniform([-0.5, -0.4, -0.4], [0.5, 0.4, 0.4], (500, 3))
    assert rule_of(mesh) == PSEUDONORMAL
    for rule in (PSEUDONORMAL, WINDING):
        assert (signed_on_mesh(mesh, points, rule).distances < 0.0).all()


@pytest.mark.parametrize("slope", [1e-1, 1e-3, 1e-5])
def test_beside_a_blade(slope):
    """Next to its edge, the sheets of a blade are as near as each other, though a point is far from both."""
    s, rng, n = slope, np.random.default_rng(5), 120
    vertices = [[0, 0, 0], [0, 1, 0], [1, 0, -s], [1, 1, -s], [1, 0, s], [1, 1, s]]
    faces = [[0, 1, 3], [0, 3, 2], [0, 4, 5], [0, 5, 1], [2, 3, 5], [2, 5, 4], [0, 2, 4], [1, 5, 3]]
    turn = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    mesh = Mesh(np.array(vertices) @ turn, faces)
    above = rng.choice([-1, 1], n) * 10.0 ** rng.uniform(-13, -7, n)
    before = -np.abs(above) * rng.choice([0.0, 0.5 * s, s, 2 * s, -s], n)
    points = np.stack([before + 10.0 ** rng.uniform(-18, -13, n), rng.random(n), above], axis=1) @ turn
    winding = np.array(exact_windings(points, mesh.vertices, mesh.faces))
    for rule in (PSEUDONORMAL, WINDING):
        found = signed_on_mesh(mesh, points, rule).distances
        is_clear = np.abs(found) > HIDDEN
        assert is_clear.sum() > n // 2
        np.testing.assert_array_equal((found < 0.0)[is_clear], (winding == 1)[is_clear])


def test_a_point_beside_the_middle_of_a_needle():
    """The volume under a face is far below the rounding of its terms, and tells on which side it is."""
    tip = [-0.6003585886653033, -1.0170958278525275, -0.5519512609886945]
    base = [[0.0, 0.0, 0.0], [-5.763169930939707e-05, 1.0158004638860915e-05, -5.7116592499297414e-05]]
    base += [[4.778820341642543e-05, -3.733253920628075e-05, -5.485865558783348e-05]]
    mesh = Mesh([*base, tip], [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])
    points = np.array([[-0.3901214950676247, -0.6608936371327363, -0.35866686423077776]])
    assert exact_windings(points, mesh.vertices, mesh.faces) == [0]
    for rule in (PSEUDONORMAL, WINDING):
        assert signed_on_mesh(mesh, points, rule).distances[0] > HIDDEN


def test_normals_are_gradients():
    mesh = closed(np.random.default_rng(5))
    points = np.random.default_rng(6).normal(size=(200, 3)) * 2
    found, step = signed_on_mesh(mesh, points, PSEUDONORMAL), 1e-5
    ahead = signed_on_mesh(mesh, points + step * found.normals, PSEUDONORMAL).distances
    back = signed_on_mesh(mesh, points - step * found.normals, PSEUDONORMAL).distances
    np.testing.assert_allclose((ahead - back) / (2 * step), 1.0, atol=1e-3)


def test_normals_on_the_surface_look_outwards():
    mesh = Box([2.0, 2.0, 2.0]).mesh
    points = np.array([[0.3, 0.2, 1.0], [1.0, 0.0, 1.0], [1.0, 1.0, 1.0], [0.0, -1.0, 0.1]])
    for rule in (PSEUDONORMAL, WINDING):
        found = signed_on_mesh(mesh, points, rule)
        np.testing.assert_allclose(found.distances, 0.0, atol=1e-15)
        assert (np.einsum("ij,ij->i", found.normals, points) > 0.5).all()
    np.testing.assert_allclose(signed_on_mesh(mesh, points, PSEUDONORMAL).normals[2], [3**-0.5] * 3)


def test_below_a_height_field():
    rng = np.random.default_rng(8)
    field = HeightField(rng.random((8, 9)))
    x, y = rng.uniform(0.5, 6.5, (2, 300))
    assert rule_of(field) == PSEUDONORMAL
    above = signed_on_mesh(field, np.stack([x, y, np.full(300, 1.5)], axis=1), PSEUDONORMAL)
    below = signed_on_mesh(field, np.stack([x, y, np.full(300, -0.5)], axis=1), PSEUDONORMAL)
    assert (above.distances > 0).all()
    assert (below.distances < 0).all()
