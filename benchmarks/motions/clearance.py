"""Clearance beside `is_free`, and beside distances sampled by coal: `python benchmarks/motions/clearance.py`.

Least of several repetitions, on one thread, microseconds of the processor a motion. Coal measures at some
times; what is between them it cannot know.
"""

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numba
import numpy as np
import trimesh
from scipy.spatial.transform import Rotation

import firstcontact as fc

N, REPEATS = 200, 15
SAMPLES = (16, 64, 256)


def least(call: Callable[[], Any]) -> float:
    """Least seconds of the processor that a call takes: what else runs does not count."""
    call()
    taken = []
    for _ in range(REPEATS):
        began = time.thread_time()
        call()
        taken.append(time.thread_time() - began)
    return min(taken)


def motions(shape: Any, rng: np.random.Generator, turns: float) -> fc.Moving:
    """A batch of motions that pass the origin at some distance."""
    rotations = Rotation.random(N, random_state=1).as_matrix()
    places = rng.normal(size=(N, 3)) * 2.5
    found: fc.Moving = shape.moving(
        (rotations, places),
        velocity=rng.normal(size=(N, 3)) * 3,
        angular_velocity=rng.normal(size=(N, 3)) * turns,
    )
    return found


def thrown(shape: Any, rng: np.random.Generator) -> fc.Moving:
    """The same, on arcs."""
    found: fc.Moving = shape.moving(
        (Rotation.random(N, random_state=1).as_matrix(), rng.normal(size=(N, 3)) * 2.5),
        velocity=rng.normal(size=(N, 3)) * 3,
        angular_velocity=rng.normal(size=(N, 3)) * 2,
        acceleration=[0.0, 0.0, -2.0],
    )
    return found


def along_splines(shape: Any, rng: np.random.Generator) -> fc.Moving:
    """A batch of smooth ways through five poses each, about the origin."""
    places = rng.normal(size=(N, 1, 3)) * 2.5 + rng.normal(size=(N, 5, 3)).cumsum(axis=1)
    turns = Rotation.from_rotvec(0.5 * rng.normal(size=(5 * N, 3))).as_matrix().reshape(N, 5, 3, 3)
    found: fc.Moving = shape.along(fc.Spline(np.linspace(0.0, 1.0, 5), (turns, places)))
    return found


def arm(n: int = 6) -> fc.Robot:
    """A chain of capsules."""
    bone = fc.Capsule(0.05, 0.4).at((np.eye(3), [0, 0, 0.2]))
    links: dict[str, Any] = {"base": ()} | {f"link {i}": bone for i in range(n)}
    joints = [
        fc.Joint(
            f"joint {i}",
            "revolute",
            "base" if i == 0 else f"link {i - 1}",
            f"link {i}",
            (np.eye(3), [0, 0, 0.4 if i else 0]),
            np.roll([0, 1, 0], i),
        )
        for i in range(n)
    ]
    return fc.Robot(links, joints)


def angle() -> fc.Mesh:
    """Two boxes that make an L."""
    one, other = fc.Box([2, 0.5, 0.5]).mesh, fc.Box([0.5, 2, 0.5]).mesh
    vertices = np.vstack([one.vertices, other.vertices + np.array([0.75, 0.75, 0.0])])
    return fc.Mesh(vertices, np.vstack([one.faces, other.faces + len(one.vertices)]))


def ring() -> fc.Mesh:
    """A torus."""
    made = trimesh.creation.torus(1.0, 0.3, major_sections=24, minor_sections=12)
    return fc.Mesh(made.vertices, made.faces)


def ball() -> fc.Mesh:
    """A sphere of triangles: nearly as near in many places."""
    made = trimesh.creation.icosphere(3, 0.5)
    return fc.Mesh(made.vertices, made.faces)


def paths() -> tuple[fc.Moving, dict[str, fc.Moving]]:
    """Free paths of an arm among balls and a box."""
    rng, robot = np.random.default_rng(0), arm()
    around = {f"ball {i}": fc.Sphere(0.2).at((np.eye(3), rng.normal(size=3) * 1.2)) for i in range(5)}
    around["box"] = fc.Box([0.3, 0.3, 0.3]).at((np.eye(3), [1.5, 0, 0.5]))
    start = rng.normal(size=(4 * N, 6)) * 0.6
    end = start + rng.normal(size=(4 * N, 6)) * 0.5
    is_free = np.flatnonzero(fc.is_free(robot.moving(start, end), around))[:N]
    return robot.moving(start[is_free], end[is_free]), around


def sampled(moving: fc.Moving, shapes: tuple[Any, Any], n: int) -> np.ndarray:
    """Least distances at n times by coal."""
    import coal

    poses = np.stack([moving.pose(t) for t in np.linspace(0, 1, n)], axis=1)
    still, found = coal.Transform3s(), np.full(len(poses), np.inf)
    for i, row in enumerate(poses):
        for pose in row:
            place = coal.Transform3s(pose[:3, :3], pose[:3, 3])
            result = coal.DistanceResult()
            far = coal.distance(shapes[0], place, shapes[1], still, coal.DistanceRequest(), result)
            found[i] = min(found[i], max(far, 0.0))
    return found


def main() -> None:
    """Print the table."""
    numba.set_num_threads(1)
    rng = np.random.default_rng(3)
    box, hull = fc.Box([1, 0.6, 0.4]), fc.ConvexHull(rng.normal(size=(30, 3)) * 0.4)
    cases: dict[str, tuple[fc.Moving, Any]] = {
        "box, hull, straight": (motions(box, rng, 0.0), hull),
        "box, hull, turning": (motions(box, rng, 2.0), hull),
        "box, mesh of 22 faces, turning": (motions(box, rng, 2.0), hull.mesh),
        "two meshes, turning": (motions(box.mesh, rng, 2.0), hull.mesh),
        "box, hull, thrown": (thrown(box, rng), hull),
        "box, hull, along splines": (along_splines(box, rng), hull),
        "two meshes, along splines": (along_splines(box.mesh, rng), hull.mesh),
        "two angles of 24 faces, turning": (motions(angle(), rng, 2.0), angle()),
        "two rings of 576 faces, turning": (motions(ring(), rng, 2.0), ring()),
        "two balls of 1,280 faces, turning": (motions(ball(), rng, 2.0), ball()),
        "arm of 6 joints, free paths": paths(),
    }
    print(f"{'':36}{'is_free':>10}{'clearance':>11}{'ratio':>8}")
    for name, (moving, other) in cases.items():
        n = len(moving.motion)
        free = least(partial(fc.is_free, moving, other)) / n * 1e6
        near = least(partial(fc.clearance, moving, other)) / n * 1e6
        print(f"{name:36}{free:10.1f}{near:11.1f}{near / free:8.1f}", flush=True)
    import coal

    moving, _ = cases["box, hull, turning"]
    found = fc.clearance(moving, fc.Cylinder(0.4, 1.0))
    shapes = coal.Box(1, 0.6, 0.4), coal.Cylinder(0.4, 1.0)
    for n in SAMPLES:
        began = time.thread_time()
        least_seen = sampled(moving, shapes, n)
        taken = (time.thread_time() - began) / N * 1e6
        missed = np.mean(least_seen > found.distance * 1.01 + 1e-6)
        print(f"coal at {n} times: {taken:.1f} a motion, and {missed:.0%} off by more than a hundredth")


if __name__ == "__main__":
    main()
