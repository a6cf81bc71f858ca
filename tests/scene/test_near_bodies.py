"""Pairs of a scene's bodies within a distance, against each two by themselves."""

from itertools import combinations

import numpy as np
import pytest

import firstcontact as fc
from queries.test_near import MORE, poses_of
from samples import sample


def test_all_pairs_are_there_and_as_each_two_say():
    rng, names = np.random.default_rng(9), list(MORE)
    for _ in range(sample(2, 40)):
        bodies = {f"{i} {name}": MORE[name].at(poses_of(rng, 1, 2.0)[0]) for i, name in enumerate(names * 2)}
        scene = fc.Scene(bodies)
        scene.ignore("0 ball", "1 box")
        found = scene.near(within=0.5)
        told = dict(zip(zip(found.a, found.b, strict=True), found.distance, strict=True))
        gradients = dict(zip(told, found.gradient, strict=True))
        for a, b in combinations(bodies, 2):
            if {a.split()[1], b.split()[1]} == {"floor"} or (a, b) == ("0 ball", "1 box"):
                assert (a, b) not in told
                continue
            one = fc.near(bodies[a], bodies[b], within=0.5)
            assert len(one) == ((a, b) in told)
            if len(one):
                assert told[a, b] == pytest.approx(one.distance[0], abs=1e-12)
                np.testing.assert_allclose(gradients[a, b], one.gradient[0], atol=1e-9)


def test_bodies_must_stand_still():
    scene = fc.Scene(ball=fc.Sphere(1).moving(np.eye(4), velocity=[1, 0, 0]))
    with pytest.raises(ValueError, match=r"^near is for one instant, and 'ball' moves"):
        scene.near(within=1)
    with pytest.raises(ValueError, match=r"^within must be"):
        fc.Scene().near(within=np.nan)
