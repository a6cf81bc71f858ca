"""Named degenerate cases with known answers, small enough to check by hand."""

from fractions import Fraction
from typing import NamedTuple

import numpy as np

HALF = Fraction(1, 2)
THIRD = Fraction(1, 3)
QUARTER = Fraction(1, 4)
LEAST = 5e-324  # the smallest positive double
DENORMAL = 1e-310
FAR = 2.0**20

TRIANGLE = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
SLIVER = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.5, 2.0**-60, 0.0))
X_AXIS = ((-1.0, 0.0, 0.0), (1.0, 0.0, 0.0))


class Case(NamedTuple):
    """A query and its first contact time; `time` is None where there is no contact."""

    name: str
    kind: str
    start: np.ndarray
    end: np.ndarray
    time: Fraction | int | None
    min_separation: float = 0.0


def vertex_case(name, vertex_t0, vertex_t1, time, triangle=TRIANGLE, min_separation=0.0):
    """A vertex moves, the triangle stands."""
    start, end = np.array([vertex_t0, *triangle]), np.array([vertex_t1, *triangle])
    return Case(name, "vf", start, end, time, min_separation)


def edge_case(name, edge_t0, edge_t1, time, standing=X_AXIS, min_separation=0.0):
    """An edge moves, the other stands."""
    start, end = np.array([*edge_t0, *standing]), np.array([*edge_t1, *standing])
    return Case(name, "ee", start, end, time, min_separation)


def falling_vertex(name, x, y, time, triangle=TRIANGLE):
    return vertex_case(name, (x, y, 1.0), (x, y, -1.0), time, triangle)


def falling_edge(name, p, q, time, standing=X_AXIS):
    """An edge with ends (x, y) that sinks from z = 1 to z = -1."""
    return edge_case(name, ((*p, 1.0), (*q, 1.0)), ((*p, -1.0), (*q, -1.0)), time, standing)


def moved(case, name, transform):
    """The same case after a map of the points that is exact for it."""
    return case._replace(name=name, start=transform(case.start), end=transform(case.end))


def tilted(points):
    """A shear: exact on the catalogue's coordinates, and it keeps contacts and their times."""
    return points @ np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 2.0], [1.0, -1.0, 1.0]])


def distant(points):
    return points + np.array([FAR, -FAR, 3.0 * FAR])


VERTEX_ORDINARY = [
    falling_vertex("through the inside", 0.25, 0.25, HALF),
    falling_vertex("through an edge", 0.5, 0.0, HALF),
    falling_vertex("through the slanted edge", 0.5, 0.5, HALF),
    falling_vertex("through a corner", 0.0, 0.0, HALF),
    falling_vertex("beside the face", 2.0, 2.0, None),
    falling_vertex("one rounding beside an edge", 0.5, -LEAST, None),
    falling_vertex("one rounding beside the slanted edge", 0.5, 0.5 + 2.0**-53, None),
    vertex_case("at a time that is no double", (0.25, 0.25, 1.0), (0.25, 0.25, -2.0), THIRD),
    vertex_case("exactly at the end", (0.25, 0.25, 1.0), (0.25, 0.25, 0.0), 1),
    vertex_case("one rounding short of the end", (0.25, 0.25, 1.0), (0.25, 0.25, LEAST), None),
    vertex_case("exactly at the start, then away", (0.25, 0.25, 0.0), (0.25, 0.25, 1.0), 0),
    vertex_case("one rounding off the start, then away", (0.25, 0.25, LEAST), (0.25, 0.25, 1.0), None),
]

VERTEX_DEGENERATE = [
    falling_vertex("sliver, inside", 0.5, 2.0**-61, HALF, SLIVER),
    falling_vertex("sliver, beside", 0.5, 2.0**-59, None, SLIVER),
    falling_vertex("zero-length edge, face is a segment", 0.5, 0.0, HALF, (TRIANGLE[0], *TRIANGLE[:2])),
    falling_vertex("zero-length edge, beside", 0.5, LEAST, None, (TRIANGLE[0], *TRIANGLE[:2])),
    falling_vertex("face is a point", 0.0, 0.0, HALF, (TRIANGLE[0],) * 3),
    falling_vertex("beside a face that is a point", 0.0, LEAST, None, (TRIANGLE[0],) * 3),
    vertex_case("duplicate vertices, vertex is a corner", TRIANGLE[1], TRIANGLE[1], 0),
    vertex_case("duplicate vertices, then apart", TRIANGLE[1], (9.0, 9.0, 9.0), 0),
    vertex_case("coplanar sliding in", (-1.0, 0.25, 0.0), (1.0, 0.25, 0.0), HALF),
    vertex_case("coplanar sliding to a corner", (-1.0, 0.0, 0.0), (0.0, 0.0, 0.0), 1),
    vertex_case("coplanar sliding through a corner only", (-1.0, 2.0, 0.0), (1.0, 0.0, 0.0), HALF),
    vertex_case("coplanar sliding past", (-1.0, 2.0, 0.0), (1.0, 2.0, 0.0), None),
    vertex_case("coplanar sliding along an edge", (-1.0, 0.0, 0.0), (2.0, 0.0, 0.0), THIRD),
    vertex_case("coplanar sliding one rounding past", (-1.0, -LEAST, 0.0), (2.0, -LEAST, 0.0), None),
    vertex_case("no motion, resting contact", (0.25, 0.25, 0.0), (0.25, 0.25, 0.0), 0),
    vertex_case("no motion, apart by the least", (0.25, 0.25, LEAST), (0.25, 0.25, LEAST), None),
    vertex_case("no motion, coplanar and apart", (1.0, 1.0, 0.0), (1.0, 1.0, 0.0), None),
    Case("coincident shapes, one point", "vf", np.ones((4, 3)), np.ones((4, 3)), 0),
    Case("coincident shapes, at the end", "vf", np.array([(1.0, 1.0, 1.0), *TRIANGLE]), np.zeros((4, 3)), 1),
    Case(
        "resting contact, carried along",
        "vf",
        np.array([(0.25, 0.25, 0.0), *TRIANGLE]),
        np.array([(0.25, 0.25, 0.0), *TRIANGLE]) + 7.0,
        0,
    ),
    Case(
        "collinear at all times, closing in",
        "vf",
        np.array([(-1.0, 0, 0), (0.0, 0, 0), (1.0, 0, 0), (2.0, 0, 0)]),
        np.array([(-1.0, 0, 0), (-2.0, 0, 0), (1.0, 0, 0), (2.0, 0, 0)]),
        HALF,
    ),
]

EDGE_ORDINARY = [
    falling_edge("crossing", (0.0, -1.0), (0.0, 1.0), HALF),
    falling_edge("end on the inside", (0.5, 0.0), (0.5, 1.0), HALF),
    falling_edge("end on end", (1.0, 0.0), (2.0, 3.0), HALF),
    falling_edge("beside", (2.0, -1.0), (2.0, 1.0), None),
    falling_edge("end one rounding beside", (0.5, LEAST), (0.5, 1.0), None),
    falling_edge("crossing one rounding past the end", (1.0 + 2.0**-52, -1.0), (1.0 + 2.0**-52, 1.0), None),
    edge_case("at a time that is no double", ((0, -1, 1), (0, 1, 1)), ((0, -1, -2), (0, 1, -2)), THIRD),
    edge_case("exactly at the end", ((0, -1, 1), (0, 1, 1)), ((0, -1, 0), (0, 1, 0)), 1),
    edge_case("exactly at the start, then away", ((0, -1, 0), (0, 1, 0)), ((0, -1, 1), (0, 1, 1)), 0),
    edge_case("one rounding short", ((0, -1, 1), (0, 1, 1)), ((0, -1, LEAST), (0, 1, LEAST)), None),
]

EDGE_DEGENERATE = [
    falling_edge("parallel edges, overlapping", (0.5, 0.0), (3.0, 0.0), HALF),
    falling_edge("parallel edges, end on end", (1.0, 0.0), (3.0, 0.0), HALF),
    falling_edge("parallel edges, in line and apart", (2.0, 0.0), (3.0, 0.0), None),
    falling_edge("parallel edges, side by side", (-1.0, 1.0), (1.0, 1.0), None),
    falling_edge("parallel edges, one rounding apart", (-1.0, LEAST), (1.0, LEAST), None),
    falling_edge("sliver, almost parallel", (-1.0, -(2.0**-60)), (1.0, 2.0**-60), HALF),
    falling_edge("zero-length edge on the inside", (0.5, 0.0), (0.5, 0.0), HALF),
    falling_edge("zero-length edge beside", (0.5, LEAST), (0.5, LEAST), None),
    falling_edge("zero-length edges meet", (0.5, 0.0), (0.5, 0.0), HALF, ((0.5, 0.0, 0.0),) * 2),
    falling_edge("zero-length edges pass", (0.5, 0.0), (0.5, 0.0), None, ((0.5, LEAST, 0.0),) * 2),
    edge_case("duplicate vertices, a shared end", ((1, 0, 0), (2, 3, 4)), ((1, 0, 0), (5, 6, 7)), 0),
    edge_case("coincident shapes", X_AXIS, X_AXIS, 0),
    edge_case("coincident shapes, reversed", X_AXIS[::-1], X_AXIS[::-1], 0),
    edge_case("coplanar sliding in", ((2, -1, 0), (2, 1, 0)), ((-2, -1, 0), (-2, 1, 0)), QUARTER),
    edge_case("coplanar sliding past", ((2, 1, 0), (2, 3, 0)), ((-2, 1, 0), (-2, 3, 0)), None),
    edge_case("coplanar sliding, parallel", ((-1, 1, 0), (1, 1, 0)), ((-1, -2, 0), (1, -2, 0)), THIRD),
    edge_case("collinear sliding in", ((2, 0, 0), (3, 0, 0)), ((0, 0, 0), (1, 0, 0)), HALF),
    edge_case(
        "collinear sliding, one rounding short", ((2, 0, 0), (3, 0, 0)), ((1 + 2**-52, 0, 0), (3, 0, 0)), None
    ),
    edge_case("no motion, resting contact", ((0, -1, 0), (0, 1, 0)), ((0, -1, 0), (0, 1, 0)), 0),
    edge_case(
        "no motion, apart by the least",
        ((0, -1, LEAST), (0, 1, LEAST)),
        ((0, -1, LEAST), (0, 1, LEAST)),
        None,
    ),
    edge_case("collapsing to a point on the edge", ((0, 0, -1), (0, -1, -1)), ((0, 0, 1), (0, 1, 1)), HALF),
    edge_case(
        "collapsing to a point beside the edge", ((0, 1, -1), (0, 0, -1)), ((0, 1, 1), (0, 2, 1)), None
    ),
    Case("coincident shapes, one point", "ee", np.ones((4, 3)), np.ones((4, 3)), 0),
    Case(
        "coincident shapes, at the end", "ee", np.array([(0, 1, 1), (3, 1, 1), *X_AXIS]), np.zeros((4, 3)), 1
    ),
]

SEPARATED = [
    vertex_case(
        "falling to the separation", (0.25, 0.25, 1.0), (0.25, 0.25, -1.0), QUARTER, min_separation=0.5
    ),
    vertex_case("resting at the separation", (0.25, 0.25, 0.5), (0.25, 0.25, 0.5), 0, min_separation=0.5),
    vertex_case("grazing an edge", (-2.0, -0.5, 0.0), (2.0, -0.5, 0.0), HALF, min_separation=0.5),
    vertex_case("just not grazing", (-2.0, -0.5, 0.0), (2.0, -0.5, 0.0), None, min_separation=0.5 - 2.0**-54),
    vertex_case("grazing a corner", (0.0, 2.0, 0.0), (2.0, 2.0, 0.0), 0, min_separation=1.0),
    vertex_case(
        "above, then away", (0.25, 0.25, 0.5 + 2.0**-53), (0.25, 0.25, 2.0), None, min_separation=0.5
    ),
    edge_case(
        "falling to the separation",
        ((0, -1, 1), (0, 1, 1)),
        ((0, -1, -1), (0, 1, -1)),
        QUARTER,
        min_separation=0.5,
    ),
    edge_case(
        "parallel at the separation",
        ((-1, 0, 2), (1, 0, 2)),
        ((-1, 0, 0.5), (1, 0, 0.5)),
        1,
        min_separation=0.5,
    ),
    edge_case(
        "one end of the edge at the separation",
        ((-1, 0, 2), (1, 0, 2)),
        ((-1, 0, 0.5 + 2**-53), (1, 0, 0.5)),
        1,
        min_separation=0.5,
    ),
    edge_case("ends in line", ((3, 0, 0), (4, 0, 0)), ((1, 0, 0), (2, 0, 0)), HALF, min_separation=1.0),
    edge_case(
        "ends in line, one rounding short",
        ((3, 0, 0), (4, 0, 0)),
        ((2 + 2**-51, 0, 0), (4, 0, 0)),
        None,
        min_separation=1.0,
    ),
]

# The maps below are exact on multiples of 2**-8: no bit is lost far away or among the denormals.
_PLAIN = [
    case
    for case in VERTEX_ORDINARY + VERTEX_DEGENERATE + EDGE_ORDINARY + EDGE_DEGENERATE
    if all(float(x * 2**8).is_integer() for x in np.concatenate([case.start, case.end]).flat)
]
TILTED = [moved(case, f"tilted: {case.name}", tilted) for case in _PLAIN]
DISTANT = [moved(case, f"far from the origin: {case.name}", distant) for case in _PLAIN + TILTED]
DENORMALS = [
    moved(case, f"denormals: {case.name}", lambda points: points * 2.0**-1035) for case in _PLAIN + TILTED
]

CASES = [
    *VERTEX_ORDINARY,
    *VERTEX_DEGENERATE,
    *EDGE_ORDINARY,
    *EDGE_DEGENERATE,
    *SEPARATED,
    *TILTED,
    *DISTANT,
    *DENORMALS,
]
