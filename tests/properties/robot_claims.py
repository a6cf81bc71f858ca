"""What is claimed about paths of robots, held against the oracle."""

from typing import Any, NamedTuple

import numpy as np

import firstcontact as fc
from firstcontact.status import Status
from oracles.robot_path import distances, first_of, reach_of

# Distances are rounded, and poses: this many times the size of the robot and its things, and its sum of ways.
ROUNDING = 2.0**-40

# A tolerance is kept down to this many times that.
FLOOR = 16.0


class Asked(NamedTuple):
    """A scenario, what was asked about it, and what was found: all motions in one batch."""

    scenario: Any
    self_contact: bool
    tolerance: float
    separation: float
    found: Any


def ask(scenario, tolerance=1e-6, separation=0.0, self_contact=False, **others):
    """Ask for first contacts; lengths are parts of the size of the robot."""
    lengths = {"tolerance": tolerance * scenario.size, "min_separation": separation * scenario.size}
    moving, obstacles = scenario.moving, scenario.obstacles
    found = fc.first_contacts(moving, obstacles, self_contact=self_contact, **lengths, **others)
    return Asked(scenario, self_contact, *lengths.values(), found)


def complaints(asked, finest=1e-5):
    """Say which claims are broken, best none."""
    scenario, found = asked.scenario, asked.found
    n, pairs = scenario.n, scenario.pairs(asked.self_contact)
    rounding = rounding_of(pairs)
    slack = FLOOR * rounding
    time = np.asarray(found.time, float)
    is_hit = np.isfinite(time)
    until = np.where(is_hit, time, 1.0)
    truth, _ = first_of(pairs, n, max(asked.separation - rounding, 0.0), until, finest)
    is_late = (truth.witness <= until) & (until > 0.0)  # at the time itself, there is still a gap
    named = np.array([named_distance(asked, pairs, i, time[i]) if is_hit[i] else 0.0 for i in range(n)])
    status = np.asarray(found.status)
    broken = {
        "late": is_late & is_hit,
        "missed": is_late & ~is_hit,
        "not within the tolerance": named > asked.separation + asked.tolerance + slack,
        "time is no time": is_hit & ~((time >= 0.0) & (time <= 1.0)),
        "time_upper before time": is_hit & (np.asarray(found.time_upper) < time),
        "wrong status": (status == Status.SEPARATED) == is_hit,
        "given up": status == Status.MAX_ITERATIONS,
    }
    return [
        f"{claim}: motion {i}, {status[i]=}, {time[i]=}, {truth.witness[i]=}, {named[i]=}, {rounding=}"
        for claim, is_broken in broken.items()
        for i in np.flatnonzero(is_broken)
    ]


def named_distance(asked, pairs, i, t):
    """The distance, at a time of motion i, of the two that were found to touch."""
    names = {asked.found.a[i], asked.found.b[i]}
    when = np.array([i]), np.array([t])
    return min((distances(a, b, *when)[0] for a, b in pairs if {a.name, b.name} == names), default=np.inf)


def rounding_of(pairs):
    """What rounding may hide: it goes by all lengths, and by how far joints turn what is far from them."""
    times, which = np.array([0.0, 1.0]), np.zeros(2, int)
    most = np.zeros(3)
    for part in {id(part): part for pair in pairs for part in pair}.values():
        place = np.abs(part.place(which, times)[:, :3, 3]).max()
        speed = sum(float(np.max(speeds)) for speeds in part.speeds.values())
        most = np.maximum(most, [place, reach_of(part.shape), speed])
    return ROUNDING * float(most.sum())
