import numpy as np
import pytest

import firstcontact as fc

AXES = "".join(f"property float {axis}\n" for axis in "xyz")
PLY = f"ply\nformat ascii 1.0\nelement vertex 2\n{AXES}end_header\n"


def written(path, content):
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


@pytest.mark.parametrize("name", ["a.ply", "a.XYZ", "a.txt", "a.csv", "a.npy"])
def test_all_formats_have_the_same_points(tmp_path, name):
    points = [[0.0, 1.0, 2.0], [0.0, 1.0, 2.0]]
    file = written(tmp_path / name, (PLY if name == "a.ply" else "") + "0 1 2\n0 1 2\n")
    if name == "a.npy":
        np.save(file, points)
    cloud = fc.load_points(str(file), radius=[1, 2])
    assert type(cloud) is fc.Points
    assert cloud.positions.tolist() == points
    assert cloud.radius.tolist() == [1.0, 2.0]


def test_binary_ply_and_its_nan(tmp_path):
    header = PLY.replace("ascii", "binary_little_endian").encode()
    rows = np.arange(6, dtype="<f4")
    assert fc.load_points(written(tmp_path / "a.ply", header + rows.tobytes())).n_vertices == 2
    rows[4] = np.nan
    with pytest.raises(fc.MeshFileError, match=r"a.ply cannot be read: positions .*finite"):
        fc.load_points(written(tmp_path / "a.ply", header + rows.tobytes()))
    with pytest.raises(fc.MeshFileError, match=r"a\.ply cannot be read"):
        fc.load_points(written(tmp_path / "a.ply", header + rows.tobytes()[:-1]))


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("a.stl", "", "a file of points must end in one of .ply, .xyz, .txt, .csv, .npy; received"),
        ("a.xyz", "", "a.xyz has no points"),
        ("a.xyz", "1 2\n", "a.xyz cannot be read: line 1 must have"),
        ("a.csv", b"\x00\xff\xfe\x81" * 40, "a.csv cannot be read: line 1 "),
        ("a.npy", b"\x93NUMPY\xff\xff", "a.npy cannot be read: "),
        ("a.ply", PLY + "0 1 2\n", "a.ply cannot be read: it says 2 of 'vertex', and has 1"),
        ("a.ply", PLY + "0 1 2\n0 nan 2\n", "a.ply cannot be read: "),
        ("a.ply", b"\x81\x82", "a.ply cannot be read: it must begin with a line 'ply'"),
    ],
)
def test_bad_files_of_points_are_refused_in_a_sentence(tmp_path, name, content, reason):
    with pytest.raises(fc.MeshFileError, match=reason) as caught:
        fc.load_points(written(tmp_path / name, content))
    assert "\n" not in str(caught.value)


def test_every_beginning_of_a_file_is_read_whole_or_refused(tmp_path):
    np.save(tmp_path / "whole.npy", np.arange(9.0).reshape(3, 3))
    for name, whole in (
        ("a.npy", (tmp_path / "whole.npy").read_bytes()),
        ("a.ply", (PLY + "0 1 2\n3 4 5").encode()),
    ):
        assert fc.load_points(written(tmp_path / name, whole)).n_vertices >= 2
        for end in range(len(whole) - 1):
            with pytest.raises(fc.MeshFileError, match=name):
                fc.load_points(written(tmp_path / name, whole[:end]))


def test_a_mesh_is_no_cloud(tmp_path):
    file = tmp_path / "box.ply"
    with_faces = PLY.replace("vertex 2", "vertex 3").replace(
        "end_header", "element face 1\nproperty list uchar int vertex_indices\nend_header"
    )
    written(file, with_faces + "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n")
    assert fc.load(file).n_faces == 1
    with pytest.raises(fc.MeshFileError, match="it has faces: load reads meshes"):
        fc.load_points(file)


def test_strands_are_the_lines_of_a_file(tmp_path):
    text = "v 0 0 0\nv 1 0 0\nl 1 2 3\nv 2 0 0\nf 1 2 3\nl 3/1 -3//\np 1\n"
    strands = fc.load_strands(written(tmp_path / "a.obj", text), radius=0.5)
    assert type(strands) is fc.Strands
    assert strands.positions[:, 0].tolist() == [0, 1, 2, 2, 0]
    assert strands.counts.tolist() == [3, 2]
    assert strands.thickness == 0.5
    assert fc.load(tmp_path / "a.obj").n_faces == 1


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "a.obj has no lines"),
        ("v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n", "a.obj has no lines"),
        ("v 0 0 0\nl 1\n", "a.obj cannot be read: line 2 cannot be read: l 1"),
        ("v 0 0 0\nl 1 0\n", "line 2 cannot be read"),
        ("v 0 0 0\nl 1 -2\n", "line 2 cannot be read"),
        ("v 0 0 0\nl 1 4\n", "its lines are of vertices up to 4, and it has 1"),
        ("v 0 nan 0\nv 1 0 0\nl 1 2\n", "line 1 cannot be read"),
        ("v 0 1e999 0\nv 1 0 0\nl 1 2\n", "a.obj cannot be read: positions"),
        (b"\x00\x81\xff garbage", "line 1 begins with"),
    ],
)
def test_bad_files_of_strands_are_refused_in_a_sentence(tmp_path, text, reason):
    with pytest.raises(fc.MeshFileError, match=reason) as caught:
        fc.load_strands(written(tmp_path / "a.obj", text))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("load", [fc.load_points, fc.load_strands])
def test_paths_and_radii_that_are_none(tmp_path, load):
    with pytest.raises(FileNotFoundError, match="there is no file"):
        load(tmp_path / ("a.obj" if load is fc.load_strands else "a.csv"))
    with pytest.raises(fc.MeshFileError, match="must end in one of"):
        load("a.pdf")
    with pytest.raises(TypeError, match="path"):
        load(3)
    file = written(tmp_path / "a.obj", "v 0 0 0\nl 1 1\n") if load is fc.load_strands else None
    with pytest.raises(ValueError, match="radius must be 0 or more"):
        load(file or written(tmp_path / "a.csv", "1 2 3\n"), radius=-1)


def test_strands_that_are_saved_are_loaded(tmp_path):
    file = tmp_path / "hair.npz"
    hair = fc.Strands([[0, 0, 0], [1, 0, 0], [5, 0, 0.1]], [2, 1], [0.1, 0.2, 0.3])
    hair.save(file)
    found = fc.load_strands(file)
    assert (found.positions.tolist(), found.counts.tolist()) == (hair.positions.tolist(), [2, 1])
    assert found.radius.tolist() == [0.1, 0.2, 0.3]
    assert fc.load_strands(file, 0.5).radius.tolist() == [0.5] * 3
    np.savez(file, positions=hair.positions, counts=hair.counts)
    assert fc.load_strands(file).radius.tolist() == [0.0] * 3
    with pytest.raises(ValueError, match=r"^file must end in \.npz; received"):
        hair.save(tmp_path / "hair.obj")


def test_archives_of_other_strands_are_refused(tmp_path):
    file = tmp_path / "hair.npz"
    for arrays in ({"counts": [3]}, {"counts": [[2]]}, {"counts": [2], "radius": [1, 2, 3]}, {}):
        np.savez(file, positions=np.zeros((2, 3)), **arrays)
        with pytest.raises(fc.MeshFileError, match=r"hair\.npz cannot be read: "):
            fc.load_strands(file)
