"""Which pairs a proof must be about, and how they are padded, as the robots say: worked out pair by pair."""

from itertools import combinations
from typing import TYPE_CHECKING, Any

from firstcontact.articulated.proof.proof_chains import Cast
from firstcontact.shapes.mesh import is_empty
from firstcontact.shapes.movable import Kind

if TYPE_CHECKING:
    from firstcontact.articulated.model.robot import Robot
    from firstcontact.articulated.model.world_shapes import Things

# Paddings, by the numbers of the two shapes of each pair that can touch, the lower one first.
Claims = dict[tuple[int, int], float]

# All that a robot allows: pairs of names.
Allowed = frozenset[tuple[str, str]]


def claims_of(things: "Things", cast: Cast) -> Claims:
    """Find all pairs that can touch and may not, and their paddings."""
    robot: Any = things.robot.shape
    if things.robot.kind is not Kind.ROBOT:
        return {(0, 1): 0.0} if len(cast.bodies) == 2 else {}
    links = [part.link for part in robot.parts]
    claims: Claims = {}
    for j in range(len(links), len(cast.bodies)):
        name = cast.bodies[j].name
        scopes, more = _scopes(name), _own_padding(things, name)
        for i, link in enumerate(links):
            if not any((link, scope) in robot.allowed_obstacles for scope in scopes):
                claims[i, j] = _padding(robot.paddings, link, scopes, more)
    if things.self_contact:
        claims |= _own_claims(robot, 0)
        first = len(links)
        for thing in things.obstacles.values():
            shape: Any = thing.shape
            if thing.kind is Kind.ROBOT:
                claims |= _own_claims(shape, first)
            first += len(shape.parts) if thing.kind is Kind.ROBOT else int(not is_empty(shape))
    return claims


def _own_claims(robot: Any, first: int) -> Claims:
    """Pairs of links of one robot, the bodies of which are numbered from the first on."""
    links, free = [part.link for part in robot.parts], _free_links(robot)
    return {
        (first + i, first + j): _padding(robot.paddings, links[i], [links[j]], 0.0)
        for i, j in combinations(range(len(links)), 2)
        if frozenset((links[i], links[j])) in free
    }


def allowed_by(things: "Things") -> Allowed:
    """All pairs of names that may touch, in one order."""
    if things.robot.kind is not Kind.ROBOT:
        return frozenset()
    robot: Any = things.robot.shape
    pairs = {(min(pair), max(pair)) for pair in robot.allowed_pairs}
    return frozenset(pairs | robot.allowed_obstacles)


def _scopes(name: str) -> list[str]:
    """A name and all that it is within, the narrower ones first."""
    cuts = [k for k, letter in enumerate(name) if letter == "/"]
    return [name, *(name[:k] for k in reversed(cuts))]


def _padding(paddings: dict[frozenset[str], float], link: str, scopes: list[str], more: float) -> float:
    for scope in scopes:
        if frozenset((link, scope)) in paddings:
            return paddings[frozenset((link, scope))]
    known = [paddings[frozenset((scope,))] for scope in scopes if frozenset((scope,)) in paddings]
    return paddings.get(frozenset((link,)), 0.0) + (known[0] if known else 0.0) + more


def _own_padding(things: "Things", name: str) -> float:
    """What a link of another robot is padded by, as that says."""
    for scope in _scopes(name)[1:]:
        other = things.obstacles.get(scope)
        if other is not None and other.kind is Kind.ROBOT:
            robot: Any = other.shape
            return float(robot.paddings.get(frozenset((name[len(scope) + 1 :],)), 0.0))
    return 0.0


def _free_links(robot: "Robot") -> set[frozenset[str]]:
    """Pairs of links that a joint neither joins nor holds in one rigid body, and that are not allowed."""
    rigid = {link: link for link in robot.link_names}  # a link that each is held to
    for joint in robot.joints:
        if joint.kind == "fixed":
            kept, gone = rigid[joint.parent], rigid[joint.child]
            rigid = {link: kept if held == gone else held for link, held in rigid.items()}
    joined = {frozenset((joint.parent, joint.child)) for joint in robot.joints}
    pairs = {frozenset(pair) for pair in combinations(robot.link_names, 2)}
    return {pair for pair in pairs - joined - robot.allowed_pairs if len({rigid[x] for x in pair}) == 2}
