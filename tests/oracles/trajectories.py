"""Families of motions, as functions of time that also take extended precision, and where they have points.

Each family makes, from a random generator, a function of t that a user might write: it gives a translation,
or a rotation (a vector, a quaternion or a matrix) and a translation.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Real = np.longdouble
Function = Callable[[Any], Any]


def swing(rng: np.random.Generator) -> Function:
    """Back and forth."""
    size, rate, phase = rng.normal(size=3) * 2, rng.uniform(1, 12), rng.uniform(0, 6)
    return lambda t: size * np.sin(rate * t + phase)


def helix(rng: np.random.Generator) -> Function:
    """Around, and along."""
    radius, rate, rise = rng.uniform(0.2, 2), rng.normal() * 8, rng.normal() * 3
    return lambda t: ([0.0, 0.0, rate * t], [radius * np.cos(rate * t), radius * np.sin(rate * t), rise * t])


def screw(rng: np.random.Generator) -> Function:
    """The course's screw: an angle a(t) about an axis, a way b(t) along it, both monotonous."""
    angle, way, bend = rng.normal() * 5, rng.normal() * 3, rng.uniform(0, 0.9)
    return lambda t: (
        [angle * (t + bend * t * (t - 1)), 0.0, 0.0],
        [way * (3 * t**2 - 2 * t**3), 0.3, 0.0],
    )


def tumble(rng: np.random.Generator) -> Function:
    """A throw whose rotation vector is a polynomial."""
    c, v, g = rng.normal(size=(3, 3)) * 2, rng.normal(size=3) * 3, rng.normal(size=3) * 5
    return lambda t: (c[0] + c[1] * t + c[2] * t**2, v * t + 0.5 * g * t**2)


def rolling(rng: np.random.Generator) -> Function:
    """A wheel on a road, as a matrix."""
    radius, speed = rng.uniform(0.1, 1.0), rng.normal() * 4

    def roll(t: Any) -> Any:
        a = speed * t / radius
        return np.array(
            [[np.cos(a), 0 * a, np.sin(a)], [0 * a, 1 + 0 * a, 0 * a], [-np.sin(a), 0 * a, np.cos(a)]]
        ), np.array([speed * t, 0.2 + 0 * t, radius + 0 * t])

    return roll


def blended(rng: np.random.Generator) -> Function:
    """Quaternions mixed in a straight line, of no unit length."""
    q, p = rng.normal(size=(2, 4)) + np.array([0.0, 0.0, 0.0, 3.0])
    way = rng.normal(size=3)
    return lambda t: ((1 - t) * q + t * p, way * t**3)


def cam(rng: np.random.Generator) -> Function:
    """A follower that is lifted, by exponentials and roots."""
    lift, sharp = rng.uniform(0.2, 2), rng.uniform(1, 8)
    return lambda t: np.array([0 * t, lift * np.exp(-sharp * (t - 0.5) ** 2), np.sqrt(1 + t**2)])


def damped(rng: np.random.Generator) -> Function:
    """A swing that dies out, and turns as it does."""
    rate, decay, size = rng.uniform(3, 15), rng.uniform(0, 4), rng.normal(size=3)

    def fall(t: Any) -> Any:
        part = np.exp(-decay * t) * np.cos(rate * t)
        return size * part, [part, np.tanh(3 * (t - 0.5)), np.arctan(4 * t)]

    return fall


def crank(rng: np.random.Generator) -> Function:
    """A slider that a crank drives: a root that never is 0."""
    arm, rod, rate = rng.uniform(0.1, 0.5), rng.uniform(0.8, 2), rng.uniform(1, 10)

    def drive(t: Any) -> Any:
        a = rate * t
        return np.array([arm * np.cos(a) + np.sqrt(rod**2 - (arm * np.sin(a)) ** 2), 0 * t, np.log(2 + t)])

    return drive


def nodding(rng: np.random.Generator) -> Function:
    """A turn that comes back to where it began, through nothing."""
    axis, rate = rng.normal(size=3), rng.uniform(2, 9)
    return lambda t: (axis * np.sin(rate * (t - 0.5)), [1 / (1 + t), np.hypot(1, t), np.arcsin(0.5 * t)])


FAMILIES = (swing, helix, screw, tumble, rolling, blended, cam, damped, crank, nodding)


def true_places(function: Function, t: Any, points: NDArray[Any]) -> NDArray[Any]:
    """Where body points (m, 3) are at a time, in extended precision."""
    given = function(Real(t))
    turn, place = given if isinstance(given, tuple) else (None, given)
    rotation = np.eye(3, dtype=Real) if turn is None else rotation_of(np.asarray(turn, Real))
    moved: NDArray[Any] = points.astype(Real) @ rotation.T + np.asarray(place, Real)
    return moved


def rotation_of(turn: NDArray[Any]) -> NDArray[Any]:
    """Matrix of a rotation vector (3,), a quaternion (4,) or a matrix."""
    if turn.shape == (3, 3):
        return turn
    if turn.shape == (4,):
        x, y, z, w = turn / np.sqrt((turn * turn).sum())
        v = np.array([x, y, z], Real)
        across = _across(v)
        return np.eye(3, dtype=Real) + 2 * w * across + 2 * (across @ across)
    angle = np.sqrt((turn * turn).sum())
    if angle == 0:
        return np.eye(3, dtype=Real)
    across = _across(turn / angle)
    matrix: NDArray[Any] = (
        np.eye(3, dtype=Real) + np.sin(angle) * across + 2 * np.sin(angle / 2) ** 2 * (across @ across)
    )
    return matrix


def _across(v: NDArray[Any]) -> NDArray[Any]:
    x, y, z = v
    return np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]], Real)


def row_places(row: NDArray[Any], t: Any, points: NDArray[Any]) -> NDArray[Any]:
    """Where a piece of motion has body points at a time, in extended precision."""
    row = row.astype(Real)
    passed = Real(t) - row[19]
    turned = rotation_of(row[15:18] * (row[18] * passed)) @ row[:9].reshape(3, 3)
    moved: NDArray[Any] = (points - row[20:23]) @ turned.T + row[9:12] + passed * row[12:15]
    return moved
