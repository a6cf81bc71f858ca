"""Pairs of features from pairs of triangles, against a listing of all of them."""

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.deformable.elementary_candidates import (
    ELEMENTARY_TESTS,
    FEATURE_PAIRS,
    FILTERED,
    N_COUNTS,
    count_filtered,
    gather_listed,
    list_edge_edges,
    list_vertex_faces,
)
from firstcontact.deformable.problem import feature_options, pose_problem
from firstcontact.narrowphase.elementary.coplanarity_filter import BLOCK


def posed(seed=0, n_vertices=10, n_faces=14):
    rng = np.random.default_rng(seed)
    mesh = fc.Mesh(rng.random((n_vertices, 3)), rng.integers(0, n_vertices, (n_faces, 3)))
    return pose_problem([mesh.deforming(mesh.vertices, rng.random((n_vertices, 3)))], 0.0, fc.Culling(dop=6))


def listing(list_features, problem, has_bounds):
    """All that is listed from all pairs of triangles, a block at a time, and what was counted."""
    n = len(problem.surface.faces)
    pairs = np.array([(i, j) for i in range(n) for j in range(i)], np.int32)
    request = feature_options(problem, 1.0, 1e-9)._replace(has_feature_bounds=has_bounds)
    listed, counts, found, at = np.zeros((BLOCK, 2), np.int32), np.zeros(N_COUNTS, np.int64), [], 0
    while at < len(pairs):
        count, at = list_features(problem.surface, request, pairs, at, listed, counts)
        found += map(tuple, listed[:count].tolist())
    return found, counts


def overlap(p, i, q, j):
    return bool(np.all(p[i, :3] <= q[j, 3:]) and np.all(q[j, :3] <= p[i, 3:]))


@pytest.mark.parametrize("has_bounds", [False, True])
def test_vertices_and_faces(has_bounds):
    problem = posed()
    surface = problem.surface
    found, counts = listing(list_vertex_faces, problem, has_bounds)
    everything = {
        (v, f)
        for v in set(surface.faces.ravel())
        for f in range(len(surface.faces))
        if v not in surface.faces[f]
    }
    expected = {
        (v, f)
        for v, f in everything
        if not has_bounds or overlap(surface.vertex_bounds, v, surface.face_bounds, f)
    }
    assert len(found) == len(set(found))
    assert set(found) == expected
    assert counts[FEATURE_PAIRS] == len(everything)


@pytest.mark.parametrize("has_bounds", [False, True])
def test_edges_and_edges(has_bounds):
    problem = posed(1)
    surface = problem.surface
    found, counts = listing(list_edge_edges, problem, has_bounds)
    n = len(surface.edges)
    everything = {
        (i, j) for j in range(n) for i in range(j) if not set(surface.edges[i]) & set(surface.edges[j])
    }
    expected = {
        (i, j)
        for i, j in everything
        if not has_bounds or overlap(surface.edge_bounds, i, surface.edge_bounds, j)
    }
    assert len(found) == len(set(found))
    assert set(found) == expected
    assert counts[FEATURE_PAIRS] == len(everything)


@pytest.mark.parametrize("is_edge_edge", [False, True])
def test_points_come_into_the_block_in_order(is_edge_edge):
    surface = posed(2).surface
    listed, block = np.array([[1, 2], [0, 3]], np.int32), np.zeros(24 * BLOCK)
    gather_listed(surface, listed, 2, is_edge_edge, block)
    for q, (first, second) in enumerate(listed):
        rows = (
            [*surface.edges[first], *surface.edges[second]]
            if is_edge_edge
            else [first, *surface.faces[second]]
        )
        expected = np.concatenate([surface.vertices_t0[rows].ravel(), surface.vertices_t1[rows].ravel()])
        assert np.array_equal(block.reshape(24, BLOCK)[:, q], expected)


@pytest.mark.parametrize("has_filter", [False, True])
def test_without_the_filter_nothing_is_free(has_filter):
    request = feature_options(posed(), 1.0, 1e-9)._replace(has_filter=has_filter)
    is_free, counts = np.array([True, False, True]), np.zeros(N_COUNTS, np.int64)
    count_filtered(3, request, is_free, counts)
    assert is_free.tolist() == ([True, False, True] if has_filter else [False] * 3)
    assert (counts[ELEMENTARY_TESTS], counts[FILTERED]) == (3, 2 if has_filter else 0)
