"""Rows of the registry for kinds that others stand for: clouds, voxels, half-spaces, and compounds."""

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
COMPOUND, VOXELS, FIELD = Kind.COMPOUND, Kind.VOXELS, Kind.FIELD

Rows = dict[tuple[str, Kind, Kind], Row]

# What is asked of points and strands as of the mesh that they are to who answers.
AS_MESHES = (*FOR_ROBOTS, "Scene", "Tracker")


def cloud_rows(rows: Rows) -> Rows:
    """Rows of points and strands, those that deform included, where a mesh stands for them."""
    found: Rows = {}
    rigid = CLOUD, CONVEX, MESH, FIELD
    for verb, a, b in product(AS_MESHES, (*rigid, ROBOT), (*rigid, NOTHING)):
        one, other = (MESH if kind is CLOUD else kind for kind in (a, b))
        if CLOUD not in (a, b) or (verb, one, other) not in rows or (b is NOTHING and verb != "Scene"):
            continue
        row = rows[verb, one, other]
        if not row.refusal:
            is_plain = ROBOT in (a, b) or FIELD in (a, b)
            found[verb, a, b] = row if is_plain else replace(row, called=called_by(CLOUD))
    for verb, own in product(("distance", "intersects", "clearance"), DEFORMED):
        for other in (CLOUD, CONVEX, MESH, *DEFORMED):
            if CLOUD in (own, other) or DEFORMING_CLOUD in (own, other):
                row = replace(rows[verb, MESH, DEFORMING], called=called_by(own, other))
                found |= {(verb, own, other): row, (verb, other, own): row}
    for verb in ("distance", "intersects"):
        row = rows[verb, DEFORMING, FIELD]
        found |= {(verb, DEFORMING_CLOUD, FIELD): row, (verb, FIELD, DEFORMING_CLOUD): row}
    found["contacts", CLOUD, FIELD] = rows["contacts", MESH, FIELD]
    for kind in (CLOUD, DEFORMING_CLOUD):
        found["ray_cast", kind, RAYS] = Row("ray_cast:rays_at_cloud")
        for verb in ("signed_distance", "contains"):
            found[verb, kind, POINTS] = Row("signed_distance:points_at_cloud")
    found["Scene", DEFORMING_CLOUD, NOTHING] = rows["Scene", DEFORMING, NOTHING]
    return found


# Who asks about the surface of voxels, and adds what is inside.
OF_VOXELS = {
    "first_contact": "kinds.voxels:voxels_first",
    "first_contacts": "kinds.voxels:voxels_firsts",
    "safe_step": "first_contact:step_of_first",
    "is_free": "is_free:free_of_first",
    "clearance": "kinds.voxels:voxels_clearance",
    "contact_intervals": "kinds.voxels:voxels_intervals",
    "distance": "kinds.voxels:voxels_distance",
    "intersects": "kinds.voxels:voxels_intersects",
    "penetration": "kinds.voxels:voxels_penetration",
    "depths": "kinds.voxels:voxels_depths",
    "ray_cast": "kinds.voxels:rays_at_voxels",
    "signed_distance": "kinds.voxels:points_at_voxels",
    "contains": "kinds.voxels:points_at_voxels",
    "Tracker": "kinds.tracking:Untracked",
}


def voxel_rows(rows: Rows) -> Rows:
    """Rows of voxels: they go where a mesh does, which is their surface, but not alone."""
    found = {}
    for verb, a, b in rows:
        one, other = (MESH if kind is VOXELS else kind for kind in (a, b))
        if VOXELS not in (a, b) or rows[verb, one, other].refusal:
            continue
        row = rows[verb, one, other]
        if ROBOT in (a, b) or verb == "Scene":
            found[verb, a, b] = row
        elif verb in OF_VOXELS and b is not NOTHING:
            called = called_by(*({a, b} - {VOXELS})) if {a, b} != {VOXELS} else "voxels"
            found[verb, a, b] = replace(row, home=OF_VOXELS[verb], called=called, is_by_rest=False)
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
        row = rows[verb, CONVEX, CONVEX]
        takes = row.takes - {"within", "relative_error", "method"}
        found[verb, HALF_SPACE, HALF_SPACE] = replace(
            row, home=f"kinds.half_space:{verb}_of_two", takes=takes
        )
    found["Tracker", HALF_SPACE, HALF_SPACE] = Row("kinds.tracking:Untracked")
    for kind in (CONVEX, MESH, CLOUD):
        row = Row("kinds.tracking:Untracked")
        found |= {("Tracker", kind, HALF_SPACE): row, ("Tracker", HALF_SPACE, kind): row}
    found["ray_cast", HALF_SPACE, RAYS] = Row("kinds.half_space:rays_at_plane")
    for verb in ("signed_distance", "contains"):
        found[verb, HALF_SPACE, POINTS] = Row("kinds.half_space:points_at_plane")
    return found


# Verbs whose methods differ by the kinds of the parts.
WITHOUT_METHOD = "Tracker", "intersects", "first_contact", "first_contacts", "safe_step", "is_free"

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
                # How two convex shapes are measured or searched is not asked of their parts.
                takes = row.takes - {"method"} if verb in WITHOUT_METHOD else row.takes
                row = replace(row, home=OF_COMPOUNDS[verb], takes=takes, called="compounds")
            elif not row.refusal and ROBOT not in (a, b) and verb not in ("Scene", "swept_volume"):
                row = Row(refusal=OF_PARTS, name="a" if a is COMPOUND else "b")
            found[verb, a, b] = row
    return found
