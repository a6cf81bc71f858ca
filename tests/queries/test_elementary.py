"""Bad, odd and empty input of the elementary queries."""

import numpy as np
import pytest

import firstcontact as fc

FUNCTIONS = (fc.vertex_face_ccd, fc.edge_edge_ccd)
FIELDS = ("hit", "time", "time_upper", "weights", "status")

both_kinds = pytest.mark.parametrize("ccd", FUNCTIONS, ids=lambda ccd: ccd.__name__)
both_arguments = pytest.mark.parametrize("name", ["start", "end"])


def crossing(n=3):
    """Queries with a contact at t = 1/4 for both kinds; integers, so that any number type can hold them."""
    start = np.array([(0.0, -4.0, 2.0), (0.0, 4.0, 0.0), (-4.0, -4.0, 0.0), (4.0, -4.0, 0.0)])
    end = start.copy()
    end[0, 2] -= 8.0
    return np.repeat(start[None], n, axis=0), np.repeat(end[None], n, axis=0)


def call_with(ccd, name, values, **options):
    """Call with one argument replaced."""
    start, end = crossing()
    arguments = {"start": start, "end": end, name: values}
    return ccd(arguments["start"], arguments["end"], **options)


def assert_equal_results(first, second):
    for field in FIELDS:
        np.testing.assert_array_equal(getattr(first, field), getattr(second, field))


@both_kinds
@both_arguments
@pytest.mark.parametrize("shape", [(3, 4), (3, 3, 4), (3, 4, 2), (3, 5, 3), (1, 3, 4, 3), (), (12,)])
def test_wrong_shape(ccd, name, shape):
    with pytest.raises(ValueError, match=name):
        call_with(ccd, name, np.zeros(shape))


@both_kinds
def test_different_lengths(ccd):
    start, end = crossing()
    with pytest.raises(ValueError, match=r"end.*start"):
        ccd(start, end[:2])


@both_kinds
def test_single_with_batch(ccd):
    start, end = crossing()
    with pytest.raises(ValueError, match=r"end.*start"):
        ccd(start, end[0])


@both_kinds
@both_arguments
@pytest.mark.parametrize("dtype", [complex, bool, object, "U8", "datetime64[s]"])
def test_wrong_dtype(ccd, name, dtype):
    with pytest.raises(TypeError, match=name):
        call_with(ccd, name, np.zeros((3, 4, 3)).astype(dtype))


@both_kinds
@both_arguments
@pytest.mark.parametrize("values", [None, "points", {"a": 1}])
def test_not_an_array(ccd, name, values):
    with pytest.raises((TypeError, ValueError), match=name):
        call_with(ccd, name, values)


@both_kinds
@both_arguments
def test_ragged_lists(ccd, name):
    with pytest.raises(ValueError, match=name):
        call_with(ccd, name, [[[0.0, 0.0, 0.0]] * 4, [[0.0, 0.0]] * 4, [[0.0, 0.0, 0.0]] * 4])


@both_kinds
@both_arguments
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1e200, -1e200])
def test_unusable_coordinate_names_its_row(ccd, name, value):
    start, end = crossing(5)
    (start if name == "start" else end)[3, 2, 1] = value
    (start if name == "start" else end)[4, 0, 0] = value
    with pytest.raises(ValueError, match=rf"{name}.*\b3\b"):
        ccd(start, end)


@both_kinds
@pytest.mark.parametrize("option", ["time_tolerance", "min_separation", "max_time"])
@pytest.mark.parametrize("value", [-1e-300, -1.0, np.nan, np.inf, -np.inf])
def test_option_out_of_range(ccd, option, value):
    with pytest.raises(ValueError, match=option):
        ccd(*crossing(), **{option: value})


@both_kinds
@pytest.mark.parametrize("option", ["time_tolerance", "min_separation", "max_time"])
@pytest.mark.parametrize("value", ["1", None, 1j, [0.5], np.zeros(2)])
def test_option_that_is_no_number(ccd, option, value):
    with pytest.raises((TypeError, ValueError), match=option):
        ccd(*crossing(), **{option: value})


@both_kinds
def test_max_time_above_one(ccd):
    with pytest.raises(ValueError, match="max_time"):
        ccd(*crossing(), max_time=np.nextafter(1.0, 2.0))


@both_kinds
@pytest.mark.parametrize("value", [1, 0, None, "yes", 1.0])
def test_exact_must_be_a_bool(ccd, value):
    with pytest.raises(TypeError, match="exact"):
        ccd(*crossing(), exact=value)


@both_kinds
def test_options_are_keywords(ccd):
    with pytest.raises(TypeError):
        ccd(*crossing(), True)


@both_kinds
@pytest.mark.parametrize("exact", [False, True, np.True_])
@pytest.mark.parametrize("empty", [np.empty((0, 4, 3)), [], np.empty((0, 4, 3), dtype=np.float32)], ids=str)
def test_empty(ccd, exact, empty):
    result = ccd(empty, empty, exact=exact)
    assert result.hit.shape == result.time.shape == result.time_upper.shape == result.status.shape == (0,)
    assert result.weights.shape == (0, 4)
    assert_dtypes(result)


def assert_dtypes(result):
    assert result.hit.dtype == np.bool_
    assert result.time.dtype == result.time_upper.dtype == result.weights.dtype == np.float64
    assert np.issubdtype(result.status.dtype, np.integer)


@both_kinds
@pytest.mark.parametrize("exact", [False, True])
def test_ordinary_shapes_and_dtypes(ccd, exact):
    result = ccd(*crossing(5), exact=exact)
    assert result.hit.shape == result.time.shape == result.time_upper.shape == result.status.shape == (5,)
    assert result.weights.shape == (5, 4)
    assert result.hit.all()
    assert_dtypes(result)


@both_kinds
@pytest.mark.parametrize("exact", [False, True])
def test_equivalent_input_gives_equal_results(ccd, exact):
    start, end = crossing()
    expected = ccd(start, end, exact=exact)
    strided = np.zeros((6, 4, 6))[::2, :, ::2]
    strided[:] = start
    unusual = [
        (start.tolist(), end.tolist()),
        (start.astype(np.float32), end.astype(np.float32)),
        (start.astype(np.int64), end.astype(np.int8)),
        (start.astype(">f8"), end.astype(np.longdouble)),
        (np.asfortranarray(start), np.asfortranarray(end)),
        (strided, end[::-1]),
        (np.broadcast_to(start[0], start.shape), end),
    ]
    for odd_start, odd_end in unusual:
        assert_equal_results(ccd(odd_start, odd_end, exact=exact), expected)


@both_kinds
def test_read_only_input(ccd):
    start, end = crossing()
    expected = ccd(start, end)
    start.flags.writeable = end.flags.writeable = False
    assert_equal_results(ccd(start, end), expected)


@both_kinds
@pytest.mark.parametrize("exact", [False, True])
def test_input_is_neither_changed_nor_aliased(ccd, exact):
    start, end = crossing()
    start_before, end_before = start.copy(), end.copy()
    result = ccd(start, end, exact=exact)
    np.testing.assert_array_equal(start, start_before)
    np.testing.assert_array_equal(end, end_before)
    for field in FIELDS:
        assert not np.shares_memory(getattr(result, field), start)
        assert not np.shares_memory(getattr(result, field), end)


@both_kinds
def test_start_and_end_may_be_one_array(ccd):
    start, _ = crossing()
    assert_equal_results(ccd(start, start), ccd(start, start.copy()))


@both_kinds
def test_result_is_frozen(ccd):
    result = ccd(*crossing())
    with pytest.raises(AttributeError):
        result.hit = None


@both_kinds
def test_boundary_options_are_accepted(ccd):
    result = ccd(*crossing(), time_tolerance=0.0, min_separation=0.0, max_time=0.0, exact=True)
    assert not result.hit.any()
    assert ccd(*crossing(), max_time=np.float32(1.0), time_tolerance=1, min_separation=0).hit.all()
