"""The border: every input is checked and cast here, once.

What passes is what the kernels are compiled for: C-contiguous, aligned, writable, native float64 or int32
arrays. An array that is all this already passes as it is, without a copy; kernels never write to inputs.
"""

import math
import os
import re
import reprlib
from numbers import Integral, Real
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

# Products of a few coordinates stay far from overflow (2**1024) below this magnitude, so that no kernel can
# meet an infinity it did not make. The observable universe is 2**90 metres wide.
COORDINATE_LIMIT = 2.0**150

# Half the square of the limit: a sum below it has no term above the square, whatever its rounding.
_SQUARES_LIMIT = 0.5 * COORDINATE_LIMIT**2

# Sizes of shapes are at least this, so that their squares and products do not underflow either.
SMALLEST_SIZE = 1.0 / COORDINATE_LIMIT

_ID_LIMIT = 2**31

_SERIAL = 8192

_NUMERAL = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")

# Velocities are motions over this at the least: products of three of them stay far from overflow too.
SHORTEST_PIECE = 2.0**-40


def as_queries(start: ArrayLike, end: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64], bool]:
    """Cast the four points of each query, at both ends of the motion.

    Returns
    -------
    start, end : (n, 4, 3) arrays
    is_single : whether the input was one query without the leading axis
    """
    start, end = _as_numbers("start", start), _as_numbers("end", end)
    start, end = _as_shape("start", start, (4, 3)), _as_shape("end", end, (4, 3))
    if start.shape != end.shape:
        raise ValueError(f"end must have the shape of start, {start.shape}; received {end.shape}")
    is_single = start.ndim == 2
    start, end = _as_coordinates("start", start), _as_coordinates("end", end)
    return (start[np.newaxis], end[np.newaxis], True) if is_single else (start, end, False)


def as_stack(name: str, values: ArrayLike, tail: tuple[int, ...]) -> tuple[NDArray[np.float64], bool]:
    """Cast one item shaped `tail`, or a batch, to (n, *tail) float64; the flag tells a batch."""
    array = _as_shape(name, _as_numbers(name, values), tail)
    items = _as_coordinates(name, array)
    return (items, True) if array.ndim > len(tail) else (items[np.newaxis], False)


def as_points(name: str, values: ArrayLike, dimension: int = 3) -> NDArray[np.float64]:
    """Cast a point (3,), points (n, 3) or batches of points (m, n, 3), which keep that shape."""
    array, d = _as_numbers(name, values), dimension
    if array.shape == (0,):
        array = array.reshape(0, d)
    if not 1 <= array.ndim <= 3 or array.shape[-1] != d:
        raise ValueError(f"{name} must have shape (n, {d}), ({d},) or (m, n, {d}); received {array.shape}")
    return _as_coordinates(name, array)


def as_times(name: str, times: ArrayLike, n: int, what: str = "pose") -> NDArray[np.float64]:
    """Cast the times of n poses, or the like, to (n,) float64: from 0 to 1, in increasing order."""
    array = _as_numbers(name, times)
    if array.shape != (n,):
        raise ValueError(f"{name} must have shape ({n},), one time for each {what}; received {array.shape}")
    knots = _as_coordinates(name, array)
    rule = f"{name} must increase from 0 to 1, by {SHORTEST_PIECE:.2g} or more at a time"
    if knots[0] != 0.0 or knots[-1] != 1.0:
        raise ValueError(f"{rule}; received {knots[0]} to {knots[-1]}")
    is_short = np.diff(knots) < SHORTEST_PIECE
    if is_short.any():
        row = int(np.argmax(is_short))
        raise ValueError(f"{rule}; rows {row} and {row + 1} have {knots[row]} and {knots[row + 1]}")
    return knots


def as_choice(name: str, value: object, choices: tuple[str, ...]) -> str:
    """Cast an option that is one of a few words."""
    if not isinstance(value, str) or value not in choices:
        raise ValueError(f"{name} must be {' or '.join(map(repr, choices))}; received {shown(value)}")
    return value


def as_vertices(vertices: ArrayLike, name: str = "vertices") -> NDArray[np.float64]:
    """Cast the vertices of a mesh to (n, 3) float64."""
    points = _as_shape(name, _as_numbers(name, vertices), (3,), is_batch=True)
    return _as_coordinates(name, points)


def as_positions(name: str, positions: ArrayLike, n_vertices: int) -> NDArray[np.float64]:
    """Cast the positions of all vertices of a mesh, at some time, to (n_vertices, 3) float64."""
    points = as_vertices(positions, name)
    if len(points) != n_vertices:
        raise ValueError(
            f"{name} must have a row for each of the mesh's {n_vertices} vertices; received {len(points)}"
        )
    return points


def as_faces(faces: ArrayLike, n_vertices: int) -> NDArray[np.int32]:
    """Cast the faces of a mesh to (m, 3) int32 rows of its vertices."""
    ids = _as_shape("faces", _as_numbers("faces", faces), (3,), is_batch=True)
    if ids.size == 0:
        return np.empty((0, 3), dtype=np.int32)
    if ids.dtype.kind not in "iu":
        raise TypeError(f"faces must be integers; received {ids.dtype}")
    limit = min(n_vertices, _ID_LIMIT)
    if ids.min() < 0 or ids.max() >= limit:
        outside = (ids < 0) | (ids >= limit)
        row, value = _first(outside, ids)
        raise ValueError(f"faces must be integers in [0, {limit}); row {row} has {value}")
    return np.require(ids, np.int32, ["C", "A", "W", "E"])


def as_scalar(name: str, value: object, low: float, high: float = math.inf) -> float:
    """Cast an option that is a finite number in [low, high]."""
    number = as_float(name, value)
    rule = f"at least {low:g}" if math.isinf(high) else f"in [{low:g}, {high:g}]"
    if not (math.isfinite(number) and low <= number <= high):
        raise ValueError(f"{name} must be a finite number {rule}; received {shown(value)}")
    return number


def as_length(name: str, value: object) -> float:
    """Cast an option that is a length, or 0: as far as coordinates go."""
    number = as_scalar(name, value, 0.0)
    if number > COORDINATE_LIMIT:
        raise ValueError(f"{name} must be at most 2**150 (1.4e45); received {shown(value)}")
    return number


def as_size(name: str, value: object) -> float:
    """Cast a size of a shape: a positive number."""
    number = as_float(name, value)
    if not SMALLEST_SIZE <= number <= COORDINATE_LIMIT:
        rule = "between 2**-150 (7e-46) and 2**150 (1.4e45)" if 0.0 < number < math.inf else "positive"
        rule += "" if math.isfinite(number) else " and finite"
        raise ValueError(f"{name} must be {rule}; received {shown(value)}")
    return number


def as_sizes(name: str, values: ArrayLike) -> NDArray[np.float64]:
    """Cast three sizes of a shape, one for each axis, to (3,) float64: positive numbers."""
    array = _as_numbers(name, values)
    if array.shape != (3,):
        raise ValueError(f"{name} must have shape (3,), one for each axis; received {array.shape}")
    return np.array([as_size(f"{name}[{i}]", value) for i, value in enumerate(array.tolist())])


def as_radii(name: str, values: ArrayLike, n: int, what: str = "points") -> NDArray[np.float64]:
    """Cast radii of n points to (n,) float64: one for all, or one for each, 0 or more."""
    radii = as_each(name, values, n, what)
    if (radii < 0.0).any():
        row, value = _first(radii < 0.0, radii)
        raise ValueError(f"{name} must be 0 or more; row {row} has {value}")
    return radii


def as_counts(name: str, values: ArrayLike, total: int) -> NDArray[np.int64]:
    """Cast numbers of points, all together as many as there are, to (k,) int64."""
    array = _as_numbers(name, values)
    if array.ndim != 1:
        raise ValueError(f"{name} must have shape (k,); received {array.shape}")
    if array.size > 0 and array.dtype.kind not in "iu":
        raise TypeError(f"{name} must be integers; received {array.dtype}")
    if (array < 0).any():
        row, value = _first(array < 0, array)
        raise ValueError(f"{name} must be 0 or more; row {row} has {value}")
    if sum(array.tolist()) != total:
        raise ValueError(f"{name} must add up to the {total} points given; received {sum(array.tolist())}")
    return array.astype(np.int64)


def as_grid(name: str, values: ArrayLike) -> NDArray[np.float64]:
    """Cast numbers on a grid to (m, n) float64, both at least 2."""
    array = _as_numbers(name, values)
    if array.ndim != 2 or min(array.shape) < 2:
        raise ValueError(f"{name} must have shape (m, n), both at least 2; received {array.shape}")
    return _as_coordinates(name, array)


def as_box(name: str, values: ArrayLike) -> NDArray[np.float64]:
    """Cast a box in the plane or in space to (2, 2) or (2, 3) float64: lower ends, upper ends above them."""
    array = _as_numbers(name, values)
    if array.shape not in ((2, 2), (2, 3)):
        raise ValueError(
            f"{name} must have shape (2, 2) or (2, 3), lower and upper ends; received {array.shape}"
        )
    box = _as_coordinates(name, array)
    with np.errstate(over="ignore"):
        is_thin = ~(box[1] - box[0] >= SMALLEST_SIZE)
    if is_thin.any():
        axis = int(np.argmax(is_thin))
        ends = f"{box[0, axis]} and {box[1, axis]}"
        raise ValueError(
            f"{name} must have upper ends above the lower ones; along axis {axis} they are {ends}"
        )
    return box


def as_rows(name: str, values: ArrayLike) -> NDArray[np.float64]:
    """Cast numbers of any shape to float64."""
    return _as_coordinates(name, _as_numbers(name, values))


def as_each(name: str, values: ArrayLike, n: int, what: str) -> NDArray[np.float64]:
    """Cast one number for all of n, or one for each, to (n,) float64."""
    array = _as_numbers(name, values)
    if array.shape not in ((), (n,)):
        raise ValueError(f"{name} must be one number, or one for each of {n} {what}; received {array.shape}")
    return np.broadcast_to(_as_coordinates(name, array.reshape(-1)), n).copy()


def as_waypoints(name: str, values: ArrayLike) -> NDArray[np.float64]:
    """Cast two or more rows of as many numbers each to (k, d) float64."""
    array = _as_numbers(name, values)
    if array.ndim != 2 or len(array) < 2 or array.shape[1] < 1:
        raise ValueError(f"{name} must be two or more, of shape (k, dof); received {array.shape}")
    return _as_coordinates(name, array)


def as_count(name: str, value: object, least: int = 1) -> int:
    """Cast an option that is a positive integer, or one of at least some other number."""
    if isinstance(value, bool) or not isinstance(value, Integral) or not least <= int(value) < _ID_LIMIT:
        raise ValueError(f"{name} must be an integer in [{least}, {_ID_LIMIT}); received {shown(value)}")
    return int(value)


def as_generator(seed: Any) -> np.random.Generator:
    """Cast a seed of random numbers, or what makes them."""
    if isinstance(seed, np.random.Generator):
        return seed
    if isinstance(seed, bool) or not isinstance(seed, Integral) or seed < 0:
        rule = "an integer, 0 or more, or a numpy.random.Generator"
        raise TypeError(f"seed must be {rule}; received {shown(seed)}")
    return np.random.default_rng(int(seed))


def as_path(name: str, value: Any) -> Path:
    """Cast the path of a file, which the system can take."""
    text = value if isinstance(value, str) else os.fspath(value) if isinstance(value, os.PathLike) else None
    if not isinstance(text, str):
        raise TypeError(f"{name} must be a path; received {shown(value)}")
    try:
        encoded = os.fsencode(text)
    except UnicodeEncodeError as error:
        raise ValueError(f"{name} must be a text of whole characters; received {shown(text)}") from error
    if b"\0" in encoded:
        raise ValueError(f"{name} must have no NUL; received {shown(text)}")
    return Path(text)


def as_several(name: str, values: Any) -> tuple[Any, ...]:
    """Cast what can be gone through."""
    try:
        return tuple(values)
    except TypeError as error:
        raise TypeError(f"{name} must be several, as in a list; received {shown(values)}") from error


def as_flag(name: str, value: object) -> bool:
    """Cast an option that is on or off."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"{name} must be True or False; received {shown(value)}")
    return bool(value)


def read_number(text: str) -> float | None:
    """Read a decimal number as files spell it; None where a text is none.

    Python takes more for a number: `1_0` for 10, digits of all scripts, infinities and what is none at all.
    """
    return float(text) if _NUMERAL.fullmatch(text) else None


def as_name(what: str, value: object) -> str:
    """Cast a name: any text, which can be shown and written."""
    if not isinstance(value, str):
        raise TypeError(f"{what} must be a text; received {shown(value)}")
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError as error:  # half of a surrogate pair, which no file and no terminal takes
            raise ValueError(f"{what} must be a text of whole characters; received {shown(value)}") from error
    return str(value)


def as_float(name: str, value: object) -> float:
    """Cast a number of any real type; one that is too large is infinite."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise TypeError(f"{name} must be a number; received {shown(value)}")
    try:
        return float(value)
    except OverflowError:
        return math.inf if cast(Any, value) > 0 else -math.inf


def shown(value: object) -> str:
    """Show what was received, in short, whatever it is."""
    try:
        return " ".join(reprlib.repr(value).split())  # arrays have lines
    except Exception:  # digits of an integer that are too many to print, or an object's own fault
        return f"one {type(value).__name__}"


def _as_numbers(name: str, values: ArrayLike) -> NDArray[Any]:
    try:
        array = np.asarray(values)
    except MemoryError:
        raise
    except Exception as error:  # rows of unequal lengths, or whatever an object that gives an array may raise
        raise ValueError(
            f"{name} must be a rectangular array of numbers; received {shown(values)}"
        ) from error
    if array.dtype.kind not in "fiu":
        raise TypeError(f"{name} must be real numbers; received {array.dtype}")
    if type(values) is not np.ndarray and _has_masked(values, array.ndim):
        raise ValueError(f"{name} must have no masked numbers: fill them first")
    return array


def _has_masked(values: object, depth: int) -> bool:
    """Is a number masked, in an array or in a list of arrays? Its place holds anything."""
    if isinstance(values, np.ma.MaskedArray):
        return bool(np.any(np.ma.getmaskarray(values)))
    if depth > 0 and isinstance(values, list | tuple):
        return any(_has_masked(value, depth - 1) for value in values)
    return False


def _as_shape(name: str, array: NDArray[Any], tail: tuple[int, ...], is_batch: bool = False) -> NDArray[Any]:
    """Check for a stack of items shaped `tail`, or, unless `is_batch`, one item; [] is an empty stack."""
    if array.shape == (0,):
        return array.reshape(0, *tail)
    if array.shape[1:] == tail or (array.shape == tail and not is_batch):
        return array
    stack, item = str(("n", *tail)).replace("'", ""), "" if is_batch else f" or {tail}"
    raise ValueError(f"{name} must have shape {stack}{item}; received {array.shape}")


def _as_coordinates(name: str, array: NDArray[Any]) -> NDArray[np.float64]:
    points = array
    if array.dtype != np.float64 or not (array.flags.carray and type(array) is np.ndarray):
        with np.errstate(over="ignore"):  # a long double may become an infinity, which is rejected below
            points = np.require(array, np.float64, ["C", "A", "W", "E"])
    if not _is_within_limit(points):
        with np.errstate(invalid="ignore"):
            row, value = _first(~(np.abs(points) <= COORDINATE_LIMIT), points)
        rule = "lie within ±2**150 (1.4e45)" if math.isfinite(value) else "be finite"
        raise ValueError(f"{name} must {rule}; row {row} has {value}")
    return points


def _is_within_limit(points: NDArray[np.float64]) -> bool:
    """Check all coordinates; a NaN or an infinity fails every comparison.

    A sum of squares within the limit bounds each of them, in one pass: a quarter of the time of a maximum and
    a minimum. Only beyond it is each coordinate looked at.
    """
    flat = points.reshape(-1)
    with np.errstate(all="ignore"):
        # Longer products wake threads of NumPy's own, which takes longer than any sum.
        squares = flat.dot(flat) if flat.size <= _SERIAL else np.einsum("i,i->", flat, flat)
        if squares <= _SQUARES_LIMIT:
            return True
        return bool(np.all(np.abs(flat) <= COORDINATE_LIMIT))


def _first(is_bad: NDArray[np.bool_], values: NDArray[Any]) -> tuple[int, Any]:
    """Find the first bad value, and its row."""
    where = int(np.argmax(is_bad))
    return where // (values.size // (len(values) if values.ndim else 1)), values.reshape(-1)[where].item()
