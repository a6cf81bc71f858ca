import os
import shutil
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier, Event
from weakref import ref

import numpy as np
import pytest

import firstcontact
from firstcontact import _jit

MODULE = """
import numpy as np
from firstcontact._jit import driver, on_ranges, thread_count


@driver
def halved(x):
    return x / 2.0


@driver
def divided(x, y):
    return x / y


@driver
def fill(out, first, last):
    for i in range(first, last):
        out[i] = i / 2.0
"""

THREADS = """
from concurrent.futures import ThreadPoolExecutor
from kernels import fill, np, on_ranges

def work(seed):
    for _ in range(60):
        out = np.zeros(5_000)
        on_ranges(lambda first, last: fill(out, first, last), len(out), 100)
        assert (out == np.arange(5_000) / 2.0).all()
    return True

with ThreadPoolExecutor(4) as pool:
    print(all(pool.map(work, range(4))))
"""


def run(folder: Path, script: str, **environment: str) -> str:
    """Run a script in a new process that sees the kernels above; give what it printed."""
    module = folder / "kernels.py"
    module.write_text(MODULE)
    inherited = {key: value for key, value in os.environ.items() if not key.startswith("NUMBA_")}
    paths = os.pathsep.join([str(folder), str(Path(firstcontact.__file__).parents[1])])
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=inherited | {"PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"} | environment,
        cwd=folder,
        check=False,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_four_threads_may_share_their_work_at_once(tmp_path):
    assert run(tmp_path, THREADS, NUMBA_NUM_THREADS="2") == "True"


def test_machine_code_is_kept_on_disk(tmp_path):
    script = "from kernels import halved; halved(1.0); print(sum(halved.stats.cache_hits.values()))"
    cache = str(tmp_path / "cache")
    assert run(tmp_path, script, NUMBA_CACHE_DIR=cache) == "0"
    assert run(tmp_path, script, NUMBA_CACHE_DIR=cache) == "1"


BOTTOM = [path.name for path in Path(firstcontact.__file__).parent.glob("_*.py") if path.name[1] != "_"]


def package_copy(folder: Path) -> Path:
    """Copy the bottom of the package, to be edited or made unwritable; give its folder."""
    package = folder / "firstcontact"
    package.mkdir()
    for name in ("__init__.py", *BOTTOM):
        shutil.copy(Path(firstcontact.__file__).parent / name, package / name)
    return package


def test_machine_code_of_other_sources_is_not_used(tmp_path):
    package = package_copy(tmp_path)
    script = "from kernels import halved; halved(1.0); print(sum(halved.stats.cache_hits.values()))"
    cache = str(tmp_path / "cache")
    assert run(tmp_path, script, NUMBA_CACHE_DIR=cache) == "0"
    assert run(tmp_path, script, NUMBA_CACHE_DIR=cache) == "1"
    (package / "another.py").write_text("x = 1")
    assert run(tmp_path, script, NUMBA_CACHE_DIR=cache) == "0"


def test_the_cache_of_other_packages_stays_where_it_was(tmp_path):
    script = "import kernels, numba; print(numba.config.CACHE_DIR)"
    assert run(tmp_path, script, NUMBA_CACHE_DIR=str(tmp_path / "c")) == str(tmp_path / "c")


def test_the_users_cache_folder_serves_where_the_package_is_not_writable(tmp_path):
    (package_copy(tmp_path) / "__pycache__").write_text("")
    home = tmp_path / "home"
    run(tmp_path, "from kernels import halved; halved(1.0)", XDG_CACHE_HOME=str(home))
    assert list(home.rglob("*.code"))


def test_a_function_without_a_writable_cache_folder_is_compiled_all_the_same(tmp_path):
    # A file where a folder should be stops even a superuser, whom permissions do not.
    (package_copy(tmp_path) / "__pycache__").write_text("")
    (tmp_path / "file").write_text("")
    script = "from kernels import *; print(divided(1.0, 1.0), divided._cache.kept)"
    home = str(tmp_path / "file")
    assert run(tmp_path, script, HOME=home, XDG_CACHE_HOME=home, LOCALAPPDATA=home) == "1.0 None"


def test_division_by_zero_gives_infinity(tmp_path):
    assert run(tmp_path, "from kernels import divided; print(divided(1.0, 0.0))") == "inf"


def test_threads_are_counted(tmp_path):
    assert (
        run(tmp_path, "from kernels import thread_count; print(thread_count())", NUMBA_NUM_THREADS="3") == "3"
    )


def test_without_the_compiler_there_is_one_sentence(tmp_path):
    script = """
import firstcontact as fc
for _ in range(2):
    try:
        fc.Sphere(1)
    except ImportError as error:
        print(error)
"""
    sentence = "firstcontact needs its compiler, which NUMBA_DISABLE_JIT switches off: unset it"
    assert run(tmp_path, script, NUMBA_DISABLE_JIT="1").splitlines() == [sentence] * 2


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_a_forked_child_answers_on_threads_of_its_own(tmp_path):
    script = """
import multiprocessing, numpy as np, firstcontact as fc
from firstcontact._jit import thread_count

def hits(seed):
    start, end = np.random.default_rng(seed).random((2, 20_000, 4, 3))
    return int(fc.vertex_face_ccd(start, end).hit.sum()), thread_count()

own = hits(1)
with multiprocessing.get_context("fork").Pool(2) as pool:
    children = pool.map(hits, [1, 1])
print(own[1] > 1, children == [own] * 2)
"""
    cache = os.environ.get("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    assert run(tmp_path, script, NUMBA_NUM_THREADS="2", NUMBA_CACHE_DIR=cache) == "True True"


def test_on_threads_runs_every_task_and_waits():
    done = []
    _jit.on_threads(done.append, 5)
    assert sorted(done) == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("failing", [0, 3])
def test_on_threads_raises_what_a_task_raises(failing):
    done = []

    def task(i):
        if i == failing:
            raise ValueError(str(i))
        done.append(i)

    with pytest.raises(ValueError, match=str(failing)):
        _jit.on_threads(task, 5)
    assert len(done) == 4


@pytest.mark.parametrize("n", [0, 1, 7, 100, 12_345])
def test_on_ranges_covers_everything_once(n):
    ranges = []
    _jit.on_ranges(lambda first, last: ranges.append((first, last)), n, 50)
    covered = [i for first, last in ranges for i in range(first, last)]
    assert sorted(covered) == list(range(n))


# Seconds after which what would wait for ever counts as failed.
PATIENCE = 60


@pytest.fixture
def busy_pool():
    """All helpers at work for somebody, until the test is over."""
    n, over = os.cpu_count() or 1, Event()
    begun = Barrier(n + 2)  # the pool, who called it, and the test

    def work(i):
        begun.wait(PATIENCE)
        over.wait(PATIENCE)

    with ThreadPoolExecutor(1) as other:
        long = other.submit(_jit.on_threads, work, n + 1)
        begun.wait(PATIENCE)
        yield
        over.set()
        long.result(PATIENCE)


def test_helpers_take_part():
    together, came = Barrier(2), []
    _jit.on_threads(lambda i: came.append(together.wait(PATIENCE)), 2)  # who came alone would wait
    assert sorted(came) == [0, 1]
    if _jit.thread_count() > 1:
        _jit.on_ranges(lambda first, last: came.append(together.wait(PATIENCE)), 100, 1)
        assert came.count(0) == came.count(1) > 1


def test_nobody_waits_for_a_helper_who_works_for_others(busy_pool):
    done, parts = [], []
    with ThreadPoolExecutor(1) as other:
        other.submit(_jit.on_threads, done.append, 4).result(PATIENCE)
        other.submit(_jit.on_ranges, lambda *part: parts.append(part), 1000, 1).result(PATIENCE)
    assert done == [0, 1, 2, 3]
    assert sorted(i for first, last in parts for i in range(first, last)) == list(range(1000))


def test_a_call_that_is_over_holds_on_to_nothing(busy_pool):
    array = np.zeros(3)
    _jit.on_threads(lambda i, array=array: array.fill(i), 4)
    gone = ref(array)
    del array
    assert gone() is None


def test_an_interrupt_waits_for_who_has_begun_and_lets_nobody_begin():
    together, caller, done = Barrier(2), threading.current_thread(), []

    def task(i):
        together.wait(PATIENCE)
        if threading.current_thread() is caller:
            raise KeyboardInterrupt
        while crew._left:  # until the interrupt has arrived
            pass
        done.append(i)

    crew = _jit._Crew(task, 6)
    with pytest.raises(KeyboardInterrupt):
        crew.work_with(1)
    assert len(done) == 1


def test_without_more_threads_the_caller_does_it_all(monkeypatch):
    class Full:
        def submit(self, *_):
            raise RuntimeError("can't start new thread")

    done = []
    monkeypatch.setattr(_jit, "_pool", Full)
    _jit.on_threads(done.append, 3)
    assert done == [0, 1, 2]
