"""Boxes that move about, step by step, and the slow way to say which of them overlap."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from firstcontact.broadphase.dynamic_tree import DynamicTree
from firstcontact.broadphase.sweep_and_prune import SweepAndPrune


class Step(NamedTuple):
    """Boxes (n, 6), and which of them count."""

    boxes: np.ndarray
    is_active: np.ndarray


METHODS = {
    "sweep and prune": SweepAndPrune,
    "small cells": lambda: SweepAndPrune(cell_size=4),
    "one cell": lambda: SweepAndPrune(cell_size=1 << 30),
    "tree": DynamicTree,
}


def all_pairs(step: Step) -> np.ndarray:
    """Every pair i < j of active boxes with a common point, one against all."""
    boxes, is_active = step
    found = [
        (i, j)
        for i in np.flatnonzero(is_active)
        for j in np.flatnonzero(
            is_active
            & (boxes[:, :3] <= boxes[i, 3:]).all(axis=1)
            & (boxes[:, 3:] >= boxes[i, :3]).all(axis=1)
        )
        if i < j
    ]
    return np.array(found, np.int32).reshape(-1, 2)


def around(centers: np.ndarray, halves: np.ndarray) -> np.ndarray:
    return np.concatenate([centers - halves, centers + halves], axis=1)


def all_active(boxes: np.ndarray) -> Step:
    return Step(boxes, np.ones(len(boxes), np.bool_))


def check(broad_phase: object, steps: Iterator[Step] | list[Step]) -> None:
    """All pairs, step after step, and what changed."""
    before: set[tuple[int, int]] = set()
    for number, step in enumerate(steps):
        kept = Step(step.boxes.copy(), step.is_active.copy())
        broad_phase.update(*step)
        pairs, expected = broad_phase.pairs(), all_pairs(step)
        assert pairs.dtype == np.int32
        assert np.array_equal(pairs, expected), f"step {number}"
        assert all(np.array_equal(*both) for both in zip(kept, step, strict=True)), "input was changed"
        now = {tuple(pair) for pair in expected.tolist()}
        assert (broad_phase.changes.begun, broad_phase.changes.ended) == (
            len(now - before),
            len(before - now),
        )
        before = now


def drifting(n: int, seed: int, n_steps: int = 12, speed: float = 0.03) -> Iterator[Step]:
    rng = np.random.default_rng(seed)
    centers, halves = 3.0 * rng.random((n, 3)), 0.3 * rng.random((n, 3))
    velocities = speed * rng.normal(size=(n, 3))
    for _ in range(n_steps):
        centers = centers + velocities
        yield all_active(around(centers, halves))


def restless(n: int, seed: int, n_steps: int = 15) -> Iterator[Step]:
    """Some rest, some drift, some jump, some come and go, some lie on a lattice; sizes of all kinds."""
    rng = np.random.default_rng(seed)
    centers, halves = (
        rng.random((n, 3)),
        rng.choice([0.0, 0.01, 0.1, 0.25, 10.0], (n, 3), p=[0.2, 0.3, 0.3, 0.15, 0.05]),
    )
    is_active = rng.random(n) < 0.7
    for _ in range(n_steps):
        kind = rng.random(n)
        centers = centers + 0.02 * rng.normal(size=(n, 3)) * (kind > 0.4)[:, np.newaxis]
        centers = np.where((kind > 0.95)[:, np.newaxis], rng.random((n, 3)), centers)
        centers = np.where((kind < 0.2)[:, np.newaxis], np.round(4.0 * centers) / 4.0, centers)
        is_active = is_active ^ (rng.random(n) < 0.1)
        yield Step(around(centers, halves), is_active)


def scenes() -> dict[str, list[Step]]:
    """What may go wrong."""
    rng = np.random.default_rng(5)
    lattice = np.stack(np.meshgrid(*[np.arange(5.0)] * 3, indexing="ij"), -1).reshape(-1, 3)
    crowd = rng.random((80, 3))
    endless = around(crowd, np.full((80, 3), 0.05))
    endless[::9] = [-np.inf] * 3 + [np.inf] * 3
    endless[1::9, 0] = -np.inf
    rods = np.full((90, 3), 0.01)
    rods[np.arange(90), np.arange(90) % 3] = 2.0
    sizes = 10.0 ** rng.uniform(-4.0, 2.0, (150, 1)) * np.ones(3)
    huge = 1e307 * around(crowd - 0.5, 0.1 * rng.random((80, 3)))

    def walk(centers: np.ndarray, halves: np.ndarray, by: float = 0.02) -> list[Step]:
        return [
            all_active(around(centers + k * by * rng.normal(size=3 * len(centers)).reshape(-1, 3), halves))
            for k in range(6)
        ]

    return {
        "none": [all_active(np.empty((0, 6)))] * 3,
        "one": walk(np.zeros((1, 3)), np.ones((1, 3))),
        "nobody counts": [Step(endless[:, ::-1].copy(), np.zeros(80, np.bool_))] * 2,
        "all overlap": walk(crowd, np.full((80, 3), 2.0)),
        "all the same": [all_active(np.tile([0.0, 0.0, 0.0, 1.0, 1.0, 1.0], (70, 1)))] * 3,
        "points, all the same": [all_active(np.zeros((70, 6)))] * 3,
        "points": walk(np.round(2.0 * crowd), np.zeros((80, 3)), 0.0),
        "touching": [
            all_active(around(lattice + shift, np.full_like(lattice, 0.5))) for shift in (0, 1, 1, 0.5)
        ],
        "one large": walk(100.0 * crowd, np.where(np.arange(80)[:, np.newaxis] == 7, 1e6, 1.0)),
        "sizes": walk(30.0 * rng.random((150, 3)), sizes),
        "plates": walk(crowd, np.where(np.arange(80)[:, np.newaxis] % 3 == 0, [9.0, 9.0, 1e-3], 0.05)),
        "rods": walk(rng.random((90, 3)), rods),
        "a few far off": walk(
            np.where(np.arange(80)[:, np.newaxis] % 20 == 0, 1e9, 1.0) * crowd, np.full((80, 3), 0.1)
        ),
        "endless": [all_active(endless), all_active(endless + 0.01), all_active(endless)],
        "huge": [all_active(huge), all_active(-huge[:, [3, 4, 5, 0, 1, 2]]), all_active(huge)],
        "denormal": [all_active(5e-324 * np.round(9.0 * around(crowd, np.ones((80, 3))))) for _ in range(2)],
    }
