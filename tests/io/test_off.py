"""OFF: all kinds of it whose vertices are points in space."""

import numpy as np
import pytest

CUT = "OFF\n4 2 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1 2\n3 0 2 3\n"
POINTS = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]


@pytest.mark.parametrize(
    ("keyword", "more"),
    [
        ("OFF", ""),
        ("COFF", " 255 0 0 255"),
        ("COFF", " 1 0 0"),
        ("NOFF", " 0 0 1"),
        ("CNOFF", " 0 0 1 1 0 0 1"),
        ("STOFF", " 0.5 0.5"),
        ("STCNOFF", " 0 0 1 9 9 9 9 0 0"),
    ],
)
def test_what_may_follow_a_position(loaded, keyword, more):
    points = "".join(f"{x} {y} {z}{more}\n" for x, y, z in POINTS)
    mesh = loaded("a.off", f"{keyword}\n4 2 0\n{points}3 0 1 2\n3 0 2 3\n")
    assert mesh.vertices.tolist() == POINTS
    assert mesh.faces.tolist() == [[0, 1, 2], [0, 2, 3]]


@pytest.mark.parametrize("head", ["OFF 4 2 0", "OFF4 2 0", "OFF\n\n# a remark\n4 2", "OFF # remark\n4 2 -1"])
def test_where_the_counts_may_be(loaded, head):
    assert loaded("a.off", CUT.replace("OFF\n4 2 0", head)).n_faces == 2


@pytest.mark.parametrize("color", ["", " 1", " 255 0 0", " 0.1 0.2 0.3 1"])
def test_faces_may_have_colours(loaded, color):
    assert loaded("a.off", CUT.replace("0 1 2", f"0 1 2{color}")).faces.tolist() == [[0, 1, 2], [0, 2, 3]]


@pytest.mark.parametrize(
    ("keyword", "sentence"),
    [
        ("4OFF", "it is of the kind 4OFF, whose vertices are not points in space"),
        ("nOFF", "it is of the kind nOFF, whose vertices are not points in space"),
        ("OFF BINARY", "it is of the kind OFF BINARY, which is not read: save it as text"),
        ("off", "it must begin with OFF; line 1 is 'off'"),
        ("OFFSET", "it must begin with OFF; line 1 is 'OFFSET'"),
    ],
)
def test_kinds_that_are_not_read(refused, keyword, sentence):
    assert refused("a.off", CUT.replace("OFF", keyword)) == sentence


@pytest.mark.parametrize("n", range(3, 8))
def test_a_file_cut_short_at_any_line(refused, n):
    content = "".join(CUT.splitlines(keepends=True)[:n])
    sentence = f"4 vertices and 2 faces need a line each; it has {n - 2} after its counts"
    assert refused("a.off", content) == sentence


def test_a_file_that_goes_on(refused):
    assert refused("a.off", CUT + "3 1 2 3\n").endswith("it has 7 after its counts")


@pytest.mark.parametrize(
    "counts", ["1000000000 2 0", "4 1000000000 0", "4 -2 0", "4 1_0 0", "4", "4 2 0 0", "x y z"]
)
def test_counts_that_are_not_so(refused, counts):
    assert refused("a.off", CUT.replace("4 2 0", counts))


@pytest.mark.parametrize(
    "face",
    [
        "1000000000 0 1 2",
        "4 0 1 2",
        "3 0 1",
        "2 0 1",
        "3 0 1 2.0",
        "3 0 1 _2",
        "-3 0 1 2",
        "0",
        "3 0 1 2 9 9",
    ],
)
def test_faces_that_are_none(refused, face):
    assert refused("a.off", CUT.replace("3 0 1 2", face)).startswith("line 7 must be a face: ")


@pytest.mark.parametrize("point", ["1 0", "1 0 0 0", "nan 0 0", "1_0 0 0", "1 0 zero"])
def test_vertices_that_are_none(refused, point):
    assert refused("a.off", CUT.replace("1 0 0", point)).startswith("line 4 must be a vertex of 3 numbers; ")


def test_a_face_of_missing_vertices(refused):
    assert refused("a.off", CUT.replace("0 2 3", "0 2 4")) == "faces must be integers in [0, 4); row 1 has 4"


def test_polygons_stay_in_their_places(loaded):
    mesh = loaded("a.off", "OFF\n4 3 0\n" + CUT[10:34] + "3 3 2 1\n4 0 1 2 3\n3 2 1 0\n")
    np.testing.assert_array_equal(mesh.faces, [[3, 2, 1], [0, 1, 2], [0, 2, 3], [2, 1, 0]])
