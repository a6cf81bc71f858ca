"""Data that compare by what they say, and are sealed where they arrive."""

import pickle
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from threading import Barrier

import numpy as np
import pytest

from firstcontact.plain import Plain, Sealed, is_same, once, seal


@dataclass(frozen=True, eq=False)
class Said(Plain):
    numbers: np.ndarray
    word: str = ""
    aside: int = field(default=0, compare=False)


@dataclass(frozen=True, eq=False)
class Other(Said):
    pass


def test_equal_where_both_say_the_same():
    one = Said(np.array([1.0, np.nan]))
    itself = one
    assert one == itself
    assert one == Said(np.array([1.0, np.nan]), aside=3)
    assert one != Said(np.array([1.0, 2.0]))
    assert one != Said(np.array([1.0, np.nan]), "word")
    assert one != Other(np.array([1.0, np.nan]))
    with pytest.raises(TypeError, match="unhashable"):
        hash(one)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (np.nan, np.nan, True),
        (0, 0.0, True),
        (np.zeros(2), np.zeros(2, np.float32), False),
        (np.zeros(2), np.zeros((2, 1)), False),
        (np.zeros(2), [0.0, 0.0], False),
        ([1, (np.nan,)], [1, (np.nan,)], True),
        ([1], (1,), False),
        ((1, 2), (1,), False),
        (np.array(["a"]), np.array(["a"]), True),
    ],
)
def test_values(one, other, same):
    assert is_same(one, other) is is_same(other, one) is same


class Kept(Sealed):
    def __init__(self):
        self.rows = np.zeros(3)
        self.deep = (1, (np.ones(2),))

    @cached_property
    def total(self):
        return self.rows.sum()


def test_what_is_sent_arrives_sealed_and_without_what_follows():
    kept = Kept()
    assert kept.total == 0.0
    sent = pickle.loads(pickle.dumps(kept))
    assert sent.__dict__.keys() == {"rows", "deep"}
    assert not sent.rows.flags.writeable
    assert not sent.deep[1][0].flags.writeable
    assert sent.total == 0.0


def test_seals_reach_arrays_in_tuples_only():
    array, listed = np.zeros(2), np.zeros(2)
    seal((array, "word", [listed]))
    assert not array.flags.writeable
    assert listed.flags.writeable


def test_nobody_waits_while_another_object_is_worked_out():
    together = Barrier(2)

    class Slow:
        @once
        def found(self):
            together.wait(60)  # who came alone would wait for the other
            return object()

    one, other = Slow(), Slow()
    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(lambda slow: slow.found, (one, other))
    assert first is one.found
    assert second is other.found
    assert isinstance(Slow.found, once)


def test_threads_that_work_the_same_out_get_the_same():
    together = Barrier(2)

    class Slow:
        @once
        def found(self):
            together.wait(60)
            return object()

    slow = Slow()
    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(lambda one: one.found, (slow, slow))
    assert first is second is slow.found
