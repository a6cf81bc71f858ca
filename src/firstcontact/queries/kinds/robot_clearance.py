"""The least distance of a robot along its paths, posed to the search."""

from collections.abc import Mapping
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from firstcontact.advancement.ask import Ask
from firstcontact.advancement.nearest import DONE, OPEN, RELATIVE, Nearest, Nearness
from firstcontact.advancement.progress import in_parts
from firstcontact.answers.answer import about
from firstcontact.answers.robot_results import RobotClearance
from firstcontact.arrays import Array, Ids
from firstcontact.articulated.paths.path_nearest import nearest_paths
from firstcontact.articulated.paths.posed import piece_pose
from firstcontact.articulated.paths.refined_paths import inside_pairs
from firstcontact.articulated.paths.world_motions import WorldMotions, default_tolerance, world_of
from firstcontact.articulated.proof.certificate import Certificate
from firstcontact.queries.kinds.resting import resting_distance
from firstcontact.queries.kinds.rigid import MAX_ITERATIONS
from firstcontact.queries.kinds.robot import (
    measured_pair,
    pair_names,
    pair_padding,
    path_stats,
    posed_paths,
    robot_things,
)
from firstcontact.queries.kinds.robot_fields import field_pairs, measured_field, nearest_to_fields
from firstcontact.queries.look_up import answer, answer_about
from firstcontact.shapes.movable import Kind
from firstcontact.shapes.moving import Moving
from firstcontact.shapes.shape import shape_of
from firstcontact.status import Status

# Pieces that a path is cut into where an obstacle deviates from them: at first, and at the most.
PIECES, MOST_PIECES = 64, 1 << 14


class RobotMeasurer(NamedTuple):
    """Measures a robot and its obstacles at times: a `Measurer`."""

    self_contact: bool
    tolerance: float

    def places(
        self, things: Mapping[str, Moving], pairs: Ids, times: Array, distances: Array
    ) -> tuple[Array, Any]:
        """Closest points (n, 2, 3) and faces (n, 2) of a pair in each of n paths, at a time of its own."""
        robot, *obstacles = things
        others = {name: things[name] for name in obstacles}
        world = world_of(things[robot], others, self.self_contact, self.tolerance)
        return _measured(world, pairs, times, distances)[1:]

    def distances(self, things: Mapping[str, Moving], times: Array) -> Array:
        """Distances at times (m,): (m,), of a batch (n, m)."""
        robot, *obstacles = things
        others = [things[name] for name in obstacles]
        is_batch = any(thing.motion.is_batch for thing in things.values())
        if not is_batch and all(thing.motion.is_resting for thing in others):
            resting = dict(zip(obstacles, others, strict=True))
            return np.asarray(self._measured(_then(things[robot], times), resting))
        columns = []
        for t in times.tolist():
            placed = {name: _then(things[name], t) for name in obstacles}
            columns.append(self._measured(_then(things[robot], t), placed))
        return np.array(columns) if not is_batch else np.stack(columns, axis=1)

    def certificate(self, things: Mapping[str, Moving], kept: float) -> Certificate:
        """The proof that a robot keeps a distance on its path: that of a first contact at that distance."""
        robot, *obstacles = things
        others = {name: things[name] for name in obstacles}
        ask = Ask(self_contact=self.self_contact, min_separation=kept)
        found: Certificate = answer_about("first_contact", things[robot], others, ask).certificate
        return found

    def _measured(self, robot: Moving, obstacles: dict[str, Moving]) -> Any:
        return answer("distance", robot, obstacles, Ask(self_contact=self.self_contact)).distance


def _then(thing: Moving, t: Any) -> Moving:
    """A thing as it is at a time; a robot of one path, at several."""
    if thing.kind is not Kind.ROBOT:
        return shape_of(thing).at(thing.pose(t))
    robot: Any = thing.shape
    motion: Any = thing.motion
    if np.ndim(t) == 0:
        return robot.at(motion.configuration(t), base=motion.base)  # type: ignore[no-any-return]
    rows = [motion.configuration(one) for one in t.tolist()]
    return robot.at(np.array(rows).reshape(len(rows), robot.dof), base=motion.base)  # type: ignore[no-any-return]


def robot_clearance(a: Moving, b: Any, ask: Ask) -> RobotClearance:
    """Least distance along a path, or along each of a batch."""
    began = perf_counter()
    world = posed_paths(a, b, ask, is_first=False).world
    length = default_tolerance(a) if ask.tolerance is None else ask.tolerance
    asked = Nearness(RELATIVE if ask.tolerance is None else 0.0, length, MAX_ITERATIONS)

    def part(span: slice) -> Nearest:
        return _found(world.part(span.start, span.stop), asked)

    found = in_parts(part, len(world.rows), ask.progress)
    known: dict[str, Any] = {}
    measurer = RobotMeasurer(ask.self_contact, length)
    distance = found.upper
    if world.deviates:  # what was seen of obstacles may be off by what they deviate from their pieces
        distance, points, faces = _measured(world, found.pair, found.time, found.upper)
        known = {"_places": (points, faces)}
    near = nearest_to_fields(world, Ask(ask.tolerance), distance)
    lower = np.minimum(np.minimum(np.where(found.state == DONE, found.lower, 0.0), near.lower), near.upper)
    is_nearer, distance = near.pair >= 0, near.upper
    if is_nearer.any():
        known = {}  # places are looked for when they are asked for
        found.time[is_nearer], found.pair[is_nearer] = near.time[is_nearer], near.pair[is_nearer]
    status = np.where(lower > 0.0, Status.SEPARATED, Status.UNDECIDED).astype(np.int8)
    status[distance == 0.0] = Status.CONTACT
    names = [pair_names(world, pair) for pair in found.pair.tolist()]
    numbers = {"distance": distance, "distance_lower": lower, "time": found.time}
    if world.is_batch:
        known |= numbers | {"status": status, "a": [a for a, _ in names], "b": [b for _, b in names]}
        known["stats"] = path_stats(np.ascontiguousarray(found.counts.T), began)
    else:
        known |= {name: float(column[0]) for name, column in numbers.items()}
        known |= {"status": Status(int(status[0])), "a": names[0][0], "b": names[0][1]}
        known["stats"] = path_stats(found.counts[0].tolist(), began)
    return about(RobotClearance(**known, _measurer=measurer, _pairs=found.pair), robot_things(world.things))


def _found(world: WorldMotions, asked: Nearness) -> Nearest:
    """Search; what is inside a closed mesh at the start is at no distance."""
    n = len(world.rows)
    upper = np.full(n, np.inf)
    found = nearest_paths(world, asked, upper)
    for i in np.flatnonzero(found.state == OPEN).tolist():
        _put(found, i, _refined(world, asked, i))
    inside = inside_pairs(world)
    is_inside = inside >= 0
    found.upper[is_inside], found.lower[is_inside], found.time[is_inside] = 0.0, 0.0, 0.0
    found.pair[is_inside] = inside[is_inside]
    return found


def _refined(world: WorldMotions, asked: Nearness, i: int) -> Nearest:
    """Search one path, in ever finer pieces, until no obstacle deviates from them by much."""
    n = PIECES
    while True:
        times = np.unique(np.concatenate([np.linspace(0.0, 1.0, n + 1), world.times]))
        found = nearest_paths(world.refined(i, times), asked, np.full(1, np.inf))
        if found.state[0] != OPEN or n >= MOST_PIECES:
            return found
        n *= 4


def _put(found: Nearest, i: int, one: Nearest) -> None:
    for name in Nearest._fields:
        getattr(found, name)[i] = getattr(one, name)[0]


def _measured(world: WorldMotions, pairs: Ids, times: Array, upper: Array) -> tuple[Array, Array, Any]:
    """Distance, closest points and faces of the nearest pair of each path at its time."""
    n = len(pairs)
    distances, points, faces = np.full(n, np.inf), np.full((n, 2, 3), np.nan), np.full((n, 2), -1, np.int32)
    at_fields = field_pairs(world)
    for pair in np.unique(pairs[pairs >= len(world.pairs)]).tolist():
        rows = np.flatnonzero(pairs == pair)
        there = measured_field(world, at_fields[pair - len(world.pairs)], rows, times[rows])
        distances[rows], faces[rows] = (
            np.maximum(there.distance - pair_padding(world, pair), 0.0),
            there.faces,
        )
        points[rows, 0], points[rows, 1] = there.points_a, there.points_b
    pairs = np.where(pairs < len(world.pairs), pairs, -1)
    is_apart = (pairs >= 0) & (upper > 0.0)
    for pair in np.unique(pairs[is_apart]).tolist():
        rows = np.flatnonzero(is_apart & (pairs == pair))
        placed = [
            world.pieces[k].shape.at(np.stack([piece_pose(world, i, k, times[i]) for i in rows.tolist()]))
            for k in world.pairs[pair, :2].tolist()
        ]
        there = resting_distance(placed[0], placed[1])
        distances[rows], faces[rows] = (
            np.maximum(there.distance - pair_padding(world, pair), 0.0),
            there.faces,
        )
        points[rows, 0], points[rows, 1] = there.points_a, there.points_b
    for i in np.flatnonzero((pairs >= 0) & ~is_apart).tolist():
        one = measured_pair(world, i, int(pairs[i]), True, float(times[i]))
        distances[i], faces[i], points[i, 0], points[i, 1] = (
            one.distance,
            one.faces,
            one.points_a,
            one.points_b,
        )
    return distances, points, faces
