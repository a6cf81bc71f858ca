"""Methods side by side: each package in a process of its own, all of them measured in turn, round by round.

A process that is waiting costs nothing, and one that crashes or hangs takes nothing with it.
"""

import os
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np

from convex import own
from convex.asked import PAIR_QUERIES, RAY, Queries, answers, seconds
from convex.cases import Case, Rays
from convex.peers import PEERS
from deformable.surfaces import Points
from report.remote import Remote, RemoteError, padding

OWN = "firstcontact"
OWN_METHODS = (own.BATCH, own.BATCH_MADE, own.SINGLE, own.SINGLE_MADE)
_N_TRIES = 20  # processes that are given up since their answers are not sound, at most
_PREPARING = 300.0  # seconds to import a package, to make its shapes and, for this one, to compile


class Measured(NamedTuple):
    """One method and one query: seconds a query of each round, the answers, or why there are none."""

    method: str
    seconds: Points = np.empty(0)
    answers: Points = np.empty(0)
    error: str = ""

    @property
    def median(self) -> float:
        """Seconds a query; not a number where there are none."""
        return float(np.median(self.seconds)) if len(self.seconds) else float("nan")


class Effort(NamedTuple):
    """Rounds, seconds that a method takes in a round at least, and in all rounds about at most."""

    rounds: int
    seconds: float
    limit: float


class Worker:
    """A process that answers for one package."""

    def __init__(self, package: str) -> None:
        self.package, self.n_unsound = package, 0
        self._given: dict[str, Case | Rays] = {}
        self._start()

    def _start(self) -> None:
        """Begin a process, another one where its answers are not sound."""
        while True:
            self._remote = Remote(_PREPARING, _Server, self.package)
            if self.n_unsound == _N_TRIES or self._remote.ask("is_sound"):
                return
            self.n_unsound += 1
            self.close()
            os.environ |= padding(self.n_unsound)  # the next process inherits it

    def prepare(self, method: str, given: Case | Rays) -> list[str]:
        """Make ready all queries of a method; their names."""
        self._given[method] = given
        return self.ask("prepare", method, given)

    def ask(self, *request: Any) -> Any:
        """Send a request and wait for the answer; a process that fails is replaced by one like it."""
        try:
            return self._remote.ask(*request)
        except RemoteError as fault:
            if fault.is_dead:
                self.close()
                self._start()
                for method, given in self._given.items():
                    self._remote.ask("prepare", method, given)
            raise

    def close(self) -> None:
        """End the process."""
        self._remote.close()


class _Server:
    """What runs in the other process: the queries of one package."""

    def __init__(self, package: str) -> None:
        self._package = package
        self._held: dict[str, Queries] = {}

    def is_sound(self) -> bool:
        """Are the answers of this process to be trusted?"""
        return all(peer.is_sound() for peer in PEERS.values() if peer.package == self._package)

    def prepare(self, method: str, given: Case | Rays) -> list[str]:
        """Make ready all queries of a method; their names."""
        self._held[method] = _maker(method, given)(given)
        return list(self._held[method])

    def answers(self, method: str, query: str) -> Points:
        """All answers to a query."""
        return answers(self._held[method][query])

    def seconds(self, method: str, query: str, at_least: float) -> float:
        """Seconds a query."""
        return seconds(self._held[method][query], at_least)


def methods(is_ray: bool) -> dict[str, str]:
    """The package of each method that has queries of the kind."""
    found = dict.fromkeys(OWN_METHODS[::2] if is_ray else OWN_METHODS, OWN)
    for name, peer in PEERS.items():
        if (peer.rays if is_ray else peer.pairs) is not None:
            found[name] = peer.package
    return found


def missing(package: str) -> bool:
    """Is a peer not installed?"""
    return any(find_spec(peer.module) is None for peer in PEERS.values() if peer.package == package)


def started(packages: set[str]) -> dict[str, Worker | str]:
    """A process for each package, or why there is none."""
    found: dict[str, Worker | str] = {}
    for package in packages:
        try:
            found[package] = "missing" if missing(package) else Worker(package)
        except RemoteError as fault:
            found[package] = str(fault)
    return found


def measure(
    workers: dict[str, Worker | str], given: Case | Rays, effort: Effort, wanted: Sequence[str]
) -> dict[str, list[Measured]]:
    """All methods by query: answers first, then rounds in which every method has its turn."""
    packages = methods(isinstance(given, Rays))
    found: dict[str, dict[str, Measured]] = {}
    for method, package in packages.items():
        for query, measured in _first(workers[package], method, given, wanted).items():
            found.setdefault(query, {})[method] = measured
    for query, by_method in found.items():
        for _ in range(effort.rounds):
            for method, measured in by_method.items():
                if not measured.error and measured.seconds.sum() * len(measured.answers) < effort.limit:
                    by_method[method] = _again(workers[packages[method]], query, measured, effort)
    return {query: list(by_method.values()) for query, by_method in found.items()}


def _first(
    worker: Worker | str, method: str, given: Case | Rays, wanted: Sequence[str]
) -> dict[str, Measured]:
    """Answers of all queries that a method has; a crash at one of them is not the end of the others."""
    found: dict[str, Measured] = {}
    try:
        if isinstance(worker, str):
            raise RemoteError(worker)
        queries = worker.prepare(method, given)
    except RemoteError as fault:
        asked = (RAY,) if isinstance(given, Rays) else PAIR_QUERIES
        return {query: Measured(method, error=str(fault)) for query in asked if query in wanted}
    for query in (query for query in queries if query in wanted):
        try:
            found[query] = Measured(method, answers=worker.ask("answers", method, query))
        except RemoteError as fault:
            found[query] = Measured(method, error=str(fault))
    return found


def _again(worker: Worker | str, query: str, measured: Measured, effort: Effort) -> Measured:
    assert isinstance(worker, Worker)  # the others have an error instead of answers
    try:
        taken = worker.ask("seconds", measured.method, query, effort.seconds)
    except RemoteError as fault:
        return measured._replace(error=str(fault))
    return measured._replace(seconds=np.append(measured.seconds, taken))


def _maker(method: str, given: Case | Rays) -> Callable[[Any], Queries]:
    is_ray = isinstance(given, Rays)
    if method in OWN_METHODS:
        return own.rays(method) if is_ray else own.pairs(method)
    made = PEERS[method].rays if is_ray else PEERS[method].pairs
    assert made is not None
    return made
