"""Closed forms of distances are distances: they vanish on the surface, and have unit gradients."""

import numpy as np
import pytest

from firstcontact.fields.building.core_distance import core_distance, core_extent
from firstcontact.shapes.convex import BOX, CONE, CYLINDER, ELLIPSOID, POINT, SEGMENT

distance, extent = core_distance, core_extent
KINDS = [POINT, SEGMENT, BOX, CYLINDER, ELLIPSOID, CONE]


@pytest.mark.parametrize("kind", KINDS)
def test_a_step_along_the_gradient_is_as_long_as_it_is(kind):
    rng = np.random.default_rng(kind)
    for _ in range(60):
        half = tuple(rng.uniform(0.2, 1.0, 3).tolist()) if kind not in (CYLINDER, CONE) else (0.5, 0.5, 0.8)
        p = tuple(rng.normal(0, 1.5, 3).tolist())
        here, g = distance(kind, half, p)
        assert abs(np.linalg.norm(g) - 1) < 1e-12
        # The tangent plane bounds the core, and is as far away as the core.
        assert abs(here - (np.dot(g, p) - extent(kind, half, g))) < 1e-9
        there, _ = distance(kind, half, tuple((np.array(p) - here * np.array(g)).tolist()))
        assert abs(there) < 1e-9


def test_points_of_symmetry_have_a_distance():
    assert distance(ELLIPSOID, (0.5, 1.0, 2.0), (0.0, 0.0, 0.0))[0] == pytest.approx(-0.5)
    assert distance(BOX, (0.5, 1.0, 2.0), (0.0, 0.0, 0.0))[0] == -0.5
    assert distance(CYLINDER, (0.5, 0.5, 2.0), (0.0, 0.0, 0.0))[0] == -0.5
    assert distance(CONE, (1.5, 1.5, 1.0), (0.0, 0.0, 0.0))[0] == pytest.approx(-0.6)
    assert distance(SEGMENT, (0.0, 0.0, 2.0), (0.0, 0.0, 1.0))[0] == 0.0
    assert distance(ELLIPSOID, (0.5, 1.0, 2.0), (0.0, 0.0, 3.0))[0] == pytest.approx(1.0)
