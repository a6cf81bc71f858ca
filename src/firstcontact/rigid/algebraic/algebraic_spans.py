"""When two rigid meshes whose motions are rational touch and part, by algebra: all of it, exact.

Surfaces that begin to touch, or cease to, do so where two of their features touch, a vertex and a face or two
edges: at a time among the roots of their polynomials. Between two neighbours of all these times nothing
changes, so that one time in between, a fraction, tells of the whole: do two faces meet then?
"""

from collections.abc import Sequence

import numpy as np

from firstcontact.advancement.contact_watch import (
    DOUBT,
    N_COLUMNS,
    PART_LOWER,
    PART_UPPER,
    TOUCH_LOWER,
    TOUCH_UPPER,
)
from firstcontact.arrays import Array
from firstcontact.motions.rigid_motion import RigidMotion
from firstcontact.narrowphase.elementary.contact_spans import spans_where
from firstcontact.rigid.algebraic.algebraic_first import FEW, SHORTEST_STRETCH, FeatureKey, Search
from firstcontact.rigid.algebraic.exact_motion import ExactBody
from firstcontact.rigid.algebraic.feature_touch import Corners, FeatureTouch, side_of_lines, side_of_plane
from firstcontact.scalar.algebraic_number import AlgebraicNumber, real_roots
from firstcontact.scalar.integer_polynomial import Polynomial
from firstcontact.shapes.mesh import Mesh

# Stretches are cut no shorter where all pairs of faces in them can be tried: most features touch in some.
SHORT_ENOUGH = 2.0**-6

LAST = 1.0


def algebraic_spans(meshes: tuple[Mesh, Mesh], motions: Sequence[RigidMotion], k: int) -> Array:
    """Spans of contact (m, N_COLUMNS) on motion k of each, or the only one; ends between doubles."""
    if not all(len(mesh.faces) for mesh in meshes):
        return np.empty((0, N_COLUMNS))
    surfaces = MeetingSurfaces(Search(meshes, motions, k))
    spans = spans_where(surfaces.meet_at, surfaces.events(), LAST)
    rows = np.zeros((len(spans), N_COLUMNS))
    for row, ends in zip(rows, spans, strict=True):
        (row[TOUCH_LOWER], row[TOUCH_UPPER]), (row[PART_LOWER], row[PART_UPPER]) = map(_bracket, ends)
    rows[:, DOUBT] = 0.0
    return rows


def _bracket(time: AlgebraicNumber) -> tuple[float, float]:
    """Neighbouring doubles around a time, or that time twice."""
    low, high = time.bracket(0.0)
    return low, min(high, LAST)


class MeetingSurfaces:
    """When features of two moving meshes touch, and whether faces of them meet at a time."""

    def __init__(self, search: Search) -> None:
        self._search = search
        self._touches: dict[FeatureKey, FeatureTouch] = {}
        self._planes: dict[tuple[int, int, Corners], Polynomial] = {}
        self._lines: dict[tuple[Corners, Corners], Polynomial] = {}

    def events(self) -> list[AlgebraicNumber]:
        """Times at which anything may begin to touch, or cease to."""
        search, tried, found = self._search, set[tuple[int, int]](), dict[FeatureKey, list[AlgebraicNumber]]()
        stretches = [(0.0, LAST, search.whole)]
        while stretches:
            start, end, pairs = stretches.pop()
            pairs, is_at_faces = search.front(pairs, start, end)
            untried = [pair for pair in search.numbers(pairs) if pair not in tried] if is_at_faces else []
            is_long = end - start > (SHORT_ENOUGH if is_at_faces else SHORTEST_STRETCH)
            if is_long and (not is_at_faces or len(untried) > FEW):
                middle = 0.5 * (start + end)
                stretches += [(start, middle, pairs), (middle, end, pairs)]
                continue
            tried |= set(untried)
            for key in (key for a, b in untried for key in search.features(a, b)):
                if key not in found:
                    found[key] = _times_of(self._touch(key))
        return [time for times in found.values() for time in times]

    def meet_at(self, time: AlgebraicNumber) -> bool:
        """Have the surfaces a common point at a time?"""
        search = self._search
        pairs = search.numbers(search.front(search.whole, *_bracket(time))[0])
        return any(self._faces_meet(a, b, time) for a, b in pairs)

    def _faces_meet(self, a: int, b: int, time: AlgebraicNumber) -> bool:
        """Does an edge pass through the other face, or do two features touch?"""
        face_a, face_b = self._search.corners(a, b)
        for k in range(3):
            if self._passes(0, (face_a[k], face_a[k - 2]), face_b, time):
                return True
            if self._passes(1, (face_b[k], face_b[k - 2]), face_a, time):
                return True
        for touch in map(self._touch, self._search.features(a, b)):
            if not time.sign_of(touch.coplanarity) and touch.holds_at(time):
                return True
        return False

    def _passes(self, side: int, edge: Corners, face: Corners, time: AlgebraicNumber) -> bool:
        """Does an edge of one side pass through a face of the other?"""
        one, other = (time.sign_of(self._plane(side, vertex, face)) for vertex in edge)
        if one * other >= 0:
            return False
        signs = {time.sign_of(self._line(side, edge, (face[k], face[k - 2]))) for k in range(3)}
        return not {1, -1} <= signs

    def _plane(self, side: int, vertex: int, face: Corners) -> Polynomial:
        key = side, vertex, face
        if key not in self._planes:
            self._planes[key] = side_of_plane(*self._ordered(side), vertex, face)
        return self._planes[key]

    def _line(self, side: int, edge: Corners, other: Corners) -> Polynomial:
        key = (edge, other) if side == 0 else (other, edge)
        if key not in self._lines:
            self._lines[key] = side_of_lines(*self._search.bodies, *key)
        return self._lines[key]

    def _ordered(self, side: int) -> tuple[ExactBody, ExactBody]:
        a, b = self._search.bodies
        return (a, b) if side == 0 else (b, a)

    def _touch(self, key: FeatureKey) -> FeatureTouch:
        if key not in self._touches:
            self._touches[key] = self._search.touch(key)
        return self._touches[key]


def _times_of(touch: FeatureTouch) -> list[AlgebraicNumber]:
    """Times at which two features touch; of those always coplanar, when they may begin to, or cease to."""
    if touch.coplanarity:
        return [root for root in real_roots(touch.coplanarity, LAST) if touch.holds_at(root)]
    return [root for p in touch.candidates_if_always_coplanar() for root in real_roots(p, LAST)]
