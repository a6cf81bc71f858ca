"""Directions that are tried first: whatever they are, what is found are the same bits."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import firstcontact as fc
from firstcontact._jit import threads_limited
from firstcontact.advancement.ask import Ask
from firstcontact.scene import convex_frame as frames
from firstcontact.scene.convex_frame import convex_frame
from firstcontact.scene.kept_directions import NO_DIRECTIONS, Directions
from scene.scenes import CUBE, SHAPES

N = 90


def _scene(seed, turn, size):
    rng = np.random.default_rng(seed)
    shapes = (*SHAPES, fc.Rounded(fc.Box([0.4, 0.4, 0.4]), 0.1), CUBE)
    scene = fc.Scene({str(i): shapes[i % len(shapes)] for i in range(N)})
    starts, places = Rotation.random(N, rng=rng).as_matrix(), size * rng.uniform(-1, 1, (N, 3))
    turns = Rotation.from_rotvec(turn * rng.normal(size=(N, 3))).as_matrix()
    ways = 0.2 * rng.normal(size=(N, 3))
    return scene, rng, ((starts, places), (turns @ starts, places + ways))


def _met(scene, ask, before):
    state = scene._state(ask)
    pairs = state.pairs(10**6)
    return convex_frame(state.bodies, state.bodies.margins(ask), pairs, ask, before), pairs


def _found(met):
    return [array.tobytes() for array in (met.pairs, met.status, met.numbers, met.others)]


@pytest.mark.parametrize("size", [2.0, 2e6])
@pytest.mark.parametrize("turn", [0.0, 0.1, 1.0])
@pytest.mark.parametrize("separation", [0.0, 0.1])
def test_what_is_found_does_not_depend_on_what_is_tried(separation, turn, size):
    scene, rng, (starts, ends) = _scene(int(10 * turn), turn, min(size, 2.0))
    far = np.array([size, -size, size]) if size > 2.0 else np.zeros(3)
    ask = Ask.checked(tolerance=None, min_separation=separation)
    scene.move(scene.ids, (starts[0], starts[1] + far), (ends[0], ends[1] + far))
    plain, pairs = _met(scene, ask, NO_DIRECTIONS)
    assert len(plain.pairs) > 20
    keys = pairs[:, 0].astype(np.int64) << 32 | pairs[:, 1]
    assert set(plain.apart.keys) < set(keys)
    guesses = rng.normal(size=(len(keys), 3))
    guesses /= np.linalg.norm(guesses, axis=1, keepdims=True)
    nonsense = np.where(rng.random((len(keys), 1)) < 0.5, np.nan, 0.0) * np.ones(3)
    for before in (plain.apart, Directions(keys, guesses), Directions(keys, nonsense)):
        met, _ = _met(scene, ask, before)
        assert _found(met) == _found(plain)
        assert met.n_due == plain.n_due
        np.testing.assert_array_equal(met.apart.keys, plain.apart.keys)


def test_directions_of_the_step_before_save_searches(monkeypatch):
    """What is kept is tried: a direction that no search would give comes back."""
    scene, _, (starts, ends) = _scene(5, 0.05, 2.0)
    ask = Ask.checked(tolerance=None, min_separation=0.0)
    scene.move(scene.ids, starts, ends)
    plain, _ = _met(scene, ask, NO_DIRECTIONS)
    tilted = plain.apart.directions + 1e-9
    tilted /= np.linalg.norm(tilted, axis=1, keepdims=True)
    met, _ = _met(scene, ask, Directions(plain.apart.keys, tilted))
    is_tried = (met.apart.directions == tilted).all(axis=1)
    assert 0.4 < is_tried.mean() < 1.0
    monkeypatch.setattr(frames, "WORTH_A_THREAD", 4)
    with threads_limited(2):
        shared, _ = _met(scene, ask, Directions(plain.apart.keys, tilted))
    assert _found(shared) == _found(met) == _found(plain)
    np.testing.assert_array_equal(shared.apart.keys, met.apart.keys)
    np.testing.assert_array_equal(shared.apart.directions, met.apart.directions)


def test_frames_of_a_scene_are_those_of_one_made_anew():
    scene, rng, ((turns, places), _) = _scene(7, 0.1, 2.0)
    ways = 0.1 * rng.normal(size=(N, 3))
    spins = Rotation.from_rotvec(0.1 * rng.normal(size=(N, 3))).as_matrix()
    for _ in range(6):
        scene.move(scene.ids, (turns, places), (spins @ turns, places + ways))
        turns, places = spins @ turns, places + ways
        found = scene.contacts()
        assert found == fc.Scene(scene.things).contacts()
        assert len(scene._candidates._guesses.directions.keys) > 20
    assert len(found) > 5
