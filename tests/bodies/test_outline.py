import numpy as np
import pytest
import trimesh

import firstcontact as fc
from articulated.notched import notched
from firstcontact.bodies.outline import MOST_POINTS, outline_of
from firstcontact.shapes.convex import ORIGIN, RADIUS


def mesh_of(made):
    return fc.Mesh(made.vertices, made.faces)


def corner(depth):
    """A cube whose corner is pushed in along the diagonal by a length."""
    cube = trimesh.creation.box([2, 2, 2]).subdivide()
    vertices = cube.vertices.copy()
    vertices[np.argmax(vertices.sum(axis=1))] -= depth / np.sqrt(3)
    return fc.Mesh(vertices, cube.faces)


def farthest(mesh):
    """How far, at the least, the hull of a mesh is from it: many points of the hull's surface."""
    hull = fc.ConvexHull(mesh.vertices, flat=True).mesh
    rng = np.random.default_rng(0)
    weights = rng.dirichlet(np.ones(3), size=(hull.n_faces, 20))
    points = np.einsum("fkc,fcx->fkx", weights, hull.vertices[hull.faces]).reshape(-1, 3)
    dot = fc.Mesh([[0, 0, 0]], [[0, 0, 0]])
    return fc.distance(dot.at((np.eye(3), points)), mesh).distance.max()


@pytest.mark.parametrize(
    "made",
    [trimesh.creation.box(), trimesh.creation.icosphere(subdivisions=3), trimesh.creation.cylinder(1, 2)],
    ids=["box", "ball", "cylinder"],
)
@pytest.mark.parametrize("is_turned", [False, True])
def test_convex_meshes_are_their_hulls(made, is_turned):
    mesh = fc.Mesh(100.0 + made.vertices, made.faces[:, ::-1] if is_turned else made.faces)
    assert outline_of(mesh).bulge < 1e-12


@pytest.mark.parametrize("depth", [1e-9, 1e-6, 1e-3, 0.1, 0.5])
def test_the_bulge_is_no_less_than_what_the_hull_adds(depth):
    mesh = corner(depth)
    gap = farthest(mesh)
    assert 0.01 * depth < gap <= outline_of(mesh).bulge
    assert outline_of(mesh).bulge < 5 * depth


def test_what_is_not_nearly_convex_is_known_for_it():
    flat = fc.Mesh(notched().vertices * [1, 1, 0], notched().faces)
    ball = trimesh.creation.icosphere(subdivisions=1)
    two = trimesh.util.concatenate([ball, ball.copy().apply_translation([5, 0, 0])])
    is_open = fc.Mesh(ball.vertices, ball.faces[1:])
    is_flipped = fc.Mesh(ball.vertices, np.concatenate([ball.faces[:1, ::-1], ball.faces[1:]]))
    for mesh in (notched(), flat, mesh_of(two), is_open, is_flipped, fc.Mesh(np.eye(3), [[0, 1, 2]])):
        assert outline_of(mesh).bulge == np.inf


def test_the_outline_holds_all_vertices():
    for mesh in (notched(), fc.Mesh(np.eye(3), [[0, 1, 2]]), fc.Mesh([[1, 2, 3]], [[0, 0, 0]])):
        record = outline_of(mesh).table.records[0]
        hull = fc.ConvexHull(mesh.vertices, flat=True)
        assert record.tolist() == hull.table.records[0].tolist()


def test_vertices_without_faces_do_not_count():
    mesh = fc.Mesh(
        [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [99, 99, 99]],
        [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
    )
    assert outline_of(mesh).bulge < 1e-15
    dot = fc.Sphere(0.1).at((np.eye(3), [50, 50, 50]))
    assert fc.is_free(fc.Robot({"only": mesh}).at([]), dot)


def test_large_meshes_have_boxes():
    line = np.linspace(0, 1, 150)
    field = fc.HeightField(np.sin(7 * line)[:, None] * np.cos(5 * line), 0.3)
    assert field.n_vertices > MOST_POINTS
    outline = outline_of(field)
    record = outline.table.records[0]
    assert outline.bulge == np.inf
    assert record[RADIUS] == 0.0
    np.testing.assert_allclose(record[ORIGIN:], field.bounds.mean(axis=0), atol=1e-12)
