"""Points, normals and weights of contacts."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firstcontact.narrowphase.elementary.contact_geometry import Terms, describe_pair, room
from properties.families import FAMILIES, generate

FACE = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
TOUCH = Terms(False)
EDGES = Terms(True)


def describe_contacts(start, end, terms, times):
    geometry = room(len(times))
    for row, time in enumerate(times):
        t0, t1 = (tuple(map(tuple, places[row].tolist())) for places in (start, end))
        describe_pair(t0, t1, terms, float(time), geometry, row)
    return geometry


def described(start, end, options, time):
    start, end = np.array([start], dtype=float), np.array([end], dtype=float)
    geometry = describe_contacts(start, end, options, np.array([time]))
    return geometry.weights[0], geometry.points[0], geometry.normals[0]


@pytest.mark.parametrize("direction", [1.0, -1.0])
def test_a_vertex_that_meets_a_face(direction):
    start, end = [[0.25, 0.25, direction], *FACE], [[0.25, 0.25, -direction], *FACE]
    weights, point, normal = described(start, end, TOUCH, 0.5)
    assert weights.tolist() == [1.0, 0.5, 0.25, 0.25]
    assert point.tolist() == [0.25, 0.25, 0.0]
    assert normal.tolist() == [0.0, 0.0, -direction]


@pytest.mark.parametrize("direction", [1.0, -1.0])
def test_an_edge_that_meets_an_edge(direction):
    a0, a1 = [[-1, 0, direction], [1, 0, direction]], [[-1, 0, -direction], [1, 0, -direction]]
    b = [[0, -1, 0], [0, 1, 0]]
    weights, point, normal = described([*a0, *b], [*a1, *b], EDGES, 0.5)
    assert weights.tolist() == [0.5, 0.5, 0.5, 0.5]
    assert point.tolist() == [0.0, 0.0, 0.0]
    assert normal.tolist() == [0.0, 0.0, -direction]


def test_a_vertex_that_slides_on_the_face_it_came_from_above():
    start = [[0.25, 0.25, 1.0], *FACE]
    end = [[0.3, 0.25, 0.0], *FACE]
    assert described(start, end, TOUCH, 1.0)[2].tolist() == [0.0, 0.0, -1.0]


def test_with_a_separation_the_normal_joins_the_closest_points():
    start = [[2.0, 0.0, 0.0], *FACE]
    end = [[1.0, 0.0, 0.0], *FACE]
    _, point, normal = described(start, end, TOUCH, 0.5)
    assert normal.tolist() == [-1.0, 0.0, 0.0]
    assert point.tolist() == [1.25, 0.0, 0.0]


def test_parallel_edges_use_the_direction_they_came_from():
    a0, a1 = [[0, 0, 1], [1, 0, 1]], [[0, 0, -1], [1, 0, -1]]
    b = [[0, 0, 0], [1, 0, 0]]
    assert described([*a0, *b], [*a1, *b], EDGES, 0.5)[2].tolist() == [0.0, 0.0, -1.0]


@pytest.mark.parametrize("terms", [TOUCH, EDGES])
def test_what_touches_from_the_start_has_no_normal_by_itself(terms):
    start = np.array([[[0.25, 0.25, 0.0], *FACE]])
    for end in (start, start + np.array([1.0, 0.0, 0.0, 0.0])[:, np.newaxis], 0.0 * start):
        geometry = describe_contacts(start, end, TOUCH, np.zeros(1))
        assert geometry.is_open.tolist() == [True]
        assert geometry.normals.tolist() == [[0.0, 0.0, 0.0]]
    points = np.zeros((1, 4, 3))
    assert describe_contacts(points, points, terms, np.zeros(1)).is_open.tolist() == [True]


@pytest.mark.parametrize("height", [1e-12, -1e-12, 1e-3, -1e-3])
@pytest.mark.parametrize("speed", [1.0, -1.0, 0.0])
@pytest.mark.parametrize("face", [FACE, FACE[::-1]])
def test_a_gap_decides_whatever_moves_and_however_the_face_is_wound(height, speed, face):
    start, end = [[0.25, 0.25, height], *face], [[0.25, 0.25, height + speed], *face]
    assert described(start, end, TOUCH, 0.0)[2].tolist() == [0.0, 0.0, -np.sign(height)]


@pytest.mark.parametrize("height", [4e-13, 1e-3])
def test_a_gap_within_what_rounding_may_hide_is_none(height):
    start = np.array([[[0.25, 0.25, height], *FACE]])
    is_open = describe_contacts(start, start, Terms(False, 5e-13), np.zeros(1)).is_open
    assert is_open.tolist() == [height < 5e-13]


def test_velocities_are_those_of_the_touching_points():
    start = np.array([[[0.25, 0.25, 1.0], *FACE]])
    end = start + np.array([[0, 0, -2], [1, 0, 0], [0, 4, 0], [0, 0, 8]])
    geometry = describe_contacts(start, end, TOUCH, np.zeros(1))
    assert geometry.weights.tolist() == [[1.0, 0.5, 0.25, 0.25]]
    assert geometry.velocities.tolist() == [[-0.5, -1.0, -4.0]]


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("kind", ["vf", "ee"])
def test_normals_are_unit_and_weights_make_the_points(family, kind):
    start, end = generate(family, kind, 200, 1)
    times = np.random.default_rng(2).random(200)
    geometry = describe_contacts(start, end, Terms(kind == "ee"), times)
    assert np.allclose(np.linalg.norm(geometry.normals, axis=1), ~geometry.is_open)
    at = (1.0 - times[:, None, None]) * start + times[:, None, None] * end
    scale = np.abs(at).max(axis=(1, 2)) + 1e-300
    sums = np.einsum("nk,nkx->nx", geometry.weights, at)
    assert np.all(np.abs(0.5 * sums - geometry.points) <= 1e-12 * scale[:, None])


@given(st.integers(-40, 40), st.floats(0.0, 1.0))
def test_normals_do_not_depend_on_the_scale(exponent, time):
    rng = np.random.default_rng(7)
    start, end = rng.random((2, 20, 4, 3))
    times, scale = np.full(20, time), 2.0**exponent
    plain = describe_contacts(start, end, EDGES, times).normals
    assert np.array_equal(describe_contacts(scale * start, scale * end, EDGES, times).normals, plain)
