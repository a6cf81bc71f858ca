"""The block path against the scalar path it stands in for, and against exact arithmetic."""

import platform

import numpy as np
import pytest

from firstcontact.arrays import INFINITY
from firstcontact.narrowphase.elementary.coplanarity_filter import BLOCK, filter_block, gather_block
from firstcontact.narrowphase.elementary.coplanarity_roots import (
    CUBICS_SIZE,
    HOLDS,
    LOWER,
    NO_ROOT,
    ONE_ROOT,
    OPEN,
    ROOTS,
    ROOTS_SIZE,
    UPPER,
    bracket_roots,
    classify_parts,
    is_left_open,
    iterate_roots,
    keep_live,
    list_roots,
    load_roots,
    part_holds,
)
from firstcontact.narrowphase.elementary.elementary_query import Options
from firstcontact.narrowphase.elementary.elementary_stages import points_of
from firstcontact.narrowphase.elementary.inclusion import INSIDE, OUTSIDE, UNSURE
from firstcontact.narrowphase.elementary.moving_quad import moving_quad
from open_kernels import assembly_of
from oracles.scalar_roots import first_crossing
from properties.families import FAMILIES, generate

KINDS = {"vf": False, "ee": True}
OPTIONS = Options(False, 1.0, 1e-9, 0.0)


@pytest.mark.parametrize(
    ("value_s", "value_e", "holds"),
    [
        (2.0, 3.0, NO_ROOT),
        (-3.0, -2.0, NO_ROOT),
        (-2.0, 2.0, ONE_ROOT),
        (2.0, -2.0, ONE_ROOT),
        (0.5, 3.0, OPEN),
        (-3.0, -0.5, OPEN),
        (-0.5, 0.5, OPEN),
        (-2.0, 0.5, OPEN),
        (-0.5, 2.0, OPEN),
        (1.0, 3.0, OPEN),
        (-3.0, -1.0, OPEN),
        (-1.0, 3.0, OPEN),
        (-3.0, 1.0, OPEN),
    ],
)
def test_a_part_is_known_where_both_ends_are_beyond_the_limit(value_s, value_e, holds):
    assert part_holds(0.25, 0.5, value_s, value_e, 1.0) == holds
    assert part_holds(0.5, 0.5, value_s, value_e, 1.0) == NO_ROOT  # of no length


def run_block(start, end, options):
    """All steps of the block path: the live queries, and for each root its query, decision and bracket."""
    count = len(start)
    block, cubics, roots = np.empty(24 * BLOCK), np.empty(CUBICS_SIZE), np.full(ROOTS_SIZE, np.nan)
    is_free, live = np.empty(BLOCK, bool), np.empty(BLOCK, np.int64)
    owners, where = np.empty(2 * ROOTS, np.int64), np.empty(ROOTS, np.int8)
    gather_block(start, end, 0, count, block)
    filter_block(block, count, options, is_free, cubics)
    live = live[: keep_live(is_free, count, cubics, live)]
    classify_parts(cubics, len(live), options.max_time)
    n_roots = list_roots(live, cubics, owners)
    load_roots(block, cubics, owners, n_roots, roots)
    iterate_roots(roots, n_roots)
    bracket_roots(roots, n_roots, options, where)
    left_open = [q for i, q in enumerate(live) if is_left_open(cubics, i)]
    lower, upper = roots[LOWER : LOWER + n_roots], roots[UPPER : UPPER + n_roots]
    return live, left_open, owners[:n_roots], where[:n_roots], lower, upper


def first_decisions(start, end, options):
    """For each live query the first root that is not outside: (where, lower, upper), or None where open."""
    live, left_open, owners, where, lower, upper = run_block(start, end, options)
    found = dict.fromkeys(live, (OUTSIDE, INFINITY, INFINITY))
    for j in reversed(range(len(owners))):
        if where[j] != OUTSIDE:
            found[owners[j]] = (where[j], lower[j], upper[j])
    return found | dict.fromkeys(left_open)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("max_time", [1.0, 0.625])
def test_what_the_block_decides_the_scalar_path_decides_too(family, kind, max_time):
    start, end = generate(family, kind, BLOCK, seed=31)
    options = Options(KINDS[kind], max_time, 1e-9, 0.0)
    for q, decision in first_decisions(start, end, options).items():
        if decision is None or decision[0] == UNSURE:
            continue
        where, lower, upper = decision
        crossing = first_crossing(moving_quad(points_of(start, q), points_of(end, q)), options)
        if where == INSIDE:
            assert crossing.lower <= upper
            assert lower <= crossing.upper
        else:
            assert crossing.lower == INFINITY


@pytest.mark.parametrize("kind", KINDS)
def test_few_random_queries_are_left_to_the_scalar_path(kind):
    n_unsure = 0
    for seed in range(40):
        start, end = np.random.default_rng(seed).random((2, BLOCK, 4, 3))
        decisions = first_decisions(start, end, Options(KINDS[kind], 1.0, 1e-9, 0.0)).values()
        n_unsure += sum(decision is None or decision[0] == UNSURE for decision in decisions)
    assert n_unsure < 5


@pytest.mark.parametrize("count", [0, 1, 7, BLOCK - 1, BLOCK])
def test_a_block_need_not_be_full(count):
    start, end = generate("uniform", "vf", BLOCK, seed=5)
    options = Options(False, 1.0, 1e-9, 0.0)
    whole = first_decisions(start, end, options)
    part = first_decisions(start[:count], end[:count], options)
    assert part == {q: decision for q, decision in whole.items() if q < count}


def test_every_part_may_hold_a_root_in_every_query():
    # Volume (t - 1/6) (t - 1/2) (t - 5/6): three transversal roots in each of a full block.
    cubics = np.empty(CUBICS_SIZE)
    power = np.poly([1 / 6, 1 / 2, 5 / 6])[::-1]
    b = [power[0], power[0] + power[1] / 3, power[0] + 2 * power[1] / 3 + power[2] / 3, power.sum()]
    for row in range(4):
        cubics[row * BLOCK : (row + 1) * BLOCK] = b[row]
    cubics[4 * BLOCK : 5 * BLOCK] = 1.0
    classify_parts(cubics, BLOCK, 1.0)
    owners = np.empty(2 * ROOTS, np.int64)
    assert (cubics[HOLDS : HOLDS + 3 * BLOCK] == ONE_ROOT).all()
    assert list_roots(np.arange(BLOCK), cubics, owners) == ROOTS


def test_an_instant_is_left_open():
    cubics = np.ones(CUBICS_SIZE)
    classify_parts(cubics, 3, 0.0)
    assert all(cubics[HOLDS + 2 * BLOCK + q] == OPEN for q in range(3))


def test_kernels_agree_with_their_python_functions():
    start, end = generate("uniform", "ee", 5, seed=2)
    block, cubics, again = np.empty(24 * BLOCK), np.zeros(CUBICS_SIZE), np.zeros(CUBICS_SIZE)
    is_free, options = np.empty(BLOCK, bool), Options(True, 1.0, 1e-9, 0.0)
    gather_block(start, end, 0, 5, block)
    filter_block(block, 5, options, is_free, cubics)
    again[:] = cubics
    classify_parts(cubics, 5, 1.0)
    classify_parts.py_func(again, 5, 1.0)
    assert (cubics == again).all()


@pytest.mark.skipif(platform.machine() != "x86_64", reason="reads x86 assembly")
@pytest.mark.parametrize(
    ("kernel", "arguments"),
    [
        (filter_block, (np.ones(24 * BLOCK), BLOCK, OPTIONS, np.ones(128, bool), np.ones(CUBICS_SIZE))),
        (classify_parts, (np.ones(CUBICS_SIZE), 128, 1.0)),
        (iterate_roots, (np.ones(ROOTS_SIZE), 128)),
        (bracket_roots, (np.ones(ROOTS_SIZE), 128, OPTIONS, np.ones(384, np.int8))),
    ],
)
def test_the_loops_over_a_block_are_vectorised(kernel, arguments):
    assert assembly_of(kernel, *arguments).count("mulpd") > 10
