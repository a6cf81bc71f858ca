"""Parts of a rigid motion, vertex by vertex, and how far the paths of their points are from straight ones."""

from math import inf, sin, sqrt
from typing import NamedTuple

import numpy as np

from firstcontact.arrays import Array
from firstcontact.motions.rigid_motion import RigidMotion
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
        return min(0.125 * angle * angle, DIAMETER) * self.radius + self.rounding

    def span(self, deviation: float) -> float:
        """Find the longest span of time over which paths deviate by no more than this, but for rounding."""
        if deviation >= DIAMETER * self.radius:
            return inf
        return sqrt(8.0 * deviation / self.radius) / self.rate


def segment_of(motion: RigidMotion, k: int, vertices: Array, surroundings: float) -> RigidSegment:
    """Part k of a motion of vertices, next to a mesh of which the coordinates are of that size."""
    start, end = float(motion.times[k]), float(motion.times[k + 1])
    rotation, translation, center = motion.rotations[0, k], motion.translations[0, k], motion.centers[0, k]
    velocity, turn = motion.velocities[0, k], motion.angular_velocities[0, k]
    rate, arms = farthest(turn), _rotated(rotation, vertices - center)
    across = np.cross(turn / rate, arms) if rate > 0.0 else np.zeros_like(arms)
    inward = np.cross(turn / rate, across) if rate > 0.0 else across
    # However many turns, a point does not leave its circle.
    turned = min(TURNED * rate * (end - start), DIAMETER) * farthest(arms)
    lengths = sum(map(farthest, (vertices, translation, (end - start) * velocity)))
    rounding = turned + PLACED * (lengths + surroundings) + SHORTEST
    placed = _rotated(rotation, vertices) + translation
    return RigidSegment(start, end, placed, velocity, across, inward, rate, farthest(across), rounding)


def farthest(vectors: Array) -> float:
    """Length of a vector, or of the longest of (n, 3); zero for none."""
    return float(np.sqrt(np.max(np.einsum("...i,...i", vectors, vectors), initial=0.0)))


def _rotated(rotation: Array, vectors: Array) -> Array:
    """Rotate vectors (n, 3), column by column: a product of matrices may be rounded in more than one way."""
    x, y, z = vectors[:, 0:1], vectors[:, 1:2], vectors[:, 2:3]
    rotated: Array = x * rotation[:, 0] + y * rotation[:, 1] + z * rotation[:, 2]
    return rotated
