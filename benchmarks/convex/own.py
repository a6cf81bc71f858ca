"""The library itself in the convex benchmark: batches and single calls, with poses given before or within."""

from collections.abc import Callable
from typing import Any

import numpy as np

import firstcontact as fc
from convex.asked import (
    DISTANCE,
    INTERSECTS,
    PENETRATION,
    RAY,
    ROTATION,
    TRANSLATION,
    Asked,
    Queries,
    rows,
)  # fmt: skip
from convex.cases import BOX, CAPSULE, CYLINDER, ELLIPSOID, HULL, MESH, SPHERE, Case, Rays, Solid

BATCH, BATCH_MADE, SINGLE, SINGLE_MADE = (
    "batch", "batch, poses within", "one call", "one call, pose within",
)  # fmt: skip
# A batch has all poses so many times: what a call costs beside its pairs is then as small as it is for users
# of batches.
REPEATED = 16

_Pairs = Callable[[Case], Queries]


def shape(solid: Solid) -> Any:
    """The shape as the library has it."""
    make = {
        SPHERE: lambda: fc.Sphere(*solid.sizes),
        CAPSULE: lambda: fc.Capsule(*solid.sizes),
        BOX: lambda: fc.Box(np.multiply(2.0, solid.sizes)),
        CYLINDER: lambda: fc.Cylinder(*solid.sizes),
        ELLIPSOID: lambda: fc.Ellipsoid(solid.sizes),
        HULL: lambda: fc.ConvexHull(solid.points),
        MESH: lambda: fc.Mesh(solid.points, solid.faces),
    }
    return make[solid.kind]()


def pairs(method: str) -> _Pairs:
    """All queries of a pair, by one of the four ways to ask."""
    is_batch, is_made = method in (BATCH, BATCH_MADE), method in (BATCH_MADE, SINGLE_MADE)

    def queries(case: Case) -> Queries:
        a, b = shape(case.a), shape(case.b)
        found = {}
        for name, (call, one_answer, poses) in _calls(case, is_batch).items():
            make = a.at if len(poses) == 1 else a.moving
            given = [[np.tile(one, (REPEATED, 1, 1)) for one in poses]] if is_batch else rows(*poses)
            answer = _first(one_answer, len(poses[0])) if is_batch else one_answer
            if is_made:
                made, ask = given, _within(call, make, b)
            else:
                made, ask = [(make(*one), b) for one in given], call
            n_a_call = REPEATED * len(poses[0]) if is_batch else 1
            found[name] = Asked(ask, lambda made=made: made, answer, n_a_call)
        return found

    return queries


def _first(answer: Callable[..., Any], n: int) -> Callable[..., Any]:
    """The first n answers of a batch that has them all several times."""
    return lambda found, one: answer(found, one)[:n]


def _within(call: Callable[..., Any], make: Callable[..., Any], b: Any) -> Callable[..., Any]:
    return lambda *poses: call(make(*poses), b)


def _calls(case: Case, is_batch: bool) -> dict[str, tuple[Callable[..., Any], Callable[..., Any], Any]]:
    """Function, what is taken of its result, and the poses; only what the library has."""
    first = "first_contacts" if is_batch else "first_contact"
    wanted = {
        DISTANCE: ("distance", lambda found, _: found.distance, (case.apart,)),
        PENETRATION: ("penetration", lambda found, _: found.depth, (case.overlapping,)),
        INTERSECTS: ("intersects", lambda found, _: found, (case.mixed,)),
        TRANSLATION: (first, lambda found, _: found.time, (case.starts, case.ends)),
        ROTATION: (first, lambda found, _: found.time, (case.starts, case.turned)),
    }
    return {
        query: (getattr(fc, name), answer, poses)
        for query, (name, answer, poses) in wanted.items()
        if hasattr(fc, name)
    }


def rays(method: str) -> Callable[[Rays], Queries]:
    """Ray casts, in a batch or one by one."""

    def queries(given: Rays) -> Queries:
        target = shape(given.solid)
        is_batch = method == BATCH
        n, many = len(given.origins), (REPEATED, 1)
        one = [(target, np.tile(given.origins, many), np.tile(given.directions, many))]
        calls = one if is_batch else [(target, *pair) for pair in rows(given.origins, given.directions)]
        n_a_call = REPEATED * n if is_batch else 1
        answer = _first(lambda found, _: found.time, n) if is_batch else lambda found, _: found.time
        return {RAY: Asked(fc.ray_cast, lambda: calls, answer, n_a_call)}

    return queries
