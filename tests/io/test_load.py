from pathlib import Path

import numpy as np
import pytest
import trimesh

import firstcontact as fc

VERTICES = np.array([[0.1, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0.1, 0, 0]])
FACES = np.array([[3, 2, 1], [0, 2, 1], [0, 1, 3], [0, 3, 2], [4, 4, 1], [0, 2, 1]])
SHARED = ["armadillo", "bunny", "dragon", "gear", "hammer", "jack", "knot", "propeller", "teapot"]


def soup() -> trimesh.Trimesh:
    """Make a mesh with duplicate vertices, and degenerate and duplicate faces, none of which may vanish."""
    return trimesh.Trimesh(VERTICES, FACES, process=False)


def written(path: Path, text: str | bytes) -> Path:
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def lines_of_obj(path: Path) -> tuple[list, list]:
    """Read the `v` and `f` lines in the plainest way, with polygons as fans."""
    vertices, faces = [], []
    for line in path.read_text(errors="replace").splitlines():
        key, *words = line.split() or [""]
        if key == "v":
            vertices.append([float(word) for word in words[:3]])
        elif key == "f":
            corners = [int(word.split("/")[0]) - 1 for word in words]
            faces += [[corners[0], *corners[i : i + 2]] for i in range(1, len(corners) - 1)]
    return vertices, faces


@pytest.mark.parametrize("encoding", ["ascii", "binary_little_endian"])
def test_ply_keeps_everything_in_order(tmp_path, encoding):
    name = "ascii" if encoding == "ascii" else "binary"
    mesh = fc.load(written(tmp_path / "soup.ply", soup().export(file_type="ply", encoding=name)))
    np.testing.assert_allclose(mesh.vertices, VERTICES, rtol=1e-7)
    np.testing.assert_array_equal(mesh.faces, FACES)


def test_off_keeps_everything_in_order(tmp_path):
    mesh = fc.load(written(tmp_path / "soup.off", soup().export(file_type="off")))
    np.testing.assert_allclose(mesh.vertices, VERTICES)
    np.testing.assert_array_equal(mesh.faces, FACES)


@pytest.mark.parametrize("kind", ["stl", "stl_ascii"])
def test_stl_has_three_vertices_for_each_face(tmp_path, kind):
    mesh = fc.load(written(tmp_path / "soup.STL", soup().export(file_type=kind)))
    np.testing.assert_allclose(mesh.vertices[mesh.faces], VERTICES[FACES], rtol=1e-7)
    np.testing.assert_array_equal(mesh.faces.ravel(), np.arange(3 * len(FACES)))


def scene() -> trimesh.Scene:
    """Make a scene in which one box stands in two places, one of them in a moved frame."""
    whole = trimesh.Scene()
    shift = trimesh.transformations.translation_matrix
    whole.graph.update("arm", "world", matrix=shift([10, 0, 0]))
    whole.geometry.update(box=trimesh.creation.box(), soup=soup())
    whole.graph.update("first", "arm", geometry="box", matrix=shift([0, 0, 30]))
    whole.graph.update("second", "world", geometry="soup", matrix=shift([0, 20, 0]))
    whole.graph.update("third", "world", geometry="box", matrix=shift([0, 0, -40]))
    return whole


def test_parts_of_a_glb_are_placed_and_merged(tmp_path):
    mesh = fc.load(written(tmp_path / "scene.glb", scene().export(file_type="glb")))
    box = trimesh.creation.box()
    parts = [(box.vertices, [10, 0, 30]), (box.vertices, [0, 0, -40]), (VERTICES, [0, 20, 0])]
    expected = np.concatenate([np.add(vertices, place) for vertices, place in parts])
    np.testing.assert_allclose(mesh.vertices, expected, rtol=1e-6)
    np.testing.assert_array_equal(mesh.faces, np.concatenate([box.faces, box.faces + 8, FACES + 16]))


def test_gltf_with_its_buffers(tmp_path):
    for name, content in scene().export(file_type="gltf").items():
        written(tmp_path / name, content)
    mesh = fc.load(tmp_path / "model.gltf")
    assert (mesh.n_vertices, mesh.n_faces) == (21, 30)


OBJ = """# a file with all that confuses readers
mtllib not-there.mtl
o first thing
v 0 0 0
v 1 0 0 0.5 0.5 0.5
v 1 1 0
v 0 1 0  # the last corner
v 9 9 9
vt 0 0
vt 1 0
vt 1 1
vn 0 0 1
vn 0 1 0
usemtl not-there
s off
g left
f 1/1/1 2/2/1 3/3/1 4/1/2
usemtl other
g right
f 3//2 2//1 1//2
f 1 2 3 # plain
o second
v 0 0 1
v 1 0 1
v 0 1 \\
 1
f -3 -2 -1
f 1/2 6/1 7/3
f 1 2 3 4 6
l 1 2
p 1
"""


def test_obj_keeps_the_numbers_of_the_file(tmp_path):
    mesh = fc.load(written(tmp_path / "tricky.obj", OBJ))
    assert mesh.vertices.tolist() == [
        [0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [9, 9, 9], [0, 0, 1], [1, 0, 1], [0, 1, 1]
    ]  # fmt: skip
    assert mesh.faces.tolist() == [
        [0, 1, 2], [0, 2, 3], [2, 1, 0], [0, 1, 2], [5, 6, 7], [0, 5, 6], [0, 1, 2], [0, 2, 3], [0, 3, 5]
    ]  # fmt: skip


def test_obj_with_windows_line_ends_and_latin_names(tmp_path):
    text = "o Körper\r\nv 0 0 0\r\nv 1 0 0\r\nv 0 1 \\\r\n0\r\nf 1 2 3\r\n".encode("latin-1")
    assert fc.load(written(tmp_path / "windows.OBJ", text)).faces.tolist() == [[0, 1, 2]]


@pytest.mark.parametrize(
    ("line", "number"),
    [
        ("f 1 2", 4),
        ("f 0 1 2", 4),
        ("f -9 1 2", 4),
        ("f a b c", 4),
        ("v 1 2", 4),
        ("v 1 2 x", 4),
        ("f 1.5 2 3", 4),
    ],
)
def test_a_damaged_obj_names_the_line(tmp_path, line, number):
    path = written(tmp_path / "bad.obj", f"v 0 0 0\nv 1 0 0\nv 0 1 0\n{line}\n")
    with pytest.raises(
        fc.MeshFileError, match=f"bad.obj cannot be read: line {number} cannot be read: {line}"
    ):
        fc.load(path)


def test_an_obj_that_names_missing_vertices_is_damaged(tmp_path):
    path = written(tmp_path / "bad.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n")
    with pytest.raises(fc.MeshFileError, match=r"faces must be integers in \[0, 3\); row 0 has 8"):
        fc.load(path)


def test_polygons_of_off_become_triangles(tmp_path):
    text = "OFF\n5 2 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n9 9 9\n4 0 1 2 3\n3 2 1 0\n"
    mesh = fc.load(written(tmp_path / "square.off", text))
    assert mesh.n_vertices == 5
    assert sorted(map(sorted, mesh.faces.tolist())) == [[0, 1, 2], [0, 1, 2], [0, 2, 3]]


PLY_WITH_SEAMS = """ply
format ascii 1.0
element vertex 4
property float x
property float y
property float z
element face 2
property list uchar int vertex_indices
property list uchar float texcoord
end_header
0 0 0
1 0 0
1 1 0
0 1 0
3 0 1 2 6 0 0 1 0 1 1
3 0 2 3 6 0.5 0 1 0 1 1
"""


def test_texture_seams_do_not_split_the_vertices_of_a_ply(tmp_path):
    mesh = fc.load(written(tmp_path / "seams.ply", PLY_WITH_SEAMS))
    assert mesh.n_vertices == 4
    assert mesh.faces.tolist() == [[0, 1, 2], [0, 2, 3]]


def test_a_missing_file_is_told(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"there is no file .*gone\.obj$"):
        fc.load(tmp_path / "gone.obj")


@pytest.mark.parametrize("name", ["mesh.xyz", "mesh", "mesh.obj.txt"])
def test_an_unknown_extension_is_told(tmp_path, name):
    with pytest.raises(fc.MeshFileError, match=r"must end in one of \.obj, \.ply, .*; received "):
        fc.load(written(tmp_path / name, "v 0 0 0"))


@pytest.mark.parametrize("extension", ["obj", "ply", "stl", "off", "glb", "gltf"])
@pytest.mark.parametrize("content", [b"", b"\x00\xff\xfe garbage \x9c" * 20, b"solid\n", b"ply\nformat"])
def test_a_damaged_file_is_one_sentence(tmp_path, extension, content):
    with pytest.raises(
        fc.MeshFileError, match=rf"damaged\.{extension} (cannot be read: .|has no faces)"
    ) as caught:
        fc.load(written(tmp_path / f"damaged.{extension}", content))
    assert "\n" not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__ or caught.value.__context__ is None


@pytest.mark.parametrize("kind", ["ply", "stl", "off", "glb"])
def test_a_truncated_file_is_told(tmp_path, kind):
    content = soup().export(file_type=kind)
    content = content.encode() if isinstance(content, str) else content
    # Half an STL file may be read as one without faces.
    with pytest.raises(fc.MeshFileError, match=r"cannot be read|has no faces"):
        fc.load(written(tmp_path / f"half.{kind}", content[: int(len(content) * 0.6)]))


@pytest.mark.parametrize("extension", ["ply", "glb"])
def test_a_point_cloud_has_no_faces(tmp_path, extension):
    points = trimesh.PointCloud(VERTICES)
    content = (
        points.export(file_type="ply")
        if extension == "ply"
        else trimesh.Scene(points).export(file_type="glb")
    )
    with pytest.raises(fc.MeshFileError, match="has no faces"):
        fc.load(written(tmp_path / f"points.{extension}", content))


def test_an_obj_without_faces_is_told(tmp_path):
    with pytest.raises(fc.MeshFileError, match=r"points\.obj has no faces$"):
        fc.load(written(tmp_path / "points.obj", "v 0 0 0\nv 1 1 1\n"))


def test_a_path_may_be_a_string(tmp_path):
    path = written(tmp_path / "soup.off", soup().export(file_type="off"))
    assert fc.load(str(path)).n_faces == len(FACES)


@pytest.mark.shared_data
@pytest.mark.parametrize("name", SHARED)
def test_real_files_are_read_as_they_are(shared_data, name):
    path = shared_data(f"meshes/{name}.obj")
    mesh = fc.load(path)
    vertices, faces = lines_of_obj(path)
    np.testing.assert_array_equal(mesh.vertices, vertices)
    np.testing.assert_array_equal(mesh.faces, faces)
