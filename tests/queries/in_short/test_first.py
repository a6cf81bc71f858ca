"""First contacts of single meshes, in short: the bits of who answers at length, fields read in any order."""

import copy
import dataclasses
import itertools
import pickle

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.advancement.ask import USUAL, Ask
from firstcontact.queries.in_short.points import points_in_short
from firstcontact.queries.look_up import in_short
from firstcontact.queries.signed_distance import PointBatch, _asked
from poses import pose, random_poses
from queries.in_both_ways import bits, same
from queries.in_short.test_convexes import AWAY, BALL, BOX, CUBE, HERE, MESHES, SOLIDS
from samples import sample

VERBS = "first_contact", "safe_step", "is_free"
ASKS = USUAL, Ask.checked(tolerance=1e-3, min_separation=0.01), Ask.checked(max_iterations=3)


def ways(shape, seed):
    """Ways of a shape: by one piece and by several, with contact at the start and without, and at rest."""
    poses = random_poses(6, seed=seed)
    poses[::2, :3, 3] *= 3.0
    yield shape.moving(poses[0], poses[1])
    yield shape.moving(poses[2], velocity=-poses[2, :3, 3], angular_velocity=np.array([0.0, 2.0, 1.0]))
    yield shape.along(poses[[4, 1, 2]], path="screw")
    yield shape.moving(HERE, poses[0])
    yield shape.at(poses[2])


@pytest.mark.parametrize("name", MESHES)
def test_meshes_that_move(name):
    a, others = MESHES[name], {**MESHES, **SOLIDS}
    for seed in range(sample(1, of=12)):
        for b in others.values():
            still = b.at(pose((0.1, 0.2, 0.3), (0.2, 0.1, 0.4)))
            for k, way in enumerate(ways(a, seed)):
                for verb in VERBS:
                    assert same(verb, way, still, ASKS[k % len(ASKS)]) is not None
                    assert same(verb, b, way) is not None


def test_fields_can_be_read_in_any_order():
    for a, b in ((CUBE, CUBE), (BALL, CUBE), (CUBE, BALL)):
        for way in (a.moving(AWAY, HERE), a.moving(HERE, AWAY), a.at(AWAY)):
            whole = bits(fc.first_contact(way, b))
            for name in ("features", "time_upper", "points", "normals", "is_truncated", "stats", "status"):
                answer = fc.first_contact(way, b)
                getattr(answer, name)
                assert bits(answer) == whole


@pytest.mark.parametrize("other", [CUBE, BALL], ids=repr)
def test_answers_are_plain_data(other):
    answer = fc.first_contact(CUBE.moving(AWAY, HERE), other)
    for duplicate in (copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x)), dataclasses.replace):
        unread = fc.first_contact(CUBE.moving(AWAY, HERE), other)
        assert duplicate(unread) == answer
        assert bool(unread)
    assert list(fc.first_contact(CUBE.moving(AWAY, HERE), other).things) == ["a", "b"]


def test_what_is_left_to_who_answers_at_length():
    nothing = fc.Mesh([], [])
    for verb in VERBS:
        for one, other in ((nothing, CUBE), (CUBE, nothing), (BALL, nothing), (nothing, BALL)):
            assert in_short(verb, one, other, USUAL) is None
        for other in (CUBE, BALL):
            assert in_short(verb, CUBE.moving(AWAY, HERE), other, Ask.checked(solid=True)) is None
            assert in_short(verb, CUBE.moving(AWAY[np.newaxis], HERE), other, USUAL) is None
            stated = CUBE.along(fc.motion(lambda t: [t, 0.0, 0.0], acceleration_bound=0.0))
            assert in_short(verb, stated, other, USUAL) is None
    assert not fc.first_contact(CUBE.moving(AWAY, HERE), nothing)
    assert fc.safe_step(CUBE.moving(AWAY, HERE), nothing) == 1.0
    assert fc.is_free(CUBE.moving(AWAY, HERE), nothing)


@pytest.mark.parametrize("shape", [CUBE, BALL], ids=["mesh", "ball"])
def test_what_falls_is_as_at_length(shape):
    for verb, other in itertools.product(VERBS, (CUBE, BALL)):
        for pull in ([0.0, 0.0, -9.0], [0.0, 0.0, 9.0]):
            assert same(verb, shape.moving(AWAY, acceleration=pull), other) is not None


def test_solid_says_nothing_new_of_convex_shapes():
    ask = Ask.checked(solid=True)
    for verb in VERBS:
        assert same(verb, BOX.moving(AWAY, HERE), BALL, ask) is not None
    assert fc.first_contact(BOX.moving(AWAY, HERE), BALL, solid=True) == fc.first_contact(
        BOX.moving(AWAY, HERE), BALL
    )


@pytest.mark.parametrize("name", [*MESHES, *SOLIDS])
def test_points_are_measured_as_at_length(name):
    shape, rng = (MESHES | SOLIDS)[name], np.random.default_rng(4)
    things = [shape, shape.at(HERE), *(shape.at(matrix) for matrix in random_poses(6, seed=2))]
    for thing in things:
        for points in (rng.normal(size=3), np.round(rng.normal(size=(40, 3)), 1), rng.normal(size=(99, 3))):
            found = points_in_short(thing, points)
            batch = PointBatch("signed_distance", points, "auto", False)
            assert found is not None
            assert bits(found) == bits(_asked(thing, batch))
            assert bits(found) == bits(fc.signed_distance(thing, points))


def test_other_points_are_left_to_who_measures_at_length():
    falling = CUBE.deforming(CUBE.vertices, CUBE.vertices)
    for thing in (falling, CUBE.moving(AWAY, HERE), CUBE.at(AWAY[np.newaxis])):
        assert points_in_short(thing, np.zeros((2, 3))) is None
    assert points_in_short(CUBE, np.zeros((2, 2, 3))) is None
    assert points_in_short(CUBE, np.zeros((0, 3))) is None
    assert points_in_short(None, np.zeros(3)) is None
