"""When a robot touches something along its paths and when it is free again, posed to the search."""

import numpy as np

from firstcontact._jit import on_ranges
from firstcontact.advancement.ask import Ask
from firstcontact.advancement.contact_watch import N_COLUMNS
from firstcontact.advancement.goal import Options
from firstcontact.advancement.refining import FINE
from firstcontact.answers.answer import about
from firstcontact.answers.robot_results import RobotIntervals
from firstcontact.articulated.paths.path_spans import Spans, path_spans
from firstcontact.articulated.paths.refined_paths import refined_paths
from firstcontact.articulated.paths.world_motions import WorldMotions
from firstcontact.motions.rigid_motion import DEVIATION
from firstcontact.queries.kinds.rigid_intervals import MOST_PIECES, interval_columns
from firstcontact.queries.kinds.robot import pair_names, posed_paths, robot_things
from firstcontact.queries.kinds.robot_fields import field_names
from firstcontact.queries.refusals import ROBOT_AND_FIELD
from firstcontact.shapes.movable import Kind
from firstcontact.shapes.moving import Moving

# Paths from which several threads are worth their start.
WORTH_A_THREAD = 8

# Meshes count as convex where their hulls hold no more besides, in units of the tolerance: two of them.
HULLS = 2.0 * 0.25


def robot_intervals(a: Moving, b: object, ask: Ask) -> RobotIntervals:
    """Find all contacts along a path, or along each of a batch."""
    world, options = posed_paths(a, b, ask, is_first=True)
    for name in field_names(world):
        raise TypeError(ROBOT_AND_FIELD.format(verb="contact_intervals", name=f"obstacle {name!r}"))
    ids = world.geometries.meshes
    are_hulls = any(piece.shape.kind is Kind.MESH and ids[k] < 0 for k, piece in enumerate(world.pieces))
    hulls = HULLS * options.tolerance if are_hulls else 0.0
    found = [Spans(np.empty((0, N_COLUMNS)), np.empty(0, np.int32))] * len(world.rows)

    def watched(first: int, last: int) -> None:
        for i in range(first, last):
            found[i] = _watched(world, i, options, hulls)

    on_ranges(watched, len(world.rows), WORTH_A_THREAD)
    columns = interval_columns([one.spans for one in found])
    names = [pair_names(world, int(pair)) for one in found for pair in one.pairs.tolist()]
    links, others = [str(a) for a, _ in names], [str(b) for _, b in names]
    return about(RobotIntervals(*columns, world.is_batch, links, others), robot_things(world.things))


def _watched(world: WorldMotions, i: int, options: Options, hulls: float) -> Spans:
    """All spans of a path; where something deviates from its pieces, in so many that it does by little."""
    one = world.part(i, i + 1)
    if not world.deviates:
        return path_spans(one, options, hulls)
    is_free = refined_paths(one, options._replace(is_first=False)).pairs[0] < 0
    if is_free:
        return Spans(np.empty((0, N_COLUMNS)), np.empty(0, np.int32))
    deviation = float(one.rows[..., DEVIATION].max(initial=0.0))
    pieces = np.sqrt(deviation / (FINE * options.tolerance)) if options.tolerance > 0.0 else MOST_PIECES
    n = min(max(int(np.ceil(pieces)), 1), MOST_PIECES)
    times = np.unique(np.concatenate([np.linspace(0.0, 1.0, n + 1), world.times]))
    return path_spans(world.refined(i, times), options, hulls)
