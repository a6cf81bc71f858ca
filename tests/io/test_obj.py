"""OBJ: what is read, and what is refused by its line."""

import numpy as np
import pytest

TRIANGLE = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"


@pytest.mark.parametrize(
    "number", ["1_000", "1_0.5", "nan", "inf", "-Infinity", "١٢", "1,5", "0x10", "1e", "1d3"]
)
def test_numbers_that_only_python_or_others_take(refused, number):
    assert refused("a.obj", TRIANGLE + f"v {number} 0 0\n").startswith("line 5 cannot be read: v ")


@pytest.mark.parametrize(
    "corner", ["1_0", "+-1", "1.0", "1/x", "1/1/1/1", "1/1_0", "٣", "1e0", "1" * 30, "//1", ""]
)
def test_corners_that_are_none(refused, corner):
    assert refused("a.obj", TRIANGLE + f"f 1 2 {corner}\n").startswith("line 5 cannot be read: f 1 2")


@pytest.mark.parametrize("text", ["+1.50", "1.5e0", "15E-1", ".15e1", "1.5000", "0001.5"])
def test_numbers_as_files_have_them(loaded, text):
    assert loaded("a.obj", TRIANGLE + f"v {text} 0 0\n").vertices[3, 0] == 1.5


@pytest.mark.parametrize("keyword", ["V", "F", "vv", "fo", "call", "\x00", "é"])
def test_unknown_keywords_are_named(refused, keyword):
    sentence = refused("a.obj", TRIANGLE + f"{keyword} 1 2 3\n")
    assert sentence.startswith("line 5 begins with ")
    assert sentence.endswith("none of the keywords that are read")


@pytest.mark.parametrize("keyword", ["cstype bezier", "surf 0 1 0 1 1 2", "curv 0 1 1 2", "bsp 1 2"])
def test_free_form_surfaces_are_named(refused, keyword):
    rule = "curves and free-form surfaces are not read"
    assert refused("a.obj", TRIANGLE + keyword) == f"line 5 has {keyword.split()[0]!r}: {rule}"


def test_a_comment_ends_with_its_line(loaded):
    """A path in a comment may end in a backslash, which must not swallow the vertex after it."""
    mesh = loaded("a.obj", "# from C:\\models\\\n" + TRIANGLE)
    assert mesh.n_vertices == 3


def test_a_byte_order_mark_does_not_hide_the_first_vertex(loaded):
    assert loaded("a.obj", b"\xef\xbb\xbf" + TRIANGLE.encode()).n_vertices == 3


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_of_all_systems(loaded, refused, end):
    assert loaded("a.obj", TRIANGLE.replace("\n", end)).faces.tolist() == [[0, 1, 2]]
    text = "v 0 0 \\\n0\n" + TRIANGLE + "v bad\n"
    assert refused("a.obj", text.replace("\n", end)).startswith("line 7 ")


def test_weights_of_curves(loaded, refused):
    assert loaded("a.obj", TRIANGLE + "v 1 2 3 1.0\n").vertices[3].tolist() == [1, 2, 3]
    assert "has the weight 0.5" in refused("a.obj", TRIANGLE + "v 1 2 3 0.5\n")
    assert "cannot be read" in refused("a.obj", TRIANGLE + "v 1 2 3 4 5\n")


def test_vertices_may_follow_the_faces_that_use_them(loaded):
    assert loaded("a.obj", "f 1 2 3\n" + TRIANGLE).faces.tolist() == [[0, 1, 2], [0, 1, 2]]


def test_a_dart_leaves_its_notch_empty(loaded):
    mesh = loaded("a.obj", "v 2 -1 0\nv 0.5 0 0\nv 2 1 0\nv 0 0 0\nf 1 2 3 4\n")
    assert sorted(map(sorted, mesh.faces.tolist())) == [[0, 1, 3], [1, 2, 3]]
    np.testing.assert_array_equal(mesh.vertices[1], [0.5, 0, 0])
