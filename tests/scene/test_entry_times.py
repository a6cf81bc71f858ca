import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firstcontact.bounds.body_bounds import corridor_of_points
from firstcontact.scene.entry_times import entry_times
from firstcontact.scene.scene import Scene
from scene.scenes import random_things

vectors = st.tuples(*3 * [st.floats(-4.0, 4.0)]).map(np.array)


def entry(a, b, margin=0.0):
    margins = np.array([margin, 0.0])
    return entry_times(np.stack([a, b]), margins, np.array([[0, 1]], np.int32))[0]


@given(vectors, vectors, vectors, vectors, st.sampled_from([1e-45, 1e-3, 1.0, 1e40]))
def test_points_meet_no_earlier_than_the_entry(a0, a1, b0, b1, scale):
    """Two points with a margin: by the roots of a quadratic."""
    held = [corridor_of_points(scale * x[None], scale * y[None]) for x, y in ((a0, a1), (b0, b1))]
    lower = entry(*held, margin=scale)
    times = np.linspace(0.0, 1.0, 201)[:, None]
    gaps = np.linalg.norm((1 - times) * (a0 - b0) + times * (a1 - b1), axis=1)
    meets = times[gaps <= 1.0 - 1e-9, 0]
    assert lower <= (meets[0] if len(meets) else np.inf)


def test_the_entry_of_points_on_a_line_is_exact():
    a, b = (np.array([[x, 0.0, 0.0]]) for x in (0.0, 4.0))
    assert entry(corridor_of_points(a, b), corridor_of_points(b, b), 1.0) == pytest.approx(0.75)
    assert entry(corridor_of_points(a, b), corridor_of_points(b, b), 4.5) == 0.0
    assert entry(corridor_of_points(a, a), corridor_of_points(b, b), 1.0) == np.inf
    assert entry(corridor_of_points(b, a), corridor_of_points(a, b), 0.0) == pytest.approx(0.5)


def test_boxes_that_pass_at_different_times_never_meet():
    a0, a1 = np.array([[0.0, 0.0, 0.0]]), np.array([[8.0, 0.0, 0.0]])
    b0, b1 = np.array([[7.0, -1.0, 0.0]]), np.array([[7.0, 7.0, 0.0]])
    assert entry(corridor_of_points(a0, a1), corridor_of_points(b0, b1), 0.5) == np.inf


@pytest.mark.parametrize("seed", range(3))
def test_no_contact_is_before_the_entry(seed):
    scene = Scene(random_things(20, seed))
    contacts = scene.contacts(min_separation=0.01)
    columns, rows = scene._bodies.columns, scene._bodies.row_of
    pairs = np.array([[rows[a], rows[b]] for a, b in contacts.names], np.int32)
    margins = np.full(len(columns.sizes), 0.5 * 0.01)
    assert (entry_times(columns.corridors, margins, pairs) <= contacts.time).all()
    assert len(contacts) > 2
