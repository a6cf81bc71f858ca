"""`firstcontact warmup`: compile everything now, so that no later query waits for the compiler."""

import argparse
import time
from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np

from firstcontact.cli.kinds import kind_names, query_of

# One query takes the serial path, this many take the parallel one.
_BATCH_SIZES = (1, 20_000)

# A vertex at rest on the edge of a face, or edges at rest on each other: floating point tries all stages.
_RESTING = np.array([[2.0, 2.0, 4.0], [0.0, 0.0, 0.0], [4.0, 0.0, 4.0], [0.0, 4.0, 4.0]])

_SEPARATION = 1e-3


def add_to(commands: Any) -> None:
    """Add this command to the parser."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "warmup", help="compile every kernel into the cache", description=__doc__
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Compile all variants of all kinds of query, with progress."""
    from tqdm import tqdm

    started = time.perf_counter()
    variants = list(product(kind_names(), (False, True), (0.0, _SEPARATION)))
    for kind, exact, min_separation in tqdm(variants, desc="compiling", unit="variant", disable=None):
        warm_up(kind, exact=exact, min_separation=min_separation)
    print(f"{len(variants)} variants of the queries ready in {time.perf_counter() - started:.1f} s")


def warm_up(
    kind: str, *, exact: bool = False, min_separation: float = 0.0, sizes: Sequence[int] = _BATCH_SIZES
) -> None:
    """Run batches of these sizes, so that their kernels are compiled or loaded from the cache."""
    query, rng = query_of(kind), np.random.default_rng(0)
    for size in sizes:
        start, end = rng.random((2, size, 4, 3))
        query(start, end, exact=exact, min_separation=min_separation)
        resting = np.tile(_RESTING, (size, 1, 1))
        query(resting, resting, min_separation=min_separation)
