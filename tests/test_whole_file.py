import os
import stat
from pathlib import Path

import pytest

from firstcontact._whole_file import whole_file, write_whole


def test_a_text_is_written(tmp_path):
    assert write_whole(tmp_path / "page.html", "ä\n") == tmp_path / "page.html"
    assert (tmp_path / "page.html").read_bytes() == "ä\n".encode()


def test_half_a_surrogate_pair_is_written_as_its_number(tmp_path):
    assert write_whole(tmp_path / "page.html", "a\ud800").read_text() == "a\\ud800"


def write_half(file, fault):
    with whole_file(file) as stream:
        stream.write(b"half of it")
        raise fault


@pytest.mark.parametrize("fault", [OSError(28, "No space left on device"), KeyboardInterrupt()])
@pytest.mark.parametrize("before", [None, b"what was there"])
def test_after_a_fault_all_is_as_it_was(tmp_path, fault, before):
    file = tmp_path / "page.html"
    if before is not None:
        file.write_bytes(before)
    with pytest.raises(type(fault)):
        write_half(file, fault)
    assert [path.read_bytes() for path in tmp_path.iterdir()] == ([] if before is None else [before])


def test_a_fault_of_the_system_names_the_file(tmp_path):
    with pytest.raises(FileNotFoundError) as caught:
        write_whole(tmp_path / "nowhere" / "page.html", "")
    assert caught.value.filename == str(tmp_path / "nowhere" / "page.html")


def test_a_folder_is_refused(tmp_path):
    with pytest.raises(IsADirectoryError):
        write_whole(tmp_path, "")
    assert tmp_path.is_dir()


@pytest.mark.skipif(os.name == "nt", reason="no such device")
def test_a_device_stays_what_it_is():
    write_whole(Path(os.devnull), "text")
    assert stat.S_ISCHR(Path(os.devnull).stat().st_mode)


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_link_stays_one_and_a_file_keeps_its_rights(tmp_path):
    file, link = tmp_path / "file", tmp_path / "link"
    file.write_text("old")
    file.chmod(0o600)
    link.symlink_to(file)
    write_whole(link, "new")
    assert link.is_symlink()
    assert (file.read_text(), stat.S_IMODE(file.stat().st_mode)) == ("new", 0o600)
