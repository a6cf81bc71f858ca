"""Pairs of features in a block, as they were listed."""

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.deformable.elementary_candidates import (
    ELEMENTARY_TESTS,
    FILTERED,
    N_COUNTS,
    count_filtered,
    gather_listed,
)
from firstcontact.deformable.problem import feature_options, pose_problem
from firstcontact.narrowphase.elementary.coplanarity_filter import BLOCK


def posed(seed=0, n_vertices=10, n_faces=14):
    rng = np.random.default_rng(seed)
    mesh = fc.Mesh(rng.random((n_vertices, 3)), rng.integers(0, n_vertices, (n_faces, 3)))
    return pose_problem([mesh.deforming(mesh.vertices, rng.random((n_vertices, 3)))], 0.0, fc.Culling(dop=6))


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
