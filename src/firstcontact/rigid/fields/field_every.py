"""First contacts of each element of a body whose vertices go straight with a field: a search for each."""

import numpy as np

from firstcontact._jit import driver, on_ranges
from firstcontact.advancement.arrival import SEPARATED, nothing_found
from firstcontact.advancement.goal import Options
from firstcontact.fields.piece_room import PieceRoom, new_room
from firstcontact.fields.pieces import Pieces
from firstcontact.rigid.fields.field_first import FieldBatch, FieldFound, search_motions

# Elements from which several threads are worth their start.
WORTH_A_THREAD = 512


def field_every_time(batch: FieldBatch, options: Options) -> FieldFound:
    """Find the first contact of each triangle of the body, all of which move alike: a row for each."""
    n = len(batch.body.triangles)
    found = FieldFound(*nothing_found(n), np.full((n, 6), np.nan))

    def task(first: int, last: int) -> None:
        _search_elements(batch, options, found, new_room(), first, last)

    on_ranges(task, n, WORTH_A_THREAD)
    return found


@driver
def _search_elements(
    batch: FieldBatch, options: Options, found: FieldFound, room: PieceRoom, first: int, last: int
) -> None:
    whole = batch.body
    for k in range(first, last):
        element = Pieces(
            whole.kind,
            whole.records,
            whole.pool,
            whole.own,
            whole.middle,
            whole.half,
            whole.children,
            whole.volumes,
            whole.triangles[k : k + 1],
            whole.ways[k : k + 1],
            whole.order[k : k + 1],
            whole.origin,
            whole.reach,
            whole.radius,
            whole.skin,
            whole.speed,
        )
        one = FieldBatch(element, batch.field, batch.rows_a, batch.rows_b)
        search_motions(one, options, found, room, k, k + 1)
        if found.status[k] != SEPARATED:
            found.triangles[k, 0] = k
