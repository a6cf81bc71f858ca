"""A batch that can be spread: what all its rows share, and the rows."""

import pickle
from typing import Any, NamedTuple, Protocol

import numpy as np

# Rows that are weighed to tell how many bytes each has.
WEIGHED = 64


class Whole(Protocol):
    """What all rows of a batch share, and who answers about some of them. It can be pickled.

    Whoever says in its faults which row they are of has `names_rows`: they are raised as they are. What is
    asked about only once, such as a step of an animation, has `is_passing`: it is not kept for other queries.
    """

    def answer(self, rows: tuple[Any, ...]) -> Any:
        """Answer about rows: an array, or plain data with an item for each row in its arrays."""
        ...


class Batch(NamedTuple):
    """A question about n rows.

    whole : goes to each worker once
    rows : columns with n rows each: arrays, also those of files and of Dask, and motions; None for nothing
    n : how many rows
    unit : what they are, in the plural
    axis : along which the arrays of the answer have them
    is_heavy : whether one row may take a second or more
    """

    whole: Whole
    rows: tuple[Any, ...]
    n: int
    unit: str
    axis: int = 0
    is_heavy: bool = False


def part_of(rows: tuple[Any, ...], first: int, last: int) -> tuple[Any, ...]:
    """Some of the rows."""
    return tuple(_part(column, slice(first, last)) for column in rows)


def row_bytes(batch: Batch) -> float:
    """What a row carries, about; 0 of rows that cannot be sent, which stay in this process."""
    n = 1 if batch.is_heavy else min(batch.n, WEIGHED)
    try:
        return len(pickle.dumps(part_of(batch.rows, 0, n), pickle.HIGHEST_PROTOCOL)) / n
    except Exception:  # whatever is wrong is told in its place
        return 0.0


def _part(column: Any, span: slice) -> Any:
    if column is None:
        return None
    if hasattr(column, "chosen"):
        return column.chosen(span, True)
    return np.array(column[span], order="C")  # of a file or of Dask, it is read here


def is_read_in_parts(column: Any) -> bool:
    """Is an array in a file, or one of Dask, which may be larger than memory?"""
    return isinstance(column, np.memmap) or (hasattr(column, "dask") and hasattr(column, "shape"))


def check_batch(lengths: set[int], verb: str) -> int:
    """Length of a batch that is to be spread; one thing is no batch."""
    if not lengths:
        raise ValueError(
            f"executor and out are for batches, and {verb} was asked about one thing: leave them out"
        )
    if len(lengths) > 1:
        raise ValueError(f"batches must have the same length; received {sorted(lengths)}")
    return lengths.pop()
