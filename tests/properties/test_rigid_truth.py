"""First contacts of rigid bodies against the oracle: never late, none missed, early by the tolerance only."""

import numpy as np
import pytest

from firstcontact.status import Status
from properties.rigid_claims import ask, complaints, options, size_of
from properties.rigid_families import FAMILIES, generate
from samples import sample

# Tolerances, as parts of the smaller body's size, taken in turn.
TOLERANCES = (1e-6, 1e-3, 1e-10)

every_family = pytest.mark.parametrize("family", FAMILIES)


def check(cases, all_asked):
    found = [ask(case, asked) for case, asked in zip(cases, all_asked, strict=True)]
    assert complaints(cases, all_asked, found) == []
    return found


def asked_of(cases, separation=0.0, **others):
    """Tolerances in turn; the separation is a part of the size, too."""
    tolerances = [TOLERANCES[k % len(TOLERANCES)] for k in range(len(cases))]
    sizes = [size_of(case) for case in cases]
    return [options(t * size, separation * size, **others) for t, size in zip(tolerances, sizes, strict=True)]


@every_family
def test_the_claims_hold(family):
    cases = [generate(family, seed) for seed in range(sample(6, of=24))]
    found = check(cases, asked_of(cases))
    status = np.concatenate([one.status for one in found])
    assert not np.any(status == Status.MAX_ITERATIONS)
    assert np.any(status == Status.SEPARATED)  # a family without both would test little
    assert np.any(status != Status.SEPARATED)


@every_family
@pytest.mark.parametrize("separation", [1e-6, 0.1])
def test_the_claims_hold_with_a_separation(family, separation):
    cases = [generate(family, 100 + seed) for seed in range(sample(1, of=4))]
    check(cases, asked_of(cases, separation))


@pytest.mark.parametrize("family", ["both moving", "piecewise", "many turns", "spinning"])
@pytest.mark.parametrize("limit", [1, 10, 20])
def test_a_limit_of_steps_gives_a_time_that_is_safe(family, limit):
    cases = [generate(family, 200 + seed) for seed in range(4)]
    found = check(cases, asked_of(cases, max_iterations=limit))
    assert any(np.any(one.status == Status.MAX_ITERATIONS) for one in found)


def test_past_a_table_at_a_gap_of_a_millionth():
    cases = [generate("sliding", 300 + seed) for seed in range(sample(2, of=12))]
    finer, coarser = [options(1e-7)] * len(cases), [options(1e-5)] * len(cases)
    for one in check(cases, finer):
        assert np.all(one.status == Status.SEPARATED)
    assert any(np.any(one.status != Status.SEPARATED) for one in check(cases, coarser))


@pytest.mark.slow
@every_family
def test_the_claims_hold_for_many(family):
    for first in range(1000, 1300, 50):
        cases = [generate(family, seed) for seed in range(first, first + 50)]
        check(cases, asked_of(cases, [0.0, 0.0, 1e-6, 0.1][first // 50 % 4]))
