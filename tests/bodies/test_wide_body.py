import gc
import weakref

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.bodies.mesh_body import body_of
from firstcontact.bodies.wide_body import WIDTH, wide_body_of
from firstcontact.bounds.block_gaps import RADIUS
from properties.rigid_families import degenerate_soup, soup

RNG = np.random.default_rng(32)


def triangles_below(body, node):
    """All triangles below a node, and check that the tree is one."""
    block = body.blocks_of[node]
    if block < 0:
        return [~block]
    children = [child for child in body.nodes[block].tolist() if child >= 0]
    assert len(children) >= 2
    return [triangle for child in children for triangle in triangles_below(body, child)]


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 17, 300])
def test_every_triangle_is_below_the_root_once(n):
    body = wide_body_of(soup(RNG, n))
    assert sorted(triangles_below(body, 0)) == list(range(n))
    assert len(body.nodes) <= max(n - 1, 0)


def test_blocks_are_the_volumes_of_the_tree():
    mesh = soup(RNG, 100)
    narrow, wide = body_of(mesh), wide_body_of(mesh)
    for nodes, block in zip(wide.nodes, wide.blocks, strict=True):
        n = np.count_nonzero(nodes >= 0)
        assert np.all(nodes[n:] == -1)
        assert np.array_equal(block[:, :n].T, narrow.volumes[nodes[:n], : RADIUS + 1])
        assert np.all(block[RADIUS, n:] == -np.inf)
        assert np.all(block[:RADIUS, n:] == 0.0)
    assert np.count_nonzero(wide.nodes >= 0) > 0.6 * WIDTH * len(wide.nodes)


def test_nothing_and_next_to_nothing():
    assert wide_body_of(fc.Mesh([], [])).blocks.shape == (0, RADIUS + 1, WIDTH)
    assert wide_body_of(fc.Mesh([[1, 2, 3]], [[0, 0, 0]])).blocks_of.tolist() == [~0]
    same = fc.Mesh([[1, 2, 3]], [[0, 0, 0]] * 50)
    assert sorted(triangles_below(wide_body_of(same), 0)) == list(range(50))


def test_it_is_made_once_and_goes_with_its_mesh():
    mesh = degenerate_soup(RNG)
    assert wide_body_of(mesh) is wide_body_of(mesh)
    content = weakref.ref(mesh.content)
    del mesh
    gc.collect()
    assert content() is None
