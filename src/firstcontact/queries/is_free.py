"""Is a path free? Asked of robots, above all, by planners."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from firstcontact._validate import as_flag
from firstcontact.articulated.model.world_shapes import is_robot
from firstcontact.motions.rigid_motion import RigidMotion
from firstcontact.queries.first_contact import first_contact, first_contacts
from firstcontact.queries.robot import RobotAsk, refuse_self_contact, robot_is_free
from firstcontact.shapes.mesh import as_moving


def is_free(
    a: Any,
    b: Any = None,
    *,
    self_contact: bool = False,
    tolerance: float | None = None,
    min_separation: float = 0.0,
    method: str | None = None,
    assume_free_start: bool = False,
    progress: bool = False,
) -> bool | NDArray[np.bool_]:
    """Does a moving thing touch nothing on its way? Of a batch, (n,) answers, on all threads.

    True is proven. False: somewhere the distance is at most `tolerance`. Any contact on the way will do.

    Parameters
    ----------
    a : a robot on its way, as `Robot.moving` and `along` give it, or a batch; or anything else that moves
    b : obstacles: a shape, moving or not, several by their names or in a `Scene`, or another robot
    self_contact : of a robot, whether its links must not touch each other either
    tolerance, min_separation, assume_free_start, progress : as for `first_contact`
    method : of a robot "subdivision" or "advancement"; the answers are the same, to the tolerance

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
    if is_robot(a) or is_robot(b):
        _refuse_assumption(assume_free_start)
        ask = RobotAsk.checked(tolerance, min_separation, method, self_contact, progress)
        return robot_is_free(a, b, ask)
    refuse_self_contact(self_contact)
    options: dict[str, Any] = {"tolerance": tolerance, "min_separation": min_separation, "method": method}
    motions = [as_moving(thing).motion for thing in (a, b) if thing is not None]
    if any(isinstance(motion, RigidMotion) and motion.is_batch for motion in motions):
        _refuse_assumption(assume_free_start)
        return ~first_contacts(a, b, progress=progress, **options).hit
    return not first_contact(a, b, assume_free_start=assume_free_start, progress=progress, **options)


def _refuse_assumption(assume_free_start: bool) -> None:
    if as_flag("assume_free_start", assume_free_start):
        raise ValueError("assume_free_start has no meaning for rigid bodies and robots")
