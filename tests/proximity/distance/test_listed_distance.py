"""Pairs of many kinds in one pass, against each by itself, which other tests hold against slow truths."""

import numba
import numpy as np
import pytest

import firstcontact as fc
from firstcontact.bodies.convex_mesh_volume import bounding_volumes
from firstcontact.bodies.mesh_table import mesh_table
from firstcontact.bodies.outline import outline_of
from firstcontact.proximity.distance.listed_distance import ListedPairs, ShapeTable, listed_distances
from firstcontact.shapes.convex import joined
from properties.rigid_families import degenerate_soup, soup
from queries.test_near import poses_of
from samples import sample

N = sample(200, 20_000)


def shapes_for(rng):
    many = [fc.Box([1, 2, 0.5]), fc.Sphere(0.4), fc.Cone(0.3, 1), fc.Box([0.5, 1, 1]).mesh]
    clouds = [fc.Points(rng.random((5, 3)), 0.1), fc.Strands(rng.random((6, 3)), [4, 2], 0.05)]
    return [*many, soup(rng), degenerate_soup(rng), fc.Mesh(soup(rng).vertices, [[0, 1, 2]], 0.1), *clouds]


def table_of(shapes):
    """The same for compiled code."""
    meshes = [shape for shape in shapes if isinstance(shape, fc.Mesh)]
    ids = [meshes.index(shape) if isinstance(shape, fc.Mesh) else -1 for shape in shapes]
    table = joined([outline_of(x).table if isinstance(x, fc.Mesh) else x.table for x in shapes])
    return ShapeTable(*table, bounding_volumes(table), np.array(ids, np.int32), mesh_table(meshes))


def listed(rng, shapes, n, far, within):
    """Random pairs in random poses, one of each a mesh at least; and the poses."""
    ids = rng.integers(0, len(shapes), (4 * n, 2))
    is_mesh = np.array([isinstance(shape, fc.Mesh) for shape in shapes])
    ids = ids[is_mesh[ids].any(axis=1)][:n].astype(np.int32)
    poses = poses_of(rng, 30, far)
    rows = fc.Sphere(1).at(poses).motion.rows()
    return ListedPairs(
        ids, rng.integers(0, 30, (len(ids), 2)).astype(np.int32), rows, within[: len(ids)]
    ), poses


@pytest.mark.parametrize("far", [0.5, 4.0, 1e3])
def test_each_is_as_by_itself(far):
    rng = np.random.default_rng(5)
    shapes = shapes_for(rng)
    pairs, poses = listed(rng, shapes, N, far, np.full(N, np.inf))
    found = listed_distances(table_of(shapes), pairs)
    for k, ((i, j), (at, there)) in enumerate(zip(pairs.shape_ids, pairs.row_ids, strict=True)):
        alone = fc.distance(shapes[i].at(poses[at]), shapes[j].at(poses[there]))
        assert abs(found.distance[k] - alone.distance) <= 1e-12 * (1.0 + far)
        if found.distance[k] > 0.0:
            way = np.linalg.norm(found.points[k, 1] - found.points[k, 0])
            assert abs(way - alone.distance) <= 1e-12 * (1.0 + far)


def test_what_is_farther_than_within_is_nowhere_and_all_else_is_measured():
    rng = np.random.default_rng(6)
    shapes = shapes_for(rng)
    pairs, _ = listed(rng, shapes, N, 3.0, np.full(N, np.inf))
    whole = listed_distances(table_of(shapes), pairs)
    within = rng.uniform(0.0, 3.0, len(pairs.within))
    found = listed_distances(table_of(shapes), pairs._replace(within=within))
    is_near = whole.distance <= within
    assert 0 < is_near.sum() < len(within)
    np.testing.assert_allclose(found.distance[is_near], whole.distance[is_near], atol=1e-12)
    far = ~is_near & (found.distance == np.inf)
    assert far.sum() > 0.9 * (~is_near).sum()
    assert np.isnan(found.points[far]).all()
    assert (found.distance >= whole.distance - 1e-12).all()


def test_threads_change_nothing_and_none_is_none():
    rng = np.random.default_rng(7)
    shapes = shapes_for(rng)
    pairs, _ = listed(rng, shapes, N, 3.0, np.full(N, np.inf))
    before = numba.get_num_threads()
    answers = []
    for n in (1, before):
        numba.set_num_threads(n)
        answers.append(listed_distances(table_of(shapes), pairs))
    numba.set_num_threads(before)
    for one, other in zip(*answers, strict=True):
        np.testing.assert_array_equal(one, other)
    none = ListedPairs(pairs.shape_ids[:0], pairs.row_ids[:0], pairs.rows, pairs.within[:0])
    assert listed_distances(table_of(shapes), none).distance.shape == (0,)
