"""What a query can answer."""

from enum import IntEnum


class Status(IntEnum):
    """Outcome of one query; every outcome but `SEPARATED` is a contact or may be one.

    SEPARATED : no contact in the interval, proven.
    CONTACT : a contact in the interval, proven; of rigid bodies, a gap within the tolerance.
    CONTACT_AT_START : the same at t = 0.
    UNDECIDED : floating point can neither prove nor exclude the contact; counted as a hit, its time is
        safe. Ask again with ``exact=True`` for the mathematical truth.
    MAX_ITERATIONS : the iterations ran out; counted as a hit, its time is safe. Raise the limit, or take
        the time as the largest step known to be free.
    """

    SEPARATED = 0
    CONTACT = 1
    CONTACT_AT_START = 2
    UNDECIDED = 3
    MAX_ITERATIONS = 4


class ContactKind(IntEnum):
    """Which features of a and b are in contact; a mesh alone is both a and b.

    EDGE_FACE and FACE_EDGE are of bodies that already overlap at the start: an edge of one passes through a
    face of the other. A convex shape has no features: it is the SHAPE in contact, with -1 for an id. What
    touches of `Points` is a POINT, of `Strands` a SEGMENT, a row of their `segments`; or, where a strand that
    deforms touches a face, a POINT, too: a row of the `positions`.
    """

    VERTEX_FACE = 0
    EDGE_EDGE = 1
    FACE_VERTEX = 2
    EDGE_FACE = 3
    FACE_EDGE = 4
    SHAPE_SHAPE = 5
    SHAPE_FACE = 6
    FACE_SHAPE = 7
    POINT_POINT = 8
    POINT_SEGMENT = 9
    SEGMENT_POINT = 10
    SEGMENT_SEGMENT = 11
    POINT_FACE = 12
    FACE_POINT = 13
    SEGMENT_FACE = 14
    FACE_SEGMENT = 15
    POINT_SHAPE = 16
    SHAPE_POINT = 17
    SEGMENT_SHAPE = 18
    SHAPE_SEGMENT = 19
    SEGMENT_EDGE = 20
    EDGE_SEGMENT = 21


def features_of(kind: ContactKind) -> tuple[str, str]:
    """What the ids of a contact are of, on a and on b: "vertex", "edge", or "face", or an element as that."""
    a, b = (name if name in ("vertex", "edge") else "face" for name in kind.name.lower().split("_"))
    return a, b
