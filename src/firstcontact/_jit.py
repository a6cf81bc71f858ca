"""The compiler: the only place that names its options, and the door to parallel code."""

import hashlib
import os
import tempfile
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, ParamSpec, Protocol, TypeVar, cast

import numba

P = ParamSpec("P")
R = TypeVar("R")

# `nogil` lets other Python threads run during a query. `fastmath` would break `isnan` and error-free
# transformations. The "numpy" error model makes a division by zero give inf or nan, not an exception.
_OPTIONS: dict[str, Any] = {"error_model": "numpy", "fastmath": False, "nogil": True}

_NO_WAY_IN = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}

# Set before the first kernel is loaded, by who wants to call kernels from Python: the tests.
is_open_to_python = False

# Layers that several Python threads may enter at once; with any other the process aborts.
_THREAD_SAFE_LAYERS = frozenset({"tbb", "omp"})

# Parts of the work that a thread gets, one after the other.
PARTS_A_THREAD = 8

_parallel_lock = threading.RLock()
_has_lost_threads = False

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


def parallel_driver(function: Callable[P, R]) -> Kernel[P, R]:
    """Compile a function that Python calls, in a `parallel_region`, to run its `prange` on all threads."""
    return _compile(function, _OPTIONS | {"parallel": True})


def _compile(function: Callable[P, R], options: dict[str, Any]) -> Kernel[P, R]:
    """Make the machine code on the first call, and keep it on disk where that is possible."""
    folder = _cache_folder()
    if folder is None:
        return cast(Kernel[P, R], numba.njit(**options)(function))
    shared = _config.CACHE_DIR
    _config.CACHE_DIR = folder  # read while the function is decorated, and never again
    try:
        return cast(Kernel[P, R], numba.njit(cache=True, **options)(function))
    finally:
        _config.CACHE_DIR = shared


@cache
def _cache_folder() -> str | None:
    """Find a writable folder for machine code made from these very sources; None where there is none.

    Cached code goes by the file it was compiled from alone. It would survive an edit, or an upgrade, of a
    file that it calls, and fail to load where a type that it takes has gone. Other sources, another folder.
    """
    package = Path(__file__).parent
    digest = hashlib.blake2b(bytes([is_open_to_python]), digest_size=8)
    for path in sorted(package.rglob("*.py")):
        digest.update(path.read_bytes())
    user = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA") or "~/.cache"
    homes = (
        [_config.CACHE_DIR] if _config.CACHE_DIR else [package / "__pycache__", Path(user, "firstcontact")]
    )
    for home in homes:
        with suppress(OSError, RuntimeError):  # not writable, or no home folder is known
            folder = Path(home).expanduser() / f"kernels-{digest.hexdigest()}"
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                return str(folder)
    return None


@contextmanager
def parallel_region() -> Iterator[None]:
    """Make it safe to call a parallel kernel while other Python threads may do the same.

    The threading layers "tbb" and "omp" need no help. The "workqueue" layer, which is all there is where
    neither library is installed, aborts the process when two threads enter it at once: there, calls take
    turns. They also take turns until the first call has loaded a layer, since only then is it known.

    A child forked from a process that has run parallel code must not come here: see `thread_count`.
    """
    if _is_thread_safe():
        yield
    else:
        with _parallel_lock:
            yield


def _is_thread_safe() -> bool:
    return _threading_layer() in _THREAD_SAFE_LAYERS


def _threading_layer() -> str | None:
    """Name of the layer that parallel code runs on; None before its first run."""
    try:
        return str(numba.threading_layer())
    except ValueError:
        return None


def thread_count() -> int:
    """Count the threads that a query called from this thread may use.

    One in a child forked from a process that has run parallel code: the threads do not come along, and
    OpenMP ends or hangs a child that asks for them.
    """
    return 1 if _has_lost_threads else int(numba.get_num_threads())


def on_threads(task: Callable[[int], None], n: int) -> None:
    """Run ``task(0)`` to ``task(n - 1)``, each on a thread of its own, and wait for all of them.

    For drivers that work long on their own: they do not hold Python's lock. It takes a tenth of a
    millisecond, and none of the compiler's time that a parallel driver does.
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


def _after_fork() -> None:
    global _has_lost_threads, _parallel_lock  # noqa: PLW0603  what a fork changes is the process's own
    _has_lost_threads = _has_lost_threads or _threading_layer() is not None
    _parallel_lock = threading.RLock()  # another thread of the parent may have held the old one
    _pool.cache_clear()  # its threads did not come along


if hasattr(os, "register_at_fork"):  # not on Windows, which has no fork
    os.register_at_fork(after_in_child=_after_fork)
