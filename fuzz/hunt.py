"""The hunt: families take turns in a worker, findings are made smaller and told once."""

import textwrap
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Event, Lock
from time import monotonic

from findings import Finding, write
from worker import Reply, Stopped, Worker

# The first case of a family waits for the compiler: seconds for one, and for all that a worker has.
WARM_UP, WARM_UP_IN_ALL = 240.0, 600.0

# Seconds, once more, for a case that takes too long: it may have waited for the compiler.
PATIENCE = 240.0

# Letters of a sentence that are told; its file has all.
TOLD = 300

# Seconds for making one finding smaller.
TO_SHRINK = 20.0

# Findings after which a family rests: it, or what it tries, is so wrong that more would say no more.
ENOUGH = 20


@dataclass
class Tally:
    """What a family has done: cases, seconds without those of its first case, findings that differ."""

    cases: int = 0
    seconds: float = 0.0
    findings: int = 0


@dataclass
class Board:
    """What all workers write on: the tallies, and what was found."""

    folder: Path
    tell: Callable[[str], None]
    tallies: dict[str, Tally]
    stop: Event = field(default_factory=Event)
    known: set[tuple[str, str]] = field(default_factory=set)
    _lock: Lock = field(default_factory=Lock)

    def count(self, name: str, cases: int = 0, seconds: float = 0.0) -> None:
        """Add to the tally of a family."""
        with self._lock:
            self.tallies[name].cases += cases
            self.tallies[name].seconds += seconds

    def is_new(self, finding: Finding) -> bool:
        """Is this the first of its kind? If so it is known from now on."""
        with self._lock:
            is_new = finding.key not in self.known
            self.known.add(finding.key)
            return is_new

    def report(self, finding: Finding) -> None:
        """Keep a finding, and say how to run it again."""
        path = write(finding, self.folder)
        with self._lock:
            self.tallies[finding.family].findings += 1
            again = f"python fuzz/run.py --again {path}"
            sentence = textwrap.shorten(finding.sentence, TOLD, placeholder=" ...")
            self.tell(f"{finding.family} {finding.seed}:{finding.number}: {sentence}\n  {again}")
            if self.tallies[finding.family].findings == ENOUGH:
                self.tell(f"{finding.family} rests: {ENOUGH} findings are enough")


class Hunter:
    """One worker and the families whose cases it runs: numbers from `first` on, every `step`-th."""

    def __init__(self, board: Board, families: list[str], folder: Path, seed: int, patience: float) -> None:
        self._board, self._families, self._seed, self._patience = board, families, seed, patience
        self._worker = Worker(folder, board.stop.is_set)
        self._next = dict.fromkeys(families, 0)
        self._limits: dict[str, float] = {}
        self._late: set[str] = set()
        self._waited = 0.0
        self.began: float | None = None

    def run(self, seconds: float, first: int = 0, step: int = 1) -> None:
        """Hunt for this long, without what the first case of each family, and the compiler later, take."""
        try:
            self._warm_up(first, step)
            self.began = monotonic()
            while monotonic() < self.began + seconds + min(self._waited, WARM_UP_IN_ALL) and self._awake():
                name = min(self._awake(), key=lambda name: self._board.tallies[name].seconds)
                started, waited = monotonic(), self._waited
                self._turn(name, step)
                self._board.count(name, seconds=monotonic() - started - (self._waited - waited))
        except Stopped:
            pass
        finally:
            self._worker.end()

    def _awake(self) -> list[str]:
        return [name for name in self._families if self._board.tallies[name].findings < ENOUGH]

    def _warm_up(self, first: int, step: int) -> None:
        started = monotonic()
        for name in self._families:
            self._next[name] = first
            limit = self._worker.ask(WARM_UP, "limit", name)
            self._limits[name] = WARM_UP
            if monotonic() < started + WARM_UP_IN_ALL:
                self._turn(name, step)
            self._limits[name] = limit.value or WARM_UP

    def _turn(self, name: str, step: int) -> None:
        """Run the next case of a family."""
        number = self._next[name]
        self._next[name] += step
        reply = self._asked(name, True, "try", name, self._seed, number)
        self._board.count(name, cases=1)
        if reply.sentence is None:
            return
        finding = Finding(name, self._seed, number, reply.sentence, None, reply.detail)
        if self._board.is_new(finding):
            made = self._worker.ask(WARM_UP, "make", name, self._seed, number)
            self._board.report(self._smallest(replace(finding, case=made.value)))

    def _asked(self, name: str, is_patient: bool, *request: object) -> Reply:
        """Ask; what takes too long is asked once more with patience, unless the family is known for it."""
        limit, started = self._limits[name], monotonic()
        reply = self._worker.ask(limit, *request)
        if reply.is_late and is_patient and limit < WARM_UP and name not in self._late:
            reply = self._worker.ask(max(self._patience, limit), *request)
            self._waited += monotonic() - started
        if reply.is_late:
            reply = reply._replace(sentence="a case does not come to an end")
            if is_patient:
                self._late.add(name)
        return reply

    def _smallest(self, finding: Finding) -> Finding:
        """Take simpler variants of a case as long as one of them says the same."""
        until = monotonic() + TO_SHRINK
        simpler: Finding | None = finding
        while simpler is not None:
            finding, simpler = simpler, self._simpler(simpler, until)
        return finding

    def _simpler(self, finding: Finding, until: float) -> Finding | None:
        variants = self._worker.ask(self._limits[finding.family], "smaller", finding.family, finding.case)
        for variant in variants.value or ():
            if monotonic() > until:
                break
            reply = self._asked(finding.family, False, "check", finding.family, variant)
            if reply.sentence is not None:
                other = replace(finding, sentence=reply.sentence, case=variant, detail=reply.detail)
                if other.key == finding.key:
                    return other
        return None
