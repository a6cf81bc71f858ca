"""What `max_time` and `time_tolerance` promise."""

import numpy as np
import pytest

from properties.elementary import CCD, KINDS, broken_exact_rules, complaints, truth_of
from properties.families import FAMILIES, generate
from samples import sample

every_family = pytest.mark.parametrize("family", FAMILIES)
every_kind = pytest.mark.parametrize("kind", KINDS)


@every_kind
@every_family
def test_max_time_cuts_exactly_at_the_contact(family, kind):
    start, end = generate(family, kind, 60, seed=6)
    truth = truth_of(kind, start, end)
    for row in np.flatnonzero(truth.hit)[:12]:
        query = start[row : row + 1], end[row : row + 1]
        at_contact = float(truth.upper[row])
        assert CCD[kind](*query, exact=True, max_time=at_contact).hit[0]
        assert CCD[kind](*query, max_time=at_contact).hit[0]
        if at_contact > 0.0:
            before = float(np.nextafter(at_contact, 0.0))
            assert not CCD[kind](*query, exact=True, max_time=before).hit[0]


@every_kind
@every_family
@pytest.mark.parametrize("max_time", [0.0, 2.0**-40, 1.0 / 3.0, 0.5, 1.0])
def test_max_time_keeps_exactly_the_earlier_contacts(family, kind, max_time):
    start, end = generate(family, kind, sample(12, of=100), seed=7)
    truth = truth_of(kind, start, end)
    expected = truth.upper <= max_time
    exact = CCD[kind](start, end, exact=True, max_time=max_time)
    fast = CCD[kind](start, end, max_time=max_time)
    np.testing.assert_array_equal(exact.hit, expected)
    assert np.all(fast.hit | ~expected)
    assert np.all(exact.time[expected] <= truth.lower[expected])
    assert np.all(fast.time[expected] <= truth.lower[expected])
    assert np.all(fast.time[fast.hit] <= max_time)


@every_kind
@every_family
@pytest.mark.parametrize("time_tolerance", [0.0, 1e-15, 1e-6, 0.1])
def test_time_tolerance_is_the_width_of_the_bracket(family, kind, time_tolerance):
    start, end = generate(family, kind, sample(12, of=100), seed=8)
    truth = truth_of(kind, start, end)
    result = CCD[kind](start, end, exact=True, time_tolerance=time_tolerance)
    found = complaints(kind, start, end, broken_exact_rules(truth, result, time_tolerance))
    assert not found, "\n".join(found)
