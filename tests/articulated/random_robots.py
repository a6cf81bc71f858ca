"""Random robots, for the oracle and for the library alike; random things in their way; random motions."""

from itertools import combinations, pairwise
from typing import Any, NamedTuple

import numpy as np

import firstcontact as fc
from oracles.robot_path import (
    Model,
    Path,
    columns_of,
    distances,
    link_poses,
    part_of,
    parts_of,
    straight,
    through,
)
from properties.convex_families import KINDS, shape
from properties.rigid_families import orientation, unit

MOVING_KINDS = ("revolute",) * 4 + ("continuous", "prismatic", "prismatic", "floating")

SURFACES = ("notched", "bowl", "sheet", "box", "needle")


class Made(NamedTuple):
    """A robot, the oracle's model of it, and the pairs of its links that may touch."""

    robot: Any
    model: Model
    allowed: frozenset


def random_robot(rng, n_joints=None, size=1.0, place=(0.0, 0.0, 0.0), kinds=MOVING_KINDS):
    """A tree of 2 to 9 joints that move or mimic, with some fixed ones among them, about the place."""
    n_joints = int(rng.integers(2, 10)) if n_joints is None else n_joints
    stand = np.eye(4)
    stand[:3, 3] = place
    links, joints, n_moving = (
        {"ground": [], "base": []},
        [fc.Joint("stand", "fixed", "ground", "base", stand)],
        0,
    )
    if rng.random() < 0.5:
        links["base"] = random_parts(rng, 0.3 * size)
    while n_moving < n_joints:
        i = len(joints)
        parent = list(links)[-1] if rng.random() < 0.75 else str(rng.choice(list(links)[1:]))
        kind = "fixed" if rng.random() < 0.2 else str(rng.choice(kinds))
        joints.append(_joint(rng, joints, kind, (parent, f"link {i}"), size))
        links[f"link {i}"] = [] if rng.random() < 0.15 else random_parts(rng, 0.4 * size)
        n_moving += kind != "fixed"
    return made(Model(links, joints), some_pairs(rng, list(links)))


def made(model, allowed=frozenset()):
    """The robot of a model."""
    links = {name: [thing.at(pose) for thing, pose in parts] for name, parts in model.links.items()}
    robot = fc.Robot(links, model.joints, allowed_pairs=[tuple(pair) for pair in allowed])
    return Made(robot, model, frozenset(allowed))


def _joint(rng, others, kind, ends, size):
    origin = np.eye(4)
    if rng.random() < 0.8:
        origin[:3, :3] = orientation(rng)
    origin[:3, 3] = size * rng.uniform(0.05, 0.4) * unit(rng)
    axis = unit(rng) if rng.random() < 0.6 else np.roll([0.0, 0.0, rng.choice([-1.0, 2.0])], rng.integers(3))
    leaders = [joint.name for joint in others if _can_follow(kind, joint)]
    mimic = None
    if leaders and rng.random() < 0.25:
        mimic = (str(rng.choice(leaders)), float(rng.choice([-1.0, 0.5, 2.0])), float(rng.uniform(-0.2, 0.2)))
    limits = (-2.0 * size, 2.0 * size) if kind == "prismatic" else (-3.0, 3.0)
    return fc.Joint(f"joint {len(others)}", kind, *ends, origin, axis, limits, mimic)


def _can_follow(kind, joint):
    """Joints follow those of their own kind only: else sizes would go into angles."""
    turning = ("revolute", "continuous")
    return kind == joint.kind == "prismatic" or (kind in turning and joint.kind in turning)


def random_parts(rng, size):
    """One to three shapes with their poses in a link's frame."""
    return [(random_shape(rng, size), random_pose(rng, 0.4 * size)) for _ in range(rng.choice([1, 1, 2, 3]))]


def random_shape(rng, size):
    """A convex shape, or, one time in four, a mesh."""
    if rng.random() < 0.75:
        return shape(rng, size * rng.uniform(0.5, 1.0), str(rng.choice(KINDS)))
    return random_surface(rng, size, str(rng.choice(SURFACES)))


def random_surface(rng, size, kind):
    """A small mesh: non-convex, open, convex or almost nothing."""
    if kind == "notched":  # a box, its top pushed in to below the middle
        box = fc.Box(size * rng.uniform(0.3, 1.0, 3)).mesh
        top = int(np.argmax(box.vertices[:, 2]))
        return fc.Mesh(np.vstack([box.vertices, [0.0, 0.0, -0.1 * size]]), _pushed_in(box.faces, top))
    if kind == "bowl":  # a ball's faces below some height
        ball = fc.Ellipsoid(0.5 * size * rng.uniform(0.3, 1.0, 3)).mesh
        heights = ball.vertices[ball.faces][:, :, 2].max(axis=1)
        return fc.Mesh(ball.vertices, ball.faces[heights < rng.uniform(-0.2, 0.9) * heights.max()][::3])
    if kind == "sheet":  # triangles along a winding strip
        steps = np.cumsum(0.2 * size * rng.standard_normal((6, 3)), axis=0)
        return fc.Mesh(steps - steps.mean(axis=0), [[i, i + 1, i + 2] for i in range(4)])
    if kind == "needle":
        ends = np.outer([-0.5, 0.5, 0.5], size * unit(rng))
        return fc.Mesh(ends, [[0, 1, 2], [0, 0, 1]])
    return fc.Box(size * rng.uniform(0.2, 1.0, 3)).mesh


def _pushed_in(faces, top):
    """Faces of a mesh of which those around a vertex have a new one, the last, in its place."""
    n = int(faces.max()) + 1
    return np.where(faces == top, n, faces)


def random_pose(rng, spread):
    pose = np.eye(4)
    if rng.random() < 0.8:
        pose[:3, :3] = orientation(rng)
    pose[:3, 3] = spread * rng.standard_normal(3)
    return pose


def random_clutter(rng, places, size=1.0, is_moving=0.3):
    """Things at places by their names: at rest, moving straight, turning, and going from pose to pose."""
    return {
        f"thing {i}": _thing(rng, size, place, rng.random() < is_moving) for i, place in enumerate(places)
    }


def _thing(rng, size, place, is_moving):
    body = random_shape(rng, size * 10.0 ** rng.uniform(-1.5, -0.2))
    poses = [random_pose(rng, 0.0) for _ in range(3)]
    poses[0][:3, 3] = place
    for before, after in pairwise(poses):
        after[:3, 3] = before[:3, 3] + 0.3 * size * rng.standard_normal(3)
    if not is_moving:
        return body.at(poses[0])
    way = rng.integers(4)
    if way == 0:
        return body.along(poses, [0.0, float(rng.uniform(0.2, 0.8)), 1.0])
    if way == 1:
        return body.moving(poses[0], angular_velocity=rng.uniform(0.0, 9.0) * unit(rng))
    return body.moving(poses[0], poses[1], path="screw" if way == 2 else "constant")


def random_configurations(rng, model, n, size=1.0, turn=1.5):
    """Configurations (n, dof) within some turn of zero."""
    columns = columns_of(model.joints)
    q = np.empty((n, max((own.stop for own in columns.values()), default=0)))
    for joint in model.joints:
        if joint.name in columns:
            own = q[:, columns[joint.name]]
            spread = 0.2 * size * turn if joint.kind in ("prismatic", "floating") else turn
            own[:] = rng.uniform(-spread, spread, own.shape)
            if joint.kind == "floating":
                own[:, 3:] = [0.0, 0.0, 0.0, 1.0] + 0.3 * turn * rng.standard_normal((n, 4))
    return q


def near(rng, model, q, size=1.0, turn=0.5):
    """Configurations within some turn of others (n, dof); their quaternions have other lengths, too."""
    columns = columns_of(model.joints)
    found = q + random_configurations(rng, model, len(q), size, turn)
    for joint in model.joints:
        if joint.kind == "floating":
            own = slice(columns[joint.name].start + 3, columns[joint.name].stop)
            found[:, own] = q[:, own] + 0.3 * turn * rng.standard_normal((len(q), 4))
            found[:, own] *= 10.0 ** rng.uniform(-1.0, 1.0, (len(q), 1))
    return found


def some_pairs(rng, links):
    """A few pairs of links that may touch."""
    pairs = list(combinations(links, 2))
    return frozenset(frozenset(pairs[i]) for i in rng.integers(len(pairs), size=rng.integers(3)))


def self_pairs(one, path, key="robot"):
    """Pairs of parts that a robot must not bring together: not of one body, not joined, not allowed."""
    above = {joint.child: joint for joint in one.model.joints}

    def body(link):
        while link in above and above[link].kind == "fixed":
            link = above[link].parent
        return link

    joined = {frozenset((joint.parent, joint.child)) for joint in one.model.joints}
    return [
        (a, b)
        for a, b in combinations(parts_of(one.model, path, key), 2)
        if body(a.name) != body(b.name) and frozenset((a.name, b.name)) not in joined | one.allowed
    ]


def spaced(one, q):
    """The same robot; all pairs of links that touch in a configuration (dof,) may."""
    path = straight(q, q)
    touching = {frozenset((a.name, b.name)) for a, b in self_pairs(one, path) if _touch(a, b)}
    return made(one.model, one.allowed | touching)


def clear_of(clutter, one, q):
    """The things that no link touches at the start, in a configuration (dof,)."""
    parts = parts_of(one.model, straight(q, q))
    return {
        name: thing
        for name, thing in clutter.items()
        if not any(_touch(part, part_of(name, thing)) for part in parts)
    }


def _touch(a, b):
    return bool(distances(a, b, np.array([0]), np.array([0.0]))[0] == 0.0)


class Scenario(NamedTuple):
    """Motions of a robot, `moving` as the library has them, among things or next to another robot."""

    one: Made
    path: Path
    moving: Any
    clutter: dict[str, Any]
    other: tuple[Made, Path, Any] | None
    size: float

    @property
    def n(self):
        return len(self.path.waypoints)

    @property
    def obstacles(self):
        """What is in the way, as the library takes it."""
        if self.other is not None:
            return self.other[2]
        things = list(self.clutter.values())
        return None if not things else things[0] if len(things) == 1 else fc.Scene(self.clutter)

    @property
    def is_moving(self):
        """Does anything but the robot move?"""
        return self.other is not None or not all(thing.motion.is_resting for thing in self.clutter.values())

    def pairs(self, self_contact):
        """All pairs of parts that count, as the oracle takes them."""
        is_lone = len(self.clutter) == 1
        things = [part_of("world" if is_lone else name, thing) for name, thing in self.clutter.items()]
        if self.other is not None:
            others = parts_of(self.other[0].model, self.other[1], "other")
            things = [part._replace(name=f"world/{part.name}") for part in others]
        pairs = [(a, b) for a in parts_of(self.one.model, self.path) for b in things]
        return pairs + (self_pairs(self.one, self.path) if self_contact else [])


def alone(scenario, i):
    """One of the motions of a scenario."""

    def only(one, path, moving):
        if len(path.waypoints) == 1:
            return path, moving
        ends = path.waypoints[i]
        return straight(*ends), one.robot.moving(*ends)

    other = scenario.other
    path, moving = only(scenario.one, scenario.path, scenario.moving)
    other = None if other is None else (other[0], *only(*other))
    return scenario._replace(path=path, moving=moving, other=other)


def random_scenario(rng, n=8, size=1.0, place=(0.0, 0.0, 0.0), turn=0.7):
    """A robot among things, or next to another; n motions, or one through several configurations."""
    one = random_robot(rng, size=size, place=place)
    start = random_configurations(rng, one.model, 1, size)
    one = spaced(one, start[0])
    path, moving = _random_motion(rng, one, start, 1 if rng.random() < 0.15 else n, size, turn)
    if rng.random() < 0.15:
        aside = np.asarray(place) + size * unit(rng)
        second = random_robot(rng, 3, size, aside)
        q, n_other = (
            random_configurations(rng, second.model, 1, size),
            int(rng.choice([1, len(path.waypoints)])),
        )
        other = (second, *_random_motion(rng, second, q, n_other, size, turn))
        return Scenario(one, path, moving, {}, other, size)
    clutter = random_clutter(rng, _places_on_the_way(rng, one, path, size), size)
    clutter = clear_of(clutter, one, start[0]) if rng.random() < 0.8 else clutter
    return Scenario(one, path, moving, clutter, None, size)


def _places_on_the_way(rng, one, path, size):
    """Some places that links come near to."""
    n = int(rng.integers(1, 7))
    which, piece = rng.integers(len(path.waypoints), size=n), rng.integers(1, path.waypoints.shape[1], size=n)
    poses = list(link_poses(one.model, path.waypoints[which, piece]).values())
    places = np.array([poses[rng.integers(1, len(poses))][i, :3, 3] for i in range(n)], float)
    return places + 0.3 * size * rng.standard_normal((n, 3))


def _random_motion(rng, one, start, n, size, turn):
    """Motions from near a configuration (1, dof), for the oracle and for the library."""
    if n == 1:
        waypoints = near(rng, one.model, np.repeat(start, int(rng.integers(2, 6)), axis=0), size, turn)
        times = np.sort(np.concatenate([[0.0, 1.0], rng.uniform(0.05, 0.95, len(waypoints) - 2)]))
        return through(waypoints, times), one.robot.along(waypoints, times)
    q0 = near(rng, one.model, np.repeat(start, n, axis=0), size, 0.05 * turn)
    q1 = near(rng, one.model, q0, size, turn)
    return straight(q0, q1), one.robot.moving(q0, q1)
