"""Points in columns of numbers: as text, and as NumPy writes arrays."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from firstcontact.io.numerals import reals, shown

_MARKS = (b",", b";")
_AXES = (b"x", b"y", b"z")
_MAGIC = b"\x93NUMPY"


def read_text(path: Path) -> NDArray[np.float64]:
    """Read a point a line, its numbers apart by commas, semicolons or spaces; after `#` nothing is read.

    The first three columns are x, y and z, or those that a first line of names calls so.

    Raises
    ------
    ValueError
        With the number of the line that cannot be read, or has more or fewer columns than those before.
    """
    content = path.read_bytes().removeprefix(b"\xef\xbb\xbf")
    parts = [line.partition(b"#")[0].strip() for line in content.splitlines()]
    lines = [(number, _words(line)) for number, line in enumerate(parts, start=1) if line]
    picks: list[int] = [0, 1, 2]
    if lines and not any(_is_number(word) for word in lines[0][1]):
        picks = _named(*lines[0])
        lines = lines[1:]
    positions = []
    for number, words in lines:
        if len(words) != len(lines[0][1]) or len(words) <= max(picks):
            rule = f"line {number} must have as many columns as all, 3 or more"
            raise ValueError(f"{rule}; it has {len(words)}")
        try:
            positions.append(reals([words[i] for i in picks]))
        except ValueError:
            raise ValueError(f"line {number} cannot be read: {shown(b' '.join(words))}") from None
    return np.array(positions).reshape(-1, 3)


def _words(line: bytes) -> list[bytes]:
    """Cut a line at one kind of mark: with commas for points, as in "1,5; 2", its words are no numbers."""
    for mark in _MARKS:
        if mark in line:
            return [word.strip() for word in line.split(mark)]
    return line.split()


def _is_number(word: bytes) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


def _named(number: int, words: list[bytes]) -> list[int]:
    """Find the columns that are called x, y and z."""
    names = [word.strip(b"\"'").lower() for word in words]
    if any(names.count(axis) != 1 for axis in _AXES):
        text = shown(b" ".join(words))
        raise ValueError(f"line {number} is neither numbers nor names with x, y and z: {text}")
    return [names.index(axis) for axis in _AXES]


def read_npy(path: Path) -> NDArray[np.float64]:
    """Read an array of numbers with 3 or more columns, of which the first three are x, y and z.

    Raises
    ------
    ValueError
        It is no array as NumPy writes it, or not of such numbers.
    """
    with path.open("rb") as file:
        if file.read(len(_MAGIC)) != _MAGIC:
            raise ValueError("it is no array as numpy.save writes it")
        file.seek(0)
        found = np.load(file, allow_pickle=False)
        n_left = len(file.read())
    if n_left:
        raise ValueError(f"it has {n_left} bytes more than its array")
    if found.ndim != 2 or found.shape[1] < 3 or found.dtype.kind not in "iuf":
        raise ValueError(f"it must hold real numbers (n, 3) or wider; it has {found.dtype} {found.shape}")
    positions: NDArray[np.float64] = found[:, :3].astype(np.float64)
    return positions
