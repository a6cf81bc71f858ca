"""No stage of culling changes the contacts: the same bytes whichever are switched off."""

from itertools import product

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.deformable.culling import DOPS, SWITCHES
from oracles.brute_force_contacts import Body
from properties.meshes import FAMILIES, fields_as_bytes, generate, grid, moving, moving_scene, smooth
from samples import sample

CULLINGS = [fc.Culling(**dict(zip(SWITCHES, on, strict=True))) for on in product((True, False), repeat=5)]
BARE = dict.fromkeys(SWITCHES, False)

pytestmark = pytest.mark.usefixtures("cones_for_small_meshes")
every_family = pytest.mark.parametrize("family", FAMILIES)


def answers(scene, culling, **options):
    return fields_as_bytes(fc.contacts(*scene, culling=culling, **options))


@every_family
def test_every_combination_of_switches_finds_the_same(family):
    scene = moving_scene(generate(family, 20))
    expected = answers(scene, None)
    for culling in CULLINGS:
        assert answers(scene, culling) == expected, culling


@every_family
@pytest.mark.parametrize("dop", DOPS)
def test_every_bounding_volume_finds_the_same(family, dop):
    for seed in range(21, 21 + sample(1, of=3)):
        scene = moving_scene(generate(family, seed))
        assert answers(scene, fc.Culling(dop=dop)) == answers(scene, fc.Culling(**BARE))


@pytest.mark.parametrize("dop", DOPS)
def test_every_combination_of_switches_and_bounding_volume(dop):
    for family in ("degenerate faces", "folded flat", "two soups"):
        scene = moving_scene(generate(family, 24))
        expected = answers(scene, None)
        for on in product((True, False), repeat=5):
            switches = dict(zip(SWITCHES, on, strict=True))
            assert answers(scene, fc.Culling(dop=dop, **switches)) == expected, switches


@every_family
@pytest.mark.parametrize("dop", DOPS)
def test_with_a_separation(family, dop):
    scene = moving_scene(generate(family, 25))
    expected = answers(scene, fc.Culling(**BARE), min_separation=0.0625)
    for name in SWITCHES:
        culling = fc.Culling(dop=dop, **{name: False})
        assert answers(scene, culling, min_separation=0.0625) == expected, name


@every_family
def test_the_first_contact_is_the_same(family):
    for seed in range(26, 26 + sample(1, of=3)):
        scene = moving_scene(generate(family, seed))
        default = fc.first_contact(*scene)
        for name in SWITCHES:
            other = fc.first_contact(*scene, culling=fc.Culling(**{name: False}))
            assert (other.time, other.time_upper, other.status) == (
                default.time,
                default.time_upper,
                default.status,
            ), name
            assert other.features.tobytes() == default.features.tobytes(), name
            assert fc.safe_step(*scene, culling=fc.Culling(**{name: False})) == fc.safe_step(*scene)


def assert_smooth_regions_hide_nothing(seeds):
    n_regions = n_contacts = 0
    for seed in seeds:
        scene = moving_scene(smooth(np.random.default_rng(seed)))
        contacts = fc.contacts(*scene)
        expected = answers(scene, fc.Culling(normal_cones=False))
        assert fields_as_bytes(contacts) == expected, seed
        n_regions += contacts.stats.smooth_regions
        n_contacts += len(contacts)
    assert n_regions > len(seeds) < n_contacts


def test_smooth_regions_hide_nothing():
    assert_smooth_regions_hide_nothing(range(sample(6, of=40)))


@pytest.mark.slow
def test_smooth_regions_of_many_surfaces_hide_nothing():
    assert_smooth_regions_hide_nothing(range(1000, 2000))


def test_stages_do_cull():
    vertices, faces = grid(8, 8)
    scene = (moving(Body(vertices, vertices @ np.diag([0.5, 0.5, 1.0]) + 0.3 * np.sin(vertices), faces)),)
    full, bare = fc.contacts(*scene).stats, fc.contacts(*scene, culling=fc.Culling(**BARE)).stats
    assert bare.triangle_pairs == len(faces) * (len(faces) - 1) // 2
    assert bare.filtered == bare.smooth_regions == 0
    assert bare.elementary_tests == bare.feature_pairs
    assert full.smooth_regions > 0
    rough = fc.contacts(*scene, culling=fc.Culling(normal_cones=False)).stats
    assert full.triangle_pairs < rough.triangle_pairs < bare.triangle_pairs
    assert 0 < rough.filtered <= rough.elementary_tests < rough.feature_pairs < bare.feature_pairs
    shared = fc.contacts(*scene, culling=fc.Culling(normal_cones=False, representatives=False)).stats
    assert rough.feature_pairs < shared.feature_pairs
