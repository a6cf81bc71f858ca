"""What a worker does, and how it tells which row is at fault."""

import copyreg
import pickle
from typing import NamedTuple

import numpy as np
import pytest

from firstcontact import MissingExtraError
from firstcontact._jit import thread_count
from firstcontact.spreading.parcel import Enclosed, Letter, Parcel
from firstcontact.spreading.versions import own_versions
from firstcontact.spreading.work import Terms, work

ALONE = Terms(1, own_versions())


class TwoWordsError(Exception):
    """Is pickled, and cannot be made again of that."""

    def __init__(self, one, other):
        super().__init__(f"{one} {other}")


class Doubled(NamedTuple):
    """Doubles numbers, but for some; or has a fault of its own."""

    poison: tuple[int, ...] = ()
    fault: type = ValueError

    def answer(self, rows):
        bad = [x for x in rows[0].tolist() if x in self.poison]
        if bad or self.poison == (-1,):
            raise self.fault(f"bad {bad}")
        return 2 * rows[0]


def worked(whole, first=100, n=9):
    return work(Parcel(whole), Enclosed((np.arange(first, first + n),)), first, n, ALONE)


def test_rows_are_answered_about():
    done = worked(Doubled())
    assert done.answer.known[""].tolist() == list(range(200, 218, 2))
    assert done.seconds >= 0.0


def test_what_has_not_arrived_is_said():
    assert work(Letter(b"none", None, None), Enclosed((np.arange(3),)), 0, 3, ALONE) is None


@pytest.mark.parametrize("row", range(100, 109))
def test_a_row_at_fault_is_named(row):
    with pytest.raises(ValueError, match=rf"^row {row}: bad \[{row}\]$"):
        worked(Doubled((row,)))


def test_of_several_none_is_named_that_is_not_alone():
    with pytest.raises(ValueError, match=r"^bad \[100, 108\]$"):
        worked(Doubled((100, 108)))
    with pytest.raises(KeyError, match="bad"):
        worked(Doubled((-1,), KeyError))


def test_an_error_that_takes_more_than_a_sentence_is_told_as_another():
    class OddError(Exception):
        def __init__(self, text, more="something"):
            if text.startswith("row"):
                raise TypeError("something else")
            super().__init__(text)

    with pytest.raises(RuntimeError, match=r"^row 104: OddError: bad \[104\]$"):
        worked(Doubled((104,), OddError))
    with pytest.raises(MissingExtraError, match="row 104"):
        worked(Doubled((104,), MissingExtraError))


def test_an_error_that_cannot_travel_is_told_as_another(monkeypatch):
    # Dask, once it is loaded, teaches all errors to travel.
    monkeypatch.delitem(copyreg.dispatch_table, TwoWordsError, raising=False)

    class Whole:
        names_rows = True

        def answer(self, rows):
            raise TwoWordsError("bad", "luck")

    rows = pickle.loads(pickle.dumps(Enclosed((np.arange(3),))))
    with pytest.raises(RuntimeError, match=r"^TwoWordsError: bad luck$"):
        work(Parcel(Whole()), rows, 0, 3, ALONE)
    with pytest.raises(TwoWordsError, match=r"^bad luck$"):
        work(Parcel(Whole()), Enclosed((np.arange(3),)), 0, 3, ALONE)


def test_a_worker_with_other_versions_refuses():
    theirs = Terms(1, own_versions() | {"numba": "0.1"})
    with pytest.raises(RuntimeError, match=r"^the worker on .* has .* of numba, and 0.1 is here: install"):
        work(Parcel(Doubled()), Enclosed((np.arange(3),)), 0, 3, theirs)


def test_a_lack_of_memory_is_no_rows_fault():
    with pytest.raises(MemoryError, match=r"^bad \[104\]$"):
        worked(Doubled((104,), MemoryError))


def test_threads_are_as_many_as_before():
    before = thread_count()
    worked(Doubled())
    assert thread_count() == before
