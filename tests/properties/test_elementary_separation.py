"""What `min_separation` promises: contact is a distance of at most that, never missed and never late."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from oracles.exact_distance import exact_distance_squared, points_at
from properties.elementary import (
    CCD,
    KINDS,
    broken_conservative_rules,
    broken_exact_rules,
    complaints,
    truth_of,
)
from properties.families import FAMILIES, generate, meeting
from samples import sample

SEPARATIONS = [0.0, 1e-12, 1e-6, 1e-3, 0.1]
SAMPLES = 32

every_family = pytest.mark.parametrize("family", FAMILIES)
every_kind = pytest.mark.parametrize("kind", KINDS)


def check(kind, start, end, min_separation):
    truth = truth_of(kind, start, end, min_separation)
    exact = CCD[kind](start, end, exact=True, min_separation=min_separation)
    fast = CCD[kind](start, end, min_separation=min_separation)
    found = complaints(kind, start, end, broken_exact_rules(truth, exact, time_tolerance=1e-9))
    found += complaints(kind, start, end, broken_conservative_rules(truth, fast))
    assert not found, f"min_separation={min_separation}:\n" + "\n".join(found)


def typical_size(points):
    """Extent of the median query."""
    return float(np.median(np.ptp(points, axis=1).max(axis=1)))


def hovering(rng, n, kind, separation):
    """Sides that meet, pulled apart along their common normal to the separation and a hair more."""
    points = meeting(rng, n, kind)
    edges = (2, 1, 3, 1) if kind == "vf" else (1, 0, 3, 2)
    normal = np.cross(points[:, edges[0]] - points[:, edges[1]], points[:, edges[2]] - points[:, edges[3]])
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    movers = [0] if kind == "vf" else [0, 1]
    hair = rng.choice([-1e-12, 0.0, 1e-12, 1e-6], (n, 1))
    points[:, movers] += (normal * separation * (1.0 + hair))[:, None]
    return points, normal


@every_kind
@every_family
def test_agrees_with_the_oracle(family, kind):
    start, end = generate(family, kind, 60, seed=9)
    for relative in (1e-9, 0.03):
        check(kind, start, end, relative * typical_size(start))


@every_kind
@pytest.mark.parametrize("separation", [1e-6, 0.0625])
def test_sliding_at_the_separation(kind, separation):
    """Starts within a hair of the separation and slides across: the gap barely changes."""
    rng = np.random.default_rng(10)
    start, normal = hovering(rng, 100, kind, separation)
    velocity = rng.uniform(-0.1, 0.1, (100, 1, 3))
    velocity -= np.sum(velocity * normal[:, None], axis=2, keepdims=True) * normal[:, None]
    end = start.copy()
    movers = [0] if kind == "vf" else [0, 1]
    end[:, movers] += velocity
    check(kind, start, end, separation)


@every_kind
@pytest.mark.parametrize("separation", [1e-6, 0.0625])
def test_turning_while_nearly_coplanar(kind, separation):
    """The sides start within a hair of the separation and turn by small different amounts."""
    rng = np.random.default_rng(11)
    start, _ = hovering(rng, 100, kind, separation)
    turn = 10.0 ** rng.uniform(-8.0, -1.0, (100, 1, 1)) * rng.uniform(-1.0, 1.0, (100, 4, 3))
    check(kind, start, start + np.cross(turn, start), separation)


@every_kind
@every_family
def test_sampled_distances_before_the_time_are_larger(family, kind):
    start, end = generate(family, kind, sample(2, of=12), seed=12)
    separation = 0.05 * typical_size(start)
    limit = Fraction(separation) ** 2
    result = CCD[kind](start, end, min_separation=separation)
    for row in range(len(start)):
        reach = Fraction(result.time[row]) if result.hit[row] else Fraction(1)
        for time in (reach * Fraction(k, SAMPLES) for k in range(SAMPLES + 1)):
            if time < result.time[row]:
                assert exact_distance_squared(kind, points_at(start[row], end[row], time)) > limit


@every_kind
@every_family
def test_growing_separation_is_never_later(family, kind):
    start, end = generate(family, kind, sample(25, of=150), seed=13)
    answers = [CCD[kind](start, end, exact=True, min_separation=s) for s in SEPARATIONS]
    for smaller, larger in pairwise(answers):
        assert np.all(larger.hit | ~smaller.hit)
        assert np.all(larger.time[smaller.hit] <= smaller.time_upper[smaller.hit])
