"""Is a path free? Asked of robots, above all, by planners."""

from concurrent.futures import Executor
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from firstcontact.advancement.ask import Ask
from firstcontact.queries.look_up import answer
from firstcontact.shapes.moving import Moving


def is_free(
    a: Any,
    b: Any = None,
    *,
    self_contact: bool = False,
    tolerance: float | None = None,
    min_separation: float = 0.0,
    method: str | None = None,
    solid: bool = False,
    assume_free_start: bool = False,
    progress: bool = False,
    executor: Executor | None = None,
    out: str | Path | None = None,
) -> bool | NDArray[np.bool_]:
    """Does a moving thing touch nothing on its way? Of a batch, (n,) answers, on all threads.

    True is proven. False: somewhere the distance is at most `tolerance`. Any contact on the way will do.

    Parameters
    ----------
    a : a robot on its way, as `Robot.moving` and `along` give it, or a batch; or anything else that moves
    b : obstacles: a shape, moving or not, several by their names or in a `Scene`, or another robot
    self_contact : of robots, those among obstacles too, whether links must not touch each other either
    tolerance, min_separation, solid, assume_free_start, progress : as for `first_contact`
    executor, out : of a batch, as for `first_contacts`
    method : of a robot "subdivision", "advancement" or "interval", of others as for `first_contacts`

    Examples
    --------
    >>> from firstcontact import Capsule, Joint, Robot, Sphere
    >>> arm = Capsule(0.05, 1).at((np.eye(3), [0, 0, 0.5]))
    >>> robot = Robot({"base": (), "arm": arm}, [Joint("hinge", "revolute", "base", "arm", axis=[0, 1, 0])])
    >>> ball = Sphere(0.1).at((np.eye(3), [0.6, 0, 0.6]))
    >>> is_free(robot.moving([0], [[0.3], [1.5]]), ball).tolist()
    [True, False]
    >>> is_free(robot.moving([0], [0]), {})
    True
    """
    ask = Ask.checked(
        self_contact=self_contact,
        tolerance=tolerance,
        min_separation=min_separation,
        method=method,
        solid=solid,
        assume_free_start=assume_free_start,
        progress=progress,
        executor=executor,
        out=out,
    )
    found: bool | NDArray[np.bool_] = answer("is_free", a, b, ask)
    return found


def free_of_first(a: Moving, b: Moving | None, ask: Ask) -> bool | NDArray[np.bool_]:
    """Do things that are no robots touch nothing on their way? That is where they have no first contact."""
    if a.motion.is_batch or (b is not None and b.motion.is_batch):
        hit: NDArray[np.bool_] = answer("first_contacts", a, b, ask).hit
        return ~hit
    return not answer("first_contact", a, b, ask)
