from pathlib import Path

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.cli.command_error import CommandError
from firstcontact.cli.texts.shape_text import is_stored_shape, load_mesh, mesh_of, read_shape, thing_name


@pytest.mark.parametrize(
    ("text", "shape", "size"),
    [
        ("sphere:0.5", fc.Sphere, 0.5),
        ("box:1,2,3", fc.Box, 0.5),
        ("ellipsoid:1,2,3", fc.Ellipsoid, 1.0),
        ("capsule:0.5,2", fc.Capsule, 0.5),
        ("cylinder:0.5,2", fc.Cylinder, 0.5),
        ("cone:0.5,2", fc.Cone, 0.5),
        ("rounded:0.25,box:1,2,3", fc.Rounded, 0.75),
        ("rounded:1,rounded:0.25,sphere:1", fc.Rounded, 2.25),
    ],
)
def test_shapes(text, shape, size):
    made = read_shape(text)
    assert type(made) is shape
    assert made.bounds[1, 0] == pytest.approx(size)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("sphere:", "sphere: must have a finite number; received ''"),
        ("sphere:1,2", "must have a finite number"),
        ("box:1,2,-3", r"box:1,2,-3: extents\[2\] must be positive"),
        ("cone:1", "cone:1 must have 2 finite numbers"),
        ("torus:1", "there is no shape 'torus': give a mesh file, voxels"),
        ("halfspace:0,0,1", "halfspace:0,0,1 must have 4 finite numbers"),
        ("halfspace:0,0,0,1", "halfspace:0,0,0,1: normal must be one vector"),
        ("rounded:1,halfspace:0,0,1,0", "rounded:1,halfspace:0,0,1,0: after the radius comes a shape"),
        ("rounded:1", "rounded:1: after the radius comes a shape, as in rounded:0.1,box:1,2,3"),
        ("rounded:1,bunny.obj", "rounded:1,bunny.obj: after the radius comes a shape"),
        ("rounded:0,box:1,2,3", "rounded:0,box:1,2,3: radius must be positive; received 0"),
        ("rounded:1,box:1,2", "box:1,2 must have 3 finite numbers"),
        ("C:/gone.obj", "there is no file C:/gone.obj"),
        ("a\0b.obj", "a"),
    ],
)
def test_faults_are_told(text, told):
    with pytest.raises(CommandError, match=told):
        read_shape(text)


@pytest.mark.parametrize("content", [b"", b"\x00\xff\xfe junk", b"v 1 2 nan\nv 0 0 0\nv 1 1 1\nf 1 2 3\n"])
@pytest.mark.parametrize("suffix", [".obj", ".ply", ".stl", ".off", ".glb", ".gltf"])
def test_damaged_files_are_told(tmp_path, content, suffix):
    file = tmp_path / f"bad{suffix}"
    file.write_bytes(content)
    with pytest.raises(CommandError, match="bad") as caught:
        load_mesh(file)
    assert "\n" not in str(caught.value)


def test_missing_files_and_folders_are_told(tmp_path):
    with pytest.raises(CommandError, match="there is no file"):
        load_mesh(tmp_path / "gone.obj")
    (tmp_path / "folder.obj").mkdir()
    with pytest.raises(CommandError, match="there is no file"):
        load_mesh(tmp_path / "folder.obj")


def test_what_the_system_refuses_is_told(monkeypatch):
    def refuse(file):
        raise PermissionError(13, "Permission denied", str(file))

    monkeypatch.setattr(fc, "load", refuse)
    with pytest.raises(CommandError, match=r"^locked.obj cannot be read: Permission denied$"):
        load_mesh(Path("locked.obj"))


def test_a_half_space_has_a_normal_and_an_offset():
    floor = read_shape("halfspace:0,0,-2,3")
    assert (floor.normal.tolist(), floor.offset) == ([0.0, 0.0, -1.0], 3.0)


@pytest.fixture
def stored(tmp_path, monkeypatch):
    """Files of everything that is no mesh, in the folder where we are."""
    monkeypatch.chdir(tmp_path)
    Path("scan.xyz").write_text("0 0 0\n1 2 3\n")
    Path("rope.obj").write_text("v 0 0 0\nv 1 0 0\nl 1 2\n")
    fc.load_strands("rope.obj", 0.25).save("rope.npz")
    fc.Compound([fc.Sphere(1), fc.Box([1, 1, 1])]).save("both.npz")
    fc.Voxels([[0, 0, 0]], 0.5).save("cell.npz")
    fc.Voxels([[0, 0, 0]], 0.5).save("cell.bt")
    np.savez("frames.npz", vertices=[], faces=[])
    Path("bad.npz").write_text("no archive")


@pytest.mark.parametrize(
    ("text", "kind", "lowest"),
    [
        ("points:scan.xyz", fc.Points, 0.0),
        ("points:0.5,scan.xyz", fc.Points, -0.5),
        ("strands:rope.obj", fc.Strands, 0.0),
        ("strands:1e-1,rope.obj", fc.Strands, -0.1),
        ("strands:rope.npz", fc.Strands, -0.25),
        ("strands:0.5,rope.npz", fc.Strands, -0.5),
        ("rope.npz", fc.Strands, -0.25),
        ("both.npz", fc.Compound, -1.0),
        ("cell.npz", fc.Voxels, 0.0),
        ("cell.bt", fc.Voxels, 0.0),
    ],
)
def test_files_of_what_is_no_mesh(stored, text, kind, lowest):
    made = read_shape(text)
    assert type(made) is kind
    assert made.bounds[0, 0] == lowest


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("points:gone.ply", "^there is no file gone.ply$"),
        ("points:-1,scan.xyz", "^radius must be 0 or more; row 0 has -1.0$"),
        ("points:x,scan.xyz", "^there is no file x,scan.xyz$|must end in"),
        ("points:rope.obj", "^a file of points must end in one of"),
        ("strands:scan.xyz", r"^a file of strands must end in one of \.obj, \.npz; received scan.xyz$"),
        (
            "frames.npz",
            "^frames.npz holds neither voxels, nor a compound, nor strands; it has vertices, faces$",
        ),
        ("bad.npz", "^bad.npz cannot be read: BadZipFile File is not a zip file$"),
        ("gone.npz", "^there is no file gone.npz$"),
        ("strands:both.npz", "^both.npz cannot be read: it must hold the arrays positions, counts; it has"),
    ],
)
def test_faults_of_such_files_are_told(stored, text, told):
    with pytest.raises(CommandError, match=told):
        read_shape(text)


def test_which_archives_have_a_shape(stored):
    names = ["rope.npz", "both.npz", "cell.npz", "frames.npz", "bad.npz", "gone.npz", "cell.bt"]
    assert [name for name in names if is_stored_shape(Path(name))] == names[:3]


def test_things_are_called_by_their_files():
    texts = ["a/b.obj", "points:0.1,a/b.ply", "points:b.ply", "strands:a/b.obj", "rounded:1,sphere:1"]
    assert [thing_name(text) for text in texts] == ["b.obj", "b.ply", "b.ply", "b.obj", "rounded:1,sphere:1"]


def test_a_command_that_looks_at_faces_takes_one_mesh(stored):
    assert mesh_of("box:1,1,1", "inspect").n_faces == mesh_of("cell.npz", "inspect").n_faces == 12
    for text, why in [
        ("both.npz", "is several"),
        ("rope.npz", "has none"),
        ("halfspace:0,0,1,0", "has none"),
    ]:
        with pytest.raises(CommandError, match=rf"^inspect looks at the faces of one mesh, and .* {why}$"):
            mesh_of(text, "inspect")
