"""When does a robot on its way first come near something, or itself? Forward kinematics, and looking often.

All poses are computed in extended precision, from the joints as they were given: nothing here knows how the
library does it. At an instant, the distance of two shapes is that of `fc.distance`, which has oracles,
of one shape in the frame of the other. Between two instants a distance cannot change faster than the joints
between the two shapes can make it: speed times reach, summed. Where the distances at both ends of an interval
cover that, there is no contact in it; where they do not, it is halved, down to `finest`.
"""

from typing import Any, NamedTuple

import numpy as np

import firstcontact as fc

Real = np.longdouble

# Intervals that every path starts with.
N_INTERVALS = 8

# Distances measured in one call: what meshes need for each adds up.
MOST = 1 << 16


class Model(NamedTuple):
    """A robot: joints as the library takes them, links with lists of shapes and their poses (4, 4)."""

    links: dict[str, list[tuple[Any, np.ndarray]]]
    joints: list[Any]


class Path(NamedTuple):
    """Waypoints of n motions, (n, k + 1, dof), and the times of all of them, (k + 1,), from 0 to 1."""

    waypoints: np.ndarray
    times: np.ndarray


class Part(NamedTuple):
    """A shape on its way: poses at times `t` of the motions `which`, and how fast each joint can make it.

    speeds : for each joint on the way from the world, a bound of the speed, (n, k), in the pieces of `times`
    """

    name: str
    shape: Any
    place: Any
    speeds: dict[Any, np.ndarray]
    times: np.ndarray


class Found(NamedTuple):
    """Times (n,), infinite where there are none: before `free_until` no contact, at `witness` one."""

    free_until: np.ndarray
    witness: np.ndarray


def straight(q0, q1):
    """The paths from configurations to others, (n, dof) each, or (dof,)."""
    q0, q1 = np.broadcast_arrays(np.atleast_2d(q0), np.atleast_2d(q1))
    return Path(np.stack([q0, q1], axis=1), np.array([0.0, 1.0]))


def through(waypoints, times=None):
    """The one path through configurations (k, dof)."""
    times = np.linspace(0.0, 1.0, len(waypoints)) if times is None else np.asarray(times, float)
    return Path(np.asarray(waypoints, float)[np.newaxis], times)


def configurations(model, path, which, t):
    """Configurations (m, dof) of the motions `which` at times `t`, (m,) each."""
    piece = pieces_at(path.times, t)
    start, end = path.waypoints[which, piece].astype(Real), path.waypoints[which, piece + 1].astype(Real)
    span = path.times[piece + 1].astype(Real) - path.times[piece]
    part = ((t.astype(Real) - path.times[piece]) / span)[:, np.newaxis]
    q = start + part * (end - start)
    columns = columns_of(model.joints)
    for joint in model.joints:
        if joint.kind == "floating":
            turn = slice(columns[joint.name].start + 3, columns[joint.name].stop)
            q[:, turn] = _slerp(start[:, turn], end[:, turn], part)
    return q


def pieces_at(times, t):
    """The pieces that times lie in; of two that meet there, the later one."""
    return np.clip(np.searchsorted(times, t, side="right") - 1, 0, len(times) - 2)


def link_poses(model, q):
    """Poses (n, 4, 4) of all links, in configurations (n, dof)."""
    q = np.asarray(q, Real)
    return {link: _pose(model, link, q) for link in model.links}


def parts_of(model, path, key="robot"):
    """All shapes of a robot on its way; `key` tells its joints from those of another."""
    return [
        Part(link, solid(shape), place, _speeds(place, reach_of(shape), key), path.times)
        for link, shapes in model.links.items()
        for shape, pose in shapes
        for place in [_Place(model, path, link, np.asarray(pose, Real))]
    ]


def part_of(name, thing):
    """A rigid shape of the library on its way, or at rest."""
    thing = thing if isinstance(thing, fc.Moving) else thing.at(np.eye(4))
    rows = np.asarray(thing.motion.rows(), Real)
    center = rows[..., 20:23]
    turning = rows[..., 18] * (np.linalg.norm(center, axis=2) + reach_of(thing.shape))
    speeds = {id(thing): np.linalg.norm(rows[..., 12:15], axis=2) + turning}
    return Part(name, solid(thing.shape), _PlaceOfRows(rows, thing.motion.times), speeds, thing.motion.times)


def distances(a, b, which, t):
    """Distances (m,) of two parts at times `t` of the motions `which`; 0 where a closed mesh holds one."""
    poses_a, poses_b = a.place(which, t), b.place(which, t)
    found = _distances(a, b, _seen(poses_a, poses_b))
    for mesh, other, poses in (
        (a.shape, b.shape, (poses_b, poses_a)),
        (b.shape, a.shape, (poses_a, poses_b)),
    ):
        if isinstance(mesh, fc.Mesh) and is_closed(mesh):
            found[_holds(mesh, _witnesses(other), _seen(*poses))] = 0.0
    return found


def _seen(poses, others):
    """Poses (m, 4, 4), in double precision, as seen from others."""
    back = np.swapaxes(others[:, :3, :3], 1, 2)
    seen = np.zeros((len(poses), 4, 4))
    seen[:, :3, :3] = back @ poses[:, :3, :3]
    seen[:, :3, 3] = (back @ (poses - others)[:, :3, 3:])[..., 0]
    seen[:, 3, 3] = 1.0
    return seen


def _witnesses(shape):
    """Points (k, 3) of a shape, one of each piece that it may be in."""
    if isinstance(shape, fc.Mesh):
        return shape.vertices[shape.faces[:, 0]]
    return shape.points[:1] if isinstance(shape, fc.ConvexHull) else np.zeros((1, 3))


def _holds(mesh, points, poses):
    """Does a closed mesh wind around any of some points (k, 3), in poses (m, 4, 4)? By solid angles."""
    points = points @ np.swapaxes(poses[:, :3, :3], 1, 2) + poses[:, np.newaxis, :3, 3]
    x, y, z = (mesh.vertices[mesh.faces[:, k]] - points[:, :, np.newaxis] for k in range(3))
    a, b, c = (np.linalg.norm(v, axis=-1) for v in (x, y, z))
    volumes = (x * np.cross(y, z)).sum(axis=-1)
    flat = a * b * c + (x * y).sum(axis=-1) * c + (y * z).sum(axis=-1) * a + (z * x).sum(axis=-1) * b
    turns = np.arctan2(volumes, flat).sum(axis=-1) / (2.0 * np.pi)
    return np.any(np.abs(turns) > 0.5, axis=-1)


def _distances(a, b, seen):
    chunks = [seen[i : i + MOST] for i in range(0, len(seen), MOST)]
    found = [np.asarray(fc.distance(a.shape.at(chunk), b.shape).distance, float) for chunk in chunks]
    return np.concatenate([*found, np.empty(0)])


def scan(a, b, n, separation=0.0, until=1.0, finest=1e-5):
    """Follow two parts through n motions, each up to a time of its own, to a distance up to `separation`."""
    until = np.broadcast_to(np.asarray(until, float), n)
    knots = np.unique(np.concatenate([a.times, b.times, np.linspace(0.0, 1.0, N_INTERVALS + 1)]))
    which, t0, t1 = (x.ravel() for x in np.broadcast_arrays(np.arange(n)[:, None], knots[:-1], knots[1:]))
    free, witness = np.full(n, np.inf), np.full(n, np.inf)
    chosen = t0 <= until[which]
    which, t0, t1 = which[chosen], t0[chosen], np.minimum(t1, until[which])[chosen]
    d0, d1 = distances(a, b, which, t0), distances(a, b, which, t1)
    while len(which) > 0:
        for t, d in ((t0, d0), (t1, d1)):
            np.minimum.at(witness, which[d <= separation], t[d <= separation])
        covered = d0 + d1 - closing_speed(a, b, which, 0.5 * (t0 + t1)) * (t1 - t0) > 2.0 * separation
        is_open = ~covered & (t0 < witness[which])
        is_fine = is_open & (t1 - t0 <= finest)
        np.minimum.at(free, which[is_fine], t0[is_fine])
        which, t0, t1, d0, d1 = (x[is_open & ~is_fine] for x in (which, t0, t1, d0, d1))
        middle = 0.5 * (t0 + t1)
        d = distances(a, b, which, middle)
        which, t0, t1 = np.tile(which, 2), np.concatenate([t0, middle]), np.concatenate([middle, t1])
        d0, d1 = np.concatenate([d0, d]), np.concatenate([d, d1])
    return Found(np.minimum(free, witness), witness)


def first_of(pairs, n, separation=0.0, until=1.0, finest=1e-5):
    """Follow pairs of parts to the first contact of any: what was found, and the number of its pair (n,)."""
    free, witness, number = np.full(n, np.inf), np.full(n, np.inf), np.full(n, -1)
    until = np.broadcast_to(np.asarray(until, float), n)
    for i, (a, b) in enumerate(pairs):
        found = scan(a, b, n, separation, np.minimum(until, witness), finest)
        number[found.witness < witness] = i
        free, witness = np.minimum(free, found.free_until), np.minimum(witness, found.witness)
    return Found(free, witness), number


def closing_speed(a, b, which, t):
    """How fast a distance can change: what moves both alike does not change it."""
    total = np.zeros(len(which))
    for part, other in ((a, b), (b, a)):
        piece = pieces_at(part.times, t)
        for key, speed in part.speeds.items():
            if key not in other.speeds:
                total += speed[which if len(speed) > 1 else 0, piece].astype(float)
    return total


def solid(shape):
    """A closed convex mesh as the solid that it bounds, and any other shape as it is."""
    is_solid = isinstance(shape, fc.Mesh) and is_convex(shape)
    return fc.ConvexHull(shape.corners, flat=True) if is_solid else shape


def is_closed(mesh):
    """Does every edge have two faces, one each way?"""
    sides = np.stack([mesh.faces, np.roll(mesh.faces, -1, axis=1)], axis=2).reshape(-1, 2).tolist()
    ways = {tuple(side) for side in sides}
    return len(ways) == len(sides) > 0 and all((b, a) in ways and a != b for a, b in ways)


def is_convex(mesh):
    """Is a mesh closed, and has every face all vertices on one side, the same for all of them?"""
    if not is_closed(mesh):
        return False
    corners = mesh.vertices[mesh.faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    heights = normals @ mesh.vertices.T - (normals * corners[:, 0]).sum(axis=1)[:, np.newaxis]
    rounding = 1e-12 * np.abs(normals).max() * np.abs(mesh.vertices).max()
    return bool(np.all(heights <= rounding) or np.all(heights >= -rounding))


def reach_of(shape):
    """How far from its own origin a shape may have points."""
    return (
        float(np.linalg.norm(np.abs(shape.bounds).max(axis=0))) if np.all(np.isfinite(shape.bounds)) else 0.0
    )


class _Place(NamedTuple):
    """Where a shape of a link is."""

    model: Model
    path: Path
    link: str
    pose: np.ndarray

    def __call__(self, which, t):
        which = which if len(self.path.waypoints) > 1 else np.zeros_like(which)
        return _pose(self.model, self.link, configurations(self.model, self.path, which, t)) @ self.pose


class _PlaceOfRows(NamedTuple):
    """Where a rigid body is: x(t) = g0 + (t - tb) v + Rot(axis, rate (t - tb)) R0 (x - center)."""

    rows: np.ndarray
    times: np.ndarray

    def __call__(self, which, t):
        which = which if len(self.rows) > 1 else np.zeros_like(which)
        rows = self.rows[which, pieces_at(self.times, t)]
        passed = t.astype(Real) - rows[:, 19]
        poses = np.zeros((len(t), 4, 4), Real)
        poses[:, :3, :3] = _turned(rows[:, 15:18], rows[:, 18] * passed) @ rows[:, :9].reshape(-1, 3, 3)
        arms = (poses[:, :3, :3] @ rows[:, 20:23, np.newaxis])[..., 0]
        poses[:, :3, 3] = rows[:, 9:12] + passed[:, np.newaxis] * rows[:, 12:15] - arms
        poses[:, 3, 3] = 1.0
        return poses


def chain_to(model, link):
    """The joints from the root to a link, in this order."""
    above = {joint.child: joint for joint in model.joints}
    chain = []
    while link in above:
        chain.insert(0, above[link])
        link = above[link].parent
    return chain


def columns_of(joints):
    """The columns of a configuration that each joint with values of its own has."""
    columns, n = {}, 0
    for joint in joints:
        if joint.kind != "fixed" and joint.mimic is None:
            width = 7 if joint.kind == "floating" else 1
            columns[joint.name] = slice(n, n + width)
            n += width
    return columns


def _pose(model, link, q):
    pose = np.broadcast_to(np.eye(4, dtype=Real), (len(q), 4, 4))
    for joint in chain_to(model, link):
        pose = pose @ np.asarray(joint.origin, Real) @ _displacement(joint, value_of(model, joint, q))
    return pose


def value_of(model, joint, q):
    """The values of a joint, (n, 1) or (n, 7), in configurations; of a fixed one, (n, 0)."""
    if joint.mimic is not None:
        name, multiplier, offset = joint.mimic
        followed = next(other for other in model.joints if other.name == name)
        return Real(multiplier) * value_of(model, followed, q) + Real(offset)
    return q[:, columns_of(model.joints).get(joint.name, slice(0, 0))]


def _displacement(joint, value):
    """The pose of the child's frame, (n, 4, 4), in that of the joint."""
    pose = np.zeros((len(value), 4, 4), Real)
    pose[:] = np.eye(4)
    axis = np.asarray(joint.axis, Real) / np.linalg.norm(np.asarray(joint.axis, Real))
    if joint.kind in ("revolute", "continuous"):
        pose[:, :3, :3] = _turned(np.broadcast_to(axis, (len(value), 3)), value[:, 0])
    elif joint.kind == "prismatic":
        pose[:, :3, 3] = value * axis
    elif joint.kind == "floating":
        pose[:, :3, :3], pose[:, :3, 3] = _matrix(value[:, 3:]), value[:, :3]
    return pose


def _turned(axis, angle):
    """Turns (n, 3, 3) about unit axes (n, 3), or zero ones (Rodrigues)."""
    x, y, z, none = *axis.T, np.zeros(len(axis), Real)
    across = np.stack([none, -z, y, z, none, -x, -y, x, none], axis=1).reshape(-1, 3, 3)
    sine, versine = (f.reshape(-1, 1, 1) for f in (np.sin(angle), 2 * np.sin(angle / 2) ** 2))
    return np.eye(3, dtype=Real) + sine * across + versine * (across @ across)


def _matrix(quaternion):
    """Rotations of quaternions (n, 4), x, y, z, w, of any length."""
    vector = quaternion[:, :3]
    length = np.sqrt((vector**2).sum(axis=1))
    axis = vector / np.where(length > 0, length, 1)[:, np.newaxis]
    return _turned(axis, 2 * np.arctan2(length, quaternion[:, 3]))


def _slerp(start, end, part):
    """The shortest turn between quaternions (n, 4), the part (n, 1) of it that is done."""
    start, end = (x / np.sqrt((x**2).sum(axis=1, keepdims=True)) for x in (start, end))
    end = np.where((start * end).sum(axis=1, keepdims=True) < 0, -end, end)
    angle = _half_turn(start, end)[:, np.newaxis]
    sine = np.where(angle > 0, np.sin(angle), 1)
    mixed = np.sin((1 - part) * angle) / sine * start + np.sin(part * angle) / sine * end
    return np.where(angle > 0, mixed, start)


def _half_turn(start, end):
    """Half the angle between unit quaternions that are not opposite, accurate also where it is small."""
    apart, together = (np.sqrt((x**2).sum(axis=1)) for x in (end - start, end + start))
    return 2 * np.arctan2(apart, together)


def _speeds(place, reach, key):
    """For each joint on the way, how fast it can make any point of a shape, (n, k)."""
    model, path = place.model, place.path
    reach = reach + np.linalg.norm(place.pose[:3, 3])
    speeds = {}
    for joint in reversed(chain_to(model, place.link)):
        n, k, dof = path.waypoints.shape
        values = value_of(model, joint, path.waypoints.reshape(n * k, dof).astype(Real))
        values = values.reshape(n, k, values.shape[1])
        spans = np.diff(path.times)
        if joint.kind in ("revolute", "continuous"):
            speeds[key, joint.name] = reach * np.abs(np.diff(values[..., 0], axis=1)) / spans
        elif joint.kind in ("prismatic", "floating"):
            places = values[..., :3]
            speed = np.linalg.norm(np.diff(places, axis=1), axis=2) / spans
            turning = reach * _turning(values[..., 3:]) / spans if joint.kind == "floating" else 0
            speeds[key, joint.name] = speed + turning
            reach = reach + np.linalg.norm(places, axis=2).max()
        reach = reach + np.linalg.norm(np.asarray(joint.origin)[:3, 3])
    return speeds


def _turning(quaternions):
    """The angles from quaternions (n, k + 1, 4) to the next ones, (n, k)."""
    unit = quaternions / np.sqrt((quaternions**2).sum(axis=2, keepdims=True))
    start, end = unit[:, :-1].reshape(-1, 4), unit[:, 1:].reshape(-1, 4)
    end = np.where((start * end).sum(axis=1, keepdims=True) < 0, -end, end)
    return 2 * _half_turn(start, end).reshape(unit.shape[0], -1)
