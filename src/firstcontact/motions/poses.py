"""Poses as users give them: rotations and translations, checked, and made rotations to the last digit."""

from typing import Any, NamedTuple

import numpy as np

from firstcontact._jit import driver, kernel
from firstcontact._validate import as_stack
from firstcontact.arrays import Array
from firstcontact.motions.rotation import ORTHOGONALITY, excess, nearer_rotation
from firstcontact.scalar.mat3 import Mat3
from firstcontact.scalar.vec3 import cross, dot

# The largest entry of R^T R - I, and of the last row less (0, 0, 0, 1), that a pose may have. Entries written
# with four decimals, as many files have them, are off by 5e-5, and R^T R by up to 1.8e-4; shear and scale
# that anybody means are larger by far. Three steps of Newton's method take it from here to rounding.
RIGID_TOLERANCE = 2e-4


class Poses(NamedTuple):
    """Rotations (n, 3, 3) and translations (n, 3); `is_batch` unless they were given as one pose."""

    rotations: Array
    translations: Array
    is_batch: bool


def as_poses(name: str, poses: Any) -> Poses:
    """Cast one pose or a batch of them; the arrays are never the caller's.

    Parameters
    ----------
    name : what the caller calls them
    poses : (4, 4) numbers; a tuple of a rotation and a translation (3,), the rotation (3, 3), a quaternion
        x, y, z, w of any length but 0, or what has a method `as_matrix`, as SciPy's `Rotation` has; (7,)
        numbers, x, y, z and a quaternion; or a translation alone, (3,). Each of them with an axis more in
        front for a batch; but (3, 3) alone is refused: it may be a rotation, or three translations.

    Raises
    ------
    ValueError
        Where a pose is not rigid to within `RIGID_TOLERANCE`; up to that it becomes the nearest that is.

    Examples
    --------
    >>> as_poses("end", (np.eye(3), [1, 2, 3])).translations
    array([[1., 2., 3.]])
    >>> as_poses("end", [1, 2, 3, 0, 0, 0, 2]).rotations[0].tolist()
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    >>> as_poses("end", np.diag([1, 1, -1, 1]))
    Traceback (most recent call last):
    ValueError: end must be a rigid pose (rotation and translation); its rotation is a mirror image
    """
    rotations, translations, is_batch = _as_pair(name, poses) if _is_pair(poses) else _as_numbers(name, poses)
    row, off = _make_rigid(rotations.reshape(-1, 9))
    if row >= 0:
        fault = f"off by {off:.2g} (R^T R differs from the identity)" if off > 0.0 else "a mirror image"
        which = _called(name, row, is_batch)
        raise ValueError(f"{which} must be a rigid pose (rotation and translation); its rotation is {fault}")
    return Poses(rotations, translations, is_batch)


@driver
def _make_rigid(rotations: Array) -> tuple[int, float]:
    """Make rows of nine rotations; return the first that is none, or -1, and how far off, 0 for a mirror."""
    for i in range(len(rotations)):
        m = rotations[i]
        matrix, fault = rigid_rotation((m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8]))
        if fault >= 0.0:
            return i, fault
        for j in range(9):
            m[j] = matrix[j]
    return -1, 0.0


@kernel
def rigid_rotation(m: Mat3) -> tuple[Mat3, float]:
    """Give the nearest rotation, and -1; of what is none, how far off it is, or 0 for a mirror image."""
    _, off = excess(m)
    if off > RIGID_TOLERANCE:
        return m, off
    if dot((m[0], m[1], m[2]), cross((m[3], m[4], m[5]), (m[6], m[7], m[8]))) < 0.0:
        return m, 0.0
    if off > ORTHOGONALITY:
        for _ in range(3):
            m = nearer_rotation(m)
    return m, -1.0


def _is_pair(poses: Any) -> bool:
    """Is this a rotation with a translation, rather than two poses in a tuple?"""
    if not isinstance(poses, tuple) or len(poses) != 2:
        return False
    return not all(shape_of_numbers(_as_matrix(pose)) == (4, 4) for pose in poses)


def shape_of_numbers(values: Any) -> tuple[int, ...]:
    """The shape of an array, or of nested lists; () of those that have none."""
    try:
        return np.asarray(values).shape  # not `np.shape`, to which what moves would hand its own `shape`
    except MemoryError:
        raise
    except Exception:  # whatever an object that gives an array may raise: who reads the numbers says so
        return ()


@kernel
def quaternion_rotation(x: float, y: float, z: float, w: float) -> tuple[Mat3, bool]:
    """Rotation by a quaternion of any length but 0, of which there is none: False."""
    size = max(max(abs(x), abs(y)), max(abs(z), abs(w)))
    if not size > 0.0:
        return (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0), False
    x, y, z, w = x / size, y / size, z / size, w / size
    s = 2.0 / (x * x + y * y + z * z + w * w)
    return (
        *(1.0 - s * (y * y + z * z), s * (x * y - z * w), s * (x * z + y * w)),
        *(s * (x * y + z * w), 1.0 - s * (x * x + z * z), s * (y * z - x * w)),
        *(s * (x * z - y * w), s * (y * z + x * w), 1.0 - s * (x * x + y * y)),
    ), True


@driver
def _turn(quaternions: Array, rotations: Array) -> int:
    """Write rotations (n, 9) of quaternions (n, 4); return the first that has no length, or -1."""
    for i in range(len(quaternions)):
        q = quaternions[i]
        matrix, is_turn = quaternion_rotation(q[0], q[1], q[2], q[3])
        if not is_turn:
            return i
        for j in range(9):
            rotations[i, j] = matrix[j]
    return -1


def _turned(name: str, quaternions: Any) -> tuple[Array, bool]:
    """Rotations (n, 3, 3) of quaternions, x, y, z, w; was it a batch?"""
    rows, is_batch = as_stack(f"the quaternion of {name}", quaternions, (4,))
    rotations = np.empty((len(rows), 9))
    row = _turn(np.ascontiguousarray(rows), rotations)
    if row >= 0:
        raise ValueError(f"the quaternion of {_called(name, row, is_batch)} must not have the length 0")
    return rotations.reshape(-1, 3, 3), is_batch


def _as_numbers(name: str, poses: Any) -> Poses:
    """Read translations, translations with quaternions, or matrices."""
    shape = shape_of_numbers(poses)
    if shape == (3, 3):
        rule = f"{name} has shape (3, 3), which may be a rotation or three translations"
        raise ValueError(f"{rule}: give a tuple of rotations and translations")
    if len(shape) not in (1, 2) or shape[-1] not in (3, 7):
        return _parted(name, poses)
    rows, is_batch = as_stack(name, poses, (shape[-1],))
    if shape[-1] == 7:
        turns = rows[:, 3:] if is_batch else rows[0, 3:]
        return Poses(_turned(name, turns)[0], rows[:, :3].copy(), is_batch)
    return Poses(np.tile(np.eye(3), (len(rows), 1, 1)), rows.copy(), is_batch)


def _as_pair(name: str, pair: tuple[Any, Any]) -> Poses:
    turns = _as_matrix(pair[0])
    if len(shape := shape_of_numbers(turns)) in (1, 2) and shape[-1] == 4:
        rotations, has_rotations = _turned(name, turns)
    else:
        rotations, has_rotations = as_stack(f"the rotation of {name}", turns, (3, 3))
    translations, has_translations = as_stack(f"the translation of {name}", pair[1], (3,))
    n = len(rotations) if has_rotations else len(translations)
    if has_rotations and has_translations and len(translations) != n:
        raise ValueError(
            f"{name} must have as many rotations as translations; received {n} and {len(translations)}"
        )
    own = np.empty((n, 3, 3)), np.empty((n, 3))
    own[0][:], own[1][:] = rotations, translations
    return Poses(*own, has_rotations or has_translations)


def _parted(name: str, poses: Any) -> Poses:
    matrices, is_batch = as_stack(name, _as_matrix(poses), (4, 4))
    rotations, translations = np.empty((len(matrices), 3, 3)), np.empty((len(matrices), 3))
    row = _part(matrices, rotations, translations)
    if row >= 0:
        numbers = ", ".join(f"{x:g}" for x in matrices[row, 3])
        which = _called(name, row, is_batch)
        raise ValueError(f"{which} must be a rigid pose, with 0, 0, 0, 1 as its last row; received {numbers}")
    return Poses(rotations, translations, is_batch)


@driver
def _part(matrices: Array, rotations: Array, translations: Array) -> int:
    """Take matrices apart; return the first whose last row is wrong, or -1."""
    for i in range(len(matrices)):
        m = matrices[i]
        off = max(max(abs(m[3, 0]), abs(m[3, 1])), max(abs(m[3, 2]), abs(m[3, 3] - 1.0)))
        if off > RIGID_TOLERANCE:
            return i
        for j in range(3):
            translations[i, j] = m[j, 3]
            for k in range(3):
                rotations[i, j, k] = m[j, k]
    return -1


def _as_matrix(rotation: Any) -> Any:
    return rotation.as_matrix() if hasattr(rotation, "as_matrix") else rotation


def _called(name: str, row: int, is_batch: bool) -> str:
    return f"row {row} of {name}" if is_batch else name
