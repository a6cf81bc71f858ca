"""Many generated queries against the exact oracle, spread over worker processes."""

import multiprocessing
from typing import NamedTuple

import numba
from tqdm import tqdm

from properties.elementary import (
    CCD,
    KINDS,
    broken_conservative_rules,
    broken_exact_rules,
    complaints,
    truth_of,
)
from properties.families import FAMILIES, generate

TIME_TOLERANCE = 1e-9


class Chunk(NamedTuple):
    """Queries that one call checks; the seed makes them reproducible."""

    family: str
    kind: str
    n: int
    seed: int


def check_chunk(chunk):
    """Generate the queries, ask in both modes, compare with the truth. Return complaints, best none."""
    start, end = generate(*chunk)
    truth = truth_of(chunk.kind, start, end)
    exact = CCD[chunk.kind](start, end, exact=True, time_tolerance=TIME_TOLERANCE)
    fast = CCD[chunk.kind](start, end, time_tolerance=TIME_TOLERANCE)
    found = complaints(chunk.kind, start, end, broken_exact_rules(truth, exact, TIME_TOLERANCE))
    found += complaints(chunk.kind, start, end, broken_conservative_rules(truth, fast))
    return [f"{chunk}: {line}" for line in found]


def check_in_parallel(n_per_family_and_kind, chunk_size=1000, n_workers=2, first_seed=1000):
    """Check every family and kind; workers are spawned, since thread pools do not survive a fork."""
    seeds = range(first_seed, first_seed + n_per_family_and_kind // chunk_size)
    chunks = [
        Chunk(family, kind, chunk_size, seed) for seed in seeds for family in FAMILIES for kind in KINDS
    ]
    found = []
    with multiprocessing.get_context("spawn").Pool(n_workers, numba.set_num_threads, (1,)) as pool:
        progress = tqdm(pool.imap_unordered(check_chunk, chunks), total=len(chunks), unit="chunk")
        for lines in progress:
            found += lines
            progress.set_postfix(complaints=len(found))
    return found
