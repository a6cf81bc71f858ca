"""The queries at one instant: how far apart, whether in contact."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from firstcontact._validate import as_flag
from firstcontact.answers.answer import about, named
from firstcontact.answers.proximity_results import Distance
from firstcontact.articulated.model.world_shapes import is_robot
from firstcontact.queries.resting import resting_distance, resting_intersects
from firstcontact.queries.robot import RobotAsk, refuse_self_contact, robot_distance, robot_intersects
from firstcontact.shapes.mesh import as_moving


def distance(a: Any, b: Any = None, *, solid: bool = False, self_contact: bool = False) -> Distance:
    """How far are two shapes apart, and where are they closest?

    The least distance, to rounding; 0 wherever `intersects` is True. Convex shapes are solid. A mesh has no
    inside unless `solid`: what is within it is as far from it as from its surface.

    Parameters
    ----------
    a, b : what `Shape.at` gives, of one or both a batch, of the same length; a shape is where it was
        made. Or what `Robot.at` gives and obstacles as for `is_free`: a `RobotDistance` then.
    solid, self_contact : as for `intersects`: what is inside a solid, and links of one robot, count too

    Examples
    --------
    >>> from firstcontact import Box, Mesh
    >>> import numpy as np
    >>> leaf = Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    >>> d = distance(leaf.at((np.eye(3), [0, 0, 2])), leaf)
    >>> d.distance, d.faces.tolist()
    (2.0, [0, 0])
    >>> inner, outer = Box([2, 2, 2]), Box([4, 4, 4]).mesh
    >>> distance(inner, outer).distance, distance(inner, outer, solid=True).distance
    (1.0, 0.0)
    >>> distance(Mesh([[2, 0, 0]], [[0, 0, 0]]), leaf), distance(leaf, Mesh([], []))
    (Distance(1, faces 0 and 0), Distance(inf))
    """
    is_solid = as_flag("solid", solid)
    if is_robot(a) or is_robot(b):
        _refuse_solid(is_solid)
        return robot_distance(a, b, RobotAsk.checked(None, 0.0, None, self_contact, False))
    refuse_self_contact(self_contact)
    things = [as_moving(a), as_moving(b)]
    return about(resting_distance(things[0], things[1], is_solid), named(things))


def intersects(
    a: Any, b: Any = None, *, solid: bool = False, self_contact: bool = False
) -> bool | NDArray[np.bool_]:
    """Have two shapes a point in common? Of a batch, (n,) answers.

    Never False where they have; True also where rounding hides the gap, up to some 1e-13 of their size.
    Convex shapes are solid, of a mesh it is the surface that counts.

    Parameters
    ----------
    a, b : as for `distance`
    solid : whether a part of one mesh inside the other counts too, both being closed
    self_contact : of a robot, whether its own links count too

    Examples
    --------
    >>> from firstcontact import Mesh
    >>> import numpy as np
    >>> corners, faces = np.eye(4)[:, :3], [[0, 1, 3], [1, 0, 2], [2, 0, 3], [1, 2, 3]]
    >>> large, small = Mesh(9 * corners - 2, faces), Mesh(corners - 0.3, faces)
    >>> intersects(small.at((np.eye(3), [[0, 0, 0], [-2, 0, 0], [-9, 0, 0]])), large).tolist()
    [False, True, False]
    >>> intersects(small, large, solid=True), intersects(Mesh([], []), large)
    (True, False)
    >>> intersects(small, Mesh(corners, faces[1:]), solid=True)
    Traceback (most recent call last):
    ValueError: solid=True needs closed meshes; b has 3 open edges
    """
    is_solid = as_flag("solid", solid)
    if is_robot(a) or is_robot(b):
        _refuse_solid(is_solid)
        return robot_intersects(a, b, RobotAsk.checked(None, 0.0, None, self_contact, False))
    refuse_self_contact(self_contact)
    return resting_intersects(a, b, is_solid)


def _refuse_solid(is_solid: bool) -> None:
    if is_solid:
        raise ValueError("solid has no meaning for robots: their closed meshes always are")
