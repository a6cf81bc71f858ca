"""The same two rigid bodies, asked pose after pose."""

from functools import partial
from typing import Any

import numpy as np

from firstcontact._jit import NotPlainError
from firstcontact.advancement.ask import Ask
from firstcontact.answers.answer import About
from firstcontact.answers.contact_results import FirstContact
from firstcontact.answers.penetration_results import Penetration
from firstcontact.answers.proximity_results import Distance
from firstcontact.arrays import Array
from firstcontact.proximity.distance.single_distance import LEFT
from firstcontact.proximity.tracking.tracked_poses import N_COLUMNS, ROW_A, ROW_B
from firstcontact.queries.first_contact import first_contact
from firstcontact.queries.in_short.convexes import PENETRATION_MAKERS, measured, sunk, told_about
from firstcontact.queries.look_up import refuse, row_for
from firstcontact.queries.penetration import penetration
from firstcontact.queries.proximity import distance, intersects
from firstcontact.shapes.mesh import as_moving
from firstcontact.shapes.moving import Moving, moving_by_row
from firstcontact.shapes.shape import Shape, shape_of

_AT_ORIGIN = np.eye(4)
_IN_PLANE = np.eye(3)

# To look names up in NumPy takes time, too.
_empty, _ndarray = np.empty, np.ndarray


class Tracker:
    """Two rigid bodies that are asked about pose after pose: what was learned of one helps with the next.

    Answers are those of the functions of the same names: distances and points to rounding, contact never
    missed, the first contact bit for bit. A small step costs a fraction: convex shapes keep the simplex of
    their closest points and an axis along which they part; meshes their closest triangles, how wide the gap
    was, and where they are not many, all pairs of triangles that are near. Threads may share a tracker: each
    learns for itself.

    Parameters
    ----------
    a, b : shapes, convex or meshes, or of trimesh; where they are is told by the poses. Of a field, and in
        the plane, nothing is kept: answers are those of the functions
    method : of two convex shapes, how `distance` goes from pose to pose: "gjk", the default and the fastest,
        or "voronoi", from feature to feature (Lin, Canny, 1991; SWIFT, 2000) of boxes, hulls, spheres and
        capsules, rounded ones included; by GJK where it does not arrive. Distances are proven alike

    Examples
    --------
    >>> from firstcontact import Box, Mesh, Polyline, Sphere
    >>> tracker, pose = Tracker(Sphere(1), Box([2, 2, 2])), np.eye(4)
    >>> for pose[0, 3] in (4.0, 3.5, 3.0):
    ...     print(tracker.distance(pose).distance)
    2.0
    1.5
    1.0
    >>> Tracker(Box([2, 4, 4]), Box([2, 2, 2]), method="voronoi").distance(pose).features
    (<face 0 1 3 2>, <face 4 6 7 5>)
    >>> Tracker(Mesh([], []), Sphere(1)).distance(pose), tracker.intersects(pose, pose)
    (Distance(inf), True)
    >>> Tracker(Polyline([[0, 0]]), Polyline([[3, 4]])).distance()
    Distance(5, faces 0 and 0)
    """

    def __init__(self, a: Any, b: Any, *, method: str | None = None) -> None:
        row = row_for("Tracker", a, b)
        refuse(row, "Tracker", a, b)
        ask = Ask.checked(method=method)
        if ask.method is not None and "method" not in row.takes:
            raise ValueError("method of a Tracker is for two convex shapes, and one of these is none")
        for name, thing in (("a", a), ("b", b)):
            if isinstance(thing, Moving):
                rule = "a Tracker takes shapes, and poses when it is asked"
                raise TypeError(f"{rule}; {name} stands somewhere already: give {name}.shape")
        self._a, self._b = shape_of(as_moving(a)), shape_of(as_moving(b))
        self._origin = _AT_ORIGIN if self._a.dimension == 3 else _IN_PLANE
        self._method: str | None = ask.method
        self._tracked = row.answer(self._a, self._b, ask)
        self._makers = {**self._tracked.makers, "_about": _told_about}
        # To look them up in each call takes a tenth of it.
        self._measured, self._sunk = self._tracked.measured, self._tracked.sunk

    @property
    def a(self) -> Shape:
        """The first of the two."""
        return self._a

    @property
    def b(self) -> Shape:
        """The other."""
        return self._b

    def distance(self, pose_a: Any = None, pose_b: Any = None) -> Distance:
        """How far are they apart in these poses? As `firstcontact.distance`; no pose is the identity."""
        one, other = self._origin if pose_a is None else pose_a, self._origin if pose_b is None else pose_b
        if type(one) is type(other) is _ndarray:
            out = _empty(N_COLUMNS)
            try:
                found = self._measured(one, other, out)
            except NotPlainError:
                found = LEFT
            if found >= 0.0:
                return measured(self._makers, found, out, self)
        return distance(_standing(self._a, one, "distance"), _standing(self._b, other, "distance"))

    def intersects(self, pose_a: Any = None, pose_b: Any = None) -> bool:
        """Have they a point in common in these poses? As `firstcontact.intersects`."""
        one, other = self._origin if pose_a is None else pose_a, self._origin if pose_b is None else pose_b
        if type(one) is type(other) is _ndarray:
            try:
                found: bool | None = self._tracked.touches(one, other)
            except NotPlainError:
                found = None
            if found is not None:
                return found
        bodies = _standing(self._a, one, "intersects"), _standing(self._b, other, "intersects")
        return bool(intersects(*bodies))

    def penetration(self, pose_a: Any = None, pose_b: Any = None) -> Penetration:
        """How deep are they in each other in these poses? As `firstcontact.penetration`."""
        one, other = self._origin if pose_a is None else pose_a, self._origin if pose_b is None else pose_b
        if type(one) is type(other) is _ndarray:
            out = _empty(N_COLUMNS)
            try:
                depth = self._sunk(one, other, out)
            except NotPlainError:
                depth = np.nan
            if depth == depth:
                return sunk(_PENETRATION_MAKERS, depth, out, self)
        return penetration(_standing(self._a, one, "penetration"), _standing(self._b, other, "penetration"))

    def first_contact(self, a: Any = None, b: Any = None, **options: Any) -> FirstContact:
        """When do they first touch in a step? As `firstcontact.first_contact`, with its options.

        It is that very function: where a search begins decides how its time is rounded, so nothing is kept.

        Parameters
        ----------
        a, b : a pose, at which it stands; a list of two, from which to which it goes; or what
            `tracker.a.moving` and its like give
        """
        ways = (self._origin if how is None else how for how in (a, b))
        return first_contact(*map(_moved, (self._a, self._b), ways, "ab"), **options)

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(Tracker, method=self._method), (self._a, self._b)

    def __repr__(self) -> str:
        method = "" if self._method is None else f", method={self._method!r}"
        return f"Tracker({self._a!r}, {self._b!r}{method})"


def _standing(shape: Shape, pose: Any, query: str) -> Moving:
    """A body in one pose."""
    found = shape.at(pose)
    if found.motion.is_batch:
        raise ValueError(f"a Tracker takes one pose of each at a time: use {query} for batches")
    return found


def _moved(shape: Shape, how: Any, name: str) -> Moving:
    """A body as it moves in a step."""
    if isinstance(how, Moving):
        if how.shape is not shape:
            raise ValueError(f"{name} must be a motion of the tracker's own {name}")
        return how
    if isinstance(how, list) and len(how) == 2:
        return shape.moving(how[0], how[1])
    return shape.at(how)


def _told_about(out: Array, tracker: Tracker) -> About:
    """Both bodies as they stood."""
    rows = out[ROW_A:ROW_B].copy(), out[ROW_B:].copy()
    one, other = rows[::-1] if tracker._tracked.is_swapped else rows
    return told_about(out, (moving_by_row(tracker.a, one), moving_by_row(tracker.b, other)))


_PENETRATION_MAKERS = {**PENETRATION_MAKERS, "_about": _told_about}
