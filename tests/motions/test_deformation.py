import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firstcontact.motions.deformation import Deformation

coordinates = st.floats(-1e45, 1e45)


def test_halfway():
    motion = Deformation(np.zeros((2, 3)), np.array([[2.0, 4.0, 6.0], [-2.0, 0.0, 1.0]]))
    assert motion.vertices(0.5).tolist() == [[1.0, 2.0, 3.0], [-1.0, 0.0, 0.5]]


@given(x=coordinates, y=coordinates)
def test_both_ends_are_exact(x, y):
    motion = Deformation(np.full((1, 3), x), np.full((1, 3), y))
    assert motion.vertices(0.0).tolist() == [[x] * 3]
    assert motion.vertices(1.0).tolist() == [[y] * 3]


@given(x=coordinates, y=coordinates, t=st.floats(0.0, 1.0))
def test_positions_are_between_the_ends_up_to_rounding(x, y, t):
    position = Deformation(np.full((1, 3), x), np.full((1, 3), y)).vertices(t)[0, 0]
    room = 4.0 * np.finfo(float).eps * (abs(x) + abs(y)) + np.finfo(float).tiny
    assert min(x, y) - room <= position <= max(x, y) + room


def test_a_motion_is_frozen():
    with pytest.raises(AttributeError):
        Deformation(np.zeros((1, 3)), np.zeros((1, 3))).vertices_t0 = None


def test_repr_tells_how_far():
    motion = Deformation(np.zeros((2, 3)), np.array([[0.0, 3.0, 4.0], [0.0, 0.0, 1.0]]))
    assert repr(motion) == "Deformation(2 vertices, by up to 5)"
    assert repr(Deformation(np.empty((0, 3)), np.empty((0, 3)))) == "Deformation(0 vertices, by up to 0)"
