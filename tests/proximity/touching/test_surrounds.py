"""Points inside closed meshes by segments to the outside, against the solid angles of all triangles."""

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.bodies.mesh_parts import FEW_PARTS, parts_as_points, parts_of
from firstcontact.bodies.mesh_table import IS_CLOSED, PARTS, mesh_at, mesh_table
from firstcontact.bodies.wide_body import node_stack, wide_body_of
from firstcontact.proximity.touching import surrounds as module
from firstcontact.proximity.touching.inside import contains, contains_by_angles
from firstcontact.proximity.touching.surrounds import UNSURE, passes, surrounds
from samples import sample
from tuples import as_tuples

FACE = ((0.0, 0.0, 0.0), (4.0, 0.0, 0.0), (0.0, 4.0, 0.0))


@pytest.mark.parametrize(
    ("p", "q", "expected"),
    [
        ((1, 1, -1), (1, 1, 1), 1),
        ((1, 1, 1), (1, 1, -1), -1),
        ((3, 3, -1), (3, 3, 1), 0),
        ((1, 1, 1), (1, 1, 2), 0),
        ((0, 0, 1), (0, 0, 2), 0),  # towards a corner, and yet not there
        ((5, 1, 0), (5, 2, 0), UNSURE),  # within its plane
        ((0, 1, -1), (0, 1, 1), UNSURE),  # through its border
        ((0, 0, -1), (0, 0, 1), UNSURE),
        ((1, 1, 0), (1, 1, 1), UNSURE),  # from its surface
        ((1.7, 2.3, -1), (1.7, 2.3, 1), UNSURE),  # through its border, to rounding
    ],
)
def test_a_segment_passes_a_triangle_for_certain_or_not(p, q, expected):
    p, q, *face = as_tuples([p, q, *FACE])
    assert passes(p, q, tuple(face)) == expected
    turned = -expected if expected != UNSURE else UNSURE
    assert passes(q, p, tuple(face)) == turned
    assert passes(p, q, (face[1], face[0], face[2])) == turned
    assert passes(p, q, (face[1], face[2], face[0])) == expected


def cells(rng, n, reach, origin=0.0):
    """Random voxels, some of which have cavities, and parts that meet in an edge or a corner alone."""
    return fc.Voxels(rng.integers(-reach, reach, (n, 3)), 0.25, np.full(3, origin))


@pytest.mark.parametrize("origin", [0.0, 0.1, 1e4])
def test_points_in_cells_are_inside(origin):
    """Also those on the diagonals, axes and middles of cells, which meet edges of others."""
    rng = np.random.default_rng(3)
    for _ in range(sample(6, of=60)):
        grid = cells(rng, int(rng.integers(1, 80)), int(rng.integers(1, 5)), origin)
        middles = grid.corner(rng.integers(-5, 6, (60, 3)) + 0.5)
        points = np.concatenate([middles, middles + 0.2499 * rng.uniform(-0.5, 0.5, (60, 3))])
        found = contains(grid.mesh, points)
        assert found.tolist() == fc.contains(grid, points).tolist()
        assert found.tolist() == contains_by_angles(grid.mesh, points).tolist()


def knot(n, m):
    """A torus of n by m quadrangles."""
    u, v = np.meshgrid(2 * np.pi * np.arange(n) / n, 2 * np.pi * np.arange(m) / m, indexing="ij")
    ring = 1.0 + 0.4 * np.cos(v)
    places = np.stack([ring * np.cos(u), ring * np.sin(u), 0.4 * np.sin(v)], axis=2).reshape(-1, 3)
    i, j = np.divmod(np.arange(n * m), m)
    right, up = (i + 1) % n * m + j, i * m + (j + 1) % m
    both = (i + 1) % n * m + (j + 1) % m
    here = np.arange(n * m)
    return fc.Mesh(places, np.concatenate([np.stack(x, 1) for x in ((here, right, both), (here, both, up))]))


@pytest.mark.parametrize("size", [1e-160, 1e-6, 1.0, 1e9, 2.0**140])
def test_in_any_units(size):
    """Where products of lengths underflow, no segment is sure, and angles decide."""
    rng, mesh = np.random.default_rng(4), knot(16, 8)
    points = rng.uniform(-1.5, 1.5, (200, 3))
    scaled = fc.Mesh(size * mesh.vertices, mesh.faces)
    found = contains(scaled, size * points)
    assert found.tolist() == contains_by_angles(mesh, points).tolist()
    assert 10 < found.sum() < 100


def test_where_segments_meet_edges_others_do(monkeypatch):
    """With the first segments straight through vertices, the next ones tell; and with all of them, angles."""
    mesh = fc.Voxels(np.ones((2, 2, 2), bool), 1.0, [-1, -1, -1]).mesh
    body = wide_body_of(mesh)
    assert body.origin == (0.0, 0.0, 0.0)
    inside, outside = (0.25, 0.25, 0.25), (1.125, 1.125, -1.125)
    asked, angles = surrounds.py_func, []
    beyond = module.surrounds_beyond.py_func
    monkeypatch.setattr(module, "surrounds_beyond", beyond)
    by_angles = module.winds_around
    monkeypatch.setattr(module, "winds_around", lambda *a: angles.append(1) or by_angles(*a))
    for tilts, n_angles in ((((0, 0, 0), module.TILTS[0]), 0), (((0, 0, 0), (0, 0, 0)), 1)):
        monkeypatch.setattr(module, "TILTS", tuple(tuple(map(float, tilt)) for tilt in tilts))
        angles.clear()
        assert asked(body, inside, node_stack(body.depth))
        assert len(angles) == n_angles
        assert not asked(body, outside, node_stack(body.depth))
    monkeypatch.setattr(module, "TILTS", ((-0.25 / body.reach,) * 3,))  # which leaves no way to go
    assert asked(body, inside, node_stack(body.depth))


def test_parts_as_points():
    rng = np.random.default_rng(5)
    places = 2.0 * np.argwhere(np.ones((3, 3, 3), bool)) + rng.uniform(0, 0.1, (27, 3))
    dust = fc.Voxels(2 * np.argwhere(np.ones((3, 3, 3), bool)), 1.0).mesh
    cloud, single = fc.Points(places), fc.Voxels([[0, 0, 0]], 1.0).mesh
    assert parts_as_points(cloud) is cloud
    points = parts_as_points(dust)
    assert np.array_equal(points.vertices, parts_of(dust).witnesses)
    assert points.n_faces == 27 > FEW_PARTS
    table = mesh_table([single, dust, cloud])
    assert table.extents[:, PARTS].tolist() == [-1, 3, 2, -1]
    assert table.extents[:3, IS_CLOSED].tolist() == [1, 1, 0]
    assert len(mesh_at(table, 3).triangles) == 27
