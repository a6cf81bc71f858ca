"""Fields of fields: unions, intersections and differences, sampled anew with a proof, and offsets.

What each is a field of, and where that is the distance, is derived in docs/fields.md.
"""

from typing import NamedTuple

import numpy as np

from firstcontact.arrays import Array
from firstcontact.fields.building.cell_proof import Allowed
from firstcontact.fields.building.growing import Task, grown_octree
from firstcontact.fields.building.mixture import Mixture
from firstcontact.fields.building.sampling import ALL_ROUNDING, ROUNDING, SAMPLING
from firstcontact.fields.field_file import Stored
from firstcontact.fields.octree import Grid, grid_within, upper_of
from firstcontact.progress_bar import counted

# The usual tolerance, in units of the larger one of both fields.
USUAL = 2.0

# Rounding to single precision.
SINGLE = 2.0**-24


class Rule(NamedTuple):
    """How two fields become one: ``sign * min(signs[0] * one, signs[1] * other)``."""

    name: str
    sign: float
    signs: tuple[float, float]


UNION = Rule("union", 1.0, (1.0, 1.0))
INTERSECTION = Rule("intersection", -1.0, (-1.0, -1.0))
DIFFERENCE = Rule("difference", -1.0, (-1.0, 1.0))


class Limits(NamedTuple):
    """How far off the field may be, how many cells it may have, and whether progress is shown."""

    tolerance: float | None
    max_cells: int
    is_shown: bool


def combined(rule: Rule, one: Stored, other: Stored, limits: Limits) -> Stored:
    """Sample the union, intersection or difference of what two fields are of, proven to a tolerance."""
    if rule is not UNION and not (one.is_signed and other.is_signed):
        raise ValueError(f"the {rule.name} of fields needs an inside of both: one is of an open mesh")
    known = max(one.tolerance, other.tolerance)
    error = USUAL * known if limits.tolerance is None else limits.tolerance
    if not error > known:
        raise ValueError(
            f"tolerance must be larger than those of the fields, {known:.3g}; received {error:.3g}"
        )
    bounds = _bounds(rule, one.bounds, other.bounds)
    grid = _grid(one.octree.grid, other.octree.grid)
    _check_holds(grid, bounds, f"the {rule.name}")
    diagonal = float(np.linalg.norm(upper_of(grid) - np.array(grid.lower)))
    rounding = ALL_ROUNDING * diagonal
    if not error - known > 2.0 * rounding:
        raise ValueError(f"tolerance must be larger than {known:.6g} by more than rounding: allow more")
    tolerances = one.tolerance, other.tolerance
    mixture = Mixture(one.octree, other.octree, rule.sign, rule.signs, tolerances)
    task = Task(mixture, grid, Allowed(error - rounding, ROUNDING * diagonal, True), np.array(grid.lower))
    with counted(limits.is_shown, *SAMPLING, int(np.prod(grid.shape))) as tell:
        octree = grown_octree(task, limits.max_cells, tell)
    is_signed = one.is_signed or other.is_signed
    return Stored(octree, error, bounds, is_signed, _exactness(rule, one.is_exact, other.is_exact))


def _exactness(rule: Rule, one: tuple[bool, bool], other: tuple[bool, bool]) -> tuple[bool, bool]:
    """Where the lower or higher of two distances is one."""
    if rule is UNION:
        return one[0] and other[0], False
    return False, one[1] and other[1 if rule is INTERSECTION else 0]


def _bounds(rule: Rule, one: Array, other: Array) -> Array:
    """A box around what is left of both."""
    if rule is UNION:
        return np.stack([np.minimum(one[0], other[0]), np.maximum(one[1], other[1])])
    if rule is DIFFERENCE:
        return one
    lower, upper = np.maximum(one[0], other[0]), np.minimum(one[1], other[1])
    if (lower > upper).any():
        raise ValueError("the intersection of fields is empty: their bounds have nothing in common")
    return np.stack([lower, upper])


def _grid(one: Grid, other: Grid) -> Grid:
    """Cubes where both fields have their tolerance."""
    if one == other:
        return one
    lower = np.maximum(one.lower, other.lower)
    upper = np.minimum(upper_of(one), upper_of(other))
    if not (upper > lower).all():
        raise ValueError("the boxes of the fields have nothing in common: make both with more margin")
    return grid_within(lower, upper)


def _check_holds(grid: Grid, bounds: Array, what: str) -> None:
    """Refuse a grid that does not hold what its field is of."""
    lower, upper = np.array(grid.lower), upper_of(grid)
    if (bounds[0] < lower).any() or (bounds[1] > upper).any():
        short = max(float((lower - bounds[0]).max()), float((bounds[1] - upper).max()))
        raise ValueError(
            f"{what} leaves the box in which the fields are known, by {short:.3g}: make them with more margin"
        )


def moved_out(field: Stored, distance: float) -> Stored:
    """The field of what is within a distance, or of what is deeper than that where it is negative."""
    if distance < 0.0 and not field.is_signed:
        raise ValueError("an open mesh has no inside: its field has no offset inwards")
    where, is_exact = ("outwards", field.is_exact[0]) if distance > 0.0 else ("inwards", field.is_exact[1])
    if distance != 0.0 and not is_exact:
        raise ValueError(f"an offset {where} needs a field that is exact there: `is_exact` says otherwise")
    bounds = field.bounds + np.array([[-distance], [distance]])
    if (bounds[0] > bounds[1]).any():
        raise ValueError(f"an offset of {distance:g} leaves nothing of the shape")
    octree = field.octree
    _check_holds(octree.grid, bounds, "the offset")
    values = (octree.values.astype(float) - distance).astype(np.float32)
    largest = float(np.abs(values).max(initial=0.0))
    exactness = field.is_exact[0] and distance >= 0.0, field.is_exact[1] and distance <= 0.0
    error = field.tolerance + 2.0 * SINGLE * largest
    return Stored(octree._replace(values=values), error, bounds, field.is_signed or distance > 0.0, exactness)
