"""Gradients along splines, throws, formulas and robots' paths, against differences; and changed proofs.

What stands still is moved a little to either side, in six ways: the least distance of a motion, and the time
of its first contact, change as their gradients say, where both sides agree that there is no kink. Of a robot,
the whole path is shifted. A certificate of the same motion holds, and does not once a gap or a reach in time
is more than it was, or a time is left out.
"""

from dataclasses import replace
from typing import Any

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.spatial.transform import Rotation

import firstcontact as fc

SECONDS_A_CASE = 60.0

# A step, in units of the size; what differences may be off by, and what counts as a kink, in units of it.
STEP, OFF, KINK = 1e-4, 2e-2, 1e-3

# Slower than this, or nearer, a step bends times and distances by too much.
SLOW, NEAR = 0.3, 0.1

MOTIONS = ("spline", "throw", "formula", "robot")


def make(rng: np.random.Generator) -> dict[str, Any]:
    """A motion, a body, and something that stands in its way or beside it."""
    return {
        "motion": str(rng.choice(MOTIONS)),
        "knots": rng.normal(size=(4, 3)).tolist(),
        "turns": (rng.choice([0.0, 0.6]) * rng.normal(size=(4, 3))).tolist(),
        "body": str(rng.choice(["ball", "capsule", "ellipsoid"])),
        "post": str(rng.choice(["ball", "capsule", "box", "mesh"])),
        "place": (rng.choice([0.5, 1.5, 2.5]) * rng.normal(size=3)).tolist(),
        "turn": rng.normal(size=3).tolist(),
        "way": rng.normal(size=6).tolist(),
        "seed": int(rng.integers(1 << 30)),
    }


def check(case: dict[str, Any]) -> str | None:
    """Ask for gradients and proofs."""
    post, place = _shape(case["post"]), np.array(case["place"])
    if case["motion"] == "robot":
        return _robot_fault(case, post.at((Rotation.from_rotvec(case["turn"]).as_matrix(), place)))
    moving, way = _moving(case, 0.0), np.array(case["way"]) / np.linalg.norm(case["way"])

    def at(step: float) -> Any:
        turn = Rotation.from_rotvec(step * way[3:]) * Rotation.from_rotvec(case["turn"])
        return post.at((turn.as_matrix(), place + step * way[:3]))

    def least(step: float) -> Any:
        return fc.clearance(moving, at(step), tolerance=1e-9)

    def first(step: float) -> Any:
        return fc.first_contact(moving, at(step), tolerance=1e-10)

    near = least(0.0)
    if near.distance > NEAR:
        values = [least(sign * STEP).distance for sign in (1.0, -1.0)]
        fault = _slope_fault("clearance", near.distance, values, float(near.gradient[1] @ way))
    else:
        fault = None
    hit = first(0.0)
    if hit and hit.time > 0.0 and np.isfinite(hit.gradient).all():
        speed = 1.0 / max(float(np.linalg.norm(hit.gradient[1, :3])), 1e-9)
        times = [first(sign * STEP).time for sign in (1.0, -1.0)]
        if speed > SLOW and np.isfinite(times).all():
            fault = fault or _slope_fault("first contact", hit.time, times, float(hit.gradient[1] @ way))
    return fault or _proof_fault(case, hit.certificate)


def _shape(name: str) -> Any:
    shapes = {
        "ball": fc.Sphere(0.3),
        "capsule": fc.Capsule(0.2, 0.6),
        "ellipsoid": fc.Ellipsoid([0.2, 0.3, 0.4]),
        "box": fc.Box([0.8, 0.5, 0.3]),
        "mesh": fc.Box([0.8, 0.5, 0.3]).mesh,
    }
    return shapes[name]


def _moving(case: dict[str, Any], aside: float) -> Any:
    """The body on its way, or on one beside it."""
    shape, knots = _shape(case["body"]), np.array(case["knots"]) + aside
    turns = Rotation.from_rotvec(np.array(case["turns"]))
    if case["motion"] == "spline":
        return shape.along(fc.Spline(np.linspace(0.0, 1.0, 4), (turns.as_matrix(), knots)))
    if case["motion"] == "throw":
        spin = turns.as_rotvec()[1]
        start = (turns.as_matrix()[0], knots[0])
        return shape.moving(start, velocity=2 * knots[1], angular_velocity=spin, acceleration=2 * knots[2])
    a, b, c, d = (row.tolist() for row in knots)
    (x, y, z), turn = turns.as_rotvec()[0].tolist(), case["turns"][1]

    def along(t: Any) -> Any:
        place = [a[i] + b[i] * t + c[i] * np.sin(3 * t + d[i]) for i in range(3)]
        return [x + turn[0] * t, y + turn[1] * np.cos(t), z * np.exp(-t)], place

    return shape.along(fc.motion(along))


def _slope_fault(name: str, here: float, beside: list[float], slope: float) -> str | None:
    """Compare a difference with a gradient, where there is no kink."""
    ahead, behind = beside
    if abs(ahead + behind - 2.0 * here) > KINK * STEP:
        return None
    told = (ahead - behind) / (2.0 * STEP)
    return f"{name}: the difference is {told}, the gradient {slope}" if abs(told - slope) > OFF else None


def _proof_fault(case: dict[str, Any], proof: Any) -> str | None:
    """Change a proof in every way that takes something away from it."""
    if not proof.verify():
        return f"the proof does not hold: {proof.fault()}"
    k, n = proof.intervals, len(proof)
    if n == 0:
        return None
    i = int(np.random.default_rng(case["seed"]).integers(n))
    picked = np.zeros(n)
    picked[i] = 1.0
    is_then = (k.pairs == k.pairs[i]) & (k.times[:, 0] <= k.at[i]) & (k.times[:, 1] >= k.at[i])
    changed = {
        "a gap is wider": k._replace(gaps=k.gaps + 100.0 * picked),
        "a travel is wider than its gap": k._replace(travels=k.travels + 100.0 * picked),
        "there is a hole in time": k.chosen(np.flatnonzero(~is_then)),
        "a gap is of another time": k._replace(at=k.at + picked * (1.0 + k.times[:, 1])),
        "a time is no number": k._replace(at=np.where(picked > 0.0, np.nan, k.at)),
        "an interval lasts longer than all of them": k._replace(
            times=k.times + picked[:, np.newaxis] * [0, 2]
        ),
    }
    for what, intervals in changed.items():
        if replace(proof, intervals=intervals).verify():
            return f"the proof holds, and {what}"
    if replace(proof, min_separation=proof.min_separation + 100.0).verify():
        return "the proof holds of another separation"
    return None


def _robot_fault(case: dict[str, Any], post: Any) -> str | None:
    """Distances and clearances of an arm of three joints along a spline, shifted in all of them."""
    joints = [
        fc.Joint(
            f"j{i}", "revolute", f"l{i}", f"l{i + 1}", (np.eye(3), [0.0, 0.0, 0.7]), [1.0 - i % 2, i % 2, 0.3]
        )
        for i in range(3)
    ]
    link = _shape(case["body"])
    robot = fc.Robot({"l0": ()} | {f"l{i + 1}": link.at((np.eye(3), [0, 0, 0.4])) for i in range(3)}, joints)
    knots, way = np.array(case["knots"]), np.array(case["way"][:3]) / np.linalg.norm(case["way"][:3])

    def on(step: float) -> Any:
        return robot.along(CubicSpline(np.linspace(0.0, 1.0, 4), knots + step * way))

    near = fc.distance(robot.at(knots[0]), post)
    if near.distance > NEAR:
        values = [fc.distance(robot.at(knots[0] + sign * STEP * way), post).distance for sign in (1.0, -1.0)]
        fault = _slope_fault("distance of a robot", near.distance, values, float(near.gradient @ way))
        if fault:
            return fault
    least = fc.clearance(on(0.0), post, tolerance=1e-9)
    if least.distance > NEAR:
        values = [fc.clearance(on(sign * STEP), post, tolerance=1e-9).distance for sign in (1.0, -1.0)]
        fault = _slope_fault("clearance of a robot", least.distance, values, float(least.gradient @ way))
        if fault:
            return fault
    return _proof_fault(case, fc.first_contact(on(0.0), post).certificate)
