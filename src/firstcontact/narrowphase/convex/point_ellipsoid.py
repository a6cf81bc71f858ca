"""The point of an ellipsoid's surface closest to a point (after Eberly 2013).

In units of the shortest semi-axis, e2, the closest point is x_i = r_i y_i / (s + r_i - 1), r_i = (e_i / e2)^2
for the only s > 0 that puts it on the surface: a root of a sum of squares that falls and is convex, so that
Newton's method, from below, goes up to it and never beyond.
"""

from math import sqrt

from firstcontact._jit import kernel
from firstcontact.scalar.vec3 import Vec3

# A step multiplies by 1.5 at the least until it is close, and there the digits double: from the smallest to
# the largest number that coordinates allow is less.
MOST_STEPS = 2000


@kernel
def closest_on_ellipsoid(e: Vec3, p: Vec3) -> Vec3:
    """Point of the surface of the ellipsoid with semi-axes e that is closest to p; any, if several."""
    i, j, k = _descending(e)
    x, y, z = _in_octant((e[i], e[j], e[k]), (abs(p[i]), abs(p[j]), abs(p[k])))
    a = x if i == 0 else (y if j == 0 else z)
    b = x if i == 1 else (y if j == 1 else z)
    c = x if i == 2 else (y if j == 2 else z)
    return a if p[0] >= 0.0 else -a, b if p[1] >= 0.0 else -b, c if p[2] >= 0.0 else -c


@kernel
def _descending(e: Vec3) -> tuple[int, int, int]:
    """Axes in the order of their lengths, the longest first."""
    i, j, k = 0, 1, 2
    if e[i] < e[j]:
        i, j = j, i
    if e[j] < e[k]:
        j, k = k, j
    if e[i] < e[j]:
        i, j = j, i
    return i, j, k


@kernel
def _in_octant(e: Vec3, y: Vec3) -> Vec3:
    """Closest point for semi-axes e0 >= e1 >= e2 and a point without negative coordinates."""
    if y[2] > 0.0:
        return _by_root(e, y)
    # In the plane across the shortest axis, the closest point is off that plane if the point is far inside.
    x, w = _part(e[0], e[2], y[0]), _part(e[1], e[2], y[1])
    rest = 1.0 - x * x - w * w
    if x < 1.0 and w < 1.0 and rest > 0.0:
        return e[0] * x, e[1] * w, e[2] * sqrt(rest)
    if y[1] > 0.0:
        a, _, b = _by_root((e[0], e[0], e[1]), (y[0], 0.0, y[1]))
        return a, b, 0.0
    x = _part(e[0], e[1], y[0])
    if x < 1.0:
        return e[0] * x, e[1] * sqrt(1.0 - x * x), 0.0
    return e[0], 0.0, 0.0


@kernel
def _part(long: float, short: float, y: float) -> float:
    """Closest point along the longer of two axes, in units of it, if it is off that axis; else 1 or more."""
    across = (long - short) * ((long + short) / long)
    return y / across if y < across else 1.0


@kernel
def _by_root(e: Vec3, y: Vec3) -> Vec3:
    """Closest point where the last coordinate is not zero."""
    unit = e[2]
    r0, r1 = (e[0] / unit) ** 2, (e[1] / unit) ** 2
    over0 = (e[0] - unit) / unit * ((e[0] + unit) / unit)
    over1 = (e[1] - unit) / unit * ((e[1] + unit) / unit)
    # r_i times y_i / e_i
    f0, f1, f2 = r0 * (y[0] / e[0]), r1 * (y[1] / e[1]), y[2] / unit
    s = max(max(f2, f0 - over0), f1 - over1)
    for _ in range(MOST_STEPS):
        a, b, c = f0 / (s + over0), f1 / (s + over1), f2 / s
        value = a * a + b * b + c * c - 1.0
        slope = 2.0 * (a * a / (s + over0) + b * b / (s + over1) + c * c / s)
        step = value / slope
        if not s + step > s:
            break
        s += step
    return r0 * y[0] / (s + over0), r1 * y[1] / (s + over1), y[2] / s
