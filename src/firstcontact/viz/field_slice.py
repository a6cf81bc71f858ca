"""A field on a plane: distances in colours, lines of equal distance, and the surface."""

import math
import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

import firstcontact as fc
from firstcontact._validate import shown
from firstcontact.arrays import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes

AXES = "xyz"

# Samples along the longer side of a slice.
N_SAMPLES = 480

# Bands of colour on each side of the surface, or up to twice as many.
N_BANDS = 10

# Steps between lines of equal distance are one of these times a power of ten.
ROUND = (1.0, 2.0, 5.0, 10.0)

# Colours of a diverging map: inside is red, outside blue, the surface white.
COLORS = "RdBu"

_PLANE = re.compile(r"\s*([xyz])\s*=\s*(\S+)\s*")


class Plane(NamedTuple):
    """A plane across an axis, 0, 1 or 2, at a place on it."""

    axis: int
    place: float

    @property
    def others(self) -> tuple[int, int]:
        """The axes along the plane: to the right, and up."""
        first, second = (axis for axis in range(3) if axis != self.axis)
        return first, second

    def __str__(self) -> str:
        return f"{AXES[self.axis]} = {self.place:.6g}"


class Slice(NamedTuple):
    """Values (n, m) of a field at places (n,) and (m,) along the two axes of a plane."""

    right: Array
    up: Array
    values: Array


def as_plane(text: str | None, field: fc.DistanceField) -> Plane:
    """Accept a plane as "z=0.5", in the box of a field; None for the middle of its shape."""
    if text is None:
        return Plane(2, float(field.bounds[:, 2].mean()))
    found = _PLANE.fullmatch(text) if isinstance(text, str) else None
    try:
        place = math.nan if found is None else float(found[2])
    except ValueError:
        place = math.nan
    if found is None or not math.isfinite(place):
        raise ValueError(f"a plane must be an axis and a number, as z=0.5; received {shown(text)}")
    plane = Plane(AXES.index(found[1]), place)
    lower, upper = field.box[:, plane.axis]
    if not lower <= place <= upper:
        raise ValueError(
            f"the plane {plane} does not meet the field's box, from {lower:.6g} to {upper:.6g} there"
        )
    return plane


def slice_of(field: fc.DistanceField, plane: Plane, n_samples: int = N_SAMPLES) -> Slice:
    """Sample a field on a plane, all over its box."""
    lower, upper = field.box
    first, second = plane.others
    sizes = (upper - lower)[[first, second]]
    n, m = np.maximum(np.ceil(n_samples * sizes / sizes.max()), 2).astype(int)
    right, up = np.linspace(lower[first], upper[first], n), np.linspace(lower[second], upper[second], m)
    points = np.empty((n, m, 3))
    points[..., plane.axis] = plane.place
    points[..., first], points[..., second] = right[:, np.newaxis], up
    return Slice(right, up, field(points.reshape(-1, 3)).reshape(n, m))


def levels_of(values: Array) -> Array:
    """Round distances, evenly spaced, that values are between; 0 is one of them."""
    rough = (float(np.abs(values).max()) or 1.0) / (2 * N_BANDS)
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(factor * power for factor in ROUND if factor * power >= rough)
    first, last = math.floor(float(values.min()) / step), math.ceil(float(values.max()) / step)
    return np.array([step * i for i in range(min(first, -1), max(last, 1) + 1)], np.float64)


def draw_slice(field: fc.DistanceField, plane: Plane, ax: "Axes", title: str | None) -> None:
    """Draw distances on a plane in colours, lines of equal distance, and the surface as a thick one."""
    from matplotlib.colors import TwoSlopeNorm

    found = slice_of(field, plane)
    levels, values = levels_of(found.values), found.values.T
    norm = TwoSlopeNorm(0.0, levels[0], levels[-1])
    colors = ax.contourf(found.right, found.up, values, levels, cmap=COLORS, norm=norm)
    ax.contour(found.right, found.up, values, levels, colors="0.25", linewidths=0.4, linestyles="solid")
    surface = 0.0 if field.is_signed else 2.0 * field.tolerance
    if values.min() < surface < values.max():
        ax.contour(found.right, found.up, values, [surface], colors="black", linewidths=1.8)
    figure = ax.get_figure()
    if figure is not None:
        figure.colorbar(colors, ax=ax, label="distance", shrink=0.85)
    first, second = plane.others
    ax.set_aspect("equal")
    ax.set_xlabel(AXES[first])
    ax.set_ylabel(AXES[second], rotation=0)
    line = f"distance at {plane}, within {field.tolerance:.3g}" if title is None else title
    ax.set_title(line, fontsize="medium", parse_math=False)
