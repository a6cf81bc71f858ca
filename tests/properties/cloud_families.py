"""Points, strands and what they meet, with all pairs of elements as the oracle."""

import numpy as np

import firstcontact as fc
from oracles.mesh_distance import all_pairs

CLOUDS = ("points", "strands")
OTHERS = ("ball", "capsule", "box", "mesh")


def made(rng, kind, radius=0.1):
    """A small thing of a kind, around the origin; clouds have points at one place, and radii that differ."""
    if kind == "points":
        points = rng.normal(size=(rng.integers(1, 9), 3)) * 0.4
        points[-1] = points[0]
        return fc.Points(points, radius * rng.integers(0, 3, len(points)))
    if kind == "strands":
        counts = [int(rng.integers(2, 5)), 1, 3]
        points = rng.normal(size=(sum(counts), 3)) * 0.4
        points[1] = points[0]
        return fc.Strands(points, counts, radius * rng.integers(0, 3, len(points)))
    if kind == "mesh":
        return fc.Mesh(rng.normal(size=(9, 3)) * 0.4, np.arange(9).reshape(3, 3))
    return {"ball": fc.Sphere(0.3), "capsule": fc.Capsule(0.2, 0.6), "box": fc.Box([0.4, 0.5, 0.6])}[kind]


def elements(shape):
    """Triangles without radii, as a mesh, and their radii."""
    if isinstance(shape, fc.Sphere):
        return fc.Mesh(np.zeros((1, 3)), [[0, 0, 0]]), np.array([shape.radius])
    if isinstance(shape, fc.Capsule):
        z = shape.length / 2
        return fc.Mesh([[0, 0, -z], [0, 0, z]], [[0, 1, 1]]), np.array([shape.radius])
    if isinstance(shape, fc.Mesh):
        return fc.Mesh(shape.vertices, shape.faces), shape.radii
    return shape.mesh, np.zeros(len(shape.mesh.faces))


def gap(a, pose_a, b, pose_b):
    """Signed distance of two shapes: of elements that are nearest, or overlap most; in a box, 0."""
    (one, radii_a), (other, radii_b) = elements(a), elements(b)
    least = float((all_pairs(one, pose_a, other, pose_b).distances - np.add.outer(radii_a, radii_b)).min())
    for box, box_pose, thing, place in ((a, pose_a, other, pose_b), (b, pose_b, one, pose_a)):
        if isinstance(box, fc.Box):
            world = thing.vertices @ place[:3, :3].T + place[:3, 3]
            local = (world - box_pose[:3, 3]) @ box_pose[:3, :3]
            if (np.abs(local) <= box.bounds[1]).all(axis=1).any():
                least = min(least, 0.0)
    return least


def pose(rng, spread):
    """A pose about as far away as the spread."""
    turn, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    found = np.eye(4)
    found[:3, :3], found[:3, 3] = turn * np.sign(np.linalg.det(turn)), rng.normal(size=3) * spread
    return found
