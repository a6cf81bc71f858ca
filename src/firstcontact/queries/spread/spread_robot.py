"""Queries about batches of robots' paths, spread over workers."""

from typing import Any, NamedTuple

from firstcontact.advancement.ask import Ask
from firstcontact.answers.answer import Answer, about
from firstcontact.articulated.model.world_shapes import Things
from firstcontact.articulated.paths.kept_worlds import named_obstacles
from firstcontact.articulated.paths.robot_reach import bounded_obstacles
from firstcontact.queries.kinds.robot import robot_things
from firstcontact.queries.look_up import answered_at_length
from firstcontact.queries.spread.spread_batch import spread_answer
from firstcontact.queries.spread.spread_things import motions_of, options_sent, with_motion, without_motions
from firstcontact.shapes.movable import Movable
from firstcontact.shapes.moving import Moving
from firstcontact.spreading.batch import Batch, check_batch


class Paths(NamedTuple):
    """A robot and its obstacles, by their names, None for no word about them; the rows have its paths."""

    verb: str
    robot: Movable | Moving
    obstacles: dict[str, Movable | Moving] | None
    options: dict[str, Any]

    def answer(self, rows: tuple[Any, ...]) -> Any:
        """Answer about some of the paths."""
        others = None
        if self.obstacles is not None:
            pairs = zip(self.obstacles.items(), rows[1:], strict=True)
            others = {name: with_motion(thing, own) for (name, thing), own in pairs}
        return answered_at_length(self.verb, with_motion(self.robot, rows[0]), others, Ask(**self.options))


def spread_paths(verb: str, robot: Moving, obstacles: Any, ask: Ask) -> Any:
    """Let workers answer about many paths of a robot."""
    named = None if obstacles is None else bounded_obstacles(robot, named_obstacles(obstacles))[0]
    things = [robot, *(named or {}).values()]
    n = check_batch({len(thing.motion) for thing in things if thing.motion.is_batch}, verb)
    shared = None if named is None else {name: without_motions(thing) for name, thing in named.items()}
    whole = Paths(verb, without_motions(robot), shared, options_sent(ask))
    found = spread_answer(Batch(whole, tuple(map(motions_of, things)), n, "motions"), ask)
    things_of = robot_things(Things(robot, named or {}, ask.self_contact))
    return about(found, things_of) if isinstance(found, Answer) else found
