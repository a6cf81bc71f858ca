"""Distances of listed pairs of shapes that stand still, of many kinds in one pass: meshes, convex shapes."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel, on_ranges
from firstcontact.arrays import Array, Ids
from firstcontact.bodies.convex_mesh_volume import BoundedShape
from firstcontact.bodies.mesh_table import MeshTable, mesh_at, stack_for_two
from firstcontact.bodies.wide_body import NodeStack
from firstcontact.bounds.swept_sphere import volume_of
from firstcontact.proximity.distance.closest_pair import N_COUNTS
from firstcontact.proximity.distance.convex_mesh_distance import (
    ClosestTriangle,
    SolidShape,
    closest_triangle_at_rest,
)
from firstcontact.proximity.distance.mesh_distance import Leeway, closest_at_rest
from firstcontact.scalar.vec3 import Vec3
from firstcontact.shapes.convex import convex_at, origin_at

# Pairs from which several threads are worth their start.
WORTH_A_THREAD = 16


class ShapeTable(NamedTuple):
    """Shapes, some of which are meshes.

    records, pool, volumes : of all, those of meshes are not read; as in `ConvexTable`, and what holds them
    mesh_ids : (k,) int32, number of the mesh, -1 where it is none
    meshes : the meshes
    """

    records: Array
    pool: Array
    volumes: Array
    mesh_ids: Ids
    meshes: MeshTable


class ListedPairs(NamedTuple):
    """Two shapes each, one of which is a mesh, or both.

    shape_ids, row_ids : (n, 2) int32, which shapes, and which rows say where they are
    rows : (m, 1, 26), poses, as rows of motions
    within : (n,) farther is nowhere
    """

    shape_ids: Ids
    row_ids: Ids
    rows: Array
    within: Array


class ListedMeasured(NamedTuple):
    """Distances (n,), inf where farther than within; closest points (n, 2, 3) in the world, NaN there."""

    distance: Array
    points: Array


def listed_distances(shapes: ShapeTable, listed: ListedPairs) -> ListedMeasured:
    """Measure pairs, convex shapes being solid and meshes surfaces."""
    n = len(listed.within)
    found = ListedMeasured(np.full(n, np.inf), np.full((n, 2, 3), np.nan))

    def task(first: int, last: int) -> None:
        _measure_range(shapes, listed, found, stack_for_two(shapes.meshes), (first, last))

    on_ranges(task, n, WORTH_A_THREAD)
    found.points[found.distance == np.inf] = np.nan
    return found


@driver
def _measure_range(
    shapes: ShapeTable, listed: ListedPairs, found: ListedMeasured, stack: NodeStack, part: tuple[int, int]
) -> None:
    counts = np.zeros(N_COUNTS, np.int64)
    for k in range(part[0], part[1]):
        i, j = int(np.int64(listed.shape_ids[k, 0])), int(np.int64(listed.shape_ids[k, 1]))
        row_a, row_b = listed.rows[listed.row_ids[k, 0], 0], listed.rows[listed.row_ids[k, 1], 0]
        leeway = Leeway(float(listed.within[k]), 0.0)
        if shapes.mesh_ids[i] >= 0 and shapes.mesh_ids[j] >= 0:
            a = mesh_at(shapes.meshes, int(np.int64(shapes.mesh_ids[i])))
            b = mesh_at(shapes.meshes, int(np.int64(shapes.mesh_ids[j])))
            both = closest_at_rest(a, b, row_a, row_b, stack, counts, leeway)
            _write(found, k, both.distance, both.point_a, both.point_b)
        elif shapes.mesh_ids[i] < 0:
            best = _to_mesh(shapes, (i, j), row_a, row_b, stack, counts, leeway)
            _write(found, k, best.distance, best.point_a, best.point_b)
        else:
            best = _to_mesh(shapes, (j, i), row_b, row_a, stack, counts, leeway)
            _write(found, k, best.distance, best.point_b, best.point_a)


@kernel
def _to_mesh(
    shapes: ShapeTable,
    ids: tuple[int, int],
    row_a: Array,
    row_b: Array,
    stack: NodeStack,
    counts: NDArray[np.int64],
    leeway: Leeway,
) -> ClosestTriangle:
    """Measure a convex shape and a mesh."""
    i, mesh = ids[0], mesh_at(shapes.meshes, int(np.int64(shapes.mesh_ids[ids[1]])))
    bounded = BoundedShape(
        convex_at(shapes.records, i), shapes.pool, volume_of(shapes.volumes, i), stack.rectangle
    )
    one = SolidShape(bounded, origin_at(shapes.records, i))
    return closest_triangle_at_rest(one, mesh, row_a, row_b, stack, counts, leeway)


@kernel
def _write(found: ListedMeasured, k: int, distance: float, point_a: Vec3, point_b: Vec3) -> None:
    """Write down what was found of a pair."""
    found.distance[k] = distance
    for c in range(3):
        found.points[k, 0, c], found.points[k, 1, c] = point_a[c], point_b[c]
