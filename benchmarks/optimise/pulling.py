"""Paths of an arm through thin walls, pulled out of them: by whole segments, or by samples along them."""

from collections.abc import Callable
from time import process_time
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize

import firstcontact as fc
from robot.cases import Numbers

KEPT, WITHIN = 0.02, 0.15  # the distance to keep, and how near a pair has to come to matter
_N_INNER, _ROUNDS, _STEPS, _STRIDE = 4, 6, 20, 0.4
_HERE = np.eye(3)


class Near(NamedTuple):
    """Pairs that are near on a path: their gaps, and how these change with each waypoint, (m, n, dof)."""

    gaps: Numbers
    slopes: Numbers


Ask = Callable[[fc.Robot, Numbers, dict[str, fc.Moving]], Near]


class Pulled(NamedTuple):
    """A method on all problems: seconds of each, paths that it calls free, and how many of these touch."""

    method: str
    problems: int
    seconds: float
    called_free: int
    missed: int


def arm() -> fc.Robot:
    """Three joints; two bones that bend, and turn about the vertical."""
    bone = fc.Capsule(0.05, 0.4).at((_HERE, [0, 0, 0.2]))
    links: dict[str, object] = {"base": (), "waist": (), "upper": bone, "lower": bone}
    joints = [
        fc.Joint("waist turns", "revolute", "base", "waist", axis=[0, 0, 1]),
        fc.Joint("shoulder", "revolute", "waist", "upper", axis=[0, 1, 0]),
        fc.Joint("elbow", "revolute", "upper", "lower", (_HERE, [0, 0, 0.4]), [0, 1, 0]),
    ]
    return fc.Robot(links, joints)


def problem(seed: int) -> tuple[Numbers, dict[str, fc.Moving]]:
    """Both ends, on either side of a wall that is 2 to 30 cm thick."""
    rng = np.random.default_rng(seed)
    ends = np.array([[-1.0, 1.4, 0.3], [1.0, 1.4, 0.3]]) + rng.uniform(-0.2, 0.2, (2, 3))
    wall = fc.Box([0.6, rng.uniform(0.02, 0.3), rng.uniform(0.3, 0.7)])
    return ends, {"wall": wall.at((_HERE, [0.6, rng.uniform(-0.1, 0.1), 0.0]))}


def whole(robot: fc.Robot, path: Numbers, world: dict[str, fc.Moving]) -> Near:
    """The least distance of each pair over each segment, as it is proven."""
    found = fc.near(robot.moving(path[:-1], path[1:]), world, within=WITHIN, tolerance=1e-3)
    slopes, rows = np.zeros((len(found), *path.shape)), np.arange(len(found))
    slopes[rows, found.rows] += found.gradient[:, 0]
    slopes[rows, found.rows + 1] += found.gradient[:, 1]
    return Near(found.distance_lower, np.nan_to_num(slopes))


def sampled(n: int) -> Ask:
    """The least distance of each pair at n configurations of each segment."""

    def ask(robot: fc.Robot, path: Numbers, world: dict[str, fc.Moving]) -> Near:
        times = np.arange(n) / n
        q = path[:-1, None] + times[:, None] * np.diff(path, axis=0)[:, None]
        found = fc.near(robot.at(q.reshape(-1, robot.dof)), world, within=WITHIN)
        order = np.argsort(found.distance, kind="stable")
        pairs = [
            f"{row // n} {a}" for row, a in zip(found.rows[order], np.asarray(found.a)[order], strict=True)
        ]
        least = order[np.unique(pairs, return_index=True)[1]]
        segments, t = found.rows[least] // n, times[found.rows[least] % n, None]
        slopes, rows = np.zeros((len(least), *path.shape)), np.arange(len(least))
        slopes[rows, segments] += (1.0 - t) * found.gradient[least]
        slopes[rows, segments + 1] += t * found.gradient[least]
        return Near(found.distance[least], np.nan_to_num(slopes))

    return ask


def pulled(robot: fc.Robot, ends: Numbers, world: dict[str, fc.Moving], ask: Ask) -> Numbers:
    """A short path between both ends: linear constraints made anew, SLSQP between."""
    path = np.linspace(ends[0], ends[1], _N_INNER + 2)
    for _ in range(_ROUNDS):
        gaps, slopes = ask(robot, path, world)
        inner, rows = path[1:-1].reshape(-1), slopes[:, 1:-1].reshape(len(gaps), -1)
        kept = {
            "type": "ineq",
            "fun": lambda x, gaps=gaps, rows=rows, inner=inner: gaps - KEPT + rows @ (x - inner),
            "jac": lambda _, rows=rows: rows,
        }
        bounds = np.stack([inner - _STRIDE, inner + _STRIDE], axis=1)
        found = minimize(
            _length, inner, (ends,), "SLSQP", jac=True, bounds=bounds,
            constraints=[kept] if len(gaps) else [], options={"maxiter": _STEPS},
        )  # fmt: skip
        path = np.concatenate([ends[:1], found.x.reshape(-1, robot.dof), ends[1:]])
    return path


def _length(x: Numbers, ends: Numbers) -> tuple[float, Numbers]:
    steps = np.diff(np.concatenate([ends[:1], x.reshape(-1, ends.shape[1]), ends[1:]]), axis=0)
    return float((steps**2).sum()), 2.0 * (steps[:-1] - steps[1:]).reshape(-1)


def compared(n_problems: int, ways: dict[str, Ask]) -> list[Pulled]:
    """All ways on the same problems; a way calls a path free by its own look at it."""
    robot, rows = arm(), []
    for method, ask in ways.items():
        pulled(robot, *problem(0), ask)  # compiled before the clock starts
        seconds, called_free, missed = 0.0, 0, 0
        for seed in range(n_problems):
            ends, world = problem(seed)
            began = process_time()
            path = pulled(robot, ends, world, ask)
            looks_free = bool((ask(robot, path, world).gaps > 0.0).all())
            seconds += process_time() - began
            called_free += looks_free
            missed += looks_free and not fc.is_free(robot.along(path), world)
        rows.append(Pulled(method, n_problems, seconds / n_problems, called_free, missed))
    return rows
