"""What is claimed about convex shapes, held against the oracles."""

from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np

import firstcontact as fc
from firstcontact.motions.relative_motion import relative_motion, rounding_error
from firstcontact.proximity.touching.near_pairs import FLOOR
from firstcontact.shapes.convex import ORIGIN, RADIUS, REACH
from firstcontact.status import Status
from oracles.closest_triangles import Real, norm
from oracles.convex_cores import Core, core_of, moved_to, placed, shadow_gap, size_of
from oracles.convex_distance import bracketed, distances
from oracles.convex_first_contact import distances_at, scan

# The search keeps this part of what rounding may hide: a contact is late where more is used up.
KEPT = 0.25

SIDES = attrgetter("a"), attrgetter("b")


def scale_of(case):
    """Rounding goes by the sizes of the shapes, how far they are apart, and from their own origins."""
    apart = np.linalg.norm(case.places_b - case.places_a, axis=1)
    cores = core_of(case.a), core_of(case.b)
    return apart + sum(size_of(core) + np.abs(core.points).max() for core in cores)


def true_distances(cases):
    """Bounds of the distances in all poses of some cases, joined: together they take less time."""
    shapes = [
        [core for case in cases for core in [core_of(side(case))] * len(case.places_a)] for side in SIDES
    ]
    poses_a = [pose for case in cases for pose in zip(*case.poses_a, strict=True)]
    poses_b = [pose for case in cases for pose in zip(*case.poses_b, strict=True)]
    return distances(shapes[0], poses_a, shapes[1], poses_b)


def is_off_shape(shape, poses, points):
    """How far points (n, 3), each of a pose of its own, are outside of a shape: an upper bound."""
    return bracketed(placed([core_of(shape)] * len(points), *poses), _dots(points)).upper


def _dots(points):
    n = len(points)
    return placed([Core(np.zeros((1, 3)), np.zeros(3), 0.0)] * n, [np.eye(3)] * n, points)


def roundings(moves):
    """What rounding may hide in each motion, (n, 2): in the piece where it hides least, and most."""
    records = [moving.shape.table.records[0] for moving in moves]
    reaches = [record[REACH] + record[RADIUS] for record in records]
    origins = [tuple(record[ORIGIN : ORIGIN + 3]) for record in records]
    hidden = []
    for rows_a, rows_b in zip(*moves.rows, strict=True):
        of_pieces = []
        for row_a in rows_a:
            for row_b in rows_b:
                motion = relative_motion.py_func(row_a, row_b, *origins)
                of_pieces.append(rounding_error.py_func(motion, *reaches, row_a, row_b))
        hidden.append([min(of_pieces), max(of_pieces)])
    return np.array(hidden)


def smaller_size(moves):
    smaller, larger = sorted(size_of(core_of(moving.shape)) for moving in moves)
    return smaller or larger


class Asked(NamedTuple):
    """Motions, what was asked about them, and what was found."""

    moves: Any
    tolerance: float
    separation: float
    found: Any


def ask(moves, tolerance, separation=0.0, **others):
    """Ask for first contacts; lengths are parts of the size of the smaller shape."""
    size = smaller_size(moves)
    lengths = {"tolerance": tolerance * size, "min_separation": separation * size}
    return Asked(moves, *lengths.values(), fc.first_contacts(moves.a, moves.b, **lengths, **others))


class Joined(NamedTuple):
    """All motions of some questions, one after the other: together they take less time."""

    a: Any
    b: Any
    rows: tuple
    tolerance: np.ndarray
    separation: np.ndarray
    rounding: np.ndarray
    status: np.ndarray
    time: np.ndarray
    time_upper: np.ndarray
    points: np.ndarray
    normals: np.ndarray


def joined(questions):
    moves = [question.moves for question in questions]
    counts = [len(question.found) for question in questions]
    cores = [[core_of(side(move).shape) for move in moves] for side in SIDES]
    cores = [[core for core, n in zip(side, counts, strict=True) for _ in range(n)] for side in cores]
    a, b = (placed(side, [np.eye(3)] * len(side), np.zeros((len(side), 3))) for side in cores)
    found = ("status", "time", "time_upper", "points", "normals")
    return Joined(
        a,
        b,
        tuple(np.concatenate(rows) for rows in zip(*(move.rows for move in moves), strict=True)),
        np.repeat([question.tolerance for question in questions], counts),
        np.repeat([question.separation for question in questions], counts),
        np.concatenate([roundings(move) for move in moves]).T,
        *(np.concatenate([getattr(question.found, name) for question in questions]) for name in found),
    )


def broken_promises(asked):
    """Say what is wrong with first contacts (`Joined`), for each claim an array of booleans."""
    a, b, rows, status, time, separation = (
        asked.a,
        asked.b,
        asked.rows,
        asked.status,
        asked.time,
        asked.separation,
    )
    least, most = asked.rounding
    is_hit, is_free = np.isin(status, [Status.CONTACT, Status.CONTACT_AT_START]), status == Status.SEPARATED
    until = np.where(is_free, 1.0, time)
    truth = scan(a, b, rows, separation, separation + KEPT * least, until)
    then = distances_at(a, b, rows, until)
    allowed = separation + np.maximum(asked.tolerance, FLOOR * most)
    # An upper time is one of a contact: if it were none, the scan up to there would come to its end.
    upper = np.where(asked.time_upper <= 1.0, asked.time_upper, -1.0)
    proof = scan(a, b, rows, separation, separation + 4 * most, upper)
    return {
        "late or missed": (truth.witness <= until) & (until > 0.0),
        "too early": is_hit & (then.lower > allowed),
        "upper time without a contact": (asked.time_upper <= 1.0) & (proof.free_until == np.inf),
        "upper before time": asked.time_upper < time,
        "wrong status": (status == Status.CONTACT_AT_START) != (is_hit & (time == 0.0)),
        "out of iterations": status == Status.MAX_ITERATIONS,
        "time is no time": ~np.where(is_free, time == np.inf, (time >= 0.0) & (time <= 1.0)),
        "wrong place": is_hit & _is_misplaced(asked, until, allowed),
        "normal does not part": is_hit & _is_normal_off(asked, until, then),
        "undecided by the oracle": (truth.free_until < np.inf) & (truth.witness == np.inf),
    }


def _moved(asked, until):
    rows_a, rows_b = asked.rows
    at = until.astype(Real)
    return moved_to(asked.a, rows_a, at).cores, moved_to(asked.b, rows_b, at).cores


def _is_misplaced(asked, until, allowed):
    """Is the contact's place off either shape?"""
    points = np.where(np.isnan(asked.points), 0.0, asked.points)
    slack = allowed + 4 * asked.rounding[1]
    off_a, off_b = (bracketed(side, _dots(points)).upper > slack for side in _moved(asked, until))
    return off_a | off_b


def _is_normal_off(asked, until, then):
    """Are shapes that are apart not seen to be, along the normal?"""
    a, b = _moved(asked, until)
    error = 4 * asked.rounding[1]
    normals = np.where(np.isnan(asked.normals), [1.0, 0.0, 0.0], asked.normals).T.astype(Real)
    is_across = (then.lower > error) & (shadow_gap(a, b, normals) < -error)
    return is_across | (abs(norm(normals) - 1) > 1e-12)


def complaints(questions, but=()):
    """Say which claims are broken, by which question and motion; best none."""
    where = [f"{i}, motion {k}" for i, question in enumerate(questions) for k in range(len(question.found))]
    broken = broken_promises(joined(questions))
    return [
        f"{claim}: question {where[k]}"
        for claim, which in broken.items()
        for k in np.flatnonzero(which)
        if claim not in but
    ]
