"""Queries about robots, posed to the search along their paths."""

from collections.abc import Mapping
from dataclasses import replace
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact.advancement.ask import Ask
from firstcontact.advancement.goal import Options
from firstcontact.advancement.progress import in_parts
from firstcontact.answers.answer import about
from firstcontact.answers.contact_results import AdvancementStats, FirstContact, RobotStats, no_contact
from firstcontact.answers.proximity_results import Distance, DistanceStats
from firstcontact.answers.robot_results import RobotContact, RobotContacts, RobotDistance
from firstcontact.arrays import Ids
from firstcontact.articulated.model.world_shapes import Things, robot_of
from firstcontact.articulated.paths.closest_links import nearest_pairs
from firstcontact.articulated.paths.path_types import METHODS, SUBDIVISION, PathsFound
from firstcontact.articulated.paths.posed import piece_pose
from firstcontact.articulated.paths.refined_paths import refined_paths
from firstcontact.articulated.paths.world_motions import WorldMotions, default_tolerance, world_of
from firstcontact.articulated.proof.certificate import Certificate, certified, single_things
from firstcontact.bodies.mesh_parts import is_closed
from firstcontact.queries.kinds.resting import resting_distance
from firstcontact.queries.kinds.rigid import INTERVAL
from firstcontact.queries.kinds.robot_by_intervals import paths_by_intervals
from firstcontact.queries.kinds.robot_fields import (
    field_names,
    field_pairs,
    field_placed,
    firsts_with_fields,
    measured_field,
    solid_shape,
)
from firstcontact.queries.look_up import answer
from firstcontact.scalar.error_bounds import SHORTEST
from firstcontact.shapes.movable import Kind
from firstcontact.shapes.moving import Moving
from firstcontact.status import ContactKind, Status

# The method that is no search along a chain, and its number.
BY_INTERVALS = len(METHODS)
ALL_METHODS = METHODS | {INTERVAL: BY_INTERVALS}

# How often the time after a contact is doubled, and then halved, in search of one that is proven.
DOUBLINGS, HALVINGS = 48, 24

NO_CERTIFICATE = "a certificate knows no fields, and obstacle {name!r} is one: use the mesh() of the field"


class Posed(NamedTuple):
    """A question about paths, ready for the search."""

    world: WorldMotions
    options: Options


class PathFinder(NamedTuple):
    """Finds more about paths when it is asked for: a `Finder`, of numbers only."""

    options: Options
    self_contact: bool

    def posed(self, things: Mapping[str, Moving]) -> Posed:
        """Pose the question about these things anew: the robot is the first of them."""
        robot, *obstacles = things
        others = {name: things[name] for name in obstacles}
        return Posed(world_of(things[robot], others, self.self_contact, self.options.tolerance), self.options)

    def part(self, posed: Posed, path: int) -> tuple[Posed, dict[str, Moving]]:
        """One path of a question, and the things of that."""
        things = single_things(posed.world.things, path)
        world = posed.world.part(path, path + 1)._replace(things=things, is_batch=False)
        return Posed(world, posed.options), robot_things(world.things)

    def detail(self, posed: Posed, pair: int, time: float) -> FirstContact:
        """What of a pair touches at a time."""
        return _detail(posed, pair, 0, time)

    def upper(self, posed: Posed, pair: int, time: float) -> float:
        """A time at which the contact of a pair is proven."""
        return _time_upper(posed, pair, 0, time)

    def certificate(self, posed: Posed, time: float) -> Certificate:
        """The proof that the path is free up to a time."""
        for name in field_names(posed.world):
            raise ValueError(NO_CERTIFICATE.format(name=name))
        options = posed.options
        if options.method == BY_INTERVALS:  # which writes nothing down
            options = options._replace(method=SUBDIVISION)
        return certified(posed.world, options, 0, time)


def robot_first(a: Moving, b: Any, ask: Ask) -> RobotContact:
    """First contact along a path."""
    began = perf_counter()
    posed = posed_paths(a, b, ask, is_first=True, along_curves=True)
    if posed.world.is_batch:
        raise ValueError(
            f"there is a batch of {len(posed.world.rows)} motions: use first_contacts or is_free"
        )
    found = _found(posed, ask)
    pair, time = int(found.pairs[0]), float(found.times[0])
    names = pair_names(posed.world, pair)
    contact = RobotContact(
        a=names[0],
        b=names[1],
        status=_status(pair, time),
        time=time,
        stats=path_stats(found.counts[0].tolist(), began),
        _finder=PathFinder(posed.options, ask.self_contact),
        _pair=pair,
        _posed=posed,
    )
    return about(contact, robot_things(posed.world.things))


def robot_firsts(a: Moving, b: Any, ask: Ask) -> RobotContacts:
    """First contacts along a batch of paths."""
    began = perf_counter()
    posed = posed_paths(a, b, ask, is_first=True, along_curves=True)
    found = _found(posed, ask)
    names = [pair_names(posed.world, pair) for pair in found.pairs.tolist()]
    status = [_status(pair, time) for pair, time in zip(found.pairs, found.times, strict=True)]
    contacts = RobotContacts(
        a=[a for a, _ in names],
        b=[b for _, b in names],
        status=np.array(status, np.int8),
        time=found.times,
        stats=path_stats(np.ascontiguousarray(found.counts.T), began),
        _finder=PathFinder(posed.options, ask.self_contact),
        _pairs=found.pairs,
        _posed=posed,
    )
    return about(contacts, robot_things(posed.world.things))


def robot_is_free(a: Moving, b: Any, ask: Ask) -> bool | NDArray[np.bool_]:
    """Which paths are free?"""
    posed = posed_paths(a, b, ask, is_first=False, along_curves=True)
    is_free: NDArray[np.bool_] = _found(posed, ask).pairs < 0
    return is_free if posed.world.is_batch else bool(is_free[0])


def robot_distance(a: Moving, b: Any, ask: Ask) -> RobotDistance:
    """Least distance over all pairs, in each configuration."""
    posed = posed_paths(_resting("distance", a), b, ask._replace(tolerance=0.0), is_first=False)
    world, touching = posed.world, _found(posed, ask).pairs
    pairs = np.where(touching >= 0, touching, _nearest(world))
    names = [pair_names(world, pair) for pair in pairs.tolist()]
    n = len(pairs)
    distances, points = np.full(n, np.inf), np.full((2, n, 3), np.nan)
    faces, counts = np.full((n, 2), -1, np.int32), np.zeros((3, n), np.int64)
    for i in np.flatnonzero(pairs >= 0).tolist():
        one = measured_pair(world, i, int(pairs[i]), touching[i] >= 0)
        distances[i], points[0, i], points[1, i], faces[i] = (
            one.distance,
            one.points_a,
            one.points_b,
            one.faces,
        )
        counts[:, i] = one.stats.volume_tests, one.stats.triangle_tests, one.stats.iterations
    a_names, b_names = [a for a, _ in names], [b for _, b in names]
    if world.is_batch:
        stats = DistanceStats(*counts)
        found = RobotDistance(distances, points[0], points[1], faces, stats, a_names, b_names)
        return about(found, robot_things(world.things))
    stats, (one, other) = DistanceStats(*counts[:, 0].tolist()), points[:, 0]
    found = RobotDistance(float(distances[0]), one, other, faces[0], stats, a_names[0], b_names[0])
    return about(found, robot_things(world.things))


def _nearest(world: WorldMotions) -> Ids:
    """The nearest pair in each configuration, -1 where there is none."""
    pairs, at_fields = nearest_pairs(world), field_pairs(world)
    if not at_fields:
        return pairs
    n = len(pairs)
    least, paths = np.full(n, np.inf), np.arange(n)
    for i in np.flatnonzero(pairs >= 0).tolist():
        least[i] = measured_pair(world, i, int(pairs[i]), False).distance
    for number, pair in enumerate(at_fields, len(world.pairs)):
        distances = np.asarray(measured_field(world, pair, paths, np.zeros(n)).distance) - pair.padding
        pairs = np.where(distances < least, number, pairs).astype(np.int32)
        least = np.minimum(least, distances)
    return pairs


def robot_intersects(a: Moving, b: Any, ask: Ask) -> bool | NDArray[np.bool_]:
    """Whether anything touches, in each configuration."""
    posed = posed_paths(_resting("intersects", a), b, ask._replace(tolerance=0.0), is_first=False)
    touches: NDArray[np.bool_] = _found(posed, ask).pairs >= 0
    return touches if posed.world.is_batch else bool(touches[0])


def robot_things(things: Things) -> dict[str, Moving]:
    """The robot, by its name, and its obstacles."""
    robot, obstacles = things.robot, things.obstacles
    name = robot_of(robot).name
    while name in obstacles:
        name += "'"
    return {name: robot} | obstacles


def _resting(query: str, a: Moving) -> Moving:
    if not a.motion.is_resting:
        raise ValueError(f"{query} is for one instant, and a moves: use a.at(q)")
    return a


def posed_paths(a: Moving, b: Any, ask: Ask, is_first: bool, along_curves: bool = False) -> Posed:
    """Check what is asked about paths, and make it ready for the search; splines as `world_of` has them."""
    if b is None and not ask.self_contact:
        raise ValueError("there is nothing to check: give obstacles, {} for none, or self_contact=True")
    tolerance = default_tolerance(a) if ask.tolerance is None else ask.tolerance
    world = world_of(a, b, ask.self_contact, tolerance, along_curves)
    options = Options(tolerance, ask.min_separation, method=ask.method_of(ALL_METHODS), is_first=is_first)
    return Posed(world, options)


def _found(posed: Posed, ask: Ask) -> PathsFound:
    """Search, in parts where progress is shown."""

    def part(span: slice) -> PathsFound:
        return refined_paths(posed.world.part(span.start, span.stop), posed.options)

    if posed.options.method == BY_INTERVALS:
        found = paths_by_intervals(posed.world, posed.options)
        return firsts_with_fields(posed.world, posed.options, found)
    found = in_parts(part, len(posed.world.rows), ask.progress)
    return firsts_with_fields(posed.world, posed.options, found)


def _status(pair: int, time: float) -> Status:
    if pair < 0:
        return Status.SEPARATED
    return Status.CONTACT_AT_START if time == 0.0 else Status.CONTACT


def pair_names(world: WorldMotions, pair: int) -> tuple[str | None, str | None]:
    """Names of the two of a pair; None where there is none."""
    if pair < 0:
        return None, None
    if pair >= len(world.pairs):
        piece, name, _ = field_pairs(world)[pair - len(world.pairs)]
        return world.pieces[piece].name, name
    a, b = world.pairs[pair, :2]
    return world.pieces[a].name, world.pieces[b].name


def pair_padding(world: WorldMotions, pair: int) -> float:
    """How much nearer a pair counts as being."""
    if pair >= len(world.pairs):
        return field_pairs(world)[pair - len(world.pairs)].padding
    return float(world.geometries.paddings[pair])


def path_stats(counts: Any, began: float) -> RobotStats:
    """Counters of a search, and the time since it began."""
    configurations, pairs, gaps, mesh_gaps = counts
    return RobotStats(configurations, pairs, gaps, mesh_gaps, perf_counter() - began)


def _placed(world: WorldMotions, i: int, pair: int, t: float, as_solid: bool) -> tuple[Moving, Moving]:
    """The two shapes of a pair as they are at a time of a path; convex meshes as hulls, or not."""

    def placed(k: int) -> Moving:
        shape = solid_shape(world, k) if as_solid else world.pieces[k].shape
        return shape.at(piece_pose(world, i, k, t))

    if pair >= len(world.pairs):
        at_field = field_pairs(world)[pair - len(world.pairs)]
        return placed(at_field.piece), field_placed(world, at_field, i, t)
    a, b = world.pairs[pair, :2].tolist()
    return placed(a), placed(b)


def measured_pair(world: WorldMotions, i: int, pair: int, is_touching: bool, t: float = 0.0) -> Distance:
    """Distance of a pair at a time: of surfaces, with the closest faces, unless the solids touch."""
    padding = pair_padding(world, pair)
    surfaces: Distance = answer("distance", *_placed(world, i, pair, t, False))
    if padding > 0.0:
        surfaces = replace(surfaces, distance=max(surfaces.distance - padding, 0.0))
    if not is_touching or surfaces.distance == 0.0:
        return surfaces
    if pair >= len(world.pairs):  # inside a closed mesh
        return replace(surfaces, distance=0.0, points_b=surfaces.points_a)
    solids = _placed(world, i, pair, t, True)
    are_closed = all(is_closed(thing.surface) for thing in solids if thing.kind is Kind.MESH)
    found = resting_distance(*solids, Ask(solid=are_closed))
    # What rounding leaves apart by a little touches where it is closest.
    return found if found.distance == 0.0 else replace(found, distance=0.0, points_b=found.points_a)


def _detail(posed: Posed, pair: int, i: int, time: float) -> FirstContact:
    """What touches at the time of contact: of surfaces, or of solids where one is inside the other."""
    nothing = no_contact(AdvancementStats(0, 0, 0, 0, 0.0))
    if pair < 0:
        return nothing
    near = _separation(posed, pair) + posed.options.tolerance
    for as_solid in (False, True):
        touch = _touch(posed, pair, i, time, near, as_solid)
        if len(touch.points) > 0:
            return touch
    # Wholly inside a closed mesh: the nearest places on both surfaces.
    nearest: Distance = answer("distance", *_placed(posed.world, i, pair, time, False))
    way = nearest.points_b - nearest.points_a
    normal = way / max(float(np.linalg.norm(way)), SHORTEST)
    middle = 0.5 * (nearest.points_a + nearest.points_b)
    features = np.array([[ContactKind.SHAPE_SHAPE, -1, -1]], np.int32)
    return replace(nothing, points=middle[np.newaxis], normals=normal[np.newaxis], features=features)


def _separation(posed: Posed, pair: int) -> float:
    """Distance at which a pair counts as in contact."""
    return posed.options.min_separation + pair_padding(posed.world, pair)


def _touch(posed: Posed, pair: int, i: int, t: float, min_separation: float, as_solid: bool) -> FirstContact:
    """What touches, or is closer than a separation, of a pair at a time."""
    a, b = _placed(posed.world, i, pair, t, as_solid)
    touch: FirstContact = answer("first_contact", a, b, Ask(posed.options.tolerance, min_separation))
    return touch


def _time_upper(posed: Posed, pair: int, i: int, time: float) -> float:
    """A time at which the contact is proven, as early as can be found: ever farther on, and then back."""
    if pair < 0:
        return np.inf

    def is_proven(t: float) -> bool:
        touches = (_touch(posed, pair, i, t, _separation(posed, pair), solid) for solid in (True, False))
        return any(touch.time_upper == 0.0 for touch in touches)

    near = _separation(posed, pair) + posed.options.tolerance
    # From the start on, and nothing touches: within a closed mesh.
    is_within = time == 0.0 and not _touch(posed, pair, i, time, near, True)
    if is_within or is_proven(time):
        return time
    low, step = time, max(2.0**-DOUBLINGS, float(np.spacing(time)))
    while not is_proven(min(low + step, 1.0)):
        low, step = min(low + step, 1.0), 2.0 * step
        if low == 1.0:
            return np.inf
    high = min(low + step, 1.0)
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if is_proven(middle) else (middle, high)
    return high
