"""Rows of the registry for things in the plane: polygons and polylines, moving rigidly or deforming."""

from dataclasses import replace
from itertools import product

from firstcontact.queries.refusals import ALONE, IN_PLANE, ITSELF, NOT_IN_PLANE, NOT_TRACKED
from firstcontact.queries.row import Row
from firstcontact.shapes.movable import Kind

NOTHING, POINTS, RAYS, SEVERAL = Kind.NOTHING, Kind.POINTS, Kind.RAYS, Kind.SEVERAL
PLANAR, DEFORMING_PLANAR = Kind.PLANAR, Kind.DEFORMING_PLANAR

# What their edges are, in space.
EDGES = {PLANAR: Kind.CLOUD, DEFORMING_PLANAR: Kind.DEFORMING_CLOUD, NOTHING: NOTHING}

# Who asks about the edges, and adds what is inside.
OF_EDGES = {
    "first_contact": "kinds.planar:planar_first",
    "first_contacts": "kinds.planar:planar_firsts",
    "safe_step": "first_contact:step_of_first",
    "is_free": "is_free:free_of_first",
    "clearance": "kinds.planar:planar_clearance",
    "contact_intervals": "kinds.planar:planar_intervals",
    "contacts": "kinds.planar:planar_contacts",
    "distance": "kinds.planar:planar_distance",
    "intersects": "kinds.planar:planar_intersects",
}
IN_WORDS = "things in the plane"
# Options that are of solids, or of meshes that are searched in several ways.
WITHOUT = frozenset(("solid", "method"))

Rows = dict[tuple[str, Kind, Kind], Row]


def planar_rows(rows: Rows) -> Rows:
    """Rows of what is in the plane: with each other, alone, with points and rays; refused with all else."""
    found: Rows = {}
    for verb, a, b in rows:
        if a in (PLANAR, DEFORMING_PLANAR) and b in EDGES:
            found[verb, a, b] = _row_of_edges(verb, rows, a, b)
        elif a in (PLANAR, DEFORMING_PLANAR) and b in (POINTS, RAYS):
            found[verb, a, b] = Row(refusal=NOT_IN_PLANE)
        elif not {a, b}.isdisjoint((PLANAR, DEFORMING_PLANAR)) and {a, b}.isdisjoint((NOTHING, SEVERAL)):
            found[verb, a, b] = Row(refusal=IN_PLANE, name="b" if b in (PLANAR, DEFORMING_PLANAR) else "a")
    for a, b in product((PLANAR, DEFORMING_PLANAR), EDGES):
        if b is not NOTHING:
            takes = frozenset(("executor", "out"))
            found["penetration", a, b] = Row("kinds.planar_penetration:planar_penetration", takes, IN_WORDS)
            found["near", a, b] = Row("kinds.planar_near:planar_near", frozenset(("within",)), IN_WORDS)
            is_rigid = a is PLANAR and b is PLANAR
            wrong = Row(refusal=NOT_TRACKED, name="b" if a is PLANAR else "a")
            found["Tracker", a, b] = Row("kinds.tracking:Untracked") if is_rigid else wrong
        home = "kinds.planar_intersections:intersections_in_plane"
        found["intersections", a, b] = Row(home, called=IN_WORDS)
    for verb, kind in product(("signed_distance", "contains"), (PLANAR, DEFORMING_PLANAR)):
        found[verb, kind, POINTS] = Row("kinds.planar_points:points_in_plane")
    for kind in (PLANAR, DEFORMING_PLANAR):
        found["ray_cast", kind, RAYS] = Row("kinds.planar_rays:rays_in_plane")
        found["Scene", kind, NOTHING] = Row("look_up:as_body")
    return found


def _row_of_edges(verb: str, rows: Rows, a: Kind, b: Kind) -> Row:
    """The row of two things in the plane, or of one alone: what their edges are answered about."""
    if verb not in OF_EDGES:
        return Row(refusal=NOT_IN_PLANE)
    row = rows[verb, EDGES[a], EDGES[b]]
    if row.refusal:
        is_alone = b is NOTHING and row.refusal not in (ITSELF, ALONE)
        return Row(refusal=ALONE) if is_alone else row
    takes = row.takes - WITHOUT - (frozenset(("executor",)) if verb == "contacts" else frozenset())
    return replace(row, home=OF_EDGES[verb], takes=takes, called=IN_WORDS)
