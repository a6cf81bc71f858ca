"""The oracle itself: features by hand, known contacts, and against sampling in time."""

import numpy as np
import pytest

import firstcontact as fc
from oracles.brute_force_contacts import (
    Body,
    boxes,
    brute_force_contacts,
    edges_of,
    faces_of,
    vertices_of,
)
from oracles.exact_ccd import NEVER, FirstTime, first_time
from oracles.exact_distance import exact_distance_squared, points_at
from properties.meshes import generate

FLOOR = Body(np.array([[-9.0, -9, 0], [9, -9, 0], [0, 9, 0]]), np.zeros((3, 3)), np.array([[0, 1, 2]]))
FLOOR = FLOOR._replace(end=FLOOR.start)
LEAF_START = np.array([[0.0, 0, 1], [1, 0, 2], [0, 1, 2]])
LEAF = Body(LEAF_START, LEAF_START - [0, 0, 4], np.array([[0, 1, 2]]))


def test_features_of_faces():
    faces = np.array([[4, 2, 7], [2, 2, 4]])
    assert vertices_of(faces).ids == [2, 4, 7]
    assert edges_of(faces).corners == [[2, 2], [2, 4], [2, 7], [4, 7]]
    assert faces_of(faces).corners == faces.tolist()


def test_numbers_of_edges_are_those_of_a_mesh():
    for seed in range(20):
        body = generate("shared soup", seed).a
        assert edges_of(body.faces).corners == fc.Mesh(body.start, body.faces).edges.tolist()


def test_a_leaf_falls_on_the_floor():
    quarter, half = FirstTime(True, 0.25, 0.25), FirstTime(True, 0.5, 0.5)
    assert brute_force_contacts(LEAF, FLOOR) == {(0, 0, 0): quarter, (0, 1, 0): half, (0, 2, 0): half}
    assert brute_force_contacts(FLOOR, LEAF) == {(2, 0, 0): quarter, (2, 0, 1): half, (2, 0, 2): half}
    assert brute_force_contacts(LEAF) == {}
    assert brute_force_contacts(LEAF, FLOOR, 0.5)[0, 0, 0] == FirstTime(True, 0.125, 0.125)


def test_nothing_touches_nothing():
    nothing = Body(np.empty((0, 3)), np.empty((0, 3)), np.empty((0, 3), int))
    assert brute_force_contacts(nothing) == brute_force_contacts(nothing, LEAF) == {}


def test_boxes_hold_the_motion():
    low, high = boxes(LEAF, faces_of(LEAF.faces))
    assert (low.tolist(), high.tolist()) == ([[0, 0, -3]], [[1, 1, 2]])


@pytest.mark.parametrize("separation", [0.0, 0.125])
def test_pairs_left_out_by_their_boxes_do_not_touch(separation):
    body = generate("lattice soup", 3).a
    found = brute_force_contacts(body, min_separation=separation)
    vertices, faces = vertices_of(body.faces), faces_of(body.faces)
    for v in vertices.ids:
        for f, corners in enumerate(faces.corners):
            if v not in corners:
                ends = (positions[[v, *corners]] for positions in (body.start, body.end))
                assert found.get((0, v, f), NEVER) == first_time("vf", *ends, separation)


@pytest.mark.parametrize(
    "family", ["shared soup", "lattice soup", "folded flat", "two soups", "in one plane"]
)
def test_what_is_close_at_some_sampled_time_is_a_contact(family):
    scene = generate(family, 70)
    a, b = scene.a, scene.b or scene.a
    found = brute_force_contacts(*scene, min_separation=0.125)
    for e, first in enumerate(edges_of(a.faces).corners):
        for d, second in enumerate(edges_of(b.faces).corners):
            if scene.b is None and (e >= d or set(first) & set(second)):
                continue
            start = np.concatenate([a.start[first], b.start[second]])
            end = np.concatenate([a.end[first], b.end[second]])
            distance = exact_distance_squared("ee", points_at(start, end, 0.625))
            assert distance > 0.125**2 or found[1, e, d].lower <= 0.625
