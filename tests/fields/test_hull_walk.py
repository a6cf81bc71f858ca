"""No triangle in a hull of balls: what is said to be free is, and what is far from any triangle is free."""

import numpy as np
import pytest
import trimesh

import firstcontact as fc
from firstcontact._jit import driver
from firstcontact.bodies.point_body import point_body_of
from firstcontact.fields.hull_walk import hull_of, hull_room, is_free
from oracles.point_meshes import distances_to_faces
from samples import sample

SLACK = 1e-12


@driver
def _is_free(body, room, axis):
    return is_free(body, hull_of(room.balls, axis, SLACK), room, SLACK)


def points_of(balls, rng, n=400):
    """Points of the hull of balls: means of points of theirs."""
    weights = rng.dirichlet(np.full(8, 0.3), n)
    inner = rng.normal(size=(n, 3))
    inner *= rng.random((n, 1)) ** (1 / 3) / np.linalg.norm(inner, axis=1, keepdims=True)
    return weights @ balls[:, :3] + (weights @ balls[:, 3:]) * inner


@pytest.fixture(scope="module")
def mesh():
    ball = fc.Mesh.from_trimesh(trimesh.creation.icosphere(2))
    return fc.Mesh(
        ball.vertices * np.random.default_rng(0).uniform(0.6, 1.0, (ball.n_vertices, 1)), ball.faces
    )


def test_a_free_hull_has_no_triangle_in_it(mesh):
    body, rng = point_body_of(mesh), np.random.default_rng(1)
    room, n_free, n_close = hull_room(body.depth), 0, 0
    for _ in range(sample(75, of=150)):
        middle = rng.uniform(-1.2, 1.2, 3)
        balls = np.column_stack([middle + rng.normal(0, 0.1, (8, 3)), rng.choice([0.0, 0.05, 0.3], 8)])
        room.balls[:, :3] = balls[:, :3] * body.factor - np.array(body.middle)
        room.balls[:, 3] = balls[:, 3] * body.factor
        axis = rng.normal(size=3)
        told = _is_free(body, room, tuple((axis / np.linalg.norm(axis)).tolist()))
        points = points_of(balls, rng)
        # Through a surface there is no way from a point of the hull to another without meeting it.
        inside = fc.contains(mesh, points)
        if told:
            assert inside.all() or not inside.any()
            n_free += 1
        elif distances_to_faces(points, mesh.vertices, mesh.faces).min() > 0.2:
            n_close += 1
    assert n_free > 20
    assert n_close < 3
