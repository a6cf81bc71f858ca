"""The oracle itself: against published truth, and against distances sampled in rational arithmetic."""

from fractions import Fraction

import numpy as np
import pytest

from oracles.exact_ccd import NEVER, FirstTime, first_time
from oracles.exact_distance import exact_distance_squared, points_at
from properties.families import FAMILIES, generate
from samples import sample

TRUTH = [
    f"{scene}-{kind}" for scene in ("handcrafted", "cloth-ball", "n-body-simulation") for kind in ("vf", "ee")
]
KINDS = ("vf", "ee")
SAMPLES = 24


def compare_with_truth(path, n_rows=None):
    kind = path.stem[-2:]
    data = dict(np.load(path))
    n = len(data["hit"])
    rows = np.arange(n) if n_rows is None else np.unique(np.linspace(0, n - 1, n_rows).astype(int))
    for row in rows:
        answer = first_time(kind, data["start"][row].tolist(), data["end"][row].tolist())
        lower, upper = data["time_lower"][row], data["time_upper"][row]
        expected = FirstTime(True, lower, upper) if data["hit"][row] else NEVER
        assert answer == expected, f"{path.name} row {row}"


@pytest.mark.shared_data
@pytest.mark.parametrize("name", TRUTH)
def test_a_sample_of_the_published_truth(name, shared_data):
    compare_with_truth(shared_data(f"ccd-truth/{name}.npz"), n_rows=1000)


@pytest.mark.slow
@pytest.mark.shared_data
@pytest.mark.parametrize("name", TRUTH)
def test_all_of_the_published_truth(name, shared_data):
    compare_with_truth(shared_data(f"ccd-truth/{name}.npz"))


def check_against_samples(kind, start, end, separation):
    """No sampled distance before the first time is within the separation; the one at that time is."""
    answer = first_time(kind, start.tolist(), end.tolist(), separation)
    limit = Fraction(separation) ** 2
    for time in (Fraction(k, SAMPLES) for k in range(SAMPLES + 1)):
        if time < answer.lower:
            assert exact_distance_squared(kind, points_at(start, end, time)) > limit
    if answer.hit and answer.lower == answer.upper:
        distance_squared = exact_distance_squared(kind, points_at(start, end, answer.lower))
        assert distance_squared <= limit
        assert answer.lower == 0.0 or distance_squared == limit
    elif answer.hit:
        # The distance changes at most as fast as the points travel.
        travel_squared = 4 * max(sum(Fraction(x) ** 2 for x in row) for row in (end - start).tolist())
        width = Fraction(answer.upper) - Fraction(answer.lower)
        at_upper = exact_distance_squared(kind, points_at(start, end, answer.upper))
        assert at_upper <= 2 * limit + 4 * travel_squared * width**2


@pytest.mark.parametrize("relative_separation", [0.0, 0.03125])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("family", FAMILIES)
def test_agrees_with_sampled_distances(family, kind, relative_separation):
    for start, end in zip(*generate(family, kind, sample(4, of=24), seed=100), strict=True):
        separation = float(relative_separation * max(np.ptp(start), np.ptp(end)))
        check_against_samples(kind, start, end, separation)


def test_answers_within_a_shorter_interval():
    third = FirstTime(True, np.nextafter(1 / 3, 0), 1 / 3)
    assert third.within(1 / 3) == third
    assert third.within(np.nextafter(1 / 3, 0)) == NEVER
    assert FirstTime(True, 0.0, 0.0).within(0.0).hit


def test_distances_known_by_hand():
    triangle = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
    assert exact_distance_squared("vf", [(Fraction(1, 4), Fraction(1, 4), 3), *triangle]) == 9
    assert exact_distance_squared("vf", [(1, 1, 0), *triangle]) == Fraction(1, 2)
    assert exact_distance_squared("vf", [(-3, -4, 0), *triangle]) == 25
    assert exact_distance_squared("ee", [(0, 0, 0), (1, 0, 0), (0, 0, 2), (1, 0, 2)]) == 4
    assert exact_distance_squared("ee", [(0, 0, 0), (2, 0, 0), (1, -1, 1), (1, 1, 1)]) == 1
    assert exact_distance_squared("ee", [(1, 1, 1)] * 4) == 0
