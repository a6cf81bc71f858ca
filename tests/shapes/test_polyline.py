import pickle

import numpy as np
import pytest

import firstcontact as fc


def test_rows_of_points_and_their_edges():
    points = np.arange(14.0).reshape(-1, 2)
    assert fc.Polyline(points, [3, 1, 2, 0, 1]).edges.tolist() == [[0, 1], [1, 2], [3, 3], [4, 5], [6, 6]]
    closed = fc.Polyline(points, [3, 1, 2, 1], closed=True)
    assert closed.edges.tolist() == [[0, 1], [1, 2], [2, 0], [3, 3], [4, 5], [6, 6]]


def test_the_centre_is_that_of_the_lengths():
    assert fc.Polyline([[0, 0], [4, 0], [4, 0]]).centroid.tolist() == [2.0, 0.0]
    assert fc.Polyline([[1, 2], [1, 2]]).centroid.tolist() == [1.0, 2.0]
    assert fc.Polyline([]).centroid.tolist() == [0.0, 0.0]


def test_wrong_rows_are_refused():
    with pytest.raises(ValueError, match=r"^counts must add up to the 2 points given; received 3$"):
        fc.Polyline([[0, 0], [1, 1]], [3])
    with pytest.raises(TypeError, match=r"^closed must be True or False"):
        fc.Polyline([[0, 0], [1, 1]], closed=1)


def test_polylines_travel():
    line = fc.Polyline([[0, 0], [1, 0], [1, 1]], closed=True)
    twin = pickle.loads(pickle.dumps(line))
    assert twin.edges.tolist() == line.edges.tolist()
    assert repr(twin) == repr(line) == "Polyline(3 points, 3 edges, from [0, 0] to [1, 1])"
