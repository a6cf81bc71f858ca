"""A line on the terminal before the compiler takes more than a second."""

import sys
from collections.abc import Callable, Iterator
from types import CodeType
from typing import Any

from numba.core.dispatcher import Dispatcher

# Seconds of the compiler for a byte of Python's own code, on an idle core of some years ago.
_SECONDS_A_BYTE = 5e-4

_WORTH_A_WORD = 1.0

# Whoever shows progress of its own is not interrupted.
_silenced: list[bool] = []


def silence() -> None:
    """Say nothing from now on, in this process."""
    _silenced.append(True)


def tell_of_waiting(function: Callable[..., Any]) -> None:
    """Say, where somebody watches, that the compiler will take a while, and how long."""
    if _silenced or not _is_watched():
        return
    seconds = seconds_to_compile(function)
    if seconds > _WORTH_A_WORD:
        what = function.__module__.removeprefix("firstcontact.")
        sys.stderr.write(
            f"firstcontact: compiling {what} once on this machine (about {_rounded(seconds)} s)\n"
        )
        sys.stderr.flush()


def seconds_to_compile(function: Callable[..., Any]) -> float:
    """Guess how long a function takes to compile, with all that it calls and that is not compiled yet."""
    seen: dict[int, int] = {}
    ahead = [function]
    while ahead:
        one = ahead.pop()
        if id(one) not in seen:
            seen[id(one)] = len(one.__code__.co_code)
            ahead.extend(_called(one))
    return _SECONDS_A_BYTE * sum(seen.values())


def _called(function: Callable[..., Any]) -> Iterator[Callable[..., Any]]:
    """Give the functions that one names and that are yet to be compiled."""
    for code in _codes(function.__code__):
        for name in code.co_names:
            value: Any = function.__globals__.get(name)
            if isinstance(value, Dispatcher) and not value.overloads:
                yield value.py_func


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _is_watched() -> bool:
    try:
        return sys.stderr is not None and sys.stderr.isatty()
    except ValueError:  # closed
        return False


def _rounded(seconds: float) -> int:
    """Round to what a guess is worth: whole seconds, and fives from ten on."""
    return round(seconds) if seconds < 10 else 5 * round(seconds / 5)
