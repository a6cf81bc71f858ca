"""Moving things of every kind that can be swept, as plain data.

A thing is ``{"sort": ..., ...}``: a body, which is a shape, a compound or voxels, on a course, between two
poses, on a spline or by a formula; a mesh or a cloud that deforms; or a robot on its way.
"""

from typing import Any

import numpy as np
from scipy.interpolate import CubicSpline

import firstcontact as fc
from courses import course_in, on_course
from deforming_cases import frames_in
from robot_cases import robot_case, robot_in
from things import (
    Data,
    Rng,
    cloud_in,
    convex_in,
    mesh_in,
    pose_in,
    pose_of,
    scale_in,
    scaled,
    shape_in,
    shape_of,
    size_of,
)

PATHS = "constant", "screw", "quaternion"


def swept_thing_in(rng: Rng) -> Data:
    """Any thing that moves; most of them a shape on a course; some tiny, huge, or far away."""
    sort = str(rng.choice(["course", "poses", "spline", "formula", "frames", "robot"],
                          p=[0.35, 0.2, 0.1, 0.1, 0.15, 0.1]))  # fmt: skip
    if sort == "robot":
        case = robot_case(rng)
        return {"sort": sort, "is_smooth": bool(rng.random() < 0.5)} | {
            name: case[name] for name in ("joints", "links", "q")
        }
    if sort == "frames":
        return scaled({"sort": sort} | _frames(rng), scale_in(rng))
    body = _body_in(rng)
    if sort == "course":
        course = course_in(rng)
        if rng.random() < 0.1:
            away = rng.choice([1e3, 1e6]) * rng.integers(-1, 2, 3)
            course["place"] = (np.array(course["place"]) + away).tolist()
        return scaled({"sort": sort, "body": body, "course": course}, scale_in(rng))
    if sort == "poses":
        ends = [pose_in(rng), pose_in(rng)]
        return scaled(
            {"sort": sort, "body": body, "ends": ends, "kind": str(rng.choice(PATHS))}, scale_in(rng)
        )
    if sort == "spline":
        return {"sort": sort, "body": body, "knots": [pose_in(rng) for _ in range(int(rng.integers(3, 6)))]}
    return {
        "sort": sort,
        "body": body,
        "swing": rng.uniform(-1, 1, 3).tolist(),
        "rate": float(rng.uniform(0, 9)),
    }


def _body_in(rng: Rng) -> Data:
    kind = rng.random()
    if kind < 0.15:
        parts = [{"shape": shape_in(rng), "pose": pose_in(rng, 1.0)} for _ in range(int(rng.integers(1, 4)))]
        return {"kind": "compound", "parts": parts}
    if kind < 0.25:
        return {
            "kind": "voxels",
            "cells": rng.integers(-2, 2, (int(rng.integers(1, 9)), 3)).tolist(),
            "size": 0.5,
        }
    return (convex_in, mesh_in, cloud_in)[int(rng.choice(3, p=[0.45, 0.4, 0.15]))](rng)


def _frames(rng: Rng) -> Data:
    body = cloud_in(rng) if rng.random() < 0.3 else mesh_in(rng)
    frames, _ = frames_in(rng, shape_of(body).vertices)
    return {"body": body, "frames": frames}


def swept_thing_of(data: Data) -> fc.Moving:
    """The moving thing that is described."""
    if data["sort"] == "robot":
        robot, _ = robot_in(data)
        first, last = (np.concatenate([np.zeros(0), *one]) for one in data["q"])
        if (
            data["is_smooth"]
            and robot.dof > 0
            and all(joint["kind"] != "floating" for joint in data["joints"])
        ):
            return robot.along(CubicSpline([0, 1, 2], [first, last, 0.5 * first]))
        return robot.moving(first, last)
    body = _body_of(data["body"])
    if data["sort"] == "frames":
        return body.along([np.reshape(frame, (-1, 3)) for frame in data["frames"]])
    if data["sort"] == "course":
        return on_course(body, data["course"])
    if data["sort"] == "poses":
        return body.moving(*(pose_of(end) for end in data["ends"]), path=data["kind"])
    if data["sort"] == "spline":
        rotations, places = (np.array(part) for part in zip(*map(pose_of, data["knots"]), strict=True))
        poses = np.tile(np.eye(4), (len(places), 1, 1))
        poses[:, :3, :3], poses[:, :3, 3] = rotations, places
        return body.along(fc.Spline(np.linspace(0.0, 1.0, len(places)), poses))
    (a, b, c), rate = data["swing"], data["rate"]
    return body.along(
        fc.motion(
            lambda t: ([a * t * t, rate * t, b * np.sin(t)], [np.cos(rate * t), c * t, np.sin(rate * t)])
        )
    )


def _body_of(data: Data) -> Any:
    if data["kind"] == "compound":
        return fc.Compound([shape_of(part["shape"]).at(pose_of(part["pose"])) for part in data["parts"]])
    if data["kind"] == "voxels":
        return fc.Voxels(data["cells"], data["size"])
    return shape_of(data)


def length_of(data: Data) -> float:
    """How large a thing is, about; 1 where it has no size."""
    if data["sort"] == "robot":
        return max(size_of(link["shape"]) for link in data["links"])
    body = data["body"]
    if body["kind"] == "voxels":
        return 4.0 * float(body["size"])
    parts = [part["shape"] for part in body["parts"]] if body["kind"] == "compound" else [body]
    return max(map(size_of, parts)) or 1.0
