"""The triangle closest to a convex shape, against all triangles in extended precision."""

import numba
import numpy as np
import pytest

import firstcontact as fc
from firstcontact.bodies.wide_body import wide_body_of
from firstcontact.proximity.distance.convex_mesh_distance import (
    convex_mesh_distances,
    convex_mesh_intersections,
)
from oracles.convex_cores import Core, core_of, size_of
from oracles.convex_distance import distances
from properties.convex_families import KINDS, shape
from properties.rigid_families import degenerate_soup, orientation, soup, unit
from samples import sample

# What an answer may be off by, as a part of the sizes.
ACCURACY = 1e-12

MESHES = {"soup": soup, "degenerate": degenerate_soup}
AT_ORIGIN = np.eye(4)

every_kind = pytest.mark.parametrize("kind", KINDS)


def poses(rng, n, reach):
    found = np.tile(np.eye(4), (n, 1, 1))
    for pose in found:
        pose[:3, :3], pose[:3, 3] = orientation(rng), rng.uniform(0.0, reach) * unit(rng)
    return found


def rows_of(thing, at):
    return np.ascontiguousarray(thing.at(at).motion.rows()[:, 0])


def measured(thing, at, mesh, mesh_at=AT_ORIGIN):
    return convex_mesh_distances(thing.table, wide_body_of(mesh), rows_of(thing, at), rows_of(mesh, mesh_at))


def touches(thing, at, mesh, mesh_at=AT_ORIGIN):
    body = wide_body_of(mesh)
    return convex_mesh_intersections(thing.table, body, rows_of(thing, at), rows_of(mesh, mesh_at))


def truth_of(thing, pose, mesh, mesh_pose):
    """Bounds of the distance to each triangle."""
    triangles = [Core(corners, np.zeros(3), 0.0) for corners in mesh.vertices[mesh.faces]]
    n, core = len(triangles), core_of(thing)
    places = [(pose[:3, :3], pose[:3, 3])] * n, [(mesh_pose[:3, :3], mesh_pose[:3, 3])] * n
    return distances([core] * n, places[0], triangles, places[1])


def is_on(thing, pose, point, accuracy):
    """Is a point of the world a point of the shape, to some accuracy?"""
    dot = Core(np.zeros((1, 3)), np.zeros(3), 0.0)
    at = [(pose[:3, :3], pose[:3, 3])], [(np.eye(3), point)]
    return distances([core_of(thing)], at[0], [dot], at[1]).lower[0] <= accuracy


@every_kind
@pytest.mark.parametrize("family", MESHES)
def test_the_distance_is_that_of_the_closest_triangle(kind, family):
    rng = np.random.default_rng(7)
    for _ in range(sample(1, of=6)):
        thing, mesh = shape(rng, 0.5, kind), MESHES[family](rng)
        at, mesh_at = poses(rng, 4, 2.5), poses(rng, 4, 0.5)
        found, is_hit = measured(thing, at, mesh, mesh_at), touches(thing, at, mesh, mesh_at)
        accuracy = ACCURACY * (size_of(core_of(thing)) + 4.0)
        for k in range(4):
            truth = truth_of(thing, at[k], mesh, mesh_at[k])
            least, face = float(truth.upper.min()), found.faces[k, 1]
            assert abs(found.distance[k] - least) <= accuracy
            assert truth.lower[face] <= found.distance[k] + accuracy
            assert is_hit[k] == (least == 0.0) or least <= accuracy
            gap = np.linalg.norm(found.points[k, 1] - found.points[k, 0])
            assert gap == pytest.approx(found.distance[k], abs=accuracy)
            assert is_on(thing, at[k], found.points[k, 0], accuracy)
        assert np.all(found.faces[:, 0] == -1)
        assert np.all(found.counts[:, 1] > 0)


@every_kind
def test_a_shape_that_holds_the_mesh_is_at_no_distance_and_one_within_it_is(kind):
    rng = np.random.default_rng(8)
    thing, tiny = shape(rng, 100.0, kind, aspect=1.0), shape(rng, 1e-3, kind, aspect=1.0)
    corners = [[-1, -1, -1], [3, 0, 0], [0, 3, 0], [0, 0, 3]]
    shell = fc.Mesh(corners, [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]])
    assert measured(thing, AT_ORIGIN, shell).distance[0] == 0.0
    assert touches(thing, AT_ORIGIN, shell)[0]
    at = np.eye(4)
    at[:3, 3] = 0.25
    assert measured(tiny, at, shell).distance[0] > 0.1
    assert not touches(tiny, at, shell)[0]


@every_kind
def test_batches_and_threads_change_nothing(kind):
    rng = np.random.default_rng(9)
    thing, mesh, at = shape(rng, 0.5, kind), soup(rng, 60), poses(rng, 300, 3.0)
    whole, hits = measured(thing, at, mesh), touches(thing, at, mesh)
    before = numba.get_num_threads()
    try:
        numba.set_num_threads(1)
        alone, alone_hits = measured(thing, at, mesh), touches(thing, at, mesh)
    finally:
        numba.set_num_threads(before)
    for x, y in zip(whole, alone, strict=True):
        assert x.tobytes() == y.tobytes()
    assert hits.tobytes() == alone_hits.tobytes()
    for k in range(0, 300, 60):
        single = measured(thing, at[k], mesh)
        assert all(x[k].tobytes() == y[0].tobytes() for x, y in zip(whole, single, strict=True))


def test_what_rests_on_a_face_touches_it():
    field = fc.HeightField(np.zeros((4, 5)))
    for thing, height in (
        (fc.Sphere(0.5), 0.5),
        (fc.Box([1, 1, 1]), 0.5),
        (fc.Cylinder(0.3, 2), 1.0),
        (fc.Capsule(0.25, 1.0), 0.75),
        (fc.Ellipsoid([1, 1, 0.5]), 0.5),
        (fc.ConvexHull([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]), 0.0),
    ):
        at = np.tile(np.eye(4), (3, 1, 1))
        at[:, :3, 3] = [[1.2, 1.6, height + gap] for gap in (0.0, 0.25, -0.125)]
        assert measured(thing, at, field).distance == pytest.approx([0.0, 0.25, 0.0], abs=1e-15)
        assert touches(thing, at, field).tolist() == [True, False, True]


def test_empty_meshes_and_empty_batches():
    empty, ball = fc.Mesh([], []), fc.Sphere(1)
    found = measured(ball, AT_ORIGIN, empty)
    assert found.distance.tolist() == [np.inf]
    assert np.isnan(found.points).all()
    assert found.faces.tolist() == [[-1, -1]]
    assert touches(ball, AT_ORIGIN, empty).tolist() == [False]
    rng = np.random.default_rng(1)
    assert len(measured(ball, np.empty((0, 4, 4)), soup(rng, 3)).distance) == 0


@pytest.mark.parametrize("scale", [1e-9, 1e-3, 1e6, 1e12])
def test_size_changes_nothing(scale):
    rng = np.random.default_rng(5)
    mesh, at = soup(rng, 20), poses(rng, 8, 3.0)
    large, far = fc.Mesh(scale * mesh.vertices, mesh.faces), at.copy()
    far[:, :3, 3] *= scale
    points = rng.standard_normal((30, 3))
    for thing, other in (
        (fc.Box([0.5, 1, 2]), fc.Box([0.5 * scale, scale, 2 * scale])),
        (fc.Ellipsoid([0.5, 1, 2]), fc.Ellipsoid([0.5 * scale, scale, 2 * scale])),
        (fc.ConvexHull(points), fc.ConvexHull(scale * points)),
    ):
        small, big = measured(thing, at, mesh).distance, measured(other, far, large).distance
        assert big == pytest.approx(scale * small, rel=1e-9, abs=1e-12 * scale)
