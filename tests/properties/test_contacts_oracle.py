"""All contacts of small deforming meshes against brute force in exact arithmetic."""

import numpy as np
import pytest

import firstcontact as fc
from properties.meshes import FAMILIES, generate, moving_scene, rows_by_pair, truth_of
from samples import sample

TIME_TOLERANCE = 1e-9
SEPARATION = 0.125  # exact in binary: scenes on a lattice come within exactly this of each other

pytestmark = pytest.mark.usefixtures("cones_for_small_meshes")
every_family = pytest.mark.parametrize("family", FAMILIES)


def assert_exact(truth, contacts, time_tolerance=TIME_TOLERANCE):
    """The pairs are those of the truth; statuses are, too, and times are bracketed."""
    rows = rows_by_pair(contacts)
    assert rows.keys() == truth.keys()
    for pair, row in rows.items():
        first, time, time_upper = truth[pair], contacts.time[row], contacts.time_upper[row]
        assert 0.0 <= time <= first.lower, pair
        assert first.upper <= time_upper <= 1.0, pair
        assert time_upper <= max(time + time_tolerance, np.nextafter(time, 1.0)), pair
        at_start = first.upper == 0.0
        assert contacts.status[row] == (fc.Status.CONTACT_AT_START if at_start else fc.Status.CONTACT), pair


def assert_conservative(truth, contacts):
    """No pair is missing or late; what is too much is not claimed to be proven."""
    rows = rows_by_pair(contacts)
    assert truth.keys() <= rows.keys()
    for pair, row in rows.items():
        assert 0.0 <= contacts.time[row] <= (truth[pair].lower if pair in truth else 1.0), pair
        is_proven = contacts.status[row] in (fc.Status.CONTACT, fc.Status.CONTACT_AT_START)
        assert pair in truth or not is_proven, pair
        assert not is_proven or contacts.time_upper[row] >= truth[pair].upper, pair


@every_family
def test_all_contacts_are_found_and_no_others(family):
    for seed in range(sample(2, of=8)):
        contacts = fc.contacts(*moving_scene(generate(family, seed)))
        assert_exact(truth_of(family, seed), contacts)


@every_family
def test_without_exact_arithmetic_none_is_missing(family):
    for seed in range(sample(2, of=8)):
        contacts = fc.contacts(*moving_scene(generate(family, seed)), exact=False)
        assert_conservative(truth_of(family, seed), contacts)


@every_family
def test_without_tolerance_times_are_between_neighbouring_doubles(family):
    for seed in range(sample(2, of=8)):
        contacts = fc.contacts(*moving_scene(generate(family, seed)), time_tolerance=0.0)
        assert_exact(truth_of(family, seed), contacts, 0.0)


@every_family
def test_all_that_come_within_a_separation_are_found(family):
    truth = truth_of(family, 0, SEPARATION)
    assert_exact(truth, fc.contacts(*moving_scene(generate(family, 0)), min_separation=SEPARATION))
    loose = fc.contacts(*moving_scene(generate(family, 0)), min_separation=SEPARATION, exact=False)
    assert_conservative(truth, loose)


@pytest.mark.slow
@every_family
def test_all_contacts_of_many_scenes(family):
    for seed in range(1000, 1200):
        truth_of.cache_clear()
        scene = moving_scene(generate(family, seed))
        assert_exact(truth_of(family, seed), fc.contacts(*scene))
        assert_conservative(truth_of(family, seed), fc.contacts(*scene, exact=False))


@pytest.mark.slow
@every_family
def test_all_that_come_within_a_separation_in_many_scenes(family):
    for seed in range(1000, 1020):
        for separation in (SEPARATION, 0.01):
            scene = moving_scene(generate(family, seed))
            contacts = fc.contacts(*scene, min_separation=separation)
            assert_exact(truth_of(family, seed, separation), contacts)
