"""Parts of a rigid motion, vertex by vertex, and how far the paths of their points are from straight ones."""

from collections.abc import Sequence
from math import inf, sin, sqrt
from typing import NamedTuple

import numpy as np

from firstcontact.arrays import Array
from firstcontact.motions.law import Law
from firstcontact.motions.rigid_motion import (
    AXIS,
    BASE_TIME,
    CENTER,
    DEVIATION,
    END_TIME,
    POSITION,
    RATE,
    ROTATION,
    VELOCITY,
    RigidMotion,
)
from firstcontact.scalar.error_bounds import SHORTEST, UNIT_ROUNDOFF

# Rounding of positions. What a turn adds is off by up to 80 u times its angle times its arm, its deviation
# from a straight path too. Where a body starts, its way, and a deformation are off by 8 u of their lengths.
TURNED = 128.0 * UNIT_ROUNDOFF
PLACED = 16.0 * UNIT_ROUNDOFF

# The diameter of a circle, in units of its radius: no two points of it are farther apart.
DIAMETER = 2.0


class RigidSegment(NamedTuple):
    """A part of a rigid motion, with constant velocities.

    start, end : times
    vertices : (n, 3), where they are at the start
    velocity : (3,), of the center
    across, inward : (n, 3), from the axis along the circle of each vertex, and from the vertex to the axis
    rate : angle per unit of time
    radius : of the largest circle
    rounding : error at most of any position in this segment, of the deforming mesh too
    drift : how far the body may be from where the segment has it
    body, law : its vertices, and how it truly moves, where that is not as in the segment
    """

    start: float
    end: float
    vertices: Array
    velocity: Array
    across: Array
    inward: Array
    rate: float
    radius: float
    rounding: float
    drift: float
    body: Array
    law: Law | None

    def over(self, start: float, end: float) -> "RigidSegment":
        """Give the segment for a stretch of time in it, from which the body drifts less."""
        if self.law is None:
            return self
        row = self.law.rows(np.zeros(1, np.intp), np.array([start]), np.array([end]))[0]
        return _law_segment(row, self)

    def at(self, t: float) -> Array:
        """Positions of the vertices at a time, (n, 3)."""
        passed = t - self.start
        angle = self.rate * passed
        versine = 2.0 * sin(0.5 * angle) ** 2
        turned: Array = sin(angle) * self.across + versine * self.inward
        return self.vertices + (passed * self.velocity + turned)

    def deviation(self, span: float) -> float:
        """Bound how far any point is from its straight path over a span of time, rounding included."""
        # From the chord of a curve with an acceleration of at most w^2 r, over a time h: h^2 w^2 r / 8.
        angle = self.rate * span
        return min(0.125 * angle * angle, DIAMETER) * self.radius + self.rounding + self.drift

    def span(self, deviation: float) -> float:
        """Find the longest span of time over which paths deviate by no more than this, but for rounding."""
        if self.drift > 0.0:  # it grows with the square of the span, as the deviation of a circle does
            length = self.end - self.start
            return sqrt(
                deviation / (0.125 * self.rate * self.rate * self.radius + self.drift / (length * length))
            )
        if deviation >= DIAMETER * self.radius:
            return inf
        return sqrt(8.0 * deviation / self.radius) / self.rate


class RigidSegments(NamedTuple):
    """Segments of one or several bodies over the same time. Of a pair, what both deviate adds up.

    start, end : times
    bodies : the segment of each
    """

    start: float
    end: float
    bodies: tuple[RigidSegment, ...]

    def over(self, start: float, end: float) -> "RigidSegments":
        """Give the segments for a stretch of time in them."""
        return self._replace(bodies=tuple(body.over(start, end) for body in self.bodies))

    @property
    def rounding(self) -> float:
        """Error at most of the positions of a pair."""
        return two_largest([body.rounding for body in self.bodies])

    @property
    def drift(self) -> float:
        """How far the bodies of a pair may be from where their segments have them."""
        return two_largest([body.drift for body in self.bodies])

    def deviation(self, span: float) -> float:
        """Bound how far any two points are from their straight paths over a span of time, in sum."""
        return two_largest([body.deviation(span) for body in self.bodies])

    def span(self, deviation: float) -> float:
        """Find a span of time over which no pair deviates by more than this, but for rounding."""
        share = deviation if len(self.bodies) == 1 else 0.5 * deviation
        return min(body.span(share) for body in self.bodies)


def two_largest(lengths: Sequence[float]) -> float:
    """Sum of the two largest of some lengths, or the only one."""
    return sum(sorted(lengths)[-2:])


def segment_of(motion: RigidMotion, k: int, vertices: Array, surroundings: float) -> RigidSegment:
    """Part k of a motion of vertices, next to a mesh of which the coordinates are of that size."""
    row, translation = motion.rows()[0, k], motion.translations[0, k]
    placed = _rotated(row[ROTATION:POSITION].reshape(3, 3), vertices) + translation
    lengths = farthest(vertices) + farthest(translation)
    lengths += farthest((row[END_TIME] - row[BASE_TIME]) * row[VELOCITY:AXIS])
    # What deviates has stretches that start elsewhere, by no more than the drift times eight.
    lengths += surroundings + 8.0 * float(row[DEVIATION])
    return _segment(row, placed, PLACED * lengths + SHORTEST, vertices, motion.law)


def _law_segment(row: Array, whole: RigidSegment) -> RigidSegment:
    """Part of a motion of which the whole is known; rounding adds up."""
    rotation, center, position = (
        row[ROTATION:POSITION].reshape(3, 3),
        row[CENTER:END_TIME],
        row[POSITION:VELOCITY],
    )
    placed = _rotated(rotation, whole.body - center) + position
    lengths = farthest(center) + farthest(position)
    return _segment(row, placed, PLACED * lengths + whole.rounding, whole.body, whole.law)


def _segment(row: Array, placed: Array, rounding: float, vertices: Array, law: Law | None) -> RigidSegment:
    """Part of a motion as its row has it, counted from when the vertices are placed so."""
    start, end, axis, rate = float(row[BASE_TIME]), float(row[END_TIME]), row[AXIS:RATE], float(row[RATE])
    arms = _rotated(row[ROTATION:POSITION].reshape(3, 3), vertices - row[CENTER:END_TIME])
    across = np.cross(axis, arms)
    inward = np.cross(axis, across)
    # However many turns, a point does not leave its circle.
    turned = min(TURNED * rate * (end - start), DIAMETER) * farthest(arms)
    circles = across, inward, rate, farthest(across)
    drift = float(row[DEVIATION])
    return RigidSegment(
        start, end, placed, row[VELOCITY:AXIS], *circles, rounding + turned, drift, vertices, law
    )


def farthest(vectors: Array) -> float:
    """Length of a vector, or of the longest of (n, 3); zero for none."""
    return float(np.sqrt(np.max(np.einsum("...i,...i", vectors, vectors), initial=0.0)))


def _rotated(rotation: Array, vectors: Array) -> Array:
    """Rotate vectors (n, 3), column by column: a product of matrices may be rounded in more than one way."""
    x, y, z = vectors[:, 0:1], vectors[:, 1:2], vectors[:, 2:3]
    rotated: Array = x * rotation[:, 0] + y * rotation[:, 1] + z * rotation[:, 2]
    return rotated
