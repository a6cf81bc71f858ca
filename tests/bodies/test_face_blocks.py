"""By the grid of a height field, rays and points find what they find by a tree that is built, to the bit."""

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.bodies import point_body, ray_body
from firstcontact.bodies.face_blocks import face_blocks
from firstcontact.bodies.point_body import point_body_of
from firstcontact.bodies.ray_body import _bodies_of
from firstcontact.proximity.points.closest_on_mesh import closest_on_mesh
from firstcontact.proximity.rays.ray_hits import ALL, FIRST, Rays
from firstcontact.proximity.rays.ray_mesh import cast_at_mesh

IDENTITY = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0), (0.0, 0.0, 0.0)
N = 200  # rays or points of a kind


@pytest.fixture(autouse=True)
def _trees_are_not_kept(monkeypatch):
    """A mesh has the tree that was made first for its triangles: here each is to have its own."""
    for module in (point_body, ray_body):
        monkeypatch.setattr(module, "face_blocks", face_blocks.__wrapped__)


def hills(m, n, seed=0):
    rng = np.random.default_rng(seed)
    x, y = np.meshgrid(np.arange(m), np.arange(n), indexing="ij")
    return 2.0 * np.sin(0.5 * x) * np.cos(0.4 * y) + 0.2 * rng.standard_normal((m, n))


FIELDS = {
    "hills": (hills(33, 41), 1.0),
    "stretched": (hills(20, 50), (0.3, 2.0)),
    "flat": (np.ones((18, 9)), 0.5),
    "steps": (np.round(hills(25, 25)), 1.0),
    "one cell": (hills(2, 2), 1.0),
    "one row": (hills(2, 60), 1.0),
    "one column": (hills(60, 2), 1.0),
    "spikes": (1e6 * (hills(15, 15) > 1.5), 1e-3),
}


def samples(field, rng):
    """Places anywhere in the box, on the grid's lines, on diagonals, at vertices, and on the surface."""
    low, high = field.bounds
    anywhere = rng.uniform(low, high, (N, 3))
    step = np.array([*field.spacing, 1.0])
    on_line = anywhere.copy()
    on_line[:, 0] = step[0] * np.round(anywhere[:, 0] / step[0])
    shares = rng.dirichlet((1, 1, 1), N)
    on_face = np.einsum("nk,nkd->nd", shares, field.vertices[rng.choice(field.faces, N)])
    along = rng.random((N, 1))
    ends = field.vertices[rng.choice(field.faces, N)]
    on_edge = along * ends[:, 0] + (1 - along) * ends[:, 2]
    return np.concatenate([anywhere, on_line, on_face, on_edge, rng.choice(field.vertices, N)])


def rays_at(field, rng):
    """Rays through those places: of any direction, along axes, borders and diagonals, from near and far."""
    through = samples(field, rng)
    dx, dy = field.spacing
    ways = np.array(
        [[1, 0, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1], [dx, dy, 0], [-dx, dy, 0], [dx, dy, -1e-9]]
    )
    origins, directions = [], []
    for back in (0.0, 1.0, 1e3, 1e9):
        d = rng.standard_normal(through.shape)
        fixed = rng.random(len(d)) < 0.5
        d[fixed] = rng.choice(ways, np.count_nonzero(fixed))
        origins.append(through - back * d)
        directions.append(d)
    between = rng.permutation(through) - through
    is_way = np.any(between != 0.0, axis=1)
    return np.concatenate([*origins, through[is_way]]), np.concatenate([*directions, between[is_way]])


def built(field):
    """Give the same triangles as a mesh like any other."""
    return fc.Mesh(field.vertices, field.faces)


@pytest.mark.parametrize("name", FIELDS)
def test_rays_meet_the_same(name):
    field = fc.HeightField(*FIELDS[name])
    o, d = rays_at(field, np.random.default_rng(len(name)))
    bodies = [_bodies_of.__wrapped__(mesh)[0] for mesh in (field, built(field))]
    for wanted in (FIRST, ALL):
        rays = Rays(o, d, *IDENTITY, 0.0, np.inf)
        by_grid, by_tree = (cast_at_mesh(body, rays, len(o), wanted) for body in bodies)
        for mine, right in zip(by_grid, by_tree, strict=True):
            np.testing.assert_array_equal(mine, right)
        assert np.count_nonzero(np.isfinite(by_tree.times)) > len(o) // 20
    assert not np.array_equal(bodies[0].faces, bodies[1].faces) or len(field.faces) <= 8


@pytest.mark.parametrize("name", FIELDS)
def test_points_are_closest_to_the_same(name):
    field = fc.HeightField(*FIELDS[name])
    rng = np.random.default_rng(len(name))
    on = samples(field, rng)
    size = np.max(field.bounds[1] - field.bounds[0])
    points = np.concatenate([on, on + 0.1 * size * rng.standard_normal(on.shape)])
    found = []
    for mesh in (field, built(field)):
        body = point_body_of.__wrapped__(mesh)
        places, *rest = closest_on_mesh(body, points)
        found.append((body.faces[places], *rest))
    for mine, right in zip(*found, strict=True):
        np.testing.assert_array_equal(mine, right)
