"""Laws of many bodies, joined: each moves as it does alone."""

import numpy as np
from numpy.testing import assert_array_equal

import firstcontact as fc
from firstcontact.motions.laws_of_many import laws_of_many
from firstcontact.motions.rigid_motion import DEVIATION, END_TIME, START_TIME

HERE = np.eye(3)
BALL = fc.Sphere(1.0)


def motions():
    """Five bodies: thrown, straight on, thrown, at rest, thrown."""
    places, velocities = np.random.default_rng(0).normal(size=(2, 5, 3))
    accelerations = [[0, 0, -9], None, [1, 2, 3], None, [0, 5, 0]]
    found = [
        BALL.moving((HERE, p), velocity=v, acceleration=a).motion
        for p, v, a in zip(places, velocities, accelerations, strict=True)
    ]
    found[3] = BALL.at((HERE, places[3])).motion
    return found


def joined(parts):
    pieces, translations = (
        np.concatenate(columns) for columns in zip(*((m.pieces, m.translations) for m in parts), strict=True)
    )
    laws = {k: motion.law for k, motion in enumerate(parts) if motion.law is not None}
    return laws_of_many(pieces, translations, laws)


def test_each_moves_as_alone():
    parts = motions()
    many = joined(parts)
    assert len(many.laws) == 1
    for t in (0.0, 0.4, 1.0):
        assert_array_equal(many.poses(t), [motion.pose(t) for motion in parts])


def test_each_has_the_pieces_that_it_has_alone():
    parts = motions()
    many, which = joined(parts), np.array([4, 1, 0, 0, 3])
    starts, ends = np.array([0.0, 0.1, 0.2, 0.5, 0.5]), np.array([1.0, 0.2, 0.3, 0.5, 0.75])
    rows = many.rows(which, starts, ends)
    for row, k, start, end in zip(rows, which, starts, ends, strict=True):
        law = parts[k].law
        if law is None:
            alone = parts[k].pieces[0, 0].copy()
            alone[START_TIME], alone[END_TIME] = start, end
        else:
            alone = law.rows(np.zeros(1, int), np.array([start]), np.array([end]))[0]
        assert_array_equal(row, alone)
    assert rows[1, DEVIATION] == rows[4, DEVIATION] == 0.0


def test_some_of_them_and_others_behind():
    parts = motions()
    many = joined(parts)
    twice = many.chosen(np.array([2, 1])).joined([many.chosen(slice(3, 5)), many])
    expected = [parts[k].pose(0.7) for k in (2, 1, 3, 4, *range(5))]
    assert_array_equal(twice.poses(0.7), expected)


def test_no_laws_are_none():
    assert joined(motions()[1:2]) is None
