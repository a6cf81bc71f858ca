"""Vertices, edges and planes of a shape as they stand across a direction: two coordinates and a height."""

from math import sqrt

from firstcontact._jit import kernel
from firstcontact.arrays import INFINITY, Array
from firstcontact.proximity.manifolds.facing_shape import Ids
from firstcontact.scalar.vec3 import Vec3, cross, dot, scale

# Columns of placed points, and of the normals of placed planes.
U, V, HEIGHT = range(3)

# A plane that is steeper has no height: its normal has less than this along the direction.
STEEP = 1e-9


@kernel
def frame_across(n: Vec3) -> tuple[Vec3, Vec3]:
    """Two unit vectors across a unit vector, which depend on nothing else."""
    x, y, z = abs(n[0]), abs(n[1]), abs(n[2])
    if x <= y and x <= z:
        axis = 1.0, 0.0, 0.0
    elif y <= z:
        axis = 0.0, 1.0, 0.0
    else:
        axis = 0.0, 0.0, 1.0
    u = cross(axis, n)
    u = scale(1.0 / sqrt(dot(u, u)), u)
    return u, cross(n, u)


@kernel
def surface_at(
    planes: Array, n_planes: int, side: float, u: float, v: float, slack: float
) -> tuple[int, float]:
    """Plane that a line along the direction meets on the upper (1) or lower (-1) side, and at what height.

    -1 where the line passes by, by more than a slack.
    """
    best, height, back = -1, side * INFINITY, -side * INFINITY
    for k in range(n_planes):
        along = planes[k, HEIGHT]
        left = planes[k, 3] - planes[k, U] * u - planes[k, V] * v
        if abs(along) <= STEEP:
            if left < -slack:
                return -1, 0.0
        elif along * side > 0.0:
            here = left / along
            if (here - height) * side < 0.0:
                best, height = k, here
        else:
            here = left / along
            if (here - back) * side > 0.0:
                back = here
    if best < 0 or (height - back) * side < -slack:
        return -1, 0.0
    return best, height


@kernel
def mark_facing(
    edges: Ids, n_edges: int, planes: Array, n_planes: int, side: float, is_facing: Array, n_points: int
) -> None:
    """Mark the points, and behind them the edges, that lie on the upper (1) or lower (-1) side."""
    for i in range(n_points):
        is_facing[i] = 1.0 if n_planes == 0 else 0.0
    for k in range(n_edges):
        one, other = edges[k, 2], edges[k, 3]
        faces = (
            one < 0 or other < 0 or planes[one, HEIGHT] * side > STEEP or planes[other, HEIGHT] * side > STEEP
        )
        is_facing[n_points + k] = 1.0 if faces else 0.0
        if faces:
            is_facing[edges[k, 0]] = is_facing[edges[k, 1]] = 1.0
