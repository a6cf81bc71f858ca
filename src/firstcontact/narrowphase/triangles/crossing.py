"""What two triangles have in common at an instant: nothing, a point, a segment, or an area. Decided exactly.

The ends of what they share are named, not measured: by the least feature of each triangle that such a point
is on. So neighbours agree on the points that they share, whatever rounding makes of these. A feature is a
number: corners are 0 to 2, edges 3 to 5 (edge 3 + i joins the corners i and i + 1), the face is 6. A point is
one number, 7 times the feature of a and that of b.

A line that crosses the plane of a triangle, seen along itself, has each side on its left or its right: three
signs of volumes say where it passes. Those that are close are worked out exactly: most are told by a bound
that is the same for all volumes of a pair, which takes a third of the time of one for each.

Where no corner is in the other's plane, two sides of each triangle cross that, and both pairs of sides cross
the line that the planes share. On that line it is all a matter of order, which four volumes tell: of each
side of the one with each of the other. Where one of them is close, all is looked at anew, side by side.
"""

from firstcontact._jit import kernel
from firstcontact.arrays import Array, Ids
from firstcontact.narrowphase.triangles.piercing import UNKNOWN, volume_sign
from firstcontact.scalar.error_bounds import CUBIC_COEFFICIENT, UNDERFLOW
from firstcontact.scalar.vec3 import Triangle, Vec3, cross, dot, sub

EDGE, FACE, N_FEATURES = 3, 6, 7

# In place of the number of points: what is left to exact numbers. A triangle without an area, or coordinates
# so small that their products underflow.
OPEN = -1

# Points that are told of a pair at most: six corners of an area, and each of these found again.
MOST_POINTS = 24

# Error of a volume, in units of the cube of the largest difference of two coordinates: its permanent has six
# products of three of them, each larger by a rounding.
VOLUME = 8.0 * CUBIC_COEFFICIENT

Signs = tuple[int, int, int]


@kernel
def common_points(a: Triangle, b: Triangle, room: Array, points: Ids) -> int:
    """Write the ends of what two triangles share; how many: 0 to 2, from 3 on corners of an area, or OPEN."""
    spread = _spread(a, b)
    limit = VOLUME * spread * spread * spread + UNDERFLOW
    above_b = _sides(b, a, limit, room)
    if _are_beyond(above_b):
        return 0
    above_a = _sides(a, b, limit, room)
    if _are_beyond(above_a):
        return 0
    if _has_unknown(above_a) or _has_unknown(above_b):
        return OPEN
    if _are_zero(above_a) or _are_zero(above_b):
        are_flat = _are_zero(above_a) and _are_zero(above_b)
        return _common_in_plane(a, b, room, points) if are_flat else OPEN
    if not _has_zero(above_a) and not _has_zero(above_b):
        n = _list_on_line((a, b), (_lone(above_b), _lone(above_a)), limit, points)
        if n != OPEN:
            return n
    n = _list_through((a, b), above_b, False, (limit, room), points, 0)
    return _list_through((b, a), above_a, True, (limit, room), points, n) if n >= 0 else n


@kernel
def _spread(a: Triangle, b: Triangle) -> float:
    """Largest difference of two coordinates along an axis, of two triangles."""
    spread = 0.0
    for k in range(3):
        low, high = min(min(a[0][k], a[1][k]), a[2][k]), max(max(a[0][k], a[1][k]), a[2][k])
        low, high = min(min(low, b[0][k]), b[1][k]), max(max(high, b[0][k]), b[1][k])
        spread = max(spread, max(high, b[2][k]) - min(low, b[2][k]))
    return spread


@kernel
def _sides(t: Triangle, of: Triangle, limit: float, room: Array) -> Signs:
    """On which side of a triangle's plane the corners of another are."""
    n = cross(sub(t[1], t[0]), sub(t[2], t[0]))
    x, y, z = dot(n, sub(t[0], of[0])), dot(n, sub(t[0], of[1])), dot(n, sub(t[0], of[2]))
    return (
        _sign(x) if abs(x) > limit else volume_sign(t[0], t[1], t[2], of[0], room),
        _sign(y) if abs(y) > limit else volume_sign(t[0], t[1], t[2], of[1], room),
        _sign(z) if abs(z) > limit else volume_sign(t[0], t[1], t[2], of[2], room),
    )


@kernel
def _sign(x: float) -> int:
    """Sign of what is not zero."""
    return 1 if x > 0.0 else -1


@kernel
def _sides_along(p: Vec3, q: Vec3, t: Triangle, limit: float, room: Array) -> Signs:
    """On which side of a line from p to q the edges of a triangle pass, seen along it."""
    along, a, b, c = sub(p, q), sub(t[0], p), sub(t[1], p), sub(t[2], p)
    x, y, z = dot(cross(a, b), along), dot(cross(b, c), along), dot(cross(c, a), along)
    return (
        _sign(x) if abs(x) > limit else volume_sign(p, q, t[0], t[1], room),
        _sign(y) if abs(y) > limit else volume_sign(p, q, t[1], t[2], room),
        _sign(z) if abs(z) > limit else volume_sign(p, q, t[2], t[0], room),
    )


@kernel
def _are_beyond(signs: Signs) -> bool:
    """Are all on one side of the plane, and none in it?"""
    return signs[0] == signs[1] and signs[1] == signs[2] and abs(signs[0]) == 1


@kernel
def _has_unknown(signs: Signs) -> bool:
    return signs[0] == UNKNOWN or signs[1] == UNKNOWN or signs[2] == UNKNOWN


@kernel
def _are_zero(signs: Signs) -> bool:
    return signs[0] == 0 and signs[1] == 0 and signs[2] == 0


@kernel
def _has_zero(signs: Signs) -> bool:
    return signs[0] == 0 or signs[1] == 0 or signs[2] == 0


@kernel
def _lone(signs: Signs) -> int:
    """Which corner is alone on its side of a plane, where none is in it and one is."""
    if signs[0] == signs[1]:
        return 2
    return 1 if signs[0] == signs[2] else 0


@kernel
def _list_on_line(pair: tuple[Triangle, Triangle], lone: tuple[int, int], limit: float, points: Ids) -> int:
    """Write where sides pass through the other triangle, of two that both cross the plane of the other.

    lone : of each the corner that is alone on its side, from which both sides go that cross the plane

    Returns how many, as `_list_through` writes them, or OPEN where a volume is too close to zero.
    """
    (a, b), (i, j) = pair, lone
    last_i, last_j = (i + 2) % 3, (j + 2) % 3
    corner = a[i]
    # Sides of a as they go around, to its next corner and from its last; and those of b, seen from there.
    first, last = sub(corner, a[(i + 1) % 3]), sub(a[last_i], corner)
    middle = sub(b[j], corner)
    forth, back = cross(middle, sub(b[(j + 1) % 3], corner)), cross(sub(b[last_j], corner), middle)
    w, x, y, z = dot(forth, first), dot(back, first), dot(forth, last), dot(back, last)
    if not min(min(abs(w), abs(x)), min(abs(y), abs(z))) > limit:
        return OPEN
    # A side passes through where both sides of the other pass it on one side, seen along it.
    n = _add_both(
        (i, last_i), ((w > 0.0) == (x > 0.0), (y > 0.0) == (z > 0.0)), (N_FEATURES, FACE), points, 0
    )
    turns = (w > 0.0) == (y > 0.0), (x > 0.0) == (z > 0.0)
    return _add_both((j, last_j), turns, (1, N_FEATURES * FACE), points, n)


@kernel
def _add_both(
    sides: tuple[int, int], are_in: tuple[bool, bool], names: tuple[int, int], points: Ids, n: int
) -> int:
    """Add points on two sides of a triangle, the lower first; how many there are then.

    names : what a side is multiplied by, and what is added, to make a point of it
    """
    is_turned = sides[1] < sides[0]
    for k in range(2):
        which = 1 - k if is_turned else k
        points[n] = names[0] * (EDGE + sides[which]) + names[1]
        n += are_in[which]
    return n


@kernel
def _list_through(
    pair: tuple[Triangle, Triangle],
    above: Signs,
    is_swapped: bool,
    exact: tuple[float, Array],
    points: Ids,
    n: int,
) -> int:
    """Add where edges of a pass through b, or corners of a lie in it; how many there are then, or OPEN.

    exact : how large a volume is to have its sign, and room to work out that of others
    """
    (a, b), (limit, room) = pair, exact
    for i in range(3):
        j = (i + 1) % 3
        feature = EDGE + i
        if above[i] == 0:
            # The line from this corner to one off the plane crosses that here.
            feature = i
            if above[j] == 0:
                j = (i + 2) % 3
        elif above[i] * above[j] >= 0:
            continue
        on_b = _feature_on(*_sides_along(a[i], a[j], b, limit, room))
        if on_b == OPEN:
            return OPEN
        if on_b < N_FEATURES:
            n = _add(points, n, N_FEATURES * on_b + feature if is_swapped else N_FEATURES * feature + on_b)
    return n


@kernel
def _feature_on(x: int, y: int, z: int) -> int:
    """Feature that a point is on, by the sides on which it is of three edges; N_FEATURES outside, or OPEN."""
    has_left, has_right = x == 1 or y == 1 or z == 1, x == -1 or y == -1 or z == -1
    if has_left and has_right:
        return N_FEATURES
    if x == UNKNOWN or y == UNKNOWN or z == UNKNOWN:
        return OPEN
    if x == 0:
        return 1 if y == 0 else (0 if z == 0 else EDGE)
    if y == 0:
        return 2 if z == 0 else EDGE + 1
    return EDGE + 2 if z == 0 else FACE


@kernel
def _add(points: Ids, n: int, point: int) -> int:
    """Add a point unless it is there."""
    for i in range(n):
        if points[i] == point:
            return n
    points[n] = point
    return n + 1


@kernel
def _common_in_plane(a: Triangle, b: Triangle, room: Array, points: Ids) -> int:
    """Write the common points of two triangles in one plane, seen along the axis where b looks largest."""
    x, y, z = cross(sub(b[1], b[0]), sub(b[2], b[0]))
    axis = 0 if abs(x) >= abs(y) and abs(x) >= abs(z) else (1 if abs(y) >= abs(z) else 2)
    turn_a, turn_b = area_sign(a[0], a[1], a[2], axis, room), area_sign(b[0], b[1], b[2], axis, room)
    if turn_a == 0 or turn_b == 0 or turn_a == UNKNOWN or turn_b == UNKNOWN:
        return OPEN
    n = 0
    for i in range(3):
        on_b = _feature_on(
            area_sign(b[0], b[1], a[i], axis, room),
            area_sign(b[1], b[2], a[i], axis, room),
            area_sign(b[2], b[0], a[i], axis, room),
        )
        on_a = _feature_on(
            area_sign(a[0], a[1], b[i], axis, room),
            area_sign(a[1], a[2], b[i], axis, room),
            area_sign(a[2], a[0], b[i], axis, room),
        )
        if on_a == OPEN or on_b == OPEN:
            return OPEN
        if on_b < N_FEATURES:
            n = _add(points, n, N_FEATURES * i + on_b)
        if on_a < N_FEATURES:
            n = _add(points, n, N_FEATURES * on_a + i)
    for i in range(3):
        p, q = a[i], a[(i + 1) % 3]
        for j in range(3):
            v, w = b[j], b[(j + 1) % 3]
            if (
                area_sign(p, q, v, axis, room) * area_sign(p, q, w, axis, room) == -1
                and area_sign(v, w, p, axis, room) * area_sign(v, w, q, axis, room) == -1
            ):
                n = _add(points, n, N_FEATURES * (EDGE + i) + EDGE + j)
    return n


@kernel
def area_sign(a: Vec3, b: Vec3, c: Vec3, axis: int, room: Array) -> int:
    """Sign of the area of a triangle seen along an axis: of the volume up to a point above one corner."""
    u, v = (axis + 1) % 3, (axis + 2) % 3
    return volume_sign((a[u], a[v], 0.0), (b[u], b[v], 0.0), (c[u], c[v], 0.0), (c[u], c[v], -1.0), room)
