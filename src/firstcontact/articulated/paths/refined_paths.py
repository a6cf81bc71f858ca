"""Contacts along paths among obstacles that deviate from their pieces of motion.

As in `advancement.refining`: all before the time that a search arrives at is free, and where the deviation is
what decides, it goes on from there in finer pieces.
"""

from collections.abc import Callable, Iterator

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
from firstcontact.arrays import Array, Ids
from firstcontact.articulated.paths.path_contacts import note_inside, record_path, search_paths
from firstcontact.articulated.paths.path_types import PathsFound, no_paths
from firstcontact.articulated.paths.posed import segment_at
from firstcontact.articulated.paths.world_motions import WorldMotions, in_chords
from firstcontact.motions.rigid_motion import DEVIATION

# Parts of the rest of a path at which it is looked at for any contact, coarse ones first, and how long each
# look lasts: what moves deviates by rounding then.
LOOKED_AT = (0.5, 0.25, 0.75, 0.125, 0.375, 0.625, 0.875)
INSTANT = 2.0**-40

# Tolerance with which a proof in straight lines goes up to a contact, in units of that of the contact.
NEARER = 0.0625


def refined_paths(world: WorldMotions, options: Options) -> PathsFound:
    """Look for a contact along each path: any, or the first, also where things deviate from their pieces."""
    if not world.deviates:
        return search_paths(world, options)
    first = options._replace(is_first=True)
    found = search_paths(world, first)
    for i in np.flatnonzero(found.pairs >= 0).tolist():
        if not options.is_first and _touches_at_some_time(world, options, i, found):
            continue
        known = PathsFound._make(column[i : i + 1] for column in found)
        for one in _rounds(world, first, i, known, search_paths):
            found.pairs[i], found.times[i] = one.pairs[0], one.times[0]
            found.counts[i] += one.counts[0]
    return found


def refined_records(world: WorldMotions, options: Options, i: int) -> tuple[Array, float]:
    """Search one path once more; return the records of the proof, (k, N_RECORD), and up to when it goes.

    What was found along polynomials is proven with straight lines, up to a little less from the contact.
    """
    if world.curves is not None:
        world = in_chords(world, options.tolerance)
        options = options._replace(tolerance=NEARER * options.tolerance)
    if not world.deviates:
        return record_path(world, options, i), np.inf
    records: list[Array] = []

    def search(part: WorldMotions, first: Options) -> PathsFound:
        records.append(record_path(part, first, 0))
        return search_paths(part, first)

    first = options._replace(is_first=True)
    found = search(world.part(i, i + 1), first)
    for one in _rounds(world, first, i, found, search):
        found = one
    return np.concatenate(records), float(found.times[0])


def inside_pairs(world: WorldMotions) -> Ids:
    """Pairs (n,) one of which is inside the other, a closed mesh, when a path starts; -1 for none."""
    found = no_paths(len(world.rows))
    note_inside(world, Options(0.0, 0.0, is_first=False), found)
    return found.pairs


def _rounds(
    world: WorldMotions,
    options: Options,
    i: int,
    found: PathsFound,
    search: Callable[[WorldMotions, Options], PathsFound],
) -> Iterator[PathsFound]:
    """Search one path, of which something was found, in ever finer pieces; what each round finds."""
    part = world.part(i, i + 1)
    for n_rounds in range(MAX_ROUNDS):
        time = float(found.times[0])
        if found.pairs[0] < 0:
            return
        piece = segment_at(part, time)
        deviation = float(part.rows[0, piece, :, DEVIATION].max())
        limit = max(FINE * options.tolerance, ROUNDED * _deviation(world, i, time))
        if deviation <= limit:
            return
        shorter = max(np.sqrt(0.5 * limit / deviation), SHORTER) * (part.times[piece + 1] - part.times[piece])
        n_even = min(EVEN_PIECES + n_rounds, MOST_EVEN_PIECES)
        breaks = breaks_of(np.array([time]), np.array([shorter]), n_even)[0]
        part = world.refined(i, np.unique(np.concatenate([breaks, world.times[world.times > time]])))
        found = search(part, options)
        yield found


def _touches_at_some_time(world: WorldMotions, options: Options, i: int, found: PathsFound) -> bool:
    """Look at a path at some times from where something was found; note a contact, where there is one."""
    start = float(found.times[i])
    for part in LOOKED_AT:
        time = start + part * (1.0 - start)
        seen = search_paths(world.refined(i, np.array([time, min(time + INSTANT, 1.0)])), options)
        found.counts[i] += seen.counts[0]
        if seen.pairs[0] >= 0:
            found.pairs[i], found.times[i] = seen.pairs[0], seen.times[0]
            return True
    return False


def _deviation(world: WorldMotions, i: int, time: float) -> float:
    """Deviation of pieces of no length: rounding."""
    part = world.refined(i, np.array([time, time]))
    return float(part.rows[..., DEVIATION].max())
