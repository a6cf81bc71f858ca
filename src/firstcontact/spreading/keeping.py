"""Where answers about parts of a batch wait for the others."""

from typing import Protocol

from firstcontact.spreading.chunks import Span
from firstcontact.spreading.joining import Stripped, joined


class Keeper(Protocol):
    """Keeps answers about parts."""

    def missing(self) -> list[Span]:
        """Rows that nothing is kept of, as (first, last), in their order."""
        ...

    def put(self, span: Span, answer: Stripped) -> None:
        """Keep an answer about some rows."""
        ...

    def all(self) -> Stripped:
        """Give the answer about all rows, once there is one about each."""
        ...


class InMemory:
    """Keeps answers about n rows in memory.

    Parameters
    ----------
    n : how many rows there are
    nothing : the answer about no rows
    axis : along which arrays are joined
    """

    def __init__(self, n: int, nothing: Stripped, axis: int) -> None:
        self._n, self._nothing, self._axis = n, nothing, axis
        self._parts: dict[int, Stripped] = {}

    def missing(self) -> list[Span]:
        """All rows: it is asked once, before there is anything."""
        return [(0, self._n)]

    def put(self, span: Span, answer: Stripped) -> None:
        """Keep a part."""
        self._parts[span[0]] = answer

    def all(self) -> Stripped:
        """Join all parts, in the order of their rows."""
        parts = [self._parts.pop(first) for first in sorted(self._parts)]
        return joined(parts or [self._nothing], self._axis)
