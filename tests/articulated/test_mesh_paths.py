import os

import pytest

from articulated.robot_files import written
from firstcontact.articulated.mesh_paths import find_mesh


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The folder of a robot's file, two folders deep in its package, with no packages known."""
    monkeypatch.delenv("ROS_PACKAGE_PATH", raising=False)
    folder = tmp_path / "arm_description" / "urdf"
    folder.mkdir(parents=True)
    return folder


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("a.obj", "arm_description/urdf/a.obj"),
        ("meshes/a.obj", "arm_description/urdf/meshes/a.obj"),
        ("../meshes/a.obj", "arm_description/meshes/a.obj"),
        ("file://a.obj", "arm_description/urdf/a.obj"),
        ("file://a%20b.obj", "arm_description/urdf/a b.obj"),
        ("package://arm_description/meshes/a.obj", "arm_description/meshes/a.obj"),
        ("package://arm_description/meshes/a%20b.obj", "arm_description/meshes/a b.obj"),
        ("package://hand/meshes/a.obj", "hand/meshes/a.obj"),
        ("model://hand/meshes/a.obj", "hand/meshes/a.obj"),
        ("package://meshes/a.obj", "arm_description/urdf/meshes/a.obj"),
        # The folder of the package has another name.
        ("package://arm/meshes/a.obj", "arm_description/meshes/a.obj"),
    ],
)
def test_where_meshes_are(tmp_path, folder, name, place):
    assert find_mesh(name, folder, ()) is None
    path = written(tmp_path / place, "")
    assert find_mesh(name, folder, ()).resolve() == path.resolve()


def test_absolute_paths(tmp_path, folder):
    path = written(tmp_path / "elsewhere" / "a.obj", "")
    assert find_mesh(str(path), folder, ()) == path
    assert find_mesh(path.as_uri(), folder, ()) == path


def test_given_packages_come_first_and_the_nearest_folder_next(tmp_path, folder, monkeypatch):
    name = "package://hand/a.obj"
    near, given, known = (tmp_path / place for place in ("arm_description", "given", "known"))
    written(tmp_path / "hand" / "a.obj", "")
    places = [written(place / "hand" / "a.obj", "") for place in (near, known, given)]
    assert find_mesh(name, folder, ()) == places[0]
    monkeypatch.setenv("ROS_PACKAGE_PATH", os.pathsep.join(["", str(tmp_path / "gone"), str(known)]))
    assert find_mesh(name, folder, ()) == places[1]
    assert find_mesh(name, folder, [given]) == places[2]


def test_a_package_by_its_name_comes_before_what_only_looks_like_it(tmp_path, folder):
    written(folder / "a.obj", "")
    path = written(tmp_path / "hand" / "a.obj", "")
    assert find_mesh("package://hand/a.obj", folder, ()) == path


def test_a_given_folder_may_be_the_package_itself(tmp_path, folder):
    path = written(tmp_path / "hand-1.2" / "meshes" / "a.obj", "")
    assert find_mesh("package://hand/meshes/a.obj", folder, [tmp_path / "hand-1.2"]) == path


def test_a_given_folder_serves_relative_paths_too(tmp_path, folder):
    path = written(tmp_path / "given" / "meshes" / "a.obj", "")
    assert find_mesh("meshes/a.obj", folder, [tmp_path / "given"]) == path


@pytest.mark.parametrize(
    "name",
    ["", ".", "/", "package://", "package:///", "package://%00", "file://", "http://x/a.obj", "x" * 10_000],
)
def test_names_of_no_file(folder, name):
    assert find_mesh(name, folder, ()) is None
