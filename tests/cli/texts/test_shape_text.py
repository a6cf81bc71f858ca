from pathlib import Path

import pytest

import firstcontact as fc
from firstcontact.cli.command_error import CommandError
from firstcontact.cli.texts.shape_text import load_mesh, read_shape


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
        ("torus:1", "there is no shape 'torus': give a mesh file, or sphere:R"),
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
