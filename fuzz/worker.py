"""A process of its own that runs cases: a crash, a hang or a lack of memory ends it, and not the run."""

import faulthandler
import multiprocessing
import os
import resource
import signal
import tempfile
import traceback
from collections.abc import Callable
from contextlib import suppress
from itertools import islice
from multiprocessing.connection import Connection
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

from catalogue import case_of, family_in, limit_of

# All memory, in bytes, that a process may ask for: several times what a case needs with the compiler.
MEMORY = 8 << 30

# Seconds to start a process, on a machine that has much else to do.
TO_START = 120.0

# Variants of a case that are looked at in one round of shrinking.
MOST_VARIANTS = 200

# Seconds for a process to end by itself.
TO_CLEAN_UP = 5.0

# How often a waiting process looks whether it is asked to stop, in seconds.
GLANCE = 0.2

# Last words of a process that are kept.
LAST_WORDS = 4000


class Reply(NamedTuple):
    """What came of a request: a value, or a sentence that says what is wrong, and its details."""

    value: Any = None
    sentence: str | None = None
    detail: str = ""
    is_late: bool = False


class Stopped(Exception):  # noqa: N818 - the run is over, which is no error
    """The run is over."""


class Worker:
    """A process that answers requests about families, and is started anew when it has ended."""

    def __init__(self, folder: Path, is_stopped: Callable[[], bool] = lambda: False) -> None:
        self._folder, self._is_stopped = folder, is_stopped
        self._log = tempfile.NamedTemporaryFile("w+b", suffix=".log")  # noqa: SIM115 - as long as this is
        self._process: Any = None
        self._connection: Any = None
        self._is_busy = False

    def ask(self, seconds: float, *request: Any) -> Reply:
        """Ask for one thing, and wait at most this long."""
        try:
            self._start()
            self._is_busy = True
            self._connection.send(request)
            if not self._wait(seconds):
                self.end()
                return Reply(sentence=f"takes longer than {seconds:g} s", is_late=True)
            reply = Reply(*self._connection.recv())
            self._is_busy = False
            return reply
        except (EOFError, OSError):
            return self._ended()

    def end(self) -> None:
        """End the process, and all that it started; one that waits for a request gets time to clean up."""
        if self._process is not None:
            self._connection.close()
            self._process.join(GLANCE if self._is_busy else TO_CLEAN_UP)
            with suppress(OSError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.kill()
            self._process.join()
            self._process = None

    def _start(self) -> None:
        if self._process is None:
            context = multiprocessing.get_context("spawn")
            self._connection, other = context.Pipe()
            self._log.seek(0)
            self._log.truncate()
            self._process = context.Process(target=serve, args=(other, self._folder, self._log.name))
            self._process.start()
            other.close()
            if not self._wait(TO_START):
                raise EOFError
            self._connection.recv()

    def _wait(self, seconds: float) -> bool:
        until = monotonic() + seconds
        while not self._is_stopped():
            if self._connection.poll(min(GLANCE, max(until - monotonic(), 0.0))):
                return True
            if monotonic() >= until:
                return False
        self.end()
        raise Stopped

    def _ended(self) -> Reply:
        self._process.join(GLANCE)
        code = self._process.exitcode
        self.end()
        self._log.seek(0)
        detail = self._log.read().decode(errors="replace")[-LAST_WORDS:]
        return Reply(sentence=f"the process ended with {_reason(code)}", detail=detail)


def _reason(code: int | None) -> str:
    if code is not None and code < 0:
        return signal.Signals(-code).name
    return f"status {code}"


def serve(connection: Connection, folder: Path, words: str) -> None:
    """Answer requests until there are no more; what is printed goes to a file."""
    os.setsid()  # a Ctrl-C is for the run, which ends this process and what it has started
    out = os.open(words, os.O_WRONLY | os.O_APPEND)
    os.dup2(out, 1)
    os.dup2(out, 2)
    faulthandler.enable()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    connection.send(None)
    while True:
        try:
            what, name, *rest = connection.recv()
        except EOFError:
            return
        connection.send(_answer(folder, what, name, rest))


def _answer(folder: Path, what: str, name: str, rest: list[Any]) -> Reply:
    try:
        family = family_in(folder, name)
        if what == "limit":
            return Reply(limit_of(family))
        if what == "make":
            return Reply(case_of(family, name, *rest))
        if what == "smaller":
            variants = family.smaller(*rest) if hasattr(family, "smaller") else ()
            return Reply(list(islice(variants, MOST_VARIANTS)))
        case = rest[0] if what == "check" else case_of(family, name, *rest)
        sentence = family.check(case)
        return Reply(sentence=None if sentence is None else " ".join(sentence.split()))
    except Exception as error:
        return Reply(sentence=_said(error), detail=traceback.format_exc())


def _said(error: Exception) -> str:
    """An exception in a sentence: what, in which function of which file."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if "site-packages" not in frame.filename] or frames
    return f"{type(error).__name__} in {Path(own[-1].filename).name}, {own[-1].name}: {error}"
