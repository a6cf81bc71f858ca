"""Capsules hold what they are around."""

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.sweeping.around import capsule_around
from firstcontact.sweeping.elements import elements_of
from oracles.swept_points import points_of

THINGS = {
    "box": fc.Box([3, 1, 0.5]),
    "cube": fc.Box([1, 1, 1]),
    "ellipsoid": fc.Ellipsoid([0.3, 1, 2]),
    "points": fc.Points([[0, 0, 0], [1, 0, 0], [0, 3, 0]], [0.5, 0.1, 1.0]),
    "point": fc.Points([[1, 2, 3]], 0.5),
    "mesh": fc.Mesh(np.random.default_rng(0).normal(size=(9, 3)), np.arange(9).reshape(3, 3)),
}


@pytest.mark.parametrize("name", THINGS)
def test_a_capsule_holds_the_thing_and_goes_no_farther_than_told(name):
    shape, rng = THINGS[name], np.random.default_rng(1)
    capsule, beyond = capsule_around(elements_of(shape, 0.01))
    strand = fc.Strands(capsule.vertices, [2], float(capsule.radii[0]))
    assert fc.signed_distance(strand, points_of(shape, rng, 1000)).distance.max() <= 1e-9
    far = fc.signed_distance(shape, points_of(strand, rng, 1000)).distance
    assert np.abs(far).max() <= beyond


def test_a_capsule_fits_a_capsule():
    capsule, _ = capsule_around(elements_of(fc.Capsule(0.5, 2.0), 0.01))
    assert capsule.radii[0] == pytest.approx(0.5)
    assert np.linalg.norm(capsule.vertices[1] - capsule.vertices[0]) == pytest.approx(2.0)
