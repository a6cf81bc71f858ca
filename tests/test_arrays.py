"""Cross products of arrays, against NumPy's."""

import numpy as np

from firstcontact.arrays import crossed


def test_cross_products_are_those_of_numpy_to_the_last_digit():
    rng = np.random.default_rng(1)
    a, b = rng.normal(size=(2, 50, 4, 3))
    np.testing.assert_array_equal(crossed(a, b), np.cross(a, b))
    np.testing.assert_array_equal(crossed(a[:, :1], b), np.cross(a[:, :1], b))
    np.testing.assert_array_equal(crossed(a[0, 0], b), np.cross(a[0, 0], b))
    assert crossed(np.empty((0, 3)), np.empty((0, 3))).shape == (0, 3)
