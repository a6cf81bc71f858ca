"""Pairs of triangles near each other: all of them, and no others."""

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.bodies.mesh_body import body_of
from firstcontact.proximity.touching.near_pairs import near_pairs
from oracles.closest_triangles import closest_points, norm
from properties.rigid_families import FAMILIES, generate
from proximity.solids import box, piece_at, placed, resting
from samples import sample


def distances(case, row_a, row_b, t):
    """Distances of all pairs of faces, in extended precision."""
    a, b = (placed(mesh, row, t)[mesh.faces] for mesh, row in ((case.mesh_a, row_a), (case.mesh_b, row_b)))
    i, j = (ids.reshape(-1) for ids in np.mgrid[: len(a), : len(b)])
    p, q = closest_points(*(np.asarray(t, np.longdouble).transpose(2, 1, 0) for t in (a[i], b[j])))
    return norm(q - p).reshape(len(a), len(b)).astype(float)


@pytest.mark.parametrize("family", FAMILIES)
def test_like_all_pairs(family):
    for seed in range(sample(1, of=3)):
        case = generate(family, seed)
        a, b = body_of(case.mesh_a), body_of(case.mesh_b)
        # Rounding, far from the origin most of all: the oracle works in the world's frame.
        slop = 1e-11 * (a.reach + b.reach + np.abs(case.rows_a).max() + np.abs(a.origin).max())
        for k, t in enumerate(np.linspace(0.0, 1.0, len(case.rows_a))):
            row_a, row_b = piece_at(case.rows_a[k], t), piece_at(case.rows_b[k], t)
            truth = distances(case, row_a, row_b, t)
            for distance in (0.0, float(np.median(truth)), float(truth.max())):
                near = near_pairs(a, b, row_a, row_b, t, distance)
                found = a.order[near.triangles[:, 0]], b.order[near.triangles[:, 1]]
                is_found = np.zeros(truth.shape, np.bool_)
                is_found[found] = True
                assert not near.is_truncated
                assert is_found.sum() == len(near.triangles)
                assert is_found[truth <= distance - slop].all()
                assert not is_found[truth > distance + slop].any()
                np.testing.assert_allclose(near.distances, truth[found], atol=slop, rtol=1e-6)


def test_lists_are_bounded():
    cube = box(1, 1, 1, cuts=2)
    body, row = body_of(cube), resting(cube)
    everything = near_pairs(body, body, row, row, 0.0, 9.0)
    assert len(everything.triangles) == cube.n_faces**2
    for limit in (0, 1, 1000, cube.n_faces**2 - 1):
        some = near_pairs(body, body, row, row, 0.0, 9.0, limit)
        assert some.is_truncated
        np.testing.assert_array_equal(some.triangles, everything.triangles[:limit])
    assert not near_pairs(body, body, row, row, 0.0, 9.0, cube.n_faces**2).is_truncated


def test_nothing_is_near_nothing():
    nothing, cube = fc.Mesh([], []), box(1, 1, 1)
    for a, b in ((nothing, cube), (cube, nothing), (nothing, nothing)):
        near = near_pairs(body_of(a), body_of(b), resting(a), resting(b), 0.0, 9.0)
        assert near.triangles.shape == (0, 2)
        assert near.distances.shape == (0,)
        assert not near.is_truncated
