"""Workers that answer for a command, on this machine or on others."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import firstcontact as fc
from firstcontact.cli.command_error import CommandError

# The address that means workers on this machine.
HERE = "here"


def add_cluster(parser: Any) -> None:
    """Let workers answer."""
    parser.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="let workers of Dask answer: the address of their scheduler, or `here` for some on this machine",
    )


@contextmanager
def workers(address: str | None) -> Iterator[fc.Cluster | None]:
    """Give the workers of a scheduler, or none; what is wrong with them is told in a sentence."""
    if address is None:
        yield None
        return
    try:
        with fc.cluster(None if address == HERE else address) as cluster:
            yield cluster
    except (ConnectionError, ChildProcessError, RuntimeError) as error:
        raise CommandError(str(error)) from error
