"""Poses in the plane as users give them, and as poses in space that turn about the third axis."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from firstcontact._validate import as_stack
from firstcontact.arrays import Array
from firstcontact.motions.poses import RIGID_TOLERANCE

# Of gradients by translations and rotation vectors, and of places: what is left of them in the plane.
IN_PLANE = [0, 1, 5]

Turn = tuple[Array, bool]


def lifted_poses(name: str, poses: Any) -> Array:
    """Poses in the plane as poses in space, (4, 4) or (n, 4, 4).

    Parameters
    ----------
    name : what the caller calls them
    poses : (3, 3) or (n, 3, 3) numbers, the last row 0, 0, 1; or a tuple of rotations, (2, 2) or (n, 2, 2),
        or angles in radians, a number or (n,), and translations, (2,) or (n, 2)

    Examples
    --------
    >>> lifted_poses("pose", (0.0, [1, 2]))[:2, 3].tolist()
    [1.0, 2.0]
    >>> lifted_poses("pose", np.diag([1.0, -1.0, 1.0]))
    Traceback (most recent call last):
    ValueError: pose must be a rigid pose (rotation and translation); its rotation is a mirror image
    """
    (turns, many_turns), (ways, many_ways) = _parts(name, poses)
    if many_turns and many_ways and len(turns) != len(ways):
        raise ValueError(
            f"{name} must have as many rotations as translations; received {len(turns)} and {len(ways)}"
        )
    found = np.zeros((len(turns) if many_turns else len(ways), 4, 4))
    found[:, :2, :2], found[:, :2, 3] = turns, ways
    found[:, 2, 2] = found[:, 3, 3] = 1.0
    _check(name, found[:, :2, :2], many_turns)
    return found if many_turns or many_ways else found[0]


def quickly_lifted(pose: Any) -> Array | None:
    """One plain pose as `lifted_poses` has it, of which nothing is checked but its last row; else None."""
    found: Array
    if type(pose) is np.ndarray and pose.shape == (3, 3) and pose.dtype == np.float64:
        if not (pose[2, 0] == 0.0 and pose[2, 1] == 0.0 and pose[2, 2] == 1.0):
            return None
        found = np.eye(4)
        found[:2, :2], found[:2, 3] = pose[:2, :2], pose[:2, 2]
        return found
    if type(pose) is tuple and len(pose) == 2 and type(pose[0]) is float:
        way = pose[1]
        is_list = type(way) is list and len(way) == 2 and all(type(x) in (float, int) for x in way)
        is_array = type(way) is np.ndarray and way.shape == (2,) and way.dtype == np.float64
        if is_list or is_array:
            c, s = np.cos(pose[0]), np.sin(pose[0])
            x, y = way
            return np.array([[c, -s, 0.0, x], [s, c, 0.0, y], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]])
    return None


def lifted_points(points: Array) -> Array:
    """Points or vectors in the plane, (..., 2), as such in space; those in space as they are."""
    if points.shape[-1] == 3:
        return points
    return np.concatenate([points, np.zeros((*points.shape[:-1], 1))], axis=-1)


def lifted_vectors(name: str, vectors: ArrayLike | None) -> Array | None:
    """Vectors in the plane as a user gives them, (2,) or (n, 2), as such in space; None as it is."""
    if vectors is None:
        return None
    found, is_many = as_stack(name, vectors, (2,))
    return lifted_points(found if is_many else found[0])


def lifted_spin(name: str, rates: ArrayLike | None) -> Array | None:
    """Angular velocities, a number or (n,), as vectors along the third axis; None as it is."""
    if rates is None:
        return None
    found, is_many = as_stack(name, rates, ())
    spins = np.zeros((len(found), 3))
    spins[:, 2] = found
    return spins if is_many else spins[0]


def poses_in_plane(poses: Array) -> Array:
    """Poses (..., 4, 4) of what stays in the plane as they are there, (..., 3, 3)."""
    return poses[..., [[0], [1], [3]], [0, 1, 3]]


def _parts(name: str, poses: Any) -> tuple[Turn, Turn]:
    """Rotations (n, 2, 2) and translations (n, 2), and whether each are many."""
    if isinstance(poses, tuple) and len(poses) == 2 and _depth(poses[0]) != _depth(poses[1]) + 2:
        return _turns(name, poses[0]), as_stack(f"the translation of {name}", poses[1], (2,))
    matrices, is_many = as_stack(name, poses, (3, 3))
    off = np.abs(matrices[:, 2] - [0.0, 0.0, 1.0]).max(axis=1, initial=0.0) > RIGID_TOLERANCE
    if off.any():
        row = int(np.argmax(off))
        numbers = ", ".join(f"{x:g}" for x in matrices[row, 2])
        which = f"row {row} of {name}" if is_many else name
        raise ValueError(f"{which} must be a rigid pose, with 0, 0, 1 as its last row; received {numbers}")
    return (matrices[:, :2, :2], is_many), (matrices[:, :2, 2], is_many)


def _depth(values: Any) -> int:
    """How many axes an array has; of what is none, more than any."""
    try:
        return np.ndim(values)
    except Exception:  # rows of unequal lengths and the like, which are told of where they are read
        return 9


def _turns(name: str, given: Any) -> Turn:
    """Rotations as matrices or as angles."""
    what = f"the rotation of {name}"
    if _depth(given) >= 2:
        return as_stack(what, given, (2, 2))
    angles, is_many = as_stack(what, given, ())
    c, s = np.cos(angles), np.sin(angles)
    return np.stack([np.stack([c, -s], axis=-1), np.stack([s, c], axis=-1)], axis=-2), is_many


def _check(name: str, turns: Array, is_many: bool) -> None:
    """Refuse what does not turn: the first row that is off, in the words of poses in space."""
    off = np.abs(np.einsum("nji,njk->nik", turns, turns) - np.eye(2)).max(axis=(1, 2), initial=0.0)
    is_mirror = turns[:, 0, 0] * turns[:, 1, 1] - turns[:, 0, 1] * turns[:, 1, 0] < 0.0
    for row in np.flatnonzero((off > RIGID_TOLERANCE) | is_mirror).tolist()[:1]:
        fault = f"off by {off[row]:.2g} (R^T R differs from the identity)"
        fault = fault if off[row] > RIGID_TOLERANCE else "a mirror image"
        which = f"row {row} of {name}" if is_many else name
        raise ValueError(f"{which} must be a rigid pose (rotation and translation); its rotation is {fault}")
