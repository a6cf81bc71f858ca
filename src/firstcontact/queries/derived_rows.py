"""Rows of the registry for kinds that others stand for: clouds, half-spaces, and compounds."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import product

from firstcontact.queries.refusals import FOR_ROBOTS, HALF_SPACES, OF_PARTS
from firstcontact.queries.row import Row, called_by
from firstcontact.shapes.movable import Kind

CONVEX, MESH, DEFORMING, ROBOT = Kind.CONVEX, Kind.MESH, Kind.DEFORMING, Kind.ROBOT
RAYS, POINTS, NOTHING, CLOUD, HALF_SPACE = Kind.RAYS, Kind.POINTS, Kind.NOTHING, Kind.CLOUD, Kind.HALF_SPACE
DEFORMING_CLOUD = Kind.DEFORMING_CLOUD
DEFORMED = DEFORMING, DEFORMING_CLOUD
COMPOUND = Kind.COMPOUND

Rows = dict[tuple[str, Kind, Kind], Row]

# What is asked of points and strands as of the mesh that they are to who answers.
AS_MESHES = (*FOR_ROBOTS, "Scene", "Tracker")


def cloud_rows(rows: Rows) -> Rows:
    """Rows of points and strands, those that deform included, where a mesh stands for them."""
    found: Rows = {}
    for verb, a, b in product(AS_MESHES, (CLOUD, CONVEX, MESH, ROBOT), (CLOUD, CONVEX, MESH, NOTHING)):
        one, other = (MESH if kind is CLOUD else kind for kind in (a, b))
        if CLOUD not in (a, b) or (verb, one, other) not in rows or (b is NOTHING and verb != "Scene"):
            continue
        row = rows[verb, one, other]
        if not row.refusal:
            found[verb, a, b] = row if ROBOT in (a, b) else replace(row, called=called_by(CLOUD))
    for verb, own in product(("distance", "intersects", "clearance"), DEFORMED):
        for other in (CLOUD, CONVEX, MESH, *DEFORMED):
            if CLOUD in (own, other) or DEFORMING_CLOUD in (own, other):
                row = replace(rows[verb, MESH, DEFORMING], called=called_by(own, other))
                found |= {(verb, own, other): row, (verb, other, own): row}
    for kind in (CLOUD, DEFORMING_CLOUD):
        found["ray_cast", kind, RAYS] = Row("ray_cast:rays_at_cloud")
        for verb in ("signed_distance", "contains"):
            found[verb, kind, POINTS] = Row("signed_distance:points_at_cloud")
    found["Scene", DEFORMING_CLOUD, NOTHING] = rows["Scene", DEFORMING, NOTHING]
    return found


def half_space_rows(rows: Rows, verbs: Mapping[str, tuple[Kind, ...]]) -> Rows:
    """Rows of half-spaces: those of a convex shape, which stands for one beside what has bounds."""
    found = {}
    for verb, a, b in rows:
        if HALF_SPACE in (a, b):
            one, other = (CONVEX if kind is HALF_SPACE else kind for kind in (a, b))
            found[verb, a, b] = rows[verb, one, other]
    for verb, others in verbs.items():
        if HALF_SPACE in others:
            found[verb, HALF_SPACE, HALF_SPACE] = Row(refusal=HALF_SPACES)
    for verb in ("distance", "intersects"):
        found[verb, HALF_SPACE, HALF_SPACE] = replace(
            rows[verb, CONVEX, CONVEX], home=f"kinds.half_space:{verb}_of_two"
        )
    found["Tracker", HALF_SPACE, HALF_SPACE] = Row("kinds.tracking:Untracked")
    for kind in (CONVEX, MESH, CLOUD):
        row = Row("kinds.tracking:Untracked")
        found |= {("Tracker", kind, HALF_SPACE): row, ("Tracker", HALF_SPACE, kind): row}
    found["ray_cast", HALF_SPACE, RAYS] = Row("kinds.half_space:rays_at_plane")
    for verb in ("signed_distance", "contains"):
        found[verb, HALF_SPACE, POINTS] = Row("kinds.half_space:points_at_plane")
    return found


# Who puts together what is said of the parts of compounds.
OF_COMPOUNDS = {
    "first_contact": "kinds.compound:compound_first",
    "first_contacts": "kinds.compound:compound_firsts",
    "safe_step": "first_contact:step_of_first",
    "is_free": "is_free:free_of_first",
    "clearance": "kinds.compound:compound_clearance",
    "contact_intervals": "kinds.compound_alone:compound_intervals",
    "distance": "kinds.compound:compound_distance",
    "intersects": "kinds.compound:compound_intersects",
    "penetration": "kinds.compound:compound_penetration",
    "ray_cast": "kinds.compound_alone:rays_at_compound",
    "signed_distance": "kinds.compound_alone:points_at_compound",
    "contains": "kinds.compound_alone:points_at_compound",
    "Tracker": "kinds.tracking:Untracked",
}


def compound_rows(rows: Rows) -> Rows:
    """Rows of compounds: they go where a convex shape does, part by part; robots take the parts."""
    found = {}
    for verb, a, b in rows:
        if COMPOUND in (a, b):
            one, other = (CONVEX if kind is COMPOUND else kind for kind in (a, b))
            row = rows[verb, one, other]
            is_swept = verb == "clearance" and not {a, b}.isdisjoint(DEFORMED)
            if not row.refusal and ROBOT not in (a, b) and verb in OF_COMPOUNDS and not is_swept:
                row = replace(row, home=OF_COMPOUNDS[verb], called="compounds")
            elif not row.refusal and ROBOT not in (a, b) and verb != "Scene":
                row = Row(refusal=OF_PARTS, name="a" if a is COMPOUND else "b")
            found[verb, a, b] = row
    return found
