"""How a robot stands and moves: configurations, and where its root is."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from firstcontact._validate import as_count, as_flag, as_generator, as_times
from firstcontact.arrays import Array
from firstcontact.articulated.model.configurations import (
    checked_configurations,
    motion_through,
    named_configuration,
    quaternion_columns,
    random_configurations,
    warn_of_limits,
)
from firstcontact.articulated.model.joint import Joint
from firstcontact.articulated.model.kinematic_tree import KinematicTree, held_tree
from firstcontact.articulated.model.link_parts import LinkPart
from firstcontact.articulated.paths.frame_rows import link_poses
from firstcontact.motions.joint_motion import JointMotion, motion_along_spline
from firstcontact.motions.poses import as_poses
from firstcontact.motions.short_joints import joints_between
from firstcontact.motions.trajectories.spline import is_spline
from firstcontact.plain import Sealed, once
from firstcontact.shapes.compound import Compound
from firstcontact.shapes.movable import Movable
from firstcontact.shapes.moving import Moving, moving_robot
from firstcontact.shapes.shape import frozen


class RobotMotions(Movable, Sealed):
    """The part of a robot that says where it is, and how it moves."""

    _links: dict[str, tuple[LinkPart, ...]]
    _joints: tuple[Joint, ...]
    _tree: KinematicTree

    @property
    def joints(self) -> tuple[Joint, ...]:
        """All joints, in the order given."""
        return self._joints

    @property
    def joint_names(self) -> tuple[str, ...]:
        """Joints that a configuration has numbers for, in their order."""
        return tuple(joint.name for joint in self._joints if joint.n_values > 0)

    @property
    def dof(self) -> int:
        """Numbers in a configuration: one for each joint that moves, or as many as its kind has."""
        return self._tree.dof

    @once
    def limits(self) -> Array:
        """Least and greatest value of each number, (dof, 2)."""
        rows = [joint.limits for joint in self._joints for _ in range(joint.n_values)]
        return frozen(np.array(rows).reshape(-1, 2))

    @property
    def tree(self) -> KinematicTree:
        """Its frames."""
        return self._tree

    @once
    def has_thick_parts(self) -> bool:
        """Is any of its shapes a mesh with a thickness?"""
        return any(part.shape.is_thick for part in self.parts)

    @once
    def parts(self) -> tuple[LinkPart, ...]:
        """Its shapes, link by link."""
        return tuple(part for parts in self._links.values() for part in parts)

    def configuration(self, values: Any) -> Array:
        """A configuration (dof,), or several (n, dof), of values by the names of joints; others have none: 0.

        Examples
        --------
        >>> from firstcontact import Joint, Robot
        >>> robot = Robot({"base": (), "arm": ()}, [Joint("turn", "revolute", "base", "arm")])
        >>> robot.configuration({"turn": [0.3, 0.4]}).tolist(), robot.configuration({}).tolist()
        ([[0.3], [0.4]], [0.0])
        >>> robot.configuration({"elbow": 0.3})
        Traceback (most recent call last):
        ValueError: there is no joint with a value 'elbow'
        """
        if not isinstance(values, Mapping):
            rows, is_batch = self._configurations("values", values)
            return rows if is_batch else rows[0]
        return named_configuration(self.joints, values)

    def tree_on(self, motion: JointMotion) -> KinematicTree:
        """Its frames, on one for the base where a motion says where that is."""
        return self.tree if motion.bases is None else self._held_tree

    @once
    def _held_tree(self) -> KinematicTree:
        return held_tree(self.tree)

    def link_poses(self, q: ArrayLike, *, base: Any = None) -> dict[str, Array]:
        """Poses of all links, by their names: (4, 4), or (n, 4, 4) for configurations (n, dof).

        `base` as in `at`.

        Examples
        --------
        >>> from firstcontact import Joint, Robot
        >>> slide = Joint("slide", "prismatic", "base", "cart")
        >>> Robot({"base": (), "cart": ()}, [slide]).link_poses([[2], [3]])["cart"][:, 0, 3].tolist()
        [2.0, 3.0]
        """
        motion = self._based(self._through(("q", q)), base)
        poses = link_poses(self.tree_on(motion), motion)
        return poses if motion.is_batch else {name: pose[0] for name, pose in poses.items()}

    def compound(self, q: ArrayLike, *, base: Any = None) -> Compound:
        """All shapes in one configuration, as one body: its parts are those of `parts`, in their order."""
        poses = self.link_poses(q, base=base)
        if any(pose.ndim != 2 for pose in poses.values()):
            raise ValueError("a compound is of one configuration; received several")
        return Compound([part.shape.at(poses[part.link] @ part.pose) for part in self.parts])

    def at(self, q: ArrayLike, *, base: Any = None, warn_limits: bool = False) -> Moving:
        """Stand still in a configuration (dof,), or in each of a batch (n, dof).

        Parameters
        ----------
        q : numbers, finite; a quaternion may have any length but 0
        base : pose of the root in the world, as for `Shape.at`, or one for each of a batch; it stands still.
            A base that moves is a floating joint: ``from_urdf(..., floating_base=True)``
        warn_limits : whether to warn of values beyond the joints' limits, which are allowed

        Examples
        --------
        >>> from firstcontact import Joint, Robot, Sphere, distance
        >>> robot = Robot({"base": Sphere(1), "cart": ()}, [Joint("slide", "prismatic", "base", "cart")])
        >>> distance(robot.at([0], base=[3, 0, 0]), Sphere(1)).distance
        1.0
        >>> distance(robot.at([0], base=[[3, 0, 0], [1, 0, 0]]), Sphere(1)).distance.tolist()
        [1.0, 0.0]
        """
        if base is None and warn_limits is False and (motion := self._in_short(q, q)) is not None:
            return moving_robot(self, motion)
        return self._moved(self._through(("q", q)), base, warn_limits)

    def moving(self, q0: ArrayLike, q1: ArrayLike, *, base: Any = None, warn_limits: bool = False) -> Moving:
        """Move in a straight line in configuration space, every joint at a constant rate.

        Parameters
        ----------
        q0, q1 : (dof,) or batches (n, dof); a single one goes with each of a batch
        base, warn_limits : as for `at`

        Examples
        --------
        >>> from firstcontact import Joint, Robot
        >>> turn = Joint("turn", "revolute", "base", "arm", limits=(-1, 1))
        >>> robot = Robot({"base": (), "arm": ()}, [turn])
        >>> robot.moving([0], [3]).motion.configuration(0.5).tolist()
        [1.5]
        """
        if base is None and warn_limits is False and (motion := self._in_short(q0, q1)) is not None:
            return moving_robot(self, motion)
        return self._moved(self._through(("q0", q0), ("q1", q1)), base, warn_limits)

    def along(
        self,
        waypoints: ArrayLike,
        times: ArrayLike | None = None,
        *,
        base: Any = None,
        warn_limits: bool = False,
    ) -> Moving:
        """Move through configurations, in straight lines between neighbours; or as a spline says.

        Parameters
        ----------
        waypoints : (k, dof), two or more; or one of SciPy's splines of configurations, over any time, which
            becomes [0, 1]: `CubicSpline`, `CubicHermiteSpline`, `PPoly`, `BSpline`, what `trapezoidal` gives
        times : (k,) increasing from 0 to 1; evenly spaced unless given
        base, warn_limits : as for `at`
        """
        if is_spline(waypoints):
            motion = motion_along_spline(waypoints, times, self.dof, quaternion_columns(self.joints))
            return self._moved(motion, base, warn_limits)
        points, is_batch = self._configurations("waypoints", waypoints)
        if not is_batch or len(points) < 2:
            rule = f"two or more, of shape (n, {self.dof})"
            raise ValueError(f"waypoints must be {rule}; received {len(points)}")
        knots = np.linspace(0.0, 1.0, len(points)) if times is None else as_times("times", times, len(points))
        ends = [(point[np.newaxis], False) for point in points]
        return self._moved(motion_through(ends, knots, self.joints), base, warn_limits)

    def sample(self, n: int, seed: int | np.random.Generator = 0) -> Array:
        """Random configurations, (n, dof), uniform within the limits.

        Where there are none, a turn is between -pi and pi, and a slide, or a floating base, between -1 and 1.

        Examples
        --------
        >>> from firstcontact import Joint, Robot
        >>> slide = Joint("slide", "prismatic", "base", "cart", limits=(2, 3))
        >>> q = Robot({"base": (), "cart": ()}, [slide]).sample(100)
        >>> q.shape, bool((q >= 2).all() and (q <= 3).all())
        ((100, 1), True)
        """
        return random_configurations(self.joints, as_count("n", n, least=0), as_generator(seed))

    def _configurations(self, name: str, q: ArrayLike) -> tuple[Array, bool]:
        """Check configurations, also by the names of joints; make quaternions of unit length."""
        values = self.configuration(q) if isinstance(q, Mapping) else q
        return checked_configurations(name, values, self.joints)

    def _through(self, *ends: tuple[str, ArrayLike]) -> JointMotion:
        """Go straight between configurations, by what a caller calls them; stand still in one."""
        return motion_through([self._configurations(name, q) for name, q in ends], None, self.joints)

    def _in_short(self, q0: Any, q1: Any) -> JointMotion | None:
        """Do so in a quarter of the time, where both are plain arrays; else None."""
        return None if self._has_quaternions else joints_between(q0, q1, self._tree.dof)

    @once
    def _has_quaternions(self) -> bool:
        return len(quaternion_columns(self.joints)) > 0

    def _based(self, motion: JointMotion, base: Any) -> JointMotion:
        """The same motion of a robot whose root is elsewhere."""
        if base is None:
            return motion
        poses = as_poses("base", base)
        whole = np.zeros((len(poses.rotations), 4, 4))
        whole[:, :3, :3], whole[:, :3, 3], whole[:, 3, 3] = poses.rotations, poses.translations, 1.0
        return motion.based(whole, poses.is_batch)

    def _moved(self, motion: JointMotion, base: Any, warn_limits: bool) -> Moving:
        if as_flag("warn_limits", warn_limits):
            warn_of_limits(self.joints, self.limits, motion.configurations.reshape(-1, self.dof))
        return Moving(self, self._based(motion, base))
