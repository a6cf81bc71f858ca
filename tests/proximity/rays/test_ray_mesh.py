"""Rays against meshes: the tree finds what a look at every triangle finds, to the last bit."""

import numpy as np
import pytest
import trimesh

import firstcontact as fc
from firstcontact._lanes import WIDTH
from firstcontact._ray_lanes import WAVE
from firstcontact.bodies.ray_body import ray_body_of
from firstcontact.narrowphase.triangles.ray_triangle import depth_triangle, sight_of
from firstcontact.proximity.rays.ray_hits import ALL, ANY, FIRST, Rays
from firstcontact.proximity.rays.ray_mesh import cast_at_mesh
from proximity.solids import box, soup

IDENTITY = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0), (0.0, 0.0, 0.0)


def cast(mesh, origins, directions, wanted=FIRST, max_time=np.inf, min_time=0.0):
    n = max(len(origins), len(directions))
    return cast_at_mesh(
        ray_body_of(mesh), Rays(origins, directions, *IDENTITY, min_time, max_time), n, wanted
    )


def vec(array):
    return tuple(float(x) for x in array)


def every_time(mesh, o, d):
    """Time at which a ray meets each triangle, without a tree; inf where it does not."""
    factor = ray_body_of(mesh).factor
    triangles = mesh.vertices[mesh.faces] * factor
    sight = sight_of(vec(factor * o), vec(d))
    rows = np.concatenate([triangles.reshape(-1, 9), np.full((-len(triangles) % WIDTH, 9), np.nan)])
    leaves = np.ascontiguousarray(rows.reshape(-1, WIDTH, 9).transpose(0, 2, 1)).reshape(-1)
    depths = np.array([depth_triangle(sight, leaves, place, 0.0) for place in range(len(triangles))])
    return depths / factor / sight.speed


def check(mesh, origins, directions):
    """Compare with a look at every triangle, for all three questions."""
    first, some = cast(mesh, origins, directions), cast(mesh, origins, directions, ANY)
    every = cast(mesh, origins, directions, ALL)
    for i, (o, d) in enumerate(zip(origins, directions, strict=True)):
        times = every_time(mesh, o, d)
        order = np.lexsort([np.arange(len(times)), times])
        order = order[: np.count_nonzero(times < np.inf)]
        rows = slice(every.starts[i], every.starts[i + 1])
        np.testing.assert_array_equal(every.faces[rows], order)
        np.testing.assert_array_equal(every.times[rows], times[order])
        assert first.times[i] == (times[order[0]] if len(order) else np.inf)
        assert first.faces[i] == (order[0] if len(order) else -1)
        assert (some.faces[i] in order) if len(order) else (some.faces[i] == -1)
    is_hit = first.faces >= 0
    np.testing.assert_array_equal(some.faces >= 0, is_hit)
    return is_hit


def sphere(subdivisions):
    return fc.Mesh.from_trimesh(trimesh.creation.icosphere(subdivisions))


def rays_at(rng, n, distance=3.0, size=1.0):
    origins = rng.standard_normal((n, 3))
    origins *= distance * size / np.linalg.norm(origins, axis=1)[:, np.newaxis]
    return origins, rng.uniform(-size, size, (n, 3)) - origins


@pytest.mark.parametrize("mesh", [sphere(2), soup(np.random.default_rng(3), 300), box(1, 2, 3, cuts=2)])
@pytest.mark.parametrize("distance", [0.3, 3.0, 1e3, 1e9])
def test_the_tree_finds_what_a_look_at_every_triangle_finds(mesh, distance):
    rng = np.random.default_rng(4)
    is_hit = check(mesh, *rays_at(rng, 60, distance))
    assert is_hit.any()


@pytest.mark.parametrize(
    ("size", "place"), [(1e-6, 0), (1e8, 0), (1.0, 1e8), (1e-150, 0), (1e40, 0), (1e-6, 1)]
)
def test_small_large_and_far_away(size, place):
    rng = np.random.default_rng(5)
    ball = sphere(2)
    mesh = fc.Mesh(ball.vertices * size + place, ball.faces)
    origins, directions = rays_at(rng, 40, size=size)
    assert check(mesh, origins + place, directions).any()


@pytest.mark.parametrize("length", [1e-300, 1e-150, 1e-9, 1e9, 1e40])
def test_directions_of_any_length(length):
    rng = np.random.default_rng(6)
    mesh = sphere(1)
    origins, directions = rays_at(rng, 40)
    check(mesh, origins, directions * length)
    np.testing.assert_allclose(
        cast(mesh, origins, directions * length).times * length,
        cast(mesh, origins, directions).times,
        rtol=1e-12,
    )


def test_directions_along_axes_and_diagonals():
    steps = np.array(np.meshgrid(*[[-1.0, 0.0, 1.0]] * 3)).reshape(3, -1).T
    directions = steps[np.any(steps != 0, axis=1)]
    for mesh in (box(2, 2, 2, cuts=2), sphere(2)):
        for target in ([0.0, 0.0, 0.0], [0.25, 0.25, 0.25], [0.1, 0.2, 0.3]):
            is_hit = check(mesh, np.array(target) - 4.0 * directions, directions)
            assert is_hit.all()


def test_faces_of_all_degenerate_kinds():
    rng = np.random.default_rng(7)
    ball = sphere(1)
    lines = np.stack([rng.integers(0, 42, 40), rng.integers(0, 42, 40)], axis=1)
    faces = np.concatenate([ball.faces, lines[:, [0, 1, 1]], lines[:, [0, 0, 0]], ball.faces[:20]])
    is_hit = check(fc.Mesh(ball.vertices, faces), *rays_at(rng, 60))
    assert is_hit.any()
    check(fc.Mesh(np.zeros((3, 3)), [[0, 1, 2]] * 9), np.zeros((1, 3)), np.ones((1, 3)))


@pytest.mark.parametrize("n", range(1, 40, 3))
def test_few_triangles(n):
    rng = np.random.default_rng(n)
    check(soup(rng, n), *rays_at(rng, 30, distance=1.0))


@pytest.mark.parametrize("far", [0.0, 1e3, 1e10])
def test_nothing_slips_through_at_vertices_and_edges(far):
    rng = np.random.default_rng(8)
    ball = trimesh.creation.icosphere(4)
    turn = trimesh.transformations.random_rotation_matrix(rng.random(3))[:3, :3]
    round_one = np.array(ball.vertices)
    for vertices in (round_one, round_one @ turn.T * [1.0, 0.3, 2.0] + [0.1, 0.2, 0.3]):
        mesh = fc.Mesh(vertices, ball.faces)
        a, b = mesh.vertices[mesh.edges[:, 0]], mesh.vertices[mesh.edges[:, 1]]
        weights = rng.random((len(a), 1))
        targets = np.concatenate([mesh.vertices, 0.5 * (a + b), a + weights * (b - a)])
        middle = vertices.mean(axis=0)
        origins = middle + rng.uniform(-0.5, 0.5, (len(targets), 3)) * [1.0, 0.3, 1.0]
        assert np.all(cast(mesh, origins, targets - origins).faces >= 0)
        assert np.all(cast(mesh, middle[np.newaxis], targets - middle).faces >= 0)
        # From far behind, through the inside: at two places at the least, or one on the border of faces.
        ways = (targets - origins) / np.linalg.norm(targets - origins, axis=1)[:, np.newaxis]
        starts = origins - (far + 3.0) * ways
        every = cast(mesh, starts, ways, ALL)
        assert np.all(np.diff(every.starts) >= 2)


def test_generic_rays_from_outside_cross_a_closed_mesh_an_even_number_of_times():
    rng = np.random.default_rng(9)
    knot = fc.Mesh.from_trimesh(trimesh.creation.torus(1.0, 0.4))
    every = cast(knot, *rays_at(rng, 3000), ALL)
    counts = np.diff(every.starts)
    assert np.all(counts % 2 == 0)
    assert counts.max() == 4


def test_a_grid_of_rays_at_its_own_corners():
    """Every ray meets a corner of six faces, and nothing is between them."""
    x, y = np.meshgrid(np.arange(9.0), np.arange(9.0), indexing="ij")
    field = fc.HeightField(np.sin(3.0 * x) + np.cos(2.0 * y))
    inner = field.vertices.reshape(9, 9, 3)[1:-1, 1:-1].reshape(-1, 3)
    every = cast(field, inner + np.array([0.0, 0.0, 10.0]), np.array([[0.0, 0.0, -1.0]]), ALL)
    assert np.all(np.diff(every.starts) == 6)
    np.testing.assert_allclose(every.points, np.repeat(inner, 6, axis=0), atol=1e-14)


def test_hits_later_than_the_last_time_do_not_count():
    rng = np.random.default_rng(10)
    mesh = soup(rng, 200)
    origins, directions = rays_at(rng, 100)
    every = cast(mesh, origins, directions, ALL)
    for latest in (0.0, 0.5, every.times[7]):
        found = cast(mesh, origins, directions, ALL, latest)
        is_early = every.times <= latest
        np.testing.assert_array_equal(found.times, every.times[is_early])
        np.testing.assert_array_equal(found.faces, every.faces[is_early])
        first = cast(mesh, origins, directions, FIRST, latest)
        np.testing.assert_array_equal(first.faces >= 0, np.diff(found.starts) > 0)
        assert np.all(first.times[first.faces >= 0] <= latest)
        some = cast(mesh, origins, directions, ANY, latest)
        np.testing.assert_array_equal(some.faces >= 0, first.faces >= 0)


@pytest.mark.parametrize("wanted", [FIRST, ALL])
def test_a_ray_among_waves_of_others_finds_what_it_finds_alone(wanted):
    rng = np.random.default_rng(14)
    mesh, n = soup(rng, 200), 2 * WAVE + 37
    origins, directions = rays_at(rng, n)
    together = cast(mesh, origins, directions, wanted)
    alone = [cast(mesh, origins[i : i + 1], directions[i : i + 1], wanted) for i in range(n)]
    np.testing.assert_array_equal(together.times, np.concatenate([one.times for one in alone]))
    np.testing.assert_array_equal(together.faces, np.concatenate([one.faces for one in alone]))
    assert np.isfinite(together.times).sum() > WAVE


def test_times_points_and_normals():
    rng = np.random.default_rng(11)
    mesh = sphere(3)
    origins, directions = rays_at(rng, 500)
    found = cast(mesh, origins, directions)
    is_hit = found.faces >= 0
    a, b, c = mesh.vertices[mesh.faces[found.faces[is_hit]]].astype(np.longdouble).transpose(1, 0, 2)
    o, d = origins[is_hit].astype(np.longdouble), directions[is_hit].astype(np.longdouble)
    normals = np.cross(b - a, c - a)
    times = np.einsum("ij,ij->i", normals, a - o) / np.einsum("ij,ij->i", normals, d)
    np.testing.assert_allclose(found.times[is_hit], times.astype(float), rtol=1e-12)
    np.testing.assert_allclose(found.points[is_hit], (o + times[:, np.newaxis] * d).astype(float), atol=1e-12)
    normals /= np.sqrt(np.einsum("ij,ij->i", normals, normals))[:, np.newaxis]
    np.testing.assert_allclose(found.normals[is_hit], normals.astype(float), atol=1e-12)
    assert np.all(np.isnan(found.points[~is_hit]) & np.isnan(found.normals[~is_hit]))
    assert np.all(np.einsum("ij,ij->i", found.normals[is_hit], directions[is_hit]) < 0.0)


def test_many_hits_of_one_ray_are_sorted():
    rng = np.random.default_rng(12)
    heights = np.repeat(rng.permutation(500).astype(float), 2)
    corners = np.array([[-1.0, -1.0, 0.0], [2.0, -1.0, 0.0], [-1.0, 2.0, 0.0]])
    triangles = corners + heights[:, np.newaxis, np.newaxis] * [0.0, 0.0, 1.0]
    mesh = fc.Mesh(triangles.reshape(-1, 3), np.arange(3000).reshape(-1, 3))
    every = cast(mesh, np.array([[0.0, 0.0, -1.0]]), np.array([[0.0, 0.0, 1.0]]), ALL)
    np.testing.assert_array_equal(every.faces, np.argsort(heights, kind="stable"))
    np.testing.assert_array_equal(every.times, np.sort(heights) + 1.0)


def test_a_start_on_the_surface_is_a_hit_at_zero():
    rng = np.random.default_rng(13)
    mesh = sphere(2)
    for ways in (mesh.vertices, -mesh.vertices, mesh.vertices + 0.3 * rng.standard_normal((162, 3))):
        assert np.all(cast(mesh, mesh.vertices, ways).times == 0.0)
    points = rng.uniform(-1.0, 1.0, (300, 3))
    points[np.arange(300), np.arange(300) % 3] = np.where(np.arange(300) < 150, -1.0, 1.0)
    times = cast(box(2, 2, 2, cuts=2), points, rng.standard_normal((300, 3))).times
    np.testing.assert_allclose(times, 0.0, atol=1e-15)


def test_lines_meet_what_rays_meet_both_ways():
    rng = np.random.default_rng(11)
    mesh = box(1, 2, 3, cuts=2)
    origins, directions = rng.uniform(-2, 2, (200, 3)), rng.standard_normal((200, 3))
    line = cast(mesh, origins, directions, ALL, min_time=-np.inf)
    forth, back = cast(mesh, origins, directions, ALL), cast(mesh, origins, -directions, ALL)
    assert len(line.times) == len(forth.times) + len(back.times) > 100
    first = cast(mesh, origins, directions, min_time=-np.inf)
    for i in range(200):
        times = line.times[line.starts[i] : line.starts[i + 1]]
        both = [
            -back.times[back.starts[i] : back.starts[i + 1]],
            forth.times[forth.starts[i] : forth.starts[i + 1]],
        ]
        np.testing.assert_allclose(times, np.sort(np.concatenate(both)), rtol=1e-13, atol=1e-14)
        assert first.times[i] == min(times, default=np.inf)


def test_hits_before_the_first_time_do_not_count():
    rng = np.random.default_rng(12)
    mesh = soup(rng, 300)
    origins, directions = rays_at(rng, 100)
    every = cast(mesh, origins, directions, ALL, min_time=-np.inf)
    for soonest, latest in ((0.5, np.inf), (-0.2, 0.9), (0.9, 1.1)):
        some = cast(mesh, origins, directions, ALL, latest, soonest)
        counts = (every.times >= soonest) & (every.times <= latest)
        np.testing.assert_array_equal(some.times, every.times[counts])
        np.testing.assert_array_equal(some.faces, every.faces[counts])
        first = cast(mesh, origins, directions, FIRST, latest, soonest)
        assert np.all((first.times >= soonest) & ((first.times <= latest) | (first.times == np.inf)))
