"""Depths of vertices: against all faces in extended precision, and samples of all that is outside."""

import numpy as np
import pytest
from scipy.spatial import cKDTree
from scipy.spatial.transform import Rotation

import firstcontact as fc
from firstcontact.bodies.closed_faces import closed_faces, n_open_edges
from firstcontact.bodies.mesh_parts import parts_of
from oracles.point_meshes import distances_to_faces, winding_numbers

CUBE = fc.Box([2, 2, 2]).mesh
OPEN = fc.Mesh(CUBE.vertices, CUBE.faces[1:])


def star(rng):
    """A closed mesh around the origin, spikes and hollows all over."""
    mesh = fc.Sphere(1.0).mesh
    return fc.Mesh(mesh.vertices * rng.uniform(0.4, 1.0, (mesh.n_vertices, 1)), mesh.faces)


def tube(n=40, k=8, radius=0.3, lift=0.25):
    """A tube along a figure of eight: where it crosses itself, it passes through itself."""
    t = np.linspace(0, 2 * np.pi, n, endpoint=False)[:, None]
    line = np.concatenate([2 * np.cos(t), np.sin(2 * t), lift * np.sin(t)], axis=1)
    along = np.concatenate([-2 * np.sin(t), 2 * np.cos(2 * t), lift * np.cos(t)], axis=1)
    across = np.cross(along, [0.0, 0, 1])
    across /= np.linalg.norm(across, axis=1, keepdims=True)
    up = np.cross(across, along) / np.linalg.norm(along, axis=1, keepdims=True)
    turn = np.linspace(0, 2 * np.pi, k, endpoint=False)
    ring = np.cos(turn)[None, :, None] * across[:, None] + np.sin(turn)[None, :, None] * up[:, None]
    ids = np.arange(n * k).reshape(n, k)
    right, ahead = np.roll(ids, -1, axis=1), np.roll(ids, -1, axis=0)
    both = np.roll(right, -1, axis=0)
    faces = np.concatenate(
        [np.stack(c, axis=-1).reshape(-1, 3) for c in ((ids, ahead, both), (ids, both, right))]
    )
    return fc.Mesh((line[:, None] + radius * ring).reshape(-1, 3), faces)


def joined(*meshes):
    """Several meshes as one."""
    starts = np.cumsum([0] + [mesh.n_vertices for mesh in meshes])
    faces = [mesh.faces + start for mesh, start in zip(meshes, starts, strict=False)]
    return fc.Mesh(np.concatenate([mesh.vertices for mesh in meshes]), np.concatenate(faces))


def turned(mesh, seed):
    rng = np.random.default_rng(seed)
    turn = Rotation.random(random_state=seed).as_matrix()
    return fc.Mesh(mesh.vertices @ turn.T + rng.normal(size=3) * 0.4, mesh.faces)


def moved(mesh, by):
    return fc.Mesh(mesh.vertices + np.array(by), mesh.faces)


@pytest.mark.parametrize("seed", range(3))
def test_depths_of_two_are_those_of_all_faces(seed):
    rng = np.random.default_rng(seed)
    a, b = star(rng), turned(star(rng), seed)
    found = fc.depths(a, b)
    for one, other, is_of_b in ((a, b, False), (b, a, True)):
        is_inside = np.abs(winding_numbers(one.vertices, other.vertices, other.faces)) > 0.5
        rows = found.is_of_b == is_of_b
        assert np.array_equal(found.vertex_ids[rows], np.flatnonzero(is_inside))
        truth = distances_to_faces(one.vertices[is_inside], other.vertices, other.faces).astype(float)
        assert np.abs(found.depth[rows] - truth.min(axis=1)).max() < 1e-14
        chosen = truth[np.arange(len(truth)), found.faces[rows]]
        assert np.abs(chosen - found.depth[rows]).max() < 1e-14
    assert len(found) > 10
    feet = found.points + found.depth[:, None] * found.directions
    assert np.abs(feet - found.surface_points).max() < 1e-14
    assert np.allclose(np.linalg.norm(found.directions, axis=1), 1.0)


def test_the_other_way_round_it_is_the_same():
    a, b = star(np.random.default_rng(0)), turned(star(np.random.default_rng(1)), 3)
    one, other = fc.depths(a, b), fc.depths(b, a)
    n = np.count_nonzero(~one.is_of_b)
    assert np.array_equal(one.depth, np.concatenate([other.depth[-n:], other.depth[:-n]]))
    assert one.things.keys() == {"a", "b"}
    assert repr(one).startswith(f"Depths({len(one)} vertices, 0.")


def test_poses_and_deformations_say_the_same():
    a, b = star(np.random.default_rng(0)), star(np.random.default_rng(1))
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = Rotation.from_rotvec([0.1, 0.2, 0.3]).as_matrix(), [0.5, 0.2, -0.1]
    places = b.at(pose).vertices(0.0)
    posed, deformed = fc.depths(a, b.at(pose)), fc.depths(a, b.deforming(places, places))
    assert np.array_equal(posed.vertex_ids, deformed.vertex_ids)
    for name in ("depth", "directions", "points", "surface_points"):
        assert np.abs(getattr(posed, name) - getattr(deformed, name)).max() < 1e-12


def test_convex_shapes_are_measured_as_they_are():
    ball, box = fc.Sphere(1.0), fc.Box([1, 1, 1])
    found = fc.depths(box.mesh, ball)
    assert np.allclose(found.depth[~found.is_of_b], 1 - np.sqrt(0.75))
    assert (found.faces[~found.is_of_b] == -1).all()
    assert len(fc.depths(box, ball)) == len(found)
    hull = fc.ConvexHull(CUBE.vertices)
    assert fc.depths(box, hull).depth.tolist() == [0.5] * 8


@pytest.mark.parametrize("turn", [False, True])
def test_two_parts_of_a_mesh_overlap_as_two_meshes_do(turn):
    a, b = star(np.random.default_rng(4)), turned(star(np.random.default_rng(5)), 2)
    if turn:  # a mesh that is all inside out counts as one that is not
        a, b = (fc.Mesh(mesh.vertices, mesh.faces[:, ::-1].copy()) for mesh in (a, b))
    two, one = fc.depths(a, b), fc.depths(joined(a, b))
    ids = two.vertex_ids + np.where(two.is_of_b, a.n_vertices, 0)
    assert np.array_equal(ids, one.vertex_ids)
    assert (one.depth >= two.depth - 1e-12).all()
    # The way out ends outside of both, and nothing that is outside is nearer.
    gaps = np.minimum(*(fc.signed_distance(mesh, one.surface_points).distance for mesh in (a, b)))
    assert np.abs(gaps).max() < 1e-12
    outside = samples(joined(a, b))
    assert (cKDTree(outside).query(one.points)[0] >= one.depth - 1e-9).all()


def samples(mesh, n=1_500):
    """Points of a surface that have the outside before them."""
    rng = np.random.default_rng(0)
    corners = mesh.vertices[mesh.faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    a, b, c = np.moveaxis(corners - mesh.vertices.mean(axis=0), 1, 0)
    normals *= np.sign(np.einsum("ij,ij->", a, np.cross(b, c)))
    chosen = rng.integers(0, mesh.n_faces, n)
    points = np.einsum("ni,nij->nj", rng.dirichlet([1, 1, 1], n), corners[chosen])
    before = np.array_split(points + 1e-7 * normals[chosen], 10)
    winding = np.concatenate([winding_numbers(some, mesh.vertices, mesh.faces) for some in before])
    return points[np.abs(winding.astype(float)) < 0.5]


@pytest.mark.parametrize("seed", range(3))
def test_a_tube_that_passes_through_itself(seed):
    mesh = turned(tube(lift=0.05 + 0.1 * seed), seed)
    found = fc.depths(mesh)
    corners = mesh.vertices[mesh.faces]
    areas = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals = np.zeros_like(mesh.vertices)
    np.add.at(normals, mesh.faces.reshape(-1), np.repeat(areas, 3, axis=0))
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    winding = winding_numbers(mesh.vertices + 1e-7 * normals, mesh.vertices, mesh.faces)
    assert np.array_equal(found.vertex_ids, np.flatnonzero(winding > 0.5))
    assert len(found) > 5
    nearest = cKDTree(samples(mesh)).query(found.points)[0]
    assert (nearest >= found.depth - 1e-9).all()
    assert (nearest <= found.depth + 0.2).all()
    assert (found.is_of_b == 0).all()


def test_what_touches_itself_in_no_way_has_no_depth():
    for mesh in (
        CUBE,
        star(np.random.default_rng(0)),
        tube(lift=0.7),
        joined(CUBE, moved(CUBE, [5, 0, 0])),
        fc.Mesh([], []),
    ):
        assert len(fc.depths(mesh)) == 0
        assert not fc.depths(mesh)


def test_a_hollow_ball_is_no_overlap():
    hollow = joined(CUBE, fc.Mesh(0.5 * CUBE.vertices, CUBE.faces[:, ::-1].copy()))
    assert len(fc.depths(hollow)) == 0
    doubled = joined(CUBE, fc.Mesh(0.5 * CUBE.vertices, CUBE.faces))
    assert fc.depths(doubled).depth.tolist() == [0.5] * 8


def test_vertices_at_one_place_count_as_one():
    soup = fc.Mesh(CUBE.vertices[CUBE.faces].reshape(-1, 3), np.arange(36).reshape(12, 3))
    assert len(fc.depths(soup)) == 0
    found = fc.depths(moved(soup, [1.75, 1.5, 1.5]), CUBE)
    assert set(found.depth.tolist()) == {0.25}
    assert not closed_faces(soup).is_closed_by_ids


@pytest.mark.parametrize("seed", range(3))
def test_open_edges_are_counted_as_elsewhere(seed):
    rng = np.random.default_rng(seed)
    faces = rng.integers(0, 12, (30, 3))
    for mesh in (fc.Mesh(rng.random((12, 3)), faces), star(rng), fc.Mesh(CUBE.vertices, CUBE.faces[1:])):
        assert n_open_edges(closed_faces(mesh).faces) == parts_of(mesh).n_open_edges


@pytest.mark.parametrize(
    ("call", "kind", "words"),
    [
        (lambda: fc.depths(OPEN, CUBE), ValueError, "depths needs closed meshes; a has 3 open edges"),
        (lambda: fc.depths(OPEN), ValueError, "depths needs closed meshes; a has 3 open edges"),
        (lambda: fc.depths(CUBE, fc.HeightField(np.zeros((3, 3)))), ValueError, "depths needs solids; b is"),
        (lambda: fc.depths(CUBE, CUBE.moving(np.eye(4), velocity=[1, 0, 0])), ValueError, "depths is for"),
        (lambda: fc.depths(CUBE, CUBE.at(np.stack([np.eye(4)] * 2))), ValueError, "b has a batch of 2 poses"),
        (lambda: fc.depths(fc.Sphere(1)), TypeError, "a Sphere cannot touch itself"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_in_one_sentence(call, kind, words):
    with pytest.raises(kind, match=f"^{words}"):
        call()


@pytest.mark.parametrize("gap", [1e-4, -1e-4])
def test_a_vertex_hardly_outside_or_inside_another_part_is_on_its_side(gap):
    rng = np.random.default_rng(7)
    for _ in range(12):
        b, a = (fc.ConvexHull(rng.normal(size=(9, 3))).mesh for _ in range(2))
        p, q, r = b.vertices[b.faces[rng.integers(b.n_faces)]]
        n = np.cross(q - p, r - p)
        vertex = a.vertices[rng.integers(a.n_vertices)]
        place = (p + q + r) / 3 + gap * n / np.linalg.norm(n)
        a = fc.Mesh(a.vertices - vertex + place, a.faces)
        both = fc.Mesh(np.vstack([a.vertices, b.vertices]), np.vstack([a.faces, b.faces + a.n_vertices]))
        two = fc.depths(a, b)
        expected = two.vertex_ids + np.where(two.is_of_b, a.n_vertices, 0)
        np.testing.assert_array_equal(fc.depths(both).vertex_ids, expected)
