"""Outlines with as many edges as those of the paper's table have on the average, about 2 across."""

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]


def outlines() -> dict[str, Points]:
    """By their names: countries of a map, gears, links of a chain, cars, and waves."""
    return {
        "map": country(119),
        "gears": gear(30),
        "links": link(29),
        "cars": np.stack([CAR_X, CAR_Y], axis=1),
        "wavy": waves(100),
    }


def country(n: int) -> Points:
    """A rough coast around a middle."""
    rng = np.random.default_rng(0)
    phases, angles = rng.uniform(0.0, 2.0 * np.pi, 12), np.arange(n) * 2.0 * np.pi / n
    orders = np.arange(1, 13)
    radii = 0.75 + (np.cos(np.outer(angles, orders) + phases) / (3.0 + orders)).sum(axis=1) * 0.2
    return _around(angles, radii + rng.uniform(-0.05, 0.05, n))


def gear(n: int) -> Points:
    """Teeth of three points each."""
    return _around(np.arange(n) * 2.0 * np.pi / n, np.where(np.arange(n) % 3 == 0, 0.75, 1.0))


def link(n: int) -> Points:
    """A ring with a gap, which another can hang in."""
    outer, inner = (np.linspace(0.4, 2.0 * np.pi - 0.4, k) for k in (n - n // 2, n // 2))
    return np.concatenate([_around(outer, np.ones(len(outer))), _around(inner, np.full(n // 2, 0.7))[::-1]])


CAR_X = -1, -0.8, -0.7, -0.5, -0.4, 0.4, 0.5, 0.7, 0.8, 1, 1, 0.5, 0.2, -0.9
CAR_Y = -0.3, -0.3, -0.4, -0.4, -0.3, -0.3, -0.4, -0.4, -0.3, -0.3, 0, 0.1, 0.4, 0.35


def waves(n: int) -> Points:
    """A bar that is wavy above and below."""
    x = np.linspace(-1.0, 1.0, n // 2)
    upper = np.stack([x, 0.3 + 0.1 * np.sin(12.0 * x)], axis=1)
    return np.concatenate([upper - [0.0, 0.6], upper[::-1]])


def _around(angles: Points, radii: Points) -> Points:
    return np.stack([radii * np.cos(angles), radii * np.sin(angles)], axis=1)
