"""Gradients of distances and of least distances, against differences.

A distance is the least of several: where one of them is told, a step never takes it above what its gradient
says, but for what the step bends it; and where it has no kink there, a step to either side is as it says.
Touching shapes have none. Axes that are parallel, and places on a grid, make ties.
"""

from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

import firstcontact as fc
from things import is_empty, pose_in, shape_in, shape_of

# A step, in units of the size; what it may bend, and what counts as a kink, in units of the step.
STEP, BENT, KINK = 1e-5, 1e-2, 1e-3

# Nearer than this, in units of the size, a step bends a distance by too much.
NEAR = 0.05

# What takes more is left open.
MOST_STEPS = 20_000


def make(rng: np.random.Generator) -> dict[str, Any]:
    """Two shapes, turned in any way or not at all, apart or not, and directions to go."""
    a, b = shape_in(rng), shape_in(rng)
    while is_empty(a) or is_empty(b):
        a, b = shape_in(rng), shape_in(rng)
    ways, velocity = rng.normal(size=(2, 6)), rng.normal(size=3)
    poses = {f"pose_{name}": pose_in(rng, 2.0) for name in "ab"}
    return {"a": a, "b": b, "ways": ways.tolist(), "velocity": velocity.tolist()} | poses


def check(case: dict[str, Any]) -> str | None:
    """Ask for the gradient, and go a step to either side."""
    shapes = [shape_of(case[name]) for name in "ab"]
    poses = [_matrix(case[f"pose_{name}"]) for name in "ab"]
    size = max(float(np.linalg.norm(shape.bounds[1] - shape.bounds[0])) for shape in shapes)
    ways = np.array(case["ways"]) / np.linalg.norm(case["ways"]) * [size, size, size, 1.0, 1.0, 1.0]
    fault = _fault(shapes, poses, ways, size, _distance)
    velocity = 2.0 * size * np.array(case["velocity"])

    def least(shapes: Any, poses: Any) -> Any:
        moving = shapes[0].moving(poses[0], velocity=velocity)
        there = shapes[1].at(poses[1])
        return fc.clearance(moving, there, tolerance=1e-9 * size, max_iterations=MOST_STEPS)

    straight = ways * [1.0, 1.0, 1.0, 0.0, 0.0, 0.0]
    return fault or _fault(shapes, poses, straight, size, least)


def _distance(shapes: Any, poses: Any) -> Any:
    return fc.distance(*(shape.at(pose) for shape, pose in zip(shapes, poses, strict=True)))


def _matrix(pose: dict[str, Any]) -> Any:
    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = np.array(pose["rotation"]), pose["place"]
    return matrix


def _fault(shapes: Any, poses: Any, ways: Any, size: float, ask: Any) -> str | None:
    found = ask(shapes, poses)
    name, gradient = type(found).__name__, found.gradient
    if found.distance == 0.0 and not np.isnan(gradient).all():
        return f"{name}: at no distance, and the gradient is {gradient.tolist()}"
    is_open = getattr(found, "status", None) == fc.Status.MAX_ITERATIONS
    if is_open or not NEAR * size < found.distance < 1e3 * size:
        return None
    slope = float((gradient * ways).sum())
    ahead, behind = (
        ask(shapes, [_moved(pose, sign * STEP * way) for pose, way in zip(poses, ways, strict=True)]).distance
        for sign in (1.0, -1.0)
    )
    above = max(ahead - found.distance - STEP * slope, behind - found.distance + STEP * slope)
    if above > BENT * STEP * size:
        return f"{name}: a step leads {above} above the gradient, {slope}"
    is_smooth = abs(ahead + behind - 2.0 * found.distance) <= KINK * STEP * size
    central = (ahead - behind) / (2.0 * STEP)
    if is_smooth and abs(central - slope) > BENT * size:
        return f"{name}: a difference is {central}, and the gradient {slope}"
    return None


def _moved(pose: Any, way: Any) -> Any:
    """A pose after a translation, and a rotation about its origin."""
    found = pose.copy()
    found[:3, :3] = Rotation.from_rotvec(way[3:]).as_matrix() @ pose[:3, :3]
    found[:3, 3] += way[:3]
    return found
