"""Signed distances of any two plain things at an instant, their gradients, and the least of them on the way.

Who referees: `intersects` and `distance`, of closed meshes as solids, and differences of the distances: the
gradient is that of one side, or between both where many places are as close. Things of all kinds: convex
shapes, meshes of any sort, also with a thickness, points and strands, compounds, voxels, half-spaces, fields.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

import firstcontact as fc
from shrinking import fewer_and_rounder
from things import cloud_in, grid_in, pose_in, pose_of, shape_in, shape_of

SECONDS_A_CASE = 60.0

# How far matters, in units of the sizes; a step of a difference, and what it may bend.
WITHIN, STEP, BENT = 3.0, 1e-6, 1e-2

# Rounding of a distance, in units of the sizes.
ROUNDED = 1e-9

# Times at which a motion is sampled; a field's tolerance, by which what is measured may be off, twice.
SAMPLES, OF_FIELD = 13, 0.2

# Meshes are undone region by region, and fields are told to a tolerance: their slopes may be off.
SMOOTH = ("sphere", "capsule", "box", "cylinder", "ellipsoid", "hull", "cone", "rounded", "points", "half")


def make(rng: np.random.Generator) -> dict[str, Any]:
    """Two things, a few poses of one of them, and a way to go."""
    things = [_thing_in(rng) for _ in "ab"]
    while [one["kind"] for one in things] == ["half", "half"]:
        things = [_thing_in(rng) for _ in "ab"]
    poses = [[pose_in(rng, 1.5) for _ in range(3)] for _ in "ab"]
    motions = [str(rng.choice(["still", "between", "screw", "through", "thrown", "bent"])) for _ in "ab"]
    way = rng.normal(size=(2, 6)).tolist()
    return {"things": things, "poses": poses, "way": way, "motions": motions}


def _thing_in(rng: np.random.Generator) -> dict[str, Any]:
    kind = rng.random()
    if kind < 0.5:
        return shape_in(rng)
    if kind < 0.65:
        return cloud_in(rng)
    if kind < 0.78:
        n = int(rng.integers(1, 4))
        makes = (shape_in, shape_in, cloud_in)
        parts = [{"shape": makes[rng.integers(3)](rng), "pose": pose_in(rng, 1.0)} for _ in range(n)]
        return {"kind": "compound", "parts": parts}
    if kind < 0.86:
        cells = np.unique(rng.integers(-1, 2, (int(rng.integers(1, 8)), 3)), axis=0)
        return {"kind": "voxels", "cells": cells.tolist(), "size": float(rng.choice([0.25, 0.4]))}
    if kind < 0.93:
        normal = rng.normal(size=3) if rng.random() < 0.5 else np.eye(3)[rng.integers(3)]
        return {"kind": "half", "normal": normal.tolist(), "offset": float(grid_in(rng, (1,))[0])}
    if kind < 0.97:
        return {"kind": "thick", "mesh": shape_in(rng), "thickness": 0.1}
    return {"kind": "field", "radius": float(rng.uniform(0.3, 1.0))}


def thing_of(data: dict[str, Any]) -> Any:
    """The thing that is described."""
    if data["kind"] == "compound":
        return fc.Compound([shape_of(part["shape"]).at(pose_of(part["pose"])) for part in data["parts"]])
    if data["kind"] == "voxels":
        return fc.Voxels(np.reshape(data["cells"], (-1, 3)).astype(int), data["size"])
    if data["kind"] == "half":
        return fc.HalfSpace(data["normal"], data["offset"])
    if data["kind"] == "thick":
        mesh = shape_of(data["mesh"])
        is_mesh = isinstance(mesh, fc.Mesh)
        return fc.Mesh(mesh.vertices, mesh.faces, thickness=data["thickness"]) if is_mesh else mesh
    return fc.DistanceField.of(fc.Sphere(data["radius"]), 0.05) if data["kind"] == "field" else shape_of(data)


def check(case: dict[str, Any]) -> str | None:
    """Ask for the pairs at some poses, and for what they must agree with."""
    things = [thing_of(one) for one in case["things"]]
    poses = [np.stack([_matrix(pose) for pose in own]) for own in case["poses"]]
    size = 2.0 + max(_size(thing) for thing in things)
    placed = [thing.at(own) for thing, own in zip(things, poses, strict=True)]
    found = fc.near(*placed, within=WITHIN * size)
    distance = np.full(len(poses[0]), np.inf)
    distance[found.rows] = found.distance
    fault = _sign_fault(things, placed, distance, size)
    if fault:
        return fault
    lengths = np.linalg.norm(found.normals[~np.isnan(found.normals[:, 0])], axis=1)
    if (np.abs(lengths - 1.0) > 1e-6).any():
        return "a normal is not of unit length"
    if any(one["kind"] == "field" for one in case["things"]):
        return _motion_fault(case, things, poses, size)
    swapped = fc.near(*placed[::-1], within=WITHIN * size)
    if len(swapped) != len(found):
        return "the other way round there are other pairs"
    is_near = (found.distance > -ROUNDED * size) | (swapped.distance > -ROUNDED * size)
    if (np.abs(swapped.distance - found.distance)[is_near] > ROUNDED * size).any():
        return f"the other way round it is {swapped.distance.tolist()}, not {found.distance.tolist()}"
    return _slope_fault(case, things, poses, found, size) or _motion_fault(case, things, poses, size)


def _sign_fault(things: Any, placed: Any, distance: Any, size: float) -> str | None:
    """Compare with what touches, and how far what does not is apart."""
    touches, apart = np.asarray(fc.intersects(*placed)), np.asarray(fc.distance(*placed).distance)
    if (touches & (distance > 0.0)).any():
        return f"touching things are told to be apart: {distance.tolist()} and {touches.tolist()}"
    try:
        solid = np.asarray(fc.intersects(*placed, solid=True))
        apart = np.asarray(fc.distance(*placed, solid=True).distance)
    except (ValueError, TypeError):
        solid = None  # what has no inside
    if solid is not None and ((distance <= 0.0) != solid).any():
        return f"the sign is not that of intersects: {distance.tolist()} and {solid.tolist()}"
    is_apart = (distance > 0.0) & (distance < np.inf)
    if (np.abs(distance[is_apart] - apart[is_apart]) > ROUNDED * size).any():
        return f"the distance is {apart.tolist()}, not {distance.tolist()}"
    is_out = (distance == np.inf) & (apart <= WITHIN * size * (1.0 - ROUNDED))
    if solid is not None and is_out.any():
        return f"a pair is missing, at {apart.tolist()}"
    return None


def _slope_fault(case: Any, things: Any, poses: Any, found: Any, size: float) -> str | None:
    """Go a step to either side."""
    kinds = {one["kind"] for one in case["things"]}
    way = np.array(case["way"])
    values = []
    for sign in (1.0, -1.0):
        there = [
            thing.at(moved(own, sign * STEP * step))
            for thing, own, step in zip(things, poses, way, strict=True)
        ]
        near = fc.near(*there, within=2.0 * WITHIN * size)
        column = np.full(len(poses[0]), np.inf)
        column[near.rows] = near.distance
        values.append(column[found.rows])
    slopes = (found.gradient * way).sum(axis=(1, 2))
    sides = np.sort([(values[0] - found.distance) / STEP, (found.distance - values[1]) / STEP], axis=0)
    off = np.maximum(sides[0] - slopes, slopes - sides[1])
    is_known = ~np.isnan(slopes) & (np.abs(found.distance) > 0.02 * size)
    if not kinds <= set(SMOOTH):
        is_known &= found.distance > 0.0
    if (off > BENT * (1.0 + np.abs(slopes)) * size)[is_known].any():
        return f"differences are {sides.tolist()}, and the gradient {slopes.tolist()}"
    return None


def _motion_fault(case: Any, things: Any, poses: Any, size: float) -> str | None:
    """Sample the ways: nothing is nearer than the bracket says, and what is told is so."""
    both = [_moving(*one) for one in zip(things, poses, case["motions"], strict=True)]
    within, tolerance = WITHIN * size, 0.01 * size
    found = fc.near(*(moving for moving, _ in both), within=within, tolerance=tolerance)
    slack = ROUNDED * size + (OF_FIELD if any(one["kind"] == "field" for one in case["things"]) else 0.0)
    lower = found.distance_lower[0] if len(found) else within
    if len(found) and not lower <= found.distance[0]:
        return "a bracket's lower end is above its upper one"
    seen = np.inf
    for t in np.linspace(0.0, 1.0, SAMPLES):
        there = fc.near(*(at(t) for _, at in both), within=2.0 * within)
        seen = min(seen, float(there.least()[0]))
        if seen < lower - slack:
            return f"at {t} they are at {seen}, and the bracket ends at {lower}"
    if len(found) and lower > 0.0 and found.distance[0] > lower + tolerance + slack:
        return f"the bracket is too wide, from {lower} to {found.distance[0]}"
    if len(found):
        then = fc.near(*(at(float(found.time[0])) for _, at in both), within=10.0 * size)
        if abs(then.least()[0] - found.distance[0]) > slack:
            return f"it is told to be at {found.distance[0]}, and is at {then.least()[0]}"
    return None


def _moving(thing: Any, poses: Any, kind: str) -> Any:
    """A thing on its way, and how it stands at a time."""
    if kind == "bent" and isinstance(thing, fc.Mesh | fc.Points) and not getattr(thing, "is_thick", False):
        places = thing.vertices if isinstance(thing, fc.Mesh) else thing.positions
        ends = [places @ pose[:3, :3].T + pose[:3, 3] for pose in poses[:2]]
        moving = thing.deforming(*ends)
        return moving, lambda t: moving.shape.deforming(moving.vertices(t), moving.vertices(t))
    if kind == "still":
        moving = thing.at(poses[0])
    elif kind == "through":
        moving = thing.along(poses)
    elif kind == "thrown":
        moving = thing.moving(poses[0], poses[1], acceleration=[1.0, -2.0, 3.0])
    elif kind == "screw":
        moving = thing.moving(poses[0], poses[1], path="screw")
    else:
        moving = thing.moving(poses[0], poses[1])
    return moving, lambda t: thing.at(moving.pose(t))


def moved(poses: Any, twist: Any) -> Any:
    """Poses (n, 4, 4) after a translation, and a rotation about their origins."""
    found = poses.copy()
    found[:, :3, :3] = Rotation.from_rotvec(twist[3:]).as_matrix() @ poses[:, :3, :3]
    found[:, :3, 3] += twist[:3]
    return found


def _size(thing: Any) -> float:
    bounds = np.asarray(thing.bounds)
    return float(np.abs(bounds[np.isfinite(bounds)]).max(initial=0.0))


def _matrix(pose: dict[str, Any]) -> Any:
    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = pose_of(pose)
    return matrix


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Give simpler poses."""
    for poses in fewer_and_rounder(case["poses"]):
        if len(poses) == 2 and len(poses[0]) == len(poses[1]) > 0:
            yield case | {"poses": poses}
