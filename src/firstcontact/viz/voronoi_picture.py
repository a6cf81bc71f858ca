"""A Voronoi diagram in the plane, or on a plane through one: regions in colours, and lines between them."""

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

import firstcontact as fc
from firstcontact._validate import shown
from firstcontact.arrays import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes

AXES = "xyz"

# Colours of sites, one after the other, and again from the first on.
COLORS = "tab20"
N_COLORS = 20

# How dark the farthest cells are.
SHADE = 0.45

_PLANE = re.compile(r"\s*([xyz])\s*=\s*(\S+)\s*")


class Layer(NamedTuple):
    """One layer of an image, or all of one in the plane.

    ids, distance : (n, m), cells to the right and up
    ends : lower and upper ends of it, to the right and up
    names : of the axes to the right and up
    place : where it is, in words; empty in the plane
    """

    ids: NDArray[np.int32]
    distance: Array
    ends: tuple[float, float, float, float]
    names: tuple[str, str]
    place: str


def layer_of(what: fc.Voronoi, plane: str | None) -> Layer:
    """Take the layer at a plane, as "z=0.5", across a volume; in its middle unless given."""
    lower, upper = what.bounds.tolist()
    if what.ids.ndim == 2:
        if plane is not None:
            raise ValueError("plane has no meaning for a diagram in the plane")
        return Layer(what.ids, what.distance, (lower[0], upper[0], lower[1], upper[1]), ("x", "y"), "")
    axis, place = 2, 0.5 * (lower[2] + upper[2])
    if plane is not None:
        found = _PLANE.fullmatch(plane) if isinstance(plane, str) else None
        if found is None:
            raise ValueError(f"a plane must be an axis and a number, as z=0.5; received {shown(plane)}")
        axis = AXES.index(found[1])
        place = _number(found[2], plane)
        if not lower[axis] <= place <= upper[axis]:
            ends = f"{lower[axis]:.6g} to {upper[axis]:.6g}"
            raise ValueError(f"the plane {plane.strip()} does not meet the diagram, from {ends} there")
    i = int(np.abs(what.axes[axis] - place).argmin())
    first, second = (other for other in range(3) if other != axis)
    at = [i if other == axis else slice(None) for other in range(3)]
    sides = (lower[first], upper[first], lower[second], upper[second])
    return Layer(
        what.ids[*at],
        what.distance[*at],
        sides,
        (AXES[first], AXES[second]),
        f" at {AXES[axis]} = {place:.6g}",
    )


def _number(text: str, plane: str) -> float:
    try:
        return float(text)
    except ValueError:
        rule = "a plane must be an axis and a number, as z=0.5"
        raise ValueError(f"{rule}; received {shown(plane)}") from None


def draw_voronoi(what: fc.Voronoi, plane: str | None, ax: "Axes", title: str | None) -> None:
    """Draw regions in colours, darker where the site is farther, and the lines between them."""
    from matplotlib import colormaps

    layer = layer_of(what, plane)
    colors = colormaps[COLORS](np.maximum(layer.ids, 0) % N_COLORS)[..., :3]
    values = np.where(np.isfinite(layer.distance), layer.distance, 0.0)
    spread = float(np.ptp(values)) or 1.0
    colors *= (1.0 - SHADE * (values - values.min()) / spread)[..., np.newaxis]
    colors[_are_beside_others(layer.ids)] = 0.0
    colors[layer.ids < 0] = 1.0
    ax.imshow(
        colors.transpose(1, 0, 2), origin="lower", extent=layer.ends, interpolation="nearest", aspect="equal"
    )
    ax.set_xlabel(layer.names[0])
    ax.set_ylabel(layer.names[1], rotation=0)
    n = len(np.unique(layer.ids[layer.ids >= 0]))
    line = f"regions of {n} of {what.n_sites} sites{layer.place}" if title is None else title
    ax.set_title(line, fontsize="medium", parse_math=False)


def _are_beside_others(ids: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Which cells have another site's cell behind them?"""
    found = np.zeros(ids.shape, np.bool_)
    found[:-1] |= ids[:-1] != ids[1:]
    found[:, :-1] |= ids[:, :-1] != ids[:, 1:]
    return found
