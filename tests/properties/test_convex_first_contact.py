"""First contacts of convex shapes against the oracle: never late, none missed, not too early."""

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.status import Status
from properties.convex_claims import ask, complaints
from properties.convex_motions import MOTIONS, Moves, generate_moves
from samples import sample

# Tolerances, as parts of the smaller shape's size, taken in turn.
TOLERANCES = (1e-6, 1e-3, 1e-10)

NORMALS = "normal does not part"

every_family = pytest.mark.parametrize("family", MOTIONS)


def asked_of(families, seeds, separation=0.0):
    return [
        ask(generate_moves(family, seed), TOLERANCES[seed % len(TOLERANCES)], separation)
        for family in families
        for seed in seeds
    ]


def test_the_claims_hold():
    questions = asked_of(MOTIONS, range(sample(1, of=3)))
    assert complaints(questions) == []
    hits = np.concatenate([question.found.hit for question in questions])
    assert 0.2 < hits.mean() < 0.8  # a family without both would test little


def test_the_claims_hold_with_a_separation():
    assert (
        complaints(asked_of(["thrown and turning", "grazing", "whole numbers"], range(100, 102), 0.05)) == []
    )


def test_normals_part_the_shapes():
    assert complaints(asked_of(["translation", "grazing", "tilting"], [3000, 3004, 3030])) == []


def test_a_limit_of_steps_gives_a_time_that_is_safe():
    moves = [generate_moves(family, 300) for family in ("many turns", "spin", "both", "translation")]
    questions = [ask(move, 1e-6, max_iterations=2) for move in moves]
    assert complaints(questions, but=["out of iterations"]) == []
    assert any(np.any(question.found.status == Status.MAX_ITERATIONS) for question in questions)


@pytest.mark.parametrize("family", ["thrown and turning", "both", "from overlap"])
def test_a_and_b_may_be_swapped(family):
    moves = generate_moves(family, 200)
    there, back = (ask(pair, 1e-9).found for pair in (moves, Moves(moves.b, moves.a)))
    assert np.array_equal(there.hit, back.hit)
    assert np.allclose(there.time[there.hit], back.time[there.hit], rtol=0.0, atol=1e-6)


@pytest.mark.parametrize("family", ["translation", "both"])
def test_one_motion_is_answered_as_in_a_batch(family):
    moves = generate_moves(family, 400)
    _, tolerance, _, batch = ask(moves, 1e-6)
    for k in range(3):
        start = [(m.motion.rotations[k, 0], m.motion.translations[k, 0]) for m in moves]
        speeds = [(m.motion.velocities[k, 0], m.motion.angular_velocities[k, 0]) for m in moves]
        a, b = (
            m.shape.moving(pose, velocity=v, angular_velocity=w)
            for m, pose, (v, w) in zip(moves, start, speeds, strict=True)
        )
        one = fc.first_contact(a, b, tolerance=tolerance)
        assert one.status == batch.status[k]
        assert one.time == pytest.approx(batch.time[k], abs=1e-12)
        assert fc.safe_step(a, b, tolerance=tolerance) == min(one.time, 1.0)
        assert bool(one) == (one.status != Status.SEPARATED)


@pytest.mark.slow
@every_family
def test_the_claims_hold_for_many(family):
    for first in range(1000, 1100, 20):
        assert complaints(asked_of([family], range(first, first + 20), [0.0, 0.05][first // 20 % 2])) == []
