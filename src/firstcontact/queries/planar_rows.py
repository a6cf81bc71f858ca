"""Rows of the registry for things in the plane: polygons and polylines, moving rigidly or deforming."""

from itertools import product

from firstcontact.queries.refusals import IN_PLANE, ITSELF, NOT_IN_PLANE
from firstcontact.queries.row import Row
from firstcontact.shapes.movable import Kind

NOTHING, POINTS, RAYS, SEVERAL = Kind.NOTHING, Kind.POINTS, Kind.RAYS, Kind.SEVERAL
IN_THE_PLANE = Kind.PLANAR, Kind.DEFORMING_PLANAR

Rows = dict[tuple[str, Kind, Kind], Row]


def planar_rows(rows: Rows) -> Rows:
    """Rows of what is in the plane: with each other, alone, with points and rays; refused with all else."""
    found: Rows = {}
    for verb, a, b in rows:
        if a in IN_THE_PLANE and b in IN_THE_PLANE:
            found[verb, a, b] = Row(refusal=NOT_IN_PLANE)
        elif a in IN_THE_PLANE and b is NOTHING:
            is_with_itself = a is Kind.PLANAR and verb in ("first_contact", "safe_step", "is_free")
            found[verb, a, b] = Row(refusal=ITSELF if is_with_itself else NOT_IN_PLANE)
        elif a in IN_THE_PLANE and b in (POINTS, RAYS):
            found[verb, a, b] = Row(refusal=NOT_IN_PLANE)
        elif (a in IN_THE_PLANE or b in IN_THE_PLANE) and NOTHING not in (a, b) and SEVERAL not in (a, b):
            found[verb, a, b] = Row(refusal=IN_PLANE, name="a" if a in IN_THE_PLANE else "b")
    for verb, kind in product(("signed_distance", "contains"), IN_THE_PLANE):
        found[verb, kind, POINTS] = Row("kinds.planar_points:points_in_plane")
    return found
