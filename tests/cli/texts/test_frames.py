import pytest

from firstcontact.cli.command_error import CommandError
from firstcontact.cli.texts import frames
from firstcontact.cli.texts.frames import frames_of
from firstcontact.io.load import FORMATS


def test_a_folder_is_read_in_the_order_of_its_numbers(tmp_path):
    for name in ("leaf10.obj", "leaf9.PLY", "leaf8.obj", "notes.txt"):
        (tmp_path / name).write_text("nothing")
    names = [frame.name for frame in frames_of([tmp_path])]
    assert names == [str(tmp_path / name) for name in ("leaf8.obj", "leaf9.PLY", "leaf10.obj")]


def test_folders_and_files_may_follow_each_other(tmp_path):
    folder = tmp_path / "frames"
    folder.mkdir()
    (folder / "b.obj").write_text("nothing")
    found = frames_of([tmp_path / "a.obj", folder])
    assert [frame.name for frame in found] == [str(tmp_path / "a.obj"), str(folder / "b.obj")]


def test_a_folder_without_meshes_is_told(tmp_path):
    with pytest.raises(CommandError, match="has no mesh files"):
        frames_of([tmp_path])


def test_the_formats_are_those_that_can_be_loaded():
    assert frames._MESHES == FORMATS
