"""What is claimed about first contacts of rigid bodies, held against the oracle."""

import numpy as np

from firstcontact.advancement.goal import Options
from firstcontact.bodies.mesh_body import body_of
from firstcontact.motions.relative_motion import relative_motion, rounding_error
from firstcontact.proximity.touching.near_pairs import FLOOR
from firstcontact.rigid.first_times import first_times
from firstcontact.status import Status
from oracles.rigid_first_contact import Soups, distances_at, scan
from properties.rigid_families import soups_of

MAX_ITERATIONS = 1 << 20

# The search keeps this part of what rounding may hide: a contact is late where more is used up.
KEPT = 0.25


def options(tolerance, min_separation=0.0, max_iterations=MAX_ITERATIONS):
    return Options(tolerance=tolerance, min_separation=min_separation, max_iterations=max_iterations)


def ask(case, asked):
    """What the search finds for all motions of a case."""
    return first_times(body_of(case.mesh_a), body_of(case.mesh_b), (case.rows_a, case.rows_b), asked)


def size_of(case):
    """The size of the smaller body that has one."""
    smaller, larger = sorted([2.0 * body_of(case.mesh_a).reach, 2.0 * body_of(case.mesh_b).reach])
    return smaller or larger


def roundings(case):
    """What rounding may hide in each motion, (n, 2): in the piece where it hides least, and most."""
    a, b = body_of(case.mesh_a), body_of(case.mesh_b)
    motions = zip(case.rows_a, case.rows_b, strict=True)
    hidden = [
        [_rounding(a, b, piece_a, piece_b) for piece_a in rows_a for piece_b in rows_b]
        for rows_a, rows_b in motions
    ]
    return np.array([[min(motion), max(motion)] for motion in hidden])


def _rounding(a, b, row_a, row_b):
    motion = relative_motion.py_func(row_a, row_b, a.origin, b.origin)
    return rounding_error.py_func(motion, a.reach, b.reach, row_a, row_b)


def complaints(cases, all_asked, all_found):
    """Say which claims are broken, best none, for cases, what was asked about each, and what was found."""
    soups = [soups_of(case) for case in cases]
    found = [np.concatenate(x) for x in zip(*(one[:2] for one in all_found), strict=True)]
    status, time = found
    counts = [len(case.rows_a) for case in cases]
    least, most = np.concatenate([roundings(case) for case in cases]).T
    separation = np.repeat([asked.min_separation for asked in all_asked], counts)
    allowed = separation + np.maximum(
        np.repeat([asked.tolerance for asked in all_asked], counts), FLOOR * most
    )
    is_hit, is_free = np.isin(status, [Status.CONTACT, Status.CONTACT_AT_START]), status == Status.SEPARATED
    until = np.where(is_free, 1.0, time)
    truth = scan(soups, separation, separation + KEPT * least, until)
    distance = distances_at(soups, until)
    of_pair = distances_at(_pairs(cases, soups, all_found), until)
    broken = {
        "late or missed": (truth.witness <= until) & (until > 0.0),
        "undecided": (truth.free_until < np.inf) & (truth.witness == np.inf),
        "too early": is_hit & (distance > allowed),
        "the wrong pair": is_hit & (of_pair > allowed),
        "wrong status": (status == Status.CONTACT_AT_START) != (is_hit & (time == 0.0)),
        "time is no time": ~np.where(is_free, time == np.inf, (time >= 0.0) & (time <= 1.0)),
    }
    where = [(i, k) for i, n in enumerate(counts) for k in range(n)]
    return [
        f"{claim}: {where[i]}, {status[i]=}, {time[i]=}, {truth.witness[i]=}, {distance[i]=}, {allowed[i]=}"
        for claim, is_broken in broken.items()
        for i in np.flatnonzero(is_broken)
    ]


def _pairs(cases, soups, all_found):
    """The pair of triangles that was found for each motion, or the first, as soups of their own."""
    pairs = []
    for case, one, found in zip(cases, soups, all_found, strict=True):
        orders = body_of(case.mesh_a).order, body_of(case.mesh_b).order
        for k, (i, j) in enumerate(found.triangles):
            a, b = one.triangles_a[orders[0][[max(i, 0)]]], one.triangles_b[orders[1][[max(j, 0)]]]
            pairs.append(Soups(a, b, one.rows_a[[k]], one.rows_b[[k]]))
    return pairs
