"""Where searches arrive, written into arrays."""

import numpy as np
import pytest

from firstcontact.advancement.arrival import (
    CONTACT,
    CONTACT_AT_START,
    MAX_ITERATIONS,
    SEPARATED,
    not_arrived,
    nothing_found,
    told_status,
    triangles_touch,
    write_arrival,
)


def test_nothing_is_found_at_first():
    found = nothing_found(2)
    assert found.status.tolist() == [SEPARATED] * 2
    assert np.all(found.time == np.inf)
    assert np.all(found.triangles == -1)
    assert not found.counts.any()
    assert np.isnan(found.points).all()
    assert np.isnan(found.normals).all()


@pytest.mark.parametrize(
    ("status", "time", "told"),
    [
        (CONTACT, 0.0, CONTACT_AT_START),
        (CONTACT, 0.5, CONTACT),
        (MAX_ITERATIONS, 0.0, MAX_ITERATIONS),
        (SEPARATED, 0.0, SEPARATED),
    ],
)
def test_only_a_contact_at_zero_is_one_at_the_start(status, time, told):
    assert told_status(status, time) == told


def test_an_arrival_is_written_into_its_row():
    found = nothing_found(3)
    write_arrival(found, 1, triangles_touch(0.5, 7, 8))
    write_arrival(found, 2, not_arrived(MAX_ITERATIONS, 0.25))
    assert found.status.tolist() == [SEPARATED, CONTACT, MAX_ITERATIONS]
    assert found.time.tolist() == [np.inf, 0.5, 0.25]
    assert found.triangles.tolist() == [[-1, -1], [7, 8], [-1, -1]]
