"""All pairs of faces that meet at one instant, and the curves in which they do."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact.advancement.ask import Ask
from firstcontact.answers.answer import about
from firstcontact.answers.intersection_results import Intersections, IntersectionStats
from firstcontact.arrays import Array, Ids
from firstcontact.bodies.closed_faces import joined_faces
from firstcontact.plain import Makers, later
from firstcontact.proximity.touching.face_crossings import (
    Crossings,
    crossings_of_one,
    crossings_of_two,
    standing,
)
from firstcontact.proximity.touching.face_pairs import (
    FACE_A,
    FACE_B,
    N_COLUMNS,
    N_POINTS,
    Standing,
    segments_of,
)
from firstcontact.proximity.touching.oriented_crossings import (
    oriented_crossings_of_one,
    oriented_crossings_of_two,
)
from firstcontact.queries.batches import common_length
from firstcontact.queries.kinds.resting import Resting, rested
from firstcontact.queries.look_up import answer_about
from firstcontact.shapes.moving import Moving

# What finds the pairs of faces that may meet: trees of boxes along the axes, or of oriented boxes.
BOXES, ORIENTED = 0, 1
METHODS = {"boxes": BOXES, "obb": ORIENTED}

# Points that two faces share at the most where they do not lie in one plane.
MOST_ON_A_LINE = 2

OF_TWO = crossings_of_two, oriented_crossings_of_two
OF_ONE = crossings_of_one, oriented_crossings_of_one


def intersections(a: Any, b: Any = None, *, method: str | None = None) -> Intersections:
    """Which faces of two meshes meet, and in which curves? With `a` alone, which faces of a meet each other?

    All of them, decided exactly about the vertices as they are placed, rounded to doubles. Faces that only
    touch count, too. Of one mesh alone, faces with common corners count where they meet elsewhere besides;
    vertices at one place count as one.

    Parameters
    ----------
    a, b : meshes at rest: what `Mesh.at` gives, of one or both a batch, or `Mesh.deforming` from a place to
        the same; a convex shape lends its `mesh`
    method : "boxes"; "obb" has trees of oriented boxes, slower to build and quicker to go through where
        surfaces are close to each other. The answers are the same

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
    found: Intersections = answer_about("intersections", a, b, Ask.checked(method=method))
    return found


class AtPose(NamedTuple):
    """Pairs of faces that meet in one pose, and both meshes where they are."""

    crossings: Crossings
    a: Standing
    b: Standing


def intersections_of_two(a: Moving, b: Moving, ask: Ask) -> Intersections:
    """List the pairs of two meshes, in one pose each or a batch of them."""
    one, other = rested("intersections", "a", a), rested("intersections", "b", b)
    mesh_a, mesh_b, found = one.mesh, other.mesh, []
    list_crossings = OF_TWO[ask.method_of(METHODS)]
    n = common_length(one.motion, other.motion, "poses")
    for poses in zip(_poses(one, n), _poses(other, n), strict=True):
        sides = standing(mesh_a, poses[0]), standing(mesh_b, poses[1])
        found.append(AtPose(list_crossings(mesh_a, mesh_b, poses), *sides))
    return about(later(Intersections, _MAKERS, found), {})


def intersections_of_one(a: Moving, b: None, ask: Ask) -> Intersections:
    """List the pairs of a mesh with itself, in one pose or a batch of them."""
    one = rested("intersections", "a", a)
    mesh, found, list_crossings = one.mesh, [], OF_ONE[ask.method_of(METHODS)]
    for pose in _poses(one, len(one.motion)):
        side = standing(mesh, pose)
        found.append(AtPose(list_crossings(mesh, pose, joined_faces(mesh)), side, side))
    return about(later(Intersections, _MAKERS, found), {})


def meets_itself(a: Moving, b: None, ask: Ask) -> bool | NDArray[np.bool_]:
    """Do two faces of a mesh meet elsewhere than in what they have in common?"""
    one = rested("intersections", "a", a)
    mesh, list_crossings = one.mesh, OF_ONE[ask.method_of(METHODS)]
    found = [
        len(list_crossings(mesh, pose, joined_faces(mesh), any_will_do=True).rows) > 0
        for pose in _poses(one, len(one.motion))
    ]
    return np.array(found, np.bool_) if one.motion.is_batch else found[0]


def _poses(thing: Resting, n: int) -> Array:
    """Poses, (n, 4, 4)."""
    return np.ascontiguousarray(np.broadcast_to(thing.motion.pose(0.0), (n, 4, 4)))


def _rows(found: list[AtPose]) -> Ids:
    """Pairs of all poses, one after the other."""
    return np.concatenate([np.empty((0, N_COLUMNS), np.int32), *(at.crossings.rows for at in found)])


def _segments(found: list[AtPose]) -> Array:
    segments = [segments_of(at.a, at.b, at.crossings.rows) for at in found]
    return np.concatenate([np.empty((0, 2, 3)), *segments])


def _which_poses(found: list[AtPose]) -> Ids:
    return np.repeat(np.arange(len(found), dtype=np.int32), [len(at.crossings.rows) for at in found])


def _stats(found: list[AtPose]) -> IntersectionStats:
    counts = np.array([at.crossings[1:] for at in found], np.int64).reshape(-1, 3).sum(axis=0)
    return IntersectionStats(*counts.tolist())


# Fields of the answer, each made when it is asked for: who counts the pairs needs none of their segments.
_MAKERS: Makers = {
    "faces_a": lambda found: _rows(found)[:, FACE_A].copy(),
    "faces_b": lambda found: _rows(found)[:, FACE_B].copy(),
    "segments": _segments,
    "is_coplanar": lambda found: _rows(found)[:, N_POINTS] > MOST_ON_A_LINE,
    "poses": _which_poses,
    "stats": _stats,
}
