"""First contacts of many pairs of what deforms, found as one problem: the earliest contact of each pair.

Asked one by one, each pair has bounds and trees of its own made: of 200 bodies that took twenty times as long
as the same triangles in one mesh.
"""

import numpy as np
from numpy.typing import NDArray

from firstcontact.advancement.ask import Ask
from firstcontact.hierarchy.pair_key import HALF
from firstcontact.motions.rigid_motion import DEVIATION, RATE, VELOCITY
from firstcontact.queries.contacts import contacts
from firstcontact.scene.bodies import Bodies
from firstcontact.scene.body_rows import DEFORMING, MESH
from firstcontact.scene.solved import Solved, no_pairs_solved

Pairs = NDArray[np.int32]

# Pairs from which they are one problem. Fewer are asked one by one, as `first_contact` asks.
MANY = 8


def go_straight(bodies: Bodies, pairs: Pairs) -> NDArray[np.bool_]:
    """Which pairs, (m,), are of meshes whose vertices go straight over the step, one of which deforms?"""
    kinds = bodies.columns.kinds[pairs]
    is_straight = (kinds == MESH) & ~bodies.columns.rows[pairs, VELOCITY : VELOCITY + 3].any(axis=2)
    is_straight &= (bodies.columns.rows[pairs, RATE] == 0.0) & (bodies.columns.rows[pairs, DEVIATION] == 0.0)
    deforms = kinds == DEFORMING
    found: NDArray[np.bool_] = deforms.any(axis=1) & (is_straight | deforms).all(axis=1)
    for k in np.flatnonzero(found).tolist():
        found[k] = all(_is_plain(bodies, row) for row in pairs[k].tolist())
    return found


def solve_together(bodies: Bodies, pairs: Pairs, ask: Ask) -> Solved | None:
    """First contacts of pairs (m, 2) that go straight; None where they cannot be asked about as one."""
    rows = np.unique(pairs)
    try:
        found = contacts(
            [bodies.thing(row) for row in rows.tolist()],
            self_contact=bool((pairs[:, 0] == pairs[:, 1]).any()),
            min_separation=ask.min_separation,
            assume_free_start=ask.assume_free_start,
        )
    except (TypeError, ValueError):  # who asks about each pair by itself has an answer, or names the pair
        return None
    solved = no_pairs_solved(len(pairs))
    if len(found) == 0:
        return solved
    met = np.sort(rows[found.thing_ids], axis=1).astype(np.int64)
    order = np.argsort(found.time, kind="stable")
    keys, first = np.unique((met[:, 0] << HALF | met[:, 1])[order], return_index=True)
    asked = np.sort(pairs, axis=1).astype(np.int64)
    own = asked[:, 0] << HALF | asked[:, 1]
    at = np.minimum(np.searchsorted(keys, own), len(keys) - 1)
    hits = np.flatnonzero(keys[at] == own)
    which = order[first[at[hits]]]
    solved.status[hits], solved.time[hits] = found.status[which], found.time[which]
    solved.points[hits] = found.points[which]
    # Normals go from the first of a list to the second, and rows are in that order.
    solved.normals[hits] = found.normals[which]
    return solved


def _is_plain(bodies: Bodies, row: int) -> bool:
    """Is a body a surface without a thickness, in one step?"""
    thing = bodies.others.get(row)
    if thing is None:
        mesh = bodies.shapes[row]
        return not (mesh.is_cloud or mesh.is_thick)
    return len(thing.deforms.frames) == 2 and not (thing.surface.is_cloud or thing.surface.is_thick)
