"""A mesh that deforms through frames and a rigid thing, moving or at rest: is contact ever missed?

The referees: exact arithmetic for meshes at rest at the start, all pairs of pieces in extended precision at
many times after it. What overlaps at the start is in contact then, in every query that can be asked.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

import firstcontact as fc
from deforming_cases import (
    deforming_case,
    distance_of,
    distance_then,
    is_resting,
    other_in,
    simpler_deforming,
)
from oracles.triangle_distance import triangle_distance_squared
from things import is_empty, shape_of

N_TIMES = 13


def make(rng: np.random.Generator) -> dict[str, Any]:
    """A mesh whose vertices move, together or apart, or rest, in a step or in some; and a thing near it."""
    return deforming_case(rng)


def check(case: dict[str, Any]) -> str | None:
    """Look at the start, and on the way."""
    frames = [np.reshape(frame, (-1, 3)).astype(float) for frame in case["frames"]]
    faces = np.reshape(case["faces"], (-1, 3)).astype(int)
    mesh = frames, np.array(case["times"]), faces
    a = fc.Mesh(frames[0], faces).along(frames, case["times"])
    b = other_in(case)
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
    return distance_of(case, triangles[None], [0.0])[0] == 0.0


def _late(case: dict[str, Any], found: Any, mesh: Any) -> str | None:
    until = min(found.time, 1.0)
    if until == 0.0:
        return None
    times = until * np.linspace(0, 1, N_TIMES)[1 : -1 if found else None]  # at its time, they may touch
    distance = distance_then(case, mesh, times)
    late = times[distance == 0.0]
    return f"the time is {found.time}, and they overlap at {late[0]}" if len(late) else None


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Without motion of either; fewer frames and faces; rounder numbers."""
    yield from simpler_deforming(case)
