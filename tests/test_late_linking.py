"""Kernels that stay alone until a driver takes them in: linked once, kept alone, found again by others."""

import numba
import pytest

from firstcontact import _late_linking
from firstcontact._late_linking import KernelPipeline, pipeline_options
from test_jit import run

KERNELS = """
import numpy as np
from firstcontact._jit import driver, kernel, vector_kernel

@kernel
def halved(x, n):
    return x / n

@kernel
def quartered(x):
    return halved(halved(x, 2), 4 // 2)

@vector_kernel
def sum_of(values):
    total = 0.0
    for i in range(len(values)):
        total += quartered(values[i])
    return total

@kernel
def checked(x):
    if x < 0.0:
        raise ValueError("negative")
    return quartered(x)

@driver
def quarter_sum(values):
    return sum_of(values) + checked(values[0])

@driver
def eighth(x):
    return halved(quartered(x), 2)
"""

# Which driver is asked for first decides how the compiler numbers the kernels that both call.
ASK = """
import numpy as np
from numba.core import event
compiled = event.RecordingListener()
event.register("numba:compile", compiled)
import alone
{ask}
functions = {{one.data["dispatcher"].py_func for _, one in compiled.buffer}}
print(*sorted(one.__name__ for one in functions if one.__module__ == "alone"))
"""


def asked(folder, ask):
    (folder / "alone.py").write_text(KERNELS)
    return run(folder, ASK.format(ask=ask), NUMBA_CACHE_DIR=str(folder / "cache")).splitlines()


def test_kernels_are_found_again_by_drivers_of_other_processes(tmp_path):
    values = "np.array([8.0, 4.0])"
    assert asked(tmp_path, "print(alone.eighth(8.0))") == ["1.0", "eighth halved quartered"]
    # The kernels that are new here are numbered in another order than those that are kept.
    assert asked(tmp_path, f"print(alone.quarter_sum({values}))") == ["5.0", "checked quarter_sum sum_of"]
    (kept,) = (tmp_path / "cache").rglob("quarter_sum-*.code")
    kept.unlink()
    assert asked(tmp_path, f"print(alone.eighth(8.0), alone.quarter_sum({values}))") == [
        "1.0 5.0",
        "quarter_sum",
    ]


def test_an_exception_of_a_kernel_reaches_python(tmp_path):
    ask = """
try:
    alone.quarter_sum(np.array([-1.0]))
except ValueError as error:
    print(error)
"""
    for _ in range(2):
        assert asked(tmp_path, ask)[0] == "negative"


def test_a_kernel_is_compiled_once_for_all_constants(tmp_path):
    ask = "alone.eighth(8.0); print(len(alone.halved.overloads), len(alone.quartered.overloads))"
    assert asked(tmp_path, ask)[0] == "1 1"


def test_a_kernel_has_no_machine_code_and_a_driver_has(tmp_path):
    ask = """
alone.eighth(8.0)
(kernel,), (driver,) = alone.quartered.overloads.values(), alone.eighth.overloads.values()
print([one.name for one in kernel.library.used], kernel.library.get_pointer_to_function("any"))
print(len(kernel.library.bitcode()) < len(driver.library._get_compiled_object()) * 100)
"""
    assert asked(tmp_path, ask)[:2] == ["['halved'] 0", "True"]


@pytest.mark.parametrize("release", [(0, 59, 1), (0, 99, 0)])
def test_a_release_that_was_not_tried_goes_its_own_way(monkeypatch, release):
    assert pipeline_options(KernelPipeline) == {"pipeline_class": KernelPipeline}
    monkeypatch.setattr(numba, "version_info", release)
    assert pipeline_options(KernelPipeline) == {}


def test_steps_that_are_left_out_are_known_to_the_compiler():
    from numba.core import compiler

    assert all(hasattr(compiler, name) for name in _late_linking._IDLE)
