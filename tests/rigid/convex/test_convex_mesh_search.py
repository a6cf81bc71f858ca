"""The search through the tree: what it takes, and many triangles that are met at once."""

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.advancement.arrival import ITERATIONS, TRIANGLE_TESTS
from firstcontact.advancement.queue import ROOM
from firstcontact.bodies.mesh_body import body_of
from firstcontact.rigid.convex.convex_mesh_first import batch_of, convex_mesh_first_times
from firstcontact.status import Status
from properties.rigid_claims import options
from properties.rigid_families import pieces, row

ZERO = np.zeros(3)
AT_REST = pieces([row(np.eye(3), ZERO, ZERO)])


def ask(thing, mesh, rows, **asked):
    batch = batch_of(thing.table, body_of(mesh), rows, AT_REST)
    return convex_mesh_first_times(batch, options(**{"tolerance": 1e-6} | asked))


def test_a_box_meets_thousands_of_triangles_at_once():
    plate, field = fc.Box([50, 50, 1]), fc.HeightField(np.zeros((46, 46)))
    found = ask(plate, field, pieces([row(np.eye(3), ZERO, [22.0, 22.0, 1.5], [0, 0, -4.0])]))
    assert found.time[0] == pytest.approx(0.25, abs=1e-6)
    assert found.counts[0, ITERATIONS] < field.n_faces


def test_one_that_waits_for_many_has_room_for_all():
    """Needles all around, and a ball that grows near to all of them at once but to none first."""
    rng = np.random.default_rng(2)
    outward = rng.standard_normal((3 * ROOM, 3))
    outward /= np.linalg.norm(outward, axis=1)[:, np.newaxis]
    tips = np.repeat(outward, 3, axis=0) * np.tile([1.0, 1.1, 1.2], 3 * ROOM)[:, np.newaxis]
    mesh = fc.Mesh(tips, np.arange(len(tips)).reshape(-1, 3))
    rows = pieces([row(np.eye(3), ZERO, ZERO, 1e-6 * outward[0])])
    found = ask(fc.Sphere(1.0 - 1e-5), mesh, rows, tolerance=1e-9)
    assert found.status[0] == Status.SEPARATED


def test_a_long_way_past_a_large_mesh_takes_few_looks():
    heights = 0.1 * np.sin(np.arange(60))[:, np.newaxis] * np.cos(np.arange(60))
    field = fc.HeightField(heights)
    for thing in (fc.Sphere(1), fc.Box([1, 2, 3]), fc.Ellipsoid([1, 2, 1])):
        rows = pieces([row(np.eye(3), ZERO, [-5.0, 30.0, 3.0], [70.0, 0, 0], [0, 0, 1.0])])
        found = ask(thing, field, rows)
        assert found.status[0] == Status.SEPARATED
        assert found.counts[0, TRIANGLE_TESTS] < 100
