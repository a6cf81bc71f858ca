"""What all answers have in common: they know what was asked about."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

from firstcontact.shapes.moving import Moving

A = TypeVar("A", bound="Answer")


class Answer:
    """What a query gives back."""

    @property
    def things(self) -> dict[str, Moving]:
        """What was asked about, by name: "a" and "b"; a robot and its obstacles; the bodies of a scene."""
        return dict(self.__dict__.get("_things", {}))


def named(things: Sequence[Moving]) -> dict[str, Moving]:
    """Things by the names that the queries have for them."""
    return dict(zip("ab", things, strict=False))


def about(answer: A, things: Mapping[str, Moving]) -> A:
    """Tell an answer, a frozen dataclass, what it is about."""
    answer.__dict__["_things"] = things
    return answer
