"""Edges that pass through faces, against exact arithmetic."""

from fractions import Fraction

import numpy as np
import pytest

from firstcontact.narrowphase.elementary.inclusion import INSIDE, OUTSIDE, UNSURE
from firstcontact.narrowphase.triangles.piercing import ROOM_SIZE, UNKNOWN, is_pierced, volume_sign
from tuples import as_tuples

FACE = ((0.0, 0.0, 0.0), (4.0, 0.0, 0.0), (0.0, 4.0, 0.0))


def pierced(p, q, face=FACE):
    p, q, *face = as_tuples([p, q, *face])
    return is_pierced(p, q, tuple(face), np.empty(ROOM_SIZE))


def exact_sign(a, b, c, d):
    (x0, x1, x2), (y0, y1, y2), (z0, z1, z2) = (
        [Fraction(u) - Fraction(v) for u, v in zip(p, d, strict=True)] for p in (a, b, c)
    )
    volume = x0 * (y1 * z2 - y2 * z1) - x1 * (y0 * z2 - y2 * z0) + x2 * (y0 * z1 - y1 * z0)
    return (volume > 0) - (volume < 0)


@pytest.mark.parametrize("size", [1e-50, 1.0, 1e30])
def test_signs_are_exact(size):
    rng = np.random.default_rng(0)
    room, seen = np.empty(ROOM_SIZE), set()
    for _ in range(300):
        points = as_tuples(size * rng.integers(-2, 3, (4, 3)) * rng.choice([1.0, 1.0 + 2.0**-52], (4, 3)))
        sign = volume_sign(*points, room)
        assert sign == exact_sign(*points)
        seen.add(sign)
    assert seen == {-1, 0, 1}


def test_only_the_inside_counts():
    assert pierced((1, 1, -1), (1, 1, 1)) == INSIDE
    assert pierced((1, 1, 1), (1, 1, -1)) == INSIDE
    assert pierced((3, 3, -1), (3, 3, 1)) == OUTSIDE
    assert pierced((1, 1, 1), (1, 1, 2)) == OUTSIDE
    assert pierced((1, 1, 0), (1, 1, 1)) == OUTSIDE  # ends on it
    assert pierced((0, 1, -1), (0, 1, 1)) == OUTSIDE  # through its border
    assert pierced((0, 0, -1), (0, 0, 1)) == OUTSIDE  # through its corner
    assert pierced((1, 1, 0), (2, 1, 0)) == OUTSIDE  # within its plane


def test_a_hair_decides():
    hair = np.nextafter(0.0, 1.0) * 2.0**600
    assert pierced((hair, 1, -1), (hair, 1, 1)) == INSIDE
    assert pierced((-hair, 1, -1), (-hair, 1, 1)) == OUTSIDE


def test_beyond_exact_numbers_it_is_unsure():
    tiny = 1e-300
    assert volume_sign(*as_tuples(tiny * np.eye(4, 3)), np.empty(ROOM_SIZE)) == UNKNOWN
    scaled = tiny * np.array([(1, 1, -1), (1, 1, 1), *FACE])
    assert pierced(*scaled[:2], scaled[2:]) == UNSURE
