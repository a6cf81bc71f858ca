"""The queries at one instant: how far apart, whether in contact."""

from concurrent.futures import Executor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from firstcontact.advancement.ask import AS_SOLIDS, USUAL, WITH_ITSELF, Ask
from firstcontact.answers.proximity_results import Distance
from firstcontact.queries.look_up import answer_at_length, answered_at_length, in_short


def distance(
    a: Any,
    b: Any = None,
    *,
    within: float | None = None,
    relative_error: float = 0.0,
    solid: bool = False,
    self_contact: bool = False,
    executor: Executor | None = None,
) -> Distance:
    """How far are two shapes apart, and where are they closest?

    The least distance, to rounding; 0 wherever `intersects` is True. A mesh has no inside unless `solid`.

    Parameters
    ----------
    a, b : what `Shape.at` gives, of one or both a batch, of the same length; a shape is where it was
        made. Or what `Robot.at` gives and obstacles as for `is_free`: a `RobotDistance` then.
    within, relative_error : ``inf`` is told where it is proven to be more; it may be too large by this part
    solid, self_contact, executor : as for `intersects`: what is inside a solid, links of one robot count too

    Examples
    --------
    >>> from firstcontact import Box, Mesh
    >>> import numpy as np
    >>> leaf = Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    >>> above = leaf.at((np.eye(3), [0, 0, 2]))
    >>> distance(above, leaf), distance(above, leaf, within=1)
    (Distance(2, faces 0 and 0), Distance(inf))
    >>> inner, outer = Box([2, 2, 2]), Box([4, 4, 4]).mesh
    >>> distance(inner, outer).distance, distance(inner, outer, solid=True).distance
    (1.0, 0.0)
    >>> distance(Mesh([[2, 0, 0]], [[0, 0, 0]]), leaf), distance(leaf, Mesh([], []))
    (Distance(1, faces 0 and 0), Distance(inf))
    """
    found: Distance | None
    is_plain = self_contact is False and executor is None and within is None and type(solid) is bool
    if is_plain and type(relative_error) is float and relative_error == 0.0:  # at a third of a check's time
        ask = AS_SOLIDS if solid else USUAL
    else:
        options: dict[str, Any] = {"solid": solid, "self_contact": self_contact, "executor": executor}
        ask = Ask.checked(within=within, relative_error=relative_error, **options)
    found = in_short("distance", a, b, ask)
    return answer_at_length("distance", a, b, ask) if found is None else found


def intersects(
    a: Any,
    b: Any = None,
    *,
    within: float | None = None,
    solid: bool = False,
    self_contact: bool = False,
    method: str | None = None,
    executor: Executor | None = None,
) -> bool | NDArray[np.bool_]:
    """Have two shapes a point in common? Of a batch, (n,) answers.

    Never False where they have; True also where a gap is below 1e-13 of their size. A mesh is its surface.

    Parameters
    ----------
    a, b : as for `distance`
    within, solid : whether shapes so near count too; and, of closed meshes, a part of one inside the other
    self_contact, executor : whether a robot's own links count too; of a batch, as for `first_contacts`
    method : to compare: of convex shapes "sat", "gjk" or "lp"; of meshes "spheres" (swept) or "obb" (oriented
        boxes), alone "boxes" or "obb"; with the same answers

    Examples
    --------
    >>> from firstcontact import Mesh
    >>> corners, faces = np.eye(4)[:, :3], [[0, 1, 3], [1, 0, 2], [2, 0, 3], [1, 2, 3]]
    >>> large, small = Mesh(9 * corners - 2, faces), Mesh(corners - 0.3, faces)
    >>> intersects(small.at((np.eye(3), [[0, 0, 0], [-2, 0, 0], [-9, 0, 0]])), large).tolist()
    [False, True, False]
    >>> intersects(small, large, solid=True), intersects(Mesh([], []), large, method="obb")
    (True, False)
    >>> intersects(small, Mesh(corners, faces[1:]), solid=True)
    Traceback (most recent call last):
    ValueError: solid=True needs closed meshes; b has 3 open edges
    """
    found: bool | NDArray[np.bool_] | None
    is_plain = executor is None and within is None and method is None
    if is_plain and self_contact is False and type(solid) is bool:
        ask = AS_SOLIDS if solid else USUAL
    elif is_plain and self_contact is True and solid is False:
        ask = WITH_ITSELF
    else:
        options: dict[str, Any] = {"solid": solid, "self_contact": self_contact, "executor": executor}
        ask = Ask.checked(within=within, method=method, **options)
    found = in_short("intersects", a, b, ask)
    return answered_at_length("intersects", a, b, ask) if found is None else found
