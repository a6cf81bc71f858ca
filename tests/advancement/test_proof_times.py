"""Times at which a proof of contact is looked for."""

import pytest

from firstcontact.advancement.proof_times import N_HALVINGS, NEVER, first_try, next_try


def tried(is_proven, start=0.0, end=1.0, step=0.125, n_times=16):
    """All times that are tried, and the one that is found."""
    tries, times = first_try(start, step, n_times), []
    while tries.n_left > 0:
        times.append(tries.now)
        tries = next_try(tries, is_proven(tries.now), start, end)
    return times, tries.after


def test_a_proof_at_the_start_ends_it():
    assert tried(lambda t: True, start=0.25) == ([0.25], 0.25)


def test_steps_double_up_to_the_end():
    assert tried(lambda t: False) == ([0.0, 0.125, 0.25, 0.5, 1.0], NEVER)
    assert tried(lambda t: False, step=0.375) == ([0.0, 0.375, 0.75, 1.0], NEVER)


def test_no_more_times_are_tried_than_allowed():
    assert tried(lambda t: False, n_times=3) == ([0.0, 0.125, 0.25], NEVER)


def test_without_a_step_there_is_one_try():
    assert tried(lambda t: False, step=NEVER) == ([0.0], NEVER)


@pytest.mark.parametrize("contact", [0.3, 0.5, 0.97])
def test_a_proof_is_narrowed_down(contact):
    times, after = tried(lambda t: t >= contact)
    doubled = next(t for t in (0.125, 0.25, 0.5, 1.0) if t >= contact)
    assert contact <= after <= contact + 0.5 * doubled * 2.0**-N_HALVINGS
    assert len(times) == times.index(doubled) + 1 + N_HALVINGS
