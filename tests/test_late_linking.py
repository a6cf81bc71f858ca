"""Kernels that stay alone until a driver takes them in: linked once, kept alone, found again by others."""

from collections import namedtuple
from types import FunctionType

import numba
import pytest

from firstcontact import _late_linking
from firstcontact._late_linking import KernelId, KernelPipeline, _lasting_name, _name_of, pipeline_options
from test_jit import run

pytestmark = pytest.mark.compiler

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

@kernel
def told(x):
    if x < 0.0:
        raise ValueError("negative", x)  # a Python object, made as it runs
    return quartered(x)

@driver
def told_by(x):
    return told(x)

@kernel
def spread_of(values):
    return np.max(values) - quartered(np.sort(values)[0]) + np.median(values) - np.argmin(values)

@driver
def spread(values):
    return spread_of(values)

@kernel
def least_of(values):
    return np.min(values) + quartered(np.median(values)) + np.argmax(values)

@driver
def least(values):
    return least_of(values)

@kernel
def no_longer(x):
    n = 0
    return halved(x, 1) if n > 1 else x

@kernel
def still(x):
    return halved(x, 2)

@kernel
def still_by(x):
    return still(x)

@kernel
def both(x):
    return no_longer(x) + still_by(x)

@driver
def through(x):
    return both(x)

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


def test_kernels_of_two_processes_that_numbered_them_otherwise_can_be_mixed(tmp_path):
    """What the compiler brings along of its own has numbers too, and they meet."""
    asks = ["np.random.rand(3)", "print(alone.spread(np.arange(4.0)))", "print(alone.least(np.arange(4.0)))"]
    answers = {}
    for name, order in (("one", asks), ("other", asks[:0:-1])):
        folder = tmp_path / name
        folder.mkdir()
        *printed, compiled = asked(folder, "\n".join(order))
        assert compiled == "halved least least_of quartered spread spread_of"
        answers[name] = sorted(printed)
    assert answers["one"] == answers["other"]
    one, other = (sorted((tmp_path / name / "cache").rglob("*.code")) for name in ("one", "other"))
    assert [path.name for path in one] == [path.name for path in other]
    for start in (0, 1):
        mixed = tmp_path / f"mixed{start}"
        for i, paths in enumerate(zip(one, other, strict=True)):
            if not paths[0].name.startswith(("spread-", "least-")):  # the drivers are made anew
                kept = mixed / "cache" / paths[0].relative_to(tmp_path / "one" / "cache")
                kept.parent.mkdir(parents=True, exist_ok=True)
                kept.write_bytes(paths[(i + start) % 2].read_bytes())
        *printed, compiled = asked(mixed, "\n".join(asks[1:]))
        assert (sorted(printed), compiled) == (answers["one"], "least spread")


def test_a_kernel_that_one_caller_no_longer_calls_is_there_for_the_next(tmp_path):
    for _ in range(2):  # compiled, and found
        assert asked(tmp_path, "print(alone.through(8.0))")[0] == "12.0"


@pytest.mark.parametrize("why", ["a missing name", "Python objects"])
def test_what_cannot_be_linked_late_is_compiled_as_the_compiler_does_it(tmp_path, why):
    ask = """
from firstcontact import _late_linking
print(alone.eighth(8.0), _late_linking.is_on())
"""
    if why == "a missing name":
        ask += "_late_linking._missing = lambda module: ['something']\n"
    ask += """
try:
    print(alone.told_by(8.0), _late_linking.is_on(), alone.eighth(16.0), alone.quarter_sum(np.array([8.0])))
    alone.told_by(-8.0)
except ValueError as error:
    print(error)
"""
    first = asked(tmp_path, ask)
    assert first[:3] == ["1.0 True", "2.0 False 2.0 4.0", "('negative', -8.0)"]
    kept = [line.replace("False", "True") for line in first]  # found: nothing had to be given up
    assert asked(tmp_path, ask)[:3] == kept[:3]


def test_kernels_kept_in_both_ways_are_not_taken_for_each_other(tmp_path):
    other_way = "import numba; numba.version_info = (0, 1, 0)"
    (tmp_path / "alone.py").write_text(KERNELS)
    for before, compiled in ((other_way, "all"), ("", "all"), (other_way, "one"), ("", "one")):
        code = ASK.format(ask="print(alone.eighth(8.0))").replace("import alone", f"{before}\nimport alone")
        printed = run(tmp_path, code, NUMBA_CACHE_DIR=str(tmp_path / "cache")).splitlines()
        assert printed == ["1.0", {"all": "eighth halved quartered", "one": "eighth"}[compiled]]
        (driver,) = (tmp_path / "cache").rglob("eighth-*.code")
        driver.unlink()


def test_a_name_stands_for_one_function():
    here = KernelId(__name__, "run", ())
    assert _lasting_name(run, here) == _lasting_name(run, here) is not None

    def run_again():
        return here

    assert run_again.__closure__
    assert _lasting_name(run_again, here) is None
    twin = FunctionType(run.__code__, run.__globals__)
    assert _lasting_name(twin, here) is None  # it has been given to another
    assert _lasting_name(run, KernelId(__name__, "gone", ())) is None


def test_types_of_one_name_have_different_names():
    near, far = (namedtuple("Pair", ("a", "b"), module=module) for module in ("near", "far"))
    names = {_name_of(numba.typeof((one(1, 2.0), 3))) for one in (near, far)}
    assert len(names) == 2


@pytest.mark.parametrize("release", [(0, 59, 1), (0, 99, 0)])
def test_a_release_that_was_not_tried_goes_its_own_way(monkeypatch, release):
    assert pipeline_options(KernelPipeline) == {"pipeline_class": KernelPipeline}
    monkeypatch.setattr(numba, "version_info", release)
    assert pipeline_options(KernelPipeline) == {}


def test_steps_that_are_left_out_are_known_to_the_compiler():
    from numba.core import compiler

    assert all(hasattr(compiler, name) for name in _late_linking._IDLE)
