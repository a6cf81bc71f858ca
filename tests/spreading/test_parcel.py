"""What all rows share goes to each process once, by its content."""

import pickle
import threading

import numpy as np
import pytest

from firstcontact.spreading import parcel
from firstcontact.spreading.parcel import Enclosed, Letter, Parcel, pickled

LARGE = np.arange(20_000.0)


def sent(thing):
    return pickle.loads(pickle.dumps(thing))


def test_here_it_is_the_thing_itself():
    assert Parcel(LARGE).open() is LARGE


def test_small_ones_travel_by_themselves():
    arrived = sent(Parcel({"a": 1}))
    assert arrived.path is None
    assert arrived.open() == {"a": 1}
    assert sent(arrived).open() is arrived.open()


def test_large_ones_wait_in_a_file_until_they_are_discarded():
    own = Parcel(LARGE)
    data = pickle.dumps(own)
    assert len(data) < 300
    arrived = pickle.loads(data)
    assert arrived.path.is_file()
    assert arrived.open().tobytes() == LARGE.tobytes()
    assert arrived.open().flags.writeable
    own.discard()
    own.discard()
    assert not arrived.path.exists()
    assert pickle.loads(data).open() is arrived.open()  # which is kept


def test_one_that_is_elsewhere_or_another_is_missing(tmp_path):
    assert Letter(b"digest", None, tmp_path / "nothing").open() is None
    (tmp_path / "other").write_bytes(pickled("something else"))
    assert Letter(b"digest", None, tmp_path / "other").open() is None
    whole = Parcel(LARGE + 1).letter(is_entire=True)
    assert sent(whole).open().tobytes() == (LARGE + 1).tobytes()


def test_the_latest_are_kept():
    letters = [Parcel({"number": i}).letter() for i in range(parcel.N_KEPT + 1)]
    first = letters[0].open()
    for letter in letters[1:-1]:
        letter.open()
    assert letters[0].open() is first
    letters[-1].open()  # and the second, met longest ago, goes
    assert letters[0].open() is first
    assert len(parcel._kept._things) == parcel.N_KEPT


def test_all_threads_have_the_same():
    letter, found = Parcel({"a": LARGE}).letter(is_entire=True), []
    threads = [threading.Thread(target=lambda: found.append(letter.open())) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({id(one) for one in found}) == 1


def test_what_is_enclosed_can_be_written_to():
    buffers = []
    data = pickle.dumps(Enclosed((LARGE, None)), 5, buffer_callback=buffers.append)
    assert buffers == []
    array, nothing = pickle.loads(data).open()
    assert array.flags.writeable
    assert nothing is None


def test_what_is_enclosed_is_unpacked_once_and_can_be_sent_on():
    arrived = sent(Enclosed({"a": 1}))
    on_its_way = sent(arrived)
    assert arrived.open() is arrived.open()
    assert sent(arrived).open() == on_its_way.open() == {"a": 1}


def test_what_cannot_be_pickled_is_told():
    with pytest.raises(TypeError, match=r"cannot be sent to another process: .*lambda.*; threads would do"):
        pickled(lambda: 0)
