"""What `firstcontact bench` measures, on data made here."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

import firstcontact as fc
from firstcontact.arrays import Array
from firstcontact.cli.compiling.flat_sheet import flat_sheet

_N_ELEMENTARY, _N_MOTIONS, _N_SEGMENTS, _N_BODIES = 500_000, 500, 500, 1_000


class BenchCase(NamedTuple):
    """A query, what it is about, and how to ask about n of them."""

    query: str
    what: str
    n: int
    run: Callable[[], Any]


def _vertex_face() -> BenchCase:
    start, end = np.random.default_rng(0).random((2, _N_ELEMENTARY, 4, 3))
    return BenchCase("vertex_face_ccd", "random points", len(start), lambda: fc.vertex_face_ccd(start, end))


def _edge_edge() -> BenchCase:
    start, end = np.random.default_rng(1).random((2, _N_ELEMENTARY, 4, 3))
    return BenchCase("edge_edge_ccd", "random points", len(start), lambda: fc.edge_edge_ccd(start, end))


def _rigid() -> BenchCase:
    mesh = _wavy(50)
    starts, ends = _poses(2, 3.0), _poses(3, 1.0)
    what = f"two meshes of {mesh.n_faces:,} triangles"
    moving = mesh.moving(starts, ends)
    return BenchCase("first_contacts", what, _N_MOTIONS, lambda: fc.first_contacts(moving, mesh))


def _distance() -> BenchCase:
    mesh = _wavy(50)
    placed, what = mesh.at(_poses(4, 3.0)), f"two meshes of {mesh.n_faces:,} triangles"
    return BenchCase("distance", what, _N_MOTIONS, lambda: fc.distance(placed, mesh))


def _convex() -> BenchCase:
    box, placed = fc.Box([1.0, 1.0, 1.0]), fc.Capsule(0.3, 1.0).moving(_poses(5, 3.0), _poses(6, 1.0))
    return BenchCase(
        "first_contacts", "a capsule and a box", _N_MOTIONS, lambda: fc.first_contacts(placed, box)
    )


def _cloth() -> BenchCase:
    cloth = _wavy(100)
    end = cloth.vertices + np.random.default_rng(7).normal(0.0, 0.01, cloth.vertices.shape)
    step, what = cloth.deforming(cloth.vertices, end), f"a step of {cloth.n_faces:,} triangles"
    return BenchCase("contacts", what, 1, lambda: fc.contacts(step))


def _robot() -> BenchCase:
    arm, rng = _arm(), np.random.default_rng(8)
    starts = rng.uniform(-1.5, 1.5, (_N_SEGMENTS, arm.dof))
    path = arm.moving(starts, starts + rng.uniform(-0.5, 0.5, starts.shape))
    boxes = {f"box {i}": fc.Box([0.2] * 3).at((np.eye(3), rng.uniform(-1, 1, 3))) for i in range(10)}
    return BenchCase("is_free", "an arm, 6 joints, 10 boxes", _N_SEGMENTS, lambda: fc.is_free(path, boxes))


def _scene() -> BenchCase:
    rng = np.random.default_rng(9)
    shapes = fc.Sphere(0.5), fc.Box([0.8, 0.8, 0.8])
    scene = fc.Scene({f"body {i}": shapes[i % 2] for i in range(_N_BODIES)})
    places, velocities = rng.uniform(0.0, 25.0, (_N_BODIES, 3)), rng.normal(0.0, 0.3, (_N_BODIES, 3))

    def step() -> None:
        scene.move(scene.ids, (np.eye(3), places), velocity=velocities)
        scene.contacts()

    return BenchCase("Scene.contacts", f"a step of {_N_BODIES:,} bodies", 1, step)


CASES = (_vertex_face, _edge_edge, _rigid, _distance, _convex, _cloth, _robot, _scene)


def _wavy(n_side: int) -> fc.Mesh:
    """A sheet in waves."""
    vertices, faces = flat_sheet(n_side)
    vertices[:, 2] = 0.2 * np.sin(9.0 * vertices[:, 0]) * np.cos(7.0 * vertices[:, 1])
    return fc.Mesh(vertices, faces)


def _poses(seed: int, distance: float) -> Any:
    """Random rotations, at a distance from the origin in random directions."""
    from scipy.spatial.transform import Rotation

    rng = np.random.default_rng(seed)
    away: Array = rng.normal(size=(_N_MOTIONS, 3))
    quaternions = rng.normal(size=(_N_MOTIONS, 4))
    return Rotation.from_quat(quaternions), distance * away / np.linalg.norm(away, axis=1, keepdims=True)


def _arm() -> fc.Robot:
    """Six capsules, one after the other, on hinges whose axes alternate."""
    link = fc.Capsule(0.05, 0.2).at((np.eye(3), [0.0, 0.0, 0.15]))
    names = [f"link {i}" for i in range(7)]
    joints = []
    for i, (parent, child) in enumerate(pairwise(names)):
        origin, axis = (np.eye(3), [0.0, 0.0, 0.3 if i else 0.0]), ([0, 1, 0], [1, 0, 0])[i % 2]
        joints.append(fc.Joint(f"joint {i}", "revolute", parent, child, origin, axis))
    return fc.Robot({names[0]: (), **dict.fromkeys(names[1:], link)}, joints)
