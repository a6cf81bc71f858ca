from fractions import Fraction

import numpy as np
import pytest

from firstcontact.bounds.directions import directions

KS = (6, 14, 16, 18, 26)


@pytest.mark.parametrize("k", KS)
def test_the_axes_come_first_and_no_direction_twice(k):
    vectors = directions(k).vectors.T
    assert vectors.shape == (k // 2, 3)
    assert np.array_equal(vectors[:3], np.eye(3))
    assert len(np.unique(np.concatenate([vectors, -vectors]), axis=0)) == k


@pytest.mark.parametrize("k", KS)
def test_lengths_are_rounded_up_by_at_most_two_floats(k):
    vectors, lengths = directions(k)
    for vector, length in zip(vectors.T, lengths, strict=True):
        square = int(vector @ vector)
        assert Fraction(float(length)) ** 2 >= square
        shorter = np.nextafter(np.nextafter(length, 0.0), 0.0)
        assert Fraction(float(shorter)) ** 2 < square


def test_sixteen_takes_five_of_the_six_diagonals_of_eighteen():
    assert np.array_equal(directions(16).vectors, directions(18).vectors[:, :8])


def test_other_numbers_of_faces_are_refused():
    with pytest.raises(KeyError):
        directions(8)
