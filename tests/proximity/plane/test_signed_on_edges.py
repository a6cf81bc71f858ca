import numpy as np
import pytest

import firstcontact as fc
from oracles.plane import exactly, side, squared_distance
from oracles.plane_shapes import comb, flower, frame

SHAPES = {"flower": flower(40), "frame": frame(), "comb": comb(7)}


def points_near(shape, rng, n=60):
    lower, upper = shape.bounds
    edges = shape.vertices[shape.edges]
    on = edges[:, 0] + rng.uniform(-0.2, 1.2, (len(edges), 1)) * (edges[:, 1] - edges[:, 0])
    return np.concatenate([rng.uniform(lower - 1, upper + 1, (n, 2)), shape.vertices, edges.mean(axis=1), on])


@pytest.mark.parametrize("name", SHAPES)
def test_distances_and_sides_are_those_of_rational_numbers(name):
    shape, rng = SHAPES[name], np.random.default_rng(5)
    points = points_near(shape, rng)
    found = fc.signed_distance(shape, points)
    rings = [exactly(ring) for ring in shape.rings]
    edges = [exactly(shape.vertices[edge]) for edge in shape.edges]
    size = np.abs(shape.bounds).max() + 1
    for i, p in enumerate(exactly(points)):
        truth = min(squared_distance(p, *edge) for edge in edges)
        assert abs(abs(found.distance[i]) - float(truth) ** 0.5) <= 1e-15 * size
        assert squared_distance(p, *edges[found.faces[i]]) <= truth + 1e-15 * size
        where = side(p, rings)
        assert where == 0 or (found.distance[i] <= 0 if where > 0 else found.distance[i] >= 0)
    assert np.allclose(np.linalg.norm(found.normals, axis=1), 1, atol=1e-14)
    is_off = np.abs(found.distance) > 1e-6
    assert np.allclose((found.points + found.distance[:, np.newaxis] * found.normals)[is_off], points[is_off])
    told = fc.contains(shape, points)
    assert (told == (found.distance < 0))[is_off].all()


def test_normals_on_the_outline_lead_outwards():
    for shape in SHAPES.values():
        middles = shape.vertices[shape.edges].mean(axis=1)
        normals = fc.signed_distance(shape, middles).normals
        assert not fc.contains(shape, middles + 1e-9 * normals).any()
        assert fc.contains(shape, middles - 1e-9 * normals).all()


def test_a_curve_has_no_inside():
    square = fc.Polyline([[0, 0], [2, 0], [2, 2], [0, 2]], closed=True)
    found = fc.signed_distance(square, [[1, 1], [3, 1]])
    assert found.distance.tolist() == [1.0, 1.0]
    assert found.sign == "none"
    assert not fc.contains(square, [[1, 1]]).any()


def test_no_edges_no_points_and_one_point():
    assert fc.signed_distance(fc.Polygon([]), [[0, 0]]).distance.tolist() == [np.inf]
    assert fc.signed_distance(frame(), np.empty((0, 2))).distance.shape == (0,)
    assert fc.signed_distance(fc.Polyline([[1, 1]]), [1, 3]).distance == 2.0
    assert not fc.contains(fc.Polygon([]), [0, 0])


def test_shapes_that_stand_elsewhere():
    shape, points = flower(12), np.random.default_rng(2).uniform(-2, 2, (30, 2))
    angles, ways = np.array([0.3, 2.0, -1.0]), np.array([[1.0, 0], [0, 0], [5, -3]])
    found = fc.signed_distance(shape.at((angles, ways)), points)
    assert found.distance.shape == (3, 30)
    for k in range(3):
        turned = shape.at((angles[k], ways[k])).vertices(0)
        twin = fc.signed_distance(fc.Polygon(turned), points)
        assert np.allclose(found.distance[k], twin.distance, atol=1e-13)
        assert np.allclose(found.normals[k], twin.normals, atol=1e-9)
    with pytest.raises(ValueError, match=r"^sign is for meshes"):
        fc.signed_distance(shape, points, sign="winding")
    with pytest.raises(ValueError, match=r"is for one instant"):
        fc.signed_distance(shape.moving((0.0, [0, 0]), velocity=[1, 0]), points)
    still = shape.deforming(shape.vertices, shape.vertices)
    assert fc.signed_distance(still, points) == fc.signed_distance(shape, points)
