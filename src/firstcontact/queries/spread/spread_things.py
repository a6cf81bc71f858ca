"""Queries about batches of two things, spread over workers."""

from typing import Any, NamedTuple

from firstcontact.advancement.ask import Ask
from firstcontact.queries.look_up import answered_at_length
from firstcontact.queries.spread.spread_batch import spread_answer
from firstcontact.shapes.movable import Movable
from firstcontact.shapes.moving import Moving
from firstcontact.spreading.batch import Batch, check_batch


class Pairs(NamedTuple):
    """Two things, at least one of them in many motions, which are the rows.

    things : a shape where the rows have its motions
    options : of the query, those that are given
    """

    verb: str
    things: tuple[Movable | Moving, Movable | Moving]
    options: dict[str, Any]

    def answer(self, rows: tuple[Any, ...]) -> Any:
        """Answer about some of the motions."""
        a, b = (with_motion(thing, own) for thing, own in zip(self.things, rows, strict=True))
        return answered_at_length(self.verb, a, b, Ask(**self.options))


def spread_pairs(verb: str, a: Moving, b: Moving, ask: Ask) -> Any:
    """Let workers answer about many motions of two things."""
    things = [thing for thing in (a, b) if thing is not None]
    n = check_batch({len(thing.motion) for thing in things if thing.motion.is_batch}, verb)
    whole = Pairs(verb, (without_motions(a), without_motions(b)), options_sent(ask))
    return spread_answer(Batch(whole, (motions_of(a), motions_of(b)), n, "motions"), ask)


def without_motions(thing: Moving) -> Movable | Moving:
    """What all rows share of a thing: all of it, unless it has a motion for each."""
    return thing.shape if thing.motion.is_batch else thing


def motions_of(thing: Moving) -> Any:
    """Motions of a thing, if it has one for each row; else None."""
    return thing.motion if thing.motion.is_batch else None


def with_motion(thing: Movable | Moving, motion: Any) -> Moving:
    """A thing with its motions again."""
    return thing if isinstance(thing, Moving) else Moving(thing, motion)


def options_sent(ask: Ask) -> dict[str, Any]:
    """Options that go to the workers: those that say what is asked, not who answers."""
    return {name: getattr(ask, name) for name in ask.given() if name not in ("executor", "out", "progress")}
