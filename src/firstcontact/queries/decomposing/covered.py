"""What spheres are to cover, as distances tell it: a solid, or the surface of an open mesh."""

from typing import NamedTuple

import numpy as np

from firstcontact.arrays import Array
from firstcontact.bodies.mesh_parts import is_closed
from firstcontact.queries.signed_distance import signed_distance
from firstcontact.shapes.compound import as_compound
from firstcontact.shapes.mesh import as_mesh, is_empty
from firstcontact.shapes.movable import Kind
from firstcontact.shapes.shape import Shape


class Near(NamedTuple):
    """Distances (n,) of points, and which points (n, 3) of the surface are as near."""

    distances: Array
    points: Array


class Covered(NamedTuple):
    """A shape without parts, its pose, and whether it has an inside: what is in there is covered, too."""

    shape: Shape
    pose: Array
    has_inside: bool


def covered_by(shape: Shape) -> list[Covered]:
    """What is to be covered of a shape: of a compound, each part that is not empty; of nothing, nothing."""
    if shape.is_thick:
        raise TypeError("a sphere tree knows no thickness, and the shape has one: take a mesh without")
    if shape.kind is Kind.COMPOUND:
        parts = as_compound(shape).parts
        return [
            Covered(part.shape, part.pose, _has_inside(part.shape))
            for part in parts
            if not is_empty(part.shape)
        ]
    return [] if is_empty(shape) else [Covered(shape, np.eye(4), _has_inside(shape))]


def nearest_of(things: list[Covered], points: Array) -> Near:
    """Measure points from the union of things, each a solid or a surface.

    Outside it is the distance. Inside it is negative, and the union holds all that is not farther away. So
    it changes by no more than one goes.
    """
    distances, nearest = np.full(len(points), np.inf), np.full((len(points), 3), np.nan)
    for shape, pose, has_inside in things:
        found = signed_distance(shape.at(pose), points)
        own = np.asarray(found.distance) if has_inside else np.abs(found.distance)
        is_nearer = own < distances
        distances, nearest[is_nearer] = np.minimum(distances, own), found.points[is_nearer]
    return Near(distances, nearest)


def _has_inside(shape: Shape) -> bool:
    """Is a shape solid: anything but an open mesh? Clouds are; a height field is a surface."""
    return shape.kind is not Kind.MESH or as_mesh(shape).is_cloud or is_closed(as_mesh(shape))
