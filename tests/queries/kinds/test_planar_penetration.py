import numpy as np
import pytest
import shapely
from shapely import affinity

import firstcontact as fc
from oracles.plane_shapes import comb, flower, frame

SQUARE = fc.Polygon([[0, 0], [1, 0], [1, 1], [0, 1]])


def test_there_is_no_shorter_way_out():
    rng = np.random.default_rng(0)
    shapes = [flower(9, 1), flower(5, 2, 0.5), frame(), comb(3), SQUARE]
    n_deep = 0
    for _ in range(40):
        a, b = (shapes[k] for k in rng.integers(0, len(shapes), 2))
        pose = rng.uniform(0, 7), rng.uniform(-1.5, 1.5, 2)
        found = fc.penetration(a, b.at(pose))
        points = b.at(pose).vertices(0)
        one = shapely.Polygon(a.rings[0], a.rings[1:])
        other = shapely.Polygon(points[: b.counts[0]], [points[b.counts[0] :]] if len(b.counts) > 1 else [])
        overlap = shapely.intersection(one, other).area
        assert bool(found) == shapely.intersects(one, other)
        if overlap < 1e-9:
            continue
        n_deep += 1
        out = affinity.translate(other, *(found.depth * found.direction))
        assert shapely.intersection(one, out).area < 1e-12
        assert shapely.distance(one, out) < 1e-9
        assert np.allclose(found.points_a - found.points_b, found.depth * found.direction)
        for angle, part in rng.uniform(0, 1, (60, 2)):
            step = found.depth * (1 - 1e-6) * np.sqrt(part) * np.exp(2j * np.pi * angle)
            assert shapely.intersection(one, affinity.translate(other, step.real, step.imag)).area > 1e-14
    assert n_deep > 12


def test_touching_apart_and_empty():
    touching = fc.penetration(SQUARE, SQUARE.at((0.0, [1, 0])))
    assert touching
    assert (touching.depth, touching.direction.tolist()) == (0.0, [1.0, 0.0])
    apart = fc.penetration(SQUARE, SQUARE.at((0.0, [3, 0])))
    assert not apart
    assert np.isnan(apart.direction).all()
    assert fc.penetration(SQUARE, SQUARE).depth == 1.0
    assert not fc.penetration(SQUARE, fc.Polygon([]))
    many = fc.penetration(SQUARE, SQUARE.at((0.0, [[0.75, 0], [3, 0]])))
    assert many.depth.tolist() == [0.25, 0.0]
    assert many.is_overlapping.tolist() == [True, False]


def test_a_curve_has_no_depth():
    with pytest.raises(
        TypeError, match=r"^penetration is of polygons, and b is a Polyline, which has no inside$"
    ):
        fc.penetration(SQUARE, SQUARE.outline)


def test_the_way_out_into_a_wedge_may_be_aside():
    """The nearest way out ends where two edges leave a wedge, which does not open along that way."""
    hook = fc.Polygon([[0, -1], [1, -1], [1, 0], [2, 0], [2, 2], [0, 2]])
    stairs = [[1, -4], [3, -4], [3, -3], [5, -3], [5, -1], [4, -1], [4, 0], [3, 0], [3, -1], [2, -1], [2, 0]]
    bent = fc.Polygon([*stairs, [1, 0]])
    touching = fc.penetration(hook, bent)
    assert touching.depth == 0.0  # edges lie on each other, and it parts along the middle of both
    np.testing.assert_allclose(touching.direction, np.array([1.0, -1.0]) / 2**0.5, atol=1e-15)
    block = shapely.box(-9, -9, 9, 9)
    for first, last in ((0.2, 0.6), (0.5, 1.2), (-1.2, -0.5), (1.0, 1.4)):  # angles of its sides to the way
        sides = [(1.0 + 30 * np.cos(t), 30 * np.sin(t)) for t in (first, last)]
        wedge = shapely.Polygon([(1.0, 0.0), *sides])
        ring = np.array(shapely.difference(block, wedge).exterior.coords)
        found = fc.penetration(fc.Polygon(ring), fc.Polygon(SQUARE.vertices * 1e-6))
        assert found.depth == pytest.approx(1.0, abs=3e-6)


def test_far_from_the_origin_it_is_as_near_it():
    """Lengths are as seen from one of the two, wherever both stand."""
    star = flower(7)
    here = fc.penetration(star, star.at((0.7, [0.4, 0.1])))
    for place in ([1e6, -2e6], [2.0**30, 2.0**31]):
        there = fc.penetration(star.at((0.0, place)), star.at((0.7, np.add(place, [0.4, 0.1]))))
        assert there.depth == pytest.approx(here.depth, rel=1e-6)
        np.testing.assert_allclose(there.points_a - place, here.points_a, atol=1e-6)
