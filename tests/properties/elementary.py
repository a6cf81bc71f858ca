"""The elementary functions under test, the truth about their queries, and what must hold between the two."""

from typing import NamedTuple

import numpy as np

import firstcontact as fc
from oracles.exact_ccd import first_time

CCD = {"vf": fc.vertex_face_ccd, "ee": fc.edge_edge_ccd}
KINDS = tuple(CCD)
PROVEN_HITS = (fc.Status.CONTACT, fc.Status.CONTACT_AT_START)


class Truth(NamedTuple):
    """Exact answers: `lower` and `upper` are consecutive doubles or equal; infinite where there is no hit."""

    hit: np.ndarray
    lower: np.ndarray
    upper: np.ndarray


def truth_of(kind, start, end, min_separation=0.0):
    answers = [
        first_time(kind, points_t0, points_t1, min_separation)
        for points_t0, points_t1 in zip(start.tolist(), end.tolist(), strict=True)
    ]
    hit, lower, upper = zip(*answers, strict=True)
    return Truth(np.array(hit, dtype=bool), np.array(lower), np.array(upper))


def broken_exact_rules(truth, result, time_tolerance):
    """Rules that an answer with ``exact=True`` breaks: {rule: rows}."""
    hit = truth.hit & result.hit
    is_one_float = result.time_upper <= np.nextafter(result.time, np.inf)
    is_narrow = is_one_float | (widths(result) <= time_tolerance)
    at_start = truth.upper == 0.0
    return _broken(
        {
            "hit is the truth": result.hit == truth.hit,
            "status is separated, contact or contact at start": result.status
            == _exact_status(truth.hit, at_start),
            "time is not late": ~hit | (result.time <= truth.lower),
            "time is not negative": ~hit | (result.time >= 0.0),
            "time_upper is not early": ~hit | (result.time_upper >= truth.upper),
            "the bracket is narrow": ~hit | is_narrow,
            "time is infinite without a hit": result.hit | np.isposinf(result.time),
        }
    )


def broken_conservative_rules(truth, result):
    """Rules that an answer with ``exact=False`` breaks: {rule: rows}."""
    status = result.status
    return _broken(
        {
            "no miss": result.hit | ~truth.hit,
            "time is not late": ~result.hit | (result.time <= truth.lower),
            "time is within [0, 1]": ~result.hit | ((result.time >= 0.0) & (result.time <= 1.0)),
            "separated is proven": (status != fc.Status.SEPARATED) | ~truth.hit,
            "separated is the absence of a hit": (status == fc.Status.SEPARATED) == ~result.hit,
            "contact is proven": ~np.isin(status, PROVEN_HITS) | truth.hit,
            "contact at start is proven": (status != fc.Status.CONTACT_AT_START) | (truth.upper == 0.0),
            "time is infinite without a hit": result.hit | np.isposinf(result.time),
        }
    )


def widths(result):
    """Widths of the brackets; zero where there is no hit."""
    lower, upper = (np.where(result.hit, bound, 0.0) for bound in (result.time, result.time_upper))
    return upper - lower


def complaints(kind, start, end, broken, limit=3):
    """One readable line, good for a copy into an interpreter, for the first rows of each broken rule."""
    name = CCD[kind].__name__
    return [
        f"{name} row {row} breaks '{rule}': start={start[row].tolist()}, end={end[row].tolist()}"
        for rule, rows in broken.items()
        for row in rows[:limit]
    ]


def assert_brackets_overlap(first, second):
    """Two answers about the same contact: equal hits, and each lower bound below the other's upper bound."""
    np.testing.assert_array_equal(first.hit, second.hit)
    hit = first.hit
    assert np.all(first.time[hit] <= second.time_upper[hit])
    assert np.all(second.time[hit] <= first.time_upper[hit])


def fields_as_bytes(result):
    names = ("hit", "time", "time_upper", "weights", "status")
    return {name: np.ascontiguousarray(getattr(result, name)).tobytes() for name in names}


def _exact_status(hit, at_start):
    status = np.where(hit, fc.Status.CONTACT, fc.Status.SEPARATED)
    return np.where(at_start, fc.Status.CONTACT_AT_START, status)


def _broken(rules):
    return {rule: np.flatnonzero(~holds) for rule, holds in rules.items() if not np.all(holds)}
