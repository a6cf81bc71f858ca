"""Numbers as files spell them.

Python's own readers take more: `1_000`, `nan`, `infinity`, digits of all scripts. In a file these are damage,
or were meant as something else.
"""

from collections.abc import Callable, Sequence
from typing import TypeVar

_Number = TypeVar("_Number", int, float)

_OF_WHOLE = b"0123456789+-"
_OF_REAL = _OF_WHOLE + b".eE"
_LONGEST = 18  # digits that fit into 64 bits; no file is large enough to need more


def reals(words: Sequence[bytes]) -> list[float]:
    """Read decimal numbers; a `ValueError` where a word is none."""
    if b"".join(words).translate(None, _OF_REAL):
        raise ValueError
    return _each(float, words)


def wholes(words: Sequence[bytes]) -> list[int]:
    """Read decimal integers; a `ValueError` where a word is none."""
    if b"".join(words).translate(None, _OF_WHOLE) or any(len(word) > _LONGEST for word in words):
        raise ValueError
    return _each(int, words)


def _each(read: Callable[[bytes], _Number], words: Sequence[bytes]) -> list[_Number]:
    try:
        return [read(word) for word in words]
    except ValueError:  # its message is about Python: callers know the place in the file
        raise ValueError from None


def shown(line: bytes) -> str:
    """Show the beginning of a line in a sentence, whatever bytes it has."""
    text = line.strip()[:60].decode("utf-8", errors="replace")
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)
