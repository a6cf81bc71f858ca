"""The features of polytopes: all of them, joined as they are on the surface."""

from itertools import pairwise

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.narrowphase.features.feature_graph import (
    EDGES,
    FACE,
    FAN,
    FIRST_EDGE,
    FIRST_FACE,
    INTO,
    N_EDGE,
    N_EDGES,
    N_FACE,
    N_FACES,
    N_HEAD,
    N_SPOKE,
    N_VERTEX,
    N_VERTICES,
    NORMAL,
    OUTWARDS,
    Surface,
    feature_graph,
    is_walkable,
    surface_of,
)

RNG = np.random.default_rng(8)
SOLIDS = {
    "box": fc.Box([1, 2, 3]),
    "tetrahedron": fc.ConvexHull(np.eye(4)[:, :3]),
    "ball": fc.ConvexHull(RNG.normal(size=(200, 3))),
    "lattice": fc.ConvexHull(RNG.integers(-2, 3, (40, 3))),
    "flat": fc.ConvexHull(RNG.normal(size=(12, 3)) * (1, 1, 0), flat=True),
    "triangle": fc.ConvexHull([[0, 0, 0], [1, 0, 0], [0, 1, 0]], flat=True),
    "rounded": fc.Rounded(fc.Box([1, 1, 1]), 0.5),
}


def parts(graph):
    """Vertices, edges, faces and fans, as arrays."""
    n, m, k = (int(graph[i]) for i in (N_VERTICES, N_EDGES, N_FACES))
    vertices = graph[N_HEAD : N_HEAD + N_VERTEX * (n + 1)].reshape(-1, N_VERTEX)
    edges = graph[int(graph[FIRST_EDGE]) :][: N_EDGE * m].reshape(-1, N_EDGE)
    faces = graph[int(graph[FIRST_FACE]) :][: N_FACE * k].reshape(-1, N_FACE)
    return vertices, edges, faces


@pytest.mark.parametrize("name", SOLIDS)
def test_neighbours_know_each_other(name):
    surface = surface_of(SOLIDS[name])
    graph = feature_graph(surface)
    vertices, edges, faces = parts(graph)
    assert len(vertices) - 1 - len(edges) + len(faces) == 2  # Euler
    for i, face in enumerate(faces):
        for k in range(3):
            edge = edges[int(face[EDGES + k])]
            assert {face[k], face[(k + 1) % 3]} == set(edge[:2])
            assert i in edge[FACE:INTO]
    for i, (own, after) in enumerate(pairwise(vertices)):
        fan = graph[int(own[FAN]) : int(after[FAN])].reshape(-1, N_SPOKE)
        assert len(fan) >= 2
        for spoke in fan:
            ends = edges[int(spoke[0]), :2].astype(int)
            assert i in ends
            way = surface.points[ends[ends != i][0]] - surface.points[i]
            np.testing.assert_allclose(spoke[OUTWARDS:], way / np.linalg.norm(way))


@pytest.mark.parametrize("name", SOLIDS)
def test_vectors_look_where_they_should(name):
    surface = surface_of(SOLIDS[name])
    _, edges, faces = parts(feature_graph(surface))
    for face in faces:
        heights = (surface.points - surface.points[int(face[0])]) @ face[NORMAL:]
        assert heights.max() < 1e-12  # all is behind it
    for edge in edges:
        start, along = surface.points[int(edge[0])], np.subtract(*surface.points[edge[:2].astype(int)])
        for k in range(2):
            into, corners = edge[INTO + 3 * k :][:3], faces[int(edge[FACE + k]), :3].astype(int)
            assert abs(into @ along) < 1e-12
            assert max((surface.points[corners] - start) @ into) > 0
            assert abs(into @ faces[int(edge[FACE + k]), NORMAL:]) < 1e-12


def test_what_has_no_faces():
    ball, rod = (feature_graph(surface_of(shape)) for shape in (fc.Sphere(1), fc.Capsule(1, 2)))
    assert [int(ball[i]) for i in (N_VERTICES, N_EDGES, N_FACES)] == [1, 0, 0]
    assert [int(rod[i]) for i in (N_VERTICES, N_EDGES, N_FACES)] == [2, 1, 0]
    line = feature_graph(surface_of(fc.ConvexHull([[0, 0, 0], [1, 1, 1], [2, 2, 2]], flat=True)))
    assert [int(line[i]) for i in (N_VERTICES, N_EDGES, N_FACES)] == [2, 1, 0]
    dot = feature_graph(surface_of(fc.ConvexHull([[3, 2, 1]], flat=True)))
    assert [int(dot[i]) for i in (N_VERTICES, N_EDGES, N_FACES)] == [1, 0, 0]
    open_one = feature_graph(Surface(np.eye(3), np.array([[0, 1, 2]])))
    assert [int(open_one[i]) for i in (N_VERTICES, N_EDGES, N_FACES)] == [3, 0, 0]
    assert not is_walkable(fc.Cylinder(1, 1))
