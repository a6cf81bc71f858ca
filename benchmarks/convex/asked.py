"""What is asked of a method: one function, called for many arguments, and how its time is taken."""

from collections import deque
from collections.abc import Callable
from itertools import starmap
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from deformable.surfaces import Points

DISTANCE, PENETRATION, INTERSECTS, TRANSLATION, ROTATION, RAY = (
    "distance", "penetration", "intersects", "translation", "rotation", "ray cast",
)  # fmt: skip

PAIR_QUERIES = (DISTANCE, PENETRATION, INTERSECTS, TRANSLATION, ROTATION)


class Asked(NamedTuple):
    """A function, its arguments call by call, and the number, or numbers, that a call gives.

    The arguments are made anew for each pass, outside of its time: some peers write into them.
    """

    call: Callable[..., Any]
    arguments: Callable[[], list[tuple[Any, ...]]]
    answer: Callable[[Any, tuple[Any, ...]], Any]
    n_a_call: int = 1


Queries = dict[str, Asked]


def answers(asked: Asked) -> Points:
    """All answers, in order."""
    arguments = asked.arguments()
    found = [asked.answer(asked.call(*one), one) for one in arguments]
    return np.concatenate([np.atleast_1d(np.asarray(one, np.float64)) for one in found])


def seconds(asked: Asked, at_least: float) -> float:
    """Seconds a query, by the clock: passes over all arguments, for as long as asked, in a compiled loop."""
    n_queries, total = 0, 0.0
    while n_queries == 0 or total < at_least:
        arguments = asked.arguments()
        began = perf_counter()
        deque(starmap(asked.call, arguments), maxlen=0)
        total += perf_counter() - began
        n_queries += len(arguments) * asked.n_a_call
    return total / n_queries


def same(raw: Any, _arguments: tuple[Any, ...]) -> Any:
    """The answer is what the call gives."""
    return raw


def rows(*columns: Any) -> list[tuple[Any, ...]]:
    """Arguments call by call, of lists with one entry a call."""
    return list(zip(*columns, strict=True))
