import gc
import weakref

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.bodies.mesh_body import body_of
from firstcontact.scalar.error_bounds import UNIT_ROUNDOFF
from properties.rigid_families import degenerate_soup, soup

RNG = np.random.default_rng(12)


@pytest.mark.parametrize("place", [0.0, 1e3, 1e8])
@pytest.mark.parametrize("make", [soup, degenerate_soup])
def test_triangles_are_those_of_the_mesh_seen_from_its_centroid(place, make):
    mesh = make(RNG)
    mesh = fc.Mesh(mesh.vertices + place, mesh.faces)
    body = body_of(mesh)
    corners = mesh.vertices[mesh.faces][body.order].astype(np.longdouble)
    exact = corners - np.array(body.origin, np.longdouble)
    own = body.triangles[:, :9].reshape(-1, 3, 3)
    assert body.origin == tuple(mesh.centroid.tolist())
    assert np.abs(own - exact).max() <= UNIT_ROUNDOFF * np.abs(exact).max()
    assert np.sqrt((exact**2).sum(axis=-1)).max() <= body.reach * (1.0 + 4.0 * UNIT_ROUNDOFF)
    assert np.linalg.norm(own, axis=-1).max() >= body.reach * (1.0 - 1e-14)
    assert sorted(body.order.tolist()) == list(range(mesh.n_faces))


def test_a_body_is_made_once_and_goes_with_its_mesh():
    mesh = soup(RNG)
    assert body_of(mesh) is body_of(mesh)
    content = weakref.ref(mesh.content)
    del mesh
    gc.collect()
    assert content() is None


def test_vertices_without_faces_do_not_count():
    mesh = fc.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [900, 900, 900]], [[0, 1, 2]])
    assert body_of(mesh).reach < 1.0


def test_meshes_without_extent():
    point = body_of(fc.Mesh([[1, 2, 3]], [[0, 0, 0]]))
    assert point.reach == 0.0
    assert point.origin == (1.0, 2.0, 3.0)
    for empty in (fc.Mesh([], []), fc.Mesh([[1, 2, 3]], np.empty((0, 3), int))):
        body = body_of(empty)
        assert (len(body.children), len(body.triangles), len(body.order), body.reach) == (0, 0, 0, 0.0)


@pytest.mark.parametrize("scale", [1e-200, 1e-6, 1e6, 1e40])
def test_bodies_of_any_size(scale):
    mesh = soup(RNG)
    body, scaled = body_of(mesh), body_of(fc.Mesh(scale * mesh.vertices, mesh.faces))
    if scale > 1e-160:  # squares of shorter lengths underflow
        assert scaled.reach == pytest.approx(scale * body.reach, rel=1e-12)
    assert np.allclose(
        scaled.triangles / scale, body.triangles[np.argsort(body.order)][scaled.order], atol=1e-12
    )
