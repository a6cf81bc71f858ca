import numpy as np
import pytest

import firstcontact as fc
from firstcontact.cli.command_error import CommandError
from firstcontact.cli.main import main
from firstcontact.cli.texts import frames
from firstcontact.cli.texts.frames import frames_of, is_frames
from firstcontact.io import step
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


def test_archives_of_shapes_are_no_frames(tmp_path):
    fc.Compound([fc.Sphere(1)]).save(tmp_path / "ball.npz")
    np.savez(tmp_path / "frames.npz", vertices=[], faces=[])
    files = [
        tmp_path,
        tmp_path / "frames.npz",
        tmp_path / "gone.npz",
        tmp_path / "ball.npz",
        tmp_path / "a.obj",
    ]
    assert [is_frames(file) for file in files] == [True, True, True, False, False]


def test_a_frame_that_needs_an_extra_says_so(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(step, "find_spec", lambda name: None)
    (tmp_path / "a.step").write_text("no solid")
    for words in (
        ["sequence", str(tmp_path / "a.step"), str(tmp_path / "a.step")],
        ["distance", str(tmp_path / "a.step"), "sphere:1"],
    ):
        assert main(words) == 2
        assert capsys.readouterr().err == (
            "firstcontact: cascadio is missing: `pip install 'firstcontact[cad]'` installs it\n"
        )
