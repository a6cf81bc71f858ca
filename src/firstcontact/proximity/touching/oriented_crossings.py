"""All pairs of faces that meet at an instant, by trees of oriented boxes: as `face_crossings` finds them."""

from typing import cast

import numpy as np

from firstcontact._jit import driver
from firstcontact.arrays import Array, Ids
from firstcontact.bodies.oriented_body import OrientedBody, oriented_body_of
from firstcontact.bounds.oriented_box import FIFTEEN_AXES
from firstcontact.hierarchy.block_traversal import ITEMS
from firstcontact.hierarchy.oriented_traversal import (
    BOX_TESTS,
    BOX_UPDATES,
    N_COUNTS,
    OrientedPairing,
    next_oriented_pairs,
    oriented_stack_size,
)
from firstcontact.hierarchy.oriented_tree import WIDTH
from firstcontact.hierarchy.shares import PAIRS, Shares
from firstcontact.narrowphase.triangles.crossing import MOST_POINTS
from firstcontact.narrowphase.triangles.piercing import ROOM_SIZE
from firstcontact.proximity.touching.face_crossings import (
    NONE,
    ROUNDING,
    Crossings,
    Team,
    gathered,
    ordered,
    placed,
)
from firstcontact.proximity.touching.face_pairs import Placed, list_crossings, list_own_crossings
from firstcontact.scalar.error_bounds import SHORTEST
from firstcontact.scalar.mat3 import Mat3
from firstcontact.shapes.mesh import Mesh

# Its trees have one face a leaf.
NO_LEAVES = np.empty((0, 1), np.int32)


def oriented_crossings_of_two(a: Mesh, b: Mesh, poses: tuple[Array, Array]) -> Crossings:
    """List the pairs of faces of two meshes that meet in their poses."""
    if a.n_faces == 0 or b.n_faces == 0:
        return NONE
    sides = placed(a, poses[0], NO_LEAVES), placed(b, poses[1], NO_LEAVES)
    return _found(*sides, _pairing(oriented_body_of(a), oriented_body_of(b), poses), False)


def oriented_crossings_of_one(mesh: Mesh, pose: Array, joined: Ids, any_will_do: bool = False) -> Crossings:
    """List the pairs of faces of a mesh that meet elsewhere than in what they have in common.

    With `any_will_do`, at least one if there is any.
    """
    if mesh.n_faces == 0:
        return NONE
    body, side = oriented_body_of(mesh), placed(mesh, pose, NO_LEAVES, joined)
    pairing = _pairing(body, body, (pose, pose))._replace(is_self=True)
    return _found(side, side, pairing, any_will_do)


def _found(a: Placed, b: Placed, pairing: OrientedPairing, any_will_do: bool) -> Crossings:
    room = oriented_stack_size(pairing.a, pairing.b)
    # The pair of roots.
    work = Shares(np.zeros((1, room, 2), np.int32), np.ones(1, np.int64), np.zeros((1, N_COUNTS), np.int64))

    def run(work: Shares, team: Team, loads: int, thread: int) -> None:
        _list_oriented(a, b, pairing, work, team, loads, thread)

    rows, (_, n_tested), counts = gathered(a, b, work, run, any_will_do)
    return Crossings(ordered(rows), int(counts[BOX_TESTS]), n_tested, int(counts[BOX_UPDATES]))


def _pairing(a: OrientedBody, b: OrientedBody, poses: tuple[Array, Array]) -> OrientedPairing:
    """Two bodies in their poses, with a margin for all that rounding may do to boxes and vertices."""
    turn_a, turn_b = poses[0][:3, :3], poses[1][:3, :3]
    way = turn_a @ np.array(a.origin) + (poses[0][:3, 3] - poses[1][:3, 3])
    offset = turn_b.T @ way - np.array(b.origin)
    near = float(np.linalg.norm(offset)) + a.reach + b.reach
    far = sum(float(np.abs(pose[:3, 3]).sum()) for pose in poses)
    far += sum(float(np.abs(body.origin).sum()) for body in (a, b))
    margin = FIFTEEN_AXES * near + ROUNDING * (near + far) + SHORTEST
    rotation, (x, y, z) = tuple((turn_b.T @ turn_a).ravel().tolist()), offset.tolist()
    return OrientedPairing(a.tree, b.tree, cast("Mat3", rotation), (x, y, z), margin, False)


@driver
def _list_oriented(
    a: Placed, b: Placed, pairing: OrientedPairing, work: Shares, team: Team, loads: int, thread: int
) -> None:
    """Do a part of a thread's share of the pairs of two meshes, or of one."""
    found = team.found[thread]
    stack, top, counts = work.stacks[thread], work.tops[thread], work.counts[thread]
    pairs, room, points = np.empty((PAIRS, 2), np.int32), np.empty(ROOM_SIZE), np.empty(MOST_POINTS, np.int32)
    gaps, items, n = np.empty(WIDTH), int(np.int64(ITEMS)), 0
    while loads > 0 and top > 0 and n + PAIRS <= len(found):
        loads -= 1
        n_pairs, top = next_oriented_pairs(pairing, stack, top, items, pairs, counts, gaps)
        if pairing.is_self:
            n = list_own_crossings(a, pairs[:n_pairs], found, n, room, points)
        else:
            n = list_crossings(a, b, pairs[:n_pairs], found, n, room, points)
        team.n_tested[thread] += n_pairs
    work.tops[thread], team.n_found[thread] = top, n
