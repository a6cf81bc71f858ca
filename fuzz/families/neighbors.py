"""Points within a radius of each other, in clouds, lattices, chains and crowds; the referee is whole numbers.

Radii are often a distance of two of the points, or beside it among doubles: ties decide who is right.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

import firstcontact as fc
from oracles.near_pairs import exact_pairs
from shrinking import fewer_and_rounder

Array = np.ndarray[Any, np.dtype[np.float64]]


def make(rng: np.random.Generator) -> dict[str, Any]:
    """One set or two, of some family, somewhere, of some size, and a radius."""
    near = _places(rng, int(rng.integers(0, 40)))
    others = None
    if rng.random() < 0.4:
        others = _places(rng, int(rng.integers(0, 40)))
        others[: len(others) // 2] = near[: len(others) // 2] if len(near) >= len(others) // 2 else 0.0
    size = 10.0 ** float(rng.choice([0, 0, 0, -30, -6, 6, 30]))
    shift = float(rng.choice([0.0, 0.0, 1.0, 1e6, 2.0**40])) * rng.choice([0.0, 1.0, 1.0 / 3.0], 3)
    near = (near + shift) * size
    others = None if others is None else (others + shift) * size
    radius = _radius(rng, near, near if others is None else others, size)
    as_list = None if others is None else others.tolist()
    return {"near": near.tolist(), "others": as_list, "radius": radius}


def _places(rng: np.random.Generator, n: int) -> Array:
    kind = int(rng.integers(6))
    if kind == 0:
        return rng.random((n, 3))
    if kind == 1:
        return rng.integers(0, 5, (n, 3)) * float(rng.choice([1.0, 0.1, 1.0 / 3.0]))
    if kind == 2:  # chains with gaps of all lengths
        return np.cumsum(rng.random((n, 3)) ** 20 * 1e6, axis=0)
    if kind == 3:  # crowds far from each other
        return rng.integers(0, 3, (n, 3)) * 10.0 ** rng.integers(0, 12, (n, 1)) + rng.random((n, 3))
    if kind == 4:  # at few places, and on a line
        return np.outer(rng.integers(0, 4, n), rng.choice([0.0, 1.0, 0.7], 3)).astype(float)
    return rng.normal(size=(n, 3)) * 10.0 ** rng.integers(-9, 10, (n, 1))


def _radius(rng: np.random.Generator, near: Array, others: Array, size: float) -> float:
    """Any, none, or the distance of a pair, to a rounding or two."""
    kind = rng.random()
    if kind < 0.1:
        return 0.0
    if kind < 0.4 or len(near) == 0 or len(others) == 0:
        return float(size * 10.0 ** rng.uniform(-3, 2))
    apart = near[rng.integers(len(near))] - others[rng.integers(len(others))]
    radius = float(np.linalg.norm(apart)) * (1.0 + 2.0**-52 * int(rng.integers(-2, 3)))
    return radius if 1e-45 < radius < 1e45 else size


def check(case: dict[str, Any]) -> str | None:
    """Compare all pairs, and that distances are right, and the same pairs from the other side."""
    near = np.reshape(case["near"], (-1, 3)).astype(float)
    others = None if case["others"] is None else np.reshape(case["others"], (-1, 3)).astype(float)
    found = fc.neighbors(near, case["radius"], others, distances=True)
    truth = exact_pairs(near, others, case["radius"])
    if not np.array_equal(found.pairs, truth):
        return f"{len(found)} pairs instead of {len(truth)}, or others"
    apart = near[found.pairs[:, 0]] - (near if others is None else others)[found.pairs[:, 1]]
    lengths = np.sqrt((apart.astype(np.longdouble) ** 2).sum(axis=1))
    if np.any(np.abs(found.distance - lengths) > 4 * np.finfo(float).eps * lengths):
        return "a distance is off"
    back = fc.neighbors(near if others is None else others, case["radius"], near)
    both = (
        np.concatenate([truth, np.repeat(np.arange(len(near))[:, None], 2, axis=1)])
        if others is None
        else truth
    )
    if sorted(map(tuple, back.pairs[:, ::-1].tolist())) != sorted(map(tuple, both.tolist())):
        return "from the other side, pairs are different"
    return None


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Fewer points, and rounder numbers."""
    yield from fewer_and_rounder(case)
