"""Which pairs of shapes can touch, of a robot and its obstacles, and by how much they are padded."""

from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from firstcontact.arrays import Array, Ids
from firstcontact.articulated.model.contact_rules import ContactRules, pair_rules, self_paddings
from firstcontact.shapes.movable import Kind

if TYPE_CHECKING:
    from firstcontact.articulated.model.world_shapes import Actor, Piece

# No frame carries two things both of which stand on their own.
WORLD = -1


def pairs_of(
    actors: Sequence["Actor"], pieces: Sequence["Piece"], parents: Ids, self_contact: bool
) -> tuple[Ids, Array]:
    """Pairs (n, 3) of shapes that can touch, with what carries both, and their paddings (n,).

    Those far along the chain come first: they go farthest.
    """
    robot: Any = actors[0].thing.shape
    pairs, paddings = _with_obstacles(robot.rules, actors, pieces)
    if self_contact:
        own, more = _own_pairs(actors[0], pieces, parents)
        pairs, paddings = np.concatenate([pairs, own]), np.concatenate([paddings, more])
    # Two that nothing moves between touch always or never: that is for the start to tell.
    return np.ascontiguousarray(pairs, np.int32), paddings


def _with_obstacles(
    rules: ContactRules, actors: Sequence["Actor"], pieces: Sequence["Piece"]
) -> tuple[NDArray[Any], Array]:
    """Pairs of a shape of the robot and one of an obstacle, obstacle by obstacle."""
    own = np.array(actors[0].pieces[::-1], np.int64)
    others = np.array([k for actor in actors[1:] for k in actor.pieces], np.int64)
    counts = [len(actor.pieces) for actor in actors[1:]]
    padded = np.array([padding for actor in actors[1:] for padding in own_paddings(actor)])
    names = [pieces[k].name for k in others.tolist()]
    found = pair_rules(rules, [pieces[k].name for k in own.tolist()], names, padded)
    a, b = np.meshgrid(own, others, indexing="ij")
    if all(n == 1 for n in counts):
        order = np.arange(a.size).reshape(a.shape).T.reshape(-1)
    else:
        which = np.broadcast_to(np.repeat(np.arange(len(counts)), counts), a.shape)
        order = np.argsort(which.reshape(-1), kind="stable")
    order = order[~found.may_touch.reshape(-1)[order]]
    columns = a.reshape(-1)[order], b.reshape(-1)[order], np.full(len(order), WORLD)
    return np.stack(columns, axis=1), found.paddings.reshape(-1)[order]


def own_paddings(actor: "Actor") -> list[float]:
    """What the shapes of an obstacle are padded by, as it says itself: those of another robot's links."""
    if actor.thing.kind is not Kind.ROBOT or not actor.pieces:
        return [0.0] * len(actor.pieces)
    robot: Any = actor.thing.shape
    known = dict(robot.rules.paddings)
    return [known.get(frozenset((part.link,)), 0.0) for part in robot.parts]


def _own_pairs(actor: "Actor", pieces: Sequence["Piece"], parents: Ids) -> tuple[NDArray[Any], Array]:
    """Pairs of shapes of two links of one robot."""
    robot: Any = actor.thing.shape
    of_link: dict[str, list[int]] = {}
    for k, part in zip(actor.pieces, robot.parts, strict=True):
        of_link.setdefault(part.link, []).append(k)
    links = robot.self_pairs[::-1]
    found, paddings = [], []
    for (a, b), padding in zip(links, self_paddings(robot.rules, links).tolist(), strict=True):
        for one, other in product(of_link[b], of_link[a]):
            found.append((one, other, _common(pieces[one].frame, pieces[other].frame, parents)))
            paddings.append(padding)
    return np.array(found, np.int64).reshape(-1, 3), np.array(paddings)


def _common(a: int, b: int, parents: Ids) -> int:
    """The last frame that carries two others."""
    while a != b:
        if a > b:
            a = int(parents[a])
        else:
            b = int(parents[b])
    return a
