"""Steps of advancement of a convex shape and a triangle of a mesh."""

from firstcontact._jit import kernel
from firstcontact.advancement.goal import Goal
from firstcontact.arrays import Array
from firstcontact.bodies.convex_mesh_volume import triangle_shape
from firstcontact.bodies.placed_triangle import radius_of, triangle_of
from firstcontact.bounds.swept_sphere import Volume
from firstcontact.motions.motion_bound import lasting_time
from firstcontact.motions.relative_motion import Placement, RelativeMotion
from firstcontact.narrowphase.convex.gjk import Precision, RelativePose, closest_convex_convex, no_simplex
from firstcontact.narrowphase.convex.shape_travel import travel_of_a
from firstcontact.narrowphase.convex.swept_ellipsoid import NEVER, swept_ellipsoid_triangle
from firstcontact.rigid.convex.convex_steps import step_convexes
from firstcontact.rigid.mesh_steps import joined, volume_travel
from firstcontact.scalar.mat3 import Mat3, mat_vec, transposed
from firstcontact.scalar.vec3 import Triangle, Vec3, dot, norm, scale, sub
from firstcontact.shapes.convex import ELLIPSOID, POINT, Convex
from firstcontact.shapes.cores import support

# How well the gap of a shape and a volume is to be known, as a part of it and of the volume's size: closer
# looks are at what is inside.
ROUGH = 0.1


@kernel
def is_swept(shape: Convex, motion: RelativeMotion) -> bool:
    """Is this a ball or an ellipsoid that goes straight on, and does not turn, as seen from the mesh?"""
    if motion.spin_b.rate > 0.0:
        return False
    if shape.kind == POINT and motion.spin_a.lever == (0.0, 0.0, 0.0):
        return True  # however it turns
    is_ellipsoid = shape.kind == ELLIPSOID and shape.radius == 0.0
    return motion.spin_a.rate == 0.0 and (shape.kind == POINT or is_ellipsoid)


@kernel
def step_shape_triangle(
    shape: Convex, pool: Array, triangles: Array, i: int, place: Placement, goal: Goal, swept: bool
) -> float:
    """Time in which a shape, which is one that `is_swept` or not, cannot touch a triangle; 0 in contact."""
    triangle, time = triangle_of(triangles, i), 0.0
    if swept:
        time = swept_time(shape, pool, triangle, radius_of(triangles, i), place, goal)
    if not time > 0.0:
        other, guess = triangle_shape(triangles, i), sub(triangle[0], place.offset)
        step = step_convexes(shape, other, pool, triangles.reshape(-1), place, goal, no_simplex(guess))
        # A step of no length: the direction was lost to rounding, at a distance of that size.
        time = step.time if step.distance > goal.target else 0.0
    return time


@kernel
def swept_time(
    shape: Convex, pool: Array, triangle: Triangle, around: float, place: Placement, goal: Goal
) -> float:
    """Time from now on at which what `is_swept` is close to a triangle with a radius, no contact up to it.

    Negative where nothing is proven. The closed form gives a time and a direction. If the gap along that
    direction is beyond the margin then, it was all along: it has only shrunk, at a constant speed.
    """
    back = transposed(place.rotation)
    t = _seen(triangle[0], place, back), _seen(triangle[1], place, back), _seen(triangle[2], place, back)
    v = mat_vec(back, place.velocity)
    # A distance that is proven, and counts as contact; and the same of the triangle without its radius.
    aim = 0.5 * (goal.margin + goal.target)
    ahead = aim + around
    radii = shape.half
    if shape.kind == POINT:
        radius = shape.radius + ahead
        radii, ahead = (radius, radius, radius), 0.0
    time, normal = swept_ellipsoid_triangle(v, radii, t)
    length, speed = norm(normal), dot(normal, v)
    if time == NEVER or not (length > 0.0 and speed > 0.0):
        return -1.0
    n, speed = scale(1.0 / length, normal), speed / length
    time -= ahead / speed
    gap = min(min(dot(n, t[0]), dot(n, t[1])), dot(n, t[2])) - dot(n, support(shape, pool, n))
    is_proven = gap - shape.radius - around - time * speed > goal.margin
    # Once there, rounding leaves a step that may be too short to be one: whether that is a contact is for
    # others to say, since the gap of an ellipsoid along this direction is less than its distance.
    is_step = time * speed > aim - goal.margin
    return time if is_proven and is_step else -1.0


@kernel
def _seen(p: Vec3, place: Placement, back: Mat3) -> Vec3:
    return mat_vec(back, sub(p, place.offset))


@kernel
def step_shape_volume(
    shape: Convex, pool: Array, node: Volume, other: Convex, rectangle: Array, place: Placement, margin: float
) -> float:
    """Time in which a shape cannot come within the margin of a volume, which is also given as a shape."""
    radii = shape.radius + other.radius
    precision = Precision(ROUGH, radii + margin - node.reach, 0.0)
    guess, frame = sub(node.center, place.offset), RelativePose(place.rotation, place.offset)
    closest = closest_convex_convex(shape, other, pool, rectangle, frame, guess, precision)
    gap, n = closest.gap - radii - margin, closest.direction
    if not gap > 0.0:
        return 0.0
    travel_a = travel_of_a(shape, pool, n, place)
    travel_b = volume_travel(node, scale(-1.0, n), place.axis_b, place.rate_b, place.pivot_b)
    return lasting_time(gap, joined(travel_a, travel_b, dot(n, place.velocity)))
