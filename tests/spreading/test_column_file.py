"""Columns of an answer in files: what cannot be written is an error, never the end of the process."""

import errno
import os

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.spreading import column_file
from firstcontact.spreading.column_file import make_column, write_rows
from queries.every_batch import CRUMPLED, END, SHEETS, START, assert_same_bytes


@pytest.mark.parametrize("shape", [(5,), (5, 3), (5, 2, 3)])
@pytest.mark.parametrize("dtype", [np.float64, np.int32, np.int8, np.bool_])
def test_rows_are_where_they_belong(tmp_path, dtype, shape):
    file, like = tmp_path / "a.npy", np.ones(shape, dtype)
    make_column(file, like.dtype, like.shape)
    column = np.load(file, mmap_mode="r")
    assert column.dtype == like.dtype
    assert not column.any()
    write_rows(file, column, 2, like[:2])
    expected = np.zeros_like(like)
    expected[2:4] = 1
    assert np.array_equal(column, expected)
    assert np.array_equal(np.load(file), expected)
    with pytest.raises(ValueError, match=r"rows of a.npy must have shape"):
        write_rows(file, column, 0, np.ones((1, 9), dtype))


@pytest.mark.parametrize(
    "ask",
    [lambda out: fc.vertex_face_ccd(START, END, out=out), lambda out: fc.sequence(SHEETS, CRUMPLED, out=out)],
    ids=["in columns", "in parts"],
)
def test_a_full_disk_is_told_and_the_run_goes_on_when_there_is_room(ask, tmp_path, monkeypatch):
    def full(_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patched:
        patched.setattr(column_file.os, "fsync", full)
        with pytest.raises(OSError, match=r"No space left on device: .*\.npy'$"):
            ask(tmp_path / "kept")
    assert_same_bytes(ask(tmp_path / "kept"), ask(tmp_path / "other"))
