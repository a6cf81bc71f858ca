"""The closest pair of triangles, against all pairs in extended precision."""

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.bodies.mesh_body import body_of
from firstcontact.bodies.wide_body import wide_body_of
from firstcontact.proximity.distance.mesh_distance import mesh_distances, mesh_intersections
from firstcontact.scalar.error_bounds import UNIT_ROUNDOFF
from oracles.mesh_distance import NOTHING, all_pairs
from poses import pose
from properties.rigid_families import degenerate_soup, mesh_of, orientation, soup, unit
from samples import sample

# Of the meshes' size: what an answer may be off by, and where one may be taken for the other.
ACCURACY = 1e-13
# Thin triangles that nearly touch are measured less exactly.
THIN_ACCURACY = 1e-7


@pytest.fixture
def rng():
    return np.random.default_rng(33)


def lattice(rng):
    """Whole numbers: many pairs at one distance, faces on faces, edges along edges."""
    return mesh_of(rng.integers(-1, 2, (rng.integers(1, 9), 3, 3)).astype(float))


def sheet(rng):
    """Flat, and bent a little."""
    x, y = np.meshgrid(np.arange(5.0), np.arange(5.0), indexing="ij")
    points = np.stack([x, y, 0.1 * rng.random(x.shape)], axis=-1).reshape(-1, 3) / 4.0
    corner = np.arange(25).reshape(5, 5)[:-1, :-1].ravel()
    faces = np.concatenate([corner[:, None] + [0, 5, 6], corner[:, None] + [0, 6, 1]])
    return fc.Mesh(points, faces)


def any_pose(rng, spread=1.5):
    return pose(rng.uniform(0.0, spread) * unit(rng), orientation(rng))


def lattice_pose(rng):
    return pose(rng.integers(-3, 4, 3), np.eye(3))


FAMILIES = {
    "soup": (soup, any_pose),
    "degenerate": (degenerate_soup, any_pose),
    "lattice": (lattice, lattice_pose),
    "sheet": (sheet, any_pose),
}
every_family = pytest.mark.parametrize("family", FAMILIES)


def rows_of(mesh, poses):
    return np.ascontiguousarray(mesh.at(poses).motion.rows()[:, 0])


def measured(a, pose_a, b, pose_b):
    return mesh_distances(wide_body_of(a), wide_body_of(b), rows_of(a, pose_a), rows_of(b, pose_b))


def touches(a, pose_a, b, pose_b):
    return mesh_intersections(wide_body_of(a), wide_body_of(b), rows_of(a, pose_a), rows_of(b, pose_b))


def check(a, pose_a, b, pose_b, size, accuracy=ACCURACY):
    """Compare one answer with the oracle's."""
    truth = all_pairs(a, a.at(pose_a).pose(0.0), b, b.at(pose_b).pose(0.0))
    found = measured(a, pose_a, b, pose_b)
    least, distance = float(truth.distances.min()), found.distance[0]
    assert abs(distance - least) <= accuracy * size
    assert abs(truth.distances[tuple(found.faces[0])] - distance) <= accuracy * size
    world = np.abs(found.points).max() + size
    assert abs(np.linalg.norm(found.points[0, 0] - found.points[0, 1]) - distance) <= ACCURACY * world
    is_touching = touches(a, pose_a, b, pose_b)[0]
    assert is_touching or least > NOTHING * size
    assert not is_touching or least <= accuracy * size
    assert is_touching or distance > 0.0
    return distance


@every_family
@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_distances_are_those_of_all_pairs(family, scale, rng):
    make, place = FAMILIES[family]
    n, n_apart = sample(25, of=40), 0
    for _ in range(n):
        a, b = make(rng), make(rng)
        a, b = (fc.Mesh(scale * mesh.vertices, mesh.faces) for mesh in (a, b))
        poses = [place(rng), place(rng)]
        for matrix in poses:
            matrix[:3, 3] *= scale
        accuracy = THIN_ACCURACY if family == "degenerate" else ACCURACY
        n_apart += check(a, poses[0], b, poses[1], 5.0 * scale, accuracy) > 0.0
    assert n // 8 < n_apart < n


@pytest.mark.parametrize("far", [1e4, 1e8])
def test_far_from_the_worlds_origin(far, rng):
    """The pair moves together: only the poses' own last digits are lost."""
    for _ in range(30):
        a, b, offset = soup(rng), soup(rng), far * unit(rng)
        pose_a, pose_b = any_pose(rng), any_pose(rng)
        pose_a[:3, 3] += offset
        pose_b[:3, 3] += offset
        check(a, pose_a, b, pose_b, 5.0)


@pytest.mark.parametrize("far", [1e4, 1e8])
def test_far_from_the_origin_of_their_own_frames(far, rng):
    for _ in range(30):
        a, b, offset = soup(rng), soup(rng), far * unit(rng)
        a, b = fc.Mesh(a.vertices + offset, a.faces), fc.Mesh(b.vertices + offset, b.faces)
        turned = any_pose(rng)
        turned[:3, 3] += offset - turned[:3, :3] @ offset
        for place in (pose(rng.standard_normal(3), np.eye(3)), turned):
            # The product of a rotation and coordinates of that size is what loses digits.
            check(a, place, b, np.eye(4), 5.0, ACCURACY + 16.0 * UNIT_ROUNDOFF * far)


def test_surfaces_that_cross_have_a_common_point(rng):
    n_crossing = 0
    for _ in range(60):
        a, b = soup(rng, 6), soup(rng, 6)
        poses = any_pose(rng, 0.5), any_pose(rng, 0.5)
        found = measured(a, poses[0], b, poses[1])
        if all_pairs(a, poses[0], b, poses[1]).distances.min() <= NOTHING:
            n_crossing += 1
            assert found.distance[0] == 0.0
            assert np.array_equal(found.points[0, 0], found.points[0, 1])
            assert touches(a, poses[0], b, poses[1])[0]
    assert n_crossing > 30


@pytest.mark.parametrize("gap", [1e-3, 1e-9, 1e-11])
def test_a_small_gap_is_measured(gap, rng):
    """A leaf above a larger one, corner, edge or face down, both tilted."""
    floor = fc.Mesh([[-9, -9, 0], [9, -9, 0], [0, 9, 0]], [[0, 1, 2]])
    for corners in ([0, 1, 1], [0, 0, 1], [0, 0, 0]):
        leaf = fc.Mesh(np.column_stack([[[0, 0], [1, 0], [0, 1]], np.add(corners, gap)]), [[0, 1, 2]])
        for _ in range(10):
            tilt = any_pose(rng)
            assert measured(leaf, tilt, floor, tilt).distance[0] == pytest.approx(gap, abs=1e-14)
            assert not touches(leaf, tilt, floor, tilt)[0]


def test_what_touches_as_given_intersects(rng):
    """Corners on corners, edges and faces, to the last digit of a lattice; then turned together."""
    for _ in range(80):
        a, b = lattice(rng), lattice(rng)
        place = pose(rng.integers(-2, 3, 3), np.eye(3))
        is_zero = float(all_pairs(a, place, b, np.eye(4)).distances.min()) <= NOTHING
        assert touches(a, place, b, np.eye(4))[0] == is_zero
        turn = any_pose(rng)
        assert touches(a, turn @ place, b, turn)[0] == is_zero


def sphere(n_rings, rng):
    """A ball of 4 n_rings (n_rings - 1) triangles, dented."""
    polar, around = np.linspace(0.0, np.pi, n_rings + 1), np.linspace(0.0, 2.0 * np.pi, 2 * n_rings + 1)[:-1]
    p, q = np.meshgrid(polar, around, indexing="ij")
    points = np.stack([np.sin(p) * np.cos(q), np.sin(p) * np.sin(q), np.cos(p)], axis=-1).reshape(-1, 3)
    points *= rng.uniform(0.95, 1.0, (len(points), 1))
    i, j = (x.ravel() for x in np.meshgrid(np.arange(n_rings), np.arange(2 * n_rings), indexing="ij"))
    k = (j + 1) % (2 * n_rings)
    a, b, c, d = (2 * n_rings * (i + di) + y for di, y in ((0, j), (1, j), (1, k), (0, k)))
    return fc.Mesh(points, np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)]))


def test_trees_with_many_levels(rng):
    a, b = sphere(6, rng), sphere(5, rng)
    for gap in (-0.5, 0.001, 0.1, 2.0):
        place = pose((2.0 + gap) * unit(rng), orientation(rng))
        distance = check(a, place, b, any_pose(rng, 0.0), 2.0)
        assert (distance == 0.0) == (gap < 0.0)
    inner = fc.Mesh(0.3 * b.vertices, b.faces)
    assert check(a, np.eye(4), inner, any_pose(rng, 0.1), 2.0) > 0.5


def test_only_a_few_triangles_are_measured(rng):
    a, b = sphere(30, rng), sphere(30, rng)
    places = np.array([pose(rng.uniform(2.05, 3.0) * unit(rng), orientation(rng)) for _ in range(50)])
    counts = measured(a, places, b, np.eye(4)).counts
    assert np.all(counts > 0)
    assert np.all(counts.mean(axis=0) < [6000, 300])


def test_many_pairs_at_one_distance_are_not_all_measured(rng):
    flat = sheet(rng)
    flat = fc.Mesh(flat.vertices * [1, 1, 0], flat.faces)
    tilt = any_pose(rng)
    counts = measured(flat, tilt @ pose([0.01, 0.02, 0.5], np.eye(3)), flat, tilt).counts[0]
    assert counts.tolist() == [4, 1]


@every_family
def test_the_order_of_the_meshes_does_not_matter(family, rng):
    make, place = FAMILIES[family]
    for _ in range(20):
        a, b, pose_a, pose_b = make(rng), make(rng), place(rng), place(rng)
        there, back = measured(a, pose_a, b, pose_b), measured(b, pose_b, a, pose_a)
        accuracy = THIN_ACCURACY if family == "degenerate" else ACCURACY
        assert abs(there.distance[0] - back.distance[0]) <= 5.0 * accuracy
        if family == "soup" and there.distance[0] > 0.0:
            assert there.faces[0].tolist() == back.faces[0, ::-1].tolist()
            np.testing.assert_allclose(there.points[0], back.points[0, ::-1], atol=1e-11)


def test_sizes_whose_squares_underflow(rng):
    """What rounding may hide is larger than the meshes: all pairs are measured, none is missed."""
    a, b = soup(rng, 5), soup(rng, 5)
    scale = 1e-160
    tiny_a, tiny_b = (fc.Mesh(scale * mesh.vertices, mesh.faces) for mesh in (a, b))
    found = measured(tiny_a, pose([3 * scale, 0, 0], np.eye(3)), tiny_b, np.eye(4))
    assert np.isfinite(found.distance[0])
    assert found.distance[0] <= 4.0 * scale
    assert touches(tiny_a, np.eye(4), tiny_b, np.eye(4))[0]


def test_huge_sizes(rng):
    scale = 2.0**145
    a, b = soup(rng, 5), soup(rng, 5)
    place = pose([4.0, 0.0, 0.0], np.eye(3))
    expected = measured(a, place, b, np.eye(4))
    place[:3, 3] *= scale
    huge = (fc.Mesh(scale * mesh.vertices, mesh.faces) for mesh in (a, b))
    a, b = huge
    found = measured(a, place, b, np.eye(4))
    assert found.distance[0] == pytest.approx(scale * expected.distance[0], rel=1e-13)
    assert np.array_equal(found.faces, expected.faces)


def test_meshes_without_faces_are_nowhere(rng):
    empty, one = fc.Mesh([], []), soup(rng)
    for a, b in ((empty, one), (one, empty), (empty, empty)):
        found = measured(a, np.tile(np.eye(4), (3, 1, 1)), b, np.eye(4))
        assert found.distance.tolist() == [np.inf] * 3
        assert np.all(np.isnan(found.points))
        assert np.all(found.faces == -1)
        assert not touches(a, np.eye(4), b, np.eye(4)).any()
    assert body_of(empty).reach == 0.0
