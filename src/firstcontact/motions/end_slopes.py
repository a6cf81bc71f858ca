"""How what depends on a pose of a motion changes with the poses at both ends of the piece that it is in.

In a piece the center goes straight from g0 to g1, and the body turns by exp(s w) while s goes from 0 to 1.
Let the end be moved by d and turned by e about its origin, both in the world. With r1 from the origin to the
center, g1 goes by d + e x r1, and w by J(w)^-1 e, where J is the left Jacobian of rotations. At s the body
turns by s J(s w) J(w)^-1 e more, and its center goes by s times what g1 does. Of the start, g0 goes likewise,
by 1 - s of it, and the turn is exp(s w) e less s J(s w) J(-w)^-1 e.

What moves by other laws is taken to be moved by what fades straight from one end to the other.
"""

import numpy as np
from numpy.typing import NDArray

from firstcontact.arrays import Array, crossed
from firstcontact.motions.acceleration import ConstantAcceleration
from firstcontact.motions.rigid_motion import (
    AXIS,
    CENTER,
    END_TIME,
    POSITION,
    RATE,
    ROTATION,
    START_TIME,
    RigidMotion,
)

# Turns by less, in radians, have Jacobians by their series.
SMALL = 1e-4

# Whole turns have many shortest ways from start to end, and sines of half the angle below this.
WHOLE = 1e-12


def slopes_at_ends(motion: RigidMotion, which: NDArray[np.intp], times: Array, slopes: Array) -> Array:
    """Slopes (n, 2, 6) with respect to both ends, of slopes (n, 6) with respect to poses at times (n,).

    Twists are a translation, and a rotation vector about the origin of the pose, in the world. Motions are
    those of numbers (n,), or a single one; of pieces, the ends are those of the piece.
    """
    own = np.zeros(len(times), np.intp) if len(motion) == 1 else which
    law = motion.law
    if law is not None and not isinstance(law, ConstantAcceleration):
        return faded(times, slopes)
    pieces = motion.pieces if law is None else law.pieces
    last = len(motion.times) - 1
    k = np.minimum(np.searchsorted(motion.times, times, side="right"), last) - 1
    rows = pieces[own, k]
    start, span = rows[:, START_TIME], rows[:, END_TIME] - rows[:, START_TIME]
    part = ((times - start) / span)[:, np.newaxis]
    force, moment = slopes[:, :3], slopes[:, 3:]
    turn = rows[:, AXIS:RATE] * (rows[:, RATE] * span)[:, np.newaxis]
    first = rows[:, ROTATION:POSITION].reshape(-1, 3, 3)
    center = rows[:, CENTER:END_TIME, np.newaxis]
    arms = [_times(_turned(s * turn) @ first, center) for s in (0.0, part, 1.0)]
    about = moment - crossed(arms[1], force)  # of what turns about the center
    jacobian = part[..., np.newaxis] * _jacobian(part * turn)
    ahead, behind = jacobian @ _undone(turn), _turned(part * turn) - jacobian @ _undone(-turn)
    found = np.empty((len(times), 2, 6))
    for end, share, arm, turns in ((0, 1.0 - part, arms[0], behind), (1, part, arms[2], ahead)):
        found[:, end, :3] = share * force
        turned = _times(np.swapaxes(turns, 1, 2), about[..., np.newaxis])
        found[:, end, 3:] = share * crossed(arm, force) + turned
    return found


def faded(times: Array, slopes: Array) -> Array:
    """Slopes (n, 2, 6) with respect to what fades straight from one end to the other."""
    part = times[:, np.newaxis]
    return np.stack([(1.0 - part) * slopes, part * slopes], axis=1)


def _times(matrices: Array, vectors: Array) -> Array:
    found: Array = (matrices @ vectors)[..., 0]
    return found


def _across(vectors: Array) -> Array:
    """Matrices (n, 3, 3) of cross products with vectors (n, 3)."""
    x, y, z = vectors.T
    zero = np.zeros_like(x)
    return np.stack([zero, -z, y, z, zero, -x, -y, x, zero], axis=-1).reshape(-1, 3, 3)


def _turned(vectors: Array) -> Array:
    """Rotations (n, 3, 3) by rotation vectors (n, 3)."""
    angle = np.linalg.norm(vectors, axis=1)
    across = _across(vectors)
    return _combined(across, np.sinc(angle / np.pi), 0.5 * np.sinc(0.5 * angle / np.pi) ** 2)


def _jacobian(vectors: Array) -> Array:
    """Left Jacobians (n, 3, 3) of rotations by rotation vectors (n, 3)."""
    angle, across = np.linalg.norm(vectors, axis=1), _across(vectors)
    is_small = angle < SMALL
    safe = np.where(is_small, 1.0, angle)
    half = 0.5 * np.sinc(0.5 * angle / np.pi) ** 2
    rest = np.where(is_small, 1.0 / 6.0 - angle**2 / 120.0, (safe - np.sin(safe)) / safe**3)
    return _combined(across, half, rest)


def _undone(vectors: Array) -> Array:
    """Inverse left Jacobians (n, 3, 3); NaN of whole turns, which have none."""
    angle, across = np.linalg.norm(vectors, axis=1), _across(vectors)
    is_small, sine = angle < SMALL, np.sin(0.5 * angle)
    is_whole = (np.abs(sine) < WHOLE) & ~is_small
    safe, half = np.where(is_small | is_whole, 1.0, angle), np.where(is_small | is_whole, 1.0, sine)
    rest = (1.0 - 0.5 * safe * np.cos(0.5 * safe) / half) / safe**2
    rest = np.where(is_small, 1.0 / 12.0 + angle**2 / 720.0, np.where(is_whole, np.nan, rest))
    return _combined(across, np.full(len(angle), -0.5), rest)


def _combined(across: Array, once: Array, twice: Array) -> Array:
    """Sums of the identity, cross products, and those of these."""
    found: Array = np.eye(3) + once[:, None, None] * across + twice[:, None, None] * (across @ across)
    return found
