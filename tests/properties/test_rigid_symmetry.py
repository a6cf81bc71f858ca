"""What must not matter: which body is a, where the world's origin is, units, the order of faces."""

from itertools import pairwise

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.bodies.mesh_body import body_of
from firstcontact.proximity.touching.near_pairs import FLOOR
from firstcontact.status import Status
from oracles.rigid_first_contact import distances_at
from properties.rigid_claims import ask, options, roundings, size_of
from properties.rigid_families import Case, generate, moved_by, rotation_by, scaled, soups_of
from samples import sample

FAMILIES = ["translation", "both moving", "spinning", "screw", "half turns", "at start", "degenerate"]
SEEDS = range(50, 50 + sample(2, of=6))
TOLERANCE = 1e-6

every_family = pytest.mark.parametrize("family", FAMILIES)


def found_for(case, tolerance=TOLERANCE, separation=0.0):
    return ask(case, options(tolerance * size_of(case), separation))


def assert_same(case, other_case, **asked):
    """Both times are right for either: where one is a contact, the distance of the other is as small."""
    one, other = found_for(case, **asked), found_for(other_case, **asked)
    allowed = np.maximum(TOLERANCE * size_of(case), FLOOR * roundings(case)[:, 1])
    for times, others in ((one.time, other.time), (other.time, one.time)):
        is_hit = times < np.inf
        distance = distances_at([soups_of(case)], np.where(is_hit, times, 0.0))
        assert np.all(distance[is_hit] <= 1.01 * allowed[is_hit])
        # Hit here and free there: only within the tolerance of a contact that is none.
        assert np.all(
            distances_at([soups_of(case)], np.where(is_hit, times, 0.0))[is_hit & (others == np.inf)] > 0.0
        )
    both = (one.time < np.inf) & (other.time < np.inf)
    return one, other, both


@every_family
def test_either_body_may_be_first(family):
    for seed in SEEDS:
        case = generate(family, seed)
        swapped = Case(case.mesh_b, case.mesh_a, case.rows_b, case.rows_a)
        one, other, both = assert_same(case, swapped)
        assert np.array_equal(one.time == 0.0, other.time == 0.0)
        assert np.array_equal(one.time < np.inf, both)


def turned_world(case, turn):
    """The same seen from a world that is turned."""
    rows = [rows.copy() for rows in (case.rows_a, case.rows_b)]
    for part in rows:
        for piece in part.reshape(-1, 26):
            piece[:9] = (turn @ piece[:9].reshape(3, 3)).ravel()
            for k in (9, 12, 15):
                piece[k : k + 3] = turn @ piece[k : k + 3]
    return case._replace(rows_a=rows[0], rows_b=rows[1])


@every_family
def test_the_world_may_be_turned_and_moved(family):
    rng = np.random.default_rng(3)
    for seed in SEEDS:
        case = generate(family, seed)
        assert_same(case, turned_world(case, rotation_by(rng.standard_normal(3))))
        assert_same(case, moved_by(case, rng.standard_normal(3)))


@every_family
@pytest.mark.parametrize("exponent", [-20, 20, -200, 100])
def test_units_change_nothing(family, exponent):
    """By a power of two, not even the last digit."""
    for seed in SEEDS:
        case = generate(family, seed)
        one, other = found_for(case), found_for(scaled(case, 2.0**exponent))
        assert one.time.tobytes() == other.time.tobytes()
        assert np.array_equal(one.status, other.status)
        assert np.array_equal(one.triangles, other.triangles)


@every_family
def test_faces_and_their_corners_may_be_in_any_order(family):
    rng = np.random.default_rng(4)
    for seed in SEEDS:
        case = generate(family, seed)
        order = rng.permutation(case.mesh_a.n_faces)
        faces = np.array([np.roll(face, rng.integers(3)) for face in case.mesh_a.faces[order]])
        shuffled = case._replace(mesh_a=fc.Mesh(case.mesh_a.vertices, faces))
        assert_same(case, shuffled)


@every_family
def test_a_larger_separation_is_reached_no_later(family):
    for seed in SEEDS:
        case = generate(family, seed)
        size = size_of(case)
        times = [found_for(case, separation=part * size).time for part in (0.0, 1e-3, 0.1, 1.0, 100.0)]
        for less, more in pairwise(times):
            assert np.all(more <= less)
        assert np.all(times[-1] == 0.0)


@every_family
def test_a_finer_tolerance_is_reached_no_earlier(family):
    for seed in SEEDS:
        case = generate(family, seed)
        coarse, fine = found_for(case, 1e-2), found_for(case, 1e-6)
        distance = distances_at([soups_of(case)], np.where(coarse.time < np.inf, coarse.time, 0.0))
        assert np.all((coarse.time <= fine.time) | (distance <= TOLERANCE * size_of(case)))
        assert np.all((fine.time == np.inf) | (coarse.time < np.inf))


def test_the_triangles_found_are_those_of_the_bodies():
    for seed in SEEDS:
        case = generate("both moving", seed)
        found = found_for(case)
        is_hit = found.status != Status.SEPARATED
        assert np.all((found.triangles >= 0) == is_hit[:, np.newaxis])
        assert np.all(found.triangles < [len(body_of(mesh).order) for mesh in case[:2]])
