"""Are outlines those of a polygon? They must not meet, and holes must be inside."""

import numpy as np

from firstcontact.arrays import Array, Flags
from firstcontact.bodies.plane_body import plane_body_of
from firstcontact.narrowphase.plane.meeting_edges import ALONG
from firstcontact.proximity.plane.edge_pairs import meeting_edges
from firstcontact.proximity.plane.sides import are_inside
from firstcontact.shapes.polygon import Polygon
from firstcontact.shapes.polyline import Polyline

RULE = "outlines must not meet themselves or each other"


def check_rings(polygon: Polygon) -> None:
    """Raise a `ValueError` where outlines meet, or a hole is not inside: all of it decided exactly."""
    ends = polygon.vertices[polygon.edges]
    is_point = (ends[:, 0] == ends[:, 1]).all(axis=1)
    if is_point.any():
        i, j = polygon.edges[np.argmax(is_point)]
        raise ValueError(f"neighbours in an outline must be at two places; points {i} and {j} are at one")
    body = plane_body_of(polygon)
    pairs = meeting_edges(body, body)
    tails, heads = polygon.edges[pairs.ids].transpose(2, 0, 1)
    # Neighbours share the end of one that is where the other begins, and nothing else.
    is_neighbor = (heads[:, 0] == tails[:, 1]) | (heads[:, 1] == tails[:, 0])
    wrong = np.flatnonzero(~is_neighbor | (pairs.how == ALONG))
    if len(wrong):
        i, j = pairs.ids[wrong[0]]
        raise ValueError(f"{RULE}; edges {i} and {j} do")
    _check_holes(polygon)


def _check_holes(polygon: Polygon) -> None:
    """Outlines that do not meet are inside of one another wholly or not at all: a point of each tells."""
    rings = polygon.rings
    firsts = np.array([ring[0] for ring in rings])
    for k, ring in enumerate(rings if len(rings) > 1 else []):
        is_held = _inside(ring, firsts)
        is_held[k] = False
        if k == 0 and not is_held[1:].all():
            raise ValueError(f"holes must be inside of the outline; hole {np.argmin(is_held[1:])} is not")
        if k > 0 and is_held.any():
            i = int(np.argmax(is_held))
            raise ValueError(f"holes must be outside of each other; hole {i - 1} is in hole {k - 1}")


def _inside(ring: Array, points: Array) -> Flags:
    body = plane_body_of(Polyline(ring, closed=True))
    return are_inside(body, points)
