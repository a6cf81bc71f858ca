import pickle

import numpy as np
import pytest

import firstcontact as fc
from oracles.plane_shapes import comb, flower, frame

SQUARE = [[0.0, 0], [4, 0], [4, 4], [0, 4]]


def hole(x, y, size=1.0):
    return [[x, y], [x + size, y], [x + size, y + size], [x, y + size]]


@pytest.mark.parametrize(
    ("outline", "holes", "fault"),
    [
        ([[0, 0], [2, 2], [2, 0], [0, 2]], [], "edges 0 and 2 do"),
        ([[0, 0], [1, 0], [2, 0]], [], "edges 0 and 2 do"),
        ([[0, 0], [4, 0], [2, 0], [2, 2]], [], "edges 0 and 1 do"),
        ([[0, 0], [4, 0], [4, 4], [2, 0]], [], "edges 0 and 2 do"),
        ([[0, 0], [1, 0], [1, 0], [0, 1]], [], "points 1 and 2 are at one"),
        ([[0, 0], [1, 1]], [], "outline must have three points"),
        (SQUARE, [hole(3.5, 1)], "edges 1 and"),
        (SQUARE, [hole(9, 9)], "hole 0 is not"),
        (SQUARE, [hole(1, 1, 2), hole(1.5, 1.5)], "hole 1 is in hole 0"),
        (SQUARE, [hole(1, 1), [[1, 2]]], r"holes\[1\] must have three points"),
        (SQUARE, [[]], "no hole is without points"),
        ([[0, 0], [1, np.nan], [1, 1]], [], "must be finite; row 1 has nan"),
        ([[0, 0, 0]], [], r"must have shape \(n, 2\)"),
        ([1.0, 2.0], [], r"outline must have shape \(n, 2\)"),
    ],
)
def test_what_is_no_polygon_is_refused(outline, holes, fault):
    with pytest.raises(ValueError, match=fault):
        fc.Polygon(outline, holes)


def test_outlines_run_in_either_direction():
    there, back = fc.Polygon(SQUARE, [hole(1, 1)]), fc.Polygon(SQUARE[::-1], [hole(1, 1)[::-1]])
    assert there.area == back.area == 15.0
    assert np.allclose(there.centroid, back.centroid)
    assert there.turns.tolist() == [1.0] * 4 + [-1.0] * 4
    assert back.turns.tolist() == [-1.0] * 4 + [1.0] * 4


def test_a_sliver_far_away_has_a_side():
    x = 2.0**40
    thin = fc.Polygon([[x, x], [x + 1, x + 1], [x + 1, x + 1 + 2.0**-12]])
    assert thin.turns.tolist() == [1.0, 1.0, 1.0]
    assert np.isclose(thin.area, 2.0**-13, rtol=1e-9)


def test_the_first_point_may_be_repeated():
    assert fc.Polygon([*SQUARE, SQUARE[0]]).n_vertices == 4


def test_rings_edges_and_outline():
    shape = frame()
    assert [len(ring) for ring in shape.rings] == [4, 4]
    assert shape.edges.tolist() == [[0, 1], [1, 2], [2, 3], [3, 0], [4, 5], [5, 6], [6, 7], [7, 4]]
    assert shape.outline.edges.tolist() == shape.edges.tolist()
    assert shape.bounds.tolist() == [[-2, -2], [2, 2]]
    assert np.isclose(comb(3).area, 11)


def test_an_empty_polygon():
    nothing = fc.Polygon([])
    assert (nothing.n_edges, nothing.area, nothing.rings) == (0, 0.0, [])
    assert repr(nothing) == "Polygon(0 points)"


@pytest.mark.parametrize("shape", [frame(), flower(9), fc.Polygon([])], ids=repr)
def test_polygons_travel(shape):
    twin = pickle.loads(pickle.dumps(shape))
    assert twin.vertices.tobytes() == shape.vertices.tobytes()
    assert twin.counts.tolist() == shape.counts.tolist()
    assert not twin.vertices.flags.writeable


def test_what_a_user_gave_is_not_kept():
    given = np.array(SQUARE)
    shape = fc.Polygon(given)
    given[:] = 0
    assert shape.vertices.tolist() == SQUARE
