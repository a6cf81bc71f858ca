from pathlib import Path

import pytest

import firstcontact as fc
from firstcontact.io.file_name import file_name


@pytest.mark.parametrize("name", ["part.obj", "Teil\u00e4.obj"])
def test_a_name_is_told_as_it_is(name):
    assert file_name(Path(name)) == name


def test_a_name_with_lines_is_told_on_one():
    assert file_name(Path("a\nb.obj")) == "'a\\nb.obj'"


@pytest.mark.parametrize(
    ("read", "ending"), [(fc.load, "obj"), (fc.load_voxels, "bt"), (fc.DistanceField.load, "npz")]
)
def test_files_that_are_missing_are_told_on_one_line(read, ending):
    with pytest.raises((OSError, ValueError), match=r"^there is no file 'a\\nb\.") as told:
        read(f"a\nb.{ending}")
    assert len(str(told.value).splitlines()) == 1
