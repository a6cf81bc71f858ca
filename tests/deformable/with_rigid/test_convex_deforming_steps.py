"""Steps of a shape and a triangle whose corners go straight: nothing happens in them."""

import numpy as np
import pytest

from firstcontact.deformable.with_rigid.convex_deforming_steps import (
    ball_around,
    closest_shape_triangle,
    corners_at,
    entry_time,
    step_along,
)
from firstcontact.motions.relative_motion import placement_at, relative_motion
from firstcontact.narrowphase.convex.gjk import EXACT
from firstcontact.shapes.convex import convex_at, origin_at
from properties.convex_families import KINDS, shape
from properties.rigid_families import aimed, orientation, row, unit

ZERO = np.zeros(3)
AT_REST = row(np.eye(3), ZERO, ZERO)
MARGIN = 1e-3
FACE = np.array([0, 1, 2], np.int32)


class Meeting:
    """A shape in motion, and a triangle whose corners go their own ways."""

    def __init__(self, rng, kind, rate):
        table = shape(rng, 0.6, kind).table
        place, velocity = aimed(rng)
        piece = row(orientation(rng), 0.3 * unit(rng), place, velocity, rate * unit(rng))
        self.convex, self.pool = convex_at(table.records, 0), table.pool
        self.motion = relative_motion(piece, AT_REST, origin_at(table.records, 0), (0.0, 0.0, 0.0))
        self.points, self.velocities = 0.5 * rng.standard_normal((2, 3, 3))

    def triangle(self, t):
        return corners_at(self.points, self.velocities, FACE, t)

    def closest(self, t):
        room, place = np.empty(9), placement_at(self.motion, t)
        return closest_shape_triangle(self.convex, self.pool, self.triangle(t)[0], place, EXACT, room)

    def distance(self, t):
        return self.closest(t).distance - self.convex.radius


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("rate", [0.0, 1.0, 20.0])
def test_nothing_happens_in_a_step(kind, rate):
    rng = np.random.default_rng(41)
    n_steps = 0
    for _ in range(20):
        meeting, t = Meeting(rng, kind, rate), rng.uniform(0.0, 0.5)
        closest, place = meeting.closest(t), placement_at(meeting.motion, t)
        if closest.distance - meeting.convex.radius <= MARGIN:
            continue
        convex, pool = meeting.convex, meeting.pool
        step = step_along(convex, pool, closest.direction, *meeting.triangle(t), place, MARGIN)
        n_steps += step > 1e-6
        times = t + min(step, 1.0) * np.linspace(0.0, 1.0, 12)
        assert min(meeting.distance(s) for s in times) > MARGIN - 1e-12
    assert n_steps > 10


@pytest.mark.parametrize("rate", [0.0, 3.0])
def test_nobody_enters_before_the_time_of_entry(rate):
    rng = np.random.default_rng(42)
    entries = []
    for _ in range(60):
        meeting, t = Meeting(rng, KINDS[rng.integers(6)], rate), rng.uniform(0.0, 0.3)
        ball = ball_around(meeting.convex, meeting.motion, t)
        time = entry_time(ball, t, *meeting.triangle(t), MARGIN)
        entries.append(time)
        assert time >= t
        times = np.linspace(t, min(time, 1.0), 12)
        assert time == t or min(meeting.distance(s) for s in times) > MARGIN - 1e-12
    assert np.isinf(entries).any()
    assert np.isfinite(entries).any()


def test_balls_that_just_meet_and_just_miss():
    meeting = Meeting(np.random.default_rng(1), "sphere", 0.0)
    ball = ball_around(meeting.convex, meeting.motion, 0.0)._replace(
        center=(-5.0, 0.0, 0.0), velocity=(10.0, 0.0, 0.0), radius=1.0
    )
    still = ((0.0, 0.0, 0.0),) * 3
    for height, is_met in ((1.0 - 1e-9, True), (1.0, True), (1.0 + 1e-9, False)):
        time = entry_time(ball, 0.0, ((0.0, height, 0.0),) * 3, still, 0.0)
        assert (time < np.inf) == is_met
        assert not is_met or time == pytest.approx(0.5, abs=1e-4)
    assert entry_time(ball, 0.0, ((-5.0, 0.5, 0.0),) * 3, still, 0.0) == 0.0
    assert entry_time(ball, 0.0, ((-7.0, 0.0, 0.0),) * 3, still, 0.0) == np.inf
