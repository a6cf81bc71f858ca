"""Which rows are next: all of them once, about a second of work, and less near the end."""

import numpy as np
import pytest

from firstcontact.spreading import chunks
from firstcontact.spreading.chunks import FIRST, GROWTH, SECONDS, Chunks


def walked(chunks, seconds_a_row):
    """All chunks in order, each done before the next is asked for."""
    found = []
    while (span := chunks.next()) is not None:
        found.append(span)
        chunks.note(span[1] - span[0], seconds_a_row * (span[1] - span[0]))
    return found


@pytest.mark.parametrize("n", [0, 1, 2, 3, 31, 1000, 100_003])
@pytest.mark.parametrize("n_workers", [1, 4, 100])
@pytest.mark.parametrize("seconds", [1e-7, 1e-3, 0.4, 5.0])
def test_every_row_is_there_once_and_in_order(n, n_workers, seconds):
    spans = walked(Chunks([(0, n)], n_workers), seconds)
    rows = np.concatenate([np.empty(0, int), *(np.arange(*span) for span in spans)])
    assert rows.tolist() == list(range(n))
    assert all(last - first >= 2 for first, last in spans[:-1])


def test_only_what_is_missing():
    assert walked(Chunks([(3, 5), (7, 7), (9, 12)], 2), 1.0) == [(3, 5), (9, 11), (11, 12)]


def test_they_grow_to_a_second_and_shrink_at_the_end():
    sizes = [last - first for first, last in walked(Chunks([(0, 1_000_000)], 4), 1e-4)]
    assert sizes[0] <= FIRST
    assert max(sizes) * 1e-4 <= SECONDS + 1e-9
    assert max(sizes) * 1e-4 > 0.9 * SECONDS
    assert sizes[-2] < 0.2 * max(sizes)
    assert all(
        b <= GROWTH * max(a, FIRST // GROWTH)
        for a, b in zip(np.maximum.accumulate(sizes), sizes[1:], strict=False)
    )


def test_rows_that_take_long_go_by_twos():
    sizes = [last - first for first, last in walked(Chunks([(0, 200)], 4), 30.0)]
    assert sizes[0] <= FIRST
    assert set(sizes[1:-1]) == {2}


def test_how_long_rows_should_take():
    chunks = Chunks([(0, 100)], 2)
    assert chunks.seconds(10) == 0.0
    chunks.note(10, 2.0)
    assert chunks.seconds(20) == pytest.approx(4.0)


def test_they_are_no_larger_than_memory_likes():
    most = 1000
    spans = walked(Chunks([(0, 100_000)], 2, row_bytes=chunks.MOST_BYTES / most), 1e-7)
    assert max(last - first for first, last in spans) == most
    assert spans[-1][1] == 100_000
    assert [last - first for first, last in walked(Chunks([(0, 7)], 2, row_bytes=1e12), 1e-7)] == [2, 2, 2, 1]


def test_heavy_rows_begin_one_by_one():
    sizes = [last - first for first, last in walked(Chunks([(0, 200)], 2, is_heavy=True), 0.3)]
    assert sizes[0] == 1
    assert max(sizes) <= 4
    assert {last - first for first, last in walked(Chunks([(0, 20)], 2, is_heavy=True), 30.0)} == {1}
