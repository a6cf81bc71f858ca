"""Proven deviations against closed forms, and against points of both solids that others have measured."""

import numpy as np
import pytest
import trimesh

import firstcontact as fc
from firstcontact.queries.decomposing.farthest_in_boxes import NEARNESS
from firstcontact.queries.decomposing.parts_deviation import parts_deviation
from oracles.corner_beam import corner_beam


def box(lower, upper):
    return fc.ConvexHull(np.array(np.meshgrid(*zip(lower, upper, strict=True))).reshape(3, -1).T)


BEAM = corner_beam()
LEGS = [box([0, 0, 0], [2, 1, 1]), box([0, 0, 0], [1, 2, 1])]
HULL = [fc.ConvexHull(BEAM.vertices)]


@pytest.mark.parametrize(
    ("parts", "beyond", "short"), [(LEGS, 0.0, 0.0), (HULL, 0.5, 0.0), (LEGS[:1], 0.0, 1.0)]
)
def test_closed_forms(parts, beyond, short):
    tolerance = 0.25
    found = parts_deviation(BEAM, parts, tolerance)
    for bound, truth in zip(found, (beyond, short), strict=True):
        assert truth <= bound <= truth + NEARNESS * max(tolerance, truth) + 1e-9
    assert found.largest == max(found)


def test_it_is_the_solid_that_is_covered():
    """A cavity is far from the shell around it, and what is missing in the middle from the parts."""
    ball, core = fc.Sphere(1.0).mesh, fc.Sphere(0.5).mesh
    n = ball.n_vertices
    shell = fc.Mesh(
        np.concatenate([ball.vertices, core.vertices]), np.concatenate([ball.faces, core.faces[:, ::-1] + n])
    )
    beyond, short = parts_deviation(shell, [fc.ConvexHull(ball.vertices)], 0.2)
    assert 0.48 <= beyond <= 0.6
    assert short <= 0.06
    halves = [fc.ConvexHull(ball.vertices[ball.vertices[:, 2] * side >= 0.3] * [1, 1, 1]) for side in (-1, 1)]
    beyond, short = parts_deviation(ball, halves, 0.2)
    assert beyond <= 0.06
    assert 0.3 <= short <= 0.5  # the belt between both, at least


@pytest.mark.parametrize("seed", range(3))
def test_no_point_is_farther(seed):
    rng = np.random.default_rng(seed)
    scale, middle = 10.0 ** rng.uniform(-3, 3), rng.normal(size=3) * 10.0
    mesh = fc.Mesh(
        (fc.Sphere(1.0).mesh.vertices * rng.uniform(0.4, 1.0, 3) + middle) * scale, fc.Sphere(1.0).mesh.faces
    )
    parts = [fc.ConvexHull(mesh.vertices[rng.choice(mesh.n_vertices, 30)]) for _ in range(3)]
    found = parts_deviation(mesh, parts, 0.2 * scale)
    peer = trimesh.Trimesh(mesh.vertices, mesh.faces, process=False)
    weights = rng.dirichlet(np.full(30, 0.05), size=300)
    inner = np.concatenate(
        [
            weights[:, : len(p.points)] / weights[:, : len(p.points)].sum(1, keepdims=True) @ p.points
            for p in parts
        ]
    )
    assert -trimesh.proximity.signed_distance(peer, inner).min() <= found.parts_to_mesh + 1e-9 * scale
    points = np.concatenate([peer.sample(300, seed=seed), mesh.vertices])
    short = np.min([fc.signed_distance(part, points).distance for part in parts], axis=0).max()
    assert short <= found.mesh_to_parts <= short + 0.3 * scale
