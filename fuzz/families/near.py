"""Pairs of a robot's links and obstacles within a distance, signed, with gradients.

Who referees: `intersects` and `distance` of the robot as a whole, and differences of the distances, of which
one of the two sides or their mean must be the gradient. Axes that are parallel, and places on a grid, make
ties; boxes as meshes, overlaps of any depth, batches of none and one. And ways between two configurations,
against samples.
"""

from typing import Any

import numpy as np

import firstcontact as fc
from things import is_empty, pose_in, shape_in, shape_of

# A step of a difference; what it may bend; depths of meshes are those of regions, whose slopes may be off.
STEP, BENT = 1e-6, 1e-2

WITHIN = 0.5

# Times at which a way is sampled.
SAMPLES = 9


def make(rng: np.random.Generator) -> dict[str, Any]:
    """A chain of shapes on hinges and slides, obstacles, and configurations."""
    n = int(rng.integers(1, 4))
    kinds = [str(kind) for kind in rng.choice(["revolute", "prismatic"], n)]
    axes = np.eye(3)[rng.integers(0, 3, n)] if rng.random() < 0.5 else rng.normal(size=(n, 3))
    steps = rng.integers(-1, 2, (n, 3)) if rng.random() < 0.5 else rng.normal(size=(n, 3))
    q = rng.integers(-2, 3, (3, n)) if rng.random() < 0.3 else rng.normal(size=(3, n))
    things = [(shape_in(rng), pose_in(rng, 1.5)) for _ in range(int(rng.integers(0, 3)))]
    return {
        "kinds": kinds,
        "axes": axes.tolist(),
        "steps": steps.astype(float).tolist(),
        "links": [shape_in(rng) for _ in range(n)],
        "things": [{"shape": shape, "pose": pose} for shape, pose in things],
        "q": q.astype(float)[: int(rng.integers(0, 4))].tolist(),
    }


def check(case: dict[str, Any]) -> str | None:
    """Ask for all pairs, and for what they must agree with."""
    robot = _robot(case)
    q = np.array(case["q"]).reshape(-1, robot.dof)
    world = {str(i): shape_of(one["shape"]).at(_matrix(one["pose"])) for i, one in enumerate(case["things"])}
    standing = robot.at(q)
    found = fc.near(standing, world, within=WITHIN, self_contact=True)
    if (np.diff(found.rows) < 0).any() or (found.distance > WITHIN).any():
        return "pairs are out of order, or too far"
    least = found.least()
    touches = np.asarray(fc.intersects(standing, world, self_contact=True))
    if ((least <= 0.0) != touches).any():
        return f"the sign is not that of intersects: {least.tolist()} and {touches.tolist()}"
    apart = np.asarray(fc.distance(standing, world, self_contact=True).distance)
    size = 1.0 + sum(float(np.abs(part.shape.bounds).max()) for part in robot.parts)
    if (np.abs(np.clip(least, 0, WITHIN) - np.minimum(apart, WITHIN)) > 1e-8 * size).any():
        return f"the least is not the distance: {least.tolist()} and {apart.tolist()}"
    lengths = np.linalg.norm(found.normals[~np.isnan(found.normals[:, 0])], axis=1)
    if (np.abs(lengths - 1.0) > 1e-6).any():
        return "a normal is not of unit length"
    return _wrong_slope(robot, q, world, found) or _wrong_path(robot, q, world, size)


def _wrong_slope(robot: fc.Robot, q: Any, world: Any, found: fc.NearPairs) -> str | None:
    here = dict(zip(_keys(found), range(len(found)), strict=True))
    if len(here) < len(found):
        return None  # links of several shapes
    for k, shift in enumerate(STEP * np.eye(robot.dof)):
        values = []
        for sign in (1.0, -1.0):
            near = fc.near(robot.at(q + sign * shift), world, within=2 * WITHIN, self_contact=True)
            values.append(dict(zip(_keys(near), near.distance.tolist(), strict=True)))
        for key, i in here.items():
            value, slope = found.distance[i], found.gradient[i, k]
            if not value > WITHIN * 0.05 or any(key not in one for one in values):
                continue  # depths of meshes jump from region to region; tests have those of convex shapes
            slopes = [(values[0][key] - value) / STEP, (value - values[1][key]) / STEP]
            slopes.append(0.5 * (slopes[0] + slopes[1]))
            if min(abs(one - slope) for one in slopes) > BENT * (1.0 + abs(slope)):
                return f"differences are {slopes}, and the gradient {slope}, of number {k} at {value}"
    return None


def _wrong_path(robot: fc.Robot, q: Any, world: Any, size: float) -> str | None:
    """Sample the way between two configurations: no pair is missing, or nearer than its bracket says."""
    if len(q) < 2:
        return None
    asked: dict[str, Any] = {"within": WITHIN, "self_contact": True, "tolerance": 0.01 * size}
    found = fc.near(robot.moving(q[0], q[1]), world, **asked)
    lower = dict(zip(_keys(found), found.distance_lower.tolist(), strict=True))
    if (found.distance_lower > found.distance).any():
        return "a bracket's lower end is above its upper one"
    for t in np.linspace(0.0, 1.0, SAMPLES):
        seen = fc.near(robot.at(q[0] + t * (q[1] - q[0])), world, within=WITHIN, self_contact=True)
        for key, distance in zip(_keys(seen), seen.distance.tolist(), strict=True):
            if key not in lower:
                return f"at {t} a pair is within the distance, at {distance}, and not told of the way"
            if distance < lower[key] - 1e-9 * size:
                return f"at {t} a pair is at {distance}, and the bracket ends at {lower[key]}"
    return None


def _keys(found: fc.NearPairs) -> list[tuple[int, str, str]]:
    return list(zip(found.rows.tolist(), found.a, found.b, strict=True))


def _robot(case: dict[str, Any]) -> fc.Robot:
    links: dict[str, Any] = {"base": ()}
    joints = []
    for i, (kind, axis, step, link) in enumerate(
        zip(case["kinds"], case["axes"], case["steps"], case["links"], strict=True)
    ):
        shape = shape_of(link)
        links[f"link {i}"] = () if is_empty(link) else shape
        parent = "base" if i == 0 else f"link {i - 1}"
        joints.append(fc.Joint(f"joint {i}", kind, parent, f"link {i}", (np.eye(3), step), axis))
    return fc.Robot(links, joints)


def _matrix(pose: dict[str, Any]) -> Any:
    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = np.array(pose["rotation"]), pose["place"]
    return matrix
