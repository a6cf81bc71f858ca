"""Thousands of pairs that touch at once: the first time, and all that touches then."""

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.deformable import first_so_far, simultaneous
from properties.meshes import FAMILIES, generate, grid, moving_scene, truth_of
from samples import sample

# What floating point may leave open of a first time, where too many touch at once to be bracketed exactly.
OPEN = 1e-12


def plates(n, height, way, slide=0.0):
    """A plate of triangles above another on the same grid, and how the upper one moves."""
    places, faces = grid(n, n)
    places = places * [1.0, 1.0, 0.0]
    mesh, above = fc.Mesh(places, faces), places + np.array([0.0, 0.0, height])
    return mesh.deforming(above, above + np.array([slide, 0.0, way])), mesh.deforming(places, places)


def pairs_of(rows):
    return set(map(tuple, rows.tolist()))


@pytest.mark.parametrize("way", [-2.0, -3.0, -1.7])
def test_what_touches_all_at_once_is_found_in_time(way):
    scene, truth = plates(14, 1.0, way), -1.0 / way
    every, first, step = fc.contacts(*scene), fc.first_contact(*scene), fc.safe_step(*scene)
    assert len(every) > first_so_far.MOST_EXACT
    assert step == first.time <= truth * (1.0 + 1e-15)
    assert first.time_upper >= truth * (1.0 - 1e-15)
    assert step >= truth - OPEN
    assert pairs_of(first.features) == pairs_of(np.stack([every.kind, every.ids_a, every.ids_b], axis=1))
    assert not first.is_truncated


def test_listed_pairs_have_the_same_answers():
    scene = plates(14, 0.25, -0.75)
    meshes = [thing.surface for thing in scene]
    placed = [
        mesh.deforming(thing.vertices(0.0), thing.vertices(0.0))
        for mesh, thing in zip(meshes, scene, strict=True)
    ]
    near, ends = fc.candidates(*placed, inflate=0.8), [thing.vertices(1.0) for thing in scene]
    found, first = near.first_contact(ends), fc.first_contact(*scene)
    assert near.safe_step(ends) == fc.safe_step(*scene) == first.time
    for name in ("time", "time_upper", "points", "normals", "features"):
        np.testing.assert_array_equal(getattr(found, name), getattr(first, name))


def test_what_touches_after_the_start_is_not_first():
    scene = plates(14, 0.0, 0.0, slide=2.3)
    every, first = fc.contacts(*scene), fc.first_contact(*scene)
    is_first = every.status == fc.Status.CONTACT_AT_START
    assert first_so_far.MOST_EXACT < np.count_nonzero(is_first) < len(every)
    assert (first.time, first.time_upper, first.status) == (0.0, 0.0, fc.Status.CONTACT_AT_START)
    rows = np.stack([every.kind, every.ids_a, every.ids_b], axis=1)[is_first]
    assert pairs_of(first.features) == pairs_of(rows)
    assert fc.safe_step(*scene) == 0.0


@pytest.mark.parametrize("family", FAMILIES)
def test_pairs_that_wait_are_missed_by_nobody(family, monkeypatch):
    for module in (first_so_far, simultaneous):
        monkeypatch.setattr(module, "MOST_EXACT", 1)
    for seed in range(sample(2, of=8)):
        truth, scene = truth_of(family, seed), moving_scene(generate(family, seed))
        first, step = fc.first_contact(*scene), fc.safe_step(*scene)
        assert bool(first) == bool(truth)
        if not truth:
            assert step == 1.0
            continue
        lower = min(found.lower for found in truth.values())
        upper = min(found.upper for found in truth.values())
        assert lower - OPEN <= step <= lower
        assert lower - OPEN <= first.time <= lower <= first.time_upper
        exact = {pair for pair, found in truth.items() if found[1:] == (lower, upper)}
        assert exact <= pairs_of(first.features) <= truth.keys()


def test_more_than_may_wait_are_decided(monkeypatch):
    expected = fc.first_contact(*plates(14, 1.0, -3.0))
    monkeypatch.setattr(first_so_far, "MOST_WAITING", 500)
    first = fc.first_contact(*plates(14, 1.0, -3.0))
    assert first.time == expected.time
    np.testing.assert_array_equal(first.features, expected.features)
