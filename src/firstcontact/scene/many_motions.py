"""Rigid motions of many bodies at once."""

from typing import Any

import numpy as np

from firstcontact.arrays import Array
from firstcontact.motions.plane_poses import lifted_poses, lifted_spin, lifted_vectors
from firstcontact.motions.poses import as_poses
from firstcontact.motions.rigid_motion import CENTER, END_TIME
from firstcontact.motions.rigid_paths import motion_at, motion_between, motion_with
from firstcontact.scene.bodies import Bodies
from firstcontact.scene.body_names import rows_given
from firstcontact.scene.body_rows import DEFORMED
from firstcontact.scene.plain_moves import plain_moves
from firstcontact.scene.pose_pairs import Rows

_ORIGIN = np.zeros(3)


def move_rows(bodies: Bodies, rows: Rows, start: Any, end: Any, velocity: Any, angular_velocity: Any) -> Rows:
    """Give bodies other rigid motions: in one pass where they are plain arrays, else with every check.

    Returns the rows of those whose motions are other than before.
    """
    if bodies.dimension == 2:
        start, end = lifted_poses("start", start), None if end is None else lifted_poses("end", end)
        velocity, angular_velocity = (
            lifted_vectors("velocity", velocity),
            lifted_spin("angular_velocity", angular_velocity),
        )
    given = plain_moves(len(rows), start, end, velocity, angular_velocity)
    moved = None if given is None else bodies.move_plainly(rows, given)
    if moved is not None:
        return moved
    centers = bodies.columns.centers[rows]
    bodies.move(rows, *many_motions(centers, start, end, velocity, angular_velocity))
    return rows


def many_motions(
    centers: Array, start: Any, end: Any, velocity: Any, angular_velocity: Any
) -> tuple[Array, Array]:
    """Motions (n, 26) of n bodies turned about their centers (n, 3), and translations (n, 3) at the start.

    Each body is described from its center: there it turns about the origin, as all others do.
    """
    has_velocity = velocity is not None or angular_velocity is not None
    if has_velocity and end is not None:
        raise TypeError("motions take end poses, or velocities and angular velocities: not both")
    poses, translations = _seen_from("start", start, centers)
    if has_velocity:
        motion = motion_with(poses, velocity, angular_velocity, _ORIGIN, "constant")
    elif end is not None:
        motion = motion_between(poses, _seen_from("end", end, centers)[0], _ORIGIN, "constant")
    else:
        motion = motion_at(poses)
    if len(motion) != len(centers):
        raise ValueError(f"velocities must be one, or one for each of {len(centers)}; received {len(motion)}")
    rows = motion.rows()[:, 0].copy()
    rows[:, CENTER:END_TIME] = centers
    return rows, translations


def rows_of(items: Any, bodies: Bodies) -> Rows:
    """Rows of names, or of ids, each once, of bodies that do not deform."""
    if isinstance(items, np.ndarray) and bodies.are_all(items):
        return bodies.every_row()
    rows = rows_given(items, bodies)
    is_meant = np.zeros(bodies.n_rows, np.bool_)
    is_meant[rows] = True
    if np.count_nonzero(is_meant) < len(rows):
        raise ValueError("a body can be moved once at a time; a name or an id is given twice")
    is_deforming = np.isin(bodies.columns.kinds[rows], DEFORMED)
    if is_deforming.any():
        name = bodies.names[rows[np.argmax(is_deforming)]]
        raise TypeError(f"{name!r} deforms, and has no rigid motion: update it instead")
    return rows


def _seen_from(name: str, poses: Any, centers: Array) -> tuple[tuple[Array, Array], Array]:
    """Poses (n, 3, 3) and (n, 3) of the centers, and the translations as they were given."""
    given = as_poses(name, poses)
    n = len(centers)
    if given.is_batch and len(given.rotations) != n:
        raise ValueError(f"{name} must be a pose, or one for each of {n}; received {len(given.rotations)}")
    rotations = np.ascontiguousarray(np.broadcast_to(given.rotations, (n, 3, 3)))
    translations = np.ascontiguousarray(np.broadcast_to(given.translations, (n, 3)))
    x, y, z = (rotations[:, :, k] * centers[:, k : k + 1] for k in range(3))
    return (rotations, x + y + z + translations), translations
