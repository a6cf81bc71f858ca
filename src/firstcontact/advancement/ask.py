"""What a user asks of a query, checked."""

from collections.abc import Callable
from concurrent.futures import Executor
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from firstcontact._validate import (
    COORDINATE_LIMIT,
    as_choice,
    as_count,
    as_flag,
    as_length,
    as_name,
    as_path,
    as_scalar,
    shown,
)
from firstcontact.arrays import Array

# Default tolerance, as a part of the smaller body's size. Ten times smaller costs 1 % more steps.
RELATIVE_TOLERANCE = 1e-6

# Contacts that a query lists at most unless told otherwise: 1 GB.
MOST_LISTED = 10_000_000


class Ask(NamedTuple):
    """Options of all queries; the table of kinds knows which of them two things at hand take.

    tolerance, max_iterations : None for the default, of the tolerance by the sizes
    method : None for the default; which others there are, who searches knows
    culling : a `Culling`, or None for all of it; checked by who takes it
    executor, out : who works on the rows of a batch, and the folder for what it finds; None for neither
    within : how far matters; None for all of it, and where points are asked for near a field, for 0
    relative_error : by what part a distance may be told too large
    ignore_near : how many edges apart, and within which distance at rest, neighbours are; -1 for one of both
    groups, ignore_groups : of vertices, and pairs of them; checked by who takes them
    """

    tolerance: float | None = None
    min_separation: float = 0.0
    method: str | None = None
    max_iterations: int | None = None
    solid: bool = False
    exact: bool = True
    culling: Any = None
    assume_free_start: bool = False
    self_contact: bool = False
    progress: bool = False
    time_tolerance: float = 1e-9
    max_contacts: int = MOST_LISTED
    within: float | None = None
    relative_error: float = 0.0
    executor: Any = None
    out: Any = None
    only_closing: bool = False
    ignore_near: tuple[int, float] | None = None
    groups: Any = None
    ignore_groups: Any = None

    @classmethod
    def checked(cls, **options: Any) -> "Ask":
        """Check all options that are not left as they are; where all are, this is `USUAL` itself."""
        given = None
        for name, value in options.items():
            usual = _DEFAULTS[name]
            if value is not usual and (type(value) is not float or value != usual):
                given = given or {}
                given[name] = _CHECKS[name](name, value)
        if given == _BY_ITSELF:
            return WITH_ITSELF
        return cls(**given) if given else USUAL

    def given(self) -> list[str]:
        """Names of the options that are not left as they are."""
        return [name for name, own in zip(self._fields, self, strict=True) if own is not _DEFAULTS[name]]

    def method_of(self, methods: dict[str, int]) -> int:
        """Number of the method among those there are; the first of them is the default."""
        first = next(iter(methods))
        return methods[first if self.method is None else as_choice("method", self.method, tuple(methods))]

    def tolerance_for(self, size_a: float, size_b: float) -> float:
        """Tolerance for two things of these sizes; what has none is a point."""
        if self.tolerance is not None:
            return self.tolerance
        smaller, larger = sorted((size_a, size_b))
        return RELATIVE_TOLERANCE * (smaller or larger)

    def tolerances(self, sizes: Array) -> Array:
        """Tolerances for pairs with sizes (m, 2): as for two things, but rounded down to powers of two.

        So a scene of bodies of any sizes has a few of them.
        """
        if self.tolerance is not None:
            return np.full(len(sizes), self.tolerance)
        smaller, larger = sizes.min(axis=1), sizes.max(axis=1)
        mantissas, exponents = np.frexp(RELATIVE_TOLERANCE * np.where(smaller > 0.0, smaller, larger))
        return np.ldexp(np.where(mantissas > 0.0, 0.5, 0.0), exponents)

    def margins(self, sizes: Array) -> Array:
        """By how much to widen what bodies of these sizes sweep, so that no contact of two is lost."""
        tolerance = RELATIVE_TOLERANCE * sizes if self.tolerance is None else self.tolerance
        return np.broadcast_to(0.5 * (self.min_separation + tolerance), sizes.shape).copy()


def as_executor(name: str, value: Any) -> Executor:
    """Accept whatever keeps to Python's standard interface."""
    if isinstance(value, Executor):
        return value
    hint = ": give client.get_executor(), or fc.cluster(client)" if hasattr(value, "get_executor") else ""
    raise TypeError(f"{name} must be a concurrent.futures.Executor; received {shown(value)}{hint}")


def as_near(name: str, value: Any) -> tuple[int, float]:
    """Accept a number of rings, which is an int, or a distance, which is not."""
    if isinstance(value, int | np.integer) and not isinstance(value, bool):
        if value < 0:
            raise ValueError(f"{name} must be a number of rings, or a distance, 0 or more; received {value}")
        return int(value), -1.0
    return -1, as_length(name, value)


_CHECKS: dict[str, Callable[[str, Any], Any]] = {
    "tolerance": as_length,
    "min_separation": as_length,
    "method": as_name,
    "max_iterations": as_count,
    "solid": as_flag,
    "exact": as_flag,
    "culling": lambda _, value: value,
    "assume_free_start": as_flag,
    "self_contact": as_flag,
    "progress": as_flag,
    "time_tolerance": partial(as_scalar, low=0.0),
    "max_contacts": as_count,
    "within": partial(as_scalar, low=-COORDINATE_LIMIT, high=COORDINATE_LIMIT),
    "relative_error": partial(as_scalar, low=0.0),
    "executor": as_executor,
    "out": as_path,
    "only_closing": as_flag,
    "ignore_near": as_near,
    "groups": lambda _, value: value,
    "ignore_groups": lambda _, value: value,
}
_DEFAULTS = Ask._field_defaults

# Nothing but defaults: what most queries are asked with.
USUAL = Ask()

# And what is asked of solids at an instant.
AS_SOLIDS = Ask(solid=True)

# And of robots whose links must not touch each other either.
_BY_ITSELF = {"self_contact": True}
WITH_ITSELF = Ask(self_contact=True)


def asks_for_solids(ask: Ask) -> bool:
    """Is all that is asked that meshes be solid?"""
    return ask is AS_SOLIDS or (ask.solid and len(ask.given()) == 1)
