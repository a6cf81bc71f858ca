"""An object in a process of its own: one that crashes or hangs takes nothing with it."""

import os
from collections.abc import Callable
from multiprocessing import get_context
from typing import Any


def padding(n_tries: int) -> dict[str, str]:
    """Variables for the environment of a process, longer with each try.

    What an unset variable of python-fcl holds depends on where the stack begins, and that on the length of
    the environment: another process with the same one gives the same answers.
    """
    return {"BENCHMARK_PADDING": "x" * (97 * n_tries)}


class RemoteError(Exception):
    """The call failed, in one sentence; `is_dead`: its process crashed or did not answer in time."""

    def __init__(self, message: str, is_dead: bool = False) -> None:
        super().__init__(message)
        self.is_dead = is_dead


class Remote:
    """What `make(*arguments)` gives, in a new process that waits without cost; `close` ends it."""

    def __init__(self, patience: float, make: Callable[..., Any], *arguments: Any) -> None:
        self._patience = patience
        context = get_context("spawn")
        self._pipe, other = context.Pipe()
        self._process = context.Process(target=_serve, args=(other, make, arguments), daemon=True)
        self._process.start()
        other.close()

    def ask(self, method: str, *arguments: Any) -> Any:
        """Call a method there, and wait for its answer."""
        try:
            self._pipe.send((method, arguments))
            if not self._pipe.poll(self._patience):
                raise RemoteError("time limit", is_dead=True)
            is_good, found = self._pipe.recv()
        except (EOFError, BrokenPipeError, ConnectionResetError) as fault:
            raise RemoteError("crashed", is_dead=True) from fault
        if not is_good:
            raise RemoteError(found)
        return found

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.join()


def _serve(pipe: Any, make: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    """Answer until the process is ended. What peers print is not wanted."""
    for stream in (1, 2):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
    held: Any = None
    while True:
        method, given = pipe.recv()
        try:
            held = make(*arguments) if held is None else held
            pipe.send((True, getattr(held, method)(*given)))
        except Exception as fault:
            pipe.send((False, f"{type(fault).__name__}: {fault}"))
