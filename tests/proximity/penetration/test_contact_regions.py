"""Contact regions, and the two measures of how deep they are."""

import numpy as np
import pytest
import trimesh
from scipy.optimize import linprog

import firstcontact as fc
from firstcontact.proximity.penetration.contact_region_labels import topology_of
from firstcontact.proximity.penetration.contact_regions import contact_regions
from firstcontact.proximity.penetration.line_penetration import thickest
from firstcontact.proximity.penetration.mesh_penetration import NOT_FOUND, _undone, mesh_penetrations
from firstcontact.proximity.penetration.plane_penetration import spread_of
from firstcontact.proximity.touching.inside import contains
from poses import pose
from proximity.solids import box, corner_piece, hull, resting


@pytest.fixture
def rng():
    return np.random.default_rng(21)


def joined(*solids):
    """One mesh of several, each moved by an offset."""
    parts = []
    for mesh, offset in solids:
        parts.append(trimesh.Trimesh(mesh.vertices + np.array(offset, float), mesh.faces, process=False))
    return fc.Mesh.from_trimesh(trimesh.util.concatenate(parts))


def torus():
    return fc.Mesh.from_trimesh(trimesh.creation.torus(1.0, 0.3, 32, 16))


def regions_of(a, where_a, b, where_b):
    return contact_regions(a, b, resting(a, *where_a), resting(b, *where_b))


def test_vertices_at_one_place_are_one():
    a = box(1, 2, 3)
    loose = fc.Mesh(a.vertices[a.faces].reshape(-1, 3), np.arange(36).reshape(-1, 3))
    for mesh in (a, loose):
        topology = topology_of(mesh)
        assert topology.places.shape == (8, 3)
        assert topology.edges.shape == (18, 4)
        for edge, wings in zip(topology.edges, topology.wings, strict=True):
            for third, wing in zip(edge[2:], wings, strict=True):
                assert sorted(topology.corners[wing]) == sorted([*edge[:2], third])


def test_what_is_convex(rng):
    for mesh in (box(1, 2, 3), box(1, 2, 3, cuts=2), hull(rng, 30)):
        assert topology_of(mesh).is_convex
        assert topology_of(mesh).facing == 1.0
        inverted = topology_of(fc.Mesh(mesh.vertices, mesh.faces[:, ::-1]))
        assert inverted.is_convex
        assert inverted.facing == -1.0
    two = joined((box(1, 1, 1), (0, 0, 0)), (box(1, 1, 1), (3, 0, 0)))
    for mesh in (corner_piece(), torus(), two, fc.Mesh(box(1, 1, 1).vertices, box(1, 1, 1).faces[1:])):
        assert not topology_of(mesh).is_convex


@pytest.mark.parametrize(("cuts", "n_regions"), [(0, 1), (4, 2)])
def test_regions_are_told_apart_by_the_triangles_they_share(cuts, n_regions):
    """Two legs stand in one large triangle of a floor, or in different small ones."""
    leg = box(0.2, 0.2, 1.0)
    legs = joined((leg, (3.2, -1.3, 0.0)), (leg, (3.2, 1.3, 0.0)))
    regions = regions_of(box(8, 8, 1, cuts=cuts), (), legs, ((0, 0, 0.9),))
    assert len(regions.found) == n_regions
    assert sum(len(region.inside_b) for region in regions.found) == 8
    assert sum(len(region.inside_a) for region in regions.found) == 0
    for region in regions.found:
        heights = region.common[:, 2] + 0.9  # they are seen from b
        np.testing.assert_allclose(heights, 0.5, atol=1e-12)


def test_what_is_inside_without_a_crossing_is_a_region():
    """One of two balls is inside, the other crosses the surface."""
    small = box(0.2, 0.2, 0.2)
    b = joined((small, (0, 0, 0)), (small, (0, 0, 1.0)), (small, (0, 0, 3.0)))
    regions = regions_of(box(2, 2, 2), (), b, ())
    n_common = sorted(len(region.common) for region in regions.found)
    assert n_common[0] == 0 < n_common[1]
    assert sorted(len(region.inside_b) for region in regions.found) == [4, 8]


def test_places_inside_are_those_that_contains_tells(rng):
    a, b = torus(), corner_piece(2)
    for _ in range(5):
        where = 0.7 * rng.standard_normal(3), rng.standard_normal(3)
        regions = regions_of(a, (), b, where)
        vertices = b.at(pose(*where)).vertices(0)
        expected = np.count_nonzero(contains(a, vertices))
        assert sum(len(region.inside_b) for region in regions.found) == expected


def test_points_far_from_each_other(rng):
    points = rng.standard_normal((50, 3))
    spread = spread_of(points)
    distances = np.linalg.norm(points[:, np.newaxis] - points, axis=2)
    assert np.linalg.norm(spread[1] - spread[0]) >= 0.5 * distances.max()
    assert len(np.unique(spread, axis=0)) == len(spread)
    assert spread_of(points[:1]).tolist() == [points[0].tolist()] * len(spread)
    assert spread_of(points[:0]).shape == (0, 3)


def greatest_height(a, b, d):
    """How far a point of triangle a can be above one of b along d, by linear programming."""
    equations = np.zeros((5, 7))  # weights of a, of b, and the height
    equations[:3, :3], equations[:3, 3:6], equations[:3, 6] = a.T, -b.T, -d
    equations[3, :3] = equations[4, 3:6] = 1.0
    limits = [(0, None)] * 6 + [(None, None)]
    found = linprog([0] * 6 + [-1], A_eq=equations, b_eq=[0, 0, 0, 1, 1], bounds=limits)
    return -found.fun if found.success else -np.inf


def test_the_thickest_line_is_that_of_a_linear_program(rng):
    for _ in range(25):
        a, b = rng.standard_normal((2, 2, 3, 3))
        d = rng.standard_normal(3)
        d /= np.linalg.norm(d)
        height, x, y = thickest(a.reshape(-1, 9), b.reshape(-1, 9), tuple(d))
        expected = max(greatest_height(p, q, d) for p in a for q in b)
        assert height == pytest.approx(expected, abs=1e-7)
        if height > -np.inf:
            np.testing.assert_allclose(np.subtract(x, y), height * d, atol=1e-9)


def test_triangles_on_no_common_line():
    a, b = np.array([[0.0, 0, 0, 1, 0, 0, 0, 1, 0]]), np.array([[5.0, 0, 0, 6, 0, 0, 5, 1, 0]])
    assert thickest(a, b, (0.0, 0.0, 1.0))[0] == -np.inf


def surface(faces):
    return fc.Mesh(faces.reshape(-1, 3), np.arange(3 * len(faces)).reshape(-1, 3))


@pytest.mark.parametrize("make", [torus, corner_piece], ids=["torus", "corner piece"])
def test_a_move_parts_the_triangles_of_each_region(make, rng):
    """Of any region, not only the deepest."""
    a, b, n_regions = make(), torus(), 0
    for _ in range(12):
        where = rng.standard_normal(3), rng.standard_normal(3)
        regions = regions_of(a, (), b, where)
        for region in regions.found:
            depth, direction, _, _ = _undone(region, regions, NOT_FOUND)
            assert np.isfinite(depth)
            if len(region.common) > 0:
                n_regions += 1
                step = pose((depth + 1e-9) * direction)
                assert not fc.intersects(surface(region.a.faces), surface(region.b.faces).at(step))
        if regions.found:
            found = mesh_penetrations(a, b, resting(a).reshape(1, -1), resting(b, *where).reshape(1, -1))
            depths = [_undone(region, regions, NOT_FOUND).depth for region in regions.found]
            assert found.depth[0] <= max(depths)
    assert n_regions > 8
