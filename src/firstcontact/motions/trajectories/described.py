"""Motions of a user's own: functions of time that say where a body is."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from firstcontact._validate import COORDINATE_LIMIT, as_scalar, shown
from firstcontact.motions.poses import as_poses
from firstcontact.motions.trajectories.formula_states import N_MATRIX, N_PLACE
from firstcontact.motions.trajectories.formula_trajectory import FormulaTrajectory, cells_of
from firstcontact.motions.trajectories.several_trajectories import SeveralTrajectories
from firstcontact.motions.trajectories.stated_trajectory import StatedTrajectory
from firstcontact.motions.trajectories.trajectory import Trajectory
from firstcontact.scalar.formula import (
    NotSmoothError,
    cosine_of_root,
    place_of,
    sinc_of_root,
    taken_down,
)
from firstcontact.scalar.formula_codes import UNBOUNDED, Operation
from firstcontact.scalar.formula_notes import Notes
from firstcontact.scalar.jets import Tape

# Times at which a rotation given as a matrix is looked at: both ends, and between them no even parts, where a
# wave that makes it none may vanish.
LOOKED_AT = np.concatenate([[0.0, 1.0], np.arange(1, 16) * ((np.sqrt(5.0) - 1.0) / 2.0) % 1.0])

_FORMS = (
    "a motion must give a translation (3,), a pose (4, 4), or a rotation and a translation: the rotation a "
    "matrix (3, 3), a rotation vector (3,) or a quaternion (4,); or batches of these"
)


def motion(
    function: Callable[[Any], Any],
    *,
    acceleration_bound: float | None = None,
    angular_velocity_bound: float | None = None,
    angular_acceleration_bound: float | None = None,
) -> Trajectory:
    """Describe a motion over t in [0, 1] by a function of t, for `Shape.along`.

    Written with NumPy's functions, it is called once, and proven bounds of its derivatives come from interval
    arithmetic. What has none, as a table or a branch on t, is refused by name, or needs bounds from you.

    Parameters
    ----------
    function : gives where the body is: a translation (3,), a pose (4, 4), or a rotation and a translation,
        the rotation a matrix (3, 3), a rotation vector (3,) or a quaternion (4,) (x, y, z, w) of any length
        but 0; or n of these
    acceleration_bound : of the origin of the body's frame, per unit of time squared
    angular_velocity_bound, angular_acceleration_bound : radians per unit of time, and per its square

    Examples
    --------
    >>> import firstcontact as fc
    >>> swing = fc.Sphere(0.1).along(fc.motion(lambda t: [np.sin(6 * t), 0, 0]))
    >>> hit = fc.first_contact(swing, fc.Box([1, 9, 9]).at((np.eye(3), [1.4, 0, 0])))
    >>> bool(hit.time <= np.arcsin(0.8) / 6 <= hit.time_upper)
    True
    >>> fc.motion(lambda t: [np.interp(t, [0, 1], [0, 2]), 0, 0])
    Traceback (most recent call last):
    TypeError: np.interp has no derivatives that are known: use NumPy's smooth functions of t, or state bounds
    """
    if not callable(function):
        raise TypeError(f"a motion must be a function of t; received {shown(function)}")
    bounds = (acceleration_bound, angular_velocity_bound, angular_acceleration_bound)
    if any(bound is not None for bound in bounds):
        return _stated(function, bounds)
    return _formula(function)


def _stated(function: Callable[[Any], Any], bounds: tuple[float | None, ...]) -> StatedTrajectory:
    names = ("acceleration_bound", "angular_velocity_bound", "angular_acceleration_bound")
    given = [0.0 if x is None else as_scalar(name, x, 0.0) for name, x in zip(names, bounds, strict=True)]
    if bounds[0] is None:
        raise TypeError("a motion with stated bounds needs an acceleration_bound, which may be 0")
    if (bounds[1] is None) is not (bounds[2] is None):
        raise TypeError(
            "angular_velocity_bound and angular_acceleration_bound go together: state both, or none"
        )
    return StatedTrajectory(function, given[0], given[1], given[2])


def _formula(function: Callable[[Any], Any]) -> FormulaTrajectory | SeveralTrajectories:
    try:
        given, notes = taken_down(function)
        outputs, is_batch = _outputs(given, notes)
    except NotSmoothError as error:
        raise TypeError(str(error)) from error
    # Formulas that differ in numbers alone are carried out together.
    groups: dict[bytes, list[int]] = {}
    tapes = [notes.tape(places) for places in outputs.tolist()]
    for i, (tape, places) in enumerate(tapes):
        key = b"".join(part.tobytes() for part in (tape.codes, tape.left, tape.right, places))
        groups.setdefault(key, []).append(i)
    found = [_of_one_form([tapes[i] for i in ids], is_batch) for ids in groups.values()]
    if outputs.shape[1] == N_PLACE + N_MATRIX:
        _check_matrices(function)
    if len(found) == 1:
        return found[0]
    kinds, members = np.empty(len(tapes), np.intp), np.empty(len(tapes), np.intp)
    for kind, ids in enumerate(groups.values()):
        kinds[ids], members[ids] = kind, np.arange(len(ids))
    return SeveralTrajectories(tuple(found), kinds, members)


def _of_one_form(tapes: list[tuple[Tape, NDArray[np.int32]]], is_batch: bool) -> FormulaTrajectory:
    """Check that formulas that differ in numbers alone are bounded, and join them."""
    tape, places = tapes[0]
    constants = np.stack([one.constants for one, _ in tapes])
    cells, fault = cells_of(tape, constants, places)
    if fault >= 0:
        code = Operation(int(tape.codes[fault])) if fault < len(tape.codes) else Operation.TIME
        what = UNBOUNDED.get(code, "a quaternion that may be 0")
        raise ValueError(f"a motion must have bounded second derivatives over t in [0, 1]; it has {what}")
    found = FormulaTrajectory(tape, constants, places, cells, is_batch)
    ends = np.concatenate([found.poses(0.0), found.poses(1.0)])
    if not max(cells.max(initial=0.0), np.abs(ends).max()) < COORDINATE_LIMIT:
        raise ValueError("places and accelerations of a motion must be below 2**150 (1.4e45)")
    return found


def _outputs(given: Any, notes: Notes) -> tuple[NDArray[np.int64], bool]:
    """Places (n, 3 to 12) of what a function gives, in the order of `formula_states`; is it a batch?"""
    if isinstance(given, tuple) and len(given) == 2 and np.shape(np.asarray(given[0], object)) != ():
        turn, place = (np.asarray(part, object) for part in given)
    else:
        place = np.asarray(given, object)
        turn = None
        if place.shape[-2:] == (4, 4):
            turn, place = place[..., :3, :3], place[..., :3, 3]
    if place.ndim not in (1, 2) or place.shape[-1] != 3:
        raise ValueError(f"{_FORMS}; received a translation of shape {place.shape}")
    parts = [place]
    if turn is not None:
        parts.append(_turn(turn))
    is_batch = any(part.ndim == 2 for part in parts)
    lengths = {len(part) for part in parts if part.ndim == 2}
    if len(lengths) > 1 or 0 in lengths:
        raise ValueError(f"{_FORMS} of one length; received {sorted(lengths)}")
    n = lengths.pop() if lengths else 1
    whole = np.concatenate([np.broadcast_to(part, (n, part.shape[-1])) for part in parts], axis=1)
    places = np.array([[place_of(notes, x) for x in row] for row in whole.tolist()], np.int64)
    return places, is_batch


def _turn(turn: NDArray[Any]) -> NDArray[Any]:
    """Quaternions (..., 4) or matrices (..., 9) of rotations in any form."""
    if turn.shape[-2:] == (3, 3):
        return turn.reshape(*turn.shape[:-2], 9)
    if turn.ndim in (1, 2) and turn.shape[-1] == 4:
        return turn
    if turn.ndim in (1, 2) and turn.shape[-1] == 3:
        half = 0.5 * turn
        rows = [_quaternion(row) for row in np.atleast_2d(half)]
        return np.array(rows, object).reshape(*turn.shape[:-1], 4)
    raise ValueError(f"{_FORMS}; received a rotation of shape {turn.shape}")


def _quaternion(half: NDArray[Any]) -> list[Any]:
    """Quaternion of half a rotation vector: smooth where that is 0."""
    square = half[0] * half[0] + half[1] * half[1] + half[2] * half[2]
    if not hasattr(square, "place"):
        angle = float(np.sqrt(square))
        return [*(float(np.sinc(angle / np.pi)) * half), float(np.cos(angle))]
    return [*(sinc_of_root(square) * half), cosine_of_root(square)]


def _check_matrices(function: Callable[[Any], Any]) -> None:
    """See that matrices are rotations, at some times."""
    for t in LOOKED_AT.tolist():
        given = function(t)
        pose = tuple(map(_as_floats, given)) if isinstance(given, tuple) else _as_floats(given)
        as_poses(f"the pose at t = {t:g}", pose)


def _as_floats(numbers: Any) -> Any:
    """Numbers in an array of objects, as formulas make them, are floats where t is one."""
    return np.asarray(numbers, float)
