"""How near moving things come: the least distance over a whole motion."""

from concurrent.futures import Executor
from typing import Any

from firstcontact.advancement.ask import Ask
from firstcontact.answers.clearance_results import Clearance
from firstcontact.queries.look_up import answer_about


def clearance(
    a: Any,
    b: Any = None,
    *,
    tolerance: float | None = None,
    max_iterations: int | None = None,
    solid: bool = False,
    self_contact: bool = False,
    progress: bool = False,
    executor: Executor | None = None,
) -> Clearance:
    """How near do moving things come, when and where? Of a batch, one row for each motion.

    Both ends are proven: at `time` the distance is `distance`, and it is never less than `distance_lower`.

    Parameters
    ----------
    a, b : rigid bodies, of one or both a batch, of the same length; one or both may be a mesh that deforms,
        alone of its kind then. One or both may be a field, whose `distance` is no less than the truth's. Or a
        robot on its way, and obstacles as for `is_free`: a `RobotClearance`
    tolerance : a length: how far apart the two ends may be. A hundredth of the distance unless given, and
        no less than a millionth of the smaller size
    max_iterations, solid, self_contact, progress, executor : as for `first_contacts`

    Examples
    --------
    >>> from firstcontact import Mesh, Sphere
    >>> import numpy as np
    >>> passing = Sphere(1).moving((np.eye(3), [-4, 3, 0]), velocity=[8, 0, 0])
    >>> c = clearance(passing, Sphere(1))
    >>> round(c.distance, 4), round(c.time, 2), 0.99 <= c.distance_lower <= 1 <= c.distance
    (1.0, 0.5, True)
    >>> clearance(passing, Sphere(3)).distance, clearance(passing, Mesh([], [])).distance
    (0.0, inf)
    """
    ask = Ask.checked(
        tolerance=tolerance,
        max_iterations=max_iterations,
        solid=solid,
        self_contact=self_contact,
        progress=progress,
        executor=executor,
    )
    found: Clearance = answer_about("clearance", a, b, ask)
    return found
