"""Cases of a mesh that deforms and a rigid thing, and their distance, which several families share."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from oracles.convex_cores import Core
from oracles.convex_distance import distances
from pieces import Real, pairs_of, pieces_of
from shrinking import fewer_and_rounder
from things import mesh_in, motion_in, moving_of, pose_of, scale_in, scaled, shape_in, shape_of

MOST_PAIRS = 60


def deforming_case(rng: np.random.Generator) -> dict[str, Any]:
    """A mesh whose vertices move, together or apart, or rest, in a step or in some; and a thing near it."""
    a, b = mesh_in(rng), shape_in(rng)
    while len(a["faces"]) * len(b.get("faces", [0])) > MOST_PAIRS:
        a, b = mesh_in(rng), shape_in(rng)
    frames, times = frames_in(rng, np.reshape(a["vertices"], (-1, 3)))
    case = {"faces": a["faces"], "frames": frames, "b": b, "motion": other_motion_in(rng)}
    return scaled(case, scale_in(rng)) | {"times": times}


def frames_in(rng: np.random.Generator, vertices: Any) -> tuple[list[Any], list[float]]:
    """Where vertices are at some times, and the times: they move, together or apart, or rest."""
    start = vertices + rng.integers(-2, 3, 3) / 2
    frames = [start]
    times = [0.0, *np.sort(rng.choice(np.arange(1, 16), rng.choice([0, 0, 1, 3]), False) / 16).tolist(), 1.0]
    for _ in times[1:]:
        move = rng.integers(-3, 4, 3) / 2 * rng.choice([0.0, 0.2, 1.0])
        frames.append(frames[-1] + move + rng.normal(size=start.shape) * rng.choice([0.0, 0.0, 0.3]))
    return [frame.tolist() for frame in frames], times


def other_motion_in(rng: np.random.Generator) -> dict[str, Any]:
    """How the rigid thing moves; often not at all."""
    motion = motion_in(rng)
    if rng.random() < 0.4:  # at rest at a place of a grid
        place = (rng.integers(-2, 3, 3) / 2).tolist()
        motion |= {"velocity": [0.0] * 3, "turn": [0.0] * 3, "rotation": np.eye(3).tolist(), "place": place}
    return motion


def other_in(case: dict[str, Any]) -> Any:
    """The rigid thing of a case."""
    if is_resting(case["motion"]):
        return shape_of(case["b"]).at(pose_of(case["motion"]))
    return moving_of(shape_of(case["b"]), case["motion"])


def is_resting(motion: dict[str, Any]) -> bool:
    """Does it not move at all?"""
    return not any(motion["velocity"]) and not any(motion["turn"])


def distance_then(case: dict[str, Any], mesh: Any, times: Any) -> Any:
    """Upper bounds of the distance at times, of frames, their times and faces; 0 where they overlap."""
    frames, knots, faces = mesh
    return distance_of(case, np.array([places_at(frames, knots, Real(t))[faces] for t in times]), times)


def distance_of(case: dict[str, Any], triangles: Any, times: Any, radii: Any = None) -> Any:
    """Upper bounds of the distance at times, for triangles (n_times, n, 3, 3); 0 where they overlap.

    radii : (n,), how far around them; 0 unless given
    """
    data, motion, n = case["b"], case["motion"], triangles.shape[1]
    around = np.zeros(n) if radii is None else radii
    pieces, cores_a, cores_b, poses = pieces_of(data), [], [], []
    for at, t in zip(triangles, times, strict=True):
        own = [Core(triangle, np.zeros(3), r) for triangle, r in zip(at, around, strict=True)]
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


def places_at(frames: Any, knots: Any, t: Any) -> Any:
    """Where vertices are at a time."""
    k = min(int(np.searchsorted(knots, float(t), side="right")) - 1, len(knots) - 2)
    part = (t - Real(knots[k])) / (Real(knots[k + 1]) - Real(knots[k]))
    return (1 - part) * frames[k] + part * frames[k + 1]


def simpler_deforming(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
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
