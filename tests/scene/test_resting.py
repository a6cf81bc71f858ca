"""What has not moved touches as it did before, and is not searched again: the bytes of a scene made anew."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import firstcontact as fc
from firstcontact.advancement.ask import Ask
from scene.scenes import CUBE, SHAPES, random_motion

N = 60
COLUMNS = ("ids", "time", "points", "normals", "status")


def _scene(rng, broad_phase="auto"):
    shapes = (*SHAPES, CUBE)
    things = {f"body {i}": random_motion(shapes[i % len(shapes)], rng, size=2.0) for i in range(N)}
    return fc.Scene(things, broad_phase=broad_phase)


def _bytes(found):
    return [getattr(found, name).tobytes() for name in COLUMNS[1:]], found.names


def _check(scene, ignored=(), **asked):
    anew = fc.Scene(scene.things)
    for pair in ignored:
        anew.ignore(*pair)
    found, expected = scene.contacts(**asked), anew.contacts(**asked)
    assert _bytes(found) == _bytes(expected)
    assert scene.first_contact(**asked).time == expected.time[0]
    return found


@pytest.mark.parametrize("broad_phase", ["auto", "sweep", "tree"])
@pytest.mark.parametrize("seed", range(3))
def test_steps_in_which_some_move(broad_phase, seed):
    rng = np.random.default_rng(seed)
    scene, ignored, kept = _scene(rng, broad_phase), [], []
    for step in range(12):
        kind, some = step % 6, rng.choice(N - 2, 5, replace=False)
        names = [f"body {i}" for i in some]
        if kind in (0, 1, 3):
            places = 2.0 * rng.uniform(-1, 1, (5, 3))
            scene.move(names, (np.eye(3), places), velocity=rng.normal(size=(5, 3)))
        elif kind == 2:
            scene.update({names[0]: random_motion(SHAPES[step % 6], rng), names[1]: CUBE.at(np.eye(4))})
        elif kind == 4 and step > 6:
            scene.remove(f"body {N - 1}")
            scene.add("late", SHAPES[0].at(np.eye(4)))
        elif kind == 5:
            scene.ignore(*names[:2])
            ignored.append(names[:2])
        found = _check(scene, ignored)
        _check(scene, ignored, min_separation=0.05)
        kept.append((found, _bytes(found)))
        for written in (scene.contacts(), scene.contacts()):  # answers are the caller's to write to
            written.time[:], written.points[:], written.status[:] = np.nan, 7.0, 9
    for found, before in kept:
        assert _bytes(found) == before


@pytest.mark.parametrize("is_kept", [False, True])
def test_poses_given_again_are_no_motion(is_kept):
    rng, answers = np.random.default_rng(4), []
    scene = _scene(rng)
    starts, places = Rotation.random(N, rng=rng).as_matrix(), 2.0 * rng.uniform(-1, 1, (N, 3))
    solved = []
    for step in range(6):
        if step > 1:
            places[step] += 0.1
        if step == 4:  # another way to move one, whose poses are the same again after it
            scene.move(["body 9"], (np.eye(3), [[0.0, 0.0, 0.0]]))
            _check(scene)
        scene.move(scene.ids, (starts, places), (starts, places))
        found = _check(scene)
        answers += [found] if is_kept else []
        solved.append(found.stats.solved)
    assert solved[0] == solved[1] > 100
    assert max(solved[3:]) < 0.3 * solved[0]


def test_contacts_of_an_older_state_are_not_those_of_a_newer_one():
    """A query that ends after an edit that came meanwhile."""
    scene = _scene(np.random.default_rng(6))
    scene.move(["body 0"], np.eye(4)[np.newaxis])
    state = scene._state(Ask.checked(tolerance=None, min_separation=0.0, assume_free_start=False))
    scene.move(["body 1"], np.eye(4)[np.newaxis])
    scene.contacts()
    state.touching(10**6)
    scene.move(["body 2"], np.eye(4)[np.newaxis])
    _check(scene)


def test_who_falls_on_a_half_space_is_looked_at_each_time():
    """Half-spaces are as large as all others need them."""
    ball, here = fc.Sphere(0.5), np.eye(3)
    scene = fc.Scene(floor=fc.HalfSpace([0, 0, 1]), a=ball.at((here, [0, 0, 0.4])), b=ball)
    for x in (1.0, 10.0, 1e4):
        scene.move(["b"], (here, [[x, 0, 0.3]]))
        assert scene.contacts().names == [("floor", "a"), ("floor", "b")]
