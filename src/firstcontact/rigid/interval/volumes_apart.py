"""Do two volumes of moving bodies stay apart throughout an interval of time?

Redon, Kheddar, Coquillart, "Fast continuous collision detection between rigid bodies", 2002: spheres by the
distance of their centers, oriented boxes by fifteen axes, with all inner products bounded over the interval.
Boxes are flat here, rectangles with a radius around them, which takes the place of the third side.
"""

from firstcontact._jit import kernel
from firstcontact.bounds.swept_sphere import Volume
from firstcontact.rigid.interval.placement_range import (
    ROUNDED,
    Axis,
    PlacementRange,
    Way,
    bounds_along,
    carried,
    crossed,
    least_magnitude,
    still,
)
from firstcontact.scalar.mat3 import mat_vec
from firstcontact.scalar.vec3 import Vec3, add, dot, norm, scale

# A row for each axis of a, a column for each of b: bounds of the magnitudes of their inner products.
Cosines = tuple[Vec3, Vec3, Vec3]
Axes = tuple[Vec3, Vec3, Vec3]


@kernel
def volumes_stay_apart(over: PlacementRange, way: Way, a: Volume, b: Volume, margin: float) -> bool:
    """Do two volumes, each in the frame of its body, stay farther apart than a margin?

    way : between their centers, from that of b on
    """
    near = a.reach + b.reach + margin
    return spheres_stay_apart(way, over.half, near) or boxes_stay_apart(over, way, a, b, margin)


@kernel
def spheres_stay_apart(way: Way, half: float, within: float) -> bool:
    """Do two points stay farther apart than that? While they go straight the nearest is known."""
    w, u, rest = way
    squared = dot(u, u)
    s = min(max(-dot(w, u) / squared, -half), half) if squared > 0.0 else 0.0
    rounding = ROUNDED * (norm(w) + half * norm(u) + rest + within)
    return norm(add(w, scale(s, u))) - rest - rounding > within


@kernel
def boxes_stay_apart(over: PlacementRange, way: Way, a: Volume, b: Volume, margin: float) -> bool:
    """Does one of the fifteen axes keep two boxes farther apart than a margin?"""
    turned = over.place.rotation
    axes_a = mat_vec(turned, a.along), mat_vec(turned, a.across), mat_vec(turned, a.normal)
    axes_b = b.along, b.across, b.normal
    sizes_a, sizes_b = (a.half_length, a.half_width, 0.0), (b.half_length, b.half_width, 0.0)
    kept = a.radius + b.radius + margin
    kept += ROUNDED * (kept + a.half_length + a.half_width + b.half_length + b.half_width)
    cosines = (
        _cosines(over, axes_a[0], axes_b),
        _cosines(over, axes_a[1], axes_b),
        _cosines(over, axes_a[2], axes_b),
    )
    for j in range(3):
        extent = sizes_b[j] + dot(sizes_a, (cosines[0][j], cosines[1][j], cosines[2][j]))
        if _is_between(still(axes_b[j]), way, over.half, extent + kept):
            return True
    for i in range(3):
        extent = sizes_a[i] + dot(sizes_b, cosines[i])
        if _is_between(carried(over, axes_a[i]), way, over.half, extent + kept):
            return True
    for i in range(3):
        i1, i2 = (i + 1) % 3, (i + 2) % 3
        axis = carried(over, axes_a[i])
        for j in range(3):
            j1, j2 = (j + 1) % 3, (j + 2) % 3
            # Of e_i x f_j, inner products with e_k and f_k are those of the other axes, at all times.
            extent = sizes_a[i1] * cosines[i2][j] + sizes_a[i2] * cosines[i1][j]
            extent += sizes_b[j1] * cosines[i][j2] + sizes_b[j2] * cosines[i][j1]
            if _is_between(crossed(axis, axes_b[j]), way, over.half, extent + kept):
                return True
    return False


@kernel
def _is_between(axis: Axis, way: Way, half: float, within: float) -> bool:
    return least_magnitude(bounds_along(axis, way, half)) > within


@kernel
def _cosines(over: PlacementRange, axis: Vec3, others: Axes) -> Vec3:
    """Bound the magnitudes of the inner products of an axis of a with those of b."""
    rate = carried(over, axis).rate
    return (
        min(abs(dot(axis, others[0])) + over.half * abs(dot(rate, others[0])) + over.swing, 1.0),
        min(abs(dot(axis, others[1])) + over.half * abs(dot(rate, others[1])) + over.swing, 1.0),
        min(abs(dot(axis, others[2])) + over.half * abs(dot(rate, others[2])) + over.swing, 1.0),
    )


@kernel
def blur_of(over: PlacementRange, way: Way, reach: float) -> float:
    """Bound how far points within a reach of a center go from where they are in the middle."""
    turned: float = over.half * norm(over.turn) + over.swing
    return norm(way.rate) * over.half + way.rest + reach * turned
