"""The time by which contact with a triangle is certain."""

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.deformable.with_rigid.convex_deforming_proof import ProofWindow, proven_time
from firstcontact.motions.relative_motion import relative_motion
from firstcontact.shapes.convex import convex_at
from properties.rigid_families import row

FACE = np.array([0, 1, 2], np.int32)
FLOOR = np.array([[-9.0, -9.0, 0.0], [9.0, -9.0, 0.0], [0.0, 9.0, 0.0]])
AT_REST = row(np.eye(3), np.zeros(3), np.zeros(3))
CLEARANCE = 1e-12


def ask(thing, height, rise, start=0.0, end=1.0):
    """Look for the time at which a floor, at minus a height, that rises is certainly in contact."""
    origin = (0.0, 0.0, 0.0)
    motion = relative_motion(AT_REST, AT_REST, origin, origin)
    convex = convex_at(thing.table.records, 0)
    window = ProofWindow(start, end, 1e-9, convex.radius - CLEARANCE, np.empty(9))
    velocities = np.tile([0.0, 0.0, rise], (3, 1))
    points = FLOOR - [0.0, 0.0, height]
    return proven_time(convex, thing.table.pool, motion, points, velocities, FACE, window)


@pytest.mark.parametrize(
    "thing", [fc.Sphere(1), fc.Box([2, 2, 2]), fc.Ellipsoid([2, 1, 1]), fc.Cylinder(1, 2)]
)
def test_contact_is_certain_soon_after_it_comes(thing):
    assert ask(thing, 2.0, 4.0, 0.25 - 1e-9) == pytest.approx(0.25, abs=1e-8)
    assert ask(thing, 2.0, 4.0, 0.25 - 1e-9) > 0.25
    assert ask(thing, 0.5, 1.0) == 0.0
    assert ask(thing, 1.5, 0.1) == np.inf
    assert ask(thing, 1.0 + 1e-6, 0.0) == np.inf
