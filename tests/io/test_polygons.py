"""Polygons become triangles that cover exactly what their outlines enclose."""

import numpy as np
import pytest

from firstcontact.io.polygons import triangles


def cut(outline) -> np.ndarray:
    points = np.array([[*point, 0.0][:3] for point in outline], dtype=float)
    return triangles(points, [len(points)], range(len(points)))


def is_within(outline, point) -> bool:
    """Count how often a ray from the point crosses the outline."""
    x, y = point
    crossed = False
    for (ax, ay), (bx, by) in zip(outline, [*outline[1:], outline[0]], strict=True):
        if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
            crossed = not crossed
    return crossed


def cover(outline, faces, point) -> int:
    """Count the triangles that a point is in."""
    corners = np.array(outline, dtype=float)[faces]
    return sum(is_within(corner.tolist(), point) for corner in corners)


def star(rng, n) -> list:
    """An outline that goes around the origin once, at any distance from it: it does not cross itself."""
    angles = (np.arange(n) + rng.uniform(0, 0.8, n)) * 2 * np.pi / n
    radii = rng.uniform(0.1, 1.0, n)
    return np.stack([radii * np.cos(angles), radii * np.sin(angles)], axis=1).tolist()


COMB = [(0, 0), (7, 0), (7, 3), (6, 3), (6, 1), (5, 1), (5, 3), (4, 3), (4, 1), (3, 1), (3, 3), (0, 3)]
# A square with a square hole: the outline goes in along a slit and comes back along it.
KEYHOLE = [(0, 0), (4, 0), (4, 4), (0, 4), (0, 0), (1, 1), (1, 3), (3, 3), (3, 1), (1, 1)]


@pytest.mark.parametrize("turned", [1, -1])
@pytest.mark.parametrize("first", range(4))
def test_a_dart_is_cut_within_its_outline(first, turned):
    dart = [(0, 0), (2, -1), (0.5, 0), (2, 1)][::turned]
    dart = dart[first:] + dart[:first]
    faces = cut(dart)
    assert len(faces) == 2
    assert cover(dart, faces, (1.5, 0.01)) == 0  # in the notch, which a fan from some corners covers
    assert cover(dart, faces, (0.3, 0.05)) == 1


@pytest.mark.parametrize("outline", [COMB, KEYHOLE, COMB[::-1], KEYHOLE[::-1]])
def test_outlines_with_notches_and_holes(outline):
    for first in range(len(outline)):
        ring = outline[first:] + outline[:first]
        faces = cut(ring)
        assert len(faces) == len(outline) - 2
        for point in np.random.default_rng(0).uniform(0, 7, (60, 2)).tolist():
            assert cover(ring, faces, point) == is_within(outline, point)


@pytest.mark.parametrize("seed", range(20))
def test_random_outlines_in_any_plane(seed):
    rng = np.random.default_rng(seed)
    outline = star(rng, int(rng.integers(4, 12)))
    axes = np.linalg.qr(rng.normal(size=(3, 3)))[0][:2]
    faces = cut((np.array(outline) @ axes + rng.normal(size=3)).tolist())
    for point in rng.uniform(-1, 1, (50, 2)).tolist():
        assert cover(outline, faces, point) == is_within(outline, point)


def test_a_fan_stays_a_fan_where_it_covers_the_outline():
    assert cut([(0, 0), (1, 0), (1, 1), (0, 1)]).tolist() == [[0, 1, 2], [0, 2, 3]]
    assert cut([(0.5, 0), (2, -1), (0, 0), (2, 1)]).tolist() == [[0, 1, 2], [0, 2, 3]]  # from the notch


def test_triangles_keep_the_side_of_their_polygon():
    points = np.array([[0, 0, 0], [2, -1, 0], [0.5, 0, 0], [2, 1, 0]], dtype=float)
    for order, sign in ((range(4), 1), (range(3, -1, -1), -1)):
        a, b, c = (points[corner] for corner in triangles(points, [4], list(order)).T)
        assert (np.sign(np.cross(b - a, c - a)[:, 2]) == sign).all()


def test_polygons_keep_their_places_among_triangles():
    dart = np.array([[2, -1, 0], [0.5, 0, 0], [2, 1, 0], [0, 0, 0]], dtype=float)
    faces = triangles(dart, [3, 4, 3], [0, 1, 3, 0, 1, 2, 3, 1, 2, 3])
    assert faces[[0, 3]].tolist() == [[0, 1, 3], [1, 2, 3]]
    assert sorted(map(sorted, faces[1:3].tolist())) == [[0, 1, 3], [1, 2, 3]]


@pytest.mark.parametrize(
    "outline",
    [
        [(0, 0), (1, 1), (1, 0), (0, 1)],  # crosses itself
        [(0, 0)] * 5,
        [(0, 0), (1, 0), (2, 0), (3, 0)],
        [(0, 0), (2, 0), (1, 0), (3, 0), (0, 1)],
        [(0, 0, 0), (1e200, 0, 0), (0.5e200, 0, 0.1), (1e200, 1e200, 0)],
    ],
)
def test_degenerate_outlines_have_as_many_triangles_as_all(outline):
    assert len(cut(outline)) == len(outline) - 2


def test_a_spiral_of_many_corners():
    turns = np.linspace(1, 30, 600)
    inner = np.stack([turns * np.cos(turns), turns * np.sin(turns)], axis=1)
    outline = [*inner.tolist(), *(1.05 * inner[::-1]).tolist()]
    faces = cut(outline)
    corners = np.array(outline)[faces]
    sides = corners[:, 1:] - corners[:, :1]
    areas = np.linalg.det(sides) / 2
    assert (areas * np.sign(areas.sum()) >= 0).all()


@pytest.mark.parametrize(
    ("counts", "corners", "message"),
    [
        ([3, 2], [0, 1, 2, 0, 1], "face 1 has 2"),
        ([3, 3], [0, 1, 2, 0, 1, 3], r"integers in \[0, 3\); row 1 has 3"),
        ([3], [0, -1, 2], r"integers in \[0, 3\); row 0 has -1"),
    ],
)
def test_what_is_no_polygon(counts, corners, message):
    with pytest.raises(ValueError, match=message):
        triangles(np.eye(3), counts, corners)
