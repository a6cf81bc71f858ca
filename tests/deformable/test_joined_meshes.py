"""Meshes one behind the other: what is kept, and that it follows what changes."""

import gc
from weakref import ref

import numpy as np

import firstcontact as fc
from firstcontact.deformable import joined_meshes
from firstcontact.deformable.joined_meshes import joined
from firstcontact.deformable.problem import pose_problem
from firstcontact.hierarchy.traversal import NOT_ASKED, SMOOTH


def wavy(n, seed=0):
    x, y = (axis.reshape(-1) for axis in np.meshgrid(*(np.linspace(0, 1, n),) * 2, indexing="ij"))
    z = 0.02 * np.sin(5 * x + seed)
    i = np.arange(n * n).reshape(n, n)
    a, b, c, d = (part.reshape(-1) for part in (i[:-1, :-1], i[1:, :-1], i[1:, 1:], i[:-1, 1:]))
    return fc.Mesh(
        np.stack([x, y, z], axis=1), np.concatenate([np.stack(f, axis=1) for f in ((a, b, c), (a, c, d))])
    )


def test_a_list_is_put_together_once_and_let_go_with_its_first_mesh():
    meshes = [wavy(4), wavy(5), wavy(6)]
    topology, _ = joined(meshes)
    assert joined(meshes)[0] is topology
    assert joined(meshes[::-1])[0] is not topology
    gone = ref(topology.faces)
    del topology, meshes[0]
    gc.collect()
    assert gone() is None


def test_the_same_mesh_twice_is_two_things_and_trees_that_become_loose_are_repaired():
    mesh, rng = wavy(20), np.random.default_rng(0)
    still, mixed = mesh.deforming(mesh.vertices, mesh.vertices), rng.permutation(mesh.vertices)
    things = [still, still]
    first = pose_problem(things, 0.0, fc.Culling())
    again = pose_problem(things, 0.0, fc.Culling())
    assert first.actions[0] == "rebuilt"
    assert set(again.actions) == {"refit"}
    assert again.trees[1] is first.trees[1]
    moved = pose_problem([still, mesh.deforming(mixed, mixed)], 0.0, fc.Culling())
    assert moved.actions[0] == "refit"
    assert moved.actions[1] != "refit"
    assert moved.trees[0] is first.trees[0]
    assert moved.trees[1] is not first.trees[1]


def test_smooth_regions_are_told_of_what_is_asked_about_itself_alone():
    meshes = [wavy(30), wavy(3), wavy(28, seed=1)]
    things = [mesh.deforming(mesh.vertices, mesh.vertices + 0.1) for mesh in meshes]
    problem = pose_problem(things, 0.0, fc.Culling(), is_asked=(True, False, True))
    quiet, roots = problem.pairing.quiet, problem.forest.roots
    for k in (0, 2):
        alone = pose_problem([things[k]], 0.0, fc.Culling(), known=[problem.trees[k]])
        assert np.array_equal(quiet[roots[k] : roots[k + 1]], alone.pairing.quiet)
        assert (alone.pairing.quiet == SMOOTH).any()
    middle = quiet[roots[1] : roots[2]]
    assert middle[0] == NOT_ASKED
    assert not middle[1:].any()
    assert not quiet[: roots[0]].any()
    known = joined_meshes._known[meshes[0]].smooth
    assert pose_problem(things, 0.0, fc.Culling(), is_asked=(True, False, True)).pairing.quiet.any()
    assert joined_meshes._known[meshes[0]].smooth is known
