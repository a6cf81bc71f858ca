"""Plain data: it compares by what it says, and travels without what was worked out on the way."""

from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar, cast, overload

import numpy as np

L = TypeVar("L", bound="Later")
T = TypeVar("T")


class once(cached_property[T]):  # noqa: N801, a decorator
    """A property that is worked out when it is first asked for, and kept.

    As `cached_property`, whose lock, before Python 3.12, is that of all objects of a class: who works
    something out would let all others wait. Here two threads may both do so, and get what came first.
    """

    @overload
    def __get__(self, instance: None, owner: type[Any] | None = None) -> Self: ...

    @overload
    def __get__(self, instance: object, owner: type[Any] | None = None) -> T: ...

    def __get__(self, instance: Any, owner: type[Any] | None = None) -> Any:
        if instance is None:
            return self
        return instance.__dict__.setdefault(self.attrname, self.func(instance))


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


class Later(Plain):
    """Plain data whose fields may be worked out when they are asked for, each by itself.

    A query about a single pair takes less time than to make all that its answer has. So it keeps what it
    wrote down, and who makes fields of that; nobody who reads, compares, copies or sends it can tell. A field
    with a default must have it from a factory: a value would be found in the class, and no maker asked.
    """

    __slots__ = ("_later",)

    if not TYPE_CHECKING:  # which would take any name for a field

        def __getattr__(self, name: str) -> Any:
            try:
                makers, written = _written_of(self)
                make = makers[name]
            except (AttributeError, KeyError):  # no field, or nothing was put off
                return object.__getattribute__(self, name)
            return self.__dict__.setdefault(name, make(*written))  # to all threads the same

    def __getstate__(self) -> dict[str, Any]:
        try:
            makers, _ = _written_of(self)
        except AttributeError:
            makers = {}
        return {name: getattr(self, name) for name in makers} | self.__dict__


Makers = Mapping[str, Callable[..., Any]]

_written_of: Callable[[Later], tuple[Makers, tuple[Any, ...]]]
_written_of = Later._later.__get__  # type: ignore[attr-defined]


class UnderWay(Later):
    """Plain data before it has a kind: it can be written to, which a frozen kind takes three times as long.

    Who makes it writes `_later`, the makers and what was written; fields that are known, so that who reads
    them does not wait; and then the kind, as its class.
    """


def later(kind: type[L], makers: Makers, *written: Any) -> L:
    """Give plain data of a kind; each field is made of what was written by the maker of its name."""
    data: Any = UnderWay()
    data._later = makers, written
    data.__class__ = kind
    return cast(L, data)


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
