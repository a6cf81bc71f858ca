"""The tree that a mesh keeps: what is done to it from step to step."""

import gc

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
    vertices, faces = grid(20, 20)
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
    assert mesh in mesh_tree._trees
    assert mesh in mesh_tree._contours
    before = len(mesh_tree._trees), len(mesh_tree._contours)
    del mesh
    gc.collect()
    assert (len(mesh_tree._trees), len(mesh_tree._contours)) == (before[0] - 1, before[1] - 1)
