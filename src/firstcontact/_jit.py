"""The compiler, the only place that names its options, and the threads that run what it makes."""

import gc
import os
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from functools import cache
from typing import Any, ParamSpec, Protocol, TypeVar, cast
from weakref import WeakSet, ref

import numba
import numpy as np
from numba import types
from numba.core.registry import CPUDispatcher

from firstcontact._found_code import FoundCode
from firstcontact._late_linking import (
    DriverPipeline,
    KernelPipeline,
    UnlinkedError,
    WholeKernelPipeline,
    give_up,
    pipeline_options,
)

P = ParamSpec("P")
R = TypeVar("R")

# `nogil` lets other Python threads run during a query. `fastmath` would break `isnan` and error-free
# transformations. The "numpy" error model makes a division by zero give inf or nan, not an exception.
# Nothing written in C calls us: what C would call is not made.
_OPTIONS: dict[str, Any] = {
    "error_model": "numpy", "fastmath": False, "nogil": True, "no_cfunc_wrapper": True,
}  # fmt: skip

# What takes less time than to give up Python's lock, and to get it again, does not.
_BRIEFLY: dict[str, Any] = {**_OPTIONS, "nogil": False}

_NO_WAY_IN: dict[str, Any] = {"no_cpython_wrapper": True}

_UNCOUNTED: dict[str, Any] = {"_nrt": False}

# Parts of the work that a thread gets, one after the other.
PARTS_A_THREAD = 8

_types: Any = types  # not typed, or typed in part

_all_compiled: "WeakSet[Any]" = WeakSet()

_config: Any = numba.config  # its settings are made when it is loaded: no type checker can know them


class Compiled(CPUDispatcher):
    """A function of the compiler, that it compiles while nothing looks for garbage: a fifth of the time.

    straight : the same, without a look at the types of what is given, once that is compiled: 0.15 us less.
        For arrays of our own alone: what is of another type than the first that were given would be misread.
    """

    straight: Any

    def compile(self, sig: Any) -> Any:
        """Find or make the code for a signature."""
        if isinstance(sig, tuple) and sig in self.overloads:  # without the compiler's locks and clocks
            return cast(Any, self.overloads[sig]).entry_point
        was_enabled = gc.isenabled()
        gc.disable()
        try:
            found = super().compile(sig)
        except UnlinkedError as error:
            if self.targetoptions.keys() & _NO_WAY_IN.keys():  # who calls this kernel is not done
                raise
            give_up(str(error), _all_compiled)
            found = super().compile(sig)
        finally:
            if was_enabled:
                gc.enable()
        self.straight = found if len(self.overloads) == 1 else self
        return found

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Find or make the code for a call by another function: one for all constants, not one for each."""
        named = {name: _of_any_value(one) for name, one in kws.items()}
        return super().get_call_template([_of_any_value(one) for one in args], named)


def _of_any_value(kind: Any) -> Any:
    """The type of a constant, or of a tuple of them, as it is without their values."""
    if isinstance(kind, _types.IntegerLiteral | _types.BooleanLiteral):
        return _types.unliteral(kind)
    if type(kind) in (_types.Tuple, _types.UniTuple):  # not what has names, which it would lose
        return _types.BaseTuple.from_types([_of_any_value(one) for one in kind])
    return kind


class NotPlainError(TypeError):
    """An argument of a `plain_driver` is no array of the kind that it is compiled for."""


class CompiledForPlain(Compiled):
    """A function that is compiled for one kind of arrays, and refuses all others at once.

    The way in looks at the type of each argument anyway: to look at it in Python too takes 0.2 us an array.
    """

    ranks: tuple[int, ...]

    def _compile_for_args(self, *args: Any, **kws: Any) -> Any:
        """Come here with types for which there is no code, yet."""
        if not all(map(_is_plain, args, self.ranks)):
            raise NotPlainError
        return super()._compile_for_args(*args, **kws)  # type: ignore[misc]


def _is_plain(argument: Any, rank: int) -> bool:
    """Is this an array of doubles of this rank, one after the other, that can be written to?"""
    if rank == 0:
        return True
    if type(argument) is not np.ndarray or argument.ndim != rank:
        return False
    return argument.dtype == np.float64 and bool(argument.flags.carray)


class Kernel(Protocol[P, R]):
    """A compiled function, with the Python function it was made from."""

    py_func: Callable[P, R]

    @property
    def straight(self) -> Callable[P, R]:
        """The function for arrays whose types are known: those of ours."""
        ...

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run the compiled function."""
        ...


def kernel(function: Callable[P, R]) -> Kernel[P, R]:
    """Compile a function that other compiled functions call; Python cannot.

    The way in from Python, which unpacks every argument, is two fifths of the compiler's work.
    """
    return _compile(function, _OPTIONS | _NO_WAY_IN, KernelPipeline)


def vector_kernel(function: Callable[P, R]) -> Kernel[P, R]:
    """Compile a kernel with a loop that is to be vectorised: it is optimised before others take it in.

    In the midst of a driver, the compiler no longer sees that what a loop reads and writes is not the same.
    """
    return _compile(function, _OPTIONS | _NO_WAY_IN, WholeKernelPipeline)


def uncounted_kernel(function: Callable[P, R]) -> Kernel[P, R]:
    """Compile a kernel that counts no references to arrays: it makes none, and its caller has those it gets.

    Where a dozen of arrays go from function to function in a loop, to count takes four fifths of the time.
    Views are as good as what they are of. Arrays may be given back to other such kernels alone.
    """
    return _compile(function, _OPTIONS | _NO_WAY_IN | _UNCOUNTED, KernelPipeline)


def driver(function: Callable[P, R]) -> Kernel[P, R]:
    """Compile a function that Python calls.

    It returns no named tuple: to make one runs Python code, and the compiler takes no notice of an exception,
    such as a Ctrl-C, that this raises; the process ends.
    """
    return _compile(function, _OPTIONS, DriverPipeline)


def brief_driver(function: Callable[P, R]) -> Kernel[P, R]:
    """Compile a function that Python calls, and that is done within a microsecond: it keeps Python's lock."""
    return _compile(function, _BRIEFLY, DriverPipeline)


def plain_driver(*ranks: int, is_brief: bool = False) -> Callable[[Callable[P, R]], Kernel[P, R]]:
    """Compile a function that Python calls with arrays as a user gave them, of these ranks; 0 is for others.

    What is no plain array of doubles, one after the other, raises a `NotPlainError`, and nothing is compiled
    for it. How long arrays are, the function must look at.
    """

    def compiled(function: Callable[P, R]) -> Kernel[P, R]:
        found: Any = brief_driver(function) if is_brief else driver(function)
        found.__class__, found.ranks = CompiledForPlain, ranks
        return cast(Kernel[P, R], found)

    return compiled


def _compile(function: Callable[P, R], options: dict[str, Any], pipeline: Any) -> Kernel[P, R]:
    """Make the machine code on the first call, and keep it on disk where that is possible."""
    if _config.DISABLE_JIT:
        # As plain Python, 32-bit integers lose their upper bits in a shift, and 1.0 / 0.0 raises: the answers
        # would be wrong.
        raise ImportError("firstcontact needs its compiler, which NUMBA_DISABLE_JIT switches off: unset it")
    compiled: Any = numba.njit(**options, **pipeline_options(pipeline))(function)
    # Else it is as who calls it first has it.
    compiled.targetoptions.setdefault("_nrt", True)
    _all_compiled.add(compiled)
    compiled.__class__, compiled.straight = Compiled, compiled
    compiled._cache = FoundCode(function, options, is_driver="no_cpython_wrapper" not in options)
    return cast(Kernel[P, R], compiled)


def thread_count() -> int:
    """Count the threads that a query called from this thread may use."""
    return int(numba.get_num_threads())


@contextmanager
def threads_limited(most: int | None) -> Iterator[None]:
    """Let queries called from this thread use no more threads than that meanwhile; None for no limit."""
    before = thread_count()
    numba.set_num_threads(max(min(before, most or before), 1))
    try:
        yield
    finally:
        numba.set_num_threads(before)


def on_threads(task: Callable[[int], None], n: int) -> None:
    """Run ``task(0)`` to ``task(n - 1)``, on up to n threads, and wait for all of them.

    For drivers, which do not hold Python's lock. To start takes a tenth of a millisecond. The compiler's own
    parallel loops are no faster, are compiled apart from serial ones, and end or hang a forked process.
    """
    if n == 1:
        task(0)
    else:
        _Crew(task, n).work_with(n - 1)


def on_ranges(task: Callable[[int, int], None], n: int, worth_a_thread: int) -> None:
    """Run ``task(first, last)`` over parts of [0, n), on all threads where each has that much to do.

    A few parts for each thread, taken in turn: they may take unequal times.
    """
    n_threads = min(thread_count(), n // worth_a_thread) if n >= 2 * worth_a_thread else 1
    if n_threads == 1:
        task(0, n)
        return
    n_parts = PARTS_A_THREAD * n_threads

    def run(part: int) -> None:
        task(n * part // n_parts, n * (part + 1) // n_parts)

    _Crew(run, n_parts).work_with(n_threads - 1)


class _Crew:
    """Tasks that whoever is free takes, one after the other: first of all the thread that has called.

    Helpers come from a pool that all callers share, and may all be busy with what others have called. So
    nobody waits for one that has not begun: the caller takes what is left, and waits only for what others
    have in their hands.
    """

    def __init__(self, task: Callable[[int], None], n: int) -> None:
        self._task, self._left = task, deque(range(n))
        self._helpers: list[Future[None]] = []
        self._faults: dict[int, Exception] = {}

    def work_with(self, n_helpers: int) -> None:
        """Do all tasks, whatever becomes of one of them; then raise what the first that failed raised."""
        try:
            self._call(n_helpers)
            self._work()
        finally:
            self._left.clear()  # where an interrupt ends it, nobody begins another
            begun = [helper for helper in self._helpers if not helper.cancel()]
            wait(begun)
        for helper in begun:
            helper.result()
        if self._faults:
            raise self._faults.pop(min(self._faults))

    def _call(self, n_helpers: int) -> None:
        helping = ref(self)  # a pool that is busy holds on to calls that were taken back: not to the arrays
        with suppress(RuntimeError):  # a system that has no more threads, or a process that ends
            for _ in range(n_helpers):
                self._helpers.append(_pool().submit(_help, helping))

    def _work(self) -> None:
        while self._left:
            try:
                i = self._left.popleft()
            except IndexError:  # another was faster
                return
            try:
                self._task(i)
            except Exception as fault:
                self._faults[i] = fault


def _help(crew: "ref[_Crew]") -> None:
    """Work for a crew that is still there."""
    found = crew()
    if found is not None:
        found._work()


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(os.cpu_count() or 1, "firstcontact")


if hasattr(os, "register_at_fork"):  # not on Windows, which has no fork
    os.register_at_fork(after_in_child=_pool.cache_clear)  # a child does not inherit the threads
