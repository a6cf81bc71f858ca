"""The compiler, the only place that names its options, and the threads that run what it makes."""

import os
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, ParamSpec, Protocol, TypeVar, cast

import numba

from firstcontact._sources import PACKAGE, digest_of

P = ParamSpec("P")
R = TypeVar("R")

# `nogil` lets other Python threads run during a query. `fastmath` would break `isnan` and error-free
# transformations. The "numpy" error model makes a division by zero give inf or nan, not an exception.
_OPTIONS: dict[str, Any] = {"error_model": "numpy", "fastmath": False, "nogil": True}

_NO_WAY_IN = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}

# Set before the first kernel is loaded, by who wants to call kernels from Python: the tests.
is_open_to_python = False

# Parts of the work that a thread gets, one after the other.
PARTS_A_THREAD = 8

_config: Any = numba.config  # its settings are made when it is loaded: no type checker can know them


class Kernel(Protocol[P, R]):
    """A compiled function, with the Python function it was made from."""

    py_func: Callable[P, R]

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run the compiled function."""
        ...


def kernel(function: Callable[P, R]) -> Kernel[P, R]:
    """Compile a function that other compiled functions call; Python cannot, unless `is_open_to_python`.

    The way in from Python, which unpacks every argument, is two fifths of the compiler's work.
    """
    return _compile(function, _OPTIONS if is_open_to_python else _OPTIONS | _NO_WAY_IN)


def driver(function: Callable[P, R]) -> Kernel[P, R]:
    """Compile a function that Python calls."""
    return _compile(function, _OPTIONS)


def _compile(function: Callable[P, R], options: dict[str, Any]) -> Kernel[P, R]:
    """Make the machine code on the first call, and keep it on disk where that is possible."""
    folder = _cache_folder(Path(function.__code__.co_filename))
    if folder is None:
        return cast(Kernel[P, R], numba.njit(**options)(function))
    shared = _config.CACHE_DIR
    _config.CACHE_DIR = folder  # read while the function is decorated, and never again
    try:
        return cast(Kernel[P, R], numba.njit(cache=True, **options)(function))
    finally:
        _config.CACHE_DIR = shared


@cache
def _cache_folder(path: Path) -> str | None:
    """Make a folder for machine code made from these very sources of a file; None where that cannot be.

    Cached code goes by the file it was compiled from alone. It would survive an edit, or an upgrade, of a
    file that it calls, and fail to load where a type that it takes has gone. Other sources, another folder.
    """
    home = _cache_home()
    if home is None:
        return None
    way_in = "-open" if is_open_to_python else ""
    return str(home / f"kernels-{digest_of(path)}{way_in}")


@cache
def _cache_home() -> Path | None:
    """Find a writable folder for those folders; None where there is none."""
    user = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA") or "~/.cache"
    homes = (
        [_config.CACHE_DIR] if _config.CACHE_DIR else [PACKAGE / "__pycache__", Path(user, "firstcontact")]
    )
    for home in homes:
        with suppress(OSError, RuntimeError):  # not writable, or no home folder is known
            folder = Path(home).expanduser()
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                return folder
    return None


def thread_count() -> int:
    """Count the threads that a query called from this thread may use."""
    return int(numba.get_num_threads())


def on_threads(task: Callable[[int], None], n: int) -> None:
    """Run ``task(0)`` to ``task(n - 1)``, each on a thread of its own, and wait for all of them.

    For drivers, which do not hold Python's lock. To start takes a tenth of a millisecond. The compiler's own
    parallel loops are no faster, are compiled apart from serial ones, and end or hang a forked process.
    """
    others = [_pool().submit(task, i) for i in range(1, n)]
    try:
        task(0)
    finally:
        wait(others)
    for other in others:
        other.result()


def on_ranges(task: Callable[[int, int], None], n: int, worth_a_thread: int) -> None:
    """Run ``task(first, last)`` over parts of [0, n), on all threads where each has that much to do.

    A few parts for each thread, taken in turn: they may take unequal times.
    """
    n_threads = min(thread_count(), max(n // worth_a_thread, 1))
    if n_threads == 1:
        task(0, n)
        return
    ends = [n * part // (PARTS_A_THREAD * n_threads) for part in range(PARTS_A_THREAD * n_threads + 1)]

    def share(thread: int) -> None:
        for part in range(thread, len(ends) - 1, n_threads):
            task(ends[part], ends[part + 1])

    on_threads(share, n_threads)


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(os.cpu_count() or 1, "firstcontact")


if hasattr(os, "register_at_fork"):  # not on Windows, which has no fork
    os.register_at_fork(after_in_child=_pool.cache_clear)  # a child does not inherit the threads
