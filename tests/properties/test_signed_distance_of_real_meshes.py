"""Signed distances of real meshes: against libigl."""

import numpy as np
import pytest

import firstcontact as fc

pytestmark = pytest.mark.shared_data

NAMES = ("armadillo", "bunny", "dragon", "gear", "hammer", "jack", "knot", "propeller", "teapot")


@pytest.mark.parametrize("name", NAMES)
def test_distances_and_sides_are_those_of_libigl(name, shared_data):
    igl = pytest.importorskip("igl")
    mesh = fc.load(shared_data(f"meshes/{name}.obj"))
    rng = np.random.default_rng(0)
    low, high = mesh.bounds
    size = float(np.linalg.norm(high - low))
    n = 2000
    corners = mesh.vertices[mesh.faces[rng.integers(0, mesh.n_faces, n)]]
    on = np.einsum("ni,nij->nj", rng.dirichlet([1, 1, 1], n), corners)
    around = rng.uniform(low - 0.1 * size, high + 0.1 * size, (n, 3))
    points = np.concatenate([around, on + 0.01 * size * rng.normal(size=(n, 3))])
    faces = mesh.faces.astype(np.int64)
    found = fc.signed_distance(mesh, points)
    squared = igl.point_mesh_squared_distance(points, mesh.vertices, faces)[0]
    np.testing.assert_allclose(np.abs(found.distance), np.sqrt(squared), rtol=0, atol=1e-14 * size)
    winding = np.abs(igl.fast_winding_number(mesh.vertices, faces, points))
    is_clear = (np.abs(winding - 0.5) > 0.1) & (np.abs(found.distance) > 1e-9 * size)
    np.testing.assert_array_equal((found.distance < 0)[is_clear], (winding > 0.5)[is_clear])
    if found.sign == "pseudonormal":
        theirs = igl.signed_distance(points, mesh.vertices, faces, igl.SIGNED_DISTANCE_TYPE_PSEUDONORMAL)[0]
        # Of a mesh whose vertices are doubled, theirs are wrong at times, as their own winding numbers say.
        differs = np.sign(found.distance) != np.sign(theirs)
        assert is_clear[differs].all()
        assert differs.mean() < (0.01 if name == "bunny" else 1e-9)
