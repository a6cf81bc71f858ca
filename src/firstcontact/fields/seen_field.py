"""A field as the searches see it, from the middle of its box; and what bounds distances around a point."""

from math import frexp, ldexp, sqrt
from typing import NamedTuple

import numpy as np

from firstcontact._jit import kernel
from firstcontact.arrays import Array
from firstcontact.fields.distance_field import DistanceField
from firstcontact.fields.field_values import gradient_at, leaf_at, unit_or, value_at
from firstcontact.fields.octree import Octree, Values
from firstcontact.scalar.vec3 import Vec3, add, dot, norm, scale, sub
from firstcontact.shapes.shape import frozen

# Outside its box, a field is never too large, and too small by this factor at the most (rounded up).
OUTSIDE = 1.4142135623730954

# The most that a product of three coordinates is, in units of the cube of their vector's length (rounded up).
OF_CUBE = 0.19246

NOWHERE, FIRST_AXIS = (0.0, 0.0, 0.0), (1.0, 0.0, 0.0)

# Lengths are rounded up by this part.
UP = 1.0 + 2.0**-48


class SeenField(NamedTuple):
    """A field, all counted from the middle of its box, which is exact.

    origin : the middle of the box, in the field's own frame
    lower, upper : the corners of the box around the shape
    reach : no point of the shape is farther from the origin
    tolerance : of the field
    margin : how far its box goes beyond the shape, at the least
    is_exact : whether it tells how far the shape is, outside of it, and not only how far at the least
    """

    octree: Octree
    origin: Vec3
    lower: Vec3
    upper: Vec3
    reach: float
    tolerance: float
    margin: float
    is_exact: bool


class Around(NamedTuple):
    """A field at a point x, and in a ball around it.

    value, gradient : of the field at x
    low : in the ball, the distance to the shape and a tolerance are at least ``low + gradient (y - x)``; -inf
        where nothing is known
    bend : in the leaf of x the field is ``value + gradient (y - x)``, but for this; inf where the ball leaves
        it
    """

    value: float
    gradient: Vec3
    low: float
    bend: float


class Local(NamedTuple):
    """The function of a leaf at a point: it is linear but for ``twist r^2 + twist_3 r^3``, r from there."""

    value: float
    gradient: Vec3
    twist: float
    twist_3: float


def seen_field(field: DistanceField) -> SeenField:
    """See a field from the middle of its box; worked out once."""
    known = field.kept
    found: SeenField | None = known.get("seen_field")
    return known.setdefault("seen_field", _seen(field)) if found is None else found


def _seen(field: DistanceField) -> SeenField:
    octree = field.octree
    half = 0.5 * octree.grid.width * np.array(octree.grid.shape)  # exact, and so is the middle
    middle = np.array(octree.grid.lower) + half
    bounds = field.bounds - middle
    slack = 2.0**-50 * (np.abs(field.bounds).max(axis=0) + np.abs(middle))
    lower, upper = bounds[0] - slack, bounds[1] + slack
    reach = float(np.linalg.norm(np.maximum(np.abs(lower), np.abs(upper)))) * UP
    local = octree._replace(grid=octree.grid._replace(lower=_vector(-half)))
    margin = float(np.minimum(lower + half, half - upper).min())
    corners = _vector(lower), _vector(upper)
    return SeenField(
        local, _vector(middle), *corners, reach, field.tolerance, margin, is_exact=field.is_exact[0]
    )


def _vector(array: Array) -> Vec3:
    x, y, z = array.tolist()
    return x, y, z


def no_field(field: SeenField) -> SeenField:
    """A field without cells, of the same types: where a body is none."""
    links, values = frozen(np.empty(0, np.int32)), frozen(np.empty((0, 8), np.float32))
    return field._replace(octree=field.octree._replace(links=links, values=values))


@kernel
def seen_value(field: SeenField, x: Vec3) -> float:
    """Value at a point; outside the box of the field, by the closest point of that around the shape."""
    if room_at(field.octree, x) >= 0.0:
        return value_at(field.octree, x)
    p = into(field.lower, field.upper, x)
    out, inner = sub(x, p), max(value_at(field.octree, p), 0.0)
    return sqrt(dot(out, out) + inner * inner)


@kernel
def into(lower: Vec3, upper: Vec3, x: Vec3) -> Vec3:
    """Closest point of a box."""
    return (
        min(max(x[0], lower[0]), upper[0]),
        min(max(x[1], lower[1]), upper[1]),
        min(max(x[2], lower[2]), upper[2]),
    )


@kernel
def least_at(field: SeenField, x: Vec3) -> float:
    """Bound the distance of a point to the shape from below."""
    return seen_value(field, x) - field.tolerance


@kernel
def most_at(field: SeenField, x: Vec3) -> float:
    """Bound the distance of a point to the shape from above; inf where it is outside and no more is known."""
    value = seen_value(field, x)
    most = (value if room_at(field.octree, x) >= 0.0 else OUTSIDE * value) + field.tolerance
    return most if field.is_exact or most <= 0.0 else np.inf


@kernel
def room_at(octree: Octree, x: Vec3) -> float:
    """How far inside the box a point is; negative outside."""
    grid = octree.grid
    room = np.inf
    for k in range(3):
        room = min(room, min(x[k] - grid.lower[k], grid.lower[k] + grid.shape[k] * grid.width - x[k]))
    return room


@kernel
def around(field: SeenField, x: Vec3, radius: float) -> Around:
    """Look at a field around a point."""
    octree = field.octree
    if room_at(octree, x) < radius:
        return _around_box(field, x)
    grid = octree.grid
    part = 1.0 / grid.width  # exact: a power of two
    place = (x[0] - grid.lower[0]) * part, (x[1] - grid.lower[1]) * part, (x[2] - grid.lower[2]) * part
    leaf, at, size = leaf_at(octree, place)
    width = size * grid.width
    here = local_at(octree.values, leaf, at, width)
    low = here.value - _bend(here, radius)
    if radius <= width * min(min(_inside(at[0]), _inside(at[1])), _inside(at[2])):
        return Around(here.value, here.gradient, low, _bend(here, radius))
    # A cube around the ball meets at most eight cells that are as wide as it is, each with a corner of it: if
    # leaves at its corners are at least as large as such cells, they are all that the ball meets.
    least_width = power_above(2.0 * radius)
    for k in range(8):
        step = (
            part * (radius if k & 1 else -radius),
            part * (radius if k & 2 else -radius),
            part * (radius if k & 4 else -radius),
        )
        other, inner, other_size = leaf_at(octree, add(place, step))
        if other == leaf:
            continue
        if other_size * grid.width < least_width:
            return Around(here.value, here.gradient, -np.inf, np.inf)
        per = 1.0 / other_size
        seen = inner[0] - per * step[0], inner[1] - per * step[1], inner[2] - per * step[2]
        there = local_at(octree.values, other, seen, other_size * grid.width)
        tilt = norm(sub(there.gradient, here.gradient))
        low = min(low, there.value - tilt * radius - _bend(there, radius))
    return Around(here.value, here.gradient, low, np.inf)


@kernel
def _around_box(field: SeenField, x: Vec3) -> Around:
    """Look at the box around the shape, from a point beyond it: the distance to that is above its tangent."""
    value, out = seen_value(field, x), sub(x, into(field.lower, field.upper, x))
    away = norm(out)
    if not away > 0.0:
        return Around(value, out, -np.inf, np.inf)
    return Around(value, scale(1.0 / away, out), away + field.tolerance, np.inf)


@kernel
def power_above(length: float) -> float:
    """A power of two that is not below a length."""
    return ldexp(1.0, frexp(length)[1])


@kernel
def _inside(u: float) -> float:
    return min(u, 1.0 - u)


@kernel
def _bend(local: Local, radius: float) -> float:
    """How far the function of a leaf is from linear in a ball."""
    return radius * radius * (local.twist + radius * local.twist_3)


@kernel
def local_at(values: Values, leaf: int, at: Vec3, width: float) -> Local:
    """Look at the function of a leaf of a width, at a place in it, in widths from its lowest corner."""
    row, (u, v, w) = values[leaf], at
    # Along x at the four edges, then along y at two, then along z: values a, slopes b.
    a0, a1, a2, a3 = float(row[0]), float(row[2]), float(row[4]), float(row[6])
    b0, b1, b2, b3 = float(row[1]) - a0, float(row[3]) - a1, float(row[5]) - a2, float(row[7]) - a3
    a0, a1, a2, a3 = a0 + u * b0, a1 + u * b1, a2 + u * b2, a3 + u * b3
    low, high, low_y, high_y = a0 + v * (a1 - a0), a2 + v * (a3 - a2), a1 - a0, a3 - a2
    low_x, high_x, low_xy, high_xy = b0 + v * (b1 - b0), b2 + v * (b3 - b2), b1 - b0, b3 - b2
    per = 1.0 / width
    gradient = (
        per * (low_x + w * (high_x - low_x)),
        per * (low_y + w * (high_y - low_y)),
        per * (high - low),
    )
    twist = max(abs(low_xy + w * (high_xy - low_xy)), max(abs(high_x - low_x), abs(high_y - low_y)))
    twist_3 = OF_CUBE * abs(high_xy - low_xy)
    return Local(low + w * (high - low), gradient, per * per * twist, per * per * per * twist_3)


@kernel
def entry_time(field: SeenField, x: Vec3, v: Vec3, radius: float) -> float:
    """Time before which a ball that goes straight does not meet the box around the shape; inf for never."""
    enter, leave = 0.0, np.inf
    for k in range(3):
        low, high = field.lower[k] - radius - x[k], field.upper[k] + radius - x[k]
        if v[k] == 0.0:
            if low > 0.0 or high < 0.0:
                return np.inf
        else:
            first, last = low / v[k], high / v[k]
            enter, leave = max(enter, min(first, last)), min(leave, max(first, last))
    # Each of these times is rounded a few times: to miss takes more than that.
    return enter * (1.0 - 2.0**-48) if enter <= leave * (1.0 + 2.0**-48) else np.inf


@kernel
def normal_at(field: SeenField, x: Vec3) -> tuple[float, Vec3]:
    """Value at a point, and the unit vector away from the shape; outside the box, from about where it is."""
    if room_at(field.octree, x) >= 0.0:
        value, g = gradient_at(field.octree, x)
        return value, unit_or(g, FIRST_AXIS)
    p = into(field.lower, field.upper, x)
    there, g = gradient_at(field.octree, p)
    foot = sub(p, scale(there, unit_or(g, NOWHERE)))
    return seen_value(field, x), unit_or(sub(x, foot), FIRST_AXIS)
