"""Random poses of a thing beside another of its size, and what it takes to ask about them."""

from collections.abc import Callable
from time import process_time
from typing import Any

import numpy as np
from numpy.typing import NDArray

Poses = NDArray[np.float64]
Ask = Callable[[Any, Poses], object]


def random_poses(size: float, n: int, nearest: float, farthest: float) -> Poses:
    """Random turns (n, 4, 4), each in a random direction, as many sizes away as between two numbers."""
    rng = np.random.default_rng(0)
    turns, _ = np.linalg.qr(rng.normal(size=(n, 3, 3)))
    poses = np.tile(np.eye(4), (n, 1, 1))
    poses[:, :3, :3] = turns * np.linalg.det(turns)[:, np.newaxis, np.newaxis]
    ways = rng.normal(size=(n, 3))
    ways /= np.linalg.norm(ways, axis=1, keepdims=True)
    poses[:, :3, 3] = size * rng.uniform(nearest, farthest, (n, 1)) * ways
    return poses


def in_turns(ask: Ask, rounds: int, *tasks: tuple[Any, Poses]) -> list[float]:
    """Microseconds of the processor a pose of each task, a shape and its poses, least of some rounds.

    Tasks take turns, after a round that does not count.
    """
    took = np.empty((rounds + 1, len(tasks)))
    for k in range(rounds + 1):
        for i, (shape, poses) in enumerate(tasks):
            began = process_time()
            ask(shape, poses)
            took[k, i] = 1e6 * (process_time() - began) / max(len(poses), 1)
    least: list[float] = took[1:].min(axis=0).tolist()
    return least
