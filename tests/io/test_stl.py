"""STL: both forms, told apart by what is in the file and not by its first word."""

import struct

import numpy as np
import pytest
import trimesh

CORNERS = np.arange(18, dtype=np.float32).reshape(2, 3, 3) ** 2


def binary(corners=CORNERS, n=None, header=b"made by hand") -> bytes:
    rows = [struct.pack("<12fH", 0, 0, 0, *corner.ravel(), 0) for corner in corners]
    return header.ljust(80, b" ") + struct.pack("<I", len(corners) if n is None else n) + b"".join(rows)


def facet(corners, normal="0 0 1") -> str:
    vertices = "".join(f"   vertex {x!r} {y!r} {z!r}\n" for x, y, z in corners.tolist())
    return f" facet normal {normal}\n  outer loop\n{vertices}  endloop\n endfacet\n"


def text(*solids) -> str:
    return "".join(f"solid {i} of many\n{''.join(map(facet, s))}endsolid {i}\n" for i, s in enumerate(solids))


@pytest.mark.parametrize("header", [b"made by hand", b"solid", b"solid cube\n facet normal"])
def test_binary_whatever_its_header(loaded, header):
    np.testing.assert_array_equal(loaded("a.stl", binary(header=header)).vertices, CORNERS.reshape(-1, 3))


@pytest.mark.parametrize("content", [text(CORNERS), text(CORNERS[:1], CORNERS[1:]), text(CORNERS).upper()])
def test_text_with_one_or_more_solids(loaded, content):
    mesh = loaded("a.stl", content)
    np.testing.assert_array_equal(mesh.vertices, CORNERS.reshape(-1, 3))
    np.testing.assert_array_equal(mesh.faces, [[0, 1, 2], [3, 4, 5]])


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_text_of_other_systems(loaded, end):
    assert loaded("a.stl", text(CORNERS).replace("\n", end)).n_faces == 2


def test_normals_of_no_direction(loaded):
    content = f"solid\n{facet(CORNERS[0], 'nan -nan(ind) 1.#QNAN')}endsolid"
    assert loaded("a.stl", content).n_faces == 1


@pytest.mark.parametrize("n", [0, 1, 3, 2**32 - 1])
def test_a_count_that_the_size_does_not_bear_out(refused, n):
    sentence = refused("a.stl", binary(n=n))
    assert (
        sentence
        == f"it is no text, and says that it has {n} faces: {n} faces take {84 + 50 * n} bytes, it has 184"
    )


@pytest.mark.parametrize("cut", [1, 49, 50, 130])
def test_a_binary_file_cut_short(refused, cut):
    assert "no text" in refused("a.stl", binary()[:-cut])
    assert refused("a.stl", binary(header=b"solid")[:-cut])


@pytest.mark.parametrize("n", range(1, len(text(CORNERS).split("\n")) - 1))
def test_text_cut_short_at_any_line(refused, n):
    lines = text(CORNERS).split("\n")
    assert "there must be" in refused("a.stl", "\n".join(lines[:n]) + "\n")


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("vertex 0.0 1.0 4.0", "vertex 0.0 1_0 4.0", 2),
        ("vertex 0.0 1.0 4.0", "vertex 0.0 nan 4.0", 2),
        ("vertex 0.0 1.0 4.0", "vertex 0.0 1.0", 2),
        ("vertex 0.0 1.0 4.0", "vertex 0 0 0\n vertex 0.0 1.0 4.0", 2),
        ("endsolid 0", "", 17),
        ("solid 0 of many", "solid", None),
        ("endsolid 0", "endsolid 0\nnoise", 17),
    ],
)
def test_text_that_is_damaged(refused, loaded, old, new, line):
    content = text(CORNERS).replace(old, new, 1)
    if line is None:
        assert loaded("a.stl", content).n_faces == 2
    else:
        assert refused("a.stl", content).startswith(f"at line {line} there must be a ")


def test_another_reader_agrees(loaded):
    box = trimesh.creation.icosphere(1)
    for kind in ("stl", "stl_ascii"):
        mesh = loaded("a.stl", box.export(file_type=kind))
        np.testing.assert_allclose(mesh.vertices[mesh.faces], box.triangles, rtol=1e-6, atol=1e-7)


def test_many_empty_solids_take_no_time(refused):
    assert refused("a.stl", "solid\nendsolid\n" * 100_000) == "has no faces"
