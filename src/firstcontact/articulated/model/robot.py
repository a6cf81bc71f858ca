"""The robot: links with shapes, joined in a tree."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from firstcontact._validate import as_name, as_several
from firstcontact.articulated.model.contact_rules import ContactRules, Pair
from firstcontact.articulated.model.joint import Joint, without_planar
from firstcontact.articulated.model.joint_group import JointGroup
from firstcontact.articulated.model.kinematic_tree import kinematic_tree, unknown
from firstcontact.articulated.model.link_parts import parts_of_link
from firstcontact.articulated.model.robot_contacts import RobotContacts
from firstcontact.articulated.model.robot_jacobian import RobotJacobian
from firstcontact.articulated.model.robot_motions import RobotMotions
from firstcontact.plain import once, seal
from firstcontact.shapes.movable import Kind


class Robot(RobotContacts, RobotJacobian, RobotMotions):
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
        for state, values in self._states.items():
            if self.configuration(values).ndim != 1:
                raise ValueError(f"state {state!r} must be one configuration; received several")

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

    @classmethod
    def from_mjcf(cls, path: str | Path, *, hulls: bool = True) -> "Robot":
        """Read a robot from an MJCF file, which MuJoCo compiles: needs the extra `mjcf`.

        Bodies are links, under the link "world"; those of several joints have links between, and geoms of a
        body that touch other geoms than its first ones do are on links of their own, "body/1". Which may
        touch is what `contype`, `conaffinity`, pairs and excludes say, and MuJoCo's rule about parents.
        Keyframes are `states`, and "reference" is how the file has the bodies; quaternions are x, y, z, w
        here. Planes have no bounds: they are left out with a warning that says which `HalfSpace` each is.
        Equality constraints, tendons and margins are not read.

        Parameters
        ----------
        path : the file
        hulls : whether meshes are their convex hulls, as for MuJoCo, or what they are
        """
        from firstcontact.articulated.model.mjcf import read_mjcf

        read = read_mjcf(path, hulls)
        return cls(read.links, read.joints, allowed_pairs=read.allowed, name=read.name, states=read.states)

    @property
    def name(self) -> str:
        """The name of the robot."""
        return self._name

    @property
    def link_names(self) -> tuple[str, ...]:
        """Names of all links, in the order given."""
        return tuple(self._links)

    @property
    def root(self) -> str:
        """The link that is no joint's child; it stands at the origin."""
        return self._tree.root

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

    @once
    def part_size(self) -> float:
        """Size of the largest shape: the diagonal of its box."""
        boxes = [part.shape.bounds for part in self.parts]
        return max((float(np.linalg.norm(upper - lower)) for lower, upper in boxes), default=0.0)

    @once
    def settings(self) -> dict[Any, Any]:
        """What was made ready for queries about it and some obstacles, by the obstacles."""
        return {}

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
        if isinstance(joints, str):
            raise TypeError(f"joints of group {group!r} must be several names; received {joints!r}")
        names, known = as_several(f"joints of group {group!r}", joints), set(self.joint_names)
        for name in names:
            if name not in known:
                raise unknown("joint with a value", str(name), known)
        if len(set(names)) < len(names):
            raise ValueError(f"group {group!r} must name no joint twice; received {', '.join(names)}")
        return names

    def _pair(self, pair: Iterable[str]) -> Pair:
        names = () if isinstance(pair, str) else as_several("a pair of links", pair)
        for name in names:
            self._check_link(name)
        if len(names) != 2 or names[0] == names[1]:
            raise ValueError(f"a pair of links must be two names; received {names or pair!r}")
        return frozenset(names)

    def __repr__(self) -> str:
        n, k = len(self._links), len(self.joint_names)
        return f"Robot({self._name!r}, {n} link{'s' * (n != 1)}, {k} joint{'s' * (k != 1)})"
