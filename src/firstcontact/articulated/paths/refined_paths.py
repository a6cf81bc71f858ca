"""Contacts along paths among obstacles that deviate from their pieces of motion.

As in `advancement.refining`: all before the time that a search arrives at is free, and where the deviation is
what decides, it goes on from there in finer pieces.
"""

from collections.abc import Callable, Iterator
from typing import TypeVar

import numpy as np

from firstcontact.advancement.goal import Options
from firstcontact.advancement.refining import (
    EVEN_PIECES,
    FINE,
    MAX_ROUNDS,
    MOST_EVEN_PIECES,
    ROUNDED,
    SHORTER,
    breaks_of,
)
from firstcontact.arrays import Array
from firstcontact.articulated.paths.path_contacts import record_path, search_paths
from firstcontact.articulated.paths.path_types import PathsFound, no_paths
from firstcontact.articulated.paths.world_motions import WorldMotions
from firstcontact.motions.rigid_motion import DEVIATION

T = TypeVar("T")


def refined_paths(world: WorldMotions, options: Options) -> PathsFound:
    """Look for a contact along each path: the first one, where obstacles deviate from their pieces."""
    if not world.laws:
        return search_paths(world, options)
    found = no_paths(len(world.rows))
    for i in range(len(world.rows)):
        for one in _rounds(world, options, i, search_paths):
            found.pairs[i], found.times[i] = one.pairs[0], one.times[0]
            found.counts[i] += one.counts[0]
    return found


def refined_records(world: WorldMotions, options: Options, i: int) -> Array:
    """Search one path once more; return the records of the proof, (k, N_RECORD), up to a contact."""
    if not world.laws:
        return record_path(world, options, i)
    records: list[Array] = []

    def search(part: WorldMotions, first: Options) -> PathsFound:
        records.append(record_path(part, first, 0))
        return search_paths(part, first)

    for _ in _rounds(world, options, i, search):
        pass
    return np.concatenate(records)


def _rounds(
    world: WorldMotions, options: Options, i: int, search: Callable[[WorldMotions, Options], PathsFound]
) -> Iterator[PathsFound]:
    """Search one path, in ever finer pieces; what each round found."""
    part, first = world.part(i, i + 1), options._replace(is_first=True)
    for n_rounds in range(MAX_ROUNDS):
        found = search(part, first)
        yield found
        time = float(found.times[0])
        if found.pairs[0] < 0:
            return
        piece = min(int(np.searchsorted(part.times, time, side="right")), len(part.times) - 1) - 1
        deviation = float(part.rows[0, piece, :, DEVIATION].max())
        least = _deviation(world, i, time)
        limit = max(FINE * options.tolerance, ROUNDED * least)
        if deviation <= limit:
            return
        shorter = max(np.sqrt(0.5 * limit / deviation), SHORTER) * (part.times[piece + 1] - part.times[piece])
        n_even = min(EVEN_PIECES + n_rounds, MOST_EVEN_PIECES)
        breaks = breaks_of(np.array([time]), np.array([shorter]), n_even)[0]
        part = world.refined(i, np.unique(np.concatenate([breaks, world.times[world.times > time]])))


def _deviation(world: WorldMotions, i: int, time: float) -> float:
    """Deviation of pieces of no length: rounding."""
    part = world.refined(i, np.array([time, time]))
    return float(part.rows[..., DEVIATION].max())
