"""Signed distances in the plane: against shapely and other queries, and gradients against differences."""

import numpy as np
import pytest
import shapely

import firstcontact as fc
from oracles.plane_shapes import comb, flower, frame

STEP = 1e-7
SHAPES = {
    "flower": flower(9, 4, 0.7),
    "frame": frame(),
    "comb": comb(3),
    "wall": fc.Polyline([[0, 0], [2, 0], [2, 1]]),
}


def poses(rng, n, far=3.0):
    return rng.uniform(0, 7, n), rng.uniform(-far, far, (n, 2))


def drawn(shape, points):
    rings = np.split(points, np.cumsum(shape.counts)[:-1])
    return shapely.Polygon(rings[0], rings[1:]) if shape.is_filled else shapely.MultiLineString(rings)


@pytest.mark.parametrize("name_b", SHAPES)
@pytest.mark.parametrize("name_a", SHAPES)
def test_signs_are_those_of_shapely_and_sizes_those_of_the_queries_for_them(name_a, name_b):
    a, b, rng = SHAPES[name_a], SHAPES[name_b], np.random.default_rng(5)
    there = a.at(poses(rng, 24)), b.at(poses(rng, 24))
    found = fc.near(*there, within=2)
    apart = fc.distance(*there)
    assert found.rows.tolist() == np.flatnonzero(apart.distance <= 2).tolist()
    ends = [thing.vertices(0) for thing in there]
    deep = fc.penetration(*there).depth if a.is_filled and b.is_filled else np.zeros(24)
    for k, row in enumerate(found.rows.tolist()):
        referees = [drawn(shape, points[row]) for shape, points in zip((a, b), ends, strict=True)]
        assert (found.distance[k] <= 0) == shapely.intersects(*referees)
        assert abs(max(found.distance[k], 0) - shapely.distance(*referees)) < 1e-12
        assert found.distance[k] > 0 or abs(found.distance[k] + deep[row]) < 1e-12
        if np.isnan(found.normals[k, 0]):
            assert not (a.is_filled and b.is_filled)
            continue
        assert abs(np.hypot(*found.normals[k]) - 1) < 1e-12
        gap = (found.points_b[k] - found.points_a[k]) @ found.normals[k]
        assert abs(gap - found.distance[k]) < 1e-9
    alone = [fc.near(a.at(there[0].pose(0)[i]), b.at(there[1].pose(0)[i]), within=2) for i in range(24)]
    assert sum(map(len, alone)) == len(found)


@pytest.mark.parametrize("name_b", ["flower", "comb", "wall"])
def test_gradients_are_those_of_differences(name_b):
    a, b, rng = SHAPES["flower"], SHAPES[name_b], np.random.default_rng(6)
    n_told = n_wrong = 0
    turns, ways = zip(poses(rng, 40, 1.5), poses(rng, 40, 1.5), strict=True)
    found = fc.near(a.at((turns[0], ways[0])), b.at((turns[1], ways[1])), within=9)
    assert found.gradient.shape == (40, 2, 3)
    for side in range(2):
        for k in range(3):
            slopes = []
            for sign in (1.0, -1.0):
                own_turns, own_ways = [t.copy() for t in turns], [w.copy() for w in ways]
                if k < 2:
                    own_ways[side][:, k] += sign * STEP
                else:
                    own_turns[side] += sign * STEP
                one, other = ((own_turns[i], own_ways[i]) for i in range(2))
                there = a.at(one), b.at(other)
                slopes.append(sign * (fc.near(*there, within=9).distance - found.distance) / STEP)
            told = found.gradient[:, side, k]
            is_told = ~np.isnan(told)
            off = np.minimum(abs(told - slopes[0]), abs(told - slopes[1]))[is_told]
            n_told += is_told.sum()
            n_wrong += np.count_nonzero(off > 1e-5)
    assert n_told > 100
    assert n_wrong == 0


def test_what_is_degenerate():
    square = fc.Polygon([[0, 0], [1, 0], [1, 1], [0, 1]])
    beside = fc.near(square, square.at((0.0, [1, 0])), within=0)  # they share a side
    assert beside.distance.tolist() == [0.0]
    assert beside.normals.tolist() == [[1.0, 0.0]]
    curve = fc.near(square, fc.Polyline([[0.5, 0.5], [0.6, 0.5]]), within=1)
    assert curve.distance.tolist() == [0.0]
    assert np.isnan(curve.gradient).all()
    assert len(fc.near(square, fc.Polyline([]), within=1)) == 0
    with pytest.raises(ValueError, match=r"^near is for one instant, and b moves"):
        fc.near(square, square.moving((0.0, [3, 0]), velocity=[1, 0]), within=1)
    with pytest.raises(TypeError, match=r"^near of a Polygon, which is in the plane"):
        fc.near(square, fc.Sphere(1), within=1)
