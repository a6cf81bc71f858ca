import numpy as np
import pytest

import firstcontact as fc
from firstcontact.scene.bodies import Bodies
from firstcontact.scene.body_names import as_bodies
from firstcontact.scene.solving import Ask, earliest, solve
from scene.scenes import random_things

SIZES = np.array([[1.0, 3.0], [0.25, 100.0], [0.0, 2.0], [0.0, 0.0], [1e-40, 1e40]])


def test_tolerances_are_powers_of_two_up_to_a_millionth_of_the_size():
    tolerances = Ask(None, 0.0).tolerances(SIZES)
    most = 1e-6 * np.array([1.0, 0.25, 2.0, 0.0, 1e-40])
    assert (tolerances <= most).all()
    assert (tolerances >= 0.5 * most).all()
    assert set(np.frexp(tolerances)[0]) == {0.0, 0.5}
    assert Ask(0.3, 0.0).tolerances(SIZES).tolist() == [0.3] * len(SIZES)


def test_margins_of_two_make_up_for_what_counts_as_contact():
    for tolerance in (None, 0.3):
        ask = Ask(tolerance, 0.1)
        sums = ask.margins(SIZES[:, 0]) + ask.margins(SIZES[:, 1])
        assert (sums >= 0.1 + 0.5 * ask.tolerances(SIZES)).all()


@pytest.mark.parametrize("seed", range(3))
def test_the_earliest_is_that_of_all_whatever_the_bounds(seed):
    bodies = Bodies()
    bodies.add(as_bodies(random_things(30, seed), {}))
    pairs = np.stack(np.triu_indices(30, 1), axis=1).astype(np.int32)
    ask = Ask(None, 0.05)
    times = solve(bodies, pairs, ask).time
    for bounds in (np.zeros(len(pairs)), times, 0.5 * np.minimum(times, 1.0)):
        found = earliest(bodies, pairs, bounds, ask)
        assert found.time == times.min() == times[found.number]
    assert earliest(bodies, pairs, times, ask).n_solved <= earliest(bodies, pairs, 0.0 * bounds, ask).n_solved


def test_nothing_to_solve():
    none = np.empty((0, 2), np.int32)
    assert earliest(Bodies(), none, np.empty(0), Ask(None, 0.0)) == (-1, np.inf, 0)
    assert len(solve(Bodies(), none, Ask(None, 0.0)).time) == 0


def test_shapes_that_are_no_small_meshes_arrive_after_these_were_asked_about():
    """Where small meshes are in a table is known of shapes that come later, too: they are not in it."""
    box, here = fc.Box([1, 1, 1]).mesh, np.eye(3)
    scene = fc.Scene(a=box, b=fc.Box([2, 1, 1]).mesh.at((here, [0.5, 0, 0])))
    assert len(scene.contacts()) == 1
    strand = fc.Strands([[0, 0, 0], [3, 0, 0]], [2], 0.1)
    scene.add(strand=strand, thick=fc.Mesh(box.vertices, box.faces, thickness=0.1))
    scene.add("voxels", fc.Voxels(np.ones((2, 2, 2), bool), 0.3))
    anew = fc.Scene(scene.things)
    assert scene.contacts().names == anew.contacts().names
    assert scene.first_contact().time == 0.0
