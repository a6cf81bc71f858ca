"""What SRDF files say of a robot: which links may touch, groups of joints, and named states."""

import warnings
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple
from xml.etree.ElementTree import Element

from firstcontact._validate import as_path, read_number
from firstcontact.articulated.model.joint import Joint
from firstcontact.articulated.model.kinematic_tree import unknown
from firstcontact.articulated.model.mesh_places import FilePath
from firstcontact.articulated.model.robot_words import check_srdf
from firstcontact.articulated.model.robot_xml import read_robot_element

_MAY, _MAY_NOT = "disable_collisions", "enable_collisions"

Groups = dict[str, tuple[str, ...]]
States = dict[str, dict[str, float | tuple[float, ...]]]


class Semantics(NamedTuple):
    """What a file says.

    allowed : pairs of links that may touch
    groups : names of joints that move, by the names of groups
    states : values by names of joints, by the names of states
    """

    allowed: frozenset[frozenset[str]]
    groups: Groups
    states: States


NOTHING_SAID = Semantics(frozenset(), {}, {})


def read_srdf(path: FilePath, link_names: Iterable[str], joints: Iterable[Joint]) -> Semantics:
    """Read an SRDF file about a robot of these links and joints.

    Pairs that may touch are its ``disable_collisions``, without those that ``enable_collisions`` takes back.
    What names links or joints that the robot does not have is left out with a warning: it allows nothing.

    Raises
    ------
    FileNotFoundError
        There is no such file.
    RobotFileError
        The file is broken.
    """
    file = as_path("srdf", path)
    root = read_robot_element(file)
    check_srdf(root, (_MAY, _MAY_NOT), str(file))
    reader = _Reader(file, root, frozenset(link_names), {joint.name: joint for joint in joints})
    return Semantics(reader.allowed(), reader.groups(), reader.states())


class _Reader:
    def __init__(self, file: Path, root: Element, links: frozenset[str], joints: Mapping[str, Joint]) -> None:
        self._file, self._root, self._links, self._joints = file, root, links, joints
        self._above = {joint.child: joint for joint in joints.values()}
        self._members = {group.get("name", ""): group for group in root.findall("group")}
        self._named: dict[str, tuple[set[str], set[str]]] = {}

    def allowed(self) -> frozenset[frozenset[str]]:
        pairs: dict[str, set[frozenset[str]]] = {_MAY: set(), _MAY_NOT: set()}
        for tag, found in pairs.items():
            for element in self._root.findall(tag):
                pair = [element.get(end, "") for end in ("link1", "link2")]
                if self._is_known("link", pair[0], tag) & self._is_known("link", pair[1], tag):
                    found.add(frozenset(pair))
        # A link never touches itself.
        return frozenset(pair for pair in pairs[_MAY] - pairs[_MAY_NOT] if len(pair) == 2)

    def groups(self) -> Groups:
        return {name: self._group(name) for name in self._members if name}

    def states(self) -> States:
        """Values of each state; of one name in several groups, all of them, where two differ the first."""
        states: States = {}
        for element in self._root.findall("group_state"):
            name = element.get("name", "")
            values = states.setdefault(name, {})
            for joint in element.findall("joint"):
                self._add_value(values, joint, f"group_state {name!r}")
        return states

    def _group(self, name: str) -> tuple[str, ...]:
        """Joints of a group, and of the groups in it, in the order of the robot's."""
        found: set[str] = set()
        seen, waiting, is_in_itself = {name}, [name], False
        while waiting:  # each group once, however often, and however deep, groups are in others
            joints, inner = self._named_in(waiting.pop())
            found |= joints
            is_in_itself |= name in inner
            waiting += inner - seen
            seen |= inner
        if is_in_itself:
            self._warn(f"group {name!r} is in itself")
        return tuple(name for name, joint in self._joints.items() if name in found and joint.n_values > 0)

    def _named_in(self, name: str) -> tuple[set[str], set[str]]:
        """Joints that a group names, and groups in it."""
        if name in self._named:
            return self._named[name]
        where = f"group {name!r}"
        joints: set[str] = set()
        inner: set[str] = set()
        for element in self._members[name]:
            called = element.get("name", "")
            if element.tag == "joint" and self._is_known("joint", called, where):
                joints.add(called)
            elif element.tag == "link" and self._is_known("link", called, where) and called in self._above:
                joints.add(self._above[called].name)
            elif element.tag == "chain":
                joints |= self._chain(element, where)
            elif element.tag == "group" and self._is_known("group", called, where):
                inner.add(called)
        self._named[name] = joints, inner
        return joints, inner

    def _chain(self, element: Element, where: str) -> set[str]:
        """Joints from a link up to another that is above it."""
        base, link = element.get("base_link", ""), element.get("tip_link", "")
        found: set[str] = set()
        if not (self._is_known("link", base, where) & self._is_known("link", link, where)):
            return found
        while link != base and link in self._above:
            found.add(self._above[link].name)
            link = self._above[link].parent
        if link != base:
            self._warn(f"{where}: the link {base!r} is not above the tip of the chain")
            return set()
        return found

    def _add_value(self, values: dict[str, float | tuple[float, ...]], joint: Element, where: str) -> None:
        name = joint.get("name", "")
        numbers = [read_number(word) for word in joint.get("value", "").split()]
        if not self._is_known("joint", name, where):
            return
        size = self._joints[name].n_values
        read = tuple(x for x in numbers if x is not None)
        if size == 0 or name in values:
            return
        if len(read) != size or len(numbers) != size:
            self._warn(f"{where}: joint {name!r} must have {size} numbers; it has {joint.get('value', '')!r}")
            return
        values[name] = read[0] if size == 1 else read

    def _is_known(self, what: str, name: str, where: str) -> bool:
        known: Iterable[str] = {"link": self._links, "joint": self._joints, "group": self._members}[what]
        if name in known:
            return True
        self._warn(f"{where}: {unknown(what, name, known)}; it is left out")
        return False

    def _warn(self, text: str) -> None:
        warnings.warn(f"{self._file}: {text}", stacklevel=2)
