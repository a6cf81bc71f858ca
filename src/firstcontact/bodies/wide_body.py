"""A body's tree of volumes with four children a node, whose volumes are measured together."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import kernel
from firstcontact.arrays import Array, Ids
from firstcontact.bodies.convex_mesh_volume import N_RECTANGLE
from firstcontact.bodies.mesh_body import Body, body_of
from firstcontact.bounds.swept_sphere import RADIUS, REACH
from firstcontact.hierarchy.collapse import collapse
from firstcontact.scalar.vec3 import Vec3
from firstcontact.shapes.kept import OnceForEachMesh
from firstcontact.shapes.mesh import Mesh

# Children a node: the doubles that one instruction takes. With eight the search is slower by a fifth.
WIDTH = 4


class WideBody(NamedTuple):
    """The triangles of a mesh in a tree of volumes with up to WIDTH children a node.

    origin, reach, volumes, triangles, order, depth : as in `Body`
    blocks_of : (n_nodes,) the block of an inner node; ~p for the leaf of triangle p
    nodes : (n_blocks, WIDTH) the children of each block, by their rows of `volumes`
    blocks : (n_blocks, 15, WIDTH) their volumes, column by column; those left over are infinitely far away
    """

    origin: Vec3
    reach: float
    volumes: NDArray[np.float64]
    triangles: NDArray[np.float64]
    order: Ids
    depth: int
    blocks_of: Ids
    nodes: Ids
    blocks: NDArray[np.float64]


class NodeStack(NamedTuple):
    """Room for a traversal.

    gaps, waiting : of the nodes, or pairs of nodes, that wait
    measured : (WIDTH,) gaps of a block
    rectangle : for the corners of a volume as a shape
    """

    gaps: Array
    waiting: NDArray[np.int64]
    measured: Array
    rectangle: Array


@kernel
def node_stack(depth: int) -> NodeStack:
    """Make room for a traversal of a tree of this depth, or of two, of these depths together."""
    n = (WIDTH - 1) * depth + 2
    return NodeStack(np.empty(n), np.empty(n, np.int64), np.empty(WIDTH), np.empty(3 * N_RECTANGLE))


@OnceForEachMesh
def wide_body_of(mesh: Mesh) -> WideBody:
    """Return the body of a mesh with its wide tree, made on the first call."""
    return _widened(body_of(mesh))


def _widened(body: Body) -> WideBody:
    n_most = max(len(body.triangles) - 1, 0)  # were there two children in each
    blocks_of, nodes = np.empty(len(body.children), np.int32), np.full((n_most, WIDTH), -1, np.int32)
    n_blocks = collapse(body.children, body.volumes[:, REACH].copy(), blocks_of, nodes)
    nodes = nodes[:n_blocks].copy()
    blocks = np.ascontiguousarray(body.volumes[nodes, : RADIUS + 1].transpose(0, 2, 1))
    is_left_over = nodes < 0
    blocks.transpose(0, 2, 1)[is_left_over] = 0.0
    blocks[:, RADIUS][is_left_over] = -np.inf
    return WideBody(
        body.origin,
        body.reach,
        body.volumes,
        body.triangles,
        body.order,
        body.depth,
        blocks_of,
        nodes,
        blocks,
    )
