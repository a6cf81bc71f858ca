"""Pairs of several things that are listed once, and sifted, against the same queries asked anew."""

import numpy as np
import pytest

import firstcontact as fc
from queries.test_candidates import FLOOR, LEAF, UP, assert_same_bytes, crumpled, moved
from samples import sample


def listed_things(seed):
    """A sheet that deforms over another, between two that rest."""
    rng, meshes = np.random.default_rng(seed), [crumpled(4 * seed + k, 5) for k in range(4)]
    placed = [fc.Mesh(mesh.vertices + 0.3 * k * UP, mesh.faces) for k, mesh in enumerate(meshes)]
    ends = [moved(rng, mesh.vertices, 0.1) for mesh in placed]
    return placed, ends


@pytest.mark.parametrize("self_contact", [False, True])
def test_a_list_of_things_is_that_of_a_fresh_search(self_contact):
    n_contacts = 0
    for seed in range(sample(5, 200)):
        meshes, ends = listed_things(seed)
        options = {"min_separation": 0.01 * (seed % 2), "self_contact": self_contact}
        start = [meshes[0].deforming(meshes[0].vertices, meshes[0].vertices), meshes[1]]
        start += [mesh.deforming(mesh.vertices, mesh.vertices) for mesh in meshes[2:]]
        listed = fc.candidates(start, inflate=0.1, **options)
        moving = [mesh.deforming(mesh.vertices, end) for mesh, end in zip(meshes, ends, strict=True)]
        moving[1] = meshes[1]
        places = [ends[0], None, *ends[2:]]
        found, fresh = listed.contacts(places), fc.contacts(moving, **options)
        assert_same_bytes(found, fresh)
        assert listed.safe_step(places) == fc.safe_step(moving, **options)
        assert listed.first_contact(places).time == fc.first_contact(moving, **options).time
        near = listed.distances(within=0.05)
        assert set(map(tuple, near.thing_ids.tolist())) <= {
            (i, j) for i in range(4) for j in range(i, 4) if i != j or (self_contact and i != 1)
        }
        n_contacts += len(found)
    assert n_contacts > 100


@pytest.mark.parametrize(
    "options",
    [
        {"ignore_near": 1, "min_separation": 0.05},
        {"ignore_near": 0.3, "min_separation": 0.05},
        {"only_closing": True, "min_separation": 0.15},
        {"only_closing": True, "ignore_near": 1, "min_separation": 0.1},
    ],
)
def test_what_is_left_out_is_that_of_a_fresh_search(options):
    n_contacts = n_all = 0
    for seed in range(sample(4, 200)):
        mesh = crumpled(seed, 6, 0.02)
        end = moved(np.random.default_rng(seed), mesh.vertices, 0.05)
        listed, moving = fc.candidates(mesh, inflate=0.05, **options), mesh.deforming(mesh.vertices, end)
        assert_same_bytes(listed.contacts(end), fc.contacts(moving, **options))
        assert listed.safe_step(end) == fc.safe_step(moving, **options)
        assert listed.first_contact(end).time == fc.first_contact(moving, **options).time
        n_contacts += len(listed.contacts(end))
        n_all += len(fc.contacts(moving, min_separation=options["min_separation"]))
    assert n_contacts < n_all


def test_groups_are_left_out_of_lists():
    meshes, ends = listed_things(1)
    moving = [mesh.deforming(mesh.vertices, end) for mesh, end in zip(meshes, ends, strict=True)]
    groups = [np.full(mesh.n_vertices, k) for k, mesh in enumerate(meshes)]
    options = {"min_separation": 0.05, "groups": groups, "ignore_groups": [(0, 1), (2, 3)]}
    start = [mesh.deforming(mesh.vertices, mesh.vertices) for mesh in meshes]
    found = fc.candidates(start, inflate=0.1, **options).contacts(ends)
    every = fc.contacts(moving, min_separation=0.05)
    is_kept = ~np.isin(every.thing_ids @ [10, 1], [1, 23])
    assert 0 < len(found) == np.count_nonzero(is_kept) < len(every)
    assert_same_bytes(found, fc.contacts(moving, **options))
    np.testing.assert_array_equal(found.thing_ids, every.thing_ids[is_kept])


def test_an_edge_that_came_through_by_an_end_that_is_ignored_is_told_of():
    start, groups = LEAF.vertices - [0, 0, 1.5], [np.array([1, 0, 0]), np.array([2, 2, 2])]
    options = {"groups": groups, "ignore_groups": [(1, 2)]}
    listed, step = fc.candidates(LEAF, FLOOR, inflate=2, **options), LEAF.deforming(start, start - 0.1 * UP)
    fresh = fc.contacts(step, FLOOR, **options)
    assert (fresh.kind == fc.ContactKind.EDGE_FACE).sum() == 2
    for _ in range(2):
        assert_same_bytes(listed.contacts([start - 0.1 * UP, None], [start, None]), fresh)
        assert listed.safe_step([start - 0.1 * UP, None], [start, None]) == 0.0
        assert listed.safe_step([LEAF.vertices - 0.5 * UP, None]) == 1.0


@pytest.mark.parametrize("self_contact", [False, True])
@pytest.mark.parametrize("is_resting", [False, True])
def test_a_list_of_one_thing_is_asked_about_it_where_contacts_are(is_resting, self_contact):
    mesh = crumpled(3, 6, 0.2)
    thing = mesh if is_resting else mesh.deforming(mesh.vertices, mesh.vertices)
    options = {"self_contact": self_contact, "min_separation": 0.02}
    options |= {"groups": [np.arange(36) % 3], "ignore_groups": [(0, 0), (0, 1)]}
    found = fc.candidates([thing], inflate=0.1, **options).contacts(mesh.vertices)
    assert_same_bytes(found, fc.contacts([thing], **options))
    assert bool(found) == (self_contact and not is_resting)


def test_lists_that_make_no_sense_get_one_sentence():
    with pytest.raises(TypeError, match="candidates takes a list alone"):
        fc.candidates([LEAF], FLOOR, inflate=1)
    with pytest.raises(ValueError, match="needs a thing or more; received none"):
        fc.candidates([], inflate=1)
    with pytest.raises(TypeError, match="takes self_contact of a list only"):
        fc.candidates(LEAF, FLOOR, inflate=1, self_contact=True)
    turning = LEAF.moving(np.eye(4), angular_velocity=[0, 0, 1])
    with pytest.raises(
        TypeError, match="a list takes only_closing where all in it rests or deforms, and thing 1"
    ):
        fc.contacts([LEAF, turning], only_closing=True)


@pytest.mark.parametrize("scale", [1e-300, 2.0**-99, 2.0**100, 2.0**120, 2.0**127, 1e44])
def test_lists_reach_as_far_as_coordinates_may_be(scale):
    low = scale * np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]])
    high, way = low + scale * np.array([0.1, 0.1, 1]), scale * np.array([0, 0, 2])
    near = fc.candidates(fc.Mesh(high, LEAF.faces), fc.Mesh(low, LEAF.faces), inflate=2 * scale)
    assert len(near) == 15
    assert near.safe_step([high - way, None]) == pytest.approx(0.5)
    assert near.safe_step([high - 0.4 * way, None]) == 1.0


def test_groups_that_no_integer_of_ours_holds_are_told():
    groups = [np.array([2**64 - 1, 0, 0], np.uint64), [-1, 0, 0]]
    with pytest.raises(ValueError, match=r"groups must be integers below 2\*\*63; received 1844"):
        fc.contacts([LEAF, FLOOR], groups=groups, ignore_groups=[[-1, -1]])
