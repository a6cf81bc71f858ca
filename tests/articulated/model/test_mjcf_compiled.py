"""MuJoCo's warnings are Python's: no log in the working folder, and whoever listened before listens again."""

import threading
import warnings

import pytest

import firstcontact as fc

mujoco = pytest.importorskip("mujoco")

DOUBTFUL = """<mujoco><worldbody><body name="arm"><joint name="hinge"/>
 <geom size="1" solimp="nan 0.9 0.001"/></body></worldbody></mujoco>"""


@pytest.fixture
def file(tmp_path, monkeypatch):
    """A file that MuJoCo warns of, and an empty working folder."""
    path, folder = tmp_path / "doubtful.xml", tmp_path / "here"
    path.write_text(DOUBTFUL)
    folder.mkdir()
    monkeypatch.chdir(folder)
    return path


def test_a_warning_is_pythons_and_leaves_no_file(file):
    with pytest.warns(UserWarning, match=r"doubtful.xml: .*NaN") as told:
        robot = fc.Robot.from_mjcf(file)
    assert robot.dof == 1
    assert [w.filename for w in told] == [__file__]
    assert list(file.parent.joinpath("here").iterdir()) == []
    assert mujoco.get_mju_user_warning() is None


def test_a_warning_that_is_an_error_ends_the_reading_and_restores(file):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning, match="NaN"):
            fc.Robot.from_mjcf(file)
    assert mujoco.get_mju_user_warning() is None


def test_a_file_that_cannot_be_compiled_restores_too(file):
    file.write_text("<mujoco><worldbody><body><geom/></body></worldbody></mujoco>")
    with pytest.raises(fc.RobotFileError):
        fc.Robot.from_mjcf(file)
    assert mujoco.get_mju_user_warning() is None
    assert list(file.parent.joinpath("here").iterdir()) == []


def test_whoever_listened_before_does_again_and_hears_other_threads(file, monkeypatch):
    heard = []
    mujoco.set_mju_user_warning(heard.append)
    try:
        before, true = mujoco.get_mju_user_warning(), mujoco.MjModel

        class Model:
            """As MuJoCo's, with another thread that warns meanwhile."""

            @staticmethod
            def from_xml_path(path):
                other = threading.Thread(target=mujoco.get_mju_user_warning(), args=("of another",))
                other.start()
                other.join()
                return true.from_xml_path(path)

        monkeypatch.setattr(mujoco, "MjModel", Model)
        with pytest.warns(UserWarning, match="NaN"):
            fc.Robot.from_mjcf(file)
        assert heard == ["of another"]
        assert mujoco.get_mju_user_warning() is before
    finally:
        mujoco.set_mju_user_warning(None)


def test_threads_get_the_warnings_of_their_own_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = [f"file{k}.xml" for k in range(12)]
    for name in names:
        (tmp_path / name).write_text(DOUBTFUL)
    readers = [threading.Thread(target=fc.Robot.from_mjcf, args=(tmp_path / name,)) for name in names]
    with pytest.warns(UserWarning, match="NaN") as told:
        _run(readers)
    assert sorted(str(w.message).split("/")[-1].split(":")[0] for w in told) == sorted(names)
    assert not (tmp_path / "MUJOCO_LOG.TXT").exists()
    assert mujoco.get_mju_user_warning() is None


def _run(threads):
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
