"""When a rigid body and a field touch and part, posed to the search."""

from functools import partial

import numpy as np

from firstcontact._jit import on_ranges
from firstcontact.advancement.ask import Ask
from firstcontact.advancement.contact_watch import N_COLUMNS
from firstcontact.answers.interval_results import ContactIntervals
from firstcontact.arrays import Array
from firstcontact.queries.kinds.field_first import pose_body_and_field
from firstcontact.queries.kinds.rigid_intervals import WORTH_A_THREAD, interval_columns, rows_of_one, watched
from firstcontact.rigid.fields.field_spans import field_spans
from firstcontact.shapes.mesh import is_empty
from firstcontact.shapes.moving import Moving


def field_intervals(a: Moving, b: Moving, ask: Ask) -> ContactIntervals:
    """Find all contacts of a rigid body and a field, of one motion or a batch; which is which is the same."""
    pair = pose_body_and_field(a, b, ask)
    n, options = len(pair.motions), pair.options
    found: list[Array] = [np.empty((0, N_COLUMNS))] * n
    fine = options.tolerance + 0.5 * pair.batch.field.tolerance

    def watch(first: int, last: int) -> None:
        for k in range(first, last):
            rows_a, rows_b = rows_of_one(pair.motions, k, fine)
            search = partial(field_spans, pair.batch.body, pair.batch.field, rows_a, rows_b, options)
            found[k] = watched(search)

    if not (is_empty(a.shape) or is_empty(b.shape)):
        on_ranges(watch, n, WORTH_A_THREAD)
    return ContactIntervals(*interval_columns(found), a.rigid.is_batch or b.rigid.is_batch)
