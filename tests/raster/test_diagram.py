"""Diagrams of the same sites elsewhere: as made anew, and with cells kept."""

import numpy as np
import pytest

import firstcontact as fc

BOUNDS = [[0, 0], [1, 1]]


def check_same(one, other):
    assert np.array_equal(one.ids, other.ids)
    assert np.array_equal(one.distance, other.distance)
    assert one.error == other.error


@pytest.mark.parametrize("weights", [None, 0.05])
def test_a_few_sites_that_move_leave_most_cells(weights):
    rng = np.random.default_rng(1)
    points = rng.random((400, 2))
    first = fc.voronoi(points, BOUNDS, 128, weights=weights)
    for _ in range(5):
        points = points.copy()
        points[rng.integers(0, 400, 3)] += 0.1 * rng.normal(size=(3, 2))
        moved = first.moved(points)
        check_same(moved, fc.voronoi(points, BOUNDS, 128, weights=weights))
        assert 0 < moved.n_made < 0.3 * moved.ids.size
        first = moved
    assert first.moved(points).n_made == 0


def test_deforming_and_moving_things_step_after_step():
    sheet = fc.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    sites = [
        sheet.deforming(sheet.vertices, np.add(sheet.vertices, [0, 0, 1])),
        fc.Sphere(0.1).moving((np.eye(3), [1, 1, 1]), velocity=[-1, 0, 0]),
        fc.Box([0.2, 0.2, 0.2]).at((np.eye(3), [0.9, 0.1, 0.5])),
    ]
    area = [[0, 0, 0], [1, 1, 1]]
    found = fc.voronoi(sites, area, 12)
    for time in (0.25, 0.5, 1.0):
        found = found.moved(sites, time=time)
        check_same(found, fc.voronoi(sites, area, 12, time=time))


def test_solids_that_move_change_what_is_inside():
    rng = np.random.default_rng(1)
    area = [[-2, -2, -2], [2, 2, 2]]
    box, ball = fc.Box([1, 1, 1]).mesh, fc.Sphere(0.8).mesh
    found = fc.voronoi([box, ball], area, 15, solid=True)
    for _ in range(6):
        sites = [box.at((np.eye(3), rng.normal(size=3))), ball]
        found = found.moved(sites)
        check_same(found, fc.voronoi(sites, area, 15, solid=True))


def test_sites_that_are_no_longer_as_many_are_refused():
    found = fc.voronoi([[0.0, 0.0], [1.0, 1.0]], BOUNDS, 4)
    with pytest.raises(ValueError, match=r"^sites must be as many as before, 2; received 1$"):
        found.moved([[0.0, 0.0]])
    assert found.moved([[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]], [0.0, 1.0]]).n_made == 16


def test_threads_make_no_difference():
    rng = np.random.default_rng(1)
    from firstcontact._jit import threads_limited

    segments = rng.random((500, 2, 2))
    with threads_limited(1):
        alone = fc.voronoi(segments, BOUNDS, 200)
    check_same(alone, fc.voronoi(segments, BOUNDS, 200))
