"""Queries asked side by side, so that what they need is compiled: one process compiles on one core."""

import os
import signal
from collections.abc import Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Any

from firstcontact.cli.command_error import CommandError

# What several processes compile at the same time is compiled several times: four save little more than two.
_MOST_PROCESSES = 4

_TICK = 0.5  # seconds, after which the clock of the bar goes on


def warm_side_by_side(n_variants: Mapping[str, int]) -> None:
    """Run all variants of all kinds of query, of which there are so many; a bar shows which, and how far."""
    from tqdm import tqdm

    tasks = _from_both_ends([(kind, i) for kind, n in n_variants.items() for i in range(n)])
    n_processes = min(os.cpu_count() or 1, _MOST_PROCESSES)
    form = "{desc} {bar:20} {n_fmt} of {total_fmt}, {elapsed}"
    # A fork would inherit locks, but not the threads that hold them.
    with (
        tqdm(total=len(tasks), bar_format=form, disable=None) as bar,
        ProcessPoolExecutor(n_processes, get_context("spawn"), _begin) as processes,
    ):
        left = {processes.submit(_warm, *task): task[0] for task in tasks}
        try:
            while left:
                _follow(left, n_processes, bar)
        except BrokenProcessPool:
            raise CommandError("the compiler's process was stopped; there may be too little memory") from None
        except BaseException:
            processes.shutdown(wait=False, cancel_futures=True)
            raise


def _from_both_ends(tasks: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """First, last, second, last but one: two processes that take turns begin far from each other."""

    def taken() -> Iterator[tuple[str, int]]:
        for i in range((len(tasks) + 1) // 2):
            yield tasks[i]
            if i != len(tasks) - 1 - i:
                yield tasks[-1 - i]

    return list(taken())


def _follow(left: dict[Future[None], str], n_processes: int, bar: Any) -> None:
    """Wait for the next that is done, and say which kinds are under way."""
    now = dict.fromkeys(list(left.values())[:n_processes])
    bar.set_description_str(f"compiling {', '.join(now)}", refresh=False)
    done, _ = wait(left, _TICK, FIRST_COMPLETED)
    for one in done:
        del left[one]
        one.result()
        bar.update(1)
    bar.refresh()


def _begin() -> None:
    """Start a process: Ctrl-C is for the one who waits, and so is the terminal."""
    from firstcontact._waiting import silence

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    silence()


def _warm(kind: str, i: int) -> None:
    from firstcontact.cli.commands.warmup import variants

    variants()[kind][i]()
