"""What the distances of a field are of: a surface, or a core of a convex shape, which has a radius."""

from typing import NamedTuple

import numpy as np

from firstcontact._jit import driver, kernel
from firstcontact.arrays import Array
from firstcontact.bodies.point_body import PointBody, point_body_of
from firstcontact.fields.building.cell_proof import IS_INSIDE, IS_OUTSIDE, SHORT, Bits, Corners, Singles
from firstcontact.fields.building.core_distance import core_distance
from firstcontact.proximity.points.closest_on_mesh import closest_on_mesh
from firstcontact.proximity.points.winding import winds_around
from firstcontact.scalar.vec3 import Vec3, sub
from firstcontact.shapes.mesh import Mesh


class Core(NamedTuple):
    """A core of a convex shape about a middle, with a radius: kinds are those of `shapes.convex`."""

    kind: int
    half: Vec3
    radius: float
    middle: Vec3


class Surface(NamedTuple):
    """A mesh, and whether it is closed: then it has an inside, which is what it winds around."""

    mesh: Mesh
    is_signed: bool

    @property
    def body(self) -> PointBody:
        """The mesh made ready for points."""
        return point_body_of(self.mesh)


def corners_of(source: Core | Surface, points: Array, tolerance: float) -> Corners:
    """Say what is known at points (n, 3)."""
    n = len(points)
    if isinstance(source, Core):
        values = np.empty(n, np.float32)
        _measure_core(source, points, values)
        return only_values(values)
    on = closest_on_mesh(source.body, points)
    far = np.where(on.distances > 0.0, on.distances, 1.0)
    if source.is_signed:
        sign = np.where(winds_around(source.mesh, points), -1.0, 1.0)
        singles = (sign * on.distances).astype(np.float32)
        ways = on.offsets * (sign / far)[:, np.newaxis]
        return Corners(singles, ways, on.places, _sides(source, points, singles, ways, tolerance))
    ways = on.offsets / far[:, np.newaxis]
    return Corners(on.distances.astype(np.float32), ways, on.places, np.zeros(n, np.int8))


def only_values(values: Singles) -> Corners:
    """Corners of which nothing but the values is asked."""
    n = len(values)
    return Corners(values, np.zeros((n, 3)), np.zeros(n, np.int32), np.zeros(n, np.int8))


def _sides(source: Surface, points: Array, singles: Singles, ways: Array, tolerance: float) -> Bits:
    """Which points, moved across by the tolerance, are inside, and which, the other way, outside?"""
    values = singles.astype(float)
    sides = np.zeros(len(points), np.int8)
    for sign, bit in ((1.0, IS_INSIDE), (-1.0, IS_OUTSIDE)):
        spare = sign * values + tolerance
        sides[spare < 0.0] |= bit
        asked = np.flatnonzero(spare >= 0.0)
        moved = points[asked] - (sign * SHORT * spare[asked])[:, np.newaxis] * ways[asked]
        is_inside = winds_around(source.mesh, moved)
        sides[asked[is_inside == (bit == IS_INSIDE)]] |= bit
    return sides


@driver
def _measure_core(core: Core, points: Array, values: Singles) -> None:
    for i in range(len(points)):
        values[i] = value_of(core, (points[i, 0], points[i, 1], points[i, 2]))[0]


@kernel
def value_of(core: Core, p: Vec3) -> tuple[float, Vec3]:
    """Signed distance at a point, and its gradient."""
    distance, gradient = core_distance(core.kind, core.half, sub(p, core.middle))
    return distance - core.radius, gradient
