"""What the shapes of a sweep are made of: triangles, segments and points, with radii around them."""

from math import acos, ceil, pi
from typing import NamedTuple

import numpy as np

from firstcontact.arrays import Array, Ids
from firstcontact.bodies.mesh_parts import is_closed
from firstcontact.shapes.convex import BOX, CONE, CYLINDER, ELLIPSOID, HALF, HULL, KIND, RADIUS
from firstcontact.shapes.convex_hull import ConvexHull
from firstcontact.shapes.convex_shape import ConvexShape, as_convex
from firstcontact.shapes.mesh import Mesh, as_mesh
from firstcontact.shapes.movable import Kind, Movable

# Sides of a polygon in place of a circle, at the least; points of a ball's mesh, at the least.
FEWEST_SIDES, FEWEST_POINTS = 8, 32

# Steps of the golden angle from point to point of a spiral around a ball.
GOLDEN = pi * (3.0 - 5.0**0.5)


class Elements(NamedTuple):
    """A part of a thing, in its own frame.

    vertices : (n, 3)
    faces : (m, 3) int32, the corners of each element: of a segment or a point, some are the same
    radii : (m,) all within the radius of an element belongs to the part
    excess : no point of the part is farther from its elements, and its inside, than their radii and this
    solid : a closed mesh, the inside of which belongs to the part too; None where there is none
    """

    vertices: Array
    faces: Ids
    radii: Array
    excess: float
    solid: Mesh | None


def elements_of(shape: Movable, roundness: float) -> Elements:
    """Elements of a convex shape or a mesh; polygons stand for circles, nowhere farther off than this."""
    if shape.kind is Kind.CONVEX:
        return _convex_elements(as_convex(shape), roundness)
    mesh = as_mesh(shape)
    has_solid = mesh.n_faces > 0 and mesh.has_inside and not mesh.is_cloud and is_closed(mesh)
    return Elements(mesh.vertices, mesh.faces, mesh.radii, 0.0, mesh if has_solid else None)


def _convex_elements(shape: ConvexShape, roundness: float) -> Elements:
    record = shape.table.records[0]
    kind, radius, half = int(record[KIND]), float(record[RADIUS]), record[HALF:RADIUS]
    if kind == HULL:
        return _of_polytope(shape.unrounded.mesh, radius, 0.0)
    if kind == BOX:
        signs = np.array([[k & 1, k >> 1 & 1, k >> 2] for k in range(8)]) * 2.0 - 1.0
        return _of_polytope(ConvexHull(signs * half).mesh, radius, 0.0)
    if kind in (CYLINDER, CONE):
        circle, off = _circle(float(half[0]), roundness)
        low = np.column_stack([circle, np.full(len(circle), -half[2])])
        top = low * [1.0, 1.0, -1.0] if kind == CYLINDER else np.array([[0.0, 0.0, half[2]]])
        return _of_polytope(ConvexHull(np.concatenate([low, top])).mesh, radius, off)
    if kind == ELLIPSOID:
        ball, off = _ball(roundness / float(half.max()))
        return _of_polytope(Mesh(ball.vertices * half, ball.faces), radius, off * float(half.max()))
    ends = np.array([[0.0, 0.0, -half[2]], [0.0, 0.0, half[2]]])  # of a point, both at the origin
    return Elements(ends, np.array([[0, 1, 1]], np.int32), np.array([radius]), 0.0, None)


def _of_polytope(mesh: Mesh, radius: float, excess: float) -> Elements:
    return Elements(mesh.vertices, mesh.faces, np.full(mesh.n_faces, radius), excess, mesh)


def _circle(radius: float, roundness: float) -> tuple[Array, float]:
    """Corners of a polygon in a circle, (n, 2), and how far the circle is from it at most."""
    part = min(roundness / radius, 0.5)
    n = max(ceil(pi / acos(1.0 - part)), FEWEST_SIDES)
    angles = 2.0 * pi * np.arange(n) / n
    # Of two roundings more: the corners are rounded.
    off = radius * (2.0 * np.sin(0.5 * pi / n) ** 2 + 2.0**-50)
    return radius * np.stack([np.cos(angles), np.sin(angles)], axis=1), float(off)


def _ball(roundness: float) -> tuple[Mesh, float]:
    """A polyhedron in the unit ball, and how far the ball is from it at most, at best the roundness."""
    n = max(ceil(4.0 / min(roundness, 0.5)), FEWEST_POINTS)
    heights = (2.0 * np.arange(n) + 1.0) / n - 1.0
    across, angles = np.sqrt(1.0 - heights * heights), GOLDEN * np.arange(n)
    points = np.stack([across * np.cos(angles), across * np.sin(angles), heights], axis=1)
    mesh = ConvexHull(points).mesh
    # A point of the sphere leaves by its radius through a face, which is nowhere nearer to the centre than
    # the plane of that face.
    a, b, c = (mesh.vertices[mesh.faces[:, k]] for k in range(3))
    normals = np.cross(b - a, c - a)
    away = np.einsum("ij,ij->i", normals, a) / np.linalg.norm(normals, axis=1)
    return mesh, float(1.0 - away.min() + 2.0**-40)
