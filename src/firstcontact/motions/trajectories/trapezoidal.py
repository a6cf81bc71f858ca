"""Straight lines between waypoints, with speeds that rise, stay and fall: what industrial arms do."""

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from firstcontact._validate import as_stack, as_waypoints, shown
from firstcontact.arrays import Array

# Time at the full speed, in units of that in which it is reached, below which there is none: it is reached a
# little later instead, and no limit is exceeded.
SHORTEST_STAY = 2.0**-20


def trapezoidal(waypoints: ArrayLike, max_velocity: ArrayLike, max_acceleration: ArrayLike) -> Any:
    """Go straight from waypoint to waypoint as fast as limits allow, with a rest at each, for `Robot.along`.

    All joints start and stop together: the slowest decides. The result is a SciPy `PPoly` over the time that
    it takes, `x[-1]`, which `along` makes [0, 1].

    Parameters
    ----------
    waypoints : (k, dof), two or more, neighbours not the same
    max_velocity, max_acceleration : one number for all joints, or (dof,); positive

    Examples
    --------
    >>> path = trapezoidal([[0, 0], [1, 0.5]], max_velocity=1, max_acceleration=2)
    >>> float(path.x[-1]), path(0.75).tolist()
    (1.5, [0.5, 0.25])
    >>> trapezoidal([[0, 0], [0, 0]], 1, 1)
    Traceback (most recent call last):
    ValueError: waypoints must differ from one to the next; rows 0 and 1 are the same
    """
    points = as_waypoints("waypoints", waypoints)
    dof = points.shape[1]
    speeds, rates = (
        _limits(name, given, dof)
        for name, given in (("max_velocity", max_velocity), ("max_acceleration", max_acceleration))
    )
    times, pieces = [0.0], []
    for row, (first, last) in enumerate(pairwise(points)):
        way = last - first
        if not way.any():
            rows = f"rows {row} and {row + 1}"
            raise ValueError(f"waypoints must differ from one to the next; {rows} are the same")
        moves = way != 0.0
        speed, rate = (float((limit[moves] / np.abs(way[moves])).min()) for limit in (speeds, rates))
        rising = min(speed / rate, 1.0 / np.sqrt(rate))
        speed = rate * rising
        staying = max((1.0 - speed * rising) / speed, 0.0)
        if staying <= SHORTEST_STAY * rising:  # as good as none: a piece so short would be none of a spline
            rising, staying = rising + staying, 0.0
            speed = 1.0 / rising
            rate = speed / rising
        parts = [(0.0, 0.0, 0.5 * rate, rising)]
        if staying > 0.0:
            parts.append((0.5 * rate * rising**2, speed, 0.0, staying))
        parts.append((1.0 - 0.5 * rate * rising**2, speed, -0.5 * rate, rising))
        for place, velocity, half, length in parts:
            pieces.append([half * way, velocity * way, first + place * way])
            times.append(times[-1] + length)
    from scipy.interpolate import PPoly

    return PPoly(np.moveaxis(np.array(pieces), 0, 1), np.array(times))


def _limits(name: str, given: ArrayLike, dof: int) -> Array:
    limits, is_many = as_stack(name, given, ())
    if len(limits) != (dof if is_many else 1) or not (limits > 0.0).all():
        raise ValueError(
            f"{name} must be a positive number, or one for each of {dof}; received {shown(given)}"
        )
    return np.broadcast_to(limits, (dof,))
