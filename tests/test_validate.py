import math

import numpy as np
import pytest

from firstcontact._validate import (
    SHORTEST_PIECE,
    as_choice,
    as_faces,
    as_flag,
    as_queries,
    as_scalar,
    as_stack,
    as_times,
    as_vertices,
)

QUERIES = np.arange(24.0).reshape(2, 4, 3)


def is_for_kernels(array: np.ndarray) -> bool:
    flags = array.flags
    return type(array) is np.ndarray and flags.c_contiguous and flags.aligned and flags.writeable


def unaligned(array: np.ndarray) -> np.ndarray:
    buffer = np.zeros(array.nbytes + 1, dtype=np.uint8)
    view = buffer[1:].view(array.dtype).reshape(array.shape)
    view[...] = array
    return view


def read_only(array: np.ndarray) -> np.ndarray:
    array = array.copy()
    array.setflags(write=False)
    return array


VARIANTS = {
    "list": QUERIES.tolist(),
    "int": QUERIES.astype(np.int32),
    "uint8": QUERIES.astype(np.uint8),
    "float32": QUERIES.astype(np.float32),
    "long double": QUERIES.astype(np.longdouble),
    "big endian": QUERIES.astype(">f8"),
    "little endian": QUERIES.astype("<f8"),
    "Fortran order": np.asfortranarray(QUERIES),
    "strided": np.repeat(QUERIES, 2, axis=0)[::2],
    "reversed": QUERIES[::-1].copy()[::-1],
    "read-only": read_only(QUERIES),
    "unaligned": unaligned(QUERIES),
    "subclass": QUERIES.view(np.ma.MaskedArray),
}


@pytest.mark.parametrize("name", VARIANTS)
def test_queries_of_any_numeric_type_become_what_kernels_take(name):
    start, end, is_single = as_queries(VARIANTS[name], VARIANTS[name])
    assert is_for_kernels(start)
    assert is_for_kernels(end)
    assert start.dtype == np.float64
    assert start.dtype.isnative
    assert not is_single
    np.testing.assert_array_equal(start, QUERIES)


def test_queries_that_need_no_cast_are_not_copied():
    start, end, _ = as_queries(QUERIES, QUERIES)
    assert np.shares_memory(start, QUERIES)
    assert np.shares_memory(end, QUERIES)


def test_a_single_query_gets_a_leading_axis():
    start, end, is_single = as_queries(QUERIES[0], QUERIES[1])
    assert start.shape == end.shape == (1, 4, 3)
    assert is_single


@pytest.mark.parametrize("empty", [[], np.empty((0, 4, 3)), np.empty((0, 4, 3), dtype=int)])
def test_no_queries_are_queries(empty):
    start, end, is_single = as_queries(empty, empty)
    assert start.shape == end.shape == (0, 4, 3)
    assert not is_single


@pytest.mark.parametrize(
    "bad",
    [
        QUERIES + 1j,
        QUERIES > 3,
        QUERIES.astype(str),
        QUERIES.astype(object),
        QUERIES.astype("M8[s]"),
        None,
        {},
    ],
    ids=["complex", "bool", "str", "object", "datetime", "None", "dict"],
)
def test_what_is_no_real_number_is_a_type_error(bad):
    with pytest.raises(TypeError, match="start must be real numbers; received "):
        as_queries(bad, QUERIES)


@pytest.mark.parametrize("shape", [(), (3,), (4, 4), (3, 4, 4), (2, 4, 3, 1), (0, 3), (12,)])
def test_wrong_shapes_are_told(shape):
    with pytest.raises(ValueError, match=r"^start must have shape \(n, 4, 3\) or \(4, 3\); received \("):
        as_queries(np.zeros(shape), np.zeros(shape))


def test_start_and_end_must_have_one_shape():
    rule = r"^end must have the shape of start, \(2, 4, 3\); received \(1, 4, 3\)$"
    with pytest.raises(ValueError, match=rule):
        as_queries(QUERIES, QUERIES[:1])
    with pytest.raises(ValueError, match="end must have the shape of start"):
        as_queries(QUERIES[0], QUERIES[:1])


def test_ragged_lists_are_told():
    with pytest.raises(ValueError, match="start must be a rectangular array of numbers; received"):
        as_queries([[1.0, 2.0], [3.0]], QUERIES)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("row", [0, 17, 39_999])
def test_the_first_row_that_is_not_finite_is_named(value, row):
    end = np.zeros((40_000, 4, 3))
    end[row, 2, 1] = value
    end[-1, 3, 2] = math.nan
    with pytest.raises(ValueError, match=f"^end must be finite; row {row} has {value}$"):
        as_queries(np.zeros_like(end), end)


def test_coordinates_beyond_the_limit_are_told():
    start = np.zeros((5, 4, 3))
    start[3, 0, 0] = 1e200
    with pytest.raises(ValueError, match=r"^start must lie within ±2\*\*150 \(1.4e45\); row 3 has 1e\+200$"):
        as_queries(start, start)
    start[3, 0, 0] = -(2.0**150)
    as_queries(start, start)


def test_a_long_double_that_overflows_is_infinite():
    if np.finfo(np.longdouble).max == np.finfo(np.float64).max:
        pytest.skip("long double is double here")
    start = np.zeros((4, 3), dtype=np.longdouble)
    start[1, 1] = np.finfo(np.longdouble).max
    with pytest.raises(ValueError, match="start must be finite; row 1 has inf"):
        as_queries(start, start)


def test_the_callers_arrays_stay_as_they_are():
    start = np.asfortranarray(QUERIES)
    as_queries(start, QUERIES)
    assert start.flags.f_contiguous
    np.testing.assert_array_equal(start, QUERIES)


def test_vertices():
    assert as_vertices([[1, 2, 3]]).dtype == np.float64
    assert as_vertices([]).shape == (0, 3)
    with pytest.raises(ValueError, match=r"^vertices must have shape \(n, 3\); received \(3,\)$"):
        as_vertices([1, 2, 3])
    with pytest.raises(ValueError, match="vertices must be finite; row 1 has nan"):
        as_vertices([[0, 0, 0], [0, math.nan, 0]])


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int32, np.int64, np.uint64, ">i4"])
def test_faces_of_any_integer_type(dtype):
    faces = as_faces(np.array([[0, 1, 2]], dtype=dtype), 3)
    assert faces.dtype == np.int32
    assert faces.dtype.isnative
    assert is_for_kernels(faces)


@pytest.mark.parametrize("value", [-1, 812, 901, 2**40])
def test_faces_outside_the_vertices_are_told(value):
    faces = np.zeros((20, 3), dtype=np.int64)
    faces[17, 1] = value
    with pytest.raises(ValueError, match=rf"^faces must be integers in \[0, 812\); row 17 has {value}$"):
        as_faces(faces, 812)


def test_faces_must_be_integers():
    with pytest.raises(TypeError, match=r"^faces must be integers; received float64$"):
        as_faces([[0.0, 1.0, 2.0]], 3)
    with pytest.raises(ValueError, match=r"^faces must have shape \(n, 3\); received \(1, 4\)$"):
        as_faces([[0, 1, 2, 3]], 4)
    assert as_faces([], 0).shape == (0, 3)


@pytest.mark.parametrize("value", [0, 1, 0.5, np.float32(0.25), np.int64(1), True - 0.5])
def test_scalars_in_range(value):
    number = as_scalar("max_time", value, 0.0, 1.0)
    assert type(number) is float
    assert number == value


@pytest.mark.parametrize("value", [-1e-300, 1.0000001, math.nan, math.inf, 10**400])
def test_scalars_out_of_range(value):
    with pytest.raises(ValueError, match=r"^max_time must be a finite number in \[0, 1\]; received "):
        as_scalar("max_time", value, 0.0, 1.0)


def test_scalars_without_an_upper_end():
    assert as_scalar("min_separation", 1e300, 0.0) == 1e300
    with pytest.raises(ValueError, match=r"^min_separation must be a finite number at least 0; received -1$"):
        as_scalar("min_separation", -1, 0.0)


@pytest.mark.parametrize("value", [True, np.True_, "1", None, 1j, [1.0], np.zeros(1)])
def test_scalars_of_the_wrong_type(value):
    with pytest.raises(TypeError, match=r"^max_time must be a number; received "):
        as_scalar("max_time", value, 0.0, 1.0)


def test_flags():
    assert as_flag("exact", True) is True
    assert as_flag("exact", np.False_) is False
    for value in (1, 0, None, "yes"):
        with pytest.raises(TypeError, match=r"^exact must be True or False; received "):
            as_flag("exact", value)


@pytest.mark.parametrize(
    ("values", "tail", "shape", "is_batch"),
    [
        ([1, 2, 3], (3,), (1, 3), False),
        ([[1, 2, 3]], (3,), (1, 3), True),
        (np.zeros((2, 4, 4), np.float32), (4, 4), (2, 4, 4), True),
        (np.eye(4), (4, 4), (1, 4, 4), False),
        ([], (3, 3), (0, 3, 3), True),
    ],
)
def test_one_item_or_a_stack(values, tail, shape, is_batch):
    stack, flag = as_stack("start", values, tail)
    assert is_for_kernels(stack)
    assert stack.dtype == np.float64
    assert (stack.shape, flag) == (shape, is_batch)
    with pytest.raises(ValueError, match=r"^start must have shape \(n, .*; received \(1, 1, 1, 1\)$"):
        as_stack("start", np.zeros((1, 1, 1, 1)), tail)


def test_times_increase_from_zero_to_one():
    times = as_times("times", [0, 0.25, 1], 3)
    assert times.tolist() == [0.0, 0.25, 1.0]
    assert is_for_kernels(times)
    assert as_times("times", [0, SHORTEST_PIECE, 1], 3)[1] == SHORTEST_PIECE


@pytest.mark.parametrize(
    ("times", "message"),
    [
        ([0, 1], r"times must have shape \(3,\), one time for each pose; received \(2,\)$"),
        ([[0, 0.5, 1]], r"times must have shape \(3,\), .* received \(1, 3\)$"),
        (
            [0.1, 0.5, 1],
            "times must increase from 0 to 1, by 9.1e-13 or more at a time; received 0.1 to 1.0$",
        ),
        ([0, 0.5, 2], "times must increase from 0 to 1, .* received 0.0 to 2.0$"),
        ([0, 0, 1], "times must increase from 0 to 1, .* rows 0 and 1 have 0.0 and 0.0$"),
        ([0, 1.5, 1], "times must increase from 0 to 1, .* rows 1 and 2 have 1.5 and 1.0$"),
        ([0, 1e-300, 1], "times must increase from 0 to 1, .* rows 0 and 1 have 0.0 and 1e-300$"),
        ([0, math.nan, 1], "times must be finite; row 1 has nan$"),
    ],
)
def test_bad_times_are_told(times, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        as_times("times", times, 3)


def test_choices():
    assert as_choice("path", "screw", ("constant", "screw")) == "screw"
    for value in ("Screw", "", None, 1):
        with pytest.raises(ValueError, match=r"^path must be 'constant' or 'screw'; received "):
            as_choice("path", value, ("constant", "screw"))
