"""The same bytes for any number of threads, any order of the batch and any number of callers at once."""

import threading

import numba
import numpy as np
import pytest

from properties.elementary import CCD, KINDS, fields_as_bytes
from properties.families import FAMILIES, generate

every_kind = pytest.mark.parametrize("kind", KINDS)
both_modes = pytest.mark.parametrize("exact", [False, True])


@pytest.fixture
def restore_threads():
    before = numba.get_num_threads()
    yield
    numba.set_num_threads(before)


def batch(kind, n_per_family=400, seed=16):
    parts = [generate(family, kind, n_per_family, seed) for family in FAMILIES]
    start, end = (np.concatenate(part) for part in zip(*parts, strict=True))
    return start, end


@both_modes
@every_kind
@pytest.mark.usefixtures("restore_threads")
@pytest.mark.skipif(numba.config.NUMBA_NUM_THREADS < 2, reason="needs two threads")
def test_one_and_two_threads_give_the_same_bytes(kind, exact):
    start, end = batch(kind)
    answers = []
    for n_threads in (1, 2):
        numba.set_num_threads(n_threads)
        answers.append(fields_as_bytes(CCD[kind](start, end, exact=exact)))
    assert answers[0] == answers[1]


@both_modes
@every_kind
def test_order_of_the_batch_does_not_matter(kind, exact):
    start, end = batch(kind)
    order = np.random.default_rng(17).permutation(len(start))
    straight = CCD[kind](start, end, exact=exact)
    shuffled = CCD[kind](start[order], end[order], exact=exact)
    for name in ("hit", "time", "time_upper", "weights", "status"):
        np.testing.assert_array_equal(getattr(straight, name)[order], getattr(shuffled, name))


@both_modes
@every_kind
def test_a_single_query_equals_its_row(kind, exact):
    start, end = batch(kind, n_per_family=6)
    together = CCD[kind](start, end, exact=exact)
    for row in range(len(start)):
        alone = CCD[kind](start[row], end[row], exact=exact)
        for name in ("hit", "time", "time_upper", "weights", "status"):
            expected = getattr(together, name)[row]
            np.testing.assert_array_equal(np.reshape(getattr(alone, name), np.shape(expected)), expected)


def test_four_python_threads_at_once():
    queries = [(kind, *batch(kind, seed=18 + k)) for k in range(2) for kind in KINDS]
    expected = [fields_as_bytes(CCD[kind](start, end)) for kind, start, end in queries]
    answers = [[] for _ in queries]
    barrier = threading.Barrier(len(queries))

    def work(slot, kind, start, end):
        barrier.wait()
        for _ in range(5):
            answers[slot].append(fields_as_bytes(CCD[kind](start, end)))

    workers = [threading.Thread(target=work, args=(slot, *query)) for slot, query in enumerate(queries)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert answers == [[answer] * 5 for answer in expected]
