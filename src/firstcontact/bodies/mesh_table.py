"""Any number of meshes as one: their trees in arrays end to end."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import kernel
from firstcontact.arrays import Array, Ids
from firstcontact.bodies.convex_mesh_volume import N_RECTANGLE
from firstcontact.bodies.mesh_parts import FEW_PARTS, parts_as_points, parts_of
from firstcontact.bodies.packed_body import BLOCK
from firstcontact.bodies.placed_triangle import N_TRIANGLE
from firstcontact.bodies.wide_body import WIDTH, NodeStack, WideBody, node_stack, wide_body_of
from firstcontact.bounds.swept_sphere import N_COLUMNS as N_VOLUME
from firstcontact.shapes.mesh import Mesh

# Columns of `MeshTable.extents`: first row and one beyond the last, of nodes, of triangles, of blocks, of
# witnesses; depth; whether the mesh is closed; which mesh's triangles stand for its parts, -1 where these are
# so few that the witnesses do.
NODES, TRIANGLES, BLOCKS, WITNESSES, DEPTH, IS_CLOSED, PARTS = 0, 2, 4, 6, 8, 9, 10
N_EXTENTS = 11


class MeshTable(NamedTuple):
    """The arrays of `WideBody` for m meshes, some of which may be there to stand for parts of others.

    extents : (m, N_EXTENTS) int64
    places : (m, 4) origin and reach of each
    witnesses : (k, 3) one vertex of each connected part, as seen from the origin
    """

    extents: NDArray[np.int64]
    places: Array
    witnesses: Array
    volumes: Array
    triangles: Array
    order: Ids
    blocks_of: Ids
    nodes: Ids
    blocks: Array


class PackedTable(NamedTuple):
    """A `MeshTable` in three arrays, as queries about single things take it.

    numbers : places, witnesses, volumes, triangles and blocks
    links : order, blocks of nodes and nodes of blocks
    extents : as in the table
    """

    numbers: Array
    links: Ids
    extents: NDArray[np.int64]


def mesh_table(meshes: Sequence[Mesh]) -> MeshTable:
    """Gather meshes that have triangles; those of many parts have these as points, behind all."""
    return unpacked_table(packed_table(meshes))


def unpacked_table(packed: PackedTable) -> MeshTable:
    """The table that was packed, without a copy."""
    return table_in.py_func(*packed)


def packed_table(meshes: Sequence[Mesh]) -> PackedTable:
    """Gather meshes as `mesh_table` does."""
    numbers, everything = _with_parts(meshes)
    bodies = [wide_body_of(mesh) for mesh in everything]
    extents = np.zeros((len(bodies), N_EXTENTS), np.int64)
    extents[:, PARTS] = numbers
    parts = [parts_of(mesh) for mesh in everything]
    starts = [0, 0, 0, 0]
    for row, mesh, body, part in zip(extents, everything, bodies, parts, strict=True):
        sizes = len(body.volumes), len(body.triangles), len(body.nodes), len(part.witnesses)
        for k, size in enumerate(sizes):
            row[2 * k], row[2 * k + 1] = starts[k], starts[k] + size
            starts[k] += size
        row[DEPTH], row[IS_CLOSED] = body.depth, part.n_open_edges == 0 and not mesh.is_cloud
    floats = [
        *(np.array([*body.origin, body.reach]) for body in bodies),
        *(part.witnesses - body.origin for part, body in zip(parts, bodies, strict=True)),
        *(body.volumes for body in bodies),
        *(body.triangles for body in bodies),
        *(body.blocks for body in bodies),
    ]
    links = [
        *(body.order for body in bodies),
        *(body.blocks_of for body in bodies),
        *(body.nodes for body in bodies),
    ]
    flat = [np.concatenate([array.reshape(-1) for array in arrays]) for arrays in (floats, links)]
    return PackedTable(flat[0], flat[1], extents)


@kernel
def table_in(numbers: Array, links: Ids, extents: NDArray[np.int64]) -> MeshTable:
    """Read a table."""
    m = len(extents)
    last = extents[m - 1]
    n, t, b, w = last[NODES + 1], last[TRIANGLES + 1], last[BLOCKS + 1], last[WITNESSES + 1]
    witnesses = 4 * m
    volumes = witnesses + 3 * w
    triangles = volumes + n * N_VOLUME
    blocks = triangles + t * N_TRIANGLE
    return MeshTable(
        extents,
        numbers[:witnesses].reshape(m, 4),
        numbers[witnesses:volumes].reshape(w, 3),
        numbers[volumes:triangles].reshape(n, N_VOLUME),
        numbers[triangles:blocks].reshape(t, N_TRIANGLE),
        links[:t],
        links[t : t + n],
        links[t + n : t + n + b * WIDTH].reshape(b, WIDTH),
        numbers[blocks:].reshape(b, BLOCK // WIDTH, WIDTH),
    )


def _with_parts(meshes: Sequence[Mesh]) -> tuple[list[int], list[Mesh]]:
    """Which mesh stands for the parts of each; and all of them, with those that do that alone."""
    everything, numbers = list(meshes), [-1] * len(meshes)
    for i, mesh in enumerate(meshes):
        if len(parts_of(mesh).witnesses) > FEW_PARTS:
            numbers[i] = i if mesh.is_cloud else len(everything)
            if not mesh.is_cloud:
                everything.append(parts_as_points(mesh))
    return numbers + [-1] * (len(everything) - len(meshes)), everything


def stack_for_two(table: MeshTable | None) -> NodeStack:
    """Make room for a traversal of any two of the meshes, as `node_stack` does."""
    n = (WIDTH - 1) * 2 * (0 if table is None else int(table.extents[:, DEPTH].max())) + 2
    return NodeStack(np.empty(n), np.empty(n, np.int64), np.empty(WIDTH), np.empty(3 * N_RECTANGLE))


@kernel
def stack_in(table: MeshTable | None) -> NodeStack:
    """Make the same room in compiled code."""
    depth = 0
    if table is not None:
        for i in range(len(table.extents)):
            depth = max(depth, table.extents[i, DEPTH])
    return node_stack(2 * depth)


@kernel
def mesh_at(table: MeshTable, i: int) -> WideBody:
    """One of the meshes."""
    e, place = table.extents[i], table.places[i]
    n, m, p, q = e[NODES], e[NODES + 1], e[TRIANGLES], e[TRIANGLES + 1]
    b, c = e[BLOCKS], e[BLOCKS + 1]
    return WideBody(
        (place[0], place[1], place[2]),
        place[3],
        table.volumes[n:m],
        table.triangles[p:q],
        table.order[p:q],
        e[DEPTH],
        table.blocks_of[n:m],
        table.nodes[b:c],
        table.blocks[b:c],
    )
