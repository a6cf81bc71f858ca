"""Changes of a query that cannot change the contact: roles, order, exact motions of everything, time."""

import numpy as np
import pytest

from properties.elementary import CCD, KINDS, assert_brackets_overlap
from properties.families import FAMILIES, generate

N = 150
RELABELLINGS = {
    "vf": [(0, 2, 3, 1), (0, 3, 1, 2), (0, 1, 3, 2), (0, 3, 2, 1)],
    "ee": [(2, 3, 0, 1), (1, 0, 2, 3), (0, 1, 3, 2), (3, 2, 1, 0)],
}
AXIS_ORDERS = [(1, 2, 0), (2, 1, 0), (1, 0, 2)]
FLIPS = [(-1.0, 1.0, 1.0), (-1.0, -1.0, -1.0), (1.0, -1.0, -1.0)]
SHIFTS = [(1.0, 2.0, -4.0), (2.0**20, -(2.0**10), 2.0**-3)]
SCALES = [2.0**-20, 2.0**20]

every_family = pytest.mark.parametrize("family", FAMILIES)
every_kind = pytest.mark.parametrize("kind", KINDS)


def assert_same_contacts(kind, original, changed):
    first = CCD[kind](*original, exact=True)
    second = CCD[kind](*changed, exact=True)
    assert_brackets_overlap(first, second)


def rows_where(condition, start, end):
    keep = np.all(condition, axis=(1, 2))
    return start[keep], end[keep]


def is_exact_sum(x, shift):
    """Knuth's two-sum: the rounding error of x + shift is zero."""
    total = x + shift
    part = total - x
    return (x - (total - part)) + (shift - part) == 0.0


@every_kind
@every_family
def test_relabelling(family, kind):
    start, end = generate(family, kind, N, seed=1)
    for order in RELABELLINGS[kind]:
        assert_same_contacts(kind, (start, end), (start[:, order], end[:, order]))


@every_kind
@every_family
def test_axis_permutations_and_reflections(family, kind):
    start, end = generate(family, kind, N, seed=2)
    for order, flip in zip(AXIS_ORDERS, FLIPS, strict=True):
        assert_same_contacts(kind, (start, end), (start[:, :, order] * flip, end[:, :, order] * flip))


@every_kind
@pytest.mark.parametrize("family", ["coplanar-sliding", "grid", "parallel-edges", "touching-ends"])
@pytest.mark.parametrize("shift", SHIFTS)
def test_exact_translations(family, kind, shift):
    start, end = generate(family, kind, 2 * N, seed=3)
    start, end = rows_where(is_exact_sum(start, shift) & is_exact_sum(end, shift), start, end)
    assert len(start) >= N // 2
    assert_same_contacts(kind, (start, end), (start + shift, end + shift))


@every_kind
@every_family
@pytest.mark.parametrize("scale", SCALES)
def test_scaling_by_powers_of_two(family, kind, scale):
    start, end = generate(family, kind, N, seed=4)
    is_exact = (start * scale / scale == start) & (end * scale / scale == end)
    start, end = rows_where(is_exact, start, end)
    assert len(start) >= N // 2
    assert_same_contacts(kind, (start, end), (start * scale, end * scale))


@every_kind
@every_family
def test_reversed_time(family, kind):
    start, end = generate(family, kind, N, seed=5)
    forward = CCD[kind](start, end, exact=True)
    backward = CCD[kind](end, start, exact=True)
    np.testing.assert_array_equal(forward.hit, backward.hit)
