"""Manifolds of convex shapes, against polygons that are cut another way and against all pairs of features."""

import numpy as np
import pytest
from scipy.spatial import ConvexHull as Hull
from scipy.spatial import HalfspaceIntersection
from scipy.spatial.transform import Rotation

import firstcontact as fc
from firstcontact.proximity.manifolds.convex_manifold import (
    GAP,
    NORMAL,
    POINT_A,
    POINT_B,
    Meeting,
    convex_manifolds,
    shape_table,
)

HERE = np.eye(3)


def manifold(shapes, poses, point, normal, within):
    meeting = Meeting(
        np.array([[0, 1]]),
        np.array([poses]),
        np.array([point], float),
        np.array([normal], float),
        np.array([within]),
    )
    return convex_manifolds(shape_table(shapes), meeting)


def pose(rotation, place):
    full = np.eye(4)
    full[:3, :3], full[:3, 3] = rotation, place
    return full


def common_polygon(corners_a, corners_b):
    """Corners of what two convex polygons have in common, as an intersection of half-planes."""
    planes = np.concatenate([Hull(corners_a).equations, Hull(corners_b).equations])
    inside = 0.5 * (corners_a.mean(axis=0) + corners_b.mean(axis=0))
    points = HalfspaceIntersection(planes, inside).intersections
    return points[Hull(points).vertices]


@pytest.mark.parametrize("seed", range(40))
def test_flat_faces_meet_in_the_corners_of_their_common_polygon(seed):
    rng = np.random.default_rng(seed)
    outlines = [rng.normal(size=(rng.integers(3, 9), 2)) for _ in range(2)]
    outlines = [
        outline / np.linalg.norm(outline, axis=1)[:, None] + [0.3 * k, 0.0]
        for k, outline in enumerate(outlines)
    ]
    outlines = [
        np.concatenate([outline, 0.35 * np.array([[1, 0.1], [-0.9, 0.4], [0.1, -1]]) + [0.15, 0]])
        for outline in outlines
    ]
    heights = (-1.0, 0.0), (0.0, 1.0)
    shapes = [
        fc.ConvexHull([[*corner, height] for height in both for corner in outline])
        for outline, both in zip(outlines, heights, strict=True)
    ]
    turn, gap = Rotation.random(rng=rng).as_matrix(), rng.uniform(-0.01, 0.01)
    place = rng.normal(size=3)
    poses = [pose(turn, place), pose(turn, place + gap * turn[:, 2])]
    rows = manifold(shapes, poses, place, turn[:, 2], 0.1)
    expected = common_polygon(*(outline[Hull(outline).vertices] for outline in outlines))
    found = ((rows[:, POINT_A:POINT_B] - place) @ turn)[:, :2]
    assert len(found) == len(expected)
    assert np.linalg.norm(found[:, None] - expected, axis=2).min(axis=0).max() < 1e-9
    np.testing.assert_allclose(rows[:, GAP], gap, atol=1e-12)


def surface_height(shape, placed, normal, point, side):
    """Where a line along the normal meets the hull of placed points, by a linear program over its planes."""
    hull = Hull(placed)
    along, left = hull.equations[:, :3] @ normal, -(hull.equations[:, :3] @ point + hull.equations[:, 3])
    with np.errstate(divide="ignore", invalid="ignore"):
        heights = left / along
    upper, lower = heights[along > 1e-9].min(), heights[along < -1e-9].max()
    assert (left[np.abs(along) <= 1e-9] > -1e-9).all()
    assert upper >= lower - 1e-9
    return upper if side > 0 else lower


@pytest.mark.parametrize("seed", range(60))
def test_tilted_bodies_have_true_gaps_and_lose_no_corner(seed):
    rng = np.random.default_rng(seed)
    shapes = [fc.Box(rng.uniform(0.5, 2.0, 3)), fc.ConvexHull(rng.normal(size=(12, 3)))]
    if seed % 2:
        shapes.reverse()
    turns = [Rotation.random(rng=rng).as_matrix() for _ in range(2)]
    a = shapes[0].at((turns[0], [0, 0, 0]))
    b = shapes[1].at((turns[1], rng.normal(size=3) + np.array([0, 0, 9.0])))
    near = fc.distance(a, b)
    normal = (near.points_b - near.points_a) / near.distance
    point, within = 0.5 * (near.points_a + near.points_b), 0.3
    poses = [a.pose(0.0), b.pose(0.0)]
    rows = manifold(shapes, poses, point, normal, within)
    placed = [shape.mesh.vertices @ p[:3, :3].T + p[:3, 3] for shape, p in zip(shapes, poses, strict=True)]
    assert rows[:, GAP].min() == pytest.approx(near.distance, abs=1e-9)
    for row in rows:
        middle = row[POINT_A:POINT_B]
        gap = surface_height(shapes[1], placed[1], normal, middle, -1) - surface_height(
            shapes[0], placed[0], normal, middle, 1
        )
        assert row[GAP] == pytest.approx(gap, abs=1e-8)
        assert row[GAP] <= near.distance + within + 1e-9
        np.testing.assert_allclose(row[NORMAL:], normal)
    # All vertices of either that face the other within the limit are in the outline of what is listed.
    across = np.linalg.svd(normal[None])[2][1:]
    listed = rows[:, POINT_A:POINT_B] @ across.T
    for mine, other, side in ((0, 1, 1), (1, 0, -1)):
        for vertex in placed[mine]:
            try:
                own = surface_height(shapes[mine], placed[mine], normal, vertex, side)
                gap = side * (surface_height(shapes[other], placed[other], normal, vertex, -side) - own)
            except AssertionError:
                continue
            if abs(own) < 1e-9 and gap <= near.distance + within - 1e-9:
                assert is_in_outline(vertex @ across.T, listed)


def is_in_outline(point, corners):
    """Is no direction such that a point is beyond all corners? By a look in many."""
    angles = np.linspace(0, 2 * np.pi, 720, endpoint=False)
    ways = np.column_stack([np.cos(angles), np.sin(angles)])
    return bool((ways @ point <= (ways @ corners.T).max(axis=1) + 1e-6).all())


ROUND = {
    "sphere": (fc.Sphere(0.5), HERE, 0.5, 1),
    "lying capsule": (fc.Capsule(0.2, 0.6), Rotation.from_euler("y", 90, degrees=True).as_matrix(), 0.2, 2),
    "standing capsule": (fc.Capsule(0.2, 0.6), HERE, 0.5, 1),
    "lying cylinder": (
        fc.Cylinder(0.2, 0.6),
        Rotation.from_euler("zy", [10, 90], degrees=True).as_matrix(),
        0.2,
        2,
    ),
    "standing cylinder": (fc.Cylinder(0.2, 0.6), HERE, 0.3, 8),
    "ellipsoid": (fc.Ellipsoid([0.2, 0.3, 0.4]), HERE, 0.4, 1),
    "standing cone": (fc.Cone(0.3, 0.6), HERE, None, 8),
}


@pytest.mark.parametrize(
    "floor", [fc.Box([9, 9, 2]), fc.HalfSpace([0, 0, 1], 1.0)], ids=["box", "half-space"]
)
@pytest.mark.parametrize("name", ROUND)
def test_what_is_round_has_a_point_or_a_line_or_a_rim(name, floor):
    shape, turn, height, n = ROUND[name]
    height = -shape.at(np.eye(4)).shape.mesh.vertices[:, 2].min() if height is None else height
    rows = manifold(
        [floor, shape], [np.eye(4), pose(turn, [0, 0, 1.01 + height])], [0, 0, 1.005], [0, 0, 1], 0.001
    )
    assert len(rows) == n
    np.testing.assert_allclose(rows[:, GAP], 0.01, atol=1e-9)
    np.testing.assert_allclose(rows[:, POINT_A + 2], 1.0, atol=1e-9)
    np.testing.assert_allclose(rows[:, POINT_B + 2], 1.01, atol=1e-9)


def test_parallel_capsules_have_both_ends_of_what_they_share():
    capsule = fc.Capsule(0.25, 1.0)
    poses = [np.eye(4), pose(HERE, [0.5, 0, 0.4])]
    rows = manifold([capsule, capsule], poses, [0.25, 0, 0], [1, 0, 0], 0.01)
    np.testing.assert_allclose(sorted(rows[:, POINT_A + 2]), [-0.1, 0.5], atol=1e-12)
    np.testing.assert_allclose(rows[:, GAP], 0.0, atol=1e-12)


def test_more_corners_than_there_is_room_for_at_first():
    angles = np.linspace(0, 2 * np.pi, 150, endpoint=False)
    drum = fc.ConvexHull([[np.cos(t), np.sin(t), z] for t in angles for z in (0, 1)])
    other = pose(Rotation.from_euler("z", 0.01).as_matrix(), [0, 0, 1])
    assert len(manifold([drum, drum], [np.eye(4), other], [0, 0, 1], [0, 0, 1], 0.01)) >= 150
