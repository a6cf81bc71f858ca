"""Times by which contact with a mesh is certain, where the triangle that was found is not struck itself."""

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.bodies.mesh_body import body_of
from firstcontact.rigid.convex.convex_mesh_first import batch_of, convex_mesh_first_times
from firstcontact.rigid.convex.convex_mesh_proof import convex_mesh_proven_times
from firstcontact.status import Status
from properties.rigid_claims import options
from properties.rigid_families import pieces, row

ZERO = np.zeros(3)
AT_REST = pieces([row(np.eye(3), ZERO, ZERO)])
FIELD = fc.HeightField(np.zeros((5, 5)))


def ask(thing, rows, **asked):
    batch, asked = batch_of(thing.table, body_of(FIELD), rows, AT_REST), options(tolerance=1e-6, **asked)
    found = convex_mesh_first_times(batch, asked)
    return found, convex_mesh_proven_times(batch, found, asked)


def test_the_neighbour_of_a_triangle_that_is_grazed_is_struck():
    # The rim of its end touches the border of the next square, and goes no farther.
    rows = pieces([row(np.eye(3), ZERO, [1.7, y, 2.0], [0, 0, -4.0]) for y in (1.4, 1.5, 1.6)])
    found, upper = ask(fc.Cylinder(0.3, 2), rows)
    assert np.all(found.time <= 0.25)
    assert upper == pytest.approx(0.25, abs=1e-6)
    assert np.all(upper >= 0.25)


def test_what_passes_within_the_tolerance_is_not_proven():
    rows = pieces([row(np.eye(3), ZERO, [1.0, 1.5, 0.5 + 4e-7], [2.0, 0, 0])])
    assert ask(fc.Sphere(0.5), rows)[1].tolist() == [np.inf]
    assert ask(fc.Sphere(0.5), rows, min_separation=1e-6)[1].tolist() == [0.0]


def test_overlap_from_the_start_is_certain_at_once():
    rows = pieces([row(np.eye(3), ZERO, [1.1, 1.5, z], [0, 0, 1.0]) for z in (0.2, 0.05, -0.2)])
    for thing in (fc.Sphere(0.5), fc.Box([1, 1, 1]), fc.Ellipsoid([0.5, 1, 0.5]), fc.Capsule(0.2, 1)):
        found, upper = ask(thing, rows)
        assert found.status.tolist() == [Status.CONTACT_AT_START] * 3
        assert upper.tolist() == [0.0] * 3
