"""How far convex parts are from the mesh that they stand for, and it from them: proven, by boxes."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from firstcontact.arrays import Array
from firstcontact.queries.decomposing.farthest_in_boxes import (
    Boxes,
    Measured,
    farthest_in_boxes,
    whole_box,
)
from firstcontact.queries.signed_distance import signed_distance
from firstcontact.shapes.compound import Deviation
from firstcontact.shapes.convex_shape import ConvexShape
from firstcontact.shapes.mesh import Mesh


def parts_deviation(mesh: Mesh, parts: list[ConvexShape], tolerance: float) -> Deviation:
    """Bound how far points of the parts are from a closed mesh, and points of that from the parts."""
    corners = np.concatenate([mesh.corners, *(part.corners for part in parts)])
    whole, slack = whole_box(corners, len(parts))

    def of_parts(boxes: Boxes, r: float) -> Measured:
        from_mesh = np.asarray(signed_distance(mesh, boxes.middles).distance)
        from_parts, may_be_nearest = _from_parts(parts, boxes, r)
        return Measured(from_parts, from_mesh, may_be_nearest)

    def of_mesh(boxes: Boxes, r: float) -> Measured:
        from_parts, from_mesh, may_be_nearest = of_parts(boxes, r)
        return Measured(from_mesh, from_parts, may_be_nearest)

    beyond, short = (farthest_in_boxes(one, whole, tolerance, slack) for one in (of_parts, of_mesh))
    return Deviation(beyond, short)


def _from_parts(parts: list[Any], boxes: Boxes, r: float) -> tuple[Array, NDArray[np.bool_]]:
    """Signed distances from the union, and which parts may be nearest to a point of each box."""
    found = np.full(boxes.may_be_nearest.shape, np.inf)
    for k, part in enumerate(parts):
        rows = np.flatnonzero(boxes.may_be_nearest[:, k])
        if len(rows) > 0:
            found[rows, k] = signed_distance(part, boxes.middles[rows]).distance
    least = found.min(axis=1)
    return least, found <= least[:, np.newaxis] + 2.0 * r
