"""One thread at a time; `scene/test_threads.py` has what scenes do with it, forks and interrupts."""

import threading

import pytest

from firstcontact._turns import Turns, wholly


def test_a_turn_gives_what_its_task_gives_and_ends_with_it():
    turns = Turns("a thing")
    assert turns.take(lambda: 5) == 5
    with pytest.raises(KeyError):
        turns.take(lambda: {}["gone"])
    assert turns.take(lambda: 6) == 6


def test_a_turn_within_a_turn_is_refused():
    turns = Turns("a thing")
    with pytest.raises(RuntimeError, match=r"^a thing cannot be used from within a change of it"):
        turns.take(lambda: turns.take(lambda: 1))
    assert turns.take(lambda: 2) == 2


def test_others_wait():
    turns, seen = Turns("a thing"), []
    turns.hold()
    thread = threading.Thread(target=lambda: turns.take(lambda: seen.append(1)))
    thread.start()
    thread.join(0.05)
    assert seen == []
    turns.let_go()
    thread.join(30)
    assert seen == [1]


def test_an_interrupted_change_is_made_to_its_end():
    made = []

    def change():
        made.append(1)
        if len(made) == 1:
            raise KeyboardInterrupt
        made.append("end")

    with pytest.raises(KeyboardInterrupt):
        wholly(change)
    assert made == [1, 1, "end"]
