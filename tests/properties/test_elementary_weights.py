"""The weights of a contact: barycentric coordinates of one place on both sides."""

import numpy as np
import pytest

from properties.elementary import CCD, KINDS
from properties.families import FAMILIES, SIDES, generate

EPS = np.finfo(float).eps
# Rounding of a weighted sum of three coordinates and of the closest points behind the weights, in units of
# the largest coordinate. The weights of slivers are ill-conditioned; the places they give are not.
ROUNDINGS = 256.0

every_family = pytest.mark.parametrize("family", FAMILIES)
every_kind = pytest.mark.parametrize("kind", KINDS)
both_modes = pytest.mark.parametrize("exact", [False, True])


@both_modes
@every_kind
@every_family
def test_weights_are_barycentric(family, kind, exact):
    start, end = generate(family, kind, 200, seed=14)
    result = CCD[kind](start, end, exact=exact)
    weights = result.weights[result.hit]
    assert np.all(np.isnan(result.weights[~result.hit]))
    assert np.all(weights >= 0.0)
    for side in SIDES[kind]:
        np.testing.assert_allclose(weights[:, side].sum(axis=1), 1.0, rtol=0.0, atol=4.0 * EPS)


@every_kind
@every_family
def test_the_two_places_coincide(family, kind):
    """At `time` the sides are at most as far apart as they travel until `time_upper`."""
    start, end = generate(family, kind, 1000, seed=15)
    result = CCD[kind](start, end, exact=True)
    start, end, weights = start[result.hit], end[result.hit], result.weights[result.hit]
    time = result.time[result.hit][:, None, None]
    width = result.time_upper[result.hit] - result.time[result.hit]
    points = (1.0 - time) * start + time * end
    first, second = (np.einsum("nk,nkx->nx", weights[:, side], points[:, side]) for side in SIDES[kind])
    gap = np.linalg.norm(first - second, axis=1)
    travel = 2.0 * np.linalg.norm(end - start, axis=2).max(axis=1)
    size = np.maximum(np.abs(start), np.abs(end)).max(axis=(1, 2))
    allowed = travel * width + ROUNDINGS * EPS * size
    worst = np.argmax(gap - allowed)
    assert np.all(gap <= allowed), (gap[worst], allowed[worst], start[worst].tolist(), end[worst].tolist())


@every_kind
def test_a_plain_contact(kind):
    if kind == "vf":
        start = np.array([(0.25, 0.5, 1.0), (0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)])
        movers, expected = [0], (1.0, 0.25, 0.25, 0.5)
    else:
        start = np.array([(0.0, -1.0, 1.0), (0.0, 3.0, 1.0), (-1.0, 0.0, 0.0), (1.0, 0.0, 0.0)])
        movers, expected = [0, 1], (0.75, 0.25, 0.5, 0.5)
    end = start.copy()
    end[movers, 2] = -1.0
    result = CCD[kind](start[None], end[None], exact=True)
    np.testing.assert_allclose(result.weights[0], expected, rtol=0.0, atol=1e-8)
