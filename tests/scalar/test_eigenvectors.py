import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from firstcontact.scalar.eigenvectors import principal_axes
from firstcontact.scalar.error_bounds import UNIT_ROUNDOFF

RNG = np.random.default_rng(2)
UPPER = np.triu_indices(3)

entries = st.one_of(st.floats(-1.0, 1.0), st.floats(-1e300, 1e300), st.floats(-1e-300, 1e-300), st.just(0.0))


def axes_of(matrix):
    return np.reshape(principal_axes(tuple(np.asarray(matrix)[UPPER].tolist()), np.empty((2, 3, 3))), (3, 3))


def assert_orthonormal(axes):
    assert np.abs(axes @ axes.T - np.eye(3)).max() <= 64 * UNIT_ROUNDOFF


def assert_diagonal(matrix, axes):
    matrix = np.asarray(matrix)
    turned = axes @ matrix @ axes.T
    size = np.abs(matrix).max()
    assert np.abs(turned - np.diag(np.diag(turned))).max() <= 1e-13 * size
    assert np.all(np.diff(np.diag(turned)) <= 1e-13 * size)  # largest first


def test_axes_of_random_covariances():
    for _ in range(200):
        points = RNG.standard_normal((5, 3)) * 10.0 ** RNG.uniform(-3.0, 3.0, 3)
        matrix = points.T @ points
        axes = axes_of(matrix)
        assert_orthonormal(axes)
        assert_diagonal(matrix, axes)


@pytest.mark.parametrize("scale", [1e-150, 1e-12, 1.0, 1e12, 1e150])
def test_axes_do_not_depend_on_the_scale(scale):
    points = RNG.standard_normal((7, 3))
    matrix = points.T @ points
    assert np.abs(axes_of(scale * matrix) - axes_of(matrix)).max() <= 1e-9


@pytest.mark.parametrize(
    "matrix",
    [np.zeros((3, 3)), np.eye(3), np.diag([1.0, 2.0, 2.0]), np.diag([3.0, 1.0, 1.0]), np.ones((3, 3))],
    ids=["zero", "identity", "flat", "long", "line"],
)
def test_axes_where_there_is_a_choice(matrix):
    axes = axes_of(matrix)
    assert_orthonormal(axes)
    assert_diagonal(matrix, axes)


@given(st.tuples(*[entries] * 6))
@example((5e-324, 0.0, 0.0, 0.0, 0.0, 0.0))
@example((1.0, 5e-324, 0.0, 1.0, 5e-324, 1.0))
@example((0.0, 1.0, 1.0, 0.0, 1.0, 0.0))
@example((1e-320, 1e-320, 1e-320, 1e-320, 1e-320, 1e-320))
def test_axes_are_orthonormal_whatever_the_matrix(matrix):
    # Of points, xy is no larger than the larger of xx and yy, but for rounding: so it is here.
    xx, xy, xz, yy, yz, zz = matrix
    xx, yy, zz = (
        max(abs(xx), abs(xy), abs(xz)),
        max(abs(yy), abs(xy), abs(yz)),
        max(abs(zz), abs(xz), abs(yz)),
    )
    assert_orthonormal(np.reshape(principal_axes((xx, xy, xz, yy, yz, zz), np.empty((2, 3, 3))), (3, 3)))
