"""All pairs of faces that meet at one instant, and the curves in which they do."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from firstcontact.advancement.ask import Ask
from firstcontact.answers.intersection_results import Intersections
from firstcontact.arrays import Array, Ids
from firstcontact.bodies.closed_faces import joined_faces
from firstcontact.proximity.touching.face_crossings import (
    FACE_A,
    FACE_B,
    N_COLUMNS,
    N_POINTS,
    crossings_of_one,
    crossings_of_two,
    placed,
    segments_of,
)
from firstcontact.queries.batches import common_length
from firstcontact.queries.kinds.resting import Resting, rested
from firstcontact.queries.look_up import answer_about
from firstcontact.shapes.moving import Moving


def intersections(a: Any, b: Any = None) -> Intersections:
    """Which faces of two meshes meet, and in which curves? With `a` alone, which faces of a meet each other?

    All of them, decided exactly about the vertices as they are placed, rounded to doubles. Faces that only
    touch count, too. Of one mesh alone, faces with common corners count where they meet elsewhere besides;
    vertices at one place count as one.

    Parameters
    ----------
    a, b : meshes at rest: what `Mesh.at` gives, of one or both a batch, or `Mesh.deforming` from a place to
        the same; a convex shape lends its `mesh`

    Examples
    --------
    >>> import numpy as np
    >>> from firstcontact import Box, Mesh, intersections
    >>> box = Box([2, 2, 2]).mesh
    >>> found = intersections(box.at((np.eye(3), [1, 1, 1])), box)
    >>> found, len(found.curves), bool(np.array_equal(found.curves[0][0], found.curves[0][-1]))
    (Intersections(18 pairs of faces), 1, True)
    >>> leaf = Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    >>> intersections(leaf, leaf), len(intersections(leaf)), len(intersections(leaf, Mesh([], [])))
    (Intersections(1 pairs of faces, 1 in one plane), 0, 0)
    """
    found: Intersections = answer_about("intersections", a, b)
    return found


def intersections_of_two(a: Moving, b: Moving, ask: Ask) -> Intersections:
    """List the pairs of two meshes, in one pose each or a batch of them."""
    one, other = rested("intersections", "a", a), rested("intersections", "b", b)
    mesh_a, mesh_b, found = one.mesh, other.mesh, []
    n = common_length(one.motion, other.motion, "poses")
    for poses in zip(_poses(one, n), _poses(other, n), strict=True):
        rows = crossings_of_two(mesh_a, mesh_b, poses)
        found.append((rows, segments_of(placed(mesh_a, poses[0]), placed(mesh_b, poses[1]), rows)))
    return _answer(found)


def intersections_of_one(a: Moving, b: None, ask: Ask) -> Intersections:
    """List the pairs of a mesh with itself, in one pose or a batch of them."""
    standing = rested("intersections", "a", a)
    mesh, found = standing.mesh, []
    for pose in _poses(standing, len(standing.motion)):
        rows, side = crossings_of_one(mesh, pose, joined_faces(mesh)), placed(mesh, pose)
        found.append((rows, segments_of(side, side, rows)))
    return _answer(found)


def meets_itself(a: Moving, b: None, ask: Ask) -> bool | NDArray[np.bool_]:
    """Do two faces of a mesh meet elsewhere than in what they have in common?"""
    standing = rested("intersections", "a", a)
    mesh = standing.mesh
    found = [
        len(crossings_of_one(mesh, pose, joined_faces(mesh), any_will_do=True)) > 0
        for pose in _poses(standing, len(standing.motion))
    ]
    return np.array(found, np.bool_) if standing.motion.is_batch else found[0]


def _poses(thing: Resting, n: int) -> Array:
    """Poses, (n, 4, 4)."""
    return np.ascontiguousarray(np.broadcast_to(thing.motion.pose(0.0), (n, 4, 4)))


def _answer(found: list[tuple[Ids, Array]]) -> Intersections:
    rows = np.concatenate([np.empty((0, N_COLUMNS), np.int32), *(rows for rows, _ in found)])
    segments = np.concatenate([np.empty((0, 2, 3)), *(segments for _, segments in found)])
    poses = np.repeat(np.arange(len(found), dtype=np.int32), [len(rows) for rows, _ in found])
    is_coplanar = rows[:, N_POINTS] > 2
    return Intersections(rows[:, FACE_A].copy(), rows[:, FACE_B].copy(), segments, is_coplanar, poses)
