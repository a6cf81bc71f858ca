"""When two balls that move straight meet, in closed form.

The distance of two points that move straight is convex in time. So there is no contact up to a time at which
they are still farther apart than the sum of the radii, and still approach each other: that is checked, and
what rounding did to the root of the quadratic equation does not matter.
"""

from math import sqrt

from firstcontact._jit import kernel
from firstcontact.motions.motion_bound import FOREVER
from firstcontact.scalar.vec3 import Vec3, add, dot, norm, scale


@kernel
def meeting_sphere_sphere(offset: Vec3, velocity: Vec3, touching: float, near: float) -> float:
    """Return a time up to which two centres stay farther apart than `touching`, FOREVER if they always do.

    offset, velocity : of one centre as seen from the other, at the start
    touching, near : sum of the radii, and a larger distance; it is down to this at that time, if it can be
    """
    speed_squared, approach = dot(velocity, velocity), -dot(offset, velocity)
    if not approach > 0.0:
        return FOREVER if norm(offset) > touching else 0.0
    closest = approach / speed_squared
    if norm(add(offset, scale(closest, velocity))) > near:
        return FOREVER
    beyond = dot(offset, offset) - near * near
    root = sqrt(max(approach * approach - speed_squared * beyond, 0.0))
    time = min(max(beyond, 0.0) / (approach + root), closest)
    return time if norm(add(offset, scale(time, velocity))) > touching else 0.0
