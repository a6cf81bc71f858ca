"""Where two edges of the plane meet, decided exactly: apart, in a point, or along a piece of both."""

from firstcontact._jit import kernel
from firstcontact.arrays import Array
from firstcontact.narrowphase.plane.turn import Edge2, Vec2, turn_sign

# How two edges meet.
APART, AT_POINT, ALONG = range(3)


@kernel
def meeting_of_edges(e: Edge2, f: Edge2, room: Array) -> tuple[int, Vec2, Vec2]:
    """How two edges, closed sets, meet, and the ends of what they share, which may be one point.

    Ends are corners as they are, or, of edges that cross, where they do, to rounding.
    """
    (a, b), (c, d) = e, f
    c_side, d_side = turn_sign(a, b, c, room), turn_sign(a, b, d, room)
    a_side, b_side = turn_sign(c, d, a, room), turn_sign(c, d, b, room)
    if c_side * d_side < 0 and a_side * b_side < 0:
        p = crossing_of_lines(e, f)
        return AT_POINT, p, p
    n, first, last = 0, a, a
    for side, point, edge in ((c_side, c, e), (d_side, d, e), (a_side, a, f), (b_side, b, f)):
        if side == 0 and is_in_box(point, edge):
            if n == 0:
                first = point
            # Corners at one place are one point; of those on one line two differ at the most.
            if n == 0 or (last[0] == first[0] and last[1] == first[1]):
                last = point
            n += 1
    if n == 0:
        return APART, a, a
    return (AT_POINT if last[0] == first[0] and last[1] == first[1] else ALONG), first, last


@kernel
def is_in_box(p: Vec2, e: Edge2) -> bool:
    """Is a point in the box of an edge? One of its line is then on the edge itself."""
    (ax, ay), (bx, by) = e
    return min(ax, bx) <= p[0] <= max(ax, bx) and min(ay, by) <= p[1] <= max(ay, by)


@kernel
def crossing_of_lines(e: Edge2, f: Edge2) -> Vec2:
    """Where two edges cross that are known to: rounded, and within the box of the first."""
    (a, b), (c, d) = e, f
    x, y = b[0] - a[0], b[1] - a[1]
    u, v = d[0] - c[0], d[1] - c[1]
    area = x * v - y * u
    s = ((c[0] - a[0]) * v - (c[1] - a[1]) * u) / area if area != 0.0 else 0.5
    s = min(max(s, 0.0), 1.0)
    return a[0] + s * x, a[1] + s * y
