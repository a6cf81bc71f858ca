"""Clusters on this machine, and schedulers elsewhere."""

import os
from importlib import import_module
from typing import Any

from firstcontact.errors import MissingExtraError

# Cores that a worker on this machine has, at the least, if there are as many: its threads share geometry.
CORES_A_WORKER = 4

# Dask looks every 10 ms at what each thread does, for a page of its dashboard: some 5 % of a worker's time.
WATCHED = "distributed.worker.profile.enabled"

# Seconds in which a scheduler must answer.
TIMEOUT = 15


def distributed() -> Any:
    """Give Dask's scheduler and client; where they are missing, say what to install."""
    try:
        return import_module("distributed")
    except ImportError as error:
        raise MissingExtraError.of("distributed", "cluster") from error


def threads_of(n_workers: int, n_cores: int) -> int:
    """Threads of each of some workers on a machine."""
    return max(n_cores // n_workers, 1)


def local_cluster(dask: Any, n_workers: int | None) -> tuple[Any, int, int]:
    """Start processes on this machine, which nobody else can reach; say how many, and the threads of each.

    These go along with each task. The compiler's own variable would stay in the environment of this process,
    where Dask leaves it, and the compiler takes no other number once it runs.
    """
    n_cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    n = max(n_cores // CORES_A_WORKER, 1) if n_workers is None else n_workers
    own = dask.LocalCluster(
        n_workers=n,
        threads_per_worker=1,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
        config={WATCHED: False},  # of the workers
    )
    return own, n, threads_of(n, n_cores)


def as_connected(dask: Any, address: str) -> Any:
    """Connect to a scheduler."""
    try:
        return dask.Client(address, timeout=TIMEOUT)
    except (OSError, TimeoutError, ValueError) as error:
        raise ConnectionError(f"no scheduler answers at {address!r} within {TIMEOUT} s") from error
