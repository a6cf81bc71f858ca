import numpy as np
import pytest

import firstcontact as fc
from firstcontact.proximity.penetration.sphere_penetration import sphere_mesh_penetrations
from firstcontact.queries.penetration import penetration

CUBE = fc.Box([2, 2, 2]).mesh


def measured(radius, places, mesh=CUBE, pose=None):
    rows = fc.Sphere(radius).at((np.eye(3), np.array(places, float))).motion.rows()[:, 0]
    return sphere_mesh_penetrations(
        radius,
        mesh,
        np.ascontiguousarray(rows),
        mesh.at(np.eye(4) if pose is None else pose).motion.rows()[:, 0],
    )


def test_outside_inside_and_on_the_surface():
    found = measured(0.5, [[1.25, 0, 0.1], [0.75, 0, 0.1], [1.0, 0.2, 0.3], [1.75, 0, 0]])
    assert found.depth.tolist() == pytest.approx([0.25, 0.75, 0.5, 0.0])
    assert found.is_overlapping.tolist() == [True, True, True, False]
    assert np.allclose(found.direction[:3], [-1, 0, 0])
    assert np.isnan(found.direction[3]).all()
    assert np.allclose(found.points_a[:3], [[0.75, 0, 0.1], [0.25, 0, 0.1], [0.5, 0.2, 0.3]])
    assert np.allclose(found.points_b[:3], [[1, 0, 0.1], [1, 0, 0.1], [1, 0.2, 0.3]])


def test_it_agrees_with_the_convex_shape():
    rng = np.random.default_rng(0)
    box, turn = fc.Box([2, 2, 2]), np.eye(4)
    turn[:3, :3] = [[0, -1, 0], [0.6, 0, -0.8], [0.8, 0, 0.6]]
    turn[:3, 3] = [5, 6, 7]
    places = turn[:3, 3] + rng.normal(size=(50, 3))
    found = measured(0.3, places, pose=turn)
    exact = penetration(fc.Sphere(0.3).at((np.eye(3), places)), box.at(turn))
    assert (found.is_overlapping == exact.is_overlapping).all()
    assert np.allclose(found.depth, exact.depth, atol=1e-14)
    assert np.allclose(found.direction, exact.direction, atol=1e-9, equal_nan=True)
