"""Penetration of closed meshes: known cases, the exact depth of convex bodies, and what a move undoes."""

import numpy as np
import pytest
import trimesh
from scipy.spatial import ConvexHull
from scipy.spatial.transform import Rotation

import firstcontact as fc
from firstcontact.bodies.wide_body import wide_body_of
from firstcontact.proximity.distance.mesh_distance import mesh_intersections
from firstcontact.proximity.penetration.mesh_penetration import mesh_penetrations
from poses import pose
from proximity.solids import box, corner_piece, hull
from samples import sample

HERE = np.eye(4)


@pytest.fixture
def rng():
    return np.random.default_rng(12)


def rows_of(mesh, poses):
    return np.ascontiguousarray(mesh.at(poses).motion.rows()[:, 0])


def penetrations(a, poses_a, b, poses_b):
    return mesh_penetrations(a, b, rows_of(a, poses_a), rows_of(b, poses_b))


def moved(place, step):
    place = np.array(place)
    place[:3, 3] += step
    return place


def are_apart(a, pose_a, b, pose_b):
    return not fc.intersects(a.at(pose_a), b.at(pose_b), solid=True)


def is_undone(a, pose_a, b, pose_b, depth, direction):
    """Are solids apart after the move, and a little more?"""
    return are_apart(a, pose_a, b, moved(pose_b, (depth * (1.0 + 1e-9) + 1e-11) * direction))


def ball(radius, cuts=3):
    return fc.Mesh.from_trimesh(trimesh.creation.icosphere(cuts, radius=radius))


def torus(radius, thickness):
    return fc.Mesh.from_trimesh(trimesh.creation.torus(radius, thickness, 32, 16))


def check(a, pose_a, b, pose_b, depth, direction, accuracy=1e-12):
    """Compare one answer, its mirror image, and that of a turned world."""
    turn = pose((3.0, -1.0, 2.0), (0.4, -1.1, 0.7))
    turned = turn[:3, :3] @ direction
    for found, expected in (
        (penetrations(a, pose_a, b, pose_b), direction),
        (penetrations(b, pose_b, a, pose_a), np.negative(direction)),
        (penetrations(a, turn @ pose_a, b, turn @ pose_b), turned),
    ):
        assert found.is_overlapping.tolist() == [True]
        np.testing.assert_allclose(found.depth, [depth], atol=accuracy)
        np.testing.assert_allclose(found.direction, [expected], atol=accuracy)
        np.testing.assert_allclose(
            found.points_a - found.points_b, [np.multiply(depth, expected)], atol=10.0 * accuracy
        )


@pytest.mark.parametrize("cuts", [0, 2])
@pytest.mark.parametrize("offset", [(0.9, 0.05, 0.02), (0.9, 0.0, 0.0)], ids=["beside", "aligned"])
def test_boxes_that_overlap_by_a_tenth(offset, cuts):
    check(box(1, 1, 1, cuts=cuts), HERE, box(1, 1, 1, cuts=1), pose(offset), 0.1, (1, 0, 0))


@pytest.mark.parametrize("cuts", [0, 3])
def test_a_corner_in_a_large_face(cuts):
    """However finely the face is cut."""
    on_corner = Rotation.align_vectors([[0, 0, -1]], [[1, 1, 1]])[0].as_rotvec()
    place = pose((0.3, 0.2, 0.5 + 0.75**0.5 - 0.1), on_corner)
    check(box(9, 9, 1, cuts=cuts), HERE, box(1, 1, 1), place, 0.1, (0, 0, 1))


def test_crossed_bars_without_a_corner_inside():
    check(box(9, 1, 1), HERE, box(1, 9, 1), pose((0, 0, 0.9)), 0.1, (0, 0, 1))


def test_a_needle_is_pulled_out_and_not_aside():
    check(box(1, 1, 1, cuts=4), HERE, box(0.01, 0.01, 1), pose((0.1, 0.2, 0.9)), 0.1, (0, 0, 1))


def test_a_rod_through_a_plate_is_pulled_out():
    """Neither has a corner in the other, and a move aside would have to leave the plate."""
    check(box(4, 4, 0.1, cuts=3), HERE, box(0.1, 0.1, 3), pose((0, 0.3, 0.4)), 1.15, (0, 0, 1))


def test_edges_that_cross():
    """Two bars, each turned about its length by an eighth: edge meets edge at right angles."""
    up = np.pi / 4.0
    lower, upper = pose(turn=(up, 0, 0)), pose((0, 0, 2.0**0.5 - 0.05), (0, up, 0))
    check(box(9, 1, 1), lower, box(1, 9, 1), upper, 0.05, (0, 0, 1))


def test_balls():
    """The polyhedra are a little smaller than the balls."""
    a, b = ball(1.0), ball(0.5)
    for distance in (1.45, 1.2, 0.8):
        found = penetrations(a, HERE, b, pose((0, 0, distance), (0.1, 0.2, 0.3)))
        assert found.depth[0] == pytest.approx(1.5 - distance, abs=0.01)
        assert found.direction[0, 2] > 0.995


def test_a_body_wholly_inside_another():
    check(box(4, 4, 4), HERE, box(0.5, 0.5, 0.5), pose((0.2, 1.0, -0.3)), 1.25, (0, 1, 0))
    check(ball(1.0), HERE, box(0.1, 0.1, 0.1), pose((0, 0, 0.6)), 0.447, (0, 0, 1), accuracy=0.04)


def test_a_ball_inside_a_ring_leaves_through_the_nearest_side():
    """As a whole the two are parted by much longer ways only."""
    ring, bead = torus(1.0, 0.3), ball(0.1, 2)
    found = penetrations(ring, HERE, bead, pose((1.0, 0.0, 0.1)))
    assert found.depth[0] == pytest.approx(0.3, abs=0.02)
    assert found.direction[0, 2] > 0.98
    assert is_undone(ring, HERE, bead, pose((1.0, 0.0, 0.1)), found.depth[0], found.direction[0])


def test_a_ball_in_a_ring_touches_its_saddle():
    """No plane parts the two: around the hole the ring bends towards the ball."""
    ring, b = torus(1.0, 0.3), ball(0.5)
    found = penetrations(ring, HERE, b, pose((0.22, 0, 0)))
    assert found.depth[0] == pytest.approx(0.02, abs=0.005)
    assert found.direction[0, 0] < -0.99
    np.testing.assert_allclose(
        found.points_a[0] - found.points_b[0], found.depth[0] * found.direction[0], atol=1e-12
    )


def test_a_box_in_the_corner_of_an_l():
    """Too deep in one of the walls by a hundredth, in the other by a tenth."""
    piece, cube = corner_piece(), box(0.5, 0.5, 0.5)
    found = penetrations(piece, HERE, cube, pose((0.25 - 0.01, 0.25 - 0.1, 0.0)))
    # Out of both walls, along the crease, or out of the outer side: the crease's sides are a single region.
    assert 0.1 <= found.depth[0] <= 0.75 + 1e-12
    assert is_undone(piece, HERE, cube, pose((0.24, 0.15, 0.0)), found.depth[0], found.direction[0])


def test_the_deepest_of_two_regions():
    """A bridge with a short and a long leg stands in a floor."""
    legs = [trimesh.creation.box((0.2, 0.2, h)) for h in (1.05, 1.2)]
    legs[0].apply_translation((-1, 0, -0.525))
    legs[1].apply_translation((1, 0, -0.6))
    bridge = fc.Mesh.from_trimesh(trimesh.util.concatenate(legs))
    check(box(9, 9, 1), HERE, bridge, pose((0, 0, 1.5)), 0.2, (0, 0, 1))


def test_touching_bodies_have_no_depth():
    found = penetrations(box(1, 1, 1), HERE, box(1, 1, 1), pose((1, 0, 0)))
    assert found.is_overlapping.tolist() == [True]
    assert found.depth[0] == pytest.approx(0.0, abs=1e-12)
    np.testing.assert_allclose(found.direction, [[1, 0, 0]], atol=1e-12)


def test_bodies_at_one_place():
    found = penetrations(box(1, 2, 3, cuts=1), HERE, box(1, 2, 3), HERE)
    assert found.depth[0] == pytest.approx(1.0, abs=1e-12)
    assert abs(found.direction[0, 0]) == pytest.approx(1.0, abs=1e-12)


def test_bodies_apart():
    empty = fc.Mesh([], [])
    for a, b in ((box(1, 1, 1), box(1, 1, 1)), (empty, box(1, 1, 1)), (box(1, 1, 1), empty)):
        found = penetrations(a, HERE, b, pose((1.5, 0, 0)))
        assert found.is_overlapping.tolist() == [False]
        assert found.depth.tolist() == [0.0]
        for vectors in (found.direction, found.points_a, found.points_b):
            assert vectors.shape == (1, 3)
            assert np.isnan(vectors).all()


def test_a_batch_is_its_poses_one_by_one(rng):
    a, b = corner_piece(), hull(rng, 12)
    poses = np.array([pose(2.0 * rng.standard_normal(3), rng.standard_normal(3)) for _ in range(24)])
    there = pose(turn=(1, 2, 3))
    together = penetrations(a, poses, b, there)
    assert 4 < np.count_nonzero(together.is_overlapping) < 24
    assert together.is_overlapping.tolist() == fc.intersects(a.at(poses), b.at(there), solid=True).tolist()
    for i, place in enumerate(poses):
        for whole, one in zip(together, penetrations(a, place, b, there), strict=True):
            assert np.array_equal(whole[i : i + 1], one, equal_nan=True)
    back = penetrations(b, there, a, poses)
    np.testing.assert_allclose(back.depth, together.depth, atol=1e-12)


def exact_depth(a, pose_a, b, pose_b):
    """Distance of zero from the surface of the difference of two convex bodies, all its facets measured."""
    points_a, points_b = a.at(pose_a).vertices(0), b.at(pose_b).vertices(0)
    differences = (points_a[:, np.newaxis] - points_b).reshape(-1, 3)
    return -ConvexHull(differences).equations[:, 3].max()


def convex_pair(rng):
    kind = rng.integers(3)
    a = hull(rng, rng.integers(5, 30)) if kind != 1 else box(*rng.uniform(0.3, 2, 3))
    b = hull(rng, rng.integers(5, 30)) if kind == 0 else box(*rng.uniform(0.3, 2, 3))
    return a, b


@pytest.mark.parametrize("part", [0.02, 0.3, 0.9], ids=["shallow", "middle", "deep"])
def test_the_depth_of_convex_bodies_is_exact_and_the_move_parts_them(part, rng):
    for _ in range(sample(15, of=40)):
        a, b = convex_pair(rng)
        pose_a, turn, along = (
            pose(turn=rng.standard_normal(3)),
            rng.standard_normal(3),
            rng.standard_normal(3),
        )
        along /= np.linalg.norm(along)
        wanted = part * exact_depth(a, pose_a, b, pose(turn=turn))
        near, far = 0.0, 20.0
        for _ in range(20):
            middle = 0.5 * (near + far)
            is_deep = exact_depth(a, pose_a, b, pose(middle * along, turn)) > wanted
            near, far = (middle, far) if is_deep else (near, middle)
        pose_b = pose(near * along, turn)
        depth = exact_depth(a, pose_a, b, pose_b)
        found = penetrations(a, pose_a, b, pose_b)
        assert found.depth[0] == pytest.approx(depth, rel=1e-9, abs=1e-12)
        assert np.linalg.norm(found.direction[0]) == pytest.approx(1.0, abs=1e-12)
        assert is_undone(a, pose_a, b, pose_b, found.depth[0], found.direction[0])
        # The points meet after the move, and are on the surfaces.
        step = found.points_a[0] - found.points_b[0]
        np.testing.assert_allclose(step, depth * found.direction[0], atol=1e-9)


def test_the_depth_of_large_convex_bodies_is_almost_exact(rng):
    """More faces than are looked at as a whole."""
    for _ in range(6):
        a, b = (fc.Mesh(ball(1.0).vertices * rng.uniform(0.5, 1.0, 3), ball(1.0).faces) for _ in range(2))
        along = rng.standard_normal(3)
        pose_a, pose_b = pose(turn=rng.standard_normal(3)), pose(0.8 * along / np.linalg.norm(along))
        # The difference of 642 points each is too large for the oracle: all moves by less must not part them.
        found = penetrations(a, pose_a, b, pose_b)
        if not found.is_overlapping[0]:
            continue
        depth = found.depth[0]
        assert is_undone(a, pose_a, b, pose_b, depth, found.direction[0])
        directions = found.direction[0] + 0.3 * rng.standard_normal((50, 3))
        directions /= np.linalg.norm(directions, axis=1, keepdims=True)
        for direction in directions:
            assert not are_apart(a, pose_a, b, moved(pose_b, 0.98 * depth * direction))


@pytest.mark.parametrize("scale", [2.0**-40, 2.0**40])
def test_scale_does_not_matter(scale, rng):
    a, b = corner_piece(1), hull(rng, 12)
    for _ in range(5):
        place = pose(rng.standard_normal(3), rng.standard_normal(3))
        expected = penetrations(a, place, b, HERE)
        place[:3, 3] *= scale
        found = penetrations(
            fc.Mesh(scale * a.vertices, a.faces), place, fc.Mesh(scale * b.vertices, b.faces), HERE
        )
        np.testing.assert_allclose(found.depth / scale, expected.depth, atol=1e-12)
        np.testing.assert_allclose(found.direction, expected.direction, atol=1e-12)


def test_tiny_and_huge_bodies_have_an_answer():
    for scale in (1e-160, 2.0**140):
        cube = fc.Mesh(scale * box(1, 1, 1).vertices, box(1, 1, 1).faces)
        found = penetrations(cube, HERE, cube, pose((0.9 * scale, 0, 0)))
        assert found.is_overlapping[0]
        assert 0.0 <= found.depth[0] <= 2.0 * scale


def test_a_mesh_of_triangles_that_share_no_vertices(rng):
    """As files often have it: vertices at one place are one."""
    a = box(1, 1, 1, cuts=1)
    apart = fc.Mesh(a.vertices[a.faces].reshape(-1, 3), np.arange(3 * len(a.faces)).reshape(-1, 3))
    check(apart, HERE, apart, pose((0.9, 0.05, 0.02)), 0.1, (1, 0, 0))


def test_a_surface_turned_inside_out():
    a = box(1, 1, 1)
    inverted = fc.Mesh(a.vertices, a.faces[:, ::-1])
    check(inverted, HERE, a, pose((0.9, 0.05, 0.02)), 0.1, (1, 0, 0))


def test_a_triangle_soup_of_all_bodies_does_not_stop_it(rng):
    """Not closed, thin or without area: some answer, and no error."""
    for _ in range(10):
        triangles = rng.integers(-1, 2, (12, 3, 3)).astype(float)
        soup = fc.Mesh(triangles.reshape(-1, 3), np.arange(36).reshape(-1, 3))
        found = penetrations(soup, pose(0.3 * rng.standard_normal(3)), box(1, 1, 1), HERE)
        assert np.isfinite(found.depth).all()
        assert np.isfinite(found.direction[found.is_overlapping]).all()


def test_surfaces_of_a_region_are_parted(rng):
    """Of bodies that are not convex: the deepest region is undone, though others may be left."""
    ring, piece = torus(1.0, 0.3), corner_piece(2)
    n_apart = n_overlapping = 0
    for _ in range(20):
        place = pose(0.9 * rng.standard_normal(3), rng.standard_normal(3))
        found = penetrations(ring, HERE, piece, place)
        if found.is_overlapping[0]:
            n_overlapping += 1
            after = rows_of(piece, moved(place, (found.depth[0] + 1e-9) * found.direction[0]))
            n_apart += not mesh_intersections(
                wide_body_of(ring), wide_body_of(piece), rows_of(ring, HERE), after
            )[0]
    assert n_overlapping > 10
    assert n_apart >= 0.7 * n_overlapping
