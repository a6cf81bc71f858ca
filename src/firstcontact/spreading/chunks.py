"""Which rows a worker gets next: about a second of work by what was measured, and less near the end."""

from math import ceil, inf

# What a chunk should take, and the least that is worth its way, in seconds. An empty task takes some 4 ms.
SECONDS, LEAST_SECONDS = 1.0, 0.1

# Rows of the first chunks, of which nothing is known. No chunk has less than two while there are more: so a
# fault that all rows have is told from that of one.
FIRST = 32

# A chunk is at most this many times as large as the largest that came back.
GROWTH = 8

# Bytes of a chunk: rows that are quick to answer would make it large, and a few of them are in memory.
MOST_BYTES = 8 << 20

# Weight of the newest measurement.
NEWEST = 0.5

Span = tuple[int, int]


class Chunks:
    """Hands out rows in their order.

    Parameters
    ----------
    spans : rows that are to be worked on, as (first, last)
    n_workers : how many work at once, to the best of our knowledge
    is_heavy : whether a row may take longer than a chunk should: the first chunks have one, then
    row_bytes : what a row has to carry, about
    """

    def __init__(
        self, spans: list[Span], n_workers: int, is_heavy: bool = False, row_bytes: float = 0.0
    ) -> None:
        self._spans = [span for span in reversed(spans) if span[1] > span[0]]
        self._left = sum(last - first for first, last in self._spans)
        self._n_workers = n_workers
        self._rate = 0.0  # rows a second
        self._first, self._least = (1, 1) if is_heavy else (FIRST, 2)
        self._largest = self._first / GROWTH
        self._most = MOST_BYTES / row_bytes if row_bytes > 0.0 else inf

    def next(self) -> Span | None:
        """Give the next rows; None where all are given."""
        if not self._spans:
            return None
        first, last = self._spans.pop()
        end = min(first + self._size(), last)
        if end < last:
            self._spans.append((end, last))
        self._left -= end - first
        return first, end

    @property
    def is_over(self) -> bool:
        """Are all rows given?"""
        return not self._spans

    def note(self, n_rows: int, seconds: float) -> None:
        """Take note of how long some rows took."""
        rate = n_rows / max(seconds, 1e-9)
        self._rate = rate if self._rate == 0.0 else NEWEST * rate + (1.0 - NEWEST) * self._rate
        self._largest = max(self._largest, n_rows)

    def seconds(self, n_rows: int) -> float:
        """How long so many rows should take; 0 where nothing is known yet."""
        return n_rows / self._rate if self._rate > 0.0 else 0.0

    def _size(self) -> int:
        wanted = SECONDS * self._rate if self._rate > 0.0 else self._first
        share = self._left / (2 * self._n_workers)  # so that all end at about the same time
        least = min(max(LEAST_SECONDS * self._rate, self._least), wanted)
        most = int(min(GROWTH * self._largest, self._most))
        return max(min(ceil(max(min(wanted, share), least)), most), self._least)
