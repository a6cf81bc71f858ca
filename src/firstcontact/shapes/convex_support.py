"""A convex shape that is known by its support function alone: a polytope around it, as close as is asked for.

Each answer of the function is a point of the shape, and their hull is inside of it. Along the normal of each
face of that hull the function tells how far the shape reaches. Where that is too far beyond the face, the
answer is one more point. In the end the hull, stretched from its middle by the largest of those ratios, has
every face beyond the shape: it holds it, and how far it was stretched is how far it can be from it.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from firstcontact._validate import COORDINATE_LIMIT, as_size, shown
from firstcontact.arrays import Array
from firstcontact.shapes.convex_hull import FLAT, ConvexHull
from firstcontact.shapes.convex_shape import half_circle, revolved
from firstcontact.shapes.shape import support_of

Function = Callable[[Array], Any]

# Part of the largest size: the usual tolerance.
USUAL_TOLERANCE = 1.0 / 500.0

# Steps of a half circle between the first directions; and how many points there can be.
FIRST_STEPS, MOST_POINTS = 6, 16_384

# Answers may be this far from the farthest point, in units of the coordinates: rounding of their own.
ROUNDING = 2.0**-40


class Known(NamedTuple):
    """What a function has answered: unit vectors (n, 3), points (n, 3), and how far they are along these."""

    directions: Array
    points: Array
    offsets: Array


class ConvexSupport(ConvexHull):
    """A convex shape by a function of your own that gives its farthest point along any direction.

    It stands for the shape by a polytope around it: what it says of contacts is never late for the shape
    either, and early by no more than what it takes to go `deviation`, which is at most `tolerance`. The
    function is asked as the shape is made, not later; what it answers must not contradict itself.

    Parameters
    ----------
    function : takes unit vectors (n, 3), gives points (n, 3): for each vector, a point of the shape that is
        farthest along it. The shape must have a volume
    tolerance : no point of the polytope is farther from the shape than this; 1/500 of the largest size unless
        given. A quarter of it takes about four times as many points

    Examples
    --------
    >>> def lens(directions):  # where two balls of radius 2 overlap, their middles 2 apart
    ...     z, across = np.abs(directions[:, 2]), np.hypot(directions[:, 0], directions[:, 1])
    ...     up = np.maximum(2 * z - 1, 0) * np.sign(directions[:, 2])
    ...     edge = np.where(z > 0.5, 2 * across, np.sqrt(3))
    ...     around = directions[:, :2] / np.where(across > 0, across, 1)[:, np.newaxis]
    ...     return np.column_stack([edge[:, np.newaxis] * around, up])
    >>> shape = ConvexSupport(lens, tolerance=0.02)
    >>> shape.deviation <= 0.02, bool(np.allclose(shape.bounds[1], [3**0.5, 3**0.5, 1], atol=0.02))
    (True, True)
    >>> ConvexSupport(lambda directions: -directions)
    Traceback (most recent call last):
    ValueError: function must give the farthest point: along [0, 0, -1] that along [0, 0, 1] is farther by 2
    """

    def __init__(self, function: Function, tolerance: float | None = None) -> None:
        if not callable(function):
            raise TypeError(f"function must be one of directions (n, 3); received {shown(function)}")
        known = _first(function)
        size = float(np.ptp(known.points, axis=0).max())
        self._tolerance = USUAL_TOLERANCE * size if tolerance is None else as_size("tolerance", tolerance)
        corners, self._deviation = _enclosed(function, known, self._tolerance)
        super().__init__(corners)

    @property
    def tolerance(self) -> float:
        """How far the polytope was allowed to be from the shape."""
        return self._tolerance

    @property
    def deviation(self) -> float:
        """How far a point of the polytope is from the shape at the most: what was proven."""
        return self._deviation

    def __repr__(self) -> str:
        return f"ConvexSupport({len(self.points)} points, within {self._deviation:.2g} of the shape)"


def _first(function: Function) -> Known:
    """Ask along directions all around; what has no volume is an error."""
    vertices = revolved(half_circle(FIRST_STEPS)).vertices + 0.0
    axes = np.concatenate([np.eye(3), -np.eye(3)])[[5, 2, 0, 1, 3, 4]]
    known = _asked(function, np.concatenate([axes, vertices]))
    local = known.points - known.points.mean(axis=0)
    extents = np.linalg.svd(local, compute_uv=False)
    if not extents[-1] > FLAT * extents[0]:
        raise ValueError("function must be of a shape with a volume: its points lie in a plane")
    return known


def _asked(function: Function, directions: Array, before: Known | None = None) -> Known:
    """Ask along unit vectors, and put the answers behind those before; answers that cannot be are errors."""
    given = function(directions.copy())
    try:
        points = np.array(given, float)
    except (TypeError, ValueError) as error:
        raise ValueError(f"function must give points {directions.shape}; gave {shown(given)}") from error
    if points.shape != directions.shape:
        raise ValueError(f"function must give points {directions.shape} for directions; gave {points.shape}")
    is_finite = (np.abs(points) < COORDINATE_LIMIT).all(axis=1)
    if not is_finite.all():
        row = int(np.argmin(is_finite))
        raise ValueError(
            f"function must give finite points; along {_text(directions[row])} it gave {_text(points[row])}"
        )
    new = Known(directions, points, np.einsum("ij,ij->i", directions, points))
    both = new if before is None else Known(*(np.concatenate(pair) for pair in zip(before, new, strict=True)))
    _check(new, both)
    if before is not None:
        _check(before, new)
    return both


def _check(one: Known, other: Known) -> None:
    """No point that the function gave for one vector may be farther along another than its answer there."""
    slack, points = ROUNDING * float(np.abs(one.points).max()), np.unique(other.points, axis=0)
    beyond = support_of(points, one.directions) - one.offsets
    i = int(np.argmax(beyond))
    if beyond[i] > slack:
        j = int(np.argmax(other.points @ one.directions[i]))
        along, whose = _text(one.directions[i]), _text(other.directions[j])
        rule = "function must give the farthest point"
        raise ValueError(f"{rule}: along {along} that along {whose} is farther by {beyond[i]:.3g}")


def _text(vector: Array) -> str:
    return "[" + ", ".join(f"{x:.4g}" for x in vector + 0.0) + "]"


def _enclosed(function: Function, known: Known, tolerance: float) -> tuple[Array, float]:
    """Corners of a polytope around a shape, and how far at the most they are from it."""
    middle = known.points.mean(axis=0)
    points = np.unique(known.points, axis=0)
    spare = ROUNDING * float(np.abs(points).max())
    while True:
        local = points - middle
        farthest = float(np.linalg.norm(local, axis=1).max())
        hull = _hull(local / farthest)
        normals = hull.equations[:, :3]
        # Of corners that are in one plane, to rounding, that which is farthest in counts.
        depths = np.einsum("ij,ikj->ik", normals, local[hull.simplices]).min(axis=1)
        known = _asked(function, normals, known)
        beyond = (known.offsets[-len(normals) :] - normals @ middle + spare) / depths - 1.0
        grown = max(float(beyond.max()), 0.0)
        if grown * farthest + spare <= tolerance:
            corners = middle + (1.0 + grown) * local[hull.vertices]
            return corners, grown * farthest + spare
        is_far = beyond * farthest + spare > tolerance
        n_before, points = len(points), np.concatenate([points, known.points[-len(normals) :][is_far]])
        points = np.unique(points, axis=0)
        if not n_before < len(points) <= MOST_POINTS:
            rule = f"tolerance must be one that {MOST_POINTS:,} points are enough for"
            raise ValueError(f"{rule}; received {tolerance:.3g}, and {grown * farthest:.3g} is left")


def _hull(points: Array) -> Any:
    """The hull of points, by Qhull; what is too thin for that is an error."""
    from scipy.spatial import ConvexHull as Qhull
    from scipy.spatial import QhullError

    try:
        return Qhull(points)
    except QhullError:
        raise ValueError("function must be of a shape with a volume: it is too thin to be told") from None
