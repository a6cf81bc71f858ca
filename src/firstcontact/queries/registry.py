"""The registry: who answers which verb about which two kinds of things, and which options that takes.

Every two kinds that a user can give have a row, also where nobody answers: it has the sentence that says so.
Modules are named, not imported: each is loaded when it first answers.
"""

from dataclasses import replace
from itertools import product
from typing import NamedTuple

from firstcontact.queries.derived_rows import Rows, cloud_rows, compound_rows, half_space_rows, voxel_rows
from firstcontact.queries.planar_rows import planar_rows
from firstcontact.queries.refusals import (
    ALONE,
    DEFORMS,
    FIELD_SWEPT,
    FOR_ROBOTS,
    HALF_SPACES,
    ITSELF,
    MOVES_RIGIDLY,
    NEIGHBOURS,
    NO_CLOUD,
    NO_DEPTH,
    NO_FACES,
    NO_FEATURES,
    NO_ROBOT,
    NO_THING,
    NOT_TRACKED,
    OBSTACLE_DEFORMS,
    ONE_OTHER,
    ROBOT_AND_FIELD,
    ROBOT_FIRST,
    UNBOUNDED,
)
from firstcontact.queries.row import Row, called_by
from firstcontact.shapes.movable import Kind

CONVEX, MESH, DEFORMING, ROBOT = Kind.CONVEX, Kind.MESH, Kind.DEFORMING, Kind.ROBOT
RAYS, POINTS, SEVERAL, NOTHING = Kind.RAYS, Kind.POINTS, Kind.SEVERAL, Kind.NOTHING
FIELD, CLOUD, DEFORMING_CLOUD = Kind.FIELD, Kind.CLOUD, Kind.DEFORMING_CLOUD
HALF_SPACE, COMPOUND, VOXELS = Kind.HALF_SPACE, Kind.COMPOUND, Kind.VOXELS
PLANAR, DEFORMING_PLANAR = Kind.PLANAR, Kind.DEFORMING_PLANAR
SHAPES = CONVEX, MESH, DEFORMING
DEFORMED, MOVED = (DEFORMING, DEFORMING_CLOUD), (MESH, CLOUD)

# Points and strands are told from meshes here alone.
CLOUDS = {MESH: CLOUD, DEFORMING: DEFORMING_CLOUD}

# Of each verb, the kinds of b that a thing can be asked about. To be a body of a scene is a verb, too.
THINGS = *SHAPES, CLOUD, DEFORMING_CLOUD, FIELD, HALF_SPACE, COMPOUND, VOXELS, PLANAR, DEFORMING_PLANAR
OTHERS = *THINGS, ROBOT, SEVERAL, NOTHING
VERBS = dict.fromkeys((*FOR_ROBOTS, "contacts", "penetration", "depths", "intersections"), OTHERS) | {
    "ray_cast": (RAYS,),
    "signed_distance": (POINTS,),
    "contains": (POINTS,),
    "Scene": (NOTHING,),
    "swept_volume": (NOTHING,),
    "Tracker": OTHERS,
    "near": OTHERS,
}


# Kinds that a verb refuses, whatever the other thing is.
REFUSED: dict[str, dict[Kind, str]] = {
    "first_contacts": dict.fromkeys(DEFORMED, DEFORMS),
    "clearance": {FIELD: ONE_OTHER},
    "contact_intervals": dict.fromkeys(DEFORMED, DEFORMS),
    "contacts": {CONVEX: NO_FEATURES, MESH: MOVES_RIGIDLY, FIELD: NO_FEATURES, ROBOT: NO_ROBOT}
    | {CLOUD: MOVES_RIGIDLY, VOXELS: NO_FEATURES},
    "penetration": {FIELD: NO_DEPTH, CLOUD: NO_CLOUD, DEFORMING_CLOUD: NO_CLOUD},
    "depths": {FIELD: NO_DEPTH, ROBOT: NO_ROBOT, CLOUD: NO_CLOUD, DEFORMING_CLOUD: NO_CLOUD},
    "intersections": {CONVEX: NO_FACES, FIELD: NO_FACES, VOXELS: NO_FACES, ROBOT: NO_ROBOT}
    | dict.fromkeys((CLOUD, DEFORMING_CLOUD), NO_CLOUD),
    "Scene": {ROBOT: NO_ROBOT},
    "swept_volume": {FIELD: FIELD_SWEPT},
    "Tracker": dict.fromkeys(DEFORMED, NOT_TRACKED) | {ROBOT: NO_ROBOT},
}

# Who works on the rows of a batch, and where the answers go; verbs about single things have no use for them.
FAR = frozenset(("executor", "out"))
SINGLE = frozenset(("first_contact", "safe_step"))
RIGID = FAR | {"tolerance", "min_separation", "max_iterations", "solid", "progress"}
# What moves on lines is met at the very time, which keeps every tolerance.
ON_LINES = frozenset(("tolerance", "min_separation", "exact", "culling", "assume_free_start", "progress"))
# Which pairs are left out of what deforms, where both move on lines.
SIFTED = frozenset(("only_closing", "groups", "ignore_groups"))
SIFTED_ALONE = SIFTED | {"ignore_near"}
LISTED = ON_LINES | {"time_tolerance", "max_contacts", "executor"}
TOGETHER = ON_LINES | SIFTED_ALONE | {"self_contact", "max_iterations"}
LISTED_RIGID = LISTED - {"exact", "time_tolerance", "executor"}
PATHS = FAR | {"tolerance", "min_separation", "method", "self_contact", "progress"}
LEAST = RIGID - {"min_separation"}
LEAST_SINGLE = frozenset(("tolerance", "max_iterations"))
SAMPLED = RIGID - {"solid"}
WITHIN = frozenset(("within",))
LISTED_NEAR = WITHIN | {"tolerance", "max_contacts", "progress"}
METHOD = frozenset(("method",))
SOLID, SELF, NONE = FAR | {"solid"}, FAR | {"self_contact"}, frozenset[str]()

# The safe step and the answer to `is_free` where they are those of the first contact.
STEP, FREE = "first_contact:step_of_first", "is_free:free_of_first"


class Searchers(NamedTuple):
    """Who searches along time for two kinds, in either order: the first contact, many of them, and steps."""

    takes: frozenset[str]
    first: str
    many: str = ""
    step: str = STEP


SEARCHES = {
    (CONVEX, CONVEX): Searchers(
        RIGID | {"method"},
        "kinds.convex:convex_first",
        "kinds.convex:convex_firsts",
        "kinds.convex:convex_time",
    ),
    (CONVEX, MESH): Searchers(
        RIGID | {"method"},
        "kinds.convex_mesh:convex_mesh_first",
        "kinds.convex_mesh:convex_mesh_firsts",
        "kinds.convex_mesh:convex_mesh_time",
    ),
    (MESH, MESH): Searchers(
        RIGID | {"method"}, "kinds.rigid:rigid_first", "kinds.rigid:rigid_firsts", "kinds.rigid:rigid_time"
    ),
    (CONVEX, DEFORMING): Searchers(RIGID - FAR, "kinds.convex_deforming:deforming_first"),
    (MESH, DEFORMING): Searchers(
        ON_LINES - {"exact"} | {"max_iterations", "solid"}, "kinds.mixed:mixed_first"
    ),
    (DEFORMING, DEFORMING): Searchers(
        ON_LINES | SIFTED | {"solid"},
        "kinds.deforming_steps:first_in_steps",
        step="kinds.deforming_steps:step_in_steps",
    ),
    (DEFORMING, NOTHING): Searchers(
        ON_LINES | SIFTED_ALONE,
        "kinds.deforming_steps:first_in_steps",
        step="kinds.deforming_steps:step_in_steps",
    ),
    (MESH, NOTHING): Searchers(ON_LINES | SIFTED_ALONE, "kinds.deforming:first_of_still"),
}

BY_FIELD = Searchers(
    SAMPLED, "kinds.field_first:field_first", "kinds.field_first:field_firsts", "kinds.field_first:field_time"
)
SEARCHES |= {
    (DEFORMING_CLOUD, kind): SEARCHES[DEFORMING, NOTHING if kind is NOTHING else DEFORMING]
    for kind in (DEFORMING_CLOUD, DEFORMING, NOTHING)
}
SEARCHES |= {(CONVEX, DEFORMING_CLOUD): SEARCHES[CONVEX, DEFORMING]}
SEARCHES |= dict.fromkeys(product(MOVED, DEFORMED), SEARCHES[MESH, DEFORMING])
SEARCHES |= {(kind, FIELD): BY_FIELD for kind in (CONVEX, MESH, FIELD)}
SEARCHES |= dict.fromkeys(
    product(DEFORMED, (FIELD,)),
    Searchers(SAMPLED, "kinds.field_steps:stepped_first", step="kinds.field_steps:stepped_time"),
)


# Who keeps what was learned of two bodies.
TRACKED = {
    (CONVEX, CONVEX): "kinds.tracking:tracked_convexes",
    (CONVEX, MESH): "kinds.tracking:TrackedConvexMesh",
    (MESH, CONVEX): "kinds.tracking:TrackedMeshConvex",
    (MESH, MESH): "kinds.tracking:TrackedMeshes",
}
TRACKED |= {
    pair: "kinds.tracking:Untracked"
    for kind in (CONVEX, MESH, FIELD)
    for pair in ((kind, FIELD), (FIELD, kind))
}

# Who answers about any two shapes at rest, and about a robot and its obstacles.
RESTING = {
    "distance": (SOLID | WITHIN | {"relative_error"}, "kinds.resting:resting_distance"),
    "intersects": (SOLID | WITHIN, "kinds.resting:resting_intersects"),
    "penetration": (FAR, "penetration:resting_penetration"),
    "depths": (NONE, "depths:depths_of_two"),
}
ROBOTS = {
    "first_contact": (PATHS, "kinds.robot:robot_first"),
    "first_contacts": (PATHS, "kinds.robot:robot_firsts"),
    "safe_step": (PATHS, STEP),
    "is_free": (PATHS, "kinds.robot:robot_is_free"),
    "clearance": (PATHS - {"min_separation", "method"}, "kinds.robot_clearance:robot_clearance"),
    "contact_intervals": (SELF | {"tolerance"}, "kinds.robot_intervals:robot_intervals"),
    "distance": (SELF, "kinds.robot:robot_distance"),
    "penetration": (SELF, "kinds.robot_penetration:robot_penetration"),
    "intersects": (SELF, "kinds.robot:robot_intersects"),
}


def _refused(verb: str, a: Kind, b: Kind) -> Row:
    """The row of two kinds where nobody answers, with the first reason that there is."""
    unwanted = REFUSED.get(verb, {})
    if b is ROBOT and a is not ROBOT:
        return Row(refusal=unwanted.get(ROBOT, ROBOT_FIRST), name="b")
    if a in (SEVERAL, NOTHING):
        return Row(refusal=NO_THING)
    if a in unwanted:
        return Row(refusal=unwanted[a], is_by_rest=unwanted[a] is MOVES_RIGIDLY)
    if b is NOTHING:
        alone = "first_contact", "safe_step", "is_free", "depths"
        is_with_itself = a in (CONVEX, FIELD, CLOUD, VOXELS) and verb in alone
        if verb == "clearance" and a in (MESH, DEFORMING):
            return Row(refusal=NEIGHBOURS)
        return Row(refusal=ITSELF if is_with_itself else ALONE)
    if a is ROBOT and b in (DEFORMING, DEFORMING_CLOUD):
        return Row(refusal=OBSTACLE_DEFORMS, name="b")
    if a is ROBOT and b is FIELD:
        return Row(refusal=ROBOT_AND_FIELD, name="b")
    sentence = ({SEVERAL: NO_THING} | unwanted).get(b, "")
    return Row(refusal=sentence, name="b", is_by_rest=sentence is MOVES_RIGIDLY)


def _search_rows() -> Rows:
    """Rows of searches along time."""
    found: Rows = {}
    for (a, b), search in SEARCHES.items():
        called = called_by(a, b) if b is not NOTHING else called_by(DEFORMING)
        is_by_rest = a in MOVED and b in DEFORMED
        homes = {
            "first_contact": search.first,
            "safe_step": search.step,
            "is_free": FREE,
            "first_contacts": search.many,
        }
        for verb, home in homes.items():
            if home:
                takes = search.takes - FAR if verb in SINGLE else search.takes
                row = Row(home, takes, called, is_by_rest=is_by_rest)
                found |= {(verb, a, b): row} | ({} if b is NOTHING else {(verb, b, a): row})
    home, far = (f"kinds.deforming_steps:contacts_{how}" for how in ("in_steps", "far"))
    for a, b in product(DEFORMED, (*DEFORMED, NOTHING)):
        takes = LISTED | (SIFTED_ALONE if b is NOTHING else SIFTED)
        found["contacts", a, b] = Row(home, takes, called_by(DEFORMING), far=far)
    for a, b in product(DEFORMED, MOVED):
        row = Row("kinds.mixed:mixed_contacts", LISTED_RIGID, called_by(DEFORMING), is_by_rest=True)
        found |= {("contacts", a, b): row, ("contacts", b, a): row}
    for kind in DEFORMED:
        row = Row("kinds.field_step_contacts:contacts_with_field", LISTED_NEAR, called_by(FIELD))
        found |= {("contacts", kind, FIELD): row, ("contacts", FIELD, kind): row}
    return found


def _several_rows() -> Rows:
    """Rows of things in a list."""
    found: Rows = {}
    for verb, own in (("first_contact", "first"), ("safe_step", "step"), ("is_free", "are_free")):
        found[verb, SEVERAL, NOTHING] = Row(
            f"kinds.several:several_{own}", TOGETHER | {"solid"}, called_by(SEVERAL)
        )
    takes = TOGETHER - {"max_iterations"} | {"time_tolerance", "max_contacts"}
    found["contacts", SEVERAL, NOTHING] = Row("kinds.several:several_contacts", takes, called_by(SEVERAL))
    return found


def _whole_rows() -> Rows:
    """Rows of what is asked about a whole motion: how near, and when."""
    found: Rows = {}
    for a, b in product((CONVEX, MESH), (CONVEX, MESH)):
        found["clearance", a, b] = Row("kinds.rigid_clearance:rigid_clearance", LEAST, called_by(a, b))
        home = "kinds.rigid_intervals:rigid_intervals"
        takes = SOLID | {"tolerance"} | ({"method"} if a is MESH and b is MESH else NONE)
        found["contact_intervals", a, b] = Row(home, takes, called_by(a, b))
    for kind in (CONVEX, MESH, FIELD):
        row = Row("kinds.field_clearance:field_clearance", LEAST_SINGLE, called_by(FIELD))
        found |= {("clearance", kind, FIELD): row, ("clearance", FIELD, kind): row}
        row = Row("kinds.field_intervals:field_intervals", FAR | {"tolerance"}, called_by(FIELD))
        found |= {("contact_intervals", kind, FIELD): row, ("contact_intervals", FIELD, kind): row}
    for kind in DEFORMED:
        row = Row("kinds.field_steps_clearance:stepped_clearance", LEAST_SINGLE, called_by(FIELD))
        found |= {("clearance", kind, FIELD): row, ("clearance", FIELD, kind): row}
    for other in SHAPES:
        row = Row("kinds.deforming_clearance:deforming_clearance", LEAST_SINGLE, called_by(DEFORMING))
        found |= {("clearance", DEFORMING, other): row, ("clearance", other, DEFORMING): row}
    return found


def _resting_rows() -> Rows:
    """Rows of two things at an instant, and of a mesh with itself."""
    found: Rows = {}
    for verb, (takes, home) in RESTING.items():
        found |= {(verb, a, b): Row(home, takes, called_by(a, b)) for a, b in product(SHAPES, SHAPES)}
    row = found["intersects", CONVEX, CONVEX]
    found["intersects", CONVEX, CONVEX] = replace(row, takes=row.takes | METHOD)
    for verb in ("distance", "intersects"):
        for kind in (*SHAPES, FIELD):
            row = Row(f"kinds.field_resting:field_{verb}", NONE, called_by(FIELD))
            found |= {(verb, kind, FIELD): row, (verb, FIELD, kind): row}
    home = "intersections:intersections_of_{}"
    for kind in (MESH, DEFORMING):
        for b, own in ((MESH, "two"), (DEFORMING, "two"), (NOTHING, "one")):
            found["intersections", kind, b] = Row(home.format(own), frozenset(("method",)), called_by(kind))
        found["intersects", kind, NOTHING] = Row("intersections:meets_itself", called="a mesh alone")
        found["depths", kind, NOTHING] = Row("depths:depths_in_itself", NONE, called_by(kind))
    found["contacts", MESH, FIELD] = Row("kinds.field_contacts:vertices_in_field", WITHIN, called_by(FIELD))
    return found


def _method_rows(rows: Rows) -> Rows:
    """Rows of meshes at an instant that know more than one method: not those of what meshes stand for."""
    kinds = MESH, DEFORMING
    found = {("intersects", a, b): rows["intersects", a, b] for a, b in product(kinds, (*kinds, NOTHING))}
    return {key: replace(row, takes=row.takes | {"method"}) for key, row in found.items()}


def _robot_rows() -> Rows:
    """Rows of robots."""
    found: Rows = {}
    for verb, (takes, home) in ROBOTS.items():
        own = takes - FAR if verb in SINGLE else takes
        row = Row(home, own, called_by(ROBOT), far="spread.spread_robot:spread_paths")
        found |= {(verb, ROBOT, b): row for b in (CONVEX, MESH, ROBOT, SEVERAL, NOTHING)}
        if verb not in ("contact_intervals", "penetration"):
            found[verb, ROBOT, FIELD] = replace(row, takes=own - {"method"})
    return found


def _single_rows() -> Rows:
    """Rows of one thing, and of rays and points at it."""
    found: Rows = {("Scene", kind, NOTHING): Row("look_up:as_body") for kind in (*SHAPES, FIELD)}
    found |= {("Tracker", a, b): Row(home) for (a, b), home in TRACKED.items()}
    found["Tracker", CONVEX, CONVEX] = Row(TRACKED[CONVEX, CONVEX], METHOD)
    found |= {("ray_cast", kind, RAYS): Row("ray_cast:rays_at_mesh") for kind in (MESH, DEFORMING)}
    found["ray_cast", CONVEX, RAYS] = Row("ray_cast:rays_at_convex")
    found["ray_cast", ROBOT, RAYS] = Row("kinds.robot_alone:rays_at_robot")
    found["ray_cast", FIELD, RAYS] = Row("kinds.field_resting:rays_at_field")
    found["contacts", POINTS, FIELD] = Row("kinds.field_contacts:points_in_field", WITHIN, "fields")
    for verb in ("signed_distance", "contains"):
        found[verb, FIELD, POINTS] = Row("kinds.field_resting:points_at_field")
        found[verb, ROBOT, POINTS] = Row("kinds.robot_alone:points_at_robot")
        found[verb, CONVEX, POINTS] = Row("signed_distance:points_at_convex")
        found |= {(verb, kind, POINTS): Row("signed_distance:points_at_mesh") for kind in (MESH, DEFORMING)}
    return found


def _sweep_rows() -> Rows:
    """Rows of what moves, and is swept."""
    found: Rows = {("swept_volume", HALF_SPACE, NOTHING): Row(refusal=UNBOUNDED)}
    for kind in (*SHAPES, CLOUD, DEFORMING_CLOUD, VOXELS, ROBOT):
        method = NONE if kind in (DEFORMING, DEFORMING_CLOUD) else frozenset(("method",))
        takes = frozenset(("tolerance", "progress")) | method
        found["swept_volume", kind, NOTHING] = Row("swept_volume:sweep_of_thing", takes, called_by(kind))
    return found


def _near_rows(rows: Rows) -> Rows:
    """Rows of pairs within a distance: of any two things that have one."""
    found = {}
    for verb, a, b in rows:
        if verb == "near" and not rows["distance", a, b].refusal:
            home = "kinds.robot_near:robot_near" if a is ROBOT else "kinds.near_resting:near_of_two"
            takes = WITHIN | {"tolerance"} | ({"self_contact"} if a is ROBOT else NONE)
            found[verb, a, b] = Row(home, takes, called_by(ROBOT) if a is ROBOT else called_by(a, b))
    found["near", HALF_SPACE, HALF_SPACE] = Row(refusal=HALF_SPACES)
    return found


def _rows() -> Rows:
    """Fill the table: who answers, written over what is refused; then kinds that others stand for."""
    rows = {
        (verb, a, b): _refused(verb, a, b)
        for verb, others in VERBS.items()
        for a, b in product((*THINGS, ROBOT, SEVERAL, NOTHING), others)
    }
    rows |= (
        _search_rows() | _several_rows() | _whole_rows() | _resting_rows() | _robot_rows() | _single_rows()
    )
    rows |= cloud_rows(rows)
    rows |= voxel_rows(rows)
    rows |= half_space_rows(rows, VERBS) | _sweep_rows()
    rows |= compound_rows(rows)
    rows |= _near_rows(rows)
    return rows | _method_rows(rows) | planar_rows(rows)


ROWS = _rows()
