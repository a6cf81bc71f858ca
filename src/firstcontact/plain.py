"""Plain data: it compares by what it says, and travels without what was worked out on the way."""

from dataclasses import fields
from functools import cached_property
from typing import Any, ClassVar

import numpy as np


class Plain:
    """A frozen dataclass that equals another where both say the same; NaN is the same as NaN.

    Its arrays can be written to, so it has no hash.
    """

    __dataclass_fields__: ClassVar[dict[str, Any]]
    # Fields that follow from the others, and take long to find.
    _not_compared: ClassVar[frozenset[str]] = frozenset()

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if type(self) is not type(other):
            return NotImplemented
        names = {item.name for item in fields(self) if item.compare} - self._not_compared
        return all(is_same(getattr(self, name), getattr(other, name)) for name in names)

    __hash__ = None  # type: ignore[assignment]


class Sealed:
    """What never changes: where it is sent, and in copies, its arrays are read-only again.

    What `cached_property` keeps is left behind, and worked out again where it is asked for.
    """

    def __getstate__(self) -> dict[str, Any]:
        kind = type(self)
        return {
            name: value
            for name, value in self.__dict__.items()
            if not isinstance(getattr(kind, name, None), cached_property)
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        seal(tuple(state.values()))
        self.__dict__.update(state)


def seal(value: Any) -> None:
    """Make arrays read-only: this one, or those in a tuple, however deep."""
    if isinstance(value, np.ndarray):
        value.setflags(write=False)
    elif isinstance(value, tuple):
        for item in value:
            seal(item)


def is_same(one: Any, other: Any) -> bool:
    """Do two values say the same? Arrays, of one type and shape, and sequences do where all items do."""
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        if type(one) is not type(other) or one.dtype != other.dtype:
            return False
        return np.array_equal(one, other, equal_nan=one.dtype.kind == "f")
    if isinstance(one, list | tuple):
        return type(one) is type(other) and len(one) == len(other) and all(map(is_same, one, other))
    return bool(one == other) or (one != one and other != other)
