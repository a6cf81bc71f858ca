"""Shapes as convex pieces for the oracles: a mesh is its triangles, a cloud its balls and capsules."""

from typing import Any

import numpy as np

from oracles.convex_cores import Core, Cores, core_of, placed, size_of
from things import Data, pose_of, shape_of

Real = np.longdouble


def pieces_of(data: Data) -> list[Core]:
    """The convex pieces of a shape, in its own frame."""
    shape = shape_of(data)
    if data["kind"] == "points":
        return [_rounded([ball]) for ball in data["balls"]]
    if data["kind"] == "strands":
        return [_rounded(part) for strand in data["strands"] for part in segments_of(strand)]
    if data["kind"] != "mesh":
        return [core_of(shape)]
    return [Core(triangle, np.zeros(3), 0.0) for triangle in shape.vertices[shape.faces]]


def segments_of(strand: list[Data]) -> list[list[Data]]:
    """Both ends of each segment of a strand; one that is a point is itself."""
    return [strand[i : i + 2] for i in range(len(strand) - 1)] or [strand][: len(strand)]


def _rounded(balls: list[Data]) -> Core:
    """All that is within the largest radius of a point, or of a segment."""
    places = np.array([ball["at"] for ball in balls], float)
    return Core(places, np.zeros(3), max(ball["radius"] for ball in balls))


def pairs_of(a: list[Core], b: list[Core]) -> tuple[list[Core], list[Core]]:
    """Each piece of one with each of the other."""
    return [x for x in a for _ in b], [y for _ in a for y in b]


def unplaced(cores: list[Core]) -> Cores:
    """Pieces whose motion says where they are."""
    return placed(cores, [np.eye(3)] * len(cores), np.zeros((len(cores), 3)))


def extent_of(a: Data, b: Data, places: list[Any]) -> float:
    """What rounding goes by: the sizes of two shapes, how far from their origins, and how far away."""
    cores = [core for data in (a, b) for core in pieces_of(data)]
    sizes = max((size_of(core) + float(np.abs(core.points).max()) for core in cores), default=0.0)
    return 2.0 * sizes + max((float(np.linalg.norm(place)) for place in places), default=0.0)


def is_round(data: Data) -> bool:
    """Has it a surface that is found by iteration, to fewer digits?"""
    if data["kind"] == "rounded":
        return is_round(data["within"])
    return data["kind"] in ("cylinder", "ellipsoid", "cone")


def vertices_at(data: Data, pose: Data) -> Any:
    """Triangles of a mesh at a pose, (n, 3, 3), in extended precision."""
    rotation, place = pose_of(pose)
    shape = shape_of(data)
    return (shape.vertices.astype(Real) @ rotation.astype(Real).T + place)[shape.faces]
