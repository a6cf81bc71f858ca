"""Volumes around shapes, and volumes and triangles as shapes."""

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.bodies.convex_mesh_volume import bounding_volumes, triangle_shape, volume_shape
from firstcontact.bodies.mesh_body import body_of
from firstcontact.bounds.swept_sphere import volume_of
from firstcontact.shapes.convex import convex_at, joined
from firstcontact.shapes.cores import support
from properties.convex_families import KINDS, shape
from properties.rigid_families import soup, unit


def extent(volume, n):
    """How far a volume reaches along a unit vector."""
    sides = volume.half_length * abs(n @ volume.along) + volume.half_width * abs(n @ volume.across)
    return n @ volume.center + sides + volume.radius


@pytest.mark.parametrize("kind", KINDS)
def test_a_shape_is_in_the_volume_around_it(kind):
    rng = np.random.default_rng(3)
    things = [shape(rng, 10.0 ** rng.uniform(-3, 3), kind) for _ in range(20)]
    things += [fc.ConvexHull(rng.standard_normal((200, 3)))] * (kind == "hull")
    table = joined([thing.table for thing in things])
    rows = bounding_volumes(table)
    for i in range(len(things)):
        convex, volume = convex_at(table.records, i), volume_of(rows, i)
        axes = np.array([volume.along, volume.across, volume.normal])
        assert axes @ axes.T == pytest.approx(np.eye(3), abs=1e-14)
        for _ in range(50):
            n = unit(rng)
            p = np.array(support(convex, table.pool, tuple(n))) + convex.radius * n
            assert n @ p <= extent(volume, n) * (1.0 + 1e-12) + 1e-12 * volume.reach
            assert np.linalg.norm(p - volume.center) <= volume.reach * (1.0 + 1e-12)


def test_balls_and_capsules_are_their_own_volumes():
    rng = np.random.default_rng(4)
    for thing in (fc.Sphere(2), fc.Capsule(0.5, 3)):
        volume, convex = volume_of(bounding_volumes(thing.table), 0), convex_at(thing.table.records, 0)
        for _ in range(20):
            n = unit(rng)
            p = np.array(support(convex, thing.table.pool, tuple(n))) + convex.radius * n
            assert n @ p == pytest.approx(extent(volume, n))


def test_triangles_and_volumes_as_shapes():
    rng = np.random.default_rng(5)
    body, pool = body_of(soup(rng, 9)), np.empty(12)
    for i in range(9):
        triangle = triangle_shape(body.triangles, i)
        corners = body.triangles[i, :9].reshape(3, 3)
        assert triangle.reach == pytest.approx(np.linalg.norm(corners, axis=1).max())
        n = unit(rng)
        farthest = support(triangle, body.triangles.reshape(-1), tuple(n))
        assert n @ farthest == pytest.approx((corners @ n).max())
    for i in range(len(body.volumes)):
        volume, n = volume_of(body.volumes, i), unit(rng)
        thing = volume_shape(volume, pool)
        assert n @ support(thing, pool, tuple(n)) + thing.radius == pytest.approx(extent(volume, n))
        assert thing.reach >= np.linalg.norm(support(thing, pool, tuple(n)))
