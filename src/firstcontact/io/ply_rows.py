"""The rows of a PLY file's elements, as text and as binary numbers."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact.io.numerals import reals, shown, wholes
from firstcontact.io.ply_header import Element, Property


class IntegerLists(NamedTuple):
    """Lists of integers, one after the other."""

    counts: NDArray[np.int64]
    values: NDArray[np.int64]


class ElementRows(NamedTuple):
    """What was asked for of an element: columns of numbers, or a list of each row."""

    columns: NDArray[np.float64]
    lists: IntegerLists


NO_LISTS = IntegerLists(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64))


class TextBody:
    """A body of text: a line for each row of each element."""

    def __init__(self, content: bytes) -> None:
        self._lines = [words for line in content.splitlines() if (words := line.split())]
        self._done = 0

    def read(self, element: Element, wanted: Sequence[str]) -> ElementRows:
        """Read the next element; `wanted` are names of numbers, or the name of one list."""
        lines = self._lines[self._done : self._done + element.n_rows]
        if len(lines) < element.n_rows:
            raise ValueError(f"it says {element.n_rows} of {element.name!r}, and has {len(lines)}")
        cells = [self._cells(row, words, element, wanted) for row, words in enumerate(lines)]
        self._done += element.n_rows
        if not _has_list(element, wanted):
            return ElementRows(np.array(cells, dtype=np.float64).reshape(len(cells), len(wanted)), NO_LISTS)
        counts = np.array([len(cell) for cell in cells], dtype=np.int64)
        values = np.array([value for cell in cells for value in cell], dtype=np.int64)
        return ElementRows(np.empty((0, 0)), IntegerLists(counts, values))

    def check_end(self) -> None:
        """See that nothing is left."""
        n_left = len(self._lines) - self._done
        if n_left:
            raise ValueError(f"it has {n_left} lines more than its header says")

    def _cells(
        self, row: int, words: list[bytes], element: Element, wanted: Sequence[str]
    ) -> Sequence[float]:
        """Find the wanted words of a line, which must have as many as its properties take."""
        found: list[bytes] = []
        place = 0
        try:
            for kind in element.properties:
                size = 1
                if kind.count_type:
                    (size,) = wholes(words[place : place + 1])
                    place += 1
                if size < 0 or place + size > len(words):
                    raise ValueError
                if kind.name in wanted:
                    found += words[place : place + size]
                place += size
            if place < len(words):
                raise ValueError
            return wholes(found) if _has_list(element, wanted) else reals(_ordered(found, element, wanted))
        except ValueError:
            text = shown(b" ".join(words))
            raise ValueError(f"row {row} of {element.name!r} cannot be read: {text}") from None


class BinaryBody:
    """A body of binary numbers."""

    def __init__(self, content: bytes, place: int, order: str) -> None:
        self._content, self._place, self._order = content, place, order

    def read(self, element: Element, wanted: Sequence[str]) -> ElementRows:
        """Read the next element; `wanted` are names of numbers, or the name of one list."""
        least = sum(np.dtype(kind.count_type or kind.type).itemsize for kind in element.properties)
        n_left = len(self._content) - self._place
        if element.n_rows * least > n_left:
            rule = f"{element.n_rows} of {element.name!r} take {element.n_rows * least} bytes or more"
            raise ValueError(f"{rule}, and {n_left} are left")
        if any(kind.count_type for kind in element.properties):
            table = self._alike(element)
            if table is None:
                return self._one_by_one(element, wanted)
        else:
            table = self._table(element, {})
        self._place += table.nbytes
        if _has_list(element, wanted):
            values = table[wanted[0]].astype(np.int64)
            return ElementRows(
                np.empty((0, 0)), IntegerLists(np.full(len(values), values.shape[1]), values.reshape(-1))
            )
        columns = [table[name].astype(np.float64) for name in wanted]
        return ElementRows(np.stack(columns, axis=1) if columns else np.empty((0, 0)), NO_LISTS)

    def check_end(self) -> None:
        """See that nothing is left but a line's end."""
        if self._content[self._place :].strip():
            n_left = len(self._content) - self._place
            raise ValueError(f"it has {n_left} bytes more than its header says")

    def _table(self, element: Element, lengths: dict[str, int]) -> NDArray[np.void]:
        """See the rows as a table in which all lists of a name have one length."""
        fields: list[tuple[str, str] | tuple[str, str, tuple[int]]] = []
        for kind in element.properties:
            if kind.count_type:
                fields.append((f"# {kind.name}", self._order + kind.count_type))
                fields.append((kind.name, self._order + kind.type, (lengths[kind.name],)))
            else:
                fields.append((kind.name, self._order + kind.type))
        return np.frombuffer(self._content, np.dtype(fields), element.n_rows, self._place)

    def _alike(self, element: Element) -> NDArray[np.void] | None:
        """Read the rows as if their lists were as long as those of the first; None where they are not."""
        if element.n_rows == 0:
            return self._table(element, dict.fromkeys([kind.name for kind in element.properties], 0))
        places, end = self._lists_at(self._place, element)
        lengths = {name: count for name, (count, _) in places.items()}
        if element.n_rows * (end - self._place) > len(self._content) - self._place:
            return None
        table = self._table(element, lengths)
        is_alike = all((table[f"# {name}"] == count).all() for name, count in lengths.items())
        return table if is_alike else None

    def _one_by_one(self, element: Element, wanted: Sequence[str]) -> ElementRows:
        """Walk from row to row; of such an element only lists can be wanted."""
        if wanted and not _has_list(element, wanted):
            raise ValueError(f"its element {element.name!r} has lists of unequal lengths, which are not read")
        counts, starts = [], []
        for _ in range(element.n_rows):
            places, self._place = self._lists_at(self._place, element)
            count, start = places[wanted[0]] if wanted else (0, 0)
            counts.append(count)
            starts.append(start)
        if not wanted:
            return ElementRows(np.empty((0, 0)), NO_LISTS)
        kind = next(kind for kind in element.properties if kind.name == wanted[0])
        return ElementRows(np.empty((0, 0)), self._gathered(kind, np.array(counts), np.array(starts)))

    def _lists_at(self, place: int, element: Element) -> tuple[dict[str, tuple[int, int]], int]:
        """Find the length and the place of each list in a row, and where the row ends."""
        places = {}
        for kind in element.properties:
            size = np.dtype(kind.type).itemsize
            if kind.count_type:
                width = np.dtype(kind.count_type).itemsize
                count = _integer(self._content[place : place + width], kind.count_type, self._order)
                place += width
                places[kind.name] = count, place
                size *= count
            place += size
            if size < 0 or place > len(self._content):
                rule = f"a row of {element.name!r} has {size} bytes of {kind.name!r}"
                raise ValueError(f"{rule}, which are not in the file")
        return places, place

    def _gathered(self, kind: Property, counts: NDArray[np.int64], starts: NDArray[np.int64]) -> IntegerLists:
        width = np.dtype(kind.type).itemsize
        within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        places = np.repeat(starts, counts) + within * width
        raw = np.frombuffer(self._content, np.uint8)[places[:, np.newaxis] + np.arange(width)]
        return IntegerLists(counts, raw.view(self._order + kind.type).reshape(-1).astype(np.int64))


def _has_list(element: Element, wanted: Sequence[str]) -> bool:
    return any(kind.count_type and kind.name in wanted for kind in element.properties)


def _ordered(words: list[bytes], element: Element, wanted: Sequence[str]) -> list[bytes]:
    """Bring words from the order of the properties into the order in which they are wanted."""
    names = [kind.name for kind in element.properties if kind.name in wanted]
    return [words[names.index(name)] for name in wanted]


def _integer(content: bytes, kind: str, order: str) -> int:
    return int.from_bytes(content, "big" if order == ">" else "little", signed=kind[0] == "i")
