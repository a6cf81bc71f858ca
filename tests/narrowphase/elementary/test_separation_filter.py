"""The filters with a separation: what they call free stays beyond it, by exact distances over the motion."""

import numpy as np
import pytest

from firstcontact.narrowphase.elementary.coplanarity_filter import BLOCK, gather_block
from firstcontact.narrowphase.elementary.elementary_exact import exact_contact
from firstcontact.narrowphase.elementary.elementary_query import SEPARATED, Options
from firstcontact.narrowphase.elementary.separation_filter import filter_separated_block
from properties.families import FAMILIES, generate


def filtered(start, end, options):
    block, is_free = np.zeros(24 * BLOCK), np.zeros(BLOCK, np.bool_)
    gather_block(start, end, 0, len(start), block)
    separations = np.full(BLOCK, options.min_separation)
    filter_separated_block(block, len(start), options, separations, is_free)
    return is_free[: len(start)]


@pytest.mark.parametrize("is_edge_edge", [False, True])
@pytest.mark.parametrize("separation", [1e-3, 0.1])
def test_free_is_free(is_edge_edge, separation):
    rng = np.random.default_rng(4)
    start, end = rng.random((2, 100, 4, 3))
    end = start + 0.3 * (end - start)
    options = Options(is_edge_edge, 1.0, 1e-9, separation)
    is_free = filtered(start, end, options)
    assert 10 < is_free.sum() < 100
    for row in np.flatnonzero(is_free):
        assert exact_contact(start[row], end[row], options).status == SEPARATED


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("kind", ["vf", "ee"])
def test_degenerate_points_are_safe(family, kind):
    start, end = generate(family, kind, 40, 5)
    options = Options(kind == "ee", 1.0, 1e-9, 1e-4)
    for row in np.flatnonzero(filtered(start, end, options)):
        assert exact_contact(start[row], end[row], options).status == SEPARATED


def test_just_beyond_and_just_within():
    face = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
    heights = np.array([0.1 * (1 - 1e-9), 0.1, 0.1 * (1 + 1e-9)])
    start = np.array([[[0.2, 0.2, height], *face] for height in heights])
    is_free = filtered(start, start, Options(False, 1.0, 1e-9, 0.1))
    assert is_free.tolist() == [False, False, True]


def test_a_plane_far_enough_is_enough():
    """No axis keeps the sides apart: only the slanted plane of the face does."""
    face = [[0.0, 0.0, 0.0], [4.0, 0.0, 4.0], [0.0, 4.0, 4.0]]
    start = np.array([[[1.0, 1.0, 3.5], *face]])
    assert filtered(start, start, Options(False, 1.0, 1e-9, 0.5)).tolist() == [True]
    assert filtered(start, start, Options(False, 1.0, 1e-9, 0.9)).tolist() == [False]
