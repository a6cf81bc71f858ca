"""Things that nobody asked for, to be given where others are: for the family of wrong inputs."""

import fractions
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import trimesh

import firstcontact as fc

Make = Callable[[], Any]

POINTS = np.array([[1.0, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]])
FACES = np.array([[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]])
FAR = np.array([[1.0, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 9], [0, 0, 0, 1]])


class Rising:
    """Says that it is an array, and fails to become one."""

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise RuntimeError("no array today")

    def __repr__(self) -> str:
        raise RuntimeError("no words either")


class Column:
    """Becomes an array when asked, as a table's column does."""

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return np.array([1.0, 2.0, 3.0], dtype)


def _recursive() -> Any:
    rows: list[Any] = [1.0]
    rows.append(rows)
    return rows


def _objects() -> Any:
    array = np.empty((4, 3), object)
    array[:] = 1.0
    array[1, 1] = "x"
    return array


def _matrix() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PendingDeprecationWarning)  # of the class, which some still use
        return np.matrix(POINTS)


def _masked(is_masked: bool) -> Any:
    return np.ma.MaskedArray(POINTS, mask=np.full((4, 3), is_masked))


def a_mesh() -> fc.Mesh:
    """Make a small one."""
    return fc.Mesh(POINTS, FACES)


def a_robot() -> fc.Robot:
    """Make a small one."""
    slide = fc.Joint("slide", "prismatic", "base", "arm", FAR, limits=(-1, 1))
    return fc.Robot({"base": fc.Sphere(0.5), "arm": fc.Box([1, 1, 1]), "hand": ()}, [slide, a_hold()])


def a_hold() -> fc.Joint:
    """Make a small one."""
    return fc.Joint("hold", "fixed", "arm", "hand")


def a_scene() -> fc.Scene:
    """Make a small one."""
    return fc.Scene(ball=fc.Sphere(1), box=fc.Box([1, 1, 1]).moving(FAR, velocity=[0, 0, -9]))


@cache
def an_answer() -> fc.FirstContact:
    """Make a small one."""
    return fc.first_contact(fc.Sphere(1).moving(FAR, velocity=[0, 0, -9]), fc.Box([1, 1, 1]))


# Things that nobody asked for, by name; some of them are right in some places.
WRONG: dict[str, Make] = {
    "none": lambda: None,
    "true": lambda: True,
    "zero": lambda: 0,
    "minus one": lambda: -1,
    "a third": lambda: fractions.Fraction(1, 3),
    "a huge fraction": lambda: fractions.Fraction(-(10**400), 3),
    "10**400": lambda: 10**400,
    "-10**5000": lambda: -(10**5000),
    "a row with 10**400": lambda: [10**400, 1.0, 2.0],
    "limits of 10**400": lambda: (-(10**400), 10**400),
    "1e308": lambda: 1e308,
    "nan": lambda: float("nan"),
    "inf": lambda: float("inf"),
    "a complex number": lambda: 1 + 2j,
    "a text": lambda: "text",
    "an empty text": lambda: "",
    "a lone surrogate": lambda: "\ud800",
    "a text with NUL": lambda: "a\0b",
    "two lines": lambda: "a\nb",
    "a long text": lambda: "x" * 100_000,
    "bytes": lambda: b"bytes",
    "a dict": lambda: {"a": 1},
    "a dict of shapes": lambda: {"a": fc.Sphere(1)},
    "a dict with a lone surrogate": lambda: {"\ud800": fc.Sphere(1)},
    "a dict by numbers": lambda: {5: fc.Sphere(1), None: 3},
    "a set": lambda: {1, 2, 3},
    "an empty list": list,
    "an empty tuple": lambda: (),
    "a list of texts": lambda: ["a", "b"],
    "a list of lists": lambda: [[1], [2, 3], [[4]]],
    "a list of none": lambda: [None, None, None],
    "a recursive list": _recursive,
    "nests": lambda: [[[[[[[[1.0]]]]]]]],
    "pairs of numbers": lambda: [(1, 2), (3, 4)],
    "pairs of lists": lambda: [([], []), ({}, {})],
    "objects": _objects,
    "an object array": lambda: np.array([fc.Sphere(1), None, 3], object),
    "masked points": lambda: _masked(True),
    "unmasked points": lambda: _masked(False),
    "a list with a masked row": lambda: [np.ma.MaskedArray(row, mask=[1, 0, 0]) for row in POINTS],
    "the masked constant": lambda: np.ma.masked,
    "a structured array": lambda: np.zeros(4, [("x", float), ("y", int)]),
    "a matrix": _matrix,
    "a 0-d array": lambda: np.array(1.0),
    "a 0-d integer": lambda: np.array(1),
    "many axes": lambda: np.zeros((1, 1, 1, 4, 4, 3)),
    "no rows": lambda: np.zeros((0, 3)),
    "no columns": lambda: np.zeros((4, 0)),
    "backwards": lambda: POINTS[::-1, ::-1],
    "big-endian": lambda: POINTS.astype(">f8"),
    "halves": lambda: POINTS.astype(np.float16),
    "long doubles": lambda: POINTS.astype(np.longdouble) * np.longdouble(10) ** 400,
    "booleans": lambda: POINTS > 0,
    "dates": lambda: np.zeros(3, "M8[s]"),
    "characters": lambda: np.full((4, 3), "a"),
    "complex numbers": lambda: POINTS * 1j,
    "points with nan": lambda: np.full((4, 3), np.nan),
    "points at 1e300": lambda: POINTS * 1e300,
    "points at 1e44": lambda: POINTS * 1e44,
    "points at 1e-300": lambda: POINTS * 1e-300,
    "unsigned": lambda: np.full((4, 3), 2**64 - 1, np.uint64),
    "identities": lambda: np.stack([np.eye(4)] * 3),
    "a mirror": lambda: np.diag([1.0, 1, -1, 1]),
    "a column": Column,
    "an array that raises": Rising,
    "a generator": lambda: (x for x in (1, 2, 3)),
    "a range": lambda: range(3),
    "a slice": lambda: slice(1, 2),
    "a function": lambda: len,
    "a class": lambda: fc.Sphere,
    "another class": lambda: fc.Mesh,
    "a class of trimesh": lambda: trimesh.Trimesh,
    "Ellipsis": lambda: ...,
    "an object": object,
    "a namespace": lambda: SimpleNamespace(vertices=5, faces="x"),
    "a namespace with names": lambda: SimpleNamespace(names=5, shape=6, motion=7, things=8),
    "a random generator": lambda: np.random.default_rng(1),
    "an old random state": lambda: np.random.RandomState(1),
    "a path": lambda: Path("nowhere.obj"),
    "a scene of trimesh": lambda: trimesh.Scene([trimesh.creation.box()]),
    "a cloud of trimesh": lambda: trimesh.PointCloud(POINTS),
    "a box of trimesh": trimesh.creation.box,
    "a sphere": lambda: fc.Sphere(1.0),
    "a mesh": a_mesh,
    "an empty mesh": lambda: fc.Mesh([], []),
    "a moving box": lambda: fc.Box([1, 1, 1]).moving(FAR, velocity=[0, 0, -9]),
    "a batch": lambda: fc.Sphere(1).at(np.stack([FAR] * 3)),
    "no motions": lambda: fc.Sphere(1).at(np.zeros((0, 4, 4))),
    "a cloth": lambda: a_mesh().deforming(POINTS, POINTS[::-1]),
    "a robot": a_robot,
    "a robot at rest": lambda: a_robot().at([0.0]),
    "a robot on many ways": lambda: a_robot().moving([0.0], [[1.0], [2.0]]),
    "a joint": lambda: fc.Joint("j", "fixed", "base", "arm"),
    "a scene": a_scene,
    "an empty scene": fc.Scene,
    "an answer": an_answer,
    "a status": lambda: fc.Status.CONTACT,
    "a culling": fc.Culling,
}

# What must be refused wherever it is taken for numbers.
MASKED = ("masked points", "a list with a masked row")
