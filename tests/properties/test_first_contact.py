"""The first contact and the safe step against the earliest of all contacts by brute force."""

import numpy as np
import pytest

import firstcontact as fc
from oracles.brute_force_contacts import Body
from properties.meshes import (
    FAMILIES,
    generate,
    grid,
    moving,
    moving_scene,
    rows_by_pair,
    smooth,
    truth_of,
)
from samples import sample

SEPARATION = 0.125


pytestmark = pytest.mark.usefixtures("cones_for_small_meshes")
every_family = pytest.mark.parametrize("family", FAMILIES)


def assert_first(truth, scene, **options):
    hit, step = fc.first_contact(*scene, **options), fc.safe_step(*scene, **options)
    if not truth:
        assert (bool(hit), hit.status, hit.time, hit.time_upper) == (
            False,
            fc.Status.SEPARATED,
            np.inf,
            np.inf,
        )
        assert (len(hit.features), len(hit.points), len(hit.normals), step) == (0, 0, 0, 1.0)
        return
    lower = min(first.lower for first in truth.values())
    upper = min(first.upper for first in truth.values())
    assert hit
    assert hit.time <= lower <= upper <= hit.time_upper
    assert step <= lower
    assert hit.status == (fc.Status.CONTACT_AT_START if upper == 0.0 else fc.Status.CONTACT)
    assert hit.time_upper <= np.nextafter(hit.time, np.inf)
    assert step >= max(np.nextafter(lower, -np.inf), 0.0)
    features = {tuple(row) for row in hit.features.tolist()}
    assert len(features) == len(hit.features) == len(hit.points) == len(hit.normals)
    assert features <= {pair for pair, first in truth.items() if first.lower <= hit.time_upper}
    assert {pair for pair, first in truth.items() if first[1:] == (lower, upper)} <= features


def assert_never_late(truth, scene, **options):
    lower = min((first.lower for first in truth.values()), default=np.inf)
    hit = fc.first_contact(*scene, exact=False, **options)
    assert hit.time <= lower
    assert hit or not truth
    step = fc.safe_step(*scene, exact=False, **options)
    assert 0.0 <= step <= min(lower, 1.0)


@every_family
def test_first_contact_is_the_earliest_of_all(family):
    for seed in range(sample(2, of=8)):
        assert_first(truth_of(family, seed), moving_scene(generate(family, seed)))


@every_family
def test_first_contact_in_floating_point_is_never_late(family):
    for seed in range(sample(2, of=8)):
        assert_never_late(truth_of(family, seed), moving_scene(generate(family, seed)))


@every_family
def test_first_time_within_a_separation(family):
    truth, scene = truth_of(family, 0, SEPARATION), moving_scene(generate(family, 0))
    assert_first(truth, scene, min_separation=SEPARATION)
    assert_never_late(truth, scene, min_separation=SEPARATION)


@every_family
def test_the_step_is_close_to_the_first_contact_in_floating_point(family):
    for seed in range(sample(2, of=8)):
        truth = truth_of(family, seed)
        step = fc.safe_step(*moving_scene(generate(family, seed)), exact=False)
        if truth and min(first.lower for first in truth.values()) > 0.0:
            assert step >= 0.999 * min(first.lower for first in truth.values())


@pytest.mark.parametrize("family", ["crumpling", "rolling", "colliding", "soup"])
def test_up_to_the_safe_step_nothing_touches(family):
    for seed in range(sample(2, of=8)):
        scene = moving_scene(generate(family, seed))
        step = fc.safe_step(*scene)
        if step == 0.0:
            continue
        shorter = [thing.shape.deforming(thing.vertices(0.0), thing.vertices(0.99 * step)) for thing in scene]
        assert len(fc.contacts(*shorter)) == 0


def assert_first_of_list(scene, **options):
    """The same for scenes too large for brute force: the list of all contacts stands for the truth."""
    contacts = fc.contacts(*scene, **options)
    hit, step = fc.first_contact(*scene, **options), fc.safe_step(*scene, **options)
    lower, upper = contacts.time.min(initial=1.0), contacts.time_upper.min(initial=1.0)
    assert bool(hit) == bool(len(contacts))
    assert np.nextafter(lower, -np.inf) <= step <= upper
    assert not hit or (hit.time <= upper and lower <= hit.time_upper)
    assert {tuple(row) for row in hit.features.tolist()} <= rows_by_pair(contacts).keys()


def test_first_contact_of_larger_scenes():
    for seed in range(sample(3, of=20)):
        scene = moving_scene(smooth(np.random.default_rng([2, seed])))
        assert_first_of_list(scene)


def test_first_contact_of_large_scenes_is_sought_in_several_runs():
    for seed in range(sample(2, of=6)):
        rng = np.random.default_rng([3, seed])
        vertices, faces = grid(24, 24)
        start = vertices + rng.uniform(-0.2, 0.2, vertices.shape)
        end = start + rng.normal(0.0, rng.choice([0.5, 3.0]), vertices.shape)
        for options in ({}, {"min_separation": 0.001}):
            assert_first_of_list((moving(Body(start, end, faces)),), **options)


@pytest.mark.slow
@every_family
def test_first_contact_of_many_scenes(family):
    for seed in range(1000, 1200):
        truth_of.cache_clear()
        assert_first(truth_of(family, seed), moving_scene(generate(family, seed)))
