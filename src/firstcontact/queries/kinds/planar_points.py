"""Points in the plane: how far from a polygon or a polyline, and on which side."""

import numpy as np

from firstcontact.advancement.ask import Ask
from firstcontact.answers.point_results import SignedDistances
from firstcontact.bodies.plane_body import plane_body_of
from firstcontact.proximity.plane.sides import are_inside
from firstcontact.proximity.plane.signed_on_edges import signed_on_edges
from firstcontact.queries.signed_distance import (
    Bools,
    PointBatch,
    answered,
    check_sign,
    placed_in,
    shaped,
    standing,
)
from firstcontact.shapes.moving import Moving
from firstcontact.shapes.planar import as_planar

# How sides are told.
PARITY, NO_SIDES = "parity", "none"


def points_in_plane(thing: Moving, batch: PointBatch, ask: Ask) -> SignedDistances | Bools:
    """Measure points from edges; of a polygon, negative inside."""
    resting = standing(thing, batch.verb)
    check_sign(batch, resting)
    shape, placed = as_planar(resting.shape), placed_in(batch, resting.motion)
    body = plane_body_of(shape)
    if batch.is_side_only:
        inside = are_inside(body, placed.local) if shape.is_filled else np.zeros(len(placed.local), np.bool_)
        return shaped(inside, placed.shape)
    field = signed_on_edges(body, placed.local, shape.turns)
    return answered(field, placed, PARITY if shape.is_filled else NO_SIDES)
