"""What all answers have in common: they are plain data, and know what was asked about."""

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import Any, Self, TypeVar

from firstcontact.plain import Later
from firstcontact.shapes.moving import Moving

A = TypeVar("A", bound="Answer")


class About:
    """What an answer is about: kept by reference, in copies too, and left behind where that is sent."""

    __slots__ = ("things",)

    def __init__(self, things: Mapping[str, Moving] | None = None) -> None:
        self.things = things  # None where they were left behind

    def __copy__(self) -> "About":
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> "About":
        return self

    def __reduce__(self) -> tuple[Callable[..., "About"], tuple[Any, ...]]:
        is_nothing = self.things is not None and len(self.things) == 0
        return About, ({},) if is_nothing else ()


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Answer(Later):
    """What a query gives back: plain data, which can be copied, compared and sent elsewhere.

    Two answers are equal where they say the same. What was counted and timed on the way, and what they are
    about, does not matter to that.
    """

    _about: About = field(default_factory=lambda: About({}), repr=False, compare=False)

    @property
    def things(self) -> dict[str, Moving]:
        """What was asked about, by name: "a" and "b"; a robot and its obstacles; the bodies of a scene.

        It is left behind when the answer is pickled: a `ValueError` says so. See `with_things`.
        """
        return dict(self._subject)

    def with_things(self, things: Mapping[str, Moving]) -> Self:
        """Return the same answer that knows again what it is about.

        Where that is to travel too, send both: ``pickle.dumps((answer, answer.things))``.

        Examples
        --------
        >>> import pickle
        >>> import numpy as np
        >>> from firstcontact import Box, Sphere, distance
        >>> near = distance(Sphere(1).at((np.eye(3), [3, 0, 0])), Box([2, 2, 2]))
        >>> answer, things = pickle.loads(pickle.dumps((near, near.things)))
        >>> answer == near, list(answer.with_things(things).things)
        (True, ['a', 'b'])
        >>> answer.things
        Traceback (most recent call last):
        ValueError: what this Distance is about was left behind when it was sent: ...put them together...
        """
        return about(copy(self), _checked(things))

    @property
    def _subject(self) -> Mapping[str, Moving]:
        things = self._about.things
        if things is None:
            raise ValueError(
                f"what this {type(self).__name__} is about was left behind when it was sent: "
                "send (answer, answer.things), and put them together with answer.with_things(things)"
            )
        return things


def named(things: Sequence[Moving]) -> dict[str, Moving]:
    """Things by the names that the queries have for them."""
    return dict(zip("ab", things, strict=False))


def _checked(things: Any) -> dict[str, Moving]:
    rule = "things must be moving things by their names"
    if not isinstance(things, Mapping):
        raise TypeError(f"{rule}; received {type(things).__name__}")
    for name, thing in things.items():
        if not isinstance(name, str) or not isinstance(thing, Moving):
            raise TypeError(f"{rule}; received {type(thing).__name__} by the name {name!r}")
    return dict(things)


def about(answer: A, things: Mapping[str, Moving]) -> A:
    """Tell a new answer what it is about."""
    answer.__dict__["_about"] = About(things)
    return answer
