"""Turns: what one thread changes, the others wait for, and so does a fork of the process."""

import os
from collections.abc import Callable
from threading import RLock
from typing import TypeVar
from weakref import WeakSet

T = TypeVar("T")


class Turns:
    """Lets one thread at a time do something with an object.

    Parameters
    ----------
    what : the object, as it is named where it is refused
    """

    def __init__(self, what: str) -> None:
        self._what = what
        self._lock = RLock()
        self._is_taken = False
        with _register:
            _all.add(self)

    def take(self, task: Callable[[], T]) -> T:
        """Do something that no other thread does meanwhile, and return what it gives.

        Whatever ends the task, an interrupt as well, ends the turn. Within a task of the same thread, as by a
        signal's handler, there is nothing to wait for: it is refused.
        """
        with self._lock:
            if self._is_taken:
                raise RuntimeError(
                    f"{self._what} cannot be used from within a change of it; wait for its end"
                )
            try:
                self._is_taken = True
                return task()
            finally:
                self._is_taken = False

    def hold(self) -> None:
        """Wait for the turn under way, and let none begin."""
        self._lock.acquire()

    def let_go(self) -> None:
        """Let turns begin again."""
        self._lock.release()


def wholly(change: Callable[[], None]) -> None:
    """Make a change that is the same when it is made twice; one that is interrupted is made to its end."""
    try:
        change()
    except BaseException:
        change()
        raise


# All that there are. A fork copies one thread only: it waits until no other is within a turn, lest the copy
# have things that are half changed, and locks that nobody releases.
_all: WeakSet[Turns] = WeakSet()
_register = RLock()
_held: list[Turns] = []


def _before_fork() -> None:
    _register.acquire()
    _held.extend(_all)
    for turns in _held:
        turns.hold()


def _after_fork() -> None:
    for turns in _held:
        turns.let_go()
    _held.clear()
    _register.release()


if hasattr(os, "register_at_fork"):  # not on Windows, which has no fork
    os.register_at_fork(before=_before_fork, after_in_parent=_after_fork, after_in_child=_after_fork)
