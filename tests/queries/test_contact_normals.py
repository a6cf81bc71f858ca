"""Which way the normals of contacts point, and whether the contacts close."""

import numpy as np
import pytest

import firstcontact as fc
from oracles.exact_distance import exact_distance_squared, points_at
from properties.meshes import FAMILIES, box, generate, grid, moving_scene, rotation_of, rows_by_pair

FLOOR = fc.Mesh([[-9, -9, 0], [9, -9, 0], [0, 9, 0]], [[0, 1, 2]])
LEAF = fc.Mesh([[0, 0, 0], [1, 0, 1], [0, 1, 1]], [[0, 1, 2]])
UP, DOWN = [0.0, 0.0, 1.0], [0.0, 0.0, -1.0]

either_way = pytest.mark.parametrize("winding", [1, -1])


def wound(mesh, winding):
    """A mesh with its faces wound as they are, or the other way."""
    return fc.Mesh(mesh.vertices, mesh.faces[:, ::winding])


def placed(vertices, faces, rotation, shift=0.0, scale=1.0):
    return fc.Mesh(scale * (vertices @ rotation.T + shift), faces)


def assert_all_along(found, direction):
    assert len(found)
    np.testing.assert_allclose(found.normals, [direction] * len(found), atol=1e-9)


@either_way
@pytest.mark.parametrize("height", [1e-13, 1e-9, 4.9e-4, 5.1e-4, 9e-4])
@pytest.mark.parametrize("speed", [1e-4, 0.0, -1e-4])
def test_a_gap_decides_whatever_moves(height, speed, winding):
    places = LEAF.vertices - [0, 0, -height]
    leaf = LEAF.deforming(places, places - [0, 0, -speed])
    found = fc.contacts(leaf, wound(FLOOR, winding), min_separation=1e-3)
    assert_all_along(found, DOWN)
    np.testing.assert_allclose(found.closing_speed, -speed, atol=1e-17)
    below = fc.contacts(LEAF.deforming(-places, -places - [0, 0, speed]), FLOOR, min_separation=1e-3)
    assert_all_along(below, UP)
    np.testing.assert_allclose(below.closing_speed, -speed, atol=1e-17)


@either_way
@pytest.mark.parametrize("side", [1, -1])
@pytest.mark.parametrize("move", [[0, 0, 1], [0, 0, -1], [0.5, 0, 0], [0.5, 0, 0.1], [0, 0, 0]])
def test_a_tip_that_rests_on_a_face_is_where_the_rest_of_it_is(side, move, winding):
    places = LEAF.vertices * [1, 1, side]
    found = fc.contacts(LEAF.deforming(places, places + move), wound(FLOOR, winding))
    np.testing.assert_array_equal(found.normals[0], [0, 0, -side])
    assert found.closing_speed[0] == -side * move[2]


@either_way
@pytest.mark.parametrize("side", [1, -1])
@pytest.mark.parametrize("time", [0.5, 0.25, 1 / 3])
def test_a_tip_that_comes_is_on_the_side_it_comes_from(side, time, winding):
    # The rest of the leaf is beyond the floor: only the way of the tip can tell.
    start = LEAF.vertices * [1, 1, -side] + [0, 0, side]
    found = fc.contacts(LEAF.deforming(start, start - [0.5, 0, side / time]), wound(FLOOR, winding))
    tip = rows_by_pair(found)[fc.ContactKind.VERTEX_FACE, 0, 0]
    np.testing.assert_allclose(found.normals[tip], [0, 0, -side], atol=1e-9)
    assert found.closing_speed[tip] == pytest.approx(1.0 / time)


@pytest.mark.parametrize("speed", [0.0, 1e-3, 1.0])
@pytest.mark.parametrize("slope", [0.0, 0.3])
def test_a_sheet_that_rests_on_a_floor_is_on_one_side_of_it(speed, slope):
    rng = np.random.default_rng(3)
    sheet, faces = grid(6, 6)
    turned = np.array([face[:: rng.choice([-1, 1])] for face in faces])
    below = fc.Mesh(3.0 * grid(2, 2)[0] - [0.1, 0.2, 0.0], grid(2, 2)[1])
    places = sheet * 0.7
    places[0, 2] = slope  # one corner is bent up, and tells it all
    moved = places + speed * rng.normal(size=places.shape)
    found = fc.contacts(fc.Mesh(places, turned).deforming(places, moved), below)
    at_start = found.normals[found.time == 0.0]
    assert len(at_start) > 100
    expected = DOWN if slope else at_start[0]
    np.testing.assert_allclose(at_start, [expected] * len(at_start), atol=1e-9)
    parting = (found.time == 0.0) & (found.closing_speed < 0.0)
    assert np.any(parting) == (speed > 0.0)


def test_a_sheet_that_is_pressed_on_a_floor_closes():
    sheet, faces = grid(4, 4)
    mesh = fc.Mesh(0.5 * sheet, faces)
    for winding in (1, -1):
        for step, direction in ((0.1, DOWN), (-0.1, UP)):
            pressed = mesh.deforming(mesh.vertices, mesh.vertices - [0, 0, step])
            found = fc.contacts(pressed, wound(FLOOR, winding))
            assert_all_along(found, direction)
            np.testing.assert_allclose(found.closing_speed, 0.1)


@either_way
@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize("speed", [0.25, 1e-9, 0.0, -0.25])
def test_a_sheet_on_a_solid_is_outside_of_it_whatever_moves(speed, scale, winding):
    sheet, faces = grid(4, 4)
    block = wound(fc.Box([9, 9, 1]).mesh, winding)
    above, places = scale * (sheet * 0.7 + [0, 0, 0.5]), scale * block.vertices
    lifted = fc.Mesh(above, faces).deforming(above, above - [0, 0, -speed * scale])
    solid = block.deforming(places, places)
    found, swapped = fc.contacts(lifted, solid), fc.contacts(solid, lifted)
    assert_all_along(found, DOWN)
    assert_all_along(swapped, UP)
    for contacts in (found, swapped):
        np.testing.assert_allclose(contacts.closing_speed, -speed * scale, rtol=1e-6)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_boxes_that_rest_on_each_other_touch_along_the_faces_between_them(seed, scale):
    rng = np.random.default_rng(seed)
    vertices, faces = box()
    rotation = rotation_of(rng) if seed else np.eye(3)
    for offset in ([0, 0, 1], [0.25, 0, 1], [0.25, 0.125, 1], [0.5, -0.5, 1]):
        below = placed(vertices, faces, rotation, rng.normal(size=3) * (seed > 1), scale)
        above = fc.Mesh(below.vertices + scale * rotation @ offset, rng.permutation(faces))
        found = fc.contacts(above, below, min_separation=1e-12 * scale)
        assert len(found) > 5
        np.testing.assert_allclose(found.normals, [-rotation[:, 2]] * len(found), atol=1e-9)
        swapped = fc.contacts(below, above, min_separation=1e-12 * scale)
        np.testing.assert_allclose(swapped.normals, [rotation[:, 2]] * len(found), atol=1e-9)


@pytest.mark.parametrize("move", [[0, 0, 0], [0, 0, 0.1], [0.1, 0, -0.1], [0.3, 0.1, 0.1]])
@pytest.mark.parametrize("winding", [1, -1])
def test_the_middle_of_a_box_knows_its_side_from_its_corners(move, winding):
    block = fc.Box([1, 1, 1]).mesh
    for _ in range(2):
        block = halved(block)
    places = block.vertices - [-0.1, -0.3, -0.5]
    found = fc.contacts(block.deforming(places, places + move), wound(FLOOR, winding))
    at_start = found.time == 0.0
    assert np.count_nonzero(at_start) >= 25
    np.testing.assert_allclose(found.normals[at_start], [DOWN] * np.count_nonzero(at_start), atol=1e-9)
    np.testing.assert_allclose(found.closing_speed[at_start], -move[2], atol=1e-15)


def halved(mesh):
    """A mesh with every edge halved."""
    middles = mesh.n_vertices + mesh.face_edges
    a, b, c = mesh.faces.T
    ab, bc, ca = middles.T
    faces = [np.stack(corners, axis=1) for corners in ((a, ab, ca), (b, bc, ab), (c, ca, bc), (ab, bc, ca))]
    places = mesh.vertices[mesh.edges].mean(axis=1)
    return fc.Mesh(np.concatenate([mesh.vertices, places]), np.concatenate(faces))


def test_tiles_side_by_side_touch_within_their_plane():
    tile, faces = grid(1, 1)
    for turn in (np.eye(3), rotation_of(np.random.default_rng(1))):
        a, b = placed(tile, faces, turn), placed(tile, faces, turn, turn @ [1.0, 0.25, 0.0])
        found = fc.contacts(a, b, min_separation=1e-12)
        assert len(found)
        np.testing.assert_allclose(found.normals, [turn[:, 0]] * len(found), atol=1e-9)


def test_points_that_rest_on_each_other_have_some_normal():
    point = fc.Mesh([[1, 2, 3]], [[0, 0, 0]])
    found = fc.contacts(point, fc.Mesh([[1, 2, 3]], [[0, 0, 0]]))
    assert len(found)
    np.testing.assert_array_equal(np.linalg.norm(found.normals, axis=1), 1.0)
    pushed = fc.contacts(point.deforming(point.vertices, point.vertices - [0, -2, 0]), point)
    np.testing.assert_array_equal(pushed.normals, [[0, 1, 0]] * len(pushed))
    np.testing.assert_array_equal(pushed.closing_speed, 2.0)


def test_layers_of_one_sheet_know_where_the_other_is():
    sheet, faces = grid(3, 1)
    places = np.stack([np.abs(sheet[:, 0] - 1.5), sheet[:, 1], 1e-3 * sheet[:, 0]], axis=1)
    folded = fc.Mesh(places, faces)
    for speed in (1e-3, -1e-3):
        found = fc.contacts(folded.deforming(places, places * [1, 1, 1 + speed]), min_separation=3e-3)
        for row in range(len(found)):
            n_first = 2 if found.kind[row] == fc.ContactKind.EDGE_EDGE else 1
            first, second = found.vertex_ids[row, :n_first], found.vertex_ids[row, n_first:]
            heights = [
                found.weights[row][part] @ places[ids, 2]
                for part, ids in ((slice(None, n_first), first), (slice(n_first, None), second))
            ]
            assert np.sign(found.normals[row, 2]) == np.sign(heights[1] - heights[0])
            assert np.sign(found.closing_speed[row]) == -np.sign(speed)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("separation", [0.0, 1e-3])
def test_features_are_as_far_apart_along_the_normal_as_they_are(family, separation):
    scene = generate(family, 71)
    things = moving_scene(scene)
    found = fc.contacts(*things, min_separation=separation)
    for row in range(min(len(found), 40)):
        kind = "ee" if found.kind[row] == fc.ContactKind.EDGE_EDGE else "vf"
        sides = [scene.b or scene.a] * 4
        n_first = 2 if kind == "ee" else 1
        sides[:n_first] = [scene.a] * n_first
        if found.kind[row] == fc.ContactKind.FACE_VERTEX:
            sides = [scene.b, scene.a, scene.a, scene.a]
        start, end = (
            [getattr(s, name)[v] for s, v in zip(sides, found.vertex_ids[row], strict=True)]
            for name in ("start", "end")
        )
        points = points_at(start, end, found.time[row])
        gap = float(exact_distance_squared(kind, points)) ** 0.5
        if gap < 1e-11:
            continue
        sign = -1.0 if found.kind[row] == fc.ContactKind.FACE_VERTEX else 1.0
        along = sign * np.array(points, float) @ found.normals[row]
        assert along[n_first:].min() - along[:n_first].max() == pytest.approx(gap, rel=1e-3, abs=1e-14)
