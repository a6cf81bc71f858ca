"""Any number of meshes as one, as `Body` has each: their trees in arrays end to end."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import kernel
from firstcontact.arrays import Array, Ids
from firstcontact.bodies.mesh_body import Body, body_of
from firstcontact.shapes.mesh import Mesh

# Columns of `BodyTable.extents`: first row and one beyond the last, of nodes and of triangles; and depth.
NODES, TRIANGLES, DEPTH = 0, 2, 4
N_EXTENTS = 5


class BodyTable(NamedTuple):
    """The arrays of `Body` for m meshes.

    extents : (m, N_EXTENTS) int64
    places : (m, 4) origin and reach of each
    """

    extents: NDArray[np.int64]
    places: Array
    children: Ids
    volumes: Array
    triangles: Array
    order: Ids


def body_table(meshes: Sequence[Mesh]) -> BodyTable:
    """Gather one or more meshes that have triangles."""
    bodies = [body_of(mesh) for mesh in meshes]
    extents = np.zeros((len(bodies), N_EXTENTS), np.int64)
    for column, sizes in (
        (NODES, [len(body.volumes) for body in bodies]),
        (TRIANGLES, [len(body.triangles) for body in bodies]),
    ):
        extents[:, column + 1] = np.cumsum(sizes)
        extents[1:, column] = extents[:-1, column + 1]
    extents[:, DEPTH] = [body.depth for body in bodies]
    return BodyTable(
        extents,
        np.array([[*body.origin, body.reach] for body in bodies]),
        np.concatenate([body.children for body in bodies]),
        np.concatenate([body.volumes for body in bodies]),
        np.concatenate([body.triangles for body in bodies]),
        np.concatenate([body.order for body in bodies]),
    )


@kernel
def body_at(table: BodyTable, i: int) -> Body:
    """One of the meshes."""
    e, place = table.extents[i], table.places[i]
    n, m, p, q = e[NODES], e[NODES + 1], e[TRIANGLES], e[TRIANGLES + 1]
    return Body(
        (place[0], place[1], place[2]),
        place[3],
        table.children[n:m],
        table.volumes[n:m],
        table.triangles[p:q],
        table.order[p:q],
        e[DEPTH],
    )
