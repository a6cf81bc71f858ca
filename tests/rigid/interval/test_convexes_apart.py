"""Convex shapes that are said to stay apart do: their distances at times in between, by the oracle."""

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.advancement.goal import Goal
from firstcontact.motions.relative_motion import relative_motion
from firstcontact.rigid.interval.convexes_apart import (
    convexes_at,
    convexes_stay_apart,
    direction_stays_between_convexes,
)
from firstcontact.rigid.interval.placement_range import placement_range
from firstcontact.shapes.convex import convex_at, origin_at
from firstcontact.status import Status
from oracles.convex_first_contact import distances_at
from properties.convex_motions import MOTIONS, generate_moves, moving_cores
from samples import sample

FAMILIES = ["thrown and turning", "many turns", "screw", "both", "grazing", "tilting"]


def shape_of(shape):
    table = shape.table
    return convex_at(table.records, 0), table.pool, origin_at(table.records, 0)


def over_of(a, b, row_a, row_b, start, end):
    return placement_range(relative_motion(row_a, row_b, shape_of(a)[2], shape_of(b)[2]), start, end)


@pytest.mark.parametrize("family", FAMILIES)
def test_shapes_stay_apart(family):
    assert family in MOTIONS
    n_apart = 0
    for seed in range(sample(2, of=20)):
        moves = generate_moves(family, 500 + seed)
        (a, pool_a, _), (b, pool_b, _) = shape_of(moves.a.shape), shape_of(moves.b.shape)
        rows_a, rows_b = moves.rows
        start, length = 0.1 * (seed % 5), (0.05, 0.3)[seed % 2]
        times = start + length * np.linspace(0.0, 1.0, 4)
        least = np.min([distances_at(*moving_cores(moves), moves.rows, t).upper for t in times], axis=0)
        for k in range(len(rows_a)):
            over = over_of(moves.a.shape, moves.b.shape, rows_a[k, 0], rows_b[k, 0], start, start + length)
            margin = 1e-9 * (a.reach + b.reach + a.radius + b.radius)
            guess = tuple(-x for x in over.place.offset)
            if convexes_stay_apart(over, a, b, pool_a, pool_b, margin, guess):
                n_apart += 1
                assert least[k] > 0.0
    assert n_apart > 0


def still_and(velocity=(0.0, 0.0, 0.0), turn=(0.0, 0.0, 0.0), place=(0.0, 0.0, 2.0), shape=None):
    shape = shape or fc.Box([1, 1, 1])
    moving = shape.moving((np.eye(3), place), velocity=velocity, angular_velocity=turn)
    other = fc.Box([1, 1, 1])
    rows = moving.motion.rows()[0, 0], other.at(np.eye(4)).motion.rows()[0, 0]
    return over_of(shape, other, *rows, 0.0, 1.0), shape_of(shape), shape_of(other)


def test_a_direction_and_how_a_box_turns():
    down = (0.0, 0.0, -1.0)
    for kept, is_kept in ((0.99, True), (1.01, False)):
        over, (a, pool_a, _), (b, pool_b, _) = still_and()
        assert direction_stays_between_convexes(over, a, b, pool_a, pool_b, down, kept) == is_kept
        over, (a, pool_a, _), (b, pool_b, _) = still_and(velocity=[5.0, 5.0, 0.0])
        assert direction_stays_between_convexes(over, a, b, pool_a, pool_b, down, kept) == is_kept
    over, (a, pool_a, _), (b, pool_b, _) = still_and(turn=[0.1, 0.0, 0.0])
    assert direction_stays_between_convexes(over, a, b, pool_a, pool_b, down, 0.9)
    # Its edge goes down by 0.05 sin(..), and more is left for the remainder.
    assert not direction_stays_between_convexes(over, a, b, pool_a, pool_b, down, 0.99)


def test_a_ball_that_turns_about_its_middle_does_not_move():
    ball = fc.Sphere(0.5)
    over, (a, pool_a, _), (b, pool_b, _) = still_and(turn=[0.0, 900.0, 0.0], shape=ball)
    assert convexes_stay_apart(over, a, b, pool_a, pool_b, 0.5, (0.0, 0.0, -1.0))
    assert not convexes_stay_apart(over, a, b, pool_a, pool_b, 1.01, (0.0, 0.0, -1.0))


def test_where_shapes_touch():
    over, (a, pool_a, _), (b, pool_b, _) = still_and()
    far, near = (Goal(0.25, 1.0, 0.0, target, 0.0, 9) for target in (0.9, 1.1))
    guess = (0.0, 0.0, -1.0)
    assert convexes_at(over.place, a, b, pool_a, pool_b, far, guess).status == Status.SEPARATED
    found = convexes_at(over.place, a, b, pool_a, pool_b, near, guess)
    assert (found.status, found.time, found.normal) == (Status.CONTACT, 0.25, (0.0, 0.0, -1.0))
    assert (found.point_a[2], found.point_b[2]) == (1.5, 0.5)
