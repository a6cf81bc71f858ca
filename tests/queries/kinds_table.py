"""The tables of docs/choose.md that are written from the registry: `python tests/queries/kinds_table.py`."""

import re
import sys

from firstcontact.advancement.ask import Ask
from firstcontact.queries.look_up import ON_LINES_BY_REST
from firstcontact.queries.registry import (
    CLOUD,
    COMPOUND,
    CONVEX,
    DEFORMING,
    DEFORMING_CLOUD,
    DEFORMING_PLANAR,
    FIELD,
    HALF_SPACE,
    MESH,
    NOTHING,
    PLANAR,
    POINTS,
    RAYS,
    ROBOT,
    ROWS,
    SEVERAL,
    VOXELS,
)

NAMES = {
    CONVEX: "convex shape",
    MESH: "mesh",
    DEFORMING: "deforming mesh",
    CLOUD: "points or strands",
    DEFORMING_CLOUD: "deforming points or strands",
    FIELD: "field",
    HALF_SPACE: "half-space",
    COMPOUND: "compound",
    VOXELS: "voxels",
    PLANAR: "polygon or polyline",
    DEFORMING_PLANAR: "deforming polygon or polyline",
    ROBOT: "robot",
}
PAIRS = {
    (CONVEX, CONVEX): "two convex shapes",
    (CONVEX, MESH): "a convex shape and a mesh",
    (CONVEX, DEFORMING): "a convex shape and a deforming mesh",
    (MESH, MESH): "two meshes",
    (MESH, DEFORMING): "a mesh and a deforming mesh",
    (DEFORMING, DEFORMING): "two deforming meshes",
    (CLOUD, CONVEX): "points or strands and a convex shape",
    (CLOUD, MESH): "points or strands and a mesh",
    (CLOUD, DEFORMING): "points or strands and a deforming mesh",
    (CLOUD, CLOUD): "two of points or strands",
    (DEFORMING_CLOUD, CONVEX): "deforming points or strands and a convex shape",
    (DEFORMING_CLOUD, MESH): "deforming points or strands and a mesh",
    (DEFORMING_CLOUD, DEFORMING): "deforming points or strands and a deforming mesh",
    (DEFORMING_CLOUD, CLOUD): "deforming points or strands and others that do not",
    (DEFORMING_CLOUD, DEFORMING_CLOUD): "two of deforming points or strands",
    (CLOUD, FIELD): "points or strands and a field",
    (DEFORMING_CLOUD, FIELD): "deforming points or strands and a field",
    (CONVEX, FIELD): "a convex shape and a field",
    (MESH, FIELD): "a mesh and a field",
    (DEFORMING, FIELD): "a deforming mesh and a field",
    (FIELD, FIELD): "two fields",
    (CONVEX, HALF_SPACE): "a convex shape and a half-space",
    (MESH, HALF_SPACE): "a mesh and a half-space",
    (DEFORMING, HALF_SPACE): "a deforming mesh and a half-space",
    (CLOUD, HALF_SPACE): "points or strands and a half-space",
    (DEFORMING_CLOUD, HALF_SPACE): "deforming points or strands and a half-space",
    (FIELD, HALF_SPACE): "a field and a half-space",
    (HALF_SPACE, HALF_SPACE): "two half-spaces",
    (COMPOUND, CONVEX): "a compound and a convex shape",
    (COMPOUND, MESH): "a compound and a mesh",
    (COMPOUND, DEFORMING): "a compound and a deforming mesh",
    (COMPOUND, CLOUD): "a compound and points or strands",
    (COMPOUND, FIELD): "a compound and a field",
    (COMPOUND, HALF_SPACE): "a compound and a half-space",
    (COMPOUND, COMPOUND): "two compounds",
    (VOXELS, CONVEX): "voxels and a convex shape",
    (VOXELS, MESH): "voxels and a mesh",
    (VOXELS, DEFORMING): "voxels and a deforming mesh",
    (VOXELS, CLOUD): "voxels and points or strands",
    (VOXELS, DEFORMING_CLOUD): "voxels and deforming points or strands",
    (VOXELS, FIELD): "voxels and a field",
    (VOXELS, HALF_SPACE): "voxels and a half-space",
    (VOXELS, COMPOUND): "voxels and a compound",
    (VOXELS, VOXELS): "two of voxels",
    (PLANAR, PLANAR): "two of polygons or polylines",
    (DEFORMING_PLANAR, PLANAR): "deforming polygons or polylines and others that do not",
    (DEFORMING_PLANAR, DEFORMING_PLANAR): "two of deforming polygons or polylines",
    (PLANAR, CONVEX): "polygons or polylines and anything in space",
    (CONVEX, NOTHING): "a convex shape alone",
    (MESH, NOTHING): "a mesh alone",
    (DEFORMING, NOTHING): "a deforming mesh alone",
    (CLOUD, NOTHING): "points or strands alone",
    (DEFORMING_CLOUD, NOTHING): "deforming points or strands alone",
    (FIELD, NOTHING): "a field alone",
    (PLANAR, NOTHING): "a polygon or polyline alone",
    (DEFORMING_PLANAR, NOTHING): "a deforming polygon or polyline alone",
    (SEVERAL, NOTHING): "several meshes in a list, deforming or not",
    (ROBOT, CONVEX): "a robot and a convex shape",
    (ROBOT, MESH): "a robot and a mesh",
    (ROBOT, DEFORMING): "a robot and a deforming mesh",
    (ROBOT, CLOUD): "a robot and points or strands",
    (ROBOT, FIELD): "a robot and a field",
    (ROBOT, HALF_SPACE): "a robot and a half-space",
    (ROBOT, COMPOUND): "a robot and a compound",
    (ROBOT, VOXELS): "a robot and voxels",
    (ROBOT, ROBOT): "two robots",
    (ROBOT, SEVERAL): "a robot and several things, or a `Scene`",
    (ROBOT, NOTHING): "a robot alone",
}
GROUPS = (
    ("first_contact", "safe_step", "is_free"),
    ("first_contacts",),
    ("clearance",),
    ("contact_intervals",),
    ("contacts",),
    ("distance",),
    ("intersects",),
    ("penetration",),
    ("depths",),
    ("intersections",),
    ("near",),
)
SINGLE = {
    ("ray_cast", RAYS): "`ray_cast`",
    ("signed_distance", POINTS): "`signed_distance`",
    ("contains", POINTS): "`contains`",
    ("Scene", NOTHING): "as a body of a `Scene`",
    ("swept_volume", NOTHING): "`swept_volume`",
}
AT_AN_INSTANT = {
    "distance",
    "intersects",
    "penetration",
    "depths",
    "intersections",
    "ray_cast",
    "signed_distance",
    "contains",
}


def cell(verb, a, b):
    """Whether two kinds are answered about: yes, at rest, or no."""
    if ROWS[verb, a, b].home:
        is_still = verb == "contacts" and b is FIELD and a in ON_LINES_BY_REST
        is_still |= verb == "near" and (a in (PLANAR, DEFORMING_PLANAR) or (a is ROBOT and b is FIELD))
        return "at rest" if verb in AT_AN_INSTANT or is_still else "yes"
    still = (verb, *(ON_LINES_BY_REST.get(kind, kind) for kind in (a, b)))
    return "at rest" if ROWS[verb, a, b].is_by_rest and ROWS[still].home else "no"


def line(*cells):
    return f"| {' | '.join(cells)} |".replace("|  |", "| |")


def rule(n):
    return f"|{'---|' * n}"


def pairs_table():
    """Who works with whom; in one column are verbs that answer about the same things."""
    heads = [", ".join(f"`{verb}`" for verb in group) for group in GROUPS]
    lines = [line("", *heads), rule(1 + len(GROUPS))]
    for (a, b), name in PAIRS.items():
        cells = []
        for group in GROUPS:
            (one,) = {cell(verb, a, b) for verb in group}
            cells.append(one)
        lines.append(line(name, *cells))
    return "\n".join(lines)


def singles_table():
    """What is asked of one thing."""
    lines = [line("", *NAMES.values()), rule(1 + len(NAMES))]
    lines += [line(name, *(cell(verb, kind, b) for kind in NAMES)) for (verb, b), name in SINGLE.items()]
    return "\n".join(lines)


def options_table():
    """Which options `first_contact` takes."""
    lines = [line("", "options of `first_contact`"), rule(2)]
    for (a, b), name in PAIRS.items():
        row = ROWS["first_contact", a, b]
        if row.home:
            taken = [f"`{option}`" for option in Ask._fields if option in row.takes]
            lines.append(line(name, ", ".join(taken)))
    return "\n".join(lines)


TABLES = {"pairs": pairs_table, "singles": singles_table, "options": options_table}


def written(text, name):
    """A table as a document has it, between its markers."""
    found = re.search(rf"<!-- {name} of kinds -->\n\n(.*?)\n\n<!-- end -->", text, re.DOTALL)
    assert found is not None, f"no table between <!-- {name} of kinds --> and <!-- end -->"
    return found.group(1)


if __name__ == "__main__":
    for name, table in TABLES.items():
        sys.stdout.write(f"<!-- {name} of kinds -->\n\n{table()}\n\n<!-- end -->\n\n")
