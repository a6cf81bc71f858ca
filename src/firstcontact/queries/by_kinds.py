"""Who answers about two things, by their kinds. Deforming meshes, with a mesh, are another matter."""

from firstcontact.queries.convex import convex_first, convex_firsts, convex_time
from firstcontact.queries.convex_deforming import deforming_first, deforming_time
from firstcontact.queries.convex_mesh import convex_mesh_first, convex_mesh_firsts, convex_mesh_time
from firstcontact.queries.kinds import Kind
from firstcontact.queries.rigid import rigid_first, rigid_firsts, rigid_time

CONVEX, MESH = frozenset({Kind.CONVEX}), frozenset({Kind.MESH})
CONVEX_MESH, CONVEX_DEFORMING = CONVEX | MESH, frozenset({Kind.CONVEX, Kind.DEFORMING})
FIRST = {
    CONVEX: convex_first,
    MESH: rigid_first,
    CONVEX_MESH: convex_mesh_first,
    CONVEX_DEFORMING: deforming_first,
}
FIRSTS = {CONVEX: convex_firsts, MESH: rigid_firsts, CONVEX_MESH: convex_mesh_firsts}
TIME = {
    CONVEX: convex_time,
    MESH: rigid_time,
    CONVEX_MESH: convex_mesh_time,
    CONVEX_DEFORMING: deforming_time,
}
