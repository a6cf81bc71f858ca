"""The tree that a mesh keeps: what is done to it from step to step."""

import gc
import pickle
from weakref import ref

import numpy as np

import firstcontact as fc
from firstcontact.deformable import mesh_tree
from properties.meshes import grid


def crumpled(vertices, amount, seed=0):
    return vertices + amount * np.random.default_rng(seed).standard_normal(vertices.shape)


def test_a_tree_is_used_again_while_it_fits():
    vertices, faces = grid(20, 20)
    mesh = fc.Mesh(vertices, faces)
    actions = [
        fc.contacts(mesh.deforming(vertices + step, vertices + step + 0.1)).stats.trees[0]
        for step in range(4)
    ]
    assert actions == ["rebuilt", "refit", "refit", "refit"]


def test_a_tree_that_no_longer_fits_is_not():
    vertices, faces = grid(10, 10)
    mesh = fc.Mesh(vertices, faces)
    fc.contacts(mesh.deforming(vertices, vertices))
    elsewhere = np.random.default_rng(1).permutation(vertices)
    mixed = fc.contacts(mesh.deforming(elsewhere, elsewhere))
    assert mixed.stats.trees[0] != "refit"
    fresh = fc.contacts(fc.Mesh(vertices, faces).deforming(elsewhere, elsewhere))
    assert mixed.ids_a.tobytes() == fresh.ids_a.tobytes()


def test_a_mesh_that_is_gone_leaves_nothing_behind():
    vertices, faces = grid(40, 40)
    mesh = fc.Mesh(vertices, faces)
    fc.contacts(mesh.deforming(vertices, crumpled(vertices, 0.01)))
    assert mesh_tree._kept[mesh].contours is not None
    gc.collect()  # those of other tests
    before, content = len(mesh_tree._kept), ref(mesh.content)
    del mesh
    gc.collect()
    assert len(mesh_tree._kept) == before - 1
    assert content() is None


def test_a_copy_begins_with_the_last_tree_and_follows_its_own_steps():
    vertices, faces = grid(10, 10)
    mesh, twin = fc.Mesh(vertices, faces), fc.Mesh(vertices, faces)
    away = np.random.default_rng(1).permutation(vertices)
    still, mixed = (vertices, vertices), (away, away)
    assert fc.contacts(mesh.deforming(*still)).stats.trees == ("rebuilt",)
    assert fc.contacts(pickle.loads(pickle.dumps(mesh)).deforming(*still)).stats.trees == ("refit",)
    assert fc.contacts(twin.deforming(*mixed)).stats.trees != ("refit",)
    for _ in range(3):  # neither spoils the other's
        assert fc.contacts(mesh.deforming(*still)).stats.trees == ("refit",)
        assert fc.contacts(twin.deforming(*mixed)).stats.trees == ("refit",)


def test_a_tree_that_comes_from_another_changes_no_answer():
    vertices, faces = grid(12, 12)
    mesh = fc.Mesh(vertices, faces)
    step = crumpled(vertices, 0.3), crumpled(vertices, 0.3, seed=1)
    alone = fc.contacts(mesh.deforming(*step))
    fc.contacts(mesh.deforming(vertices, vertices))
    after = fc.contacts(fc.Mesh(vertices, faces).deforming(*step))
    assert len(alone) > 0
    assert after == alone
