"""The search by itself: windows of time, targets, slack and limits."""

import numpy as np
import pytest

from firstcontact.advancement.arrival import (
    CONTACT,
    FRONT_NODES,
    ITERATIONS,
    MAX_ITERATIONS,
    N_COUNTS,
    SEPARATED,
    TRIANGLE_TESTS,
    VOLUME_TESTS,
)
from firstcontact.advancement.goal import Goal
from firstcontact.advancement.queue import new_queue
from firstcontact.bodies.mesh_body import body_of
from firstcontact.motions.relative_motion import fastest, relative_motion, rounding_error
from firstcontact.rigid.best_first import search
from oracles.rigid_first_contact import distances_at, scan
from properties.rigid_families import Case, generate, mesh_of, pieces, row, soups_of

TARGET = 1e-4
MANY = 1 << 20


class Query:
    """A motion of a case, and the truth about it."""

    def __init__(self, case, k=0):
        self.a, self.b = body_of(case.mesh_a), body_of(case.mesh_b)
        row_a, row_b = case.rows_a[k, 0], case.rows_b[k, 0]
        self.motion = relative_motion(row_a, row_b, self.a.origin, self.b.origin)
        self.margin = rounding_error(self.motion, self.a.reach, self.b.reach, row_a, row_b)
        self.speed = fastest(self.motion, self.a.reach, self.b.reach)
        self.soups = [soups_of(case._replace(rows_a=case.rows_a[[k]], rows_b=case.rows_b[[k]]))]

    def search(self, start=0.0, end=1.0, slack=0.0, max_iterations=MANY):
        counts = np.zeros(N_COUNTS, np.int64)
        goal = Goal(start, end, self.margin, TARGET, slack, max_iterations)
        return search(self.a, self.b, self.motion, goal, new_queue(), counts), counts

    def truth(self):
        return float(scan(self.soups, 0.0, 0.25 * self.margin).witness[0])

    def distance_at(self, t):
        return float(distances_at(self.soups, t)[0])


QUERIES = [
    (family, seed) for family in ("both moving", "translation", "spinning", "screw") for seed in range(8)
]


@pytest.mark.parametrize(("family", "seed"), QUERIES)
def test_the_time_found_is_just_before_the_truth(family, seed):
    query = Query(generate(family, 300 + seed))
    arrival, counts = query.search()
    truth = query.truth()
    if arrival.status == SEPARATED:
        assert truth == np.inf
        assert (arrival.time, arrival.triangle_a, arrival.triangle_b) == (1.0, -1, -1)
    else:
        assert arrival.status == CONTACT
        assert arrival.time <= truth
        assert query.distance_at(arrival.time) <= TARGET + query.margin
        assert 0 <= arrival.triangle_a < len(query.a.triangles)
        assert 0 <= arrival.triangle_b < len(query.b.triangles)
        assert counts[TRIANGLE_TESTS] > 0
    assert counts[ITERATIONS] >= counts[TRIANGLE_TESTS]
    assert counts[VOLUME_TESTS] == 2 * (counts[ITERATIONS] - counts[TRIANGLE_TESTS])
    assert counts[FRONT_NODES] > 0


@pytest.mark.parametrize(("family", "seed"), QUERIES[::3])
def test_windows_of_time_that_follow_each_other_find_the_same(family, seed):
    query = Query(generate(family, 300 + seed))
    whole, _ = query.search()
    for start, end in ((0.0, 0.3), (0.3, 0.35), (0.35, 0.8), (0.8, 1.0)):
        part, _ = query.search(start, end)
        if part.status != SEPARATED:
            break
        assert part.time == end
    assert part.status == whole.status
    if whole.status == CONTACT:
        assert abs(part.time - whole.time) * query.speed <= 0.01 or part.time <= query.truth()
        assert query.distance_at(part.time) <= TARGET + query.margin


@pytest.mark.parametrize(("family", "seed"), QUERIES[::3])
def test_slack_makes_it_no_later_and_hardly_earlier(family, seed):
    query = Query(generate(family, 300 + seed))
    exact, _ = query.search()
    slack = TARGET / query.speed
    loose, _ = query.search(slack=slack)
    assert loose.status == exact.status
    if exact.status == CONTACT:
        assert loose.time <= query.truth()
        assert query.distance_at(loose.time) <= 2.0 * TARGET + query.margin


@pytest.mark.parametrize(("family", "seed"), QUERIES[::2])
def test_whatever_the_limit_the_time_is_safe(family, seed):
    query = Query(generate(family, 300 + seed))
    whole, counts = query.search()
    end = whole.time if whole.status == CONTACT else np.inf
    times = []
    for limit in sorted((0, 1, 2, 5, 10, 20, int(counts[ITERATIONS]) - 1)):
        part, spent = query.search(max_iterations=limit)
        assert spent[ITERATIONS] <= limit
        assert part.status in (MAX_ITERATIONS, whole.status)
        times.append(part.time)
        assert part.status == whole.status or part.time <= min(end, 1.0)
        assert (part.triangle_a, part.triangle_b) == (-1, -1) or part.status == CONTACT
    assert times[0] == 0.0
    assert times == sorted(times)
    assert query.search(max_iterations=int(counts[ITERATIONS]))[0] == whole


def test_slack_is_not_late_where_many_arrive_at_once():
    """Shingles, each a little higher or lower, fall on a floor: whichever is found, the lowest is first."""
    floor = mesh_of(np.array([[[-9.0, -9.0, 0.0], [9.0, -9.0, 0.0], [0.0, 9.0, 0.0]]]))
    for seed in range(20):
        rng = np.random.default_rng(seed)
        shingles = rng.uniform(-1.0, 1.0, (30, 1, 3)) + 0.2 * rng.standard_normal((30, 3, 3))
        shingles[:, :, 2] = rng.uniform(0.0, TARGET, (30, 1)) + rng.choice([0.0, 0.1 * TARGET, 1.0], (30, 3))
        falling = pieces([row(np.eye(3), np.zeros(3), [0.0, 0.0, 1.0], [0.0, 0.0, -2.0])])
        still = pieces([row(np.eye(3), np.zeros(3), np.zeros(3))])
        query = Query(Case(mesh_of(shingles), floor, falling, still))
        arrival, _ = query.search(slack=TARGET / query.speed)
        assert arrival.status == CONTACT
        assert arrival.time <= 0.5 * (1.0 + shingles[:, :, 2].min())


def test_nothing_is_left_to_do_where_there_is_no_time():
    for seed in range(5):
        query = Query(generate("both moving", 300 + seed))
        arrival, _ = query.search(0.4, 0.4)
        assert arrival.time == 0.4
