"""Kernels that tests can call, compiled no more often than needed, whoever else compiles at the same time.

The package is compiled as for its users, who can call drivers only: tests and the processes they start share
one machine code. A kernel that a test calls gets a driver of its own, which does nothing but call it.
"""

import inspect
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any

import numba
from numba.core.compiler_lock import global_compiler_lock

from firstcontact import _jit
from firstcontact._kept_code import KeptCode
from firstcontact._late_linking import DriverPipeline

try:
    import fcntl
except ImportError:  # Windows, where two processes may compile the same
    fcntl = None


class Driver(_jit.Compiled):
    """Compiles while no other process compiles the same function: what that one has kept is loaded then."""

    def compile(self, sig: Any) -> Any:
        with global_compiler_lock, _alone(self._cache, self.__name__):
            return super().compile(sig)


class OpenKernel(Driver):
    """A kernel as users have it, that Python can call."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if kwargs:
            args = inspect.signature(self.py_func).bind(*args, **kwargs).args
        return self.way_in(*args)

    @cached_property
    def way_in(self) -> Any:
        """Compile the driver that calls this kernel, when it is first called."""
        kernel = self

        def call(*args: Any) -> Any:
            return kernel(*args)

        compiled = _compile(call, _jit._OPTIONS, DriverPipeline)
        kept = self._cache.kept
        if kept is not None:
            folder = Path(f"{kept.cache_path}-open")
            compiled._cache = KeptCode(self.py_func, folder, _jit._OPTIONS, is_driver=True)
        return compiled


def assembly_of(kernel: Any, *args: Any) -> str:
    """Give the machine code for arguments of these types, compiled for this: what was kept shows none."""
    compiled = numba.njit(**_jit._OPTIONS)(kernel.py_func)
    compiled(*args)
    return str(compiled.inspect_asm(compiled.signatures[0]))


def open_kernels() -> None:
    """Open all kernels that are loaded from now on."""

    def compile_open(function: Callable[..., Any], options: dict[str, Any], pipeline: Any) -> Any:
        compiled = _compile(function, options, pipeline)
        compiled.__class__ = OpenKernel if "no_cpython_wrapper" in options else Driver
        return compiled

    _jit._compile = compile_open


_compile = _jit._compile


@contextmanager
def _alone(kept: Any, name: str) -> Iterator[None]:
    """Wait until no other process is here for this function. Who calls whom has no circles: nor has this."""
    if fcntl is None or kept.cache_path is None:
        yield
        return
    folder = Path(kept.cache_path).parent / "locks"
    folder.mkdir(parents=True, exist_ok=True)
    lock = os.open(folder / f"{Path(kept.cache_path).name}-{name}", os.O_CREAT | os.O_RDWR)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        fcntl.flock(lock, fcntl.LOCK_UN)  # a forked process may hold it too
        os.close(lock)
