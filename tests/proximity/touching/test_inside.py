import gc
import weakref

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.bodies.mesh_parts import check_closed, is_closed, parts_of
from firstcontact.motions.rigid_paths import motion_at
from firstcontact.proximity.touching.inside import contained, contains
from poses import pose
from properties.rigid_families import orientation, unit

RNG = np.random.default_rng(51)

CORNERS = np.array([[x, y, z] for x in (0.0, 1.0) for y in (0.0, 1.0) for z in (0.0, 1.0)])
SIDES = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
FACES = np.array([face for a, b, c, d in SIDES for face in ((a, b, c), (a, c, d))])


def box(size=1.0, center=0.0):
    return fc.Mesh(size * (CORNERS - 0.5) + center, FACES)


def joined(*meshes):
    """All meshes as one."""
    offsets = np.cumsum([0, *(mesh.n_vertices for mesh in meshes)])
    faces = [mesh.faces + offset for mesh, offset in zip(meshes, offsets, strict=False)]
    return fc.Mesh(np.concatenate([mesh.vertices for mesh in meshes]), np.concatenate(faces))


def inverted(mesh):
    return fc.Mesh(mesh.vertices, mesh.faces[:, ::-1])


def as_soup(mesh):
    """The same with three vertices of its own for each face."""
    corners = mesh.vertices[mesh.faces].reshape(-1, 3)
    return fc.Mesh(corners, np.arange(len(corners)).reshape(-1, 3))


@pytest.mark.parametrize("mesh", [box(), inverted(box()), as_soup(box()), joined(box(), box(3.0))])
def test_closed(mesh):
    assert is_closed(mesh)
    check_closed(mesh, "a")


def test_zeros_of_both_signs_are_one_place():
    corners = as_soup(box(2.0, 1.0)).vertices.copy()
    corners[::2][corners[::2] == 0.0] = -0.0
    assert is_closed(fc.Mesh(corners, np.arange(36).reshape(-1, 3)))


@pytest.mark.parametrize(
    ("mesh", "n_open"),
    [
        (fc.Mesh(CORNERS, FACES[1:]), 3),
        (fc.Mesh(CORNERS, np.concatenate([FACES, FACES[:1]])), 3),
        (fc.Mesh(CORNERS, np.concatenate([FACES[:1, ::-1], FACES[1:]])), 3),
        (fc.Mesh(CORNERS, FACES[:1]), 3),
        (fc.Mesh(CORNERS, FACES[:2]), 4),
    ],
)
def test_open(mesh, n_open):
    assert not is_closed(mesh)
    with pytest.raises(ValueError, match=rf"^solid=True needs closed meshes; b has {n_open} open edges$"):
        check_closed(mesh, "b")


def test_degenerate_faces_do_not_open_a_mesh():
    faces = np.concatenate([FACES, [[0, 1, 0], [3, 3, 3], [5, 6, 5]]])
    assert is_closed(fc.Mesh(CORNERS, faces))
    assert is_closed(fc.Mesh([[1, 2, 3]], [[0, 0, 0]]))


def test_parts():
    two = joined(box(), box(1.0, 5.0))
    assert len(parts_of(two).witnesses) == 2
    assert sorted((parts_of(two).witnesses > 2.0).all(axis=1).tolist()) == [False, True]
    assert len(parts_of(as_soup(two)).witnesses) == 2
    # Boxes that share a corner are connected there.
    assert len(parts_of(joined(box(), box(1.0, 1.0))).witnesses) == 1
    loose = fc.Mesh(np.concatenate([CORNERS, [[9, 9, 9]]]), FACES)
    assert len(parts_of(loose).witnesses) == 1


def test_parts_are_found_once_and_go_with_their_mesh():
    mesh = fc.Mesh(1.7 * box().vertices, box().faces)  # which no other test has
    assert parts_of(mesh) is parts_of(mesh)
    content = weakref.ref(mesh.content)
    del mesh
    gc.collect()
    assert content() is None


@pytest.mark.parametrize("scale", [1e-150, 1e-6, 1.0, 1e6, 2.0**120])
@pytest.mark.parametrize("place", [0.0, 1e6])
@pytest.mark.parametrize("turned", [box, lambda: inverted(box()), lambda: as_soup(box())])
def test_points_in_a_box(scale, place, turned):
    mesh = turned()
    points = RNG.uniform(-0.8, 0.8, (200, 3))
    expected = np.abs(points).max(axis=1) < 0.5
    found = contains(fc.Mesh(scale * (mesh.vertices + place), mesh.faces), scale * (points + place))
    assert found.dtype == np.bool_
    assert np.array_equal(found, expected)


def test_points_in_the_wall_of_a_hollow_box():
    mesh = joined(box(2.0), box(0.5, 4.0), inverted(box(1.0)))
    points = RNG.uniform(-1.1, 1.1, (300, 3))
    found = contains(mesh, points)
    size = np.abs(points).max(axis=1)
    assert np.array_equal(found, (size < 1.0) & (size > 0.5))
    close = np.array([[0.5, 0.0, 1.0 + gap] for gap in (-1e-3, 1e-3, -1e-9, 1e-9, -1e-12, 1e-12)])
    assert contains(mesh, close).tolist() == [True, False] * 3


def test_nothing_contains_nothing():
    assert contains(box(), []).shape == (0,)
    assert contains(fc.Mesh([], []), [[0, 0, 0]]).tolist() == [False]
    assert contains(fc.Mesh([[0, 0, 0]], [[0, 0, 0]]), [[0, 0, 0], [1, 1, 1]]).tolist() == [False, False]
    with pytest.raises(ValueError, match=r"points must have shape \(n, 3\)"):
        contains(box(), [1, 2, 3])


def is_contained(a, b, pose_a, pose_b):
    return contained(a, b, *(motion_at(pose).rows()[:, 0] for pose in (pose_a, pose_b))).tolist() == [True]


def test_a_box_in_a_box():
    large, small = box(4.0), box(0.5)
    for _ in range(20):
        there, turn = RNG.uniform(-1.4, 1.4, 3), orientation(RNG)
        frame = pose(100.0 * unit(RNG), orientation(RNG))
        inner, outer = frame @ pose(there, turn), frame
        assert is_contained(small, large, inner, outer)
        assert is_contained(large, small, outer, inner)
        away = frame @ pose(5.0 * unit(RNG), turn)
        assert not is_contained(small, large, away, outer)
        assert not is_contained(large, small, outer, away)


def test_one_part_inside_is_enough():
    shell = joined(box(4.0), inverted(box(3.0)))
    dust = joined(box(0.1, 1.75), box(0.1, 10.0))
    assert is_contained(dust, shell, np.eye(4), np.eye(4))
    # Neither in the cavity nor outside is anything inside the wall.
    assert not is_contained(box(1.0), shell, np.eye(4), np.eye(4))
    assert not is_contained(box(1.0, 9.0), shell, np.eye(4), np.eye(4))
    # But the shell is not inside of what its cavity holds either.
    assert not is_contained(shell, box(1.0), np.eye(4), np.eye(4))


def test_batches_are_like_singles():
    large, small = box(4.0), box(0.5)
    places = np.array([pose(RNG.uniform(-4.0, 4.0, 3)) for _ in range(40)])
    rows, still = small.at(places).motion.rows()[:, 0], large.at(np.eye(4)).motion.rows()[:, 0]
    expected = [is_contained(small, large, place, np.eye(4)) for place in places]
    assert contained(small, large, rows, still).tolist() == expected
    assert contained(large, small, still, rows).tolist() == expected
    assert 0 < sum(expected) < 40
    assert contained(small, large, rows[:0], still).tolist() == []


def test_empty_meshes_contain_nothing_and_are_nowhere():
    empty = fc.Mesh([], [])
    assert is_closed(empty)
    assert not is_contained(empty, box(), np.eye(4), np.eye(4))
    assert not is_contained(box(), empty, np.eye(4), np.eye(4))


def shell_and_dust(rng, is_cloud):
    """A box with a cavity; and many small things that touch none of its walls, some of them within these."""
    shell, drawn = joined(box(4.0), inverted(box(3.0))), rng.uniform(-3.0, 3.0, (400, 3))
    size = np.abs(drawn).max(axis=1)
    away = drawn[(np.abs(size - 2.0) > 0.1) & (np.abs(size - 1.5) > 0.1)]
    away = away[np.abs(away).max(axis=1) > 2.0] if rng.random() < 0.5 else away
    away = np.concatenate([away[: rng.integers(20, 60)], [[9.0, 0.0, 0.0]] * 20])
    many = fc.Points(away, 0.01) if is_cloud else joined(*(box(0.05, place) for place in away))
    return shell, many, bool(contains(shell, away).any())


@pytest.mark.parametrize("is_cloud", [True, False])
def test_any_of_many_parts_inside_is_enough(is_cloud):
    """Many parts are found by their tree: as each of them alone is."""
    rng, seen = np.random.default_rng(5), set()
    for _ in range(12):
        shell, many, expected = shell_and_dust(rng, is_cloud)
        frame = pose(rng.normal(size=3), orientation(rng))
        assert is_contained(many, shell, frame, frame) is expected
        assert is_contained(shell, many, frame, frame) is expected
        assert fc.intersects(shell.at(frame), many.at(frame), solid=True) is expected
        assert (fc.distance(shell.at(frame), many.at(frame), solid=True).distance == 0.0) is expected
        seen.add(expected)
    assert seen == {True, False}


def test_a_cloud_holds_nothing():
    cloud = fc.Strands(RNG.normal(size=(90, 3)), [30, 30, 30])
    assert not is_contained(box(0.01), cloud, np.eye(4), np.eye(4))


def test_parts_of_clouds_are_its_points_and_strands():
    assert np.array_equal(parts_of(fc.Points([[3, 0, 0], [1, 0, 0], [3, 0, 0]])).witnesses[:, 0], [3, 1, 3])
    strands = fc.Strands([[0, 0, 0], [1, 0, 0], [2, 0, 0], [7, 0, 0]], [3, 1])
    assert parts_of(strands).witnesses[:, 0].tolist() == [0, 7]
    assert parts_of(strands).n_open_edges == 0
