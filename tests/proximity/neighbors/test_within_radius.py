"""Distances that are the radius, or not by a hair, against whole numbers."""

import numpy as np

from firstcontact.proximity.neighbors.within_radius import as_radius, is_within
from firstcontact.scalar.expansion import FACTORS
from oracles.near_pairs import exact_pairs
from samples import sample


def test_hairs_are_split():
    rng, room = np.random.default_rng(3), np.empty(FACTORS)
    n_within = 0
    for _ in range(sample(300, 10_000)):
        p, q = rng.normal(size=(2, 3)) * 10.0 ** rng.integers(-6, 7, (2, 3))
        if rng.random() < 0.5:
            p, q = (np.rint(x * 4.0) for x in (p, q))
        radius = float(np.linalg.norm(p - q)) * (1.0 + 2.0**-52 * rng.integers(-2, 3))
        if radius < 2.0**-150:
            continue
        truth = len(exact_pairs([p], [q], radius)) == 1
        assert is_within(tuple(p.tolist()), tuple(q.tolist()), radius, room) == truth
        n_within += truth
    assert n_within > 50


def test_doubles_decide_what_is_not_close():
    limits = as_radius(3.0)
    assert limits.sure < 9.0 < limits.most
    assert limits.most - limits.sure < 1e-13
    assert as_radius(0.0).sure < 0.0 == as_radius(0.0).most
