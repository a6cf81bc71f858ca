"""Hulls beside those of Qhull: the same area and volume, closed, and points in a plane have none."""

import numpy as np
import pytest
from scipy.spatial import ConvexHull

from firstcontact.bounds.quick_hull import hull_room, quick_hull

RNG = np.random.default_rng(5)


def faces_of(points, room=None):
    room = hull_room(len(points)) if room is None else room
    n = quick_hull(points, room)
    return room.corners[:n].copy()


def area_and_volume(points, faces):
    a, b, c = (points[faces[:, k]] for k in range(3))
    normals = np.cross(b - a, c - a)
    return 0.5 * np.linalg.norm(normals, axis=1).sum(), np.einsum("ij,ij->", normals, a) / 6.0


CLOUDS = {
    "ball": lambda n: RNG.normal(size=(n, 3)),
    "shell": lambda n: (lambda p: p / np.linalg.norm(p, axis=1, keepdims=True))(RNG.normal(size=(n, 3))),
    "grid": lambda n: RNG.integers(0, 4, (n, 3)).astype(float),
    "doubled": lambda n: np.repeat(RNG.normal(size=(n // 2 + 1, 3)), 2, axis=0),
    "thin": lambda n: RNG.normal(size=(n, 3)) * [1, 1, 1e-9],
    "needle": lambda n: RNG.normal(size=(n, 3)) * [1, 1e-6, 1e-6],
}


@pytest.mark.parametrize("kind", CLOUDS)
@pytest.mark.parametrize("n", [8, 30, 300])
def test_as_qhull_has_it(kind, n):
    points = CLOUDS[kind](n)
    faces, other = faces_of(points), ConvexHull(points)
    area, volume = area_and_volume(points, faces)
    assert area == pytest.approx(other.area, rel=1e-9)
    assert volume == pytest.approx(other.volume, rel=1e-5)
    edges = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
    assert len({*map(tuple, edges.tolist())}) == len(edges)  # each edge once in each direction
    assert {*map(tuple, edges.tolist())} == {*map(tuple, edges[:, ::-1].tolist())}


@pytest.mark.parametrize(
    "points",
    [
        np.zeros((5, 3)),
        np.ones((1, 3)),
        np.outer(np.arange(6.0), [1, 2, 3]),
        RNG.normal(size=(20, 3)) * [1, 1, 0],
        np.full((4, 3), 5e-324) * RNG.integers(0, 2, (4, 3)),
    ],
)
def test_points_in_a_plane_have_none(points):
    assert quick_hull(np.ascontiguousarray(points), hull_room(len(points))) == 0


def test_a_room_serves_many():
    room = hull_room(100)
    for n in (100, 5, 40, 4, 100):
        points = RNG.normal(size=(n, 3))
        faces_of(np.zeros((n, 3)), room)
        assert np.array_equal(faces_of(points, room), faces_of(points))
        assert not room.is_used.any()
        assert not room.is_due.any()
        assert not room.is_seen.any()
        assert (room.begins == -1).all()
