import numpy as np
import pytest
from scipy.spatial import ConvexHull

from firstcontact.narrowphase.convex.polytope import (
    BEYOND,
    ROW,
    corner_at,
    first_corner,
    first_plane,
    grow,
    is_full,
    plane_of,
    put_corner,
    start_tetrahedron,
    workspace,
)

TETRAHEDRON = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]) - 0.2


def started(corners):
    numbers, links = workspace(1024)
    for i, corner in enumerate(corners):
        put_corner(numbers, i, tuple(corner), (0.0, 0.0, 0.0))
    return numbers, links, start_tetrahedron(numbers, links)


def faces_of(numbers, links, n_faces):
    """The ids of the faces that are still there, (n, 3), and which rows they are."""
    alive = [i for i in range(n_faces) if numbers[i] < np.inf]
    return np.array([links[ROW * i : ROW * i + 3] for i in alive]), alive


def seen_from(numbers, n_faces, point):
    first = first_plane(len(numbers))
    planes = numbers[first : first + 4 * n_faces].reshape(-1, 4)
    alive = numbers[:n_faces] < np.inf
    above = np.where(alive, planes[:, :3] @ point - planes[:, 3], -np.inf)
    return int(np.argmax(above)), above.max()


def test_every_side_of_a_tetrahedron_leads_to_the_neighbour_and_back():
    _, links, n_faces = started(TETRAHEDRON)
    assert n_faces == 4
    for face in range(4):
        for side in range(3):
            beyond = links[ROW * face + BEYOND + side]
            assert links[ROW * (beyond >> 2) + BEYOND + (beyond & 3)] == 4 * face + side
            ends = links[ROW * face + side], links[ROW * face + (side + 1) % 3]
            other, back = beyond >> 2, beyond & 3
            assert ends == (links[ROW * other + (back + 1) % 3], links[ROW * other + back])


def test_planes_face_outwards():
    numbers, _, _ = started(TETRAHEDRON)
    first = first_plane(len(numbers))
    planes = numbers[first : first + 16].reshape(4, 4)
    assert np.allclose(np.sort(planes[:, 3]), np.sort([0.2, 0.2, 0.2, 0.4 / np.sqrt(3.0)]))
    assert (planes[:, :3] @ TETRAHEDRON.mean(axis=0) < planes[:, 3]).all()


@pytest.mark.parametrize("seed", range(5))
def test_it_grows_into_the_hull_of_its_corners(seed):
    points = np.random.default_rng(seed).normal(size=(60, 3))
    numbers, links, n_faces = started(TETRAHEDRON)
    corners = list(TETRAHEDRON)
    for point in points:
        face, above = seen_from(numbers, n_faces, point)
        if above <= 1e-12:
            continue
        put_corner(numbers, len(corners), tuple(point), (0.0, 0.0, 0.0))
        n_faces = grow(numbers, links, n_faces, face, len(corners))
        assert n_faces > 0
        corners.append(point)
    faces, _ = faces_of(numbers, links, n_faces)
    hull = ConvexHull(corners)
    assert len(faces) == len(hull.simplices)
    assert {frozenset(face) for face in faces.tolist()} == {
        frozenset(face) for face in hull.simplices.tolist()
    }


def test_no_more_faces_than_there_is_room_for():
    numbers, links, n_faces = started(TETRAHEDRON)
    put_corner(numbers, 4, (1.0, 1.0, 1.0), (0.0, 0.0, 0.0))
    assert grow(numbers, links, 2048, seen_from(numbers, n_faces, np.ones(3))[0], 4) == -1
    assert not is_full(numbers, 1023)
    assert is_full(numbers, 1024)


def test_a_corner_is_read_as_it_was_written():
    numbers, _ = workspace(1024)
    put_corner(numbers, 7, (1.0, 2.0, 3.0), (4.0, 5.0, 6.0))
    assert corner_at(numbers, 7) == (1.0, 2.0, 3.0)
    first = first_corner(len(numbers))
    assert numbers[first + 6 * 7 + 3 : first + 6 * 8].tolist() == [4.0, 5.0, 6.0]


@pytest.mark.parametrize("height", [1.0, 1e-3, 1e-8, 1e-12])
@pytest.mark.parametrize("size", [1.0, 1e-100, 1e40])
def test_planes_of_slender_triangles(height, size):
    a, b, c = (0.0, 0.0, size), (size, 0.0, size), (0.3 * size, height * size, size)
    for triangle in ((a, b, c), (b, c, a), (c, a, b)):
        normal, distance = plane_of(*triangle)
        assert np.allclose(normal, (0.0, 0.0, 1.0), rtol=0, atol=1e-15)
        assert distance == pytest.approx(size, rel=1e-15)


def test_a_segment_has_no_plane():
    assert plane_of((0.0, 0.0, 1.0), (1.0, 0.0, 1.0), (2.0, 0.0, 1.0)) == ((0.0, 0.0, 0.0), -np.inf)
    assert plane_of((1.0, 1.0, 1.0), (1.0, 1.0, 1.0), (1.0, 1.0, 1.0)) == ((0.0, 0.0, 0.0), -np.inf)
