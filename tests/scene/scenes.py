"""Scenes to test with."""

import numpy as np
from scipy.spatial.transform import Rotation

import firstcontact as fc

CUBE = fc.Box([1.0, 1.0, 1.0]).mesh
SHAPES = (
    fc.Sphere(0.5),
    fc.Box([1.0, 0.5, 0.3]),
    fc.Capsule(0.2, 1.0),
    fc.Cylinder(0.4, 0.3),
    fc.Ellipsoid([0.5, 0.3, 0.2]),
    fc.ConvexHull(np.random.default_rng(1).normal(size=(30, 3)) * 0.4 + 0.3),
)


def random_motion(shape, rng, size=3.0, speed=1.0):
    """A motion with a turn, or at rest, or in two pieces."""
    kind = rng.integers(6)
    start = (Rotation.random(rng=rng).as_matrix(), size * rng.uniform(-1, 1, 3))
    if kind == 0:
        return shape.at(start)
    if kind == 1:
        poses = [shape.at(start).pose(0.0) for _ in range(3)]
        for pose in poses[1:]:
            pose[:3, 3] += speed * rng.uniform(-1, 1, 3)
        return shape.along(poses, times=[0.0, 0.3, 1.0])
    spin = rng.choice([0.0, 0.3, 9.0]) * rng.normal(size=3)
    return shape.moving(start, velocity=speed * rng.normal(size=3), angular_velocity=spin)


def random_things(n, seed, meshes=False, size=3.0):
    """Named bodies of all kinds of shapes; with meshes, a few of those, rigid and deforming."""
    rng = np.random.default_rng(seed)
    things = {f"body {i}": random_motion(SHAPES[rng.integers(len(SHAPES))], rng, size) for i in range(n)}
    if meshes:
        for i in range(3):
            things[f"mesh {i}"] = random_motion(CUBE, rng, size)
        start = CUBE.vertices + size * rng.uniform(-1, 1, 3)
        things["cloth"] = CUBE.deforming(start, start + 0.3 * rng.normal(size=start.shape))
    return things
