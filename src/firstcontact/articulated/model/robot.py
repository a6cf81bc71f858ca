"""The robot: links with shapes, joined in a tree."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from firstcontact._validate import as_count, as_flag, as_generator, as_name, as_several, as_times
from firstcontact.arrays import Array
from firstcontact.articulated.model.configurations import (
    checked_configurations,
    floating_columns,
    motion_through,
    named_configuration,
    random_configurations,
    warn_of_limits,
)
from firstcontact.articulated.model.contact_rules import ContactRules, Pair
from firstcontact.articulated.model.joint import Joint, without_planar
from firstcontact.articulated.model.joint_group import JointGroup
from firstcontact.articulated.model.kinematic_tree import KinematicTree, kinematic_tree, unknown
from firstcontact.articulated.model.link_parts import LinkPart, parts_of_link
from firstcontact.articulated.model.robot_contacts import RobotContacts
from firstcontact.articulated.paths.frame_rows import link_poses
from firstcontact.motions.joint_motion import JointMotion, motion_along_spline
from firstcontact.motions.trajectories.spline import is_spline
from firstcontact.plain import Sealed, once, seal
from firstcontact.shapes.compound import Compound
from firstcontact.shapes.movable import Kind, Movable
from firstcontact.shapes.moving import Moving
from firstcontact.shapes.shape import frozen


class Robot(RobotContacts, Movable, Sealed):
    """Links with collision shapes, and joints that make a tree of them. It never changes.

    Parameters
    ----------
    links : for each name a shape, in the link's frame or put into it with `shape.at(pose)`, several, or ()
    joints : the joints; their order is that of the numbers in a configuration
    allowed_pairs : pairs of names of links that may touch each other
    name : str
    groups, states : names of joints by the names of groups; values by names of joints, by names of states

    Examples
    --------
    >>> from firstcontact import Capsule
    >>> arm = Capsule(0.05, 1).at((np.eye(3), [0, 0, 0.5]))
    >>> hinge = Joint("hinge", "revolute", "base", "arm", axis=[0, 1, 0])
    >>> robot = Robot({"base": (), "arm": arm}, [hinge])
    >>> robot
    Robot('robot', 2 links, 1 joint)
    >>> robot.link_poses([np.pi / 2])["arm"].round(12)[:3, 2].tolist()
    [1.0, 0.0, 0.0]
    >>> robot.moving([0, 1], [1, 2])
    Traceback (most recent call last):
    ValueError: q0 must have shape (n, 1) or (1,); received (2,)
    """

    kind: ClassVar[Kind] = Kind.ROBOT

    def __init__(
        self,
        links: Mapping[str, Any],
        joints: Sequence[Joint] = (),
        *,
        allowed_pairs: Iterable[Iterable[str]] = (),
        name: str = "robot",
        groups: Mapping[str, Iterable[str]] | None = None,
        states: Mapping[str, Mapping[str, Any]] | None = None,
    ) -> None:
        self._name = as_name("name of a robot", name)
        self._joints = as_several("joints", joints)
        for joint in self._joints:
            if not isinstance(joint, Joint):
                raise TypeError(f"joints must be of type Joint; received {type(joint).__name__}")
        if not isinstance(links, Mapping):
            raise TypeError(f"links must be shapes by the names of links; received {type(links).__name__}")
        between, self._joints = without_planar(self._joints)
        links = {as_name("name of a link", link): shapes for link, shapes in links.items()}
        self._tree = kinematic_tree([*links, *between], self._joints)
        self._links = {link: parts_of_link(link, shapes) for link, shapes in links.items()}
        self._links |= dict.fromkeys(between, ())
        self._allowed = frozenset(self._pair(pair) for pair in as_several("allowed_pairs", allowed_pairs))
        self._rules = ContactRules()
        self._groups = {name: self._joints_of(name, joints) for name, joints in (groups or {}).items()}
        self._states = {name: dict(values) for name, values in (states or {}).items()}
        for values in self._states.values():
            self.configuration(values)

    @classmethod
    def from_urdf(
        cls,
        path: str | Path,
        srdf: str | Path | None = None,
        *,
        package_dirs: str | Path | Sequence[str | Path] | Mapping[str, str | Path] = (),
        floating_base: bool = False,
        allow_outside: bool = False,
    ) -> "Robot":
        """Read a robot from a URDF file, and the pairs of links that may touch from an SRDF file.

        A link is what its collision elements say. What is wrong with a file is told in one sentence; what is
        unknown but does not matter, or is read alike by all though it is wrong, is warned of. COLLADA meshes
        need the extra `robots`. Of the SRDF file, pairs, groups and states are read.

        Parameters
        ----------
        path, srdf : files
        package_dirs : for ``package://``: folders that are packages or hold them; or packages, by their names
        floating_base : whether the root moves freely: seven more numbers, first in a configuration
        allow_outside : whether meshes may be outside of the file's folder, and of packages
        """
        from firstcontact.articulated.model.srdf import NOTHING_SAID, read_srdf
        from firstcontact.articulated.model.urdf import read_urdf

        links, joints = (described := read_urdf(path, package_dirs, floating_base, allow_outside))[1:]
        allowed, groups, states = NOTHING_SAID if srdf is None else read_srdf(srdf, links, joints)
        name = described.name
        return cls(links, joints, allowed_pairs=allowed, name=name, groups=groups, states=states)

    @property
    def name(self) -> str:
        """The name of the robot."""
        return self._name

    @property
    def link_names(self) -> tuple[str, ...]:
        """Names of all links, in the order given."""
        return tuple(self._links)

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
        """Numbers in a configuration: one for each joint that moves, seven for a floating one."""
        return self._tree.dof

    @property
    def root(self) -> str:
        """The link that is no joint's child; it stands at the origin."""
        return self._tree.root

    @once
    def limits(self) -> Array:
        """Least and greatest value of each number, (dof, 2)."""
        rows = [joint.limits for joint in self._joints for _ in range(joint.n_values)]
        return frozen(np.array(rows).reshape(-1, 2))

    @property
    def groups(self) -> dict[str, tuple[str, ...]]:
        """Names of joints, by the names of groups."""
        return dict(self._groups)

    @property
    def states(self) -> dict[str, dict[str, Any]]:
        """Values by the names of joints, by the names of states: configurations for all that takes one."""
        return {name: dict(values) for name, values in self._states.items()}

    def group(self, name: str) -> JointGroup:
        """Joints that are asked about by themselves, while all others stay where they are."""
        if isinstance(name, str) and name in self._groups:
            return JointGroup(self, name, self._groups[name])
        raise unknown("group", str(name), self._groups)

    def configuration(self, values: Any) -> Array:
        """A configuration (dof,), or several (n, dof), of values by the names of joints; others have none: 0.

        Examples
        --------
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
        return named_configuration(self._joints, values)

    @property
    def tree(self) -> KinematicTree:
        """Its frames."""
        return self._tree

    @once
    def parts(self) -> tuple[LinkPart, ...]:
        """Its shapes, link by link."""
        return tuple(part for parts in self._links.values() for part in parts)

    @once
    def part_size(self) -> float:
        """Size of the largest shape: the diagonal of its box."""
        boxes = [part.shape.bounds for part in self.parts]
        return max((float(np.linalg.norm(upper - lower)) for lower, upper in boxes), default=0.0)

    @once
    def settings(self) -> dict[Any, Any]:
        """What was made ready for queries about it and some obstacles, by the obstacles."""
        return {}

    def link_poses(self, q: ArrayLike) -> dict[str, Array]:
        """Poses of all links, by their names: (4, 4), or (n, 4, 4) for configurations (n, dof).

        Examples
        --------
        >>> slide = Joint("slide", "prismatic", "base", "cart")
        >>> Robot({"base": (), "cart": ()}, [slide]).link_poses([[2], [3]])["cart"][:, 0, 3].tolist()
        [2.0, 3.0]
        """
        motion = motion_through([self._configurations("q", q)], None, self._joints)
        poses = link_poses(self._tree, motion)
        return poses if motion.is_batch else {name: pose[0] for name, pose in poses.items()}

    def compound(self, q: ArrayLike) -> Compound:
        """All shapes in one configuration, as one body: its parts are those of `parts`, in their order."""
        poses = self.link_poses(q)
        if any(pose.ndim != 2 for pose in poses.values()):
            raise ValueError("a compound is of one configuration; received several")
        return Compound([part.shape.at(poses[part.link] @ part.pose) for part in self.parts])

    def at(self, q: ArrayLike, *, warn_limits: bool = False) -> Moving:
        """Stand still in a configuration (dof,), or in each of a batch (n, dof).

        Parameters
        ----------
        q : numbers, finite; a quaternion may have any length but 0
        warn_limits : whether to warn of values beyond the joints' limits, which are allowed
        """
        return self._moved(motion_through([self._configurations("q", q)], None, self._joints), warn_limits)

    def moving(self, q0: ArrayLike, q1: ArrayLike, *, warn_limits: bool = False) -> Moving:
        """Move in a straight line in configuration space, every joint at a constant rate.

        Parameters
        ----------
        q0, q1 : (dof,) or batches (n, dof); a single one goes with each of a batch
        warn_limits : as for `at`

        Examples
        --------
        >>> turn = Joint("turn", "revolute", "base", "arm", limits=(-1, 1))
        >>> robot = Robot({"base": (), "arm": ()}, [turn])
        >>> robot.moving([0], [3]).motion.configuration(0.5).tolist()
        [1.5]
        """
        ends = [self._configurations(name, q) for name, q in (("q0", q0), ("q1", q1))]
        return self._moved(motion_through(ends, None, self._joints), warn_limits)

    def along(
        self, waypoints: ArrayLike, times: ArrayLike | None = None, *, warn_limits: bool = False
    ) -> Moving:
        """Move through configurations, in straight lines between neighbours; or as a spline says.

        Parameters
        ----------
        waypoints : (k, dof), two or more; or one of SciPy's splines of configurations, over any time, which
            becomes [0, 1]: `CubicSpline`, `CubicHermiteSpline`, `PPoly`, `BSpline`, what `trapezoidal` gives
        times : (k,) increasing from 0 to 1; evenly spaced unless given
        warn_limits : as for `at`
        """
        if is_spline(waypoints):
            motion = motion_along_spline(waypoints, times, self.dof, floating_columns(self._joints))
            return self._moved(motion, warn_limits)
        points, is_batch = self._configurations("waypoints", waypoints)
        if not is_batch or len(points) < 2:
            rule = f"two or more, of shape (n, {self.dof})"
            raise ValueError(f"waypoints must be {rule}; received {len(points)}")
        knots = np.linspace(0.0, 1.0, len(points)) if times is None else as_times("times", times, len(points))
        ends = [(point[np.newaxis], False) for point in points]
        return self._moved(motion_through(ends, knots, self._joints), warn_limits)

    def attach(
        self,
        link: str,
        shape: Any,
        pose: Any = None,
        *,
        name: str | None = None,
        touching: Iterable[str] = (),
    ) -> "Robot":
        """Return a robot that holds a thing: one more link, fixed to another, which it may touch.

        Parameters
        ----------
        link : what holds it
        shape : as in a link; its frame is that of the link unless a pose is given
        pose : of the thing in the link's frame
        name : of the new link; the holding link's with " load" unless given
        touching : further links that it may touch
        """
        self._check_link(link)
        called = f"{link} load" if name is None else name
        if as_name("name of the new link", called) in self._links:
            raise ValueError(f"there is a link {called!r} already: give the thing another name")
        origin = np.eye(4) if pose is None else pose
        joint = Joint(f"{called} hold", "fixed", link, called, origin)
        others = *((touching,) if isinstance(touching, str) else as_several("touching", touching)), link
        allowed = {frozenset((called, as_name("name of a link", other))) for other in others}
        held = [part.shape.at(part.pose) for part in parts_of_link(called, shape)]
        return self._with({called: held}, [joint], allowed)

    def sample(self, n: int, seed: int | np.random.Generator = 0) -> Array:
        """Random configurations, (n, dof), uniform within the limits.

        Where there are none, a turn is between -pi and pi, and a slide, or a floating base, between -1 and 1.

        Examples
        --------
        >>> slide = Joint("slide", "prismatic", "base", "cart", limits=(2, 3))
        >>> q = Robot({"base": (), "cart": ()}, [slide]).sample(100)
        >>> q.shape, bool((q >= 2).all() and (q <= 3).all())
        ((100, 1), True)
        """
        return random_configurations(self._joints, as_count("n", n, least=0), as_generator(seed))

    def __setstate__(self, state: dict[str, Any]) -> None:
        seal(tuple(state["_links"].values()))  # and nothing else: its tree can be written to
        self.__dict__.update(state)

    def _with(
        self,
        links: dict[str, Any],
        joints: list[Joint],
        allowed: set[Pair],
        rules: ContactRules | None = None,
    ) -> "Robot":
        own = {link: [part.shape.at(part.pose) for part in parts] for link, parts in self._links.items()}
        pairs = self._allowed | allowed
        every = (*self._joints, *joints)
        said: Any = {"groups": self._groups, "states": self._states}
        robot = Robot(own | links, every, allowed_pairs=pairs, name=self._name, **said)
        robot._rules = self._rules if rules is None else rules
        return robot

    def _check_link(self, name: str) -> None:
        if as_name("name of a link", name) not in self._links:
            raise unknown("link", name, self._links)

    def _joints_of(self, group: str, joints: Iterable[str]) -> tuple[str, ...]:
        names = () if isinstance(joints, str) else as_several(f"joints of group {group!r}", joints)
        for name in names:
            if name not in self.joint_names:
                raise unknown("joint with a value", str(name), self.joint_names)
        return names

    def _pair(self, pair: Iterable[str]) -> Pair:
        names = () if isinstance(pair, str) else as_several("a pair of links", pair)
        for name in names:
            self._check_link(name)
        if len(names) != 2 or names[0] == names[1]:
            raise ValueError(f"a pair of links must be two names; received {names or pair!r}")
        return frozenset(names)

    def _configurations(self, name: str, q: ArrayLike) -> tuple[Array, bool]:
        """Check configurations, also by the names of joints; make quaternions of unit length."""
        values = self.configuration(q) if isinstance(q, Mapping) else q
        return checked_configurations(name, values, self._joints)

    def _moved(self, motion: JointMotion, warn_limits: bool) -> Moving:
        if as_flag("warn_limits", warn_limits):
            warn_of_limits(self._joints, self.limits, motion.configurations.reshape(-1, self.dof))
        return Moving(self, motion)

    def __repr__(self) -> str:
        n, k = len(self._links), len(self.joint_names)
        return f"Robot({self._name!r}, {n} link{'s' * (n != 1)}, {k} joint{'s' * (k != 1)})"
