"""What deforms through frames, and a field: no frame in between is left out."""

import numpy as np
import pytest

import firstcontact as fc
from when_asked import WhenAsked

FIELDS = WhenAsked(lambda name: fc.DistanceField.of(fc.Box([4, 4, 1]), 0.02))
ROPE = fc.Strands([[0, 0, 2], [0.5, 0, 2]], [2], 0.05)
SHEET = fc.Mesh([[0, 0, 2], [1, 0, 2], [0, 1, 2.5]], [[0, 1, 2]])


@pytest.mark.parametrize(
    "shape", [ROPE, SHEET, fc.Points(ROPE.positions, 0.05)], ids=["rope", "sheet", "points"]
)
@pytest.mark.parametrize("is_swapped", [False, True])
def test_a_contact_between_the_first_and_the_last_frame_is_found(shape, is_swapped):
    places, radius = shape.vertices, shape.thickness if shape is not SHEET else 0.0
    down_and_up = shape.along([places, places - [0, 0, 2], places], [0, 0.25, 1])
    pair = (FIELDS["floor"], down_and_up) if is_swapped else (down_and_up, FIELDS["floor"])
    hit, true = fc.first_contact(*pair), 0.25 * (1.5 - radius) / 2
    assert true - 0.01 < hit.time <= true <= hit.time_upper < true + 0.02
    assert hit.status == fc.Status.CONTACT
    assert fc.safe_step(*pair) == hit.time
    assert not fc.is_free(*pair)
    assert hit.features[0, 2 if is_swapped else 1] == 0
    assert abs(abs(hit.normals[0, 2]) - 1) < 1e-9
    assert abs(hit.points[0, 2] - 0.5) < 0.05
    scene = fc.Scene(floor=FIELDS["floor"], thing=down_and_up)
    assert scene.first_contact().time <= true


def test_frames_that_keep_away_are_free_and_what_starts_inside_is_told_so():
    places = ROPE.positions
    high = ROPE.along([places, places - [0, 0, 1.2], places, places + np.array([0, 0, 3])])
    assert not fc.first_contact(high, FIELDS["floor"])
    assert fc.is_free(high, FIELDS["floor"])
    assert fc.first_contact(high, FIELDS["floor"], min_separation=0.5).time <= 0.95 / 1.2 / 3
    inside = ROPE.along([places - [0, 0, 2], places, places])
    assert fc.first_contact(inside, FIELDS["floor"]).status == fc.Status.CONTACT_AT_START
    later = ROPE.along([places, places - [0, 0, 1.4499], places - [0, 0, 3]])
    hit = fc.first_contact(later, FIELDS["floor"])
    assert hit.status == fc.Status.CONTACT
    assert 0.45 < hit.time <= 0.5 + 1e-4


def test_a_search_that_runs_out_says_so_at_a_time_that_is_free():
    places = ROPE.positions
    down = ROPE.along([places, places - [0, 0, 1], places - [0, 0, 2]])
    hit = fc.first_contact(down, FIELDS["floor"], max_iterations=1)
    assert hit.status == fc.Status.MAX_ITERATIONS
    assert hit.time <= 0.725


def test_a_field_that_turns_is_met_by_the_clock_of_the_whole():
    fan = FIELDS["floor"].moving((np.eye(3), [0, 0, 0]), angular_velocity=[np.pi, 0, 0])
    rope = fc.Strands([[0, 0, 1.8], [0.1, 0, 1.8]], [2])
    places = rope.positions
    frames = [places, places + np.array([0.1, 0, 0]), places, places + np.array([0, 0.001, 0])]
    still, moving = (fc.first_contact(rope.along(f), fan) for f in ([places] * 4, frames))
    # The face at y = 2 turns up to the height of the rope: its edge at z = 0.5, y = sqrt(1.8^2 - 0.25).
    assert still.time > 0.0
    assert abs(still.time - moving.time) < 2e-2
    truth = fc.first_contact(
        rope, fc.Box([4, 4, 1]).moving((np.eye(3), [0, 0, 0]), angular_velocity=[np.pi, 0, 0])
    )
    assert still.time <= truth.time_upper
    assert truth.time - still.time < 0.03
