"""What is inside a closed mesh at the start, and touches it nowhere.

Closed meshes are solid: what begins apart from one has to come through its surface, and is found there.
"""

import numpy as np

from firstcontact._jit import driver, kernel
from firstcontact.advancement.goal import Options
from firstcontact.arrays import Ids
from firstcontact.articulated.model.world_shapes import Geometries
from firstcontact.articulated.paths.frames import do_rest, place_frames
from firstcontact.articulated.paths.pair_gap import convex_gap, seen_from_mesh
from firstcontact.articulated.paths.path_types import PathsFound, Work, WorldRows
from firstcontact.articulated.paths.shape_states import ball_gap, place_still
from firstcontact.bodies.mesh_table import IS_CLOSED, PARTS, WITNESSES, MeshTable, mesh_at
from firstcontact.narrowphase.convex.gjk import Precision
from firstcontact.proximity.touching.inside import holds_any
from firstcontact.proximity.touching.surrounds import surrounds
from firstcontact.scalar.mat3 import mat_vec
from firstcontact.scalar.vec3 import add, sub
from firstcontact.shapes.convex import convex_at, origin_at
from firstcontact.shapes.cores import support

# Whether there is a gap is all that matters.
ROUGH = Precision(1.0, 0.0, 0.0)


@driver
def find_inside(
    meshes: MeshTable,
    motion: WorldRows,
    options: Options,
    work: Work,
    found: PathsFound,
    span: tuple[int, int],
    is_searched: bool,
) -> None:
    """Note pairs one of which is inside the other when a path starts, unless it has a contact then.

    is_searched : whether paths at rest were searched, and so for this, too
    """
    rows, times = motion[3], motion[4]
    for i in range(span[0], span[1]):
        is_known = found.pairs[i] >= 0 and not options.is_first
        if is_known or found.times[i] <= times[0] or (is_searched and do_rest(rows[i, 0])):
            continue
        p = pair_inside(meshes, motion, work, i)
        if p >= 0:
            found.pairs[i], found.times[i] = p, times[0]


@kernel
def pair_inside(meshes: MeshTable, motion: WorldRows, work: Work, i: int) -> int:
    """Find a pair one of which is inside the other when a path starts; -1 for none."""
    shapes, parents, pairs, rows, times, _ = motion
    attachments, shape_states = shapes.attachments, work.shape_states
    place_frames(rows[i, 0], parents, times[0], work.states)
    for k in range(len(attachments)):
        place_still(work.states, attachments, k, shape_states)
    # Asked pair by pair, it would take ten times as long to hand all arrays to who answers.
    is_closed = np.empty(len(shapes.meshes), np.bool_)
    for k in range(len(is_closed)):
        is_closed[k] = shapes.meshes[k] >= 0 and meshes.extents[shapes.meshes[k], IS_CLOSED] > 0
    for p in range(len(pairs)):
        a, b = int(np.int64(pairs[p, 0])), int(np.int64(pairs[p, 1]))
        if not (is_closed[a] or is_closed[b]) or ball_gap(shape_states, attachments, a, b) > 0.0:
            continue
        if is_enclosed(shapes, meshes, work, pairs[p], (is_closed[a], is_closed[b])):
            return p
    return -1


@kernel
def is_enclosed(
    shapes: Geometries, meshes: MeshTable, work: Work, pair: Ids, are_closed: tuple[bool, bool]
) -> bool:
    """Is one of a pair inside the other, which is a closed mesh?"""
    a, b = int(np.int64(pair[0])), int(np.int64(pair[1]))
    work.guides[0] = 0.0
    if convex_gap(shapes.records, shapes.pool, work.shape_states, pair, work.guides[0], ROUGH).least > 0.0:
        return False
    is_b_in_a = are_closed[0] and _holds(shapes, meshes, work, a, b)
    return is_b_in_a or (are_closed[1] and _holds(shapes, meshes, work, b, a))


@kernel
def _holds(shapes: Geometries, meshes: MeshTable, work: Work, a: int, b: int) -> bool:
    """Is a part of b, or all of it, inside the closed mesh a, given that they do not touch?"""
    shape_states, mesh = work.shape_states, mesh_at(meshes, int(np.int64(shapes.meshes[a])))
    rotation, offset = seen_from_mesh(shapes.records, mesh.origin, shape_states, b, a)
    if shapes.meshes[b] < 0:
        shape, x = convex_at(shapes.records, b), (1.0, 0.0, 0.0)
        p = add(support(shape, shapes.pool, x), (shape.radius, 0.0, 0.0))
        return surrounds(mesh, add(offset, mat_vec(rotation, p)), work.stack)
    m = shapes.meshes[b]
    extents, place = meshes.extents[m], meshes.places[m]
    if extents[PARTS] >= 0:
        many = mesh_at(meshes, extents[PARTS])
        rotation, offset = seen_from_mesh(shapes.records, many.origin, shape_states, a, b)
        offset = add(offset, mat_vec(rotation, sub(mesh.origin, origin_at(shapes.records, a))))
        return holds_any(mesh, many, rotation, offset, work.stack)
    lever = sub((place[0], place[1], place[2]), origin_at(shapes.records, b))
    for k in range(extents[WITNESSES], extents[WITNESSES + 1]):
        w = meshes.witnesses[k]
        p = add(lever, (w[0], w[1], w[2]))
        if surrounds(mesh, add(offset, mat_vec(rotation, p)), work.stack):
            return True
    return False
