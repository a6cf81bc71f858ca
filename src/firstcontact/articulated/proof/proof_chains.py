"""Where the shapes of a robot and its obstacles are, and how far they can travel, for the check of a proof.

Worked out from joints and motions in plain NumPy, for many moments at a time, and by nothing that the search
for contacts uses. All that moves is carried: by a joint, or by the motion of an obstacle, and that by others.
Each carrier goes straight and turns, in its parent's frame, at constant rates between two times.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact.arrays import Array, Flags
from firstcontact.articulated.model.joint import Joint
from firstcontact.articulated.model.robot import Robot
from firstcontact.articulated.model.world_shapes import Things, joint_motion, robot_of
from firstcontact.articulated.proof.proof_shapes import Extent, extent_of
from firstcontact.articulated.proof.proof_splines import JointPath
from firstcontact.motions.joint_motion import JointMotion
from firstcontact.motions.law import Law
from firstcontact.motions.rigid_motion import (
    AXIS,
    BASE_TIME,
    CENTER,
    DEVIATION,
    END_TIME,
    POSITION,
    RATE,
    ROTATION,
    VELOCITY,
    RigidMotion,
)
from firstcontact.motions.trajectories.joint_spline import JointSpline
from firstcontact.shapes.mesh import is_empty
from firstcontact.shapes.movable import Kind
from firstcontact.shapes.moving import Moving
from firstcontact.shapes.shape import shape_of

Ids = NDArray[np.int64]


class Course(NamedTuple):
    """How a carrier moves, from where it stands, in m pieces of constant velocity and rate of turn.

    times : (m + 1,)
    starts : (m, 4, 4) where it is when each piece starts
    pivots : (m, 3) the point that it turns about, then
    velocities : (m, 3) of that point
    spins : (m, 3) angular velocities
    law : how it truly moves, where that is not exactly as in its one piece
    here : (3,) the place in the world from where places are counted
    path, joint : of a joint along a spline, its values, and its kind and axis
    """

    times: Array
    starts: Array
    pivots: Array
    velocities: Array
    spins: Array
    law: Law | None = None
    here: Array = np.zeros(3)
    path: JointPath | None = None
    joint: Joint | None = None


class Carrier(NamedTuple):
    """What carries shapes: its parent, -1 for the world, where it stands (4, 4) there, and how it moves."""

    parent: int
    origin: Array
    course: Course


class ProofBody(NamedTuple):
    """A shape, what it belongs to, what carries it, -1 for the world, and in which pose (4, 4)."""

    name: str
    extent: Extent
    carrier: int
    pose: Array


class Cast(NamedTuple):
    """All that takes part; parents come before what they carry."""

    carriers: list[Carrier]
    bodies: list[ProofBody]

    @property
    def times(self) -> Array:
        """All times at which some motion changes."""
        ends: list[Array] = [np.array([0.0, 1.0]), *(carrier.course.times for carrier in self.carriers)]
        return np.unique(np.concatenate(ends))

    @property
    def chains(self) -> Flags:
        """Which bodies are carried by which carriers, (n_bodies, n_carriers)."""
        carried = np.zeros((len(self.bodies), len(self.carriers)), np.bool_)
        for row, body in zip(carried, self.bodies, strict=True):
            carrier = body.carrier
            while carrier >= 0:
                row[carrier] = True
                carrier = self.carriers[carrier].parent
        return carried


class Moments(NamedTuple):
    """All carriers at n moments, in the world.

    poses : (n_carriers, n, 4, 4)
    pivots, velocities, spins : (n_carriers, n, 3) as in `Course`, of each carrier's own motion alone
    deviations : (n_carriers, n) how far what it carries may be from there, for as long as these last
    """

    poses: Array
    pivots: Array
    velocities: Array
    spins: Array
    deviations: Array


class CarriedReach(NamedTuple):
    """Motion of balls that are carried, at k moments, and its bounds over a time either way.

    velocities, spins : (k, 3) of their centres, and angular
    speeds : (k,) no point of a ball gets faster
    bends : (k,) nor does its velocity change faster
    rates : (k,) at which all carriers together turn it
    """

    velocities: Array
    spins: Array
    speeds: Array
    bends: Array
    rates: Array


def cast_of(things: Things) -> Cast:
    """Gather a robot and its obstacles, each with one motion; places are counted from the robot's.

    What stands far away from the origin of the world loses no digits by that: differences are exact. A rigid
    body may be in the robot's place.
    """
    cast = Cast([], [])
    here = _place_of(things.robot)
    _enter(cast, things.name, things.robot, here)
    for name, thing in things.obstacles.items():
        _enter(cast, name, thing, here)
    _put_levers(cast)
    return cast


def _place_of(thing: Moving) -> Array:
    """Where a robot stands, or a rigid body is at first."""
    if thing.kind is not Kind.ROBOT:
        return thing.rigid.translations[0, 0]  # type: ignore[no-any-return]
    robot = robot_of(thing)
    first = next((joint.origin for joint in robot.joints if joint.parent == robot.root), np.eye(4))
    base = joint_motion(thing).bases
    place: Array = first[:3, 3] if base is None else (base[0] @ first)[:3, 3]
    return place


def _put_levers(cast: Cast) -> None:
    """Find how far what a joint along a spline carries is from it, at most."""
    levers = np.zeros(len(cast.carriers))
    for body in cast.bodies:
        if body.carrier >= 0:
            half = np.linalg.norm(np.abs(body.extent.shape.bounds).max(axis=0))
            levers[body.carrier] = max(levers[body.carrier], np.linalg.norm(body.pose[:3, 3]) + half)
    for c in range(len(cast.carriers) - 1, -1, -1):
        parent, origin, course = cast.carriers[c]
        slides = course.path is not None and course.joint is not None and course.joint.kind == "prismatic"
        if course.path is not None:
            lever = 1.0 if slides else float(levers[c])
            path = course.path._replace(lever=lever)
            cast.carriers[c] = Carrier(parent, origin, course._replace(path=path))
        if parent >= 0:
            ways = np.linalg.norm(course.starts[:, :3, 3], axis=1) + np.linalg.norm(
                course.velocities, axis=1
            ) * np.diff(course.times)
            way = course.path.size if slides and course.path is not None else float(ways.max())
            levers[parent] = max(levers[parent], np.linalg.norm(origin[:3, 3]) + way + levers[c])


def _path(joint: Joint, by_name: dict[str, Joint], columns: dict[str, int], law: JointSpline) -> JointPath:
    """Values of a joint, or of the one it follows, as polynomials."""
    if joint.mimic is None:
        return JointPath(law.breaks, law.coefficients[0, :, :, columns[joint.name]], 0.0)
    leader, multiplier, offset = joint.mimic
    path = _path(by_name[leader], by_name, columns, law)
    own = multiplier * path.coefficients
    own[:, 0] += offset
    return path._replace(coefficients=own)


def _enter(cast: Cast, name: str, thing: Moving, here: Array) -> None:
    """Add a robot or an obstacle, with one motion, and all its shapes, as seen from a place in the world."""
    if thing.kind is Kind.ROBOT:
        _enter_robot(cast, f"{name}/" if name else "", robot_of(thing), joint_motion(thing), here)
    elif not is_empty(thing.shape):
        cast.carriers.append(Carrier(-1, np.eye(4), _rigid_course(thing.rigid, here)))
        cast.bodies.append(ProofBody(name, extent_of(shape_of(thing)), len(cast.carriers) - 1, np.eye(4)))


def _enter_robot(cast: Cast, prefix: str, robot: Robot, motion: JointMotion, here: Array) -> None:
    columns, n = {}, 0
    for joint in robot.joints:
        columns[joint.name] = n
        n += joint.n_values
    by_name = {joint.name: joint for joint in robot.joints}
    carriers, waiting = {robot.root: -1}, list(robot.joints)
    if motion.bases is not None:
        still = Course(np.array([0.0, 1.0]), _identities(1), *np.zeros((3, 1, 3)))
        cast.carriers.append(Carrier(-1, _seen(motion.bases[0], -1, here), still))
        carriers[robot.root] = len(cast.carriers) - 1
    while waiting:
        joint = next(one for one in waiting if one.parent in carriers)
        waiting.remove(joint)
        values = _values(joint, by_name, columns, motion.configurations[0])
        course = _joint_course(joint, motion.times, values)
        if motion.law is not None and joint.kind != "fixed":
            course = course._replace(path=_path(joint, by_name, columns, motion.law), joint=joint)
        origin = _seen(joint.origin, carriers[joint.parent], here)
        cast.carriers.append(Carrier(carriers[joint.parent], origin, course))
        carriers[joint.child] = len(cast.carriers) - 1
    for part in robot.parts:
        carrier = carriers[part.link]
        pose = _seen(part.pose, carrier, here)
        cast.bodies.append(ProofBody(prefix + part.link, extent_of(part.shape), carrier, pose))


def _seen(pose: Array, carrier: int, here: Array) -> Array:
    """A pose in the frame of a carrier; in the world, -1, as seen from a place."""
    found = pose.copy()
    if carrier < 0:
        found[:3, 3] -= here
    return found


def _values(joint: Joint, by_name: dict[str, Joint], columns: dict[str, int], q: Array) -> Array:
    """Values of a joint, or of the one it follows, where the motion changes: (m + 1, n_values)."""
    if joint.mimic is None:
        return q[:, columns[joint.name] : columns[joint.name] + joint.n_values]
    leader, multiplier, offset = joint.mimic
    return multiplier * _values(by_name[leader], by_name, columns, q) + offset


def _joint_course(joint: Joint, times: Array, values: Array) -> Course:
    m, axis = len(times) - 1, np.asarray(joint.axis)
    course = Course(times, _identities(m), *np.zeros((3, m, 3)))
    if joint.kind == "fixed":
        return course
    rates = np.diff(values, axis=0) / np.diff(times)[:, np.newaxis]
    if joint.kind == "prismatic":
        course.starts[:, :3, 3] = values[:-1] * axis
        return course._replace(pivots=values[:-1] * axis, velocities=rates * axis)
    if joint.kind == "ball":
        values, rates = (np.concatenate([np.zeros((len(x), 3)), x], axis=1) for x in (values, rates))
    if joint.kind in ("ball", "floating"):
        return _floating_course(course, values, rates)
    course.starts[:, :3, :3] = rotations(values[:-1] * axis)
    return course._replace(spins=rates * axis)


def _floating_course(course: Course, values: Array, rates: Array) -> Course:
    """Seven numbers each: the position goes straight, the orientation turns by the shorter way."""
    x, y, z, w = values[:, 3:].T
    vectors, first, last = values[:, 3:6], slice(None, -1), slice(1, None)
    # The turn between two quaternions is the later one times the conjugate of the earlier one.
    cosines = np.einsum("ij,ij->i", values[last, 3:], values[first, 3:])
    turns = w[first, np.newaxis] * vectors[last] - w[last, np.newaxis] * vectors[first]
    turns -= np.cross(vectors[last], vectors[first])
    turns[cosines < 0.0] *= -1.0
    sines = np.linalg.norm(turns, axis=1)
    angles = 2.0 * np.arctan2(sines, np.abs(cosines)) / np.diff(course.times)
    spins = turns * np.divide(angles, sines, out=np.zeros_like(sines), where=sines > 0.0)[:, np.newaxis]
    own = np.array(
        [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - z * w), 2.0 * (x * z + y * w)],
            [2.0 * (x * y + z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - x * w)],
            [2.0 * (x * z - y * w), 2.0 * (y * z + x * w), 1.0 - 2.0 * (x * x + y * y)],
        ]
    )
    course.starts[:, :3, :3] = np.moveaxis(own, -1, 0)[first]
    course.starts[:, :3, 3] = values[first, :3]
    return course._replace(pivots=values[first, :3], velocities=rates[:, :3], spins=spins)


def _rigid_course(motion: RigidMotion, here: Array) -> Course:
    starts = _identities(len(motion.times) - 1)
    turns, centers = motion.rotations[0], motion.centers[0]
    starts[:, :3, :3], starts[:, :3, 3] = turns, motion.translations[0] - here
    pivots = starts[:, :3, 3] + np.einsum("mij,mj->mi", turns, centers)
    rates = motion.velocities[0], motion.angular_velocities[0]
    return Course(motion.times, starts, pivots, *rates, motion.law, here)


def _identities(m: int) -> Array:
    return np.tile(np.eye(4), (m, 1, 1))


def rotations(vectors: Array) -> Array:
    """Rotations (n, 3, 3) by the lengths of vectors (n, 3), about them (Rodrigues)."""
    angles = np.linalg.norm(vectors, axis=1)[:, np.newaxis, np.newaxis]
    units = np.divide(vectors, angles[:, 0], out=np.zeros_like(vectors), where=angles[:, 0] > 0.0)
    across = np.cross(units[:, np.newaxis, :], -np.eye(3))
    turned: Array = np.eye(3) + np.sin(angles) * across + 2.0 * np.sin(0.5 * angles) ** 2 * (across @ across)
    return turned


def moments(cast: Cast, t: Array, since: Array, until: Array) -> Moments:
    """Place all carriers at times (n,), each in the piece of motion that an interval (n,) to (n,) is in."""
    n = len(cast.carriers)
    pivots, velocities, spins = np.empty((3, n, len(t), 3))
    found = Moments(np.empty((n, len(t), 4, 4)), pivots, velocities, spins, np.zeros((n, len(t))))
    for c, (parent, origin, course) in enumerate(cast.carriers):
        base: Any = found.poses[parent] @ origin if parent >= 0 else np.broadcast_to(origin, (len(t), 4, 4))
        begun, starts, places, way, turn, found.deviations[c] = _pieces(course, since, until)
        passed = (t - begun)[:, np.newaxis]
        there, own = places + passed * way, starts.copy()
        turns = rotations(passed * turn)
        own[:, :3, :3] = turns @ starts[:, :3, :3]
        own[:, :3, 3] = there + apply(turns, starts[:, :3, 3] - places)
        found.poses[c] = base @ own
        found.pivots[c] = apply(base[:, :3, :3], there) + base[:, :3, 3]
        found.velocities[c] = apply(base[:, :3, :3], way)
        found.spins[c] = apply(base[:, :3, :3], turn)
    return found


def _pieces(course: Course, since: Array, until: Array) -> tuple[Array, ...]:
    """Columns of `Course`, and deviations, of the piece that each interval is in.

    What has a law has a piece of its own for each interval, from which it deviates.
    """
    if course.path is not None and course.joint is not None:
        return _spline_pieces(course.path, course.joint, since, until)
    if course.law is None:
        k = np.clip(np.searchsorted(course.times, since, side="right") - 1, 0, len(course.starts) - 1)
        pieces: tuple[Array, ...] = course.starts, course.pivots, course.velocities, course.spins
        return course.times[k], *(column[k] for column in pieces), np.zeros(len(k))
    rows = course.law.rows(np.zeros(len(since), np.intp), since, until)
    starts, pivots = _identities(len(rows)), rows[:, POSITION:VELOCITY] - course.here
    starts[:, :3, :3] = rows[:, ROTATION:POSITION].reshape(-1, 3, 3)
    starts[:, :3, 3] = pivots - apply(starts[:, :3, :3], rows[:, CENTER:END_TIME])
    spins = rows[:, AXIS:RATE] * rows[:, RATE, np.newaxis]
    return rows[:, BASE_TIME], starts, pivots, rows[:, VELOCITY:AXIS], spins, rows[:, DEVIATION]


def _spline_pieces(path: JointPath, joint: Joint, since: Array, until: Array) -> tuple[Array, ...]:
    """Chords of a joint's values, as `_pieces`."""
    axis, n, first = np.asarray(joint.axis), len(since), path.values(since)
    spans = until - since
    rates = np.divide(path.values(until) - first, spans, out=np.zeros(n), where=spans > 0.0)
    starts, (pivots, velocities, spins) = _identities(n), np.zeros((3, n, 3))
    if joint.kind == "prismatic":
        pivots[:], velocities[:] = first[:, np.newaxis] * axis, rates[:, np.newaxis] * axis
        starts[:, :3, 3] = pivots
    else:
        starts[:, :3, :3] = rotations(first[:, np.newaxis] * axis)
        spins[:] = rates[:, np.newaxis] * axis
    return since, starts, pivots, velocities, spins, path.deviations(since, until)


def apply(matrices: Array, vectors: Array) -> Array:
    """Products of matrices (n, 3, 3) and vectors (n, 3)."""
    products: Array = np.einsum("nij,nj->ni", matrices, vectors)
    return products


def reach(found: Moments, at: Ids, carriers: Flags, balls: tuple[Array, Array], spans: Array) -> CarriedReach:
    """Bound the motion of balls, as seen from what carries none of these carriers.

    What a carrier carries turns about its axis, at a distance that its own motion there changes; so they are
    taken from the last to the first: a ball that gets as fast as v within the last ones, for a time s, gets
    away from the axis of the next by s v at the most. Turning at a rate w with that, its points gain w times
    their distance r from the axis in speed, and have an acceleration w^2 r, and 2 w v where the two meet.

    at : (k,) numbers of moments
    carriers : (k, n_carriers) which of them carry the ball, apart from those that carry the viewer
    balls : centres (k, 3) in the world and radii (k,)
    spans : (k,)
    """
    (centers, radii), k = balls, len(at)
    velocities, spins, (speeds, bends, turned) = np.zeros((k, 3)), np.zeros((k, 3)), np.zeros((3, k))
    for c in range(len(found.poses) - 1, -1, -1):
        ids = np.flatnonzero(carriers[:, c])
        own_spins, own_velocities = found.spins[c, at[ids]], found.velocities[c, at[ids]]
        if not (own_spins.any() or own_velocities.any()):
            continue
        swings = np.cross(own_spins, centers[ids] - found.pivots[c, at[ids]])
        rates, before = np.linalg.norm(own_spins, axis=1), speeds[ids]
        turning = np.linalg.norm(swings, axis=1) + rates * (radii[ids] + spans[ids] * before)
        velocities[ids] += swings + own_velocities
        spins[ids] += own_spins
        bends[ids] += rates * (turning + 2.0 * before)
        speeds[ids] += turning + np.linalg.norm(own_velocities, axis=1)
        turned[ids] += rates
    return CarriedReach(velocities, spins, speeds, bends, turned)
