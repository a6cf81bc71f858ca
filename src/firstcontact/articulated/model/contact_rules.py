"""Which links of a robot may touch what, and how far beyond its shape each thing counts."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from firstcontact._validate import as_length, as_name, as_several
from firstcontact.arrays import Array, Flags
from firstcontact.articulated.model.joint_group import JointGroup

if TYPE_CHECKING:
    from firstcontact.articulated.model.robot import Robot

Pair = frozenset[str]

# Between the name of an obstacle and that of a part of it: a link of another robot, a part of a compound.
WITHIN = "/"


class ContactRules(NamedTuple):
    """What is said about links and obstacles by their names, which need not be there yet.

    allowed : pairs of a link and an obstacle that may touch each other
    paddings : lengths by one name, of a link or an obstacle, or by the two of a pair
    """

    allowed: frozenset[tuple[str, str]] = frozenset()
    paddings: tuple[tuple[Pair, float], ...] = ()

    def padded(self, keys: Iterable[Pair], by: float) -> "ContactRules":
        """The same with some paddings more, in the place of what was said of the same things."""
        return self._replace(paddings=tuple((dict(self.paddings) | dict.fromkeys(keys, by)).items()))


class PairRules(NamedTuple):
    """What holds for links (m,) and others (n,): which pairs may touch (m, n), and their paddings (m, n)."""

    may_touch: Flags
    paddings: Array


def names_in(robot: "Robot", things: Any) -> tuple[str, ...]:
    """Names of links and obstacles: of one, of several, or of the links that a group of joints moves."""
    if isinstance(things, JointGroup):
        return links_moved(robot, things.joint_names)
    if isinstance(things, Iterable) and not isinstance(things, str):
        many = as_several("names of links and obstacles", things)
        return tuple(dict.fromkeys(name for one in many for name in names_in(robot, one)))
    name = as_name("name of a link or an obstacle", things)
    is_group = name not in robot.link_names and name in robot.groups
    return links_moved(robot, robot.groups[name]) if is_group else (name,)


def links_moved(robot: "Robot", joints: Sequence[str]) -> tuple[str, ...]:
    """Links that joints move by themselves, with all that is fixed to these."""
    frames = robot.tree.link_frames
    moved = {frames[joint.child] for joint in robot.joints if joint.name in joints}
    return tuple(link for link in robot.link_names if frames[link] in moved)


def pairs_named(robot: "Robot", a: Any, b: Any) -> tuple[set[Pair], set[tuple[str, str]]]:
    """All pairs of what two names, or several, stand for: of links, and of a link and an obstacle."""
    own, others, links = names_in(robot, a), names_in(robot, b), set(robot.link_names)
    if len(own) == len(others) == 1 and own == others:
        raise ValueError(f"a pair must be two names; received {own[0]!r} twice")
    pairs = {frozenset((one, other)) for one in own for other in others if one != other}
    among, beside = set[Pair](), set[tuple[str, str]]()
    for pair in pairs:
        linked = sorted(pair & links)
        if not linked:
            raise ValueError(
                f"one of a pair must be a link; {' and '.join(map(repr, sorted(pair)))} are none"
            )
        if len(linked) == 2:
            among.add(pair)
        else:
            beside.add((linked[0], next(iter(pair - links))))
    return among, beside


def padding_keys(robot: "Robot", a: Any, b: Any) -> set[Pair]:
    """What paddings are said of: each of some things, or all pairs of them."""
    if b is None:
        return {frozenset((name,)) for name in names_in(robot, a)}
    among, beside = pairs_named(robot, a, b)
    return among | {frozenset(pair) for pair in beside}


def as_padding(by: Any) -> float:
    """Check a padding."""
    return as_length("by", by)


def scopes_of(name: str) -> list[str]:
    """Names that a part of an obstacle goes by: its own, and those of all that it is within."""
    words = name.split(WITHIN)
    return [WITHIN.join(words[:k]) for k in range(len(words), 0, -1)]


def pair_rules(rules: ContactRules, links: Sequence[str], others: Sequence[str], own: Array) -> PairRules:
    """Say what holds for pairs of links and obstacles, or parts of obstacles, by their names.

    own : (n,) what the others are padded by, whatever is said of them here: links of other robots
    """
    may_touch = np.zeros((len(links), len(others)), np.bool_)
    paddings = np.zeros((len(links), len(others))) + own
    if not (rules.allowed or rules.paddings) or len(others) == 0:
        return PairRules(may_touch, paddings)
    by_scope: dict[str, list[int]] = {}
    for k, name in enumerate(others):
        for scope in scopes_of(name) if WITHIN in name else (name,):
            by_scope.setdefault(scope, []).append(k)
    rows: dict[str, list[int]] = {}
    for i, link in enumerate(links):
        rows.setdefault(link, []).append(i)
    for link, obstacle in rules.allowed:
        may_touch[np.ix_(rows.get(link, []), by_scope.get(obstacle, []))] = True
    _write_paddings(rules, rows, by_scope, paddings)
    return PairRules(may_touch, paddings)


def _write_paddings(
    rules: ContactRules, rows: dict[str, list[int]], by_scope: dict[str, list[int]], paddings: Array
) -> None:
    """Add those of single things; then write those of pairs in their place. The narrower scope wins."""
    broad_first = sorted(rules.paddings, key=lambda item: max(name.count(WITHIN) for name in item[0]))
    singles = [(next(iter(key)), by) for key, by in broad_first if len(key) == 1]
    theirs = np.zeros(paddings.shape[1])
    for name, by in singles:
        if name in rows:
            paddings[rows[name]] += by
        else:
            theirs[by_scope.get(name, [])] = by
    paddings += theirs
    for key, by in broad_first:
        if len(key) == 2:
            link, other = sorted(key, key=lambda name: name not in rows)
            paddings[np.ix_(rows.get(link, []), by_scope.get(other, []))] = by


def self_paddings(rules: ContactRules, pairs: Sequence[tuple[str, str]]) -> Array:
    """Paddings of pairs of links of one robot, (n,)."""
    known = dict(rules.paddings)
    found = np.zeros(len(pairs))
    for i, (a, b) in enumerate(pairs if known else ()):
        both = known.get(frozenset((a,)), 0.0) + known.get(frozenset((b,)), 0.0)
        found[i] = known.get(frozenset((a, b)), both)
    return found
