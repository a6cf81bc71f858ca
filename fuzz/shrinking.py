"""Simpler variants of plain data: for the `smaller` of families."""

from collections.abc import Iterator
from typing import Any

# Lists this long, of numbers alone, are vectors: they are not shortened.
VECTOR = 3

# Names of lists whose rows others count: not to be shortened either.
COUNTED = ("vertices", "start", "end", "frames", "times", "rotation", "points")


def fewer_and_rounder(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Leave out items of lists, the largest parts first; then round numbers, coarsely first."""
    yield from fewer(case)
    yield from rounder(case)


def fewer(case: Any, name: str = "") -> Iterator[Any]:
    """The same with a list anywhere in it shortened, by half of it first; vectors and counted rows stay."""
    if isinstance(case, dict):
        for key, value in case.items():
            for variant in fewer(value, key):
                yield case | {key: variant}
    elif isinstance(case, list):
        if name not in COUNTED and not _is_vector(case):
            size = len(case)
            while size > 0:
                yield from (case[:i] + case[i + size :] for i in range(0, len(case), size))
                size //= 2
        for i, value in enumerate(case):
            for variant in fewer(value, "rotation" if name == "rotation" else ""):
                yield [*case[:i], variant, *case[i + 1 :]]


def rounder(case: Any, name: str = "") -> Iterator[Any]:
    """The same with a number anywhere in it, or all of a list, rounded."""
    if isinstance(case, dict):
        for key, value in case.items():
            if key != "faces":
                for variant in rounder(value, key):
                    yield case | {key: variant}
    elif isinstance(case, list) and name != "rotation":
        for digits in (0, 1, 3):
            variant = _rounded(case, digits)
            if variant != case:
                yield variant
        for i, value in enumerate(case):
            for variant in rounder(value):
                yield [*case[:i], variant, *case[i + 1 :]]
    elif isinstance(case, float) and case != round(case):
        yield float(round(case))
        yield round(case, 1)


def _is_vector(value: list[Any]) -> bool:
    return len(value) == VECTOR and all(isinstance(item, int | float) for item in value)


def _rounded(value: Any, digits: int) -> Any:
    if isinstance(value, list):
        return [_rounded(item, digits) for item in value]
    return round(value, digits) if isinstance(value, float) else value
