"""What a worker does: it answers about some rows, and says how long that took."""

import pickle
import platform
from time import perf_counter
from typing import Any, NamedTuple

from firstcontact._jit import threads_limited
from firstcontact.spreading.batch import Whole, part_of
from firstcontact.spreading.joining import Stripped, stripped
from firstcontact.spreading.parcel import Closed
from firstcontact.spreading.versions import check_same, own_versions


class Terms(NamedTuple):
    """On which a worker works: threads that it may use, None for all, and versions that it must have."""

    most_threads: int | None
    versions: dict[str, str]


class Done(NamedTuple):
    """An answer about some rows, without what it is about, and the seconds that it took."""

    answer: Stripped
    seconds: float


def work(parcel: Any, rows: Any, first: int, n: int, terms: Terms) -> Done | None:
    """Answer about n rows, of which this is the number of the first; None without what all rows share.

    A fault of one row is raised with its number; one that several have, as it is.
    """
    check_same(f"on {platform.node()}", own_versions(), terms.versions)
    whole = parcel.open()
    if whole is None:
        return None
    own = rows.open()
    with threads_limited(terms.most_threads):
        began = perf_counter()
        try:
            found = stripped(whole.answer(own))
        except MemoryError:
            raise
        except Exception as error:
            told = error
            if not getattr(whole, "names_rows", False):
                told = _told(whole, own, first, n, error)
            if isinstance(rows, Closed):  # from another process, and back there it must go
                told = _sendable(told)
            raise told from (None if told is error else error)
        return Done(found, perf_counter() - began)


def _told(whole: Whole, rows: tuple[Any, ...], first: int, n: int, error: Exception) -> Exception:
    """Find the row that is at fault, by halves."""
    low, high = 0, n
    while high - low > 1:
        middle = (low + high) // 2
        faults = [_fault(whole, rows, span) for span in ((low, middle), (middle, high))]
        found = [fault for fault in faults if fault is not None]
        if len(found) != 1:
            return error  # of all rows, or of none of them by itself
        low, high = (low, middle) if faults[0] is not None else (middle, high)
        error = found[0]
    return _of_row(first + low, error)


def _fault(whole: Whole, rows: tuple[Any, ...], span: tuple[int, int]) -> Exception | None:
    try:
        whole.answer(part_of(rows, *span))
    except Exception as error:
        return error
    return None


def _sendable(error: Exception) -> Exception:
    """An error; where it cannot be pickled, or not be made again of that, one with its kind and sentence."""
    try:
        if type(pickle.loads(pickle.dumps(error))) is type(error):
            return error
    except Exception:  # whatever its own code does
        pass
    return RuntimeError(f"{type(error).__name__}: {error}")


def _of_row(row: int, error: Exception) -> Exception:
    """Say the same with the number of a row."""
    try:
        return type(error)(f"row {row}: {error}")
    except Exception:  # one that takes more than a sentence
        return RuntimeError(f"row {row}: {type(error).__name__}: {error}")
