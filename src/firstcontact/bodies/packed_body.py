"""A mesh made ready in two arrays, as queries about single things take it."""

from typing import NamedTuple

import numpy as np

from firstcontact._jit import kernel
from firstcontact.arrays import Array, Ids
from firstcontact.bodies.mesh_body import Body, body_of
from firstcontact.bodies.placed_triangle import N_TRIANGLE
from firstcontact.bodies.wide_body import WIDTH, WideBody, wide_body_of
from firstcontact.bounds.swept_sphere import N_COLUMNS, RADIUS
from firstcontact.shapes.kept import OnceForEachMesh
from firstcontact.shapes.mesh import Mesh

# Columns before the numbers of the tree.
ORIGIN = 0  # three
REACH = 3
DEPTH = 4
LARGEST = 5  # the largest coordinate of the mesh, or more
N_TRIANGLES = 6
N_NODES = 7
N_BLOCKS = 8
HEAD = 16

# Numbers of a block.
BLOCK = (RADIUS + 1) * WIDTH

# Larger meshes are not packed: a copy takes 600 bytes a face, and a query longer than it takes to ask it.
MOST_FACES = 1 << 16


class PackedBody(NamedTuple):
    """A `WideBody`: the head, volumes, triangles and blocks; order, blocks of nodes and nodes of blocks.

    Then the children of the `Body`: order, volumes and triangles are the same in both.
    """

    numbers: Array
    links: Ids


@OnceForEachMesh
def packed_body_of(mesh: Mesh) -> PackedBody:
    """Return the packed body of a mesh, made on the first call; nothing of an empty or too large one."""
    if not 0 < mesh.n_faces <= MOST_FACES:
        return PackedBody(np.empty(0), np.empty(0, np.int32))
    return packed_of(mesh)


def packed_of(mesh: Mesh) -> PackedBody:
    """Pack the body of a mesh that has faces."""
    body, head = wide_body_of(mesh), np.zeros(HEAD)
    head[:N_TRIANGLES] = *body.origin, body.reach, body.depth, mesh.largest
    head[N_TRIANGLES : N_BLOCKS + 1] = len(body.triangles), len(body.volumes), len(body.nodes)
    arrays = body.volumes, body.triangles, body.blocks
    numbers = np.concatenate([head, *(array.reshape(-1) for array in arrays)])
    links = body.order, body.blocks_of, body.nodes.reshape(-1), body_of(mesh).children.reshape(-1)
    return PackedBody(numbers, np.concatenate(links))


@kernel
def wide_body_in(numbers: Array, links: Ids) -> WideBody:
    """Read a body."""
    n, n_nodes, n_blocks = int(numbers[N_TRIANGLES]), int(numbers[N_NODES]), int(numbers[N_BLOCKS])
    triangles = HEAD + n_nodes * N_COLUMNS
    blocks = triangles + n * N_TRIANGLE
    return WideBody(
        (numbers[ORIGIN], numbers[ORIGIN + 1], numbers[ORIGIN + 2]),
        numbers[REACH],
        numbers[HEAD:triangles].reshape(n_nodes, N_COLUMNS),
        numbers[triangles:blocks].reshape(n, N_TRIANGLE),
        links[:n],
        int(numbers[DEPTH]),
        links[n : n + n_nodes],
        links[n + n_nodes : n + n_nodes + n_blocks * WIDTH].reshape(n_blocks, WIDTH),
        numbers[blocks:].reshape(n_blocks, BLOCK // WIDTH, WIDTH),
    )


@kernel
def body_in(numbers: Array, links: Ids) -> Body:
    """Read a body with its binary tree, as searches along time take it."""
    n, n_nodes, n_blocks = int(numbers[N_TRIANGLES]), int(numbers[N_NODES]), int(numbers[N_BLOCKS])
    triangles = HEAD + n_nodes * N_COLUMNS
    return Body(
        (numbers[ORIGIN], numbers[ORIGIN + 1], numbers[ORIGIN + 2]),
        numbers[REACH],
        links[n + n_nodes + n_blocks * WIDTH :].reshape(n_nodes, 2),
        numbers[HEAD:triangles].reshape(n_nodes, N_COLUMNS),
        numbers[triangles : triangles + n * N_TRIANGLE].reshape(n, N_TRIANGLE),
        links[:n],
        int(numbers[DEPTH]),
    )
