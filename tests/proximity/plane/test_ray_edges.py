from fractions import Fraction

import numpy as np
import pytest
import shapely

import firstcontact as fc
from oracles.plane import exactly, ray_hits
from oracles.plane_shapes import comb, flower, frame

ALL = "all"


def edges_of(shape):
    points = exactly(shape.vertices)
    return [(points[i], points[j]) for i, j in shape.edges.tolist()]


def lines(rng, kind):
    n = int(rng.integers(1, 9))
    points = rng.uniform(-1, 1, (n, 2)) if kind != "grid" else rng.integers(-2, 3, (n, 2)) / 2.0
    scale = {"tiny": 1e-30, "huge": 1e40}.get(kind, 1.0)
    return fc.Polyline(points * scale, [n - n // 3, n // 3]), scale


def rays(rng, kind, shape, scale, n):
    """From anywhere and from points; anywhere, along axes, and to points."""
    origins, directions = np.empty((2, n, 2))
    for i in range(n):
        which = rng.integers(4)
        corners = shape.vertices[rng.integers(0, shape.n_vertices, 2)]
        loose = rng.integers(-3, 4, 2) / 2.0 if kind == "grid" else rng.uniform(-2, 2, 2)
        origins[i] = corners[0] if which == 0 else loose * scale
        way = rng.integers(-1, 2, 2) if which == 1 else rng.normal(size=2)
        way = corners[1] - origins[i] if which >= 2 else way
        directions[i] = way if way.any() else [0.0, 1.0]
    return origins, directions


@pytest.mark.parametrize("kind", ["random", "grid", "tiny", "huge"])
def test_rays_meet_what_they_meet_in_rational_numbers(kind):
    rng, n_hits = np.random.default_rng(5), 0
    for _ in range(40):
        shape, scale = lines(rng, kind)
        origins, directions = rays(rng, kind, shape, scale, 12)
        found = fc.ray_cast(shape, origins, directions, hits=ALL)
        first = fc.ray_cast(shape, origins, directions)
        some = fc.ray_cast(shape, origins, directions, hits="any")
        whole = fc.ray_cast(shape, origins, directions, hits=ALL, min_time=-np.inf)
        for i, (o, d) in enumerate(zip(exactly(origins), exactly(directions), strict=True)):
            truth = ray_hits(o, d, edges_of(shape))
            own = slice(*found.offsets[i : i + 2])
            assert sorted(found.faces[own].tolist()) == sorted(k for _, k in truth)
            times = {k: t for t, k in truth}
            for k, t in zip(found.faces[own].tolist(), found.time[own].tolist(), strict=True):
                assert abs(Fraction(t) - times[k]) <= abs(times[k]) * Fraction(1, 2**50)
            order = list(zip(found.time[own].tolist(), found.faces[own].tolist(), strict=True))
            assert order == sorted(order)
            assert (first.time[i], first.faces[i]) == (order[0] if order else (np.inf, -1))
            assert some.hit[i] == first.hit[i] == bool(truth)
            on_line = ray_hits(o, d, edges_of(shape), -(10**90))
            own = slice(*whole.offsets[i : i + 2])
            assert sorted(whole.faces[own].tolist()) == sorted(k for _, k in on_line)
            n_hits += len(truth)
    assert n_hits > 200


def test_what_rays_meet_of_placed_polygons_is_what_shapely_has():
    rng = np.random.default_rng(8)
    for polygon in (flower(17, 3, 0.5), frame(), comb(4)):
        thing = polygon.at((float(rng.uniform(0, 7)), rng.uniform(-2, 2, 2)))
        rings = np.split(thing.vertices(0), np.cumsum(polygon.counts)[:-1])
        referee = shapely.Polygon(rings[0], rings[1:])
        origins, directions = rng.uniform(-4, 4, (2, 60, 2))
        found = fc.ray_cast(thing, origins, directions)
        for o, d, hit, t, p, n in zip(
            origins, directions, found.hit, found.time, found.points, found.normals, strict=True
        ):
            way = shapely.LineString([o, o + 99 * d])
            met = shapely.intersection(way, referee.boundary)
            assert hit == (not met.is_empty)
            if hit:
                assert abs(shapely.distance(met, shapely.Point(o)) - t * np.hypot(*d)) < 1e-11
                assert np.allclose(p, o + t * d)
                assert abs(np.hypot(*n) - 1) < 1e-14
                # Outwards: against the ray where it comes from outside.
                assert (n @ d > 0) == referee.contains(shapely.Point(o))


def test_no_ray_slips_through_a_point_that_edges_share():
    rng = np.random.default_rng(2)
    ring = flower(40, 3)
    polygon = fc.Polygon(ring.rings[0])
    directions = polygon.vertices - [0.1, 0.2]
    origins = polygon.vertices - directions * rng.uniform(0.5, 2, (40, 1))
    inside = fc.contains(polygon, origins)
    found = fc.ray_cast(polygon, origins, directions)
    assert found.hit[inside].all()


def test_lines_and_ends_of_rays():
    wall = fc.Polyline([[2, 0], [4, 0]])
    along = fc.ray_cast(wall, [0, 0], [1, 0])
    assert (along.time, along.points.tolist(), along.normals.tolist()) == (2, [2, 0], [-1, 0])
    assert fc.ray_cast(wall, [3, 0], [1, 0]).time == 0
    assert fc.ray_cast(wall, [5, 0], [1, 0]).time == np.inf
    assert fc.ray_cast(wall, [5, 0], [1, 0], min_time=-np.inf).time == -3
    assert fc.ray_cast(wall, [0, 0], [1, 0], min_time=3).time == 3
    assert not fc.ray_cast(wall, [0, 0], [1, 0], max_time=1.5).hit
    for side in (1.0, -1.0):  # a curve looks to where the ray comes from
        assert fc.ray_cast(wall, [3, side], [0, -side]).normals.tolist() == [0, side]
    one = fc.ray_cast(fc.Polyline([[1, 1]]), [0, 0], [2, 2])
    assert (one.time, one.faces, one.points.tolist()) == (0.5, 0, [1, 1])
    assert not fc.ray_cast(fc.Polyline([]), [0, 0], [2, 2]).hit
    assert len(fc.ray_cast(fc.Polygon([]), np.zeros((3, 2)), [2, 2], hits=ALL)) == 0
    with pytest.raises(ValueError, match=r"^more than 1 hits"):
        fc.ray_cast(frame(), [-9, 0.1], [1, 0], hits=ALL, max_hits=1)
    with pytest.raises(ValueError, match=r"^origins must have shape \(n, 2\) or \(2,\)"):
        fc.ray_cast(wall, [0, 0, 0], [1, 0, 0])
    with pytest.raises(ValueError, match=r"^directions must not be zero"):
        fc.ray_cast(wall, [0, 0], [0, 0])


def test_what_deformed_is_met_where_it_is():
    shape = frame()
    there = 2.0 * shape.vertices + 1.0
    found = fc.ray_cast(shape.deforming(there, there), [-99, 0.9], [1, 0])
    assert found == fc.ray_cast(shape.placed(there), [-99, 0.9], [1, 0])
    with pytest.raises(ValueError, match=r"^ray_cast is for one instant"):
        fc.ray_cast(shape.deforming(there, there + 1), [-99, 0.9], [1, 0])
