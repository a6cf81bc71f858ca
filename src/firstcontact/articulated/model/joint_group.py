"""Some joints of a robot, asked about while the others stay where they are."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from firstcontact._validate import as_stack
from firstcontact.arrays import Array
from firstcontact.articulated.model.configurations import joint_columns
from firstcontact.motions.trajectories.spline import is_spline
from firstcontact.plain import Sealed
from firstcontact.shapes.moving import Moving

if TYPE_CHECKING:
    from firstcontact.articulated.model.robot import Robot


class JointGroup(Sealed):
    """Joints of a robot that move together: what `Robot.group` gives. A configuration has their values only.

    Examples
    --------
    >>> from firstcontact import Joint, Robot
    >>> joints = [Joint("slide", "prismatic", "base", "cart"), Joint("turn", "revolute", "cart", "arm")]
    >>> robot = Robot({"base": (), "cart": (), "arm": ()}, joints, groups={"arm": ["turn"]})
    >>> robot.group("arm").configuration([0.5], rest={"slide": 2}).tolist()
    [2.0, 0.5]
    >>> robot.group("arm").configuration({}, rest={"slide": 2, "turn": 1}).tolist()
    [2.0, 1.0]
    >>> robot.group("leg")
    Traceback (most recent call last):
    ValueError: there is no group 'leg'
    """

    def __init__(self, robot: "Robot", name: str, joint_names: tuple[str, ...]) -> None:
        self._robot, self._name, self._joint_names = robot, name, joint_names
        places = joint_columns(robot.joints)
        self._columns = np.concatenate([np.empty(0, np.intp), *(places[joint] for joint in joint_names)])

    @property
    def robot(self) -> "Robot":
        """The robot that has these joints."""
        return self._robot

    @property
    def name(self) -> str:
        """The name of the group."""
        return self._name

    @property
    def joint_names(self) -> tuple[str, ...]:
        """Its joints, in the order of its numbers."""
        return self._joint_names

    @property
    def dof(self) -> int:
        """Numbers in a configuration of the group."""
        return len(self._columns)

    @property
    def limits(self) -> Array:
        """Least and greatest value of each number, (dof, 2)."""
        limits: Array = self._robot.limits[self._columns]
        return limits

    def configuration(self, q: Any, rest: Any = None) -> Array:
        """Make configurations of the whole robot of those of the group, (dof,) or (n, dof).

        Parameters
        ----------
        q : of the group; or values by the names of its joints, the others of which have those of `rest`
        rest : a configuration of the robot, which the other joints have; all zero unless given
        """
        others: Any = {} if rest is None else rest
        whole, is_many = self._robot._configurations("rest", others)
        if is_many:
            raise ValueError(f"rest must be one configuration; received {len(whole)}")
        if isinstance(q, Mapping):
            return self._named(q, whole[0])
        values, is_batch = as_stack("q", q, (self.dof,))
        if self.dof == 0 and np.shape(q) == (0,):  # one configuration, not a batch of none
            values, is_batch = np.empty((1, 0)), False
        filled = np.repeat(whole, len(values), axis=0)
        filled[:, self._columns] = values
        found: Array = filled if is_batch else filled[0]
        return found

    def _named(self, values: Mapping[str, Any], rest: Array) -> Array:
        """Put values by the names of joints into a configuration."""
        for name in values:
            if name not in self._joint_names:
                raise ValueError(f"group {self._name!r} has no joint {name!r}")
        places = joint_columns(self._robot.joints)
        columns = np.concatenate([np.empty(0, np.intp), *(places[name] for name in values)])
        named = self._robot.configuration(values)
        found = np.broadcast_to(rest, named.shape).copy()
        found[..., columns] = named[..., columns]
        return found

    def at(self, q: Any, *, rest: Any = None, base: Any = None) -> Moving:
        """Stand still, as `Robot.at`; `rest` as in `configuration`."""
        return self._robot.at(self.configuration(q, rest), base=base)

    def moving(self, q0: Any, q1: Any, *, rest: Any = None, base: Any = None) -> Moving:
        """Move in a straight line in configuration space, as `Robot.moving`; `rest` as in `configuration`."""
        return self._robot.moving(self.configuration(q0, rest), self.configuration(q1, rest), base=base)

    def along(
        self, waypoints: Any, times: ArrayLike | None = None, *, rest: Any = None, base: Any = None
    ) -> Moving:
        """Move through configurations (k, dof), as `Robot.along`; `rest` as in `configuration`."""
        if is_spline(waypoints):
            raise TypeError("a group goes through waypoints; a spline is one of all joints, for robot.along")
        return self._robot.along(self.configuration(waypoints, rest), times, base=base)

    def sample(self, n: int, seed: int | np.random.Generator = 0) -> Array:
        """Random configurations of the group, (n, dof), as `Robot.sample`."""
        values: Array = self._robot.sample(n, seed)[:, self._columns]
        return values

    def __repr__(self) -> str:
        return f"JointGroup({self._name!r} of {self._robot.name!r}, {', '.join(self._joint_names)})"
