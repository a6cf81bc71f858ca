"""Courses: motions of a body over the whole step as plain data, and distances on them in extended precision.

A course is a pose, the center that is turned about, an acceleration, and legs one after the other, each with
a duration, a velocity and a turn in radians for a whole step.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from oracles.convex_cores import placed
from oracles.convex_distance import bracketed
from pieces import extent_of, pairs_of, pieces_of
from shrinking import fewer_and_rounder
from things import Data, Rng, motion_in, pose_of, scale_in, scaled, shape_in

Real = np.longdouble

# Pairs of pieces that the referee can look at soon.
MOST_PAIRS = 16

# Durations of legs add up to the step, but for rounding.
WHOLE = 1e-9


def courses_case(rng: Rng) -> Data:
    """Two shapes, each with a course, and a tolerance; the very same, or far away, at times."""
    a, b = shape_in(rng), shape_in(rng)
    while _count(a) * _count(b) > MOST_PAIRS:
        a, b = shape_in(rng), shape_in(rng)
    case = {"a": a, "b": b, "course_a": course_in(rng), "course_b": course_in(rng)}
    kind = rng.random()
    if kind < 0.05:
        case["b"] = a
    elif kind < 0.1:
        case["course_b"] = case["course_a"]
    elif kind < 0.2:
        away = rng.choice([1e3, 1e6]) * rng.integers(-1, 2, 3)
        for name in ("course_a", "course_b"):
            case[name]["place"] = (np.array(case[name]["place"]) + away).tolist()
    case["tolerance"] = float(rng.choice([1e-1, 1e-2, 1e-6, 1e-3, 1e-9]))
    return scaled(case, scale_in(rng)) | {"is_usual": bool(rng.random() < 0.5)}


def _count(data: Data) -> int:
    return len(data["faces"]) if data["kind"] == "mesh" else 1


def course_in(rng: Rng) -> Data:
    """One leg, thrown at times, turning fast at times; or several legs."""
    motion = motion_in(rng)
    leg = {"duration": 1.0, "velocity": motion.pop("velocity"), "turn": motion.pop("turn")}
    course = motion | {"legs": [leg], "acceleration": [0.0] * 3}
    kind = rng.random()
    if kind < 0.25:
        course["acceleration"] = (float(rng.choice([1e-3, 1.0, 10.0])) * rng.integers(-4, 5, 3) / 2).tolist()
    elif kind < 0.5:
        course["legs"] = _legs(rng)
    elif kind < 0.58:
        leg["turn"] = (
            np.eye(3)[rng.integers(3)] * 2 * np.pi * float(rng.choice([1.0, 10.0, 100.0]))
        ).tolist()
    return course


def _legs(rng: Rng) -> list[Data]:
    """Two or three legs, at rest at times; turns of less than half a turn, so that poses tell them."""
    durations = rng.choice([1, 2, 3, 62], int(rng.integers(2, 4)))
    legs = []
    for duration in durations / durations.sum():
        way = rng.uniform(-2, 2, 3) if rng.random() < 0.8 else np.zeros(3)
        turn = rng.normal(size=3) if rng.random() < 0.6 else np.zeros(3)
        turn *= min(1.0, 3.0 / max(float(np.linalg.norm(turn)), 1e-9))
        legs.append(
            {
                "duration": float(duration),
                "velocity": (way / duration).tolist(),
                "turn": (turn / duration).tolist(),
            }
        )
    return legs


def on_course(shape: Any, course: Data) -> Any:
    """Set a shape in motion."""
    if len(course["legs"]) > 1:
        times = _times(course)
        poses = [pose_then(course, t) for t in times]
        rotations, places = (np.array(part, float) for part in zip(*poses, strict=True))
        return shape.along((rotations, places), times, center=course["center"])
    leg = course["legs"][0]
    has_throw = any(course["acceleration"])
    more = {"acceleration": course["acceleration"]} if has_throw else {}
    return shape.moving(
        pose_of(course),
        velocity=leg["velocity"],
        angular_velocity=leg["turn"],
        center=course["center"],
        **more,
    )


def twice(motion: Any) -> Any:
    """A batch of the same motion, two times."""
    law = None if motion.law is None else motion.law.chosen(np.array([0, 0]))
    pieces, translations = (np.concatenate([part, part]) for part in (motion.pieces, motion.translations))
    return type(motion)(pieces, translations, motion.times, True, law)


def _times(course: Data) -> list[float]:
    ends = np.cumsum([leg["duration"] for leg in course["legs"]])
    return [0.0, *ends[:-1].tolist(), 1.0]


def pose_then(course: Data, t: Any) -> tuple[Any, Any]:
    """Rotation and place at a time, in extended precision."""
    rotation, place = (part.astype(Real) for part in pose_of(course))
    center, time = np.array(course["center"], Real), Real(t)
    point = rotation @ center + place + time * time * np.array(course["acceleration"], Real) / 2
    times = _times(course)
    for leg, begin, end in zip(course["legs"], times[:-1], times[1:], strict=True):
        passed = min(max(time - begin, Real(0)), Real(end) - begin)
        point = point + passed * np.array(leg["velocity"], Real)
        rotation = turned(np.array(leg["turn"], Real) * passed, rotation)
    return rotation, point - rotation @ center


def turned(turn: Any, rotation: Any) -> Any:
    """Turn by a rotation vector."""
    angle = np.sqrt((turn * turn).sum())
    if not angle > 0:
        return rotation
    x, y, z = turn / angle
    across = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]], Real)
    matrix = np.eye(3, dtype=Real) + np.sin(angle) * across + 2 * np.sin(angle / 2) ** 2 * (across @ across)
    return matrix @ rotation


class Seen(NamedTuple):
    """Proven bounds of the distances at times, (m,)."""

    lower: Any
    upper: Any


class Referee:
    """Measures two bodies on their courses, whatever the library says."""

    def __init__(self, case: Data) -> None:
        self.cores = pairs_of(pieces_of(case["a"]), pieces_of(case["b"]))
        self.courses = case["course_a"], case["course_b"]
        reaches = [_reach(course) for course in self.courses]
        self.rounding = 1e-12 * extent_of(case["a"], case["b"], reaches)

    def at(self, times: Any) -> Seen:
        """Bounds of the distances of surfaces at times."""
        n, sides = len(self.cores[0]), []
        for cores, course in zip(self.cores, self.courses, strict=True):
            rotations, origins = zip(*(pose_then(course, t) for t in times), strict=True)
            each = np.repeat(np.array(rotations), n, axis=0), np.repeat(np.array(origins), n, axis=0)
            sides.append(placed(list(cores) * len(times), *each))
        found = bracketed(*sides)
        lower, upper = (bound.reshape(len(times), n).min(axis=1) for bound in (found.lower, found.upper))
        return Seen(lower.astype(float), upper.astype(float))


def _reach(course: Data) -> Any:
    """How far from the origin, and how fast where it turns."""
    way = sum(leg["duration"] * np.abs(leg["velocity"]) for leg in course["legs"])
    turns = sum(leg["duration"] * float(np.linalg.norm(leg["turn"])) for leg in course["legs"])
    arm = np.abs(course["center"])
    return np.abs(course["place"]) + way + (2 + turns) * arm + np.abs(course["acceleration"])


def simpler_courses(case: Data) -> Iterator[Data]:
    """A case without turns, velocities, accelerations and rotations; with fewer faces; rounder numbers."""
    for name in ("course_a", "course_b"):
        for simpler in _simpler(case[name]):
            yield case | {name: simpler}
    for variant in fewer_and_rounder(case):
        if all(_is_whole(variant[name]) for name in ("course_a", "course_b")):
            yield variant


def _simpler(course: Data) -> Iterator[Data]:
    legs, nought = course["legs"], [0.0] * 3
    if len(legs) > 1:
        yield course | {"legs": [legs[0] | {"duration": 1.0}]}
    for i, leg in enumerate(legs):
        for part in ("turn", "velocity"):
            if any(leg[part]):
                yield course | {"legs": [*legs[:i], leg | {part: nought}, *legs[i + 1 :]]}
    for part, plain in (("acceleration", nought), ("rotation", np.eye(3).tolist())):
        if course[part] != plain:
            yield course | {part: plain}


def _is_whole(course: Data) -> bool:
    return abs(sum(leg["duration"] for leg in course["legs"]) - 1.0) < WHOLE
