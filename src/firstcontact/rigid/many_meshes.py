"""First contacts of many pairs of meshes in one batch, whichever meshes they are."""

from typing import NamedTuple

import numpy as np

from firstcontact._jit import driver, on_ranges
from firstcontact.advancement.arrival import SEPARATED, Found, nothing_found, write_arrival
from firstcontact.advancement.goal import Options
from firstcontact.advancement.queue import Queue, new_queue
from firstcontact.advancement.stretches import motions_of
from firstcontact.arrays import Array, Ids
from firstcontact.bodies.body_table import BodyTable, body_at
from firstcontact.motions.law_table import room_for
from firstcontact.proximity.touching.closest_contacts import describe
from firstcontact.proximity.touching.contact_direction import Fans
from firstcontact.proximity.touching.contact_rows import ContactRows, no_contacts
from firstcontact.rigid.first_times import WORTH_A_THREAD, search_pieces


class MeshPairs(NamedTuple):
    """n pairs of meshes, each in one piece of motion.

    meshes : (n, 2) int32, their numbers in the table
    rows_a, rows_b : (n, 1, 26) their motions
    tolerances : (n,)
    """

    table: BodyTable
    meshes: Ids
    rows_a: Array
    rows_b: Array
    tolerances: Array


def many_first_times(pairs: MeshPairs, options: Options) -> tuple[Found, ContactRows]:
    """Find the first contact of each pair, and the place of those that touch: as pair by pair, to the bit.

    options : for all, but for the tolerance
    """
    n = len(pairs.meshes)
    found, contacts = nothing_found(n), no_contacts(n)

    def task(first: int, last: int) -> None:
        _search_range(pairs, options, new_queue(), found, contacts, (first, last))

    on_ranges(task, n, WORTH_A_THREAD)
    return found, contacts


@driver
def _search_range(
    pairs: MeshPairs,
    options: Options,
    queue: Queue,
    found: Found,
    contacts: ContactRows,
    part: tuple[int, int],
) -> None:
    table, meshes, rows_a, rows_b, tolerances = pairs
    room = room_for(None)
    fans = Fans(np.empty((1, 9)), 1, np.empty((1, 9)), 1)
    for k in range(part[0], part[1]):
        a, b = body_at(table, meshes[k, 0]), body_at(table, meshes[k, 1])
        own = Options(
            tolerances[k],
            options.min_separation,
            options.max_iterations,
            options.method,
            options.is_first,
        )
        motions = motions_of(rows_a, rows_b, None, room, k)
        arrival = search_pieces(a, b, motions, own, queue, None, found.counts[k])
        if arrival.status != SEPARATED:
            write_arrival(found, k, arrival)
            rows = motions.rows_a, motions.rows_b
            describe((a, b), rows, arrival.time, found.triangles[k], contacts, k, fans)
