"""Things of every kind, by name, around a place, and options, right and wrong: for the family of kinds."""

from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import numpy as np
import trimesh

import firstcontact as fc
from firstcontact.shapes.movable import Kind
from wrong_values import FACES, POINTS

TETRA = 0.5 * POINTS

# How what can be moved does so.
WAYS = ("bare", "at", "moving", "along", "thrown", "spline", "batch", "one of a batch", "no motions")


class Pretender:
    """Has what a thing has, and is none."""

    kind, rows, followed = Kind.CONVEX, np.zeros(40), None

    def __init__(self, shape: Any = None) -> None:
        self.shape = shape


@cache
def shape_named(name: str) -> Any:
    """A small shape around the origin."""
    sizes = {
        "sphere": lambda: fc.Sphere(0.5),
        "box": lambda: fc.Box([0.6, 0.8, 1.0]),
        "capsule": lambda: fc.Capsule(0.3, 0.6),
        "cylinder": lambda: fc.Cylinder(0.4, 0.8),
        "ellipsoid": lambda: fc.Ellipsoid([0.3, 0.4, 0.5]),
        "hull": lambda: fc.ConvexHull(TETRA),
        "closed mesh": lambda: fc.Mesh(TETRA, FACES),
        "open mesh": lambda: fc.Mesh(TETRA, FACES[:2]),
        "empty mesh": lambda: fc.Mesh([], []),
        "heights": lambda: fc.HeightField(np.zeros((3, 3)), 0.5),
        "field": lambda: fc.DistanceField.of(fc.Box([0.6, 0.8, 1.0]), 0.1),
        "half-space": lambda: fc.HalfSpace([0.6, 0, 0.8], -1.5),
        "compound": lambda: fc.Compound(
            [fc.Box([0.4, 0.4, 0.8]), fc.Mesh(TETRA, FACES).at((np.eye(3), [0.5, 0, 0]))]
        ),
        "voxels": lambda: fc.Voxels([[0, 0, 0], [1, 0, 0], [1, 1, 1]], 0.4, [-0.4, -0.4, -0.4]),
        "robot": _arm,
    }
    return sizes[name]()


CONVEX = ("sphere", "box", "capsule", "cylinder", "ellipsoid", "hull")
MESHES = ("closed mesh", "open mesh", "empty mesh", "heights")
MOVED = *CONVEX, *MESHES, "field", "half-space", "compound", "voxels"
ROBOTS = ("robot at", "robot moving", "robot along", "robots", "no robots")
CLOTHS = ("cloth", "cloth at rest", "cloth in steps", "empty cloth")
SEVERAL = ("a dict", "a list", "an empty dict", "a dict with a cloth", "a dict with a field", "a scene")


def _arm() -> fc.Robot:
    slide = fc.Joint("slide", "prismatic", "base", "arm", axis=[1, 0, 0])
    return fc.Robot({"base": (), "arm": fc.Sphere(0.3)}, [slide])


def moved(name: str, way: str, x: float) -> Any:
    """A shape that goes one of the ways, from x or about there."""
    shape, here = shape_named(name), np.eye(4)
    here[0, 3] = x
    there, back = here.copy(), here.copy()
    there[:3, :3], there[:3, 3] = [[0, -1, 0], [1, 0, 0], [0, 0, 1]], [0.7 - x, 0.1, 0.2]
    back[:3, 3] = [x, 0.3, -0.2]
    if way == "bare":
        return shape
    if way == "moving":
        return shape.moving(here, there)
    if way == "along":
        return shape.along(np.stack([here, there, back]))
    if way == "thrown":
        return shape.moving(here, velocity=[0.7 - 2 * x, 0.1, 1.0], acceleration=[0.0, 0.0, -2.0])
    if way == "spline" and name != "half-space":  # which is refused as it is made
        return shape.along(fc.Spline(None, np.stack([here, there, back])))
    batches = {"batch": [here, there, back], "one of a batch": [here], "no motions": []}
    return shape.at(np.reshape(batches[way], (-1, 4, 4)) if way in batches else here)


def cloth(name: str, x: float) -> Any:
    """A mesh that deforms, or rests."""
    mesh = shape_named("empty mesh" if name == "empty cloth" else "closed mesh")
    start = mesh.vertices + np.array([x, 0.0, 0.0])
    middle, end = start * [1.0, 1.1, 0.9], mesh.vertices * [1.1, 1.0, 1.0] + np.array([0.5 - x, 0.1, 0.2])
    if name == "cloth in steps":
        return mesh.along([start, middle, end])
    return mesh.deforming(start, start if name == "cloth at rest" else end)


def robot(name: str, x: float) -> Any:
    """A robot somewhere, on its way, or on several."""
    arm = shape_named("robot")
    if name == "robot moving":
        return arm.moving([x], [-x])
    if name == "robot along":
        return arm.along([[x], [-x], [0.5]])
    return arm.at({"robots": [[x], [0.0]], "no robots": np.zeros((0, 1))}.get(name, [x]))


def several(name: str, x: float) -> Any:
    """More than one thing, or none."""
    ball = moved("sphere", "at", x)
    return {
        "a dict": {"ball": ball, "tetra": moved("closed mesh", "at", -x)},
        "a list": [ball, moved("closed mesh", "at", -x)],
        "an empty dict": {},
        "a dict with a cloth": {"cloth": cloth("cloth", x)},
        "a dict with a field": {"field": moved("field", "at", x)},
        "a scene": fc.Scene(ball=ball),
    }[name]


# What is no thing at all, though some of it looks like one.
NO_THINGS: dict[str, Any] = {
    "a class of ours": lambda: fc.Mesh,
    "a class of shapes": lambda: fc.Sphere,
    "the class of what moves": lambda: fc.Moving,
    "the class of fields": lambda: fc.DistanceField,
    "the class of robots": lambda: fc.Robot,
    "a class of trimesh": lambda: trimesh.Trimesh,
    "a robot without a configuration": lambda: shape_named("robot"),
    "a pretender": Pretender,
    "a pretender with a shape": lambda: Pretender(fc.Sphere(1)),
    "a class of pretenders": lambda: Pretender,
    "a mock": Mock,
    "a namespace": lambda: SimpleNamespace(kind=Kind.MESH, rows=np.zeros((1, 40)), shape=None),
    "a namespace of numbers": lambda: SimpleNamespace(kind=0, rows=0, shape=0, motion=0),
    "a kind": lambda: Kind.CONVEX,
    "a joint": lambda: fc.Joint("j", "fixed", "a", "b"),
    "a motion": lambda: fc.Sphere(1).at(np.eye(4)).motion,
    "an answer": lambda: fc.distance(fc.Sphere(1), fc.Sphere(1)),
    "an object": object,
    "a number": lambda: 5,
    "nan": lambda: float("nan"),
    "a text": lambda: "sphere",
    "bytes": lambda: b"sphere",
    "a pose": lambda: np.eye(4),
    "a pose with nan": lambda: np.full((4, 4), np.nan),
    "points": POINTS.copy,
    "no points": lambda: np.zeros((0, 3)),
    "points with nan": lambda: np.full((2, 3), np.nan),
    "an object array": lambda: np.array([fc.Sphere(1), None], object),
    "a tuple of texts": lambda: ("a", "b"),
    "a dict of numbers": lambda: {"a": 5},
    "a dict by numbers": lambda: {5: fc.Sphere(1)},
    "a list of nothing": lambda: [None],
    "a nested list": lambda: [[fc.Sphere(1)]],
    "a function": lambda: len,
    "a path": lambda: Path("nowhere.obj"),
    "a point cloud": lambda: trimesh.PointCloud(POINTS),
}

THINGS: dict[str, tuple[str, tuple[str, ...]]] = {
    **{f"{way} {name}": ("moved", (name, way)) for name in MOVED for way in WAYS},
    **{name: ("cloth", (name,)) for name in CLOTHS},
    **{name: ("robot", (name,)) for name in ROBOTS},
    **{name: ("several", (name,)) for name in SEVERAL},
    "a mesh of trimesh": ("trimesh", ()),
    "nothing": ("nothing", ()),
    **{name: ("none", (name,)) for name in NO_THINGS},
}


def thing_named(name: str, x: float) -> Any:
    """The thing of that name, around x where it is one that can be."""
    group, words = THINGS[name]
    if group == "trimesh":
        return trimesh.creation.box([0.5, 0.6, 0.7]).apply_translation([x, 0, 0])
    if group == "nothing":
        return None
    if group == "none":
        return NO_THINGS[words[0]]()
    return {"moved": moved, "cloth": cloth, "robot": robot, "several": several}[group](*words, x)


# Values of options: those that are right somewhere, and those that are right nowhere.
RIGHT: dict[str, dict[str, Any]] = {
    "tolerance": {"0": 0.0, "1e-3": 1e-3, "an integer": 1, "of numpy": np.float32(0.01), "1e45": 1e45},
    "min_separation": {"1e-3": 1e-3, "of numpy": np.float64(0.25), "tiny": 5e-324},
    "method": dict.fromkeys(("c2a", "ca", "subdivision", "advancement")),
    "max_iterations": {"1": 1, "99": 99, "of numpy": np.int32(7)},
    "solid": {"yes": True, "of numpy": np.True_},
    "exact": {"no": False},
    "culling": {"some": fc.Culling(normal_cones=False)},
    "assume_free_start": {"yes": True},
    "self_contact": {"yes": True},
    "time_tolerance": {"0": 0.0, "1e-3": 1e-3},
    "max_contacts": {"99": 99, "1": 1},
    "within": {"0": 0.0, "0.2": 0.2, "-0.1": -0.1},
    "relative_error": {"0": 0.0, "0.2": 0.2},
    "executor": {"of threads": ThreadPoolExecutor(1)},
    "hits": dict.fromkeys(("first", "all", "any")),
    "min_time": {"-1": -1.0, "-inf": float("-inf")},
    "max_time": {"0.5": 0.5, "inf": float("inf")},
}
RIGHT["method"] = {name: name for name in RIGHT["method"]}
RIGHT["hits"] = {name: name for name in RIGHT["hits"]}
_NO_NUMBERS = {
    "a text": "1",
    "nan": float("nan"),
    "less than 0": -1e300,
    "a list": [1],
    "a complex number": 1j,
    "true": True,
}
_NO_FLAGS = {"a text": "yes", "1": 1, "none": None, "an array": np.array([True, False])}
_NO_COUNTS = _NO_NUMBERS | {"0": 0, "a half": 0.5, "2**40": 2**40}
NOWHERE: dict[str, dict[str, Any]] = {
    "tolerance": _NO_NUMBERS | {"inf": float("inf"), "1e300": 1e300},
    "min_separation": _NO_NUMBERS | {"none": None},
    "method": {"unknown": "unknown", "a number": 1, "a class": str, "half a character": "\ud800"},
    "max_iterations": _NO_COUNTS,
    "solid": _NO_FLAGS,
    "exact": _NO_FLAGS,
    "culling": {"a text": "all", "a class": fc.Culling, "true": True},
    "assume_free_start": _NO_FLAGS,
    "self_contact": _NO_FLAGS,
    "progress": _NO_FLAGS,
    "time_tolerance": _NO_NUMBERS | {"none": None},
    "max_contacts": _NO_COUNTS | {"none": None},
    "within": _NO_NUMBERS | {"inf": float("inf")},
    "relative_error": _NO_NUMBERS | {"inf": float("inf"), "-1": -1.0},
    "executor": {"a number": 2, "a class": ThreadPoolExecutor, "a mock": Mock()},
    "out": {"a number": 3, "with NUL": "a\0b"},
    "hits": {"unknown": "second", "none": None, "a number": 1},
    "min_time": {"nan": float("nan"), "inf": float("inf"), "none": None, "a text": "1"},
    "max_time": {"nan": float("nan"), "less than 0": -1.0, "none": None, "a text": "1"},
}
