"""Where the origin of a body's frame comes on its way, at most."""

from typing import NamedTuple

import numpy as np

from firstcontact.arrays import Array
from firstcontact.motions.attached import turns_at_starts
from firstcontact.motions.rigid_motion import (
    BASE_TIME,
    CENTER,
    DEVIATION,
    END_TIME,
    RATE,
    VELOCITY,
    RigidMotion,
)

# What undoes the rounding of a few sums and products.
UP = 1.0 + 2.0**-40


class OriginRange(NamedTuple):
    """Places (n, 3), and how far (n,) from each of them something is, at most."""

    places: Array
    spans: Array

    def farthest_to(self, other: "OriginRange") -> float:
        """How far apart the two can be, at most, in any row; one row goes with many.

        Of numbers of rows that do not go together, which are for others to refuse, it is 0.
        """
        if len({len(self.spans), len(other.spans)} - {1}) > 1:
            return 0.0
        apart = np.linalg.norm(self.places - other.places, axis=1) + self.spans + other.spans
        return float(UP * apart.max(initial=0.0))


def origin_range(motion: RigidMotion) -> OriginRange:
    """Bound where the origin of the frame is at any time of each of n motions.

    In a piece it goes with the center, and around it: by no more than the angle times the distance of both,
    and no more than twice that distance, whatever the angle.
    """
    return _range(motion, motion.rows()[..., CENTER:END_TIME], motion.translations)


def point_ranges(motion: RigidMotion, points: Array) -> OriginRange:
    """Bound where points (p, 3) of the body are: places (p, n, 3), spans (p, n)."""
    points = points[:, np.newaxis, np.newaxis]
    starts = motion.translations + (turns_at_starts(motion) @ points[..., np.newaxis])[..., 0]
    return _range(motion, motion.rows()[..., CENTER:END_TIME] - points, starts)


def _range(motion: RigidMotion, arms: Array, starts: Array) -> OriginRange:
    """Bound where something is, at arms (..., n, k, 3) from the centers, and at starts where pieces do."""
    rows = motion.rows()
    passed = rows[..., END_TIME] - rows[..., BASE_TIME]
    ways = np.linalg.norm(rows[..., VELOCITY : VELOCITY + 3], axis=-1) * passed
    turned = np.minimum(rows[..., RATE] * passed, 2.0) * np.linalg.norm(arms, axis=-1)
    away = np.linalg.norm(starts - starts[..., :1, :], axis=-1)
    return OriginRange(starts[..., 0, :], UP * (away + (ways + turned + rows[..., DEVIATION])).max(axis=-1))
