"""What a report finds of meshes whose faults are known; trimesh has a say about edges and volumes."""

import numpy as np
import pytest
import trimesh

import firstcontact as fc
from firstcontact.answers.report_results import MEANINGS

BOX = fc.Box([2, 2, 2]).mesh
BALL = fc.Sphere(1.0).mesh


def counts(mesh):
    return {name: n for name, n in mesh.report().counts.items() if n}


def test_nothing_unusual():
    for mesh in (BOX, BALL, fc.Mesh([], [])):
        report = mesh.report()
        assert not report
        assert report.is_closed
        assert str(report).endswith("nothing unusual")


def test_faces_that_look_the_other_way():
    faces = BALL.faces.copy()
    faces[[3, 50, 51]] = faces[[3, 50, 51], ::-1]
    report = fc.Mesh(BALL.vertices, faces).report()
    assert report.back_faces.tolist() == [3, 50, 51]
    assert len(report.turned_edges) > 0
    assert not report.is_closed
    inwards = fc.Mesh(BALL.vertices, BALL.faces[:, ::-1]).report()
    assert len(inwards.back_faces) == BALL.n_faces
    assert inwards.is_closed


def test_of_an_open_part_the_smaller_share_looks_back():
    sheet = trimesh.creation.box([1, 1, 1]).faces[:10]
    faces = np.array(sheet)
    faces[4] = faces[4][::-1]
    assert fc.Mesh(trimesh.creation.box([1, 1, 1]).vertices, faces).report().back_faces.tolist() == [4]


def test_edges_of_one_face_and_of_three():
    fin = fc.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1]], [[0, 1, 2], [1, 0, 3], [0, 1, 4]])
    report = fin.report()
    assert report.forked_edges.tolist() == [[0, 1]]
    assert len(report.open_edges) == 6
    holes = fc.Mesh(BALL.vertices, BALL.faces[5:])
    expected = len(
        trimesh.grouping.group_rows(
            trimesh.Trimesh(holes.vertices, holes.faces, process=False).edges_sorted, 1
        )
    )
    assert len(holes.report().open_edges) == expected


def test_a_strip_with_one_side():
    n, turn = 12, np.linspace(0, np.pi, 13)[:-1]
    around = np.stack([np.cos(2 * turn), np.sin(2 * turn), 0 * turn], axis=1)
    across = np.stack([np.cos(turn) * around[:, 0], np.cos(turn) * around[:, 1], np.sin(turn)], axis=1) * 0.3
    vertices = np.stack([around - across, around + across], axis=1).reshape(-1, 3)
    quads = [(2 * i, 2 * i + 1, 2 * i + 3, 2 * i + 2) for i in range(n - 1)] + [(2 * n - 2, 2 * n - 1, 0, 1)]
    faces = [t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))]
    report = fc.Mesh(vertices, faces).report()
    assert (report.one_sided_parts, report.n_parts) == (1, 1)


@pytest.mark.parametrize("size", [2.0**-500, 1.0, 2.0**100])
def test_faces_without_an_area_exactly(size):
    """0.1, 0.2 and 0.3 are not on a line in doubles; 0.25, 0.5 and 0.75 are."""
    for points, is_flat in (([0.1, 0.2, 0.3], False), ([0.25, 0.5, 0.75], True)):
        vertices = size * np.array([[x, 3 * x, 1.0] for x in points])
        found = counts(fc.Mesh(vertices, [[0, 1, 2]]))
        assert found["open_edges"] == 3
        assert ("degenerate_faces" in found) is is_flat
        assert ("slivers" in found) is not is_flat


def test_faces_twice_and_vertices_of_none():
    mesh = fc.Mesh(
        np.concatenate([BOX.vertices, [[9, 9, 9]]]), np.concatenate([BOX.faces, BOX.faces[:1, ::-1]])
    )
    report = mesh.report()
    assert report.repeated_faces.tolist() == [12]
    assert report.unused_vertices.tolist() == [8]
    assert len(report.forked_edges) == 3


def test_two_boxes_that_pass_through_each_other():
    faces = np.concatenate([BOX.faces, BOX.faces + 8])
    both = fc.Mesh(np.concatenate([BOX.vertices, BOX.vertices + 1.0]), faces)
    report = both.report()
    assert (report.n_parts, len(report.self_intersections)) == (2, 18)
    assert report.is_closed
    assert set(report.things) == {"mesh", "self-intersections"}
    assert "18 self intersections: " + MEANINGS["self_intersections"] in str(report)


def test_vertices_at_one_place_are_one():
    loose = fc.Mesh(BOX.vertices[BOX.faces].reshape(-1, 3), np.arange(36).reshape(12, 3))
    assert not loose.report()
