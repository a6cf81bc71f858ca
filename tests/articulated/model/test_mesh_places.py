import os

import pytest

from articulated.robot_files import written
from firstcontact.articulated.model.mesh_places import MeshPlaces


def find(name, folder, package_dirs=(), allow_outside=False):
    return MeshPlaces(folder, package_dirs, allow_outside).find(name)


def guessed(name, folder):
    """The packages that had to be guessed to find a file."""
    places = MeshPlaces(folder)
    assert places.find(name) is not None
    return places.guessed


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The folder of a robot's file, two folders deep in its package, with no packages known."""
    monkeypatch.delenv("ROS_PACKAGE_PATH", raising=False)
    folder = tmp_path / "arm_description" / "urdf"
    folder.mkdir(parents=True)
    return folder


def described(folder, name):
    """Make a folder a package, as its description says."""
    written(
        folder / "package.xml", f"<package format='2'><name>{name}</name><version>1.0.0</version></package>"
    )


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("a.obj", "arm_description/urdf/a.obj"),
        ("meshes/a.obj", "arm_description/urdf/meshes/a.obj"),
        ("./a.obj", "arm_description/urdf/a.obj"),
        ("file://a.obj", "arm_description/urdf/a.obj"),
        ("file://a%20b.obj", "arm_description/urdf/a b.obj"),
        ("package://arm_description/meshes/a.obj", "arm_description/meshes/a.obj"),
        ("package://arm_description/meshes/a%20b.obj", "arm_description/meshes/a b.obj"),
        ("package://hand/meshes/a.obj", "arm_description/urdf/hand/meshes/a.obj"),
        ("model://hand/meshes/a.obj", "arm_description/urdf/hand/meshes/a.obj"),
        ("package://meshes/a.obj", "arm_description/urdf/meshes/a.obj"),
    ],
)
def test_where_meshes_are(tmp_path, folder, name, place):
    assert find(name, folder) is None
    path = written(tmp_path / place, "")
    assert find(name, folder) == path.resolve()


def test_a_package_is_known_by_its_description(tmp_path, folder):
    path = written(tmp_path / "arm_description" / "meshes" / "a.obj", "")
    assert guessed("package://arm/meshes/a.obj", folder) == {"arm": tmp_path / "arm_description"}
    described(tmp_path / "arm_description", "arm")
    assert find("package://arm/meshes/a.obj", folder) == path.resolve()
    assert guessed("package://arm/meshes/a.obj", folder) == {}
    assert guessed("package://arm_description/meshes/a.obj", folder) == {}  # by the name of its folder
    assert find("../meshes/a.obj", folder) == path.resolve()  # and the robot's folder is all of it
    written(tmp_path / "arm_description" / "package.xml", "<package>")
    assert find("package://arm_description/meshes/a.obj", folder) == path.resolve()


@pytest.mark.parametrize("place", ["hand", "arm_description/hand", "arm_description", "."])
def test_packages_are_guessed_looking_upwards(tmp_path, folder, place):
    """A folder beside the package or in it, or one around the file that has a file of that path."""
    path = written(tmp_path / place / "meshes" / "a.obj", "")
    assert find("package://hand/meshes/a.obj", folder) == path.resolve()
    assert find("package:///hand/meshes/a.obj", folder) == path.resolve()
    assert guessed("package://hand/meshes/a.obj", folder) == {"hand": tmp_path / place}
    assert find("package://hand/a.obj", folder) is None


def test_the_first_folder_that_is_the_package_decides(tmp_path, folder):
    written(folder / "hand" / "other.obj", "")
    written(tmp_path / "given" / "hand" / "a.obj", "")
    assert find("package://hand/other.obj", folder, [tmp_path / "given"]) is None
    assert find("package://hand/a.obj", folder, [tmp_path / "given"]) is not None


def test_the_folder_of_the_file_stands_in_for_one_package_only(folder):
    path = written(folder / "meshes" / "a.obj", "")
    places = MeshPlaces(folder)
    assert places.find("package://hand/b.obj") is None
    assert places.guessed == {}
    assert places.find("package://hand/meshes/a.obj") == path.resolve()
    assert places.guessed == {"hand": folder}
    assert places.find("package://foot/meshes/a.obj") is None
    assert places.find("package://hand/meshes/a.obj") == path.resolve()


def test_given_packages_come_first_and_known_ones_next(tmp_path, folder, monkeypatch):
    name = "package://hand/a.obj"
    places = [
        written(place / "hand" / "a.obj", "") for place in (folder, tmp_path / "known", tmp_path / "given")
    ]
    assert find(name, folder) == places[0].resolve()
    monkeypatch.setenv(
        "ROS_PACKAGE_PATH", os.pathsep.join(["", str(tmp_path / "gone"), str(tmp_path / "known")])
    )
    assert find(name, folder) == places[1].resolve()
    assert find(name, folder, [tmp_path / "given"]) == places[2].resolve()
    assert find(name, folder, tmp_path / "given") == places[2].resolve()
    assert find(name, folder, {"hand": tmp_path / "known" / "hand"}) == places[1].resolve()


def test_a_given_folder_may_be_the_package_itself(tmp_path, folder):
    path = written(tmp_path / "hand-1.2" / "meshes" / "a.obj", "")
    name = "package://hand/meshes/a.obj"
    assert find(name, folder, [tmp_path / "hand-1.2"]) is None
    assert find(name, folder, {"hand": tmp_path / "hand-1.2"}) == path.resolve()
    described(tmp_path / "hand-1.2", "hand")
    assert find(name, folder, [tmp_path / "hand-1.2"]) == path.resolve()


def test_a_given_folder_serves_relative_paths_too(tmp_path, folder):
    path = written(tmp_path / "given" / "meshes" / "a.obj", "")
    assert find("meshes/a.obj", folder, [tmp_path / "given"]) == path.resolve()


def outside(tmp_path, folder):
    """Names of one file that is outside of the robot's folder, by all ways that lead there."""
    path = written(tmp_path / "elsewhere" / "a.obj", "")
    (folder / "link.obj").symlink_to(path)
    (folder / "hand").mkdir()
    (folder / "hand" / "link.obj").symlink_to(path)
    names = ["../../elsewhere/a.obj", str(path), path.as_uri(), "link.obj", "package://hand/link.obj"]
    return path.resolve(), [*names, "package://hand/../../../elsewhere/a.obj", "file://../../elsewhere/a.obj"]


def test_files_outside_are_read_on_request_only(tmp_path, folder):
    path, names = outside(tmp_path, folder)
    for name in names:
        with pytest.raises(
            ValueError, match=r"is outside of the robot's folder, .*; allow_outside=True reads it"
        ):
            find(name, folder)
        assert find(name, folder, (), True) == path


def test_given_folders_are_not_outside(tmp_path, folder):
    path, names = outside(tmp_path, folder)
    for name in names[:4]:
        assert find(name, folder, [tmp_path / "elsewhere"]) == path


@pytest.mark.parametrize(
    "name",
    [
        "",
        ".",
        "/",
        "package://",
        "package:///",
        "package://%00",
        "package://%00/x",
        "file://",
        "http://x/a.obj",
        "x" * 10_000,
    ],
)
def test_names_of_no_file(folder, name):
    assert find(name, folder) is None
