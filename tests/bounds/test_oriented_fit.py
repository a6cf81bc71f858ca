"""Boxes around points hold them, and are turned as the surface of their hull is."""

import numpy as np
import pytest
from scipy.spatial import ConvexHull
from scipy.spatial.transform import Rotation

from firstcontact.bounds.oriented_box import ALONG, CENTER, HALF, N_COLUMNS, SIZE
from firstcontact.bounds.oriented_fit import fit_box
from firstcontact.bounds.quick_hull import hull_room
from firstcontact.scalar.error_bounds import UNIT_ROUNDOFF

RNG = np.random.default_rng(11)


def fitted(points, triangles=None):
    points = np.ascontiguousarray(points, float)
    triangles = np.zeros((0, 3), np.int32) if triangles is None else np.array(triangles, np.int32)
    row = np.empty(N_COLUMNS)
    fit_box(points, triangles, hull_room(len(points)), np.empty((2, 3, 3)), row)
    return row[CENTER:ALONG], row[ALONG:HALF].reshape(3, 3), row[HALF:SIZE]


@pytest.mark.parametrize("size", [1e-170, 1e-80, 1.0, 2.0**149])
@pytest.mark.parametrize("shape", [(1, 1, 1), (1, 1, 0), (1, 0, 0), (0, 0, 0), (1, 1, 1e-12)])
def test_boxes_hold_their_points(shape, size):
    for n in (1, 2, 3, 4, 9, 50):
        points = size * (RNG.normal(size=(n, 3)) * shape @ Rotation.random(random_state=RNG).as_matrix())
        triangles = RNG.integers(0, n, (n, 3))
        center, axes, half = fitted(points, triangles)
        assert np.abs(axes @ axes.T - np.eye(3)).max() < 16 * UNIT_ROUNDOFF
        assert np.all(np.abs((points - center) @ axes.T) <= half + 16 * UNIT_ROUNDOFF * np.abs(points).max())


def test_a_box_is_found_however_it_is_sampled():
    turn = Rotation.random(random_state=RNG).as_matrix()
    corners = np.stack(np.meshgrid([-3, 3], [-2, 2], [-1, 1]), axis=-1).reshape(-1, 3)
    inner = RNG.normal(size=(500, 3)) * [0.05, 0.1, 0.2]  # that a covariance of points would follow
    edge = [3.0, 2.0, 0.0] + np.linspace(-1, 1, 200)[:, None] * [0, 0, 1]
    center, axes, half = fitted(np.concatenate([corners, inner, edge]) @ turn.T + 5.0)
    assert np.sort(half) == pytest.approx([1, 2, 3])
    assert center == pytest.approx([5, 5, 5])
    assert np.abs(axes @ turn).max(axis=1) == pytest.approx([1, 1, 1])


def test_axes_are_those_of_a_densely_sampled_hull():
    points = RNG.normal(size=(40, 3)) * [3, 2, 1]
    hull = ConvexHull(points)
    corners = points[hull.simplices]
    areas = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    chosen = RNG.choice(len(areas), 400_000, p=areas / areas.sum())
    weights = RNG.dirichlet([1, 1, 1], len(chosen))
    samples = np.einsum("ij,ijk->ik", weights, corners[chosen])
    _, axes, _ = fitted(points)
    assert (
        np.abs(axes @ np.cov(samples.T) @ axes.T - np.diag(np.linalg.eigvalsh(np.cov(samples.T))[::-1])).max()
        < 0.05
    )


def test_flat_points_go_by_their_triangles():
    square = np.array([[0, 0, 0], [4, 0, 0], [4, 1, 0], [0, 1, 0.0]])
    turn = Rotation.from_rotvec([0.3, 0.2, 0.5]).as_matrix()
    crowd = np.tile(square[:1], (50, 1))  # doubled points do not pull
    _, axes, half = fitted(np.concatenate([square, crowd]) @ turn.T, [[0, 1, 2], [0, 2, 3]])
    assert half == pytest.approx([2, 0.5, 0])
    assert np.abs(axes @ turn).max(axis=1) == pytest.approx([1, 1, 1])
