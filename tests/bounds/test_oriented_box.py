"""Fifteen axes: boxes are said to be apart exactly where a linear program finds no common point."""

import platform

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.spatial.transform import Rotation

from firstcontact.bounds.oriented_box import (
    FIFTEEN_AXES,
    N_COLUMNS,
    SIZE,
    oriented_box_of,
    placed_box,
    separate_block,
)
from open_kernels import assembly_of

RNG = np.random.default_rng(21)


def random_boxes(n, kind="any"):
    rows = np.empty((n, N_COLUMNS))
    half = RNG.uniform(0.1, 1.0, (n, 3))
    if kind == "flat":
        half[:, 2] = 0.0
    if kind == "thin":
        half[:, 1:] = 0.0
    turns = Rotation.random(n, random_state=RNG).as_matrix()
    if kind == "aligned":
        turns = np.eye(3)[RNG.permuted(np.tile(np.arange(3), (n, 1)), axis=1)]
        turns[:, 2] = np.cross(turns[:, 0], turns[:, 1])
        half = RNG.integers(0, 3, (n, 3)) / 2.0
    centers = RNG.normal(size=(n, 3)) if kind != "aligned" else RNG.integers(-2, 3, (n, 3)) / 1.0
    rows[:, :3], rows[:, 3:12], rows[:, 12:15] = centers, turns.reshape(n, 9), half
    rows[:, SIZE] = np.linalg.norm(half, axis=1)
    return rows


def gaps_of(one, rows):
    gaps = np.empty(len(rows))
    separate_block(oriented_box_of(one, 0), np.ascontiguousarray(rows[:, :SIZE].T), gaps)
    return gaps


def are_apart(one, other):
    """Whether no point is in both boxes, by a linear program."""
    planes, limits = [], []
    for row in (one, other):
        axes = row[3:12].reshape(3, 3)
        planes += [axes, -axes]
        limits += [axes @ row[:3] + row[12:15], -axes @ row[:3] + row[12:15]]
    found = linprog(
        np.zeros(3), A_ub=np.concatenate(planes), b_ub=np.concatenate(limits) + 1e-9, bounds=(None, None)
    )
    return found.status == 2


@pytest.mark.parametrize("kind", ["any", "flat", "thin", "aligned"])
def test_as_a_linear_program_says(kind):
    seen = set()
    for _ in range(15):
        one, rows = random_boxes(1, kind), random_boxes(4, kind)
        gaps = gaps_of(one, rows)
        for k in range(4):
            if abs(gaps[k]) > 1e-6 or kind == "aligned":
                assert are_apart(one[0], rows[k]) == (gaps[k] > 1e-6)
                seen.add(gaps[k] > 1e-6)
    assert seen == {True, False} or kind == "thin"


@pytest.mark.parametrize("size", [1e-100, 1.0, 1e30])
def test_boxes_with_a_common_point_are_never_apart(size):
    for _ in range(300):
        one, rows = random_boxes(1), random_boxes(4, RNG.choice(["any", "flat", "thin"]))
        rows[0, 3:12] = one[0, 3:12]  # parallel edges, whose products vanish but for rounding
        rows[1, 3:12] = (
            one[0, 3:12].reshape(3, 3) @ Rotation.from_rotvec(1e-15 * RNG.normal(size=3)).as_matrix()
        ).ravel()
        for k in range(4):  # a corner of one is a corner of the other
            signs = RNG.choice([-1.0, 1.0], (2, 3))
            there = one[0, :3] + (signs[0] * one[0, 12:15]) @ one[0, 3:12].reshape(3, 3)
            rows[k, :3] = there - (signs[1] * rows[k, 12:15]) @ rows[k, 3:12].reshape(3, 3)
        for columns in (slice(0, 3), slice(12, 16)):
            one[:, columns] *= size
            rows[:, columns] *= size
        reach = np.abs(rows[:, :3]).sum() + np.abs(one).sum()
        assert np.all(gaps_of(one, rows) <= FIFTEEN_AXES * reach)


def test_seen_from_another_frame_nothing_changes():
    one, rows, turn = random_boxes(1), random_boxes(4), Rotation.random(random_state=RNG).as_matrix()
    moved = rows.copy()
    moved[:, :3] = rows[:, :3] @ turn.T + 1.0
    moved[:, 3:12] = (rows[:, 3:12].reshape(-1, 3, 3) @ turn.T).reshape(-1, 9)
    gaps = np.empty(4)
    placed = placed_box(oriented_box_of(one, 0), tuple(turn.ravel().tolist()), (1.0, 1.0, 1.0))
    separate_block(placed, np.ascontiguousarray(moved[:, :SIZE].T), gaps)
    assert gaps == pytest.approx(gaps_of(one, rows), abs=1e-12)


@pytest.mark.skipif(platform.machine() != "x86_64", reason="reads x86 assembly")
def test_the_loop_is_vectorised():
    one = oriented_box_of(np.ones((1, N_COLUMNS)), 0)
    assert assembly_of(separate_block, one, np.ones((15, 4)), np.ones(4)).count("mulpd") > 50
