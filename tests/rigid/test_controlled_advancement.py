"""Advancement as published, against the oracle, the default search, and closed forms."""

import numba
import numpy as np
import pytest

import firstcontact as fc
from firstcontact.advancement.arrival import FRONT_NODES, ITERATIONS, TRIANGLE_TESTS, VOLUME_TESTS
from firstcontact.advancement.goal import Goal, Options
from firstcontact.bodies.mesh_body import body_of
from firstcontact.motions.relative_motion import placement_at, relative_motion
from firstcontact.motions.rigid_paths import motion_at_origin
from firstcontact.rigid.controlled_advancement import (
    CONTROL,
    D_THRESHOLD,
    NO_CONTROL,
    R_MAX,
    Stack,
    TraversedInstant,
    _traverse,
)
from firstcontact.rigid.first_times import METHODS, first_times
from firstcontact.status import Status
from oracles.rigid_first_contact import Soups, distances_at
from properties.rigid_claims import complaints, options, size_of
from properties.rigid_families import FAMILIES, generate

PUBLISHED = ("c2a-2009", "ca")
AT_REST = motion_at_origin().rows()
SQUARE = fc.Mesh([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]], [[0, 1, 2], [0, 2, 3]])


def found_by(method, a, b, tolerance=1e-6, min_separation=0.0, max_iterations=10_000):
    asked = Options(tolerance, min_separation, max_iterations, METHODS[method])
    return first_times(body_of(a.shape), body_of(b.shape), (a.motion.rows(), b.motion.rows()), asked)


def at_height(z):
    pose = np.eye(4)
    pose[2, 3] = z
    return pose


def creases(n, height):
    """A square sheet of 2 n^2 triangles, with hills."""
    x, y = np.meshgrid(np.linspace(-1.0, 1.0, n + 1), np.linspace(-1.0, 1.0, n + 1), indexing="ij")
    z = height * np.sin(5.0 * x + 1.0) * np.cos(4.0 * y)
    here = (np.arange(n)[:, None] * (n + 1) + np.arange(n)).ravel()
    below, above = np.array([[0, n + 1, n + 2]]), np.array([[0, n + 2, 1]])
    faces = np.concatenate([here[:, None] + below, here[:, None] + above])
    return fc.Mesh(np.stack([x, y, z], axis=-1).reshape(-1, 3), faces)


def falling_reliefs(n_motions, seed=0):
    """One sheet falls onto another and turns; some pass it by."""
    rng = np.random.default_rng(seed)
    sheet, starts = creases(24, 0.2), np.tile(np.eye(4), (n_motions, 1, 1))
    starts[:, :3, 3] = rng.uniform([-1.5, -1.5, 1.0], [1.5, 1.5, 2.5], (n_motions, 3))
    velocity = rng.normal([0.0, 0.0, -2.0], 0.5, (n_motions, 3))
    turning = rng.normal(0.0, 1.0, (n_motions, 3))
    return sheet.moving(starts, velocity=velocity, angular_velocity=turning), sheet.at(np.eye(4))


def test_the_names_of_the_methods():
    assert METHODS == {"c2a": 0, "c2a-2009": 1, "ca": 2}
    assert Options(1e-6, 0.0, 100).method == METHODS["c2a"]


@pytest.mark.parametrize("method", PUBLISHED)
@pytest.mark.parametrize("family", FAMILIES)
def test_never_late_and_never_too_early(family, method):
    cases = [generate(family, seed) for seed in range(2)]
    all_asked = [
        options(1e-5 * size_of(case), 0.01 * size_of(case) * seed)._replace(method=METHODS[method])
        for seed, case in enumerate(cases)
    ]
    all_found = [
        first_times(body_of(case.mesh_a), body_of(case.mesh_b), (case.rows_a, case.rows_b), asked)
        for case, asked in zip(cases, all_asked, strict=True)
    ]
    assert complaints(cases, all_asked, all_found) == []


@pytest.mark.parametrize("method", PUBLISHED)
@pytest.mark.parametrize("tolerance", [1e-3, 1e-9])
def test_the_default_search_agrees(method, tolerance):
    a, b = falling_reliefs(40)
    published, default = found_by(method, a, b, tolerance), found_by("c2a", a, b, tolerance)
    is_hit = default.status != Status.SEPARATED
    assert 5 < is_hit.sum() < 40
    assert np.array_equal(published.status, default.status)
    # Bodies close in at a speed of about 1, and rarely at less than a hundredth of it.
    assert np.abs(published.time[is_hit] - default.time[is_hit]).max() < 100.0 * tolerance
    assert np.array_equal(published.triangles < 0, default.triangles < 0)


def test_control_saves_front_nodes_and_costs_iterations():
    a, b = falling_reliefs(40)
    controlled, uncontrolled = (found_by(method, a, b).counts.mean(axis=0) for method in PUBLISHED)
    assert controlled[FRONT_NODES] < 0.6 * uncontrolled[FRONT_NODES]
    assert controlled[VOLUME_TESTS] < 0.6 * uncontrolled[VOLUME_TESTS]
    assert uncontrolled[ITERATIONS] <= controlled[ITERATIONS] < R_MAX


def test_counts_are_consistent():
    a, b = falling_reliefs(10)
    for method in PUBLISHED:
        counts = found_by(method, a, b).counts
        # To split a pair takes two tests, for one front node more.
        assert np.all(2 * counts[:, FRONT_NODES] >= counts[:, VOLUME_TESTS])
        assert np.all(counts[:, FRONT_NODES] <= counts[:, VOLUME_TESTS])
        assert np.all(counts[:, TRIANGLE_TESTS] <= counts[:, VOLUME_TESTS])
        assert np.all(counts[:, ITERATIONS] >= 1)


def traversal(w, near=0.0, end=np.inf):
    """Traverse two sheets that turn above each other; return also their distance, and what was counted."""
    sheet = creases(8, 0.2)
    rows = sheet.moving(
        at_height(0.7), velocity=[0.3, 0.2, -1.0], angular_velocity=[0.1, 0.3, 0.2]
    ).motion.rows()
    body, counts = body_of(sheet), np.zeros(4, np.int64)
    place = placement_at(relative_motion(rows[0, 0], AT_REST[0, 0], body.origin, body.origin), 0.0)
    room = 2 * body.depth + 2
    stack = Stack(np.empty(room, np.int64), np.empty(room), np.empty(room))
    goal = Goal(0.0, end, 1e-12, 1e-6, 0.0, 1)
    found = _traverse(body, body, TraversedInstant(0.0, place, w, near), goal, stack, counts)
    triangles = sheet.vertices[sheet.faces]
    return found, distances_at([Soups(triangles, triangles, rows, AT_REST)], 0.0)[0], counts


def test_a_traversal_without_control_finds_the_distance():
    found, distance, counts = traversal(NO_CONTROL)
    assert found.distance == pytest.approx(distance, rel=1e-12)
    assert (found.contact, counts[FRONT_NODES]) == (-1, (counts[VOLUME_TESTS] + 1) // 2)
    assert 0.0 < found.time < distance  # closer than a unit of time: they close in at a speed of more than 1


def test_control_stops_a_traversal_early():
    whole, distance, all_counts = traversal(NO_CONTROL)
    found, _, counts = traversal(CONTROL)
    assert found.distance >= distance * (1.0 - 1e-12)
    # About the same share of the time: slabs between volumes have directions of their own.
    assert 0.9 * CONTROL * whole.time <= found.time <= whole.time
    assert whole.time > 0.0
    assert counts[FRONT_NODES] < 0.5 * all_counts[FRONT_NODES]


def test_control_ends_where_triangles_are_near():
    whole, _, all_counts = traversal(NO_CONTROL)
    found, _, counts = traversal(CONTROL, near=np.inf)
    assert found == whole
    assert np.array_equal(counts, all_counts)
    assert D_THRESHOLD < 0.01


def test_pairs_that_last_beyond_the_end_are_dropped():
    whole, _, all_counts = traversal(NO_CONTROL)
    found, _, counts = traversal(NO_CONTROL, end=2.0 * whole.time)
    assert found.time == whole.time
    assert counts[VOLUME_TESTS] < all_counts[VOLUME_TESTS]
    assert traversal(NO_CONTROL, end=whole.time)[0].time == whole.time  # which is the end


@pytest.mark.parametrize("method", PUBLISHED)
def test_in_contact_at_the_start(method):
    for turned in (0.0, 1.0):
        a = SQUARE.moving(at_height(0.0), velocity=[0, 0, 1], angular_velocity=[turned, 0, 0])
        found = found_by(method, a, SQUARE.at(np.eye(4)))
        assert (found.status[0], found.time[0]) == (Status.CONTACT_AT_START, 0.0)
        assert np.all(found.triangles >= 0)


@pytest.mark.parametrize("method", PUBLISHED)
def test_no_motion(method):
    rest = SQUARE.at(np.eye(4))
    assert found_by(method, rest, rest).status[0] == Status.CONTACT_AT_START
    for z in (1e-3, 1.0):
        apart = found_by(method, SQUARE.at(at_height(z)), rest)
        assert apart.status[0] == Status.SEPARATED
        assert apart.time[0] == np.inf
        assert found_by(method, SQUARE.at(at_height(z)), rest, min_separation=z).status[0] > 0


@pytest.mark.parametrize("method", PUBLISHED)
def test_contact_at_the_very_end(method):
    rest = SQUARE.at(np.eye(4))
    touching = found_by(method, SQUARE.moving(at_height(1.0), at_height(0.0)), rest)
    assert touching.status[0] == Status.CONTACT
    assert 1.0 - 1e-6 <= touching.time[0] <= 1.0
    missing = found_by(method, SQUARE.moving(at_height(1.0), at_height(1e-5)), rest)
    assert missing.status[0] == Status.SEPARATED


@pytest.mark.parametrize("method", PUBLISHED)
@pytest.mark.parametrize("gap", [1e-2, 1e-6])
def test_sliding_past_at_a_small_gap(method, gap):
    sheet, start = creases(12, 0.0), at_height(gap)
    start[0, 3] = -3.0
    slide = found_by(method, sheet.moving(start, velocity=[6, 0, 0]), sheet.at(np.eye(4)), 0.1 * gap)
    assert slide.status[0] == Status.SEPARATED
    assert slide.counts[0, ITERATIONS] < 4 * R_MAX


@pytest.mark.parametrize("method", PUBLISHED)
def test_the_separation_is_kept(method):
    for separation in (1e-3, 0.25):
        a = SQUARE.moving(at_height(1.0), at_height(-1.0))
        found = found_by(method, a, SQUARE.at(np.eye(4)), min_separation=separation)
        assert found.status[0] == Status.CONTACT
        assert 0.0 <= 0.5 * (1.0 - separation) - found.time[0] <= 1e-6


@pytest.mark.parametrize("method", PUBLISHED)
def test_when_iterations_run_out_the_time_is_safe(method):
    a, b = falling_reliefs(10)
    first = found_by(method, a, b)
    before = np.zeros(len(first.time))
    for n in range(6):
        found = found_by(method, a, b, max_iterations=n)
        is_cut = found.status == Status.MAX_ITERATIONS
        assert np.all(is_cut | (found.time == first.time))
        assert np.all(found.time <= first.time)
        assert np.all(found.time >= before)
        assert np.all(found.counts[:, ITERATIONS] <= n)
        assert n > 0 or (is_cut.all() and not found.time.any())
        before = found.time
    assert np.any(before > 0.0)


@pytest.mark.parametrize("method", PUBLISHED)
def test_piece_after_piece(method):
    heights = [at_height(z) for z in (1.0, 2.0, 0.5, 1.5, -0.5)]
    found = found_by(method, SQUARE.along(heights), SQUARE.along([np.eye(4)] * 3))
    assert found.status[0] == Status.CONTACT
    assert 0.0 <= 0.75 + 0.25 * 0.75 - found.time[0] <= 1e-6


@pytest.mark.parametrize("method", PUBLISHED)
def test_nothing_to_touch(method):
    empty = fc.Mesh(np.empty((0, 3)), np.empty((0, 3), int))
    found = found_by(method, empty.moving(at_height(1.0), at_height(-1.0)), SQUARE.at(np.eye(4)))
    assert found.status[0] == Status.SEPARATED
    none = first_times(
        body_of(SQUARE), body_of(SQUARE), (AT_REST[:0], AT_REST), Options(1e-6, 0.0, 9, METHODS[method])
    )
    assert len(none.time) == 0


@pytest.mark.parametrize("method", PUBLISHED)
def test_the_same_bytes_on_any_number_of_threads(method):
    a, b = falling_reliefs(32)
    n_threads, answers = numba.get_num_threads(), []
    try:
        for n in range(1, n_threads + 1):
            numba.set_num_threads(n)
            answers.append(found_by(method, a, b))
    finally:
        numba.set_num_threads(n_threads)
    for answer in answers:
        assert all(x.tobytes() == y.tobytes() for x, y in zip(answer, answers[0], strict=True))
