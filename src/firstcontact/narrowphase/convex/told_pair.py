"""What is told of two shapes whose cores were measured."""

from firstcontact._jit import kernel
from firstcontact.narrowphase.convex.gjk import ClosestCores, core_distance, surface_points
from firstcontact.scalar.vec3 import Vec3


@kernel
def told_pair(closest: ClosestCores, radius_a: float, radius_b: float) -> tuple[float, Vec3, Vec3]:
    """Distance and closest points of two shapes with these radii around their cores.

    Where the distance is 0 the points are one, also of round shapes, whose own may be some 1e-9 of the size
    apart where no gap is proven.
    """
    distance = max(core_distance(closest) - radius_a - radius_b, 0.0)
    p, q = surface_points(closest, radius_a, radius_b)
    return (distance, p, q) if distance > 0.0 else (distance, p, p)
