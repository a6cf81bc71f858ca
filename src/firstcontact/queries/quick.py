"""Who answers about single plain things, sooner than it takes to look at all that might be given."""

from collections.abc import Callable
from typing import Any

from firstcontact.queries.registry import CONVEX, FIELD, MESH, NOTHING, PLANAR, POINTS, RAYS, ROBOT, VERBS
from firstcontact.queries.row import found_at
from firstcontact.shapes.movable import Kind


def _first_in_short(
    what: str, a: Kind, b: Kind, home: str = "in_short.first"
) -> dict[tuple[str, Kind, Kind], str]:
    """Who answers about the first contact of single things that are called so."""
    verbs = {"first_contact": "first", "safe_step": "time", "is_free": "free"}
    return {(verb, a, b): f"{home}:{found}_of_{what}" for verb, found in verbs.items()}


# Who answers, of two kinds in this order, or also in the other unless that is here, too.
SHORT = {
    ("distance", CONVEX, CONVEX): "in_short.convexes:distance_of_convexes",
    ("intersects", CONVEX, CONVEX): "in_short.convexes:intersects_of_convexes",
    ("penetration", CONVEX, CONVEX): "in_short.convexes:penetration_of_convexes",
    ("distance", MESH, MESH): "in_short.meshes:distance_of_meshes",
    ("distance", CONVEX, MESH): "in_short.meshes:distance_of_convex_mesh",
    ("distance", MESH, CONVEX): "in_short.meshes:distance_of_mesh_convex",
    ("intersects", MESH, MESH): "in_short.meshes:intersects_of_meshes",
    ("intersects", CONVEX, MESH): "in_short.meshes:intersects_of_convex_mesh",
    ("distance", PLANAR, PLANAR): "in_short.planar:distance_of_planars",
    ("intersects", PLANAR, PLANAR): "in_short.planar:intersects_of_planars",
    ("distance", CONVEX, FIELD): "in_short.fields:distance_of_convex_field",
    ("distance", FIELD, CONVEX): "in_short.fields:distance_of_field_convex",
    ("intersects", CONVEX, FIELD): "in_short.fields:intersects_of_convex_field",
    **_first_in_short("convexes", CONVEX, CONVEX),
    **_first_in_short("meshes", MESH, MESH),
    **_first_in_short("convex_mesh", CONVEX, MESH),
    **_first_in_short("convex_field", CONVEX, FIELD, "in_short.fields"),
    ("ray_cast", CONVEX, RAYS): "ray_cast:ray_at_convex",
    ("ray_cast", MESH, RAYS): "ray_cast:ray_at_mesh",
    ("signed_distance", CONVEX, POINTS): "in_short.points:point_at_convex",
    ("signed_distance", MESH, POINTS): "in_short.points:point_at_mesh",
    ("signed_distance", FIELD, POINTS): "in_short.points:point_at_field",
    ("contains", CONVEX, POINTS): "in_short.points:inside_convex",
    ("contains", MESH, POINTS): "in_short.points:inside_mesh",
    ("contains", FIELD, POINTS): "in_short.points:inside_field",
    # A robot, whose obstacles, of any kind, come as they were given.
    ("intersects", ROBOT, NOTHING): "in_short.robots:intersects_of_robot",
    ("is_free", ROBOT, NOTHING): "in_short.robots:free_of_robot",
    ("safe_step", ROBOT, NOTHING): "in_short.robots:time_of_robot",
}


def _quick(verb: str) -> list[list[Callable[..., Any] | None]]:
    """Who answers a verb in short, by the numbers of both kinds.

    Each takes the shape and the rows of motion of a, those of b, both things, and an `Ask`. It gives None
    where that is left to `Row.answer`: all that is unusual, or wrong.
    """
    table: list[list[Callable[..., Any] | None]] = [[None for _ in Kind] for _ in Kind]

    def put(a: Kind, b: Kind, home: str, is_swapped: bool) -> None:
        def load(*asked: Any) -> Any:
            found = table[a][b] = _swapped(found_at(home)) if is_swapped else found_at(home)
            return found(*asked)

        table[a][b] = load

    for (of, a, b), home in SHORT.items():
        if of == verb:
            put(a, b, home, False)
            if (verb, b, a) not in SHORT:
                put(b, a, home, True)
    return table


def _swapped(short: Callable[..., Any]) -> Callable[..., Any]:
    """Who answers in short about the same two kinds the other way round."""
    return lambda a, rows_a, b, rows_b, things, ask: short(b, rows_b, a, rows_a, things, ask)


# To look them up by numbers takes a third of the time.
QUICK = {verb: _quick(verb) for verb in VERBS}
