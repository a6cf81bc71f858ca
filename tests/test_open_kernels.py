"""Tests call kernels, which are compiled as for users, and by one process at a time."""

import multiprocessing
import os
import time
from types import SimpleNamespace

import pytest

import open_kernels
from firstcontact.scalar.vec3 import dot, sub


def test_kernels_are_called_by_place_and_by_name():
    a, b = (1.0, 2.0, 3.0), (4.0, 5.0, 7.0)
    assert sub(b, a) == (3.0, 3.0, 4.0)
    assert dot(a, b=b) == dot(b=b, a=a) == 35.0


def test_they_have_no_way_in_themselves():
    assert isinstance(dot, open_kernels.OpenKernel)
    assert dot.targetoptions["no_cpython_wrapper"]
    assert not dot.way_in.targetoptions.get("no_cpython_wrapper")


def hold(folder, seconds):
    with open_kernels._alone(SimpleNamespace(cache_path=str(folder)), "hold"):
        began = time.monotonic()
        time.sleep(seconds)
        return began, time.monotonic()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no locks on this system")
def test_two_processes_compile_one_function_one_after_the_other(tmp_path):
    with multiprocessing.get_context("fork").Pool(2) as pool:
        first, second = sorted(pool.starmap(hold, [(tmp_path / "kernels", 0.2)] * 2))
    assert first[1] <= second[0]


def test_what_is_not_kept_needs_no_lock(tmp_path):
    with open_kernels._alone(SimpleNamespace(cache_path=None), "hold"):
        assert list(tmp_path.iterdir()) == []
