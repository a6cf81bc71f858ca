"""`firstcontact worker`: let this machine work for a scheduler."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from importlib.util import find_spec
from typing import Any

from firstcontact.cli.command import FINE, add_command
from firstcontact.cli.command_error import CommandError
from firstcontact.cli.options.option_values import count
from firstcontact.errors import MissingExtraError

_DESCRIPTION = """
Let this machine work for a scheduler of Dask's, until that ends or you end it: workers, each a process that
does one task at a time with its share of the threads. Before they take any, all queries are compiled, as by
`firstcontact warmup`: some minutes once on each machine, and seconds where machine code is kept or came with
the package. Whoever reaches a worker can run any program as you: see to it that only those can who should.
"""

_EXAMPLES = """
firstcontact worker tcp://scheduler:8786
firstcontact worker tcp://scheduler:8786 --workers 4 --cold
"""


# Dask's look at what each thread does, every 10 ms: some 5 % of a worker's time.
_WATCHED = "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED"


def add_to(commands: Any) -> None:
    """Add this command and its options to the parser."""
    parser = add_command(commands, "worker ADDRESS [--workers N] [--cold]", _DESCRIPTION, _EXAMPLES)
    parser.add_argument("address", metavar="ADDRESS", help="of the scheduler")
    parser.add_argument("--workers", type=count, default=1, metavar="N", help="processes (default: 1)")
    parser.add_argument(
        "--cold", action="store_true", help="take tasks at once: the first wait for the compiler"
    )
    parser.add_argument("--host", metavar="HOST", help="address of this machine, if it has several")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Start Dask's workers, and wait for their end."""
    if find_spec("distributed") is None:
        raise MissingExtraError.of("distributed", "cluster")
    if not options.cold:
        _warm()
    n_cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    # Read when the compiler and Dask are loaded, in each worker: its threads, and that nobody watches them.
    told = {"NUMBA_NUM_THREADS": str(max(n_cores // options.workers, 1)), _WATCHED: "False"}
    words = [options.address, "--nthreads", "1", "--nworkers", str(options.workers), "--no-dashboard"]
    words += ["--host", options.host] if options.host else []
    command = [sys.executable, "-m", "distributed.cli.dask_worker", *words]
    if hasattr(
        os, "fork"
    ):  # this process becomes the worker: whoever ends it, as job schedulers do, ends that
        os.execve(command[0], command, os.environ | told)
    done = subprocess.run(command, env=os.environ | told, check=False)
    return FINE if done.returncode >= 0 else 128 - done.returncode


def _warm() -> None:
    """Have all queries compiled; where that cannot be kept, say so: the first tasks will wait for it."""
    from firstcontact.cli.commands.warmup import warmed

    try:
        told = warmed()
    except CommandError as error:
        told = f"the first tasks wait for the compiler, since {error}"
    print(f"firstcontact worker: {told}", file=sys.stderr)
