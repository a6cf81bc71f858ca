"""Edges that pass through faces at the start, a list of candidates at a time."""

from firstcontact._jit import kernel
from firstcontact.arrays import Array, Flags, Ids
from firstcontact.deformable.surface import Surface
from firstcontact.narrowphase.elementary.inclusion import INSIDE, OUTSIDE
from firstcontact.narrowphase.triangles.piercing import is_pierced
from firstcontact.scalar.vec3 import Triangle, Vec3


@kernel
def list_pierced(
    surface: Surface, edge_faces: Ids, count: int, room: Array, ids: Ids, is_sure: Flags, n: int
) -> int:
    """List those of some edges that pass through their faces; return the new number.

    Most are apart at the start: these are told before anything is handed to a function.
    """
    vertices, faces, edges = surface.vertices_t0, surface.faces, surface.edges
    for k in range(count):
        edge, other = edge_faces[k, 0], edge_faces[k, 1]
        p, q = _place(vertices, edges[edge, 0]), _place(vertices, edges[edge, 1])
        face = _triangle(vertices, faces, other)
        if _is_edge_beside(p, q, face):
            found = is_pierced(p, q, face, room)
            ids[n, 0], ids[n, 1] = edge, other
            is_sure[n] = found == INSIDE
            n += found != OUTSIDE
    return n


@kernel
def _is_edge_beside(p: Vec3, q: Vec3, face: Triangle) -> bool:
    """Do the boxes around an edge and a face overlap?"""
    is_apart = False
    for k in range(3):
        low, high = min(p[k], q[k]), max(p[k], q[k])
        is_apart |= min(min(face[0][k], face[1][k]), face[2][k]) > high
        is_apart |= max(max(face[0][k], face[1][k]), face[2][k]) < low
    return not is_apart


@kernel
def _triangle(vertices: Array, faces: Ids, f: int) -> Triangle:
    return _place(vertices, faces[f, 0]), _place(vertices, faces[f, 1]), _place(vertices, faces[f, 2])


@kernel
def _place(vertices: Array, i: int) -> Vec3:
    return vertices[i, 0], vertices[i, 1], vertices[i, 2]
