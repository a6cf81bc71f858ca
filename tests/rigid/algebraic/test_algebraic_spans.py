"""When meshes touch and part, by algebra: against fractions, first contacts, the search, known cases."""

from fractions import Fraction

import numpy as np
import pytest

import firstcontact as fc
from oracles.quaternion_motion import cross_at
from rigid.algebraic.test_algebraic_first import LEAF, TETRAHEDRON, motions
from samples import sample


def times_of(found):
    return [(touch[0], part[1]) for touch, part in found]


@pytest.mark.parametrize("seed", range(sample(4, of=100)))
def test_surfaces_cross_within_and_not_outside(seed):
    a, b = motions(seed, TETRAHEDRON, (LEAF, TETRAHEDRON)[seed % 2], 1)
    found = fc.contact_intervals(a, b, method="algebraic")[0]
    first = float(fc.first_contacts(a, b, method="algebraic").time[0])
    assert (found.touch[0, 0] if len(found) else np.inf) == first
    for t in (Fraction(k, 24) for k in range(25)):
        is_within = any(touch[1] <= t <= part[0] for touch, part in found)
        is_outside = all(t < touch[0] or part[1] < t for touch, part in found)
        assert cross_at(a, b, t) == is_within or not (is_within or is_outside)
    assert (found.touch[:, 1] - found.touch[:, 0] <= 2.0**-53).all()
    assert found.is_proven.all()
    assert not found.doubt.any()


def test_the_search_has_them_all_within_its_bounds():
    a, b = motions(2, TETRAHEDRON, TETRAHEDRON, sample(12, of=300))
    exact, searched = fc.contact_intervals(a, b, method="algebraic"), fc.contact_intervals(a, b)
    assert len(exact) == len(searched)
    assert len(exact.touch) >= 4
    for truth, found in zip(exact, searched, strict=True):
        for touch, part in truth:
            assert any(outer[0] <= touch[1] and part[0] <= last[1] for outer, last in found)
        for k in np.flatnonzero(found.is_proven):
            inner = found.touch[k, 1], found.part[k, 0]
            assert any(touch[0] <= inner[0] and inner[1] <= part[1] for touch, part in truth)


def test_in_at_one_side_and_out_at_the_other():
    start, end = np.eye(4), np.eye(4)
    start[0, 3], end[0, 3] = -4.0, 4.0
    wall = fc.Mesh([[0, -9, -9], [0, 9, -9], [0, 0, 9]], [[0, 1, 2]])
    found = fc.contact_intervals(
        TETRAHEDRON.moving(start, end, path="quaternion", center=[0, 0, 0]), wall, method="algebraic"
    )
    # Through the wall, from its tip at x = 1 to its foot at x = 0.
    assert times_of(found) == [(0.375, 0.5)]
    straight = TETRAHEDRON.moving(start, velocity=[8, 0, 0], center=[0, 0, 0])
    assert times_of(fc.contact_intervals(straight, wall, method="algebraic")) == times_of(found)


def test_a_touch_of_no_length_and_one_in_a_plane():
    start, end = np.eye(4), np.eye(4)
    start[0, 3], end[0, 3] = -3.0, 3.0
    grazing = LEAF.moving(start, end, path="quaternion", center=[0, 0, 0])
    found = fc.contact_intervals(
        grazing, fc.Mesh([[0, 1, 0], [0, 2, 1], [0, 2, -1]], [[0, 1, 2]]), method="algebraic"
    )
    assert len(found) == 1
    assert (found.touch == 0.5).all()
    assert (found.part == 0.5).all()
    slide = LEAF.moving(
        (np.eye(3), [-3, 0.25, 0]), (np.eye(3), [1, 0.25, 0]), path="quaternion", center=[0, 0, 0]
    )
    ((touch, part),) = fc.contact_intervals(slide, LEAF, method="algebraic")
    assert touch[0] == 0.5
    assert part[1] <= 0.9375000000000001


def test_solids_batches_and_nothing():
    small = fc.Mesh(0.1 * TETRAHEDRON.vertices, TETRAHEDRON.faces)
    inside = small.moving((np.eye(3), [0.1, 0.1, 0.1]), (np.eye(3), [2, 2, 2]), path="quaternion")
    (surface,) = fc.contact_intervals(inside, TETRAHEDRON, method="algebraic")
    (solid,) = fc.contact_intervals(inside, TETRAHEDRON, method="algebraic", solid=True)
    assert surface[0][0] > 0.0
    assert solid == ((0.0, 0.0), surface[1])
    nobody = fc.Mesh(np.empty((0, 3)), np.empty((0, 3), int))
    assert list(fc.contact_intervals(nobody, LEAF, method="algebraic")) == []
    assert len(fc.contact_intervals(LEAF.at(np.empty((0, 4, 4))), LEAF, method="algebraic")) == 0
    resting = fc.contact_intervals(LEAF, TETRAHEDRON, method="algebraic")
    assert times_of(resting) == [(0.0, 1.0)]


def test_what_is_refused():
    with pytest.raises(ValueError, match='method="algebraic" has no use for tolerance'):
        fc.contact_intervals(LEAF, LEAF, method="algebraic", tolerance=0.1)
    with pytest.raises(ValueError, match=r'^a must stand still.*path="quaternion" for method="algebraic"$'):
        fc.contact_intervals(LEAF.moving(np.eye(4), angular_velocity=[0, 0, 1]), LEAF, method="algebraic")
    with pytest.raises(ValueError, match=r"method must be 'c2a' or 'algebraic'; received 'ca'"):
        fc.contact_intervals(LEAF, LEAF, method="ca")
    with pytest.raises(ValueError, match="method has no meaning for a convex shape with a mesh"):
        fc.contact_intervals(fc.Sphere(1), LEAF, method="algebraic")
