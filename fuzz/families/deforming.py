"""A mesh that deforms through frames and a rigid thing, moving or at rest: is contact ever missed?

The referees: exact arithmetic for meshes at rest at the start, all pairs of pieces in extended precision at
many times after it. What overlaps at the start is in contact then, in every query that can be asked.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

import firstcontact as fc
from oracles.convex_cores import Core
from oracles.convex_distance import distances
from oracles.triangle_distance import triangle_distance_squared
from pieces import Real, pairs_of, pieces_of
from shrinking import fewer_and_rounder
from things import is_empty, mesh_in, motion_in, moving_of, pose_of, scale_in, scaled, shape_in, shape_of

MOST_PAIRS = 60
N_TIMES = 13


def make(rng: np.random.Generator) -> dict[str, Any]:
    """A mesh whose vertices move, together or apart, or rest, in a step or in some; and a thing near it."""
    a, b = mesh_in(rng), shape_in(rng)
    while len(a["faces"]) * len(b.get("faces", [0])) > MOST_PAIRS:
        a, b = mesh_in(rng), shape_in(rng)
    start = np.reshape(a["vertices"], (-1, 3)) + rng.integers(-2, 3, 3) / 2
    frames = [start]
    times = [0.0, *np.sort(rng.choice(np.arange(1, 16), rng.choice([0, 0, 1, 3]), False) / 16).tolist(), 1.0]
    for _ in times[1:]:
        move = rng.integers(-3, 4, 3) / 2 * rng.choice([0.0, 0.2, 1.0])
        frames.append(frames[-1] + move + rng.normal(size=start.shape) * rng.choice([0.0, 0.0, 0.3]))
    motion = motion_in(rng)
    if rng.random() < 0.4:  # at rest at a place of a grid
        place = (rng.integers(-2, 3, 3) / 2).tolist()
        motion |= {"velocity": [0.0] * 3, "turn": [0.0] * 3, "rotation": np.eye(3).tolist(), "place": place}
    places = [frame.tolist() for frame in frames]
    case = {"faces": a["faces"], "frames": places, "b": b, "motion": motion}
    return scaled(case, scale_in(rng)) | {"times": times}


def check(case: dict[str, Any]) -> str | None:
    """Look at the start, and on the way."""
    frames = [np.reshape(frame, (-1, 3)).astype(float) for frame in case["frames"]]
    faces = np.reshape(case["faces"], (-1, 3)).astype(int)
    mesh = frames, np.array(case["times"]), faces
    a = fc.Mesh(frames[0], faces).along(frames, case["times"])
    b = moving_of(shape_of(case["b"]), case["motion"])
    if is_resting(case["motion"]):
        b = shape_of(case["b"]).at(pose_of(case["motion"]))
    found = fc.first_contact(a, b)
    if len(faces) == 0 or is_empty(case["b"]):
        return f"a mesh without faces is in contact: {found}" if found else None
    kind = f"deforming and {'mesh' if case['b']['kind'] == 'mesh' else 'convex'}"
    if fc.safe_step(a, b) != min(found.time, 1.0) or fc.is_free(a, b) == bool(found):
        return f"{kind}: {found.time}, safe_step {fc.safe_step(a, b)}, is_free {fc.is_free(a, b)}"
    back = fc.first_contact(b, a)
    if bool(back) != bool(found) and not is_close(case, found, back):
        return f"{kind}: a contact at {found.time}, and at {back.time} with a and b swapped"
    fault = _start_fault(case, found, mesh, b) or _late(case, found, mesh)
    return fault and f"{kind}: {fault}"


def is_resting(motion: dict[str, Any]) -> bool:
    """Does it not move at all?"""
    return not any(motion["velocity"]) and not any(motion["turn"])


def is_close(case: dict[str, Any], found: Any, back: Any) -> bool:
    """May the tolerance explain that only one of two answers is a contact?"""
    return not is_resting(case["motion"]) and min(found.time_upper, back.time_upper) == np.inf


def _start_fault(case: dict[str, Any], found: Any, mesh: Any, b: Any) -> str | None:
    start, faces = mesh[0][0], mesh[2]
    overlaps = _is_overlapping(case, start[faces])
    if overlaps and found.status != fc.Status.CONTACT_AT_START:
        return f"{found.status.name} at {found.time} where they overlap at the start"
    if is_resting(case["motion"]):
        still = fc.Mesh(start, faces)
        touches, distance = fc.intersects(still, b), fc.distance(still, b).distance
        if touches != (distance == 0.0):
            return f"intersects is {touches}, and the distance {distance}"
        if touches and found.status != fc.Status.CONTACT_AT_START:
            return f"{found.status.name} at {found.time}, and intersects is True at the start"
        if overlaps and not touches:
            return "intersects is False where they overlap"
    return None


def _is_overlapping(case: dict[str, Any], triangles: Any) -> bool:
    """Do they overlap at the start, for sure?"""
    motion, data = case["motion"], case["b"]
    if data["kind"] == "mesh" and motion["rotation"] == np.eye(3).tolist() and not any(motion["place"]):
        others = shape_of(data).vertices[shape_of(data).faces]
        return any(triangle_distance_squared(t, u) == 0 for t in triangles for u in others)
    return _distance(case, triangles[None], [0.0])[0] == 0.0


def _distance(case: dict[str, Any], triangles: Any, times: Any) -> Any:
    """Upper bounds of the distance at times, for triangles (n_times, n, 3, 3); 0 where they overlap."""
    data, motion, n = case["b"], case["motion"], triangles.shape[1]
    pieces, cores_a, cores_b, poses = pieces_of(data), [], [], []
    for at, t in zip(triangles, times, strict=True):
        own = [Core(triangle, np.zeros(3), 0.0) for triangle in at]
        a, b = pairs_of(own, pieces)
        cores_a, cores_b = cores_a + a, cores_b + b
        poses += [_pose(motion, t)] * len(a)
    here = [(np.eye(3), np.zeros(3))] * len(poses)
    upper = distances(cores_a, here, cores_b, poses).upper
    return upper.reshape(len(times), n * len(pieces)).min(axis=1)


def _pose(motion: dict[str, Any], t: float) -> tuple[Any, Any]:
    """Where a rigid body is at a time: it turns about its center, which goes straight."""
    rotation, place = (np.asarray(x, Real) for x in pose_of(motion))
    center, velocity, turn = (np.array(motion[name], Real) for name in ("center", "velocity", "turn"))
    angle = np.sqrt((turn * turn).sum())
    x, y, z = turn / angle if angle else turn
    across = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]], Real)
    turned = (
        np.eye(3) + np.sin(angle * t) * across + 2 * np.sin(angle * t / 2) ** 2 * across @ across
    ) @ rotation
    return turned, rotation @ center + place + t * velocity - turned @ center


def _late(case: dict[str, Any], found: Any, mesh: Any) -> str | None:
    frames, knots, faces = mesh
    until = min(found.time, 1.0)
    if until == 0.0:
        return None
    times = until * np.linspace(0, 1, N_TIMES)[1 : -1 if found else None]  # at its time, they may touch
    places = [_places(frames, knots, Real(t))[faces] for t in times]
    distance = _distance(case, np.array(places), times)
    late = times[distance == 0.0]
    return f"the time is {found.time}, and they overlap at {late[0]}" if len(late) else None


def _places(frames: Any, knots: Any, t: Any) -> Any:
    """Where vertices are at a time."""
    k = min(int(np.searchsorted(knots, float(t), side="right")) - 1, len(knots) - 2)
    part = (t - Real(knots[k])) / (Real(knots[k + 1]) - Real(knots[k]))
    return (1 - part) * frames[k] + part * frames[k + 1]


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Without motion of either; fewer frames and faces; rounder numbers."""
    for part in ({"turn": [0.0] * 3}, {"velocity": [0.0] * 3}, {"rotation": np.eye(3).tolist()}):
        if case["motion"] != case["motion"] | part:
            yield case | {"motion": case["motion"] | part}
    for k in range(1, len(case["times"]) - 1):
        kept = {name: case[name][:k] + case[name][k + 1 :] for name in ("times", "frames")}
        yield case | kept
    if any(frame != case["frames"][0] for frame in case["frames"]):
        yield case | {"frames": [case["frames"][0]] * len(case["frames"])}
    yield from fewer_and_rounder(case)
