"""Robots: certified checks of segments in configuration space, beside samples along them.

An arm among boxes, made here; and from the third-party data a Panda in MotionBenchMaker's problems (seven
families) and a UR5e among boxes. In each world segments are random (both ends uniform within the joints'
limits) and local (from a configuration that touches nothing, by up to 0.5 rad a joint, as planners extend a
tree); the Panda also goes straight from start to goal. Links may touch neither obstacles nor each other,
neighbours and the pairs that the SRDF file disables excepted, on both sides.

Beside: pinocchio with coal, in a process of its own, which looks at configurations that differ by at most
0.05, 0.01 and 0.001 rad in any joint, as fast as it goes: batches on all threads with a broad phase. Of the
ways to use it, the fastest on a few segments is taken for all (marked * below). Hulls of all links are not
the same question (not all links are convex): they count where they are faster, but not for answers. Links
that are convex to within a millimetre are asked as hulls; where these touch, the meshes are asked.

Times are those of the clock, milliseconds a segment, means over all segments; "times" is the ratio to
0.01 rad on as many threads. "Missed" are contacts by this library that samples do not show; "made up" the
reverse.
"""

from importlib.util import find_spec

from report.remote import RemoteError
from report.section import Part, Picture, Run, Table
from robot.arm import arm_worlds
from robot.calls import calls
from robot.cases import FAMILIES, PANDA, UR5E, World, panda_worlds, ur5e_worlds
from robot.own import Own
from robot.peers import Peer, is_missing
from robot.plot import draw
from robot.study import ALL_THREADS, Effort, Found, Tuned, run_world, tune
from robot.table import (
    certificate_lines,
    family_lines,
    goal_lines,
    headlines,
    missed_lines,
    segment_lines,
    single_lines,
    targets,
    tuned_lines,
)  # fmt: skip

TITLE = "Robots"
_EFFORT = Effort(segments=1000, fine=100, singles=50, proofs=5, tuned=100)
_QUICK = Effort(segments=200, fine=20, singles=20, proofs=2, tuned=20)
_QUICK_FAMILIES = ("bookshelf_thin_panda", "cage_panda")


class Benchmark:
    """Worlds one after the other, beside a peer for as long as it lasts."""

    def __init__(self, effort: Effort) -> None:
        self._effort = effort
        self.found, self.tuned = Found([], [], [], [], []), list[Tuned]()
        self.fault = "pin or coal is missing" if is_missing() else ""
        self._peer = None if self.fault else Peer()

    def run(self, worlds: list[World]) -> None:
        """All worlds of a robot."""
        own, best = Own(worlds[0].robot), None
        try:
            best = tune(self._peer, own, worlds, self._effort) if self._peer else None
        except RemoteError as fault:
            self._lose(fault)
        self.tuned += [best] if best else []
        for world in worlds:
            self._run_world(own, world, best)

    def _run_world(self, own: Own, world: World, best: Tuned | None) -> None:
        try:
            more = run_world(self._peer, own, world, best, self._effort)
        except RemoteError as fault:
            self._lose(fault)
            more = run_world(None, own, world, None, self._effort)
        for kept, rows in zip(self.found, more, strict=True):
            kept.extend(rows)

    def _lose(self, fault: RemoteError) -> None:
        self.close()
        self._peer, self.fault = None, f"pinocchio: {fault}"

    def close(self) -> None:
        """End the peer's process."""
        if self._peer is not None:
            self._peer.close()


def segments(run: Run) -> Part:
    """All robots."""
    robots, notes = _robots(run)
    benchmark = Benchmark(_QUICK if run.quick else _EFFORT)
    try:
        for worlds in robots:
            benchmark.run(worlds)
    finally:
        benchmark.close()
    found, fault = benchmark.found, benchmark.fault
    title = f"Certified checks beside samples; {ALL_THREADS} threads"
    return Part(
        tables=_tables(found, benchmark.tuned, fault),
        pictures=(Picture("robot-benchmark", title, draw(found.rows)),),
        headlines=tuple(headlines(found.rows, fault)),
        targets=() if run.quick else tuple(targets(found)),
        notes=(*notes, *([fault] if fault else [])),
        figures=found._asdict() | {"tuned": benchmark.tuned},
    )


def _robots(run: Run) -> tuple[list[list[World]], list[str]]:
    """Worlds of each robot that is there, and which are not."""
    robots, notes = [arm_worlds(2 if run.quick else 3)], []
    for name in (PANDA,) if run.quick else (PANDA, UR5E):
        folder = run.data / "robots" / name
        if not folder.is_dir() or find_spec("yaml") is None:
            missing = "pyyaml" if folder.is_dir() else folder
            notes.append(f"skipped: {name} ({missing} is missing)")
        elif name == PANDA:
            worlds = panda_worlds(run.data, _QUICK_FAMILIES if run.quick else FAMILIES)
            robots.append(worlds[::3] if run.quick else worlds)
        else:
            robots.append(ur5e_worlds(3, run.data))
    return robots, notes


def _tables(found: Found, tuned: list[Tuned], fault: str) -> tuple[Table, ...]:
    tables = (
        Table("Milliseconds a segment", segment_lines(found.rows, fault), 2),
        Table("By family: milliseconds a segment in batches, all threads", family_lines(found.rows), 2),
        Table("Segments one by one, one thread: milliseconds", single_lines(found.singles), 2),
        Table("Contacts that samples miss", missed_lines(found.missed, found.rows)),
        Table("Certificates of free segments", certificate_lines(found.certified)),
        Table("Straight from start to goal", goal_lines(found.goals), 2),
        Table("Ways to use pinocchio: milliseconds a segment at 0.01 rad", tuned_lines(tuned)),
    )
    return tuple(table for table in tables if len(table.lines) > 1)


PARTS = {"segments": segments, "robots": calls}
