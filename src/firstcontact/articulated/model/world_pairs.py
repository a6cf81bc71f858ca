"""Which pairs of shapes can touch, of a robot and its obstacles, and by how much they are padded."""

from collections.abc import Sequence
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

    Those far along the chain come first: they go farthest. With self-contact, robots among the obstacles must
    not touch themselves either, as they say it of their own links.
    """
    robot: Any = actors[0].thing.shape
    pairs, paddings = _with_obstacles(robot.rules, actors, pieces)
    for actor in actors if self_contact else ():
        if actor.thing.kind is Kind.ROBOT:
            own, more = _own_pairs(actor, pieces, parents)
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
    numbers = {link: k for k, link in enumerate(robot.link_names)}
    # Shapes come link by link: where those of each begin, and how many there are.
    counts = np.bincount([numbers[part.link] for part in robot.parts], minlength=len(numbers))
    starts = np.cumsum(counts) - counts + (actor.pieces[0] if actor.pieces else 0)
    names = robot.self_pairs[::-1]
    links = np.array([(numbers[a], numbers[b]) for a, b in names], np.int64).reshape(-1, 2)
    sizes = counts[links[:, 0]] * counts[links[:, 1]]
    which = np.repeat(np.arange(len(links)), sizes)
    place = np.arange(len(which)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    a, b = links[which].T
    one, other = starts[b] + place // counts[a], starts[a] + place % counts[a]
    frames = np.array([pieces[k].frame for k in range(len(pieces))], np.int64)
    first, end = actor.first_frame, int(frames[actor.pieces].max(initial=-1)) + 1
    table = _carriers(parents[first:end] - np.int32(first))
    places = np.where(frames < 0, -1, frames - first)
    carriers = table[places[one], places[other]]
    carriers = np.where(carriers < 0, WORLD, carriers + first)
    return np.stack([one, other, carriers], axis=1), self_paddings(robot.rules, names)[which]


def _carriers(parents: Ids) -> Ids:
    """The last frame that carries each two of n others, (n + 1, n + 1); the last row is for the world."""
    n = len(parents)
    found = np.full((n + 1, n + 1), WORLD, np.int32)
    for f, parent in enumerate(parents.tolist()):  # parents come first; those below 0 are the world
        found[f, :f] = found[:f, f] = found[max(parent, -1), :f]
        found[f, f] = f
    return found
