"""Smooth motions through poses, and those that SciPy's splines describe."""

from math import factorial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from firstcontact._validate import COORDINATE_LIMIT, SHORTEST_PIECE, as_times, shown
from firstcontact.arrays import Array
from firstcontact.motions.poses import as_poses, shape_of_numbers
from firstcontact.motions.trajectories.polynomials import JUMPS, KINKS
from firstcontact.motions.trajectories.spline_trajectory import LARGEST_JUMP, SplineTrajectory

# Angular velocities of a smooth turn that differ where pieces meet, by more than what SciPy leaves.
LARGEST_KINK = 1e-6

_STRAIGHT = np.array([0.0, 1.0])


class Spline(SplineTrajectory):
    """A motion through poses without a jump of velocity or acceleration, for `Shape.along`.

    The origin of the body's frame goes by cubics (SciPy's `CubicSpline`, not-a-knot), and the body turns by
    SciPy's `RotationSpline`: its angular velocity and acceleration are continuous. Queries are about exactly
    this motion, which they know to within proven bounds, not about samples of it.

    Parameters
    ----------
    times : (k,) increasing from 0 to 1; None for evenly spaced ones
    poses : two or more, (k, 4, 4) numbers, or rotations and translations as for `Shape.at`; of a batch of
        motions (n, k, 4, 4)

    Examples
    --------
    >>> import firstcontact as fc
    >>> places = np.array([[0, 0, 0], [1, 1, 0], [2, 0, 0]])
    >>> path = fc.Sphere(0.1).along(fc.Spline([0, 0.5, 1], (np.tile(np.eye(3), (3, 1, 1)), places)))
    >>> path.pose(0.25)[:3, 3].tolist()
    [0.5, 0.75, 0.0]
    >>> fc.Spline([0, 1], [np.eye(4)])
    Traceback (most recent call last):
    ValueError: poses must be two or more, of shape (k, 4, 4); received 1
    """

    def __init__(self, times: ArrayLike | None, poses: Any) -> None:
        rotations, translations, is_batch = _many(poses)
        n, k = rotations.shape[:2]
        when = np.linspace(0.0, 1.0, k) if times is None else as_times("times", times, k).copy()
        from scipy.interpolate import CubicSpline
        from scipy.spatial.transform import Rotation, RotationSpline

        cubic = CubicSpline(when, np.moveaxis(translations, 0, 1))
        vectors = np.empty((n, k - 1, 4, 3))
        for i in range(n):
            try:
                with np.errstate(all="ignore"):
                    found = RotationSpline(when, Rotation.from_matrix(rotations[i]))
            except (ValueError, np.linalg.LinAlgError) as error:  # its search for angular rates ran away
                raise _not_smooth(i, is_batch) from error
            vectors[i] = np.moveaxis(found.interpolator.c[::-1], 0, 1)
        coefficients = np.ascontiguousarray(np.moveaxis(cubic.c[::-1], (0, 1, 2), (2, 1, 0)))
        # Pieces meet where SciPy has them, to rounding; that is part of their deviation.
        bases = np.ascontiguousarray(rotations[:, :-1].reshape(n, k - 1, 9))
        super().__init__(when, coefficients, when, vectors, bases, is_batch)
        known = self.turns_known[:, -1]
        rates = np.abs(vectors[:, :, 1]).max(axis=(1, 2))
        is_smooth = (known[:, JUMPS] <= LARGEST_JUMP * k) & (known[:, KINKS] <= LARGEST_KINK * (1.0 + rates))
        if not is_smooth.all():
            raise _not_smooth(int(np.argmin(is_smooth)), is_batch)


def _not_smooth(row: int, is_batch: bool) -> ValueError:
    which = f"row {row} of poses" if is_batch else "poses"
    rule = "must turn by less from one to the next, or be given at more even times"
    return ValueError(f"{which} {rule}; SciPy's RotationSpline finds no smooth turn through them")


def trajectory_of_splines(turn: Any, place: Any) -> SplineTrajectory:
    """Join SciPy's splines: of the rotation, a RotationSpline or None, and of the place; both over [0, 1]."""
    breaks, coefficients = polynomials_of("the spline of the place", place)
    if coefficients.ndim not in (3, 4) or coefficients.shape[-1] != 3:
        values = tuple(coefficients.shape[2:])
        raise ValueError(f"the spline of the place must have values (3,) or (n, 3); it has {values}")
    many = coefficients if coefficients.ndim == 4 else coefficients[np.newaxis]
    if turn is None:
        fixed = np.eye(3).reshape(1, 1, 9), np.zeros((1, 1, 4, 3))
        turn_breaks, bases, vectors = _STRAIGHT.copy(), *fixed
    else:
        turn_breaks, bases, vectors = _rotation_spline(turn)
    n = len(many)
    vectors, bases = (
        np.ascontiguousarray(np.broadcast_to(part, (n, *part.shape[1:]))) for part in (vectors, bases)
    )
    found = SplineTrajectory(breaks, many, turn_breaks, vectors, bases, coefficients.ndim == 4)
    for name, known, size in (
        ("place", found.places_known, np.abs(many).max()),
        ("rotation", found.turns_known, 1.0),
    ):
        if not known[..., JUMPS].max() <= LARGEST_JUMP * size * known.shape[1]:
            raise ValueError(f"the spline of the {name} must be continuous; it jumps between two pieces")
    return found


def is_spline(thing: Any) -> bool:
    """Is this one of SciPy's splines, by what it has?"""
    return hasattr(thing, "c") and (hasattr(thing, "x") or hasattr(thing, "tck"))


def is_rotation_spline(thing: Any) -> bool:
    """Is this SciPy's RotationSpline?"""
    return hasattr(thing, "interpolator") and hasattr(thing, "rotations")


def polynomials_of(name: str, spline: Any) -> tuple[Array, Array]:
    """Breaks (k + 1,) from 0 to 1, and coefficients (k, d + 1, c), or (n, k, d + 1, c), of a SciPy spline.

    From the lowest power on. Whatever time it is over becomes [0, 1].
    """
    x, c = _as_powers(name, spline)
    if c.dtype.kind not in "fiu" or not (np.isfinite(c).all() and np.isfinite(x).all()):
        raise ValueError(f"{name} must be made of finite numbers")
    span = x[-1] - x[0]
    breaks = (x - x[0]) / span if span > 0.0 else x
    if not (span > 0.0 and (np.diff(breaks) >= SHORTEST_PIECE).all()):
        raise ValueError(f"{name} must have times that increase, by {SHORTEST_PIECE:.2g} of all or more")
    breaks[0], breaks[-1] = 0.0, 1.0
    powers = span ** np.arange(len(c)).astype(np.float64)
    own = c[::-1] * powers.reshape(-1, *(1,) * (c.ndim - 1))
    if not np.abs(own).max(initial=0.0) < COORDINATE_LIMIT:
        raise ValueError(f"{name} must have coefficients below 2**150 (1.4e45)")
    found = np.moveaxis(own, 0, 1)  # (k, d + 1, ...)
    return breaks, np.ascontiguousarray(np.moveaxis(found, 2, 0) if found.ndim == 4 else found, np.float64)


def _as_powers(name: str, spline: Any) -> tuple[Array, NDArray[Any]]:
    """Breaks and coefficients of powers, from the highest on, of any of SciPy's splines."""
    from scipy.interpolate import BPoly, BSpline, PPoly

    if isinstance(spline, BSpline):
        knots, degree = np.asarray(spline.t, float), spline.k
        x = np.unique(knots[degree : len(knots) - degree])
        if len(x) < 2 or spline.axis != 0:
            raise ValueError(f"{name} must have a piece between its knots, and its values along axis 0")
        # At the start of a piece, its derivatives over factorials are the coefficients.
        orders = range(degree, -1, -1)
        return x, np.stack([spline(x[:-1], nu=k) / factorial(k) for k in orders])
    if isinstance(spline, BPoly):
        spline = PPoly.from_bernstein_basis(spline)
    if not isinstance(spline, PPoly):
        kinds = "CubicSpline, CubicHermiteSpline, PPoly, BPoly or BSpline"
        raise TypeError(f"{name} must be SciPy's {kinds}; received {shown(spline)}")
    return np.asarray(spline.x, float).copy(), np.asarray(spline.c)


def _rotation_spline(turn: Any) -> tuple[Array, Array, Array]:
    """Breaks (k + 1,), rotations (1, k, 9) where pieces start, and cubics (1, k, 4, 3)."""
    if not is_rotation_spline(turn):
        raise TypeError(f"the spline of the rotation must be SciPy's RotationSpline; received {shown(turn)}")
    breaks, vectors = polynomials_of("the spline of the rotation", turn.interpolator)
    rotations = as_poses("rotations", (turn.rotations.as_matrix(), np.zeros(3))).rotations
    return breaks, rotations[: len(vectors)].reshape(1, -1, 9).copy(), vectors[np.newaxis]


def _n_axes(values: Any) -> int:
    """How many axes an array has that is made of something; 0 where none is, which others tell."""
    try:
        return np.ndim(values)
    except Exception:  # rows of different lengths, or whatever an object that gives an array may raise
        return 0


def _is_batch(poses: Any) -> bool:
    """Are these the poses of many paths: matrices, or rows of numbers?"""
    shape = shape_of_numbers(poses)
    is_ambiguous = shape[-2:] == (3, 3)
    return len(shape) == 4 or (len(shape) == 3 and shape[-1] in (3, 7) and not is_ambiguous)


def _many(poses: Any) -> tuple[Array, Array, bool]:
    """Rotations (n, k, 3, 3) and translations (n, k, 3) of one path, or of a batch."""
    if isinstance(poses, tuple) and len(poses) == 2 and _n_axes(poses[1]) == 3:
        turns = poses[0].as_matrix() if hasattr(poses[0], "as_matrix") else np.asarray(poses[0])
        shape, own = np.shape(poses[1])[:2], turns.shape[-1:] if turns.shape[-1:] == (4,) else (3, 3)
        flat: Any = np.broadcast_to(turns, (*shape, *own)).reshape(-1, *own), np.reshape(poses[1], (-1, 3))
    elif not isinstance(poses, tuple) and _is_batch(poses):
        shape, flat = np.shape(poses)[:2], np.reshape(poses, (-1, *np.shape(poses)[2:]))
    else:
        shape, flat = None, poses
    rotations, translations, is_batch = as_poses("poses", flat)
    if shape is None:
        shape = (1, len(rotations) if is_batch else 1)
        is_batch = False
    if shape[1] < 2:
        raise ValueError(f"poses must be two or more, of shape (k, 4, 4); received {shape[1]}")
    return rotations.reshape(*shape, 3, 3), translations.reshape(*shape, 3), is_batch
