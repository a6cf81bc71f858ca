"""The closest points of two segments, one of which lies on the third axis."""

from firstcontact._jit import kernel
from firstcontact.scalar.vec3 import Vec3


@kernel
def closest_segments(side: Vec3, half: float, t: Vec3) -> tuple[Vec3, Vec3]:
    """Points of the segment t + [-1, 1] side, and of [-half, half] on the third axis, that are close.

    The closest points, but for rounding, if the segments are not almost parallel.
    """
    # On the line of the second segment only the parts across the third axis count.
    across = side[0] * side[0] + side[1] * side[1]
    s = -(t[0] * side[0] + t[1] * side[1]) / across if across > 0.0 else 0.0
    s = min(max(s, -1.0), 1.0)
    z = min(max(t[2] + s * side[2], -half), half)
    whole = across + side[2] * side[2]
    s = -(t[0] * side[0] + t[1] * side[1] + (t[2] - z) * side[2]) / whole if whole > 0.0 else 0.0
    s = min(max(s, -1.0), 1.0)
    z = min(max(t[2] + s * side[2], -half), half)
    return (t[0] + s * side[0], t[1] + s * side[1], t[2] + s * side[2]), (0.0, 0.0, z)
