"""Arrays in .npz files: what is read, and what is refused."""

import zipfile

import numpy as np
import pytest

from firstcontact.io.stored_arrays import read_arrays


def test_arrays_that_must_be_there_and_that_may(tmp_path):
    file = tmp_path / "a.npz"
    np.savez(file, one=[1, 2], two=3.5, other=["x"])
    found = read_arrays(file, ("one",), 1 << 12, may_have=("two", "three"))
    assert {name: array.tolist() for name, array in found.items()} == {"one": [1, 2], "two": 3.5}
    with pytest.raises(ValueError, match=r"^it must hold the arrays one, four; it has one, two, other$"):
        read_arrays(file, ("one", "four"), 1 << 12)


def test_what_is_large_or_no_array_or_an_object_is_refused(tmp_path):
    file = tmp_path / "a.npz"
    np.savez_compressed(file, one=np.zeros(10_000))
    with pytest.raises(ValueError, match=r"bytes; 4,096 can be read$"):
        read_arrays(file, ("one",), 1 << 12)
    np.savez(file, one=np.array([{}], object))
    with pytest.raises(ValueError, match="allow_pickle=False"):
        read_arrays(file, ("one",), 1 << 12)
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("one", b"text")
    with pytest.raises(ValueError, match=r"^one is no array$"):
        read_arrays(file, ("one",), 1 << 12)
    with zipfile.ZipFile(file, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("one.npy", b"x")
    with pytest.raises(ValueError, match=r"^it is packed in another way than save does$"):
        read_arrays(file, ("one",), 1 << 12)
