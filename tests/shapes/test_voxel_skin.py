"""The surface of cells: closed, around as many of them, of as large an area, and of few faces."""

import numpy as np
import pytest

from firstcontact.bodies.closed_faces import n_open_edges
from firstcontact.proximity.points.winding import winds_around
from firstcontact.shapes.mesh import Mesh
from firstcontact.shapes.voxel_skin import is_among, packed, skin
from samples import sample


def filled(seed):
    rng = np.random.default_rng(seed)
    return rng.random(tuple(rng.integers(1, 8, 3))) < rng.choice([0.1, 0.3, 0.5, 0.8, 1.0])


@pytest.mark.parametrize("seed", range(sample(20, of=300)))
def test_a_skin_is_closed_around_all_cells(seed):
    occupied = filled(seed)
    cells = np.argwhere(occupied).astype(np.int64)
    if len(cells) == 0:
        pytest.skip("no cells")
    vertices, faces = skin(cells - 5)
    assert n_open_edges(faces) == 0
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    assert np.einsum("ij,ij->", a, np.cross(b, c)) / 6.0 == pytest.approx(len(cells))
    areas = np.linalg.norm(np.cross(b - a, c - a), axis=1) / 2.0
    padded = np.pad(occupied, 1).astype(int)
    assert areas.sum() == pytest.approx(sum(np.abs(np.diff(padded, axis=k)).sum() for k in range(3)))
    assert areas.min() > 0.0
    everywhere = np.argwhere(np.ones(np.add(occupied.shape, 2), bool)) - 1
    is_inside = winds_around(Mesh(vertices, faces), everywhere - 4.5)
    assert np.array_equal(is_inside, padded.astype(bool).reshape(-1))


def test_a_block_has_twelve_faces():
    vertices, faces = skin(np.argwhere(np.ones((4, 5, 6), bool)))
    assert (len(vertices), len(faces)) == (8, 12)
    step = np.ones((4, 4, 4), bool)
    step[2:, 2:, :] = False
    assert len(skin(np.argwhere(step))[1]) < 60


def test_numbers_of_places_keep_their_order():
    places = np.argwhere(np.ones((3, 4, 5), bool))
    spans = np.array([3, 4, 5])
    assert packed(places, spans).tolist() == sorted(packed(places, spans).tolist())
    for last in range(3):
        assert len(set(packed(places, spans, last).tolist())) == 60
    assert is_among(np.array([2, 5, 9]), np.array([1, 2, 9, 10])).tolist() == [False, True, True, False]
