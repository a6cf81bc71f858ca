"""Bounds over an interval of time hold what happens in it, sampled in extended precision, and are tight."""

import numpy as np
import pytest

from firstcontact.bodies.mesh_body import body_of
from firstcontact.motions.relative_motion import relative_motion, rounding_error
from firstcontact.rigid.interval.placement_range import (
    Axis,
    Way,
    bounds_along,
    carried,
    crossed,
    largest_length,
    least_magnitude,
    placement_range,
    still,
    way_of,
)
from oracles.closest_triangles import Real
from oracles.rigid_first_contact import side_at
from properties.rigid_families import generate
from samples import sample

FAMILIES = ["both moving", "spinning", "screw", "many turns", "far 1e6", "unequal"]
SAMPLES = np.linspace(0.0, 1.0, 9, dtype=Real)


class Interval:
    """Two moving bodies from a start to an end, and any points and vectors of theirs at times in between."""

    def __init__(self, family, seed, length):
        self.rng = np.random.default_rng([seed, 1])
        case = generate(family, 900 + seed)
        self.bodies = body_of(case.mesh_a), body_of(case.mesh_b)
        self.rows = case.rows_a[0, 0], case.rows_b[0, 0]
        end = min(row[23] for row in self.rows)
        start = float(self.rng.uniform(0.0, 1.0 - length)) * end
        a, b = self.bodies
        motion = relative_motion(*self.rows, a.origin, b.origin)
        self.times = start + length * end * SAMPLES
        self.over = placement_range(motion, start, start + length * end)
        self.hidden = rounding_error(motion, a.reach, b.reach, *self.rows)

    def places(self, points, who):
        """Points (m, 3) of a body, as seen from its origin, in the world at all times, (t, m, 3)."""
        points = np.asarray(points) + self.bodies[who].origin
        triangles = np.repeat(points[np.newaxis, :3], len(self.times), axis=0)
        rows = np.repeat(self.rows[who][np.newaxis], len(self.times), axis=0)
        return side_at(rows, triangles, self.times).corners.transpose(2, 1, 0)

    def seen_from_b(self, points):
        """Points (3, 3) of a, in the frame of b at all times, from its origin on, (t, 3, 3)."""
        origin, x, y = np.moveaxis(self.places([[0, 0, 0], [1, 0, 0], [0, 1, 0]], 1), 1, 0)
        frame = np.stack([x - origin, y - origin, np.cross(x - origin, y - origin)], axis=1)
        return np.einsum("tij,tkj->tki", frame, self.places(points, 0) - origin[:, np.newaxis])


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("length", [0.0, 1e-3, 0.2, 1.0])
def test_bounds_hold_all_that_happens(family, length):
    for seed in range(sample(2, of=20)):
        interval = Interval(family, seed, length)
        over, rng = interval.over, interval.rng
        reach = interval.bodies[0].reach
        points = rng.normal(size=(3, 3)) * reach
        points[1:] = points[0] + rng.normal(size=(2, 3))
        other, n = rng.normal(size=3), rng.normal(size=3)
        n /= np.linalg.norm(n)
        seen = interval.seen_from_b(points)
        way = way_of(over, tuple(points[0]), tuple(other))
        slack = 4 * interval.hidden + 1e-12 * (np.abs(points).sum() + np.abs(other).sum())
        ways = seen[:, 0] - other
        low, high = bounds_along(still(tuple(n)), way, over.half)
        assert low - slack <= (ways @ n).min()
        assert (ways @ n).max() <= high + slack
        vectors = seen[:, 1] - seen[:, 0]
        lengths = np.linalg.norm(vectors.astype(float), axis=1)[:, np.newaxis]
        direction = points[1] - points[0]
        turned = np.reshape(over.place.rotation, (3, 3)) @ direction / np.linalg.norm(direction)
        axis = carried(over, tuple(turned))
        for one, vector in (
            (axis, vectors / lengths),
            (crossed(axis, tuple(n)), np.cross(vectors / lengths, n)),
        ):
            low, high = bounds_along(one, way, over.half)
            values = np.einsum("ti,ti->t", vector, ways)
            assert low - slack <= values.min()
            assert values.max() <= high + slack
            longest = np.linalg.norm(vector.astype(float), axis=1).max()
            assert longest <= largest_length(one, over.half) + slack


def test_bounds_are_too_wide_by_the_square_of_the_length():
    excess = []
    for length in (0.1, 0.05, 0.025):
        interval = Interval("both moving", 3, 1.0)
        a, b = interval.bodies
        motion = relative_motion(*interval.rows, a.origin, b.origin)
        over = placement_range(motion, 0.3, 0.3 + length)
        way = way_of(over, (0.3, -0.2, 0.5), (0.1, 0.2, 0.3))
        low, high = bounds_along(still((0.6, 0.0, 0.8)), way, over.half)
        straight = 2.0 * over.half * abs(np.dot(way.rate, (0.6, 0.0, 0.8)))
        excess.append(high - low - straight)
    assert excess[0] / excess[1] == pytest.approx(4.0, rel=0.1)
    assert excess[1] / excess[2] == pytest.approx(4.0, rel=0.1)


def test_what_goes_straight_is_bounded_to_rounding():
    over_nothing = Axis((0.0, 0.0, 1.0), (0.0, 0.0, 0.0), 0.0), Way((9.0, 9.0, 1.0), (5.0, 5.0, 0.0), 0.0)
    low, high = bounds_along(*over_nothing, 3.0)
    assert 0.0 < 1.0 - low < 1e-11
    assert 0.0 < high - 1.0 < 1e-11
    assert least_magnitude((1.0, 2.0)) == 1.0
    assert least_magnitude((-2.0, -1.0)) == 1.0
    assert least_magnitude((-2.0, 1.0)) == 0.0
