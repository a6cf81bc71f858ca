"""Pairs of features from pairs of triangles, against a listing of all of them."""

import numpy as np
import pytest

import firstcontact as fc
from firstcontact._jit import driver
from firstcontact.deformable.feature_pairs import (
    FeatureLists,
    feature_lists,
    list_edge_faces,
    list_features,
    shared_corners,
)
from firstcontact.deformable.problem import pose_problem


@driver
def listed(surface, has_bounds, pairs):
    lists = feature_lists(len(pairs))
    n_vertex_faces, n_edge_edges, n_seen = list_features(surface, has_bounds, pairs, len(pairs), lists)
    n_edge_faces = list_edge_faces(surface, has_bounds, pairs, len(pairs), lists)
    return lists, n_vertex_faces, n_edge_edges, n_edge_faces, n_seen


def posed(seed=0, dop=6, n_vertices=10, n_faces=14):
    """A random surface: faces share corners in all ways, and some are degenerate."""
    rng = np.random.default_rng(seed)
    mesh = fc.Mesh(rng.random((n_vertices, 3)), rng.integers(0, n_vertices, (n_faces, 3)))
    return pose_problem(
        [mesh.deforming(mesh.vertices, rng.random((n_vertices, 3)))], 0.0, fc.Culling(dop=dop)
    )


def listing(surface, has_bounds):
    """All that is listed from all pairs of triangles, each kind a list of pairs, and what was counted."""
    n = len(surface.faces)
    pairs = np.array([(i, j) for i in range(n) for j in range(i)], np.int32)
    lists, *counts, n_seen = listed(surface, has_bounds, pairs)
    found = [[tuple(row) for row in ids[:n].tolist()] for ids, n in zip(lists, counts, strict=True)]
    return FeatureLists(*found), n_seen


def overlap(p, i, q, j):
    half = p.shape[1] // 2
    return bool(np.all(p[i, :half] <= q[j, half:]) and np.all(q[j, :half] <= p[i, half:]))


def edge_pairs(surface):
    n = len(surface.edges)
    return {(i, j) for j in range(n) for i in range(j) if not set(surface.edges[i]) & set(surface.edges[j])}


def vertex_face_pairs(surface):
    vertices, n = set(surface.faces.ravel().tolist()), len(surface.faces)
    return {(v, f) for v in vertices for f in range(n) if v not in surface.faces[f]}


@pytest.mark.parametrize("has_bounds", [False, True])
@pytest.mark.parametrize("dop", [6, 16])
@pytest.mark.parametrize("seed", range(4))
def test_all_features_that_share_no_vertex_are_listed_once(seed, dop, has_bounds):
    surface = posed(seed, dop).surface
    found, n_seen = listing(surface, has_bounds)
    vertex_faces, edge_edges = vertex_face_pairs(surface), edge_pairs(surface)
    assert n_seen == len(vertex_faces) + len(edge_edges)
    n_edges, faces = len(surface.edges), surface.faces
    apart = {
        (e, f) for e in range(n_edges) for f in range(len(faces)) if not {*surface.edges[e]} & {*faces[f]}
    }
    bounds = surface.vertex_bounds, surface.edge_bounds, surface.face_bounds
    for have, want, (p, q) in (
        (found.vertex_faces, vertex_faces, (bounds[0], bounds[2])),
        (found.edge_edges, edge_edges, (bounds[1], bounds[1])),
        (found.edge_faces, apart, (bounds[1], bounds[2])),
    ):
        assert len(have) == len(set(have))
        assert set(have) == {(i, j) for i, j in want if not has_bounds or overlap(p, i, q, j)}
    assert {len(faces[f]) - len(set(faces[f].tolist())) for f in range(len(faces))} - {0} or seed


def test_features_that_a_face_does_not_stand_for_are_left_to_others():
    surface = posed(1).surface
    none = surface._replace(owned=np.zeros_like(surface.owned))
    found, n_seen = listing(none, False)
    assert n_seen == 0
    assert found == ([], [], [])


def test_corners_are_compared_one_by_one():
    faces = np.array([[0, 1, 2], [2, 3, 0], [4, 5, 6]], np.int32)
    assert shared_corners(faces, 0, 1) == 1 << 2 | 1 << 6
    assert shared_corners(faces, 0, 2) == 0
    assert shared_corners(faces, 1, 1) == 1 | 1 << 4 | 1 << 8
