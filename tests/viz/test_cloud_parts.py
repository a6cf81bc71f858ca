import numpy as np
import pytest

import firstcontact as fc
from firstcontact.viz import cloud_parts
from firstcontact.viz.bodies_of import bodies_of
from firstcontact.viz.cloud_parts import (
    MAX_SIDES,
    MIN_SIDES,
    THINNEST,
    Elements,
    are_tubes,
    ball_radii,
    fewer,
    n_sides,
    seen_radii,
    solids,
    tubes,
)
from viz.things import cube

FACING = np.eye(3)[1:]


def body_of(thing):
    (body,) = bodies_of({"it": thing.at(np.eye(4))}, np.empty(0))
    return body


def test_what_has_no_size_is_drawn_with_one():
    body = body_of(fc.Points([[0, 0, 0], [1, 0, 0]], [0.0, 0.5]))
    assert seen_radii(body, 10.0).tolist() == [THINNEST * 10.0, 0.5]
    with pytest.raises(ValueError, match="is a surface"):
        seen_radii(body_of(cube()), 1.0)


def test_a_ball_is_as_thick_as_the_thickest_that_ends_there():
    ends = np.array([[0, 1], [1, 2], [4, 4]])
    assert ball_radii(5, ends, np.array([1.0, 3.0, 2.0])).tolist() == [1.0, 3.0, 3.0, 0.0, 2.0]
    assert are_tubes(ends).tolist() == [True, True, False]


def test_many_tubes_have_few_sides():
    assert n_sides(1, 1000) == n_sides(0, 1000) == MAX_SIDES
    assert n_sides(100, 1000) == 5
    assert n_sides(10**6, 1000) == MIN_SIDES


@pytest.mark.parametrize("sides", [4, 7])
def test_tubes_are_at_their_radius_from_their_segments(sides):
    rng = np.random.default_rng(0)
    frames, ends, radii = (
        rng.normal(size=(3, 6, 3)),
        np.array([[0, 1], [1, 2], [4, 5]]),
        np.array([0.1, 1, 2]),
    )
    vertices, faces = tubes(frames, ends, radii, sides)
    rings = vertices.reshape(3, 3, 2, sides, 3)
    away = rings - frames[:, ends][:, :, :, np.newaxis]
    np.testing.assert_allclose(
        np.linalg.norm(away, axis=-1), np.broadcast_to(radii[:, None, None], away.shape[:-1])
    )
    along = frames[:, ends[:, 1]] - frames[:, ends[:, 0]]
    np.testing.assert_allclose(np.einsum("kmesx,kmx->kmes", away, along), 0.0, atol=1e-12)
    assert faces.shape == (3 * 2 * sides, 3)
    assert np.array_equal(np.unique(faces), np.arange(vertices.shape[1]))


def test_a_tube_does_not_twist_while_it_turns():
    """Blended half-way between two close directions it is as thick, though the nearest axis is another."""
    angles = np.linspace(0.0, np.pi, 60)
    tips = np.stack([np.cos(angles), np.sin(angles), 0.3 * np.cos(3 * angles)], axis=1)
    frames = np.stack([0 * tips, tips], axis=1)
    vertices, _ = tubes(frames, np.array([[0, 1]]), np.ones(1), 6)
    away = vertices.reshape(60, 2, 6, 3) - frames[:, :, np.newaxis]
    halfway = np.linalg.norm(0.5 * (away[1:] + away[:-1]), axis=-1)
    assert halfway.min() > 0.98


def test_a_segment_without_length_has_a_tube_without_nan():
    vertices, _ = tubes(np.zeros((2, 2, 3)), np.array([[0, 1]]), np.ones(1), 4)
    assert np.isfinite(vertices).all()


def test_solids_are_within_the_radius_and_reach_it():
    strands = body_of(fc.Strands([[0, 0, 0], [2, 0, 0], [9, 0, 0]], [2, 1], radius=0.5))
    elements = Elements(strands.vertices, strands.faces[:, :2], strands.radii)
    vertices, faces = solids(elements, 10.0, FACING, 10_000)
    nearest = np.clip(vertices[:, 0], 0.0, 2.0)
    axis = np.where(vertices[:, 0] > 5.0, 9.0, nearest)
    away = np.linalg.norm(vertices - np.stack([axis, 0 * axis, 0 * axis], axis=1), axis=1)
    assert away.max() == pytest.approx(0.5)
    outside = vertices[(vertices[:, 0] < -0.4) | (vertices[:, 0] > 2.4)]
    assert outside[:, 0].min() < -0.45
    assert len(outside) > 20
    assert faces.max() < len(vertices)


@pytest.mark.parametrize("n", [1, 100, 3000, 20_000])
def test_solids_of_points_are_no_more_than_the_limit(n):
    points = np.random.default_rng(1).uniform(size=(n, 3))
    ends = np.repeat(np.arange(n), 2).reshape(-1, 2)
    _, faces = solids(Elements(points, ends, np.full(n, 0.01)), 2.0, FACING, 4000)
    assert 0 < len(faces) <= 4000
    assert n > 4000 or len(faces) >= n


def test_few_elements_stay_and_many_become_fewer_without_a_hole():
    rng = np.random.default_rng(2)
    points, radii = rng.uniform(size=(5000, 3)), rng.uniform(0.0, 0.01, 5000)
    elements = Elements(points, np.repeat(np.arange(5000), 2).reshape(-1, 2), radii)
    assert fewer(elements, 1.7, 5000) is elements
    found = fewer(elements, 1.7, 800)
    assert 200 < len(found.ends) <= 800
    assert found.radii.max() == radii.max()
    gaps = np.linalg.norm(points[:, np.newaxis] - found.vertices, axis=2).min(axis=1)
    assert gaps.max() < 0.25


def test_segments_stay_joined_where_they_become_fewer(monkeypatch):
    monkeypatch.setattr(cloud_parts, "N_CELLS", 8)
    line = np.stack([np.linspace(0.0, 1.0, 101), np.zeros(101), np.zeros(101)], axis=1)
    body = body_of(fc.Strands(line, [101], radius=0.01))
    found = fewer(Elements(body.vertices, body.faces[:, :2], body.radii), 1.0, 50)
    joined = found.ends[are_tubes(found.ends)]
    assert len(joined) == len(found.vertices) - 1
    assert len(found.ends) <= 50
