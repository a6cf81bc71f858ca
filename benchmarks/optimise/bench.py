"""For planners and optimisers: near pairs with gradients, paths pulled out of walls, plans of OMPL's.

Near pairs: a Panda of meshes in problems of MotionBenchMaker, self-contact included, at random
configurations. Beside, in a process of its own, pinocchio with coal: distances of all pairs, links as hulls,
those that are convex as hulls, or meshes. It gives no gradients, no depth of meshes, and looks at no pair of
two things that cannot move; `near` gives all of these, and in the batch is one call. Hulls of links are
another question: that is the one of MuJoCo's `mj_geomDistance`, a call for each pair, signed, without
gradients; and of `near` of a robot of hulls.

Paths: SLSQP moves waypoints of an arm out of a wall. Each pair near a segment is a constraint: at its least
distance over the segment, or at the least of some samples along it. "Missed" are paths that the method calls
free and that touch. Plans: RRTConnect and shortcuts, with `is_free` as its motion validator, or with OMPL's
own samples, each of which is a call of `intersects`.

Seconds are those of the processor, on one thread.
"""

from importlib.util import find_spec

import numba
import numpy as np

from optimise.configurations import Agreement, Row, hull_rows, own_rows, peer_rows, robot, worlds
from optimise.plans import planned
from optimise.pulling import compared, sampled, whole
from report.remote import RemoteError
from report.section import Headline, Part, Run, SkippedError, Table
from robot.cases import PANDA
from robot.peers import Peer, is_missing

TITLE = "Planners and optimisers"
_BATCH, _QUICK_BATCH, _SINGLES = 1000, 200, 20
_SAMPLES = (5, 20)


def near(run: Run) -> Part:
    """Pairs at configurations."""
    if not (run.data / "robots" / PANDA).is_dir() or find_spec("yaml") is None:
        raise SkippedError("the data of the Panda, or pyyaml, are missing")
    numba.set_num_threads(1)
    arm, rows, agreements, fault = robot(run.data), list[Row](), list[Agreement](), ""
    peer = None if is_missing() else Peer()
    fault = "" if peer else "pin or coal is missing"
    for world in worlds(run.data)[: 1 if run.quick else 3]:
        q = arm.sample(_QUICK_BATCH if run.quick else _BATCH, np.random.default_rng(0))
        found, least = own_rows(arm, world, q, _SINGLES)
        rows += found
        if find_spec("mujoco") is not None:
            found, agreement = hull_rows(arm, world, q, _SINGLES)
            rows += found
            agreements.append(agreement)
        try:
            found, agreement = peer_rows(peer, world, q, least) if peer else ([], None)
            rows += found
            agreements += [agreement] if agreement else []
        except RemoteError as reason:
            fault, peer = f"pinocchio: {reason}", _closed(peer)
    _closed(peer)
    return Part(
        tables=_tables(rows, agreements),
        headlines=tuple(_headlines(rows)),
        notes=(fault,) if fault else (),
        figures={"rows": rows, "agreements": agreements},
    )


def _closed(peer: Peer | None) -> None:
    if peer is not None:
        peer.close()


def _tables(rows: list[Row], agreements: list[Agreement]) -> tuple[Table, ...]:
    lines = [("world", "method", "ms, one by one", "ms, in a batch", "pairs")]
    for one in rows:
        times = f"{1e3 * one.single:.2f}", f"{1e3 * one.batch:.2f}"
        lines.append((one.world, one.method, *times, f"{one.pairs:.1f}"))
    alike = [("world", "beside", "configurations", "apart", "largest difference, m", "another side")]
    alike += [
        (at.world, at.beside, f"{at.configurations}", f"{at.apart}", f"{at.largest:.0e}", f"{at.sides}")
        for at in agreements
    ]
    tables = (
        Table("A configuration", lines, 2),
        Table("The least distance beside the peers'", alike),
    )
    return tables if agreements else tables[:1]


def _headlines(rows: list[Row]) -> list[Headline]:
    found = []
    for own in rows:
        if own.method == "near, all pairs":
            theirs = [one for one in rows if one.world == own.world and one.method == "pinocchio, meshes"]
            seconds = theirs[0].batch if theirs else float("nan")
            what = f"all pairs of a Panda, in a batch, {own.world}"
            found.append(Headline(what, own.batch, "pinocchio", seconds, "" if theirs else "missing"))
    return found


def paths(run: Run) -> Part:
    """Whole optimisations."""
    numba.set_num_threads(1)
    ways = {"whole segments": whole} | {f"{n} samples a segment": sampled(n) for n in _SAMPLES}
    rows = compared(30 if run.quick else 200, ways)
    lines = [("method", "problems", "ms each", "called free", "missed")]
    for one in rows:
        counts = f"{one.called_free}", f"{one.missed}"
        lines.append((one.method, f"{one.problems}", f"{1e3 * one.seconds:.0f}", *counts))
    return Part(tables=(Table("Paths pulled out of walls", lines),), figures=rows)


def plans(run: Run) -> Part:
    """Whole plans."""
    if find_spec("ompl") is None:
        raise SkippedError("ompl is missing")
    numba.set_num_threads(1)
    rows = planned(10 if run.quick else 50)
    lines = [("method", "plans", "ms each", "found", "missed")]
    for one in rows:
        counts = f"{one.found}", f"{one.missed}"
        lines.append((one.method, f"{one.plans}", f"{1e3 * one.seconds:.0f}", *counts))
    return Part(tables=(Table("Plans of OMPL's", lines),), figures=rows)


PARTS = {"near": near, "paths": paths, "plans": plans}
