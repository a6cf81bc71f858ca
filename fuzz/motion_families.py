"""Ten families of motions, and where bodies on them are, worked out by NumPy and SciPy alone."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline
from scipy.spatial.transform import Rotation, RotationSpline

import firstcontact as fc

Array = NDArray[Any]
Rng = np.random.Generator

BONES = 3


class Poses(NamedTuple):
    """Where n bodies are at m times each: rotations (n, m, 3, 3), places (n, m, 3)."""

    rotations: Array
    places: Array


class Case(NamedTuple):
    """Motions of a body, in calls of one or of a batch, and where it is at times (n, m)."""

    things: list[fc.Moving]
    poses: Callable[[Array], Any]


def arm() -> fc.Robot:
    """The arm: hinges about y, bones along z."""
    bone = fc.Capsule(0.05, 0.5).at((np.eye(3), [0, 0, 0.25]))
    links: dict[str, Any] = {"base": ()} | {f"bone {k}": bone for k in range(BONES)}
    joints = [
        fc.Joint(
            f"hinge {k}",
            "continuous",
            "base" if k == 0 else f"bone {k - 1}",
            f"bone {k}",
            (np.eye(3), [0, 0, 0.5 if k else 0.0]),
            [0, 1, 0],
        )
        for k in range(BONES)
    ]
    return fc.Robot(links, joints)


def _ways(rng: Rng, n: int) -> tuple[Array, Array]:
    """Starts and ways (n, 3) that pass the origin, some of them straight through it."""
    start = rng.normal(size=(n, 3)) * 1.5
    return start, -start * rng.uniform(0.5, 2.5, (n, 1)) + rng.normal(size=(n, 3)) * 0.6


def _knots(rng: Rng, n: int, k: int) -> tuple[Array, Array, Array]:
    """Times (k,), places (n, k, 3) and rotation vectors (n, k, 3), of turns that add up."""
    times = np.concatenate([[0.0], np.sort(rng.choice(np.arange(1, 32), k - 2, False)) / 32.0, [1.0]])
    start, way = _ways(rng, n)
    places = start[:, None] + times[:, None] * way[:, None] + rng.normal(size=(n, k, 3)) * 0.3
    turns = rng.normal(size=(n, 1, 3)) * times[:, None] * 2.0 + rng.normal(size=(n, k, 3)) * 0.2
    return times, places, turns


def _matrices(vectors: Array) -> Array:
    return Rotation.from_rotvec(vectors.reshape(-1, 3)).as_matrix().reshape(*vectors.shape[:-1], 3, 3)


def _poses_of(rotations: Array, places: Array) -> Array:
    poses = np.zeros((*places.shape[:-1], 4, 4))
    poses[..., :3, :3], poses[..., :3, 3], poses[..., 3, 3] = rotations, places, 1.0
    return poses


def _each(function: Callable[..., Array], times: Array) -> Array:
    """Evaluate row by row: function(i, times of row i)."""
    return np.stack([function(i, row) for i, row in enumerate(times)])


def splines(rng: Rng, n: int, shape: Any) -> Case:
    """`Spline`, through poses."""
    knots, places, turns = _knots(rng, n, int(rng.integers(3, 7)))
    rotations = _matrices(turns)
    thing = shape.along(fc.Spline(knots, _poses_of(rotations, places)))
    cubics = [CubicSpline(knots, row) for row in places]
    turned = [RotationSpline(knots, Rotation.from_matrix(row)) for row in rotations]
    return Case(
        [thing],
        lambda t: Poses(_each(lambda i, x: turned[i](x).as_matrix(), t), _each(lambda i, x: cubics[i](x), t)),
    )


def rotation_splines(rng: Rng, n: int, shape: Any) -> Case:
    """SciPy's own splines: one of the turn, and many of the place."""
    knots, places, turns = _knots(rng, n, 5)
    turn = RotationSpline(knots, Rotation.from_rotvec(turns[0]))
    place = CubicSpline(knots, np.moveaxis(places, 0, 1), bc_type="natural")
    cubics = [CubicSpline(knots, row, bc_type="natural") for row in places]
    return Case(
        [shape.along((turn, place))],
        lambda t: Poses(_each(lambda _, x: turn(x).as_matrix(), t), _each(lambda i, x: cubics[i](x), t)),
    )


def throws(rng: Rng, n: int, shape: Any) -> Case:
    """Constant acceleration, and a constant turn."""
    start, way = _ways(rng, n)
    pull, turn = rng.normal(size=(n, 3)) * 3.0, rng.normal(size=(n, 3)) * rng.choice([0.0, 3.0, 20.0])
    first = Rotation.random(n, random_state=rng).as_matrix()
    thing = shape.moving((first, start), velocity=way - 0.5 * pull, angular_velocity=turn, acceleration=pull)

    def poses(t: Array) -> Poses:
        x = t[..., None]
        places = start[:, None] + x * (way - 0.5 * pull)[:, None] + 0.5 * x * x * pull[:, None]
        return Poses(_matrices(x * turn[:, None]) @ first[:, None], places)

    return Case([thing], poses)


def cams(rng: Rng, n: int, shape: Any) -> Case:
    """A body that turns unevenly about an axis which it is not centred on."""
    rate, swing, wave = rng.normal(size=n) * 6.0, rng.normal(size=n), rng.integers(1, 5, n) * 2.0
    arms, axis = rng.normal(size=(n, 3)), rng.normal(size=(n, 3)) * 0.7

    def angle(t: Any) -> list[Any]:
        return [rate[i] * t + swing[i] * np.sin(wave[i] * t) for i in range(n)]

    def function(t: Any) -> Any:
        turned = angle(t)
        places = [
            [
                axis[i, 0] + arms[i, 0] * np.cos(turned[i]),
                axis[i, 1] + arms[i, 0] * np.sin(turned[i]),
                axis[i, 2],
            ]
            for i in range(n)
        ]
        return [[0.0, 0.0, turned[i]] for i in range(n)], places

    def poses(t: Array) -> Poses:
        turned = rate[:, None] * t + swing[:, None] * np.sin(wave[:, None] * t)
        around = np.stack([np.cos(turned), np.sin(turned), 0.0 * turned], axis=-1) * arms[:, None, :1]
        vectors = np.stack([0.0 * turned, 0.0 * turned, turned], axis=-1)
        return Poses(_matrices(vectors), axis[:, None] + around)

    return Case([shape.along(_formula(function))], poses)


def _formula(function: Callable[[Any], Any]) -> Any:
    """A motion of a function that gives lists of formulas."""
    return fc.motion(lambda t: tuple(np.array(part, object) for part in function(t)))


def rolling(rng: Rng, n: int, shape: Any) -> Case:
    """Wheels that roll along x, with a speed that changes, without slip."""
    start, way = _ways(rng, n)
    radius, push = rng.uniform(0.2, 1.0, n), rng.normal(size=n)

    def gone(i: int, t: Any) -> Any:
        return way[i, 0] * t + push[i] * t * t

    def function(t: Any) -> Any:
        places = [[start[i, 0] + gone(i, t), start[i, 1], start[i, 2]] for i in range(n)]
        return [[0.0, gone(i, t) / radius[i], 0.0] for i in range(n)], places

    def poses(t: Array) -> Poses:
        far = way[:, :1] * t + push[:, None] * t * t
        places = np.repeat(start[:, None], t.shape[1], axis=1)
        places[..., 0] += far
        angle = far / radius[:, None]
        return Poses(_matrices(np.stack([0.0 * angle, angle, 0.0 * angle], axis=-1)), places)

    return Case([shape.along(_formula(function))], poses)


def screws(rng: Rng, n: int, shape: Any) -> Case:
    """Screws from pose to pose."""
    start, way = _ways(rng, n)
    first = Rotation.random(n, random_state=rng)
    turn = rng.normal(size=(n, 3)) * 0.8
    turn *= np.minimum(1.0, 3.0 / np.linalg.norm(turn, axis=1, keepdims=True))
    last = Rotation.from_rotvec(turn) * first
    thing = shape.moving((first, start), (last, start + way), path="screw")
    angle = np.linalg.norm(turn, axis=1)[:, None, None]
    across = np.zeros((n, 3, 3))
    for k, (i, j) in enumerate(((1, 2), (2, 0), (0, 1))):
        across[:, i, j], across[:, j, i] = -turn[:, k], turn[:, k]
    square = across @ across

    def slid(t: Array) -> Array:
        """How a velocity adds up while it turns, (n, m, 3, 3)."""
        x = t[..., None, None]
        w = angle[:, None]
        bend = (1.0 - np.cos(x * w)) / w**2 * across[:, None]
        return x * np.eye(3) + bend + (x * w - np.sin(x * w)) / w**3 * square[:, None]

    jump = start + way - np.einsum("nij,nj->ni", _matrices(turn), start)
    rate = np.linalg.solve(slid(np.ones((n, 1)))[:, 0], jump[..., None])[..., 0]

    def poses(t: Array) -> Poses:
        turned = _matrices(t[..., None] * turn[:, None])
        places = np.einsum("nmij,nj->nmi", turned, start) + np.einsum("nmij,nj->nmi", slid(t), rate)
        return Poses(turned @ first.as_matrix()[:, None], places)

    return Case([thing], poses)


def formulas(rng: Rng, n: int, shape: Any) -> Case:
    """Products of polynomials, roots, exponentials and waves."""
    start, way = _ways(rng, n)
    a, b, c = rng.normal(size=(3, n))
    turn = rng.normal(size=(n, 3))

    def place(i: Any, t: Any) -> tuple[Any, Any, Any]:
        x = start[i, 0] + way[i, 0] * t + 0.3 * a[i] * np.sin(5.0 * t) * np.exp(-t)
        y = start[i, 1] + way[i, 1] * np.sqrt(t * t + 0.1) + b[i] * t * t * t
        return x, y, start[i, 2] + way[i, 2] * t / (1.0 + 0.5 * t) + 0.2 * c[i] * np.cos(3.0 * t)

    def vector(i: Any, t: Any) -> tuple[Any, Any, Any]:
        return turn[i, 0] * np.sin(2.0 * t), turn[i, 1] * t * t, turn[i, 2] * np.exp(-t)

    def function(t: Any) -> Any:
        return [list(vector(i, t)) for i in range(n)], [list(place(i, t)) for i in range(n)]

    def poses(t: Array) -> Poses:
        rows = [(np.stack(vector(i, x), -1), np.stack(place(i, x), -1)) for i, x in enumerate(t)]
        return Poses(_matrices(np.stack([row[0] for row in rows])), np.stack([row[1] for row in rows]))

    return Case([shape.along(_formula(function))], poses)


def piecewise(rng: Rng, n: int, shape: Any) -> Case:
    """Pieces of constant velocities, each motion a call of its own."""
    knots, places, turns = _knots(rng, n, 5)
    rotations = _matrices(turns)
    things = [shape.along(_poses_of(rotations[i], places[i]), knots) for i in range(n)]
    steps = Rotation.from_matrix(
        (rotations[:, 1:] @ np.swapaxes(rotations[:, :-1], -1, -2)).reshape(-1, 3, 3)
    )
    vectors = steps.as_rotvec().reshape(n, -1, 3)

    def poses(t: Array) -> Poses:
        k = np.clip(np.searchsorted(knots, t, side="right") - 1, 0, len(knots) - 2)
        part = ((t - knots[k]) / np.diff(knots)[k])[..., None]
        rows = np.arange(n)[:, None]
        at = places[rows, k] + part * (places[rows, k + 1] - places[rows, k])
        return Poses(_matrices(part * vectors[rows, k]) @ rotations[rows, k], at)

    return Case(things, poses)


def robot_splines(rng: Rng, n: int) -> Case:
    """Splines of an arm's joints."""
    knots = np.concatenate([[0.0], np.sort(rng.choice(np.arange(1, 16), 2, False)) / 16.0, [1.0]])
    values = np.cumsum(rng.normal(size=(4, n, BONES)) * 0.8, axis=0)
    whole = CubicSpline(knots, values)
    parts = [CubicSpline(knots, values[:, i]) for i in range(n)]
    return Case([arm().along(whole)], lambda t: _each(lambda i, x: parts[i](x), t))


def trapezoidal_robots(rng: Rng, n: int) -> Case:
    """Trapezoidal profiles of an arm's joints: speed up, go on, slow down, at every waypoint."""
    robot, things, splines = arm(), [], []
    for _ in range(n):
        values = np.cumsum(rng.normal(size=(3, BONES)) * 0.8, axis=0)
        profile = fc.trapezoidal(values, rng.uniform(0.5, 2.0), rng.uniform(0.5, 4.0))
        things.append(robot.along(profile))
        splines.append(profile)

    def joints(i: int, t: Array) -> Array:
        x = splines[i].x
        return splines[i](x[0] + t * (x[-1] - x[0]))

    return Case(things, lambda t: _each(joints, t))


ROBOTS = {"robot_splines": robot_splines, "trapezoidal_robots": trapezoidal_robots}
FAMILIES: dict[str, Callable[..., Case]] = {
    "splines": splines,
    "rotation_splines": rotation_splines,
    "throws": throws,
    "cams": cams,
    "rolling": rolling,
    "screws": screws,
    "formulas": formulas,
    "piecewise": piecewise,
    **ROBOTS,
}
