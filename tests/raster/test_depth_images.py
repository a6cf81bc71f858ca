"""Images of depth never keep apart what touches, and keep apart most of what does not."""

from fractions import Fraction

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.raster.depth_images import may_touch, shown


def parts(triangles, radius=0.0):
    """Triangles (n, 3, 3) at rest, each a body."""
    points = np.concatenate([triangles, triangles, triangles[:, :2]], axis=1)
    return shown(points, np.full(len(points), radius), np.arange(len(points) + 1))


def all_pairs(n):
    return np.stack(np.triu_indices(n, 1), axis=1).astype(np.int32)


def soup(rng, n, kind):
    corners = rng.random((n, 3, 3))
    if kind == "slivers":
        corners[:, 2] = corners[:, 0] + (corners[:, 1] - corners[:, 0]) * rng.random((n, 1))
        corners[:, 2] += 1e-12 * rng.normal(size=(n, 3))
    if kind == "grazing":
        corners = np.round(corners * 3) / 3
    if kind == "mixed":
        corners = corners[:, :1] + (corners - corners[:, :1]) * 10.0 ** rng.uniform(-9, 1, (n, 1, 1))
    return corners


@pytest.mark.parametrize("kind", ["plain", "slivers", "grazing", "mixed"])
@pytest.mark.parametrize("size", [1.0, 1e-30])
def test_no_pair_that_meets_is_lost(kind, size):
    rng = np.random.default_rng(len(kind))
    corners = soup(rng, 14, kind) * size
    pairs = all_pairs(14)
    kept = may_touch(parts(corners), pairs)
    meshes = [fc.Mesh(own, [[0, 1, 2]]) for own in corners]
    meets = np.array([bool(fc.intersections(meshes[i], meshes[j])) for i, j in pairs.tolist()])
    assert not (meets & ~kept).any()
    if kind == "plain":
        boxes = np.concatenate([corners.min(axis=1), corners.max(axis=1)], axis=1)
        near = (boxes[pairs[:, 0], :3] <= boxes[pairs[:, 1], 3:]).all(axis=1)
        near &= (boxes[pairs[:, 1], :3] <= boxes[pairs[:, 0], 3:]).all(axis=1)
        assert meets.sum() <= kept.sum() < 0.8 * near.sum()


def test_a_common_point_as_far_as_the_radii_reach_counts():
    low = np.array([[[0, 0, 0], [1, 0, 0], [0, 1, 0]]], float)
    for gap, radius in ((0.25, 0.125), (1.0, 0.5)):
        both = np.concatenate([low, np.add(low, [0, 0, gap])])
        assert may_touch(parts(both, radius), all_pairs(2)).all()
        assert not may_touch(parts(both, float(Fraction(99, 100)) * radius), all_pairs(2)).any()


def test_what_is_inside_of_another_is_not_apart():
    outer, inner = fc.Box([2, 2, 2]).mesh, fc.Box([0.1, 0.1, 0.1]).mesh
    corners = [mesh.vertices[mesh.faces] for mesh in (outer, inner)]
    points = np.concatenate(corners)
    points = np.concatenate([points, points, points[:, :2]], axis=1)
    bodies = shown(points, np.zeros(24), np.array([0, 12, 24]))
    assert may_touch(bodies, all_pairs(2)).all()
