import numpy as np
import shapely

import firstcontact as fc
from oracles.plane_shapes import flower, frame


def test_pairs_of_edges_and_where_they_cross():
    a, b = flower(40, 1), flower(30, 2)
    found = fc.intersections(a, b.at((0.2, [0.1, 0])))
    points = b.at((0.2, [0.1, 0])).vertices(0)
    truth = shapely.intersection(shapely.LinearRing(a.vertices), shapely.LinearRing(points))
    own = shapely.MultiPoint(found.segments[:, 0])
    assert len(found) == len(truth.geoms)
    assert shapely.hausdorff_distance(own, truth) < 1e-12
    assert not found.is_coplanar.any()


def test_pieces_that_are_shared_and_poses():
    found = fc.intersections(frame(), frame().at((0.0, [[1, 0], [9, 9]])))
    assert set(found.poses.tolist()) == {0}
    assert found.is_coplanar.any()
    assert np.ptp(found.segments[found.is_coplanar], axis=1).max(axis=1).min() > 0


def test_one_alone():
    bow = fc.Polyline([[0, 0], [2, 2], [2, 0], [0, 2]])
    found = fc.intersections(bow)
    assert (found.faces_a.tolist(), found.faces_b.tolist()) == ([0], [2])
    assert found.segments.tolist() == [[[1.0, 1.0], [1.0, 1.0]]]
    assert not fc.intersections(frame())
    assert len(fc.intersections(fc.Polyline([[0, 0], [2, 0], [1, 0]]))) == 1  # it runs back
    assert not fc.intersections(fc.Polyline([]))
