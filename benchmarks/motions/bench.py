"""Smooth motions: splines beside constant velocities of the same length, and beside pieces made by hand.

Bodies pass each other at random; each spline goes through six poses around the straight way of the constant
motion, and has its turn. By hand, the same spline is cut into pieces of constant velocities, so many that
what they deviate, worked out from the largest accelerations and added to the separation, is a quarter of the
tolerance, as a spline's own pieces may where they decide. Microseconds a motion, processor time on one
thread, least of several rounds: of a batch in one call, and of single calls, the motion made before.

Robots: splines of an arm among boxes through four configurations, random ones, or local ones that lie within
0.3 rad of one that is free; `is_free` beside pinocchio with coal
at configurations that differ by at most 0.01 rad in any joint, leaving a path at its first contact;
milliseconds a path, on one thread. "Missed" are contacts that samples do not show.
"""

from collections.abc import Callable
from functools import partial
from time import perf_counter, thread_time
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline
from scipy.spatial.transform import Rotation

import firstcontact as fc
from report.section import Headline, Part, Run, SkippedError, Table, Target
from robot.arm import arm_worlds
from robot.own import Own
from robot.peers import BISECTION, MANAGERS, MIXED, Peer, Way, is_missing

TITLE = "Smooth motions"
N_POSES, STEP = 6, 0.01
RELATIVE_TOLERANCE, FINE = 1e-6, 0.25
_SINGLES = 20


def splines(run: Run) -> Part:
    """Splines, pieces and constant velocities of the same bodies."""
    threads = numba.get_num_threads()
    numba.set_num_threads(1)
    try:
        rows = [row for name, pair in _pairs().items() for row in _measured(name, *pair, run)]
    finally:
        numba.set_num_threads(threads)
    worst = {way: max(row[6] for row in rows if row[1] == way) for way in ("batch", "single")}
    lines = [("", "", "constant", "spline", "by hand", "pieces by hand", "spline / constant")]
    lines += [
        (name, way, *(f"{x:.1f}" for x in times), f"{n}", f"{ratio:.1f}")
        for name, way, *times, n, ratio in rows
    ]
    return Part(
        tables=(Table("Microseconds a motion", lines, n_left=2),),
        targets=tuple(
            Target(f"a spline takes at most twice a constant motion, {way}", f"{ratio:.1f}", ratio <= 2.0)
            for way, ratio in worst.items()
        ),
        figures=rows,
    )


def robots(run: Run) -> Part:
    """Splines of an arm, and samples along them."""
    if is_missing():
        raise SkippedError("pin or coal is missing")
    n = 40 if run.quick else 200
    world = arm_worlds(1)[0]
    own, rng = Own(world.robot), np.random.default_rng(0)
    own.place(world)
    peer, way = Peer(), Way(MIXED, MANAGERS[0], BISECTION)
    peer.place(world)
    lines = [("", "paths", "with contact", "firstcontact", "pinocchio, 0.01 rad", "missed", "made up")]
    headlines = []
    try:
        for kind in ("random", "local"):
            paths = [CubicSpline(np.arange(4), _configurations(own, rng, kind)) for _ in range(n)]
            found, seconds = _robot_own(own, paths)
            sampled = peer.paths(way, [_samples(path) for path in paths], 1)
            missed, made_up = found & ~sampled.is_touching, ~found & sampled.is_touching
            times = seconds / n, sampled.seconds / n
            counts = (f"{n}", f"{int(found.sum())}", *(f"{1e3 * one:.2f}" for one in times))
            lines.append((kind, *counts, f"{int(missed.sum())}", f"{int(made_up.sum())}"))
            headlines.append(
                Headline(f"{kind} splines of an arm", times[0], "pinocchio at 0.01 rad", times[1])
            )
    finally:
        peer.close()
    return Part(tables=(Table("Milliseconds a path", lines),), headlines=tuple(headlines), figures=lines)


def _configurations(own: Own, rng: np.random.Generator, kind: str) -> NDArray[np.float64]:
    """Four of them within the limits: any, or near one that touches nothing."""
    low, high = own.limits.T
    if kind == "random":
        return low + rng.random((4, len(low))) * (high - low)
    while True:
        middle = low + rng.random(len(low)) * (high - low)
        if not fc.intersects(own.robot.at(middle), own.scene, self_contact=True):
            return np.clip(middle + rng.uniform(-0.3, 0.3, (4, len(low))), low, high)


def _pairs() -> dict[str, tuple[Any, Any]]:
    rng = np.random.default_rng(1)
    box, hull = fc.Box([1, 0.6, 0.4]), fc.ConvexHull(rng.normal(size=(30, 3)) * 0.4)
    return {
        "box, hull": (box, hull),
        "box, mesh of a hull": (box, hull.mesh),
        "two meshes": (box.mesh, hull.mesh),
    }


def _measured(name: str, shape: Any, other: Any, run: Run) -> list[tuple[Any, ...]]:
    """Rows of one pair: a batch, and single calls."""
    n = 400 if run.quick else 2000
    rng = np.random.default_rng(2)
    start, way = rng.normal(size=(n, 3)) * 2.5, rng.normal(size=(n, 3)) * 3.0
    turn, t = rng.normal(size=(n, 3)) * 2.0, np.linspace(0.0, 1.0, N_POSES)
    poses = np.zeros((n, N_POSES, 4, 4))
    poses[..., :3, 3] = start[:, np.newaxis] + t[:, np.newaxis] * way[:, np.newaxis]
    poses[..., :3, 3] += np.cumsum(rng.normal(size=(n, N_POSES, 3)) * 0.25, axis=1)
    poses[..., :3, :3] = np.stack([Rotation.from_rotvec(turn * x).as_matrix() for x in t], axis=1)
    poses[..., 3, 3] = 1.0
    size = float(min(2 * shape.reach, 2 * other.reach))
    rows = []
    for kind, numbers in (("batch", None), ("single", range(_SINGLES))):
        own = poses if numbers is None else poses[numbers]
        constant, smooth, hand = _calls(shape, other, own, (start, way, turn), numbers, size)
        times = [_least(call) / len(own) * 1e6 for call in (constant, smooth, hand[0])]
        rows.append((name, kind, *times, hand[1], times[1] / times[0]))
    return rows


def _calls(shape: Any, other: Any, poses: Any, straight: Any, numbers: Any, size: float) -> Any:
    """Calls for a batch, or for some motions one by one: constant, spline, by hand with its pieces."""
    t = np.linspace(0.0, 1.0, N_POSES)
    spline = shape.along(fc.Spline(t, poses))
    start, way, turn = straight
    here = np.tile(np.eye(3), (len(start), 1, 1))
    constant = shape.moving((here, start), velocity=way, angular_velocity=turn)
    few = poses[: min(len(poses), _SINGLES)]
    cut = [_by_hand(shape, one, FINE * RELATIVE_TOLERANCE * size) for one in few]

    def hand() -> None:
        for moving, deviation in cut:
            fc.first_contact(moving, other, min_separation=deviation)

    n_pieces = int(np.mean([len(moving.motion.times) - 1 for moving, _ in cut]))
    if numbers is None:
        scale = len(poses) / len(cut)  # a batch of these would not fit into memory
        return (
            partial(fc.first_contacts, constant, other),
            partial(fc.first_contacts, spline, other),
            (partial(_repeated, hand, scale), n_pieces),
        )
    singles = [shape.along(fc.Spline(t, one)) for one in poses]
    plain = [shape.moving((np.eye(3), start[k]), velocity=way[k], angular_velocity=turn[k]) for k in numbers]
    return (
        lambda: [fc.first_contact(one, other) for one in plain],
        lambda: [fc.first_contact(one, other) for one in singles],
        (hand, n_pieces),
    )


def _repeated(call: Callable[[], None], scale: float) -> float:
    """Give the factor by which the time of a call counts."""
    call()
    return scale


def _by_hand(shape: Any, poses: NDArray[Any], wanted: float) -> tuple[fc.Moving, float]:
    """A spline in even pieces, and what they deviate: (P + r A) h^2 / 8 by the largest accelerations."""
    t = np.linspace(0.0, 1.0, N_POSES)
    spline = fc.Spline(t, poses)
    moving = shape.along(spline)
    # What the library knows of the whole stretch, as somebody with paper and patience would find it.
    bend = float(moving.motion.rows()[0, :, -1].max()) * 8.0 * (len(moving.motion.times) - 1) ** 2
    n = int(np.ceil(np.sqrt(bend / 8.0 / wanted)))
    times = np.linspace(0.0, 1.0, n + 1)
    return shape.along(np.stack([moving.pose(x) for x in times]), times), bend / 8.0 / n**2


def _least(call: Callable[[], Any], rounds: int = 5) -> float:
    """Least processor time of a call, times what it returns where that is a factor."""
    call()
    best = np.inf
    for _ in range(rounds):
        began = thread_time()
        factor = call()
        taken = thread_time() - began
        best = min(best, taken * (factor if isinstance(factor, float) else 1.0))
    return best


def _robot_own(own: Own, paths: list[Any]) -> tuple[NDArray[np.bool_], float]:
    threads = numba.get_num_threads()
    numba.set_num_threads(1)
    try:
        movings = [own.robot.along(path) for path in paths]
        fc.is_free(movings[0], own.scene, self_contact=True)
        began = perf_counter()
        found = [not fc.is_free(moving, own.scene, self_contact=True) for moving in movings]
        return np.array(found), perf_counter() - began
    finally:
        numba.set_num_threads(threads)


def _samples(path: Any) -> NDArray[np.float64]:
    """Configurations that differ by at most the step in any joint, both ends among them, coarse to fine."""
    fine = path(np.linspace(path.x[0], path.x[-1], 20_001))
    length = np.concatenate([[0.0], np.cumsum(np.abs(np.diff(fine, axis=0)).max(axis=1))])
    n = int(np.ceil(length[-1] / STEP))
    which = np.searchsorted(length, np.linspace(0.0, length[-1], n + 1)).clip(0, len(fine) - 1)
    order = np.argsort([int(f"{k:020b}"[::-1], 2) for k in range(n + 1)], kind="stable")
    found: NDArray[np.float64] = fine[which][order]
    return found


PARTS = {"splines": splines, "robots": robots}
