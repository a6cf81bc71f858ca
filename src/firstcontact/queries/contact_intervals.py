"""When moving things touch and when they part."""

from concurrent.futures import Executor
from typing import Any

from firstcontact.advancement.ask import Ask
from firstcontact.answers.interval_results import ContactIntervals
from firstcontact.queries.look_up import answer_about


def contact_intervals(
    a: Any,
    b: Any = None,
    *,
    tolerance: float | None = None,
    method: str | None = None,
    solid: bool = False,
    self_contact: bool = False,
    executor: Executor | None = None,
) -> ContactIntervals:
    """When do things touch, and when do they part? All contacts of a motion, or of each of a batch.

    Every time is bracketed: no contact is outside the outer bounds, and contact is proven within the inner.
    Two contacts that are apart for less than it takes to move by the tolerance may be told as one.

    Parameters
    ----------
    a, b : rigid bodies, also fields, moving or at rest; of one or both a batch, of the same length. Or a
        robot on its way, and obstacles as for `is_free`: when anything touches, as `RobotIntervals`
    tolerance : a length, as for `first_contact`: within it counts as contact that is not proven
    method : of two meshes "algebraic": exact, of the motions that `first_contacts` takes with it
    solid : whether a body inside another, both closed, is in contact; else of meshes the surfaces count
    self_contact, executor : of robots, as for `is_free`; of a batch, as for `first_contacts`

    Examples
    --------
    >>> from firstcontact import Sphere
    >>> import numpy as np
    >>> through = Sphere(1).moving((np.eye(3), [-4, 0, 0]), velocity=[8, 0, 0])
    >>> ((touch, part),) = contact_intervals(through, Sphere(1))
    >>> touch[0] <= 0.25 <= touch[1], part[0] <= 0.75 <= part[1]
    (True, True)
    >>> list(contact_intervals(through, Sphere(1).at((np.eye(3), [0, 9, 0]))))
    []
    """
    ask = Ask.checked(
        tolerance=tolerance, method=method, solid=solid, self_contact=self_contact, executor=executor
    )
    found: ContactIntervals = answer_about("contact_intervals", a, b, ask)
    return found
