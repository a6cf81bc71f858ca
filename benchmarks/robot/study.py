"""A robot in its worlds: this library and sampling over the same segments, free ones and others."""

from collections.abc import Iterator
from typing import NamedTuple
from zlib import crc32

import numba
import numpy as np

from robot.cases import Numbers, World, local_segments, random_segments
from robot.own import METHODS, Own, Witness
from robot.peers import HULLS, MESHES, MIXED, WAYS, Checked, Peer, Way

STEPS = (0.05, 0.01, 0.001)
REFERENCE = 0.01
RANDOM, LOCAL = "random", "local"
FREE, TOUCHING = "free", "touching"
ALL_THREADS = int(numba.config.NUMBA_NUM_THREADS)
_N_LOOKS = 100  # between two samples, to see a contact that is missed
FIRST = "first_contacts"
OWN = tuple(f"is_free, {method}" for method in METHODS)


class Effort(NamedTuple):
    """Segments of a kind in each world; of them those sampled at the finest step, asked one by one, verified.

    `tuned` are those that choose the way to use pinocchio.
    """

    segments: int
    fine: int
    singles: int
    proofs: int
    tuned: int


class Row(NamedTuple):
    """A method on the segments of a kind in a world: counts, and seconds of all free ones and of the others.

    `missed`: segments that sampling found free and this library not; `made_up`: the other way round.
    """

    robot: str
    family: str
    world: str
    kind: str
    method: str
    n_threads: int
    n_free: int
    n_touching: int
    free: float
    touching: float
    missed: int = 0
    made_up: int = 0


class Single(NamedTuple):
    """Seconds of segments asked one by one, on one thread; `part` is free or touching."""

    robot: str
    kind: str
    part: str
    method: str
    seconds: tuple[float, ...]


class Missed(NamedTuple):
    """Contacts that sampling at a step missed: how many are proven, and how many coal sees too."""

    robot: str
    kind: str
    step: float
    n: int
    proven: int
    seconded: int


class Goal(NamedTuple):
    """A straight line from start to goal: the first contact, and the steps at which sampling found one."""

    family: str
    world: str
    contact: str
    found: tuple[bool, ...]


class Certified(NamedTuple):
    """Certificates of free segments: intervals of each, how many verify, and the seconds that it takes."""

    robot: str
    kind: str
    intervals: tuple[int, ...]
    verified: int
    seconds: float


class Tuned(NamedTuple):
    """Seconds a segment of each way to use pinocchio; the best one, and the best with hulls of all links."""

    robot: str
    seconds: dict[str, float]
    best: Way
    hulls: Way


class Found(NamedTuple):
    """All that was measured of a robot."""

    rows: list[Row]
    singles: list[Single]
    missed: list[Missed]
    certified: list[Certified]
    goals: list[Goal]


def at(step: float, way: Way | None = None) -> str:
    """The name of sampling at a step."""
    return f"{step:g} rad" + (", hulls" if way is not None and way.geometry == HULLS else "")


def tune(peer: Peer, own: Own, worlds: list[World], effort: Effort) -> Tuned:
    """Which way to use pinocchio is the fastest, on both kinds of segments in a few worlds."""
    totals, n = dict.fromkeys(WAYS, 0.0), 0
    for world in {world.family: world for world in reversed(worlds)}.values():
        peer.place(world)
        own.place(world)
        for segments in _segments(own, world, effort.tuned).values():
            n += len(segments)
            for way in WAYS:
                peer.check(way, segments[:2], REFERENCE, ALL_THREADS)
                totals[way] += peer.check(way, segments, REFERENCE, ALL_THREADS).seconds
    best = min((way for way in WAYS if way.geometry != HULLS), key=totals.__getitem__)
    hulls = min((way for way in WAYS if way.geometry == HULLS), key=totals.__getitem__)
    return Tuned(worlds[0].robot.name, {str(way): total / n for way, total in totals.items()}, best, hulls)


def run_world(peer: Peer | None, own: Own, world: World, tuned: Tuned | None, effort: Effort) -> Found:
    """Both sides in one world."""
    own.place(world)
    if peer is not None:
        peer.place(world)
        if peer.self_pairs() != {frozenset(pair) for pair in own.robot.self_pairs}:
            raise RuntimeError("pinocchio looks at other pairs of links than this library does")
    found = Found([], [], [], [], [])
    for kind, segments in _segments(own, world, effort.segments).items():
        _run_kind(peer, own, tuned, _Task(world, kind, segments, effort), found)
    if world.start is not None and world.goal is not None:
        found.goals.append(_goal(peer, own, tuned, world))
    return found


def _segments(own: Own, world: World, n: int) -> dict[str, Numbers]:
    """Random and local ones, others in each world."""
    seed = crc32(f"{world.family} {world.name}".encode())
    free = own.free_configurations(n, seed + 1)
    local = local_segments(free, own.limits, seed=seed + 2)
    return {RANDOM: random_segments(own.limits, n, seed), LOCAL: local}


class _Task(NamedTuple):
    """Segments of a kind in a world."""

    world: World
    kind: str
    segments: Numbers
    effort: Effort

    def row(self, method: str, n_threads: int, free: Checked, touching: Checked) -> Row:
        """What a method took, and where it differs."""
        return Row(
            self.world.robot.name, self.world.family, self.world.name, self.kind, method, n_threads,
            len(free.is_touching), len(touching.is_touching), free.seconds, touching.seconds,
            int((~touching.is_touching).sum()), int(free.is_touching.sum()),
        )  # fmt: skip

    def single(self, part: str, method: str, taken: Numbers) -> Single:
        """What a method took, segment by segment."""
        return Single(self.world.robot.name, self.kind, part, method, tuple(taken.tolist()))


def _run_kind(peer: Peer | None, own: Own, tuned: Tuned | None, task: _Task, found: Found) -> None:
    is_touching = own.check(METHODS[0], task.segments, ALL_THREADS).is_touching
    free, touching = task.segments[~is_touching], task.segments[is_touching]
    own.warm_up(task.segments)
    for n_threads in (1, ALL_THREADS):
        for method, name in zip(METHODS, OWN, strict=True):
            checked = [own.check(method, some, n_threads) for some in (free, touching)]
            found.rows.append(task.row(name, n_threads, *checked))
    checked = [own.first_contacts(some, ALL_THREADS) for some in (free, touching)]
    found.rows.append(task.row(FIRST, ALL_THREADS, *checked))
    few = {FREE: free[: task.effort.singles], TOUCHING: touching[: task.effort.singles]}
    for part, some in few.items():
        for method, name in zip(METHODS, OWN, strict=True):
            found.singles.append(task.single(part, name, own.singles(method, some)))
    proofs = own.certificates(free[: task.effort.proofs])
    found.certified.append(Certified(task.world.robot.name, task.kind, *proofs))
    if peer is not None and tuned is not None:
        _sample(peer, own, tuned, task, free, touching, found)
        for part, some in few.items():
            taken = peer.singles(tuned.best, some, REFERENCE)
            found.singles.append(task.single(part, at(REFERENCE), taken))


def _sample(
    peer: Peer, own: Own, tuned: Tuned, task: _Task, free: Numbers, touching: Numbers, found: Found
) -> None:
    for step, way, n_threads in _sampled(tuned):
        n = task.effort.fine if step < REFERENCE else len(task.segments)
        checked = [peer.check(way, some[:n], step, n_threads) for some in (free, touching)]
        if way.geometry == MIXED:  # within a millimetre: what hulls say to touch is asked of the meshes
            is_doubtful, meshes = checked[0].is_touching, way._replace(geometry=MESHES)
            is_doubtful[is_doubtful] = peer.check(meshes, free[:n][is_doubtful], step, 1).is_touching
        found.rows.append(task.row(at(step, way), n_threads, *checked))
        if n_threads == ALL_THREADS and way == tuned.best:
            missed = touching[:n][~checked[1].is_touching]
            none = Missed(task.world.robot.name, task.kind, step, 0, 0, 0)
            found.missed.append(_second(peer, own, missed, none))


def _sampled(tuned: Tuned) -> Iterator[tuple[float, Way, int]]:
    """What sampling is asked: all steps on all threads; the reference on one too, and with hulls."""
    for step in STEPS:
        yield step, tuned.best, ALL_THREADS
    yield REFERENCE, tuned.best, 1
    yield REFERENCE, tuned.hulls, ALL_THREADS


def _second(peer: Peer, own: Own, missed: Numbers, none: Missed) -> Missed:
    """Are contacts that sampling missed contacts indeed? Coal looks from there on, up to the next sample."""
    proven = seconded = 0
    for segment in missed:
        witness = own.witness(segment)
        if witness is None or witness.time_upper > 1.0:
            continue
        proven += 1
        length = none.step / np.abs(segment[1] - segment[0]).max()
        times = np.linspace(witness.time_upper, min(witness.time_upper + length, 1.0), _N_LOOKS)
        along = segment[0] + times[:, np.newaxis] * (segment[1] - segment[0])
        seconded += bool(peer.is_touching(along).any())
    return none._replace(n=len(missed), proven=proven, seconded=seconded)


def _goal(peer: Peer | None, own: Own, tuned: Tuned | None, world: World) -> Goal:
    segment = np.stack([world.start, world.goal])
    witness = own.witness(segment)
    steps = STEPS if peer is not None and tuned is not None else ()
    found = [peer.check(tuned.best, segment[np.newaxis], step, 1) for step in steps]
    return Goal(world.family, world.name, _told(witness), tuple(bool(one.is_touching[0]) for one in found))


def _told(witness: Witness | None) -> str:
    return "free" if witness is None else f"{witness.a}, {witness.b} at {witness.time:.4f}"
