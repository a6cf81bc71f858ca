"""PLY: text and both byte orders, from a writer of its own."""

import struct

import numpy as np
import pytest
import trimesh

POINTS = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0.5, 0.5, 2]]
FACES = [[0, 1, 2], [0, 2, 3, 4], [4, 3, 0]]
TRIANGLES = [[0, 1, 2], [0, 2, 3], [0, 3, 4], [4, 3, 0]]
CODES = {
    "char": "b",
    "uchar": "B",
    "short": "h",
    "ushort": "H",
    "int": "i",
    "uint": "I",
    "float": "f",
    "double": "d",
}
FORMATS = ["ascii", "binary_little_endian", "binary_big_endian"]

VERTEX = ("vertex", ["float x", "float y", "float z"], POINTS)
FACE = ("face", ["list uchar int vertex_indices"], [[face] for face in FACES])


def ply(kind, *elements, counts=()) -> bytes:
    """Write elements: a name, properties, and rows of numbers and lists; `counts` are lies about some."""
    head = f"ply\nformat {kind} 1.0\ncomment by hand\n"
    body = b""
    order = {"ascii": "", "binary_little_endian": "<", "binary_big_endian": ">"}[kind]
    for name, properties, rows in elements:
        head += f"element {name} {dict(counts).get(name, len(rows))}\n"
        head += "".join(f"property {kind}\n" for kind in properties)
        for row in rows:
            body += row_of(order, properties, row)
    return f"{head}end_header\n".encode() + body


def row_of(order, properties, row) -> bytes:
    words, packed = [], b""
    for kind, value in zip(properties, row, strict=True):
        types = kind.split()[:-1]
        values = [len(value), *value] if types[0] == "list" else [value]
        codes = [types[1]] + [types[2]] * len(value) if types[0] == "list" else [types[0]]
        words += map(str, values)
        packed += struct.pack(order + "".join(CODES[code] for code in codes), *values) if order else b""
    return packed or " ".join(words).encode() + b"\n"


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("name", ["vertex_indices", "vertex_index"])
@pytest.mark.parametrize("number", ["float", "double"])
def test_all_forms(loaded, kind, name, number):
    points = ("vertex", [f"{number} x", f"{number} y", f"{number} z"], POINTS)
    faces = ("face", [f"list uchar int {name}"], [[face] for face in FACES])
    mesh = loaded("a.ply", ply(kind, points, faces))
    assert mesh.vertices.tolist() == POINTS
    assert mesh.faces.tolist() == TRIANGLES


@pytest.mark.parametrize("kind", FORMATS)
def test_what_stands_between(loaded, kind):
    """Other properties, in another order, other elements, and the faces before the vertices."""
    vertex = ["uchar red", "float z", "double x", "short flags", "float y"]
    points = ("vertex", vertex, [[7, z, x, -1, y] for x, y, z in POINTS])
    face = ["float area", "list ushort uint vertex_indices", "list uchar float texcoord", "uchar kind"]
    faces = ("face", face, [[0.5, corners, [0.5] * i, 3] for i, corners in enumerate(FACES)])
    edges = ("edge", ["int vertex1", "int vertex2"], [[0, 1], [2, 3]])
    notes = ("note", ["list uint uchar text"], [[[1, 2, 3]], [[]], [[4]]])
    mesh = loaded("a.ply", ply(kind, notes, faces, edges, points))
    assert mesh.vertices.tolist() == POINTS
    assert mesh.faces.tolist() == TRIANGLES


@pytest.mark.parametrize("kind", FORMATS)
def test_strips(loaded, kind):
    strips = (
        "tristrips",
        ["list int int vertex_indices"],
        [[[0, 1, 3, 2, -1, 4, 0, 1]], [[2, 3, 4, 4, 0, 0, 1, 2]]],
    )
    mesh = loaded("a.ply", ply(kind, VERTEX, strips))
    assert mesh.faces.tolist() == [[0, 1, 3], [3, 1, 2], [4, 0, 1], [2, 3, 4], [1, 0, 2]]
    assert loaded("a.ply", ply(kind, VERTEX, FACE, strips)).faces[:4].tolist() == TRIANGLES


@pytest.mark.parametrize("kind", FORMATS)
def test_a_file_cut_short_anywhere(refused, kind):
    content = ply(kind, VERTEX, FACE)
    for cut in range(2 if kind == "ascii" else 1, len(content)):  # the last line may do without its end
        assert refused("a.ply", content[:-cut])


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("name", ["vertex", "face"])
@pytest.mark.parametrize("lie", [0, 1, 2, 4, 6, 10**9, 10**17])
def test_counts_that_are_not_so(refused, kind, name, lie):
    assert refused("a.ply", ply(kind, VERTEX, FACE, counts={name: lie}.items()))


@pytest.mark.parametrize("kind", FORMATS)
def test_a_list_of_a_billion(refused, kind):
    """A count of 10**9 in a row of a file of some hundred bytes."""
    content = ply(kind, VERTEX, ("face", ["list uint int vertex_indices"], [[face] for face in FACES]))
    old = row_of({"ascii": "", FORMATS[1]: "<", FORMATS[2]: ">"}[kind], ["list uint int a"], [FACES[1]])
    order = ">" if kind == FORMATS[2] else "<"
    new = (
        old.replace(b"4", b"1000000000", 1) if kind == "ascii" else struct.pack(f"{order}I", 10**9) + old[4:]
    )
    assert refused("a.ply", content.replace(old, new))


@pytest.mark.parametrize("kind", FORMATS)
def test_what_follows_the_end(loaded, refused, kind):
    content = ply(kind, VERTEX, FACE)
    assert loaded("a.ply", content + b"\r\n").n_faces == 4
    assert "more than its header says" in refused("a.ply", content + b"3 0 1 2\n")


@pytest.mark.parametrize("kind", FORMATS)
def test_surfaces_of_another_kind_are_named(refused, kind):
    quads = ("quad", ["list uchar int vertex_indices"], [[[0, 1, 2, 3]]])
    assert (
        refused("a.ply", ply(kind, VERTEX, FACE, quads))
        == "it has surfaces of the kind 'quad', which are not read"
    )


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("corner", [-1, 5, 2**31 - 1])
def test_corners_that_are_no_vertices(refused, kind, corner):
    faces = ("face", FACE[1], [[[0, 1, 2]], [[0, 1, corner]]])
    assert (
        refused("a.ply", ply(kind, VERTEX, faces)) == f"faces must be integers in [0, 5); row 1 has {corner}"
    )


def test_faces_of_two_corners(refused):
    faces = ("face", FACE[1], [[[0, 1, 2]], [[0, 1]]])
    assert (
        refused("a.ply", ply("ascii", VERTEX, faces))
        == "a face must have three corners or more; face 1 has 2"
    )


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("missing", ["x", "y", "z"])
def test_a_missing_coordinate_is_named(refused, kind, missing):
    names = [name for name in ("float x", "float y", "float z") if name[-1] != missing]
    content = ply(kind, ("vertex", names, [point[:2] for point in POINTS]), FACE)
    assert refused("a.ply", content) == f"its vertices have no number {missing!r}"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("format ascii 1.0", "format ascii 2.0"),
        ("format ascii 1.0", "format text 1.0"),
        ("format ascii 1.0\n", ""),
        ("element vertex 5", "element vertex -5"),
        ("element vertex 5", "element vertex 5_0"),
        ("element vertex 5", "element vertex"),
        ("element vertex 5", "element face 5"),
        ("property float x", "property flot x"),
        ("property float x", "property float y"),
        ("property float x", "property list float int x"),
        ("list uchar int vertex_indices", "list uchar float vertex_indices"),
        ("list uchar int vertex_indices", "int vertex_indices"),
        ("list uchar int vertex_indices", "list uchar int corners"),
        ("element face", "elemnt face"),
        ("element face 3\n", "element face 3\nelement other 3\n"),
        ("end_header", "end_headers"),
        ("ply\n", "plywood\n"),
        ("1 1 0\n", "1 1 1_0\n"),
        ("1 1 0\n", "1 1 nan\n"),
        ("1 1 0\n", "1 1\n"),
        ("1 1 0\n", "1 1 0 0\n"),
        ("3 0 1 2\n", "3 0 1 2.0\n"),
        ("3 0 1 2\n", "3 0 1\n"),
        ("3 0 1 2\n", "-3 0 1 2\n"),
        ("3 0 1 2\n", "3 0 1 2 3\n"),
    ],
)
def test_what_cannot_be_read(refused, old, new):
    content = ply("ascii", VERTEX, FACE).decode()
    assert old in content
    assert refused("a.ply", content.replace(old, new, 1))


@pytest.mark.parametrize("end", [b"\r\n", b"\r"])
@pytest.mark.parametrize("kind", FORMATS)
def test_headers_of_other_systems(loaded, kind, end):
    head, mark, body = ply(kind, VERTEX, FACE).partition(b"end_header\n")
    content = (head + mark).replace(b"\n", end) + body
    assert loaded("a.ply", content).faces.tolist() == TRIANGLES


def test_another_reader_agrees(loaded):
    ball = trimesh.creation.icosphere(1)
    for encoding in ("ascii", "binary"):
        mesh = loaded("a.ply", ball.export(file_type="ply", encoding=encoding, vertex_normal=True))
        np.testing.assert_allclose(mesh.vertices, ball.vertices, rtol=1e-6, atol=1e-7)
        np.testing.assert_array_equal(mesh.faces, ball.faces)
