"""From pairs of triangles to edges that pass through faces at the start, a load of pairs at a time."""

from firstcontact._jit import kernel
from firstcontact.arrays import Array, Flags, Ids
from firstcontact.deformable.surface import Surface
from firstcontact.narrowphase.elementary.inclusion import INSIDE, OUTSIDE
from firstcontact.narrowphase.triangles.piercing import is_pierced
from firstcontact.scalar.vec3 import Triangle, Vec3

# Edges at most of a pair of triangles that can pass through the other.
MOST_PIERCED = 6


@kernel
def list_pierced(
    surface: Surface, pairs: Ids, n_pairs: int, room: Array, ids: Ids, is_sure: Flags, n: int
) -> int:
    """List edges that faces stand for and that pass through the other face of a pair; return the new number.

    Most pairs are neighbours in a mesh, whose edges share vertices, or are apart at the start: these are told
    before anything is handed to a function.
    """
    vertices, faces, owned = surface.vertices_t0, surface.faces, surface.owned
    for k in range(n_pairs):
        f, g = pairs[k, 0], pairs[k, 1]
        apart_f = apart_g = 7  # a bit for each corner that the other face has not
        for i in range(3):
            for j in range(3):
                if faces[f, i] == faces[g, j]:
                    apart_f &= ~(1 << i)
                    apart_g &= ~(1 << j)
        # An edge begins at its corner and ends at the next one.
        edges_f = apart_f & (apart_f >> 1 | apart_f << 2) & owned[f] >> 3
        edges_g = apart_g & (apart_g >> 1 | apart_g << 2) & owned[g] >> 3
        if (edges_f | edges_g) == 0 or not _is_beside(vertices, faces, f, g):
            continue
        for side in range(2):
            mine, other = pairs[k, side], pairs[k, 1 - side]
            own = edges_f if side == 0 else edges_g
            face = _triangle(vertices, faces, other)
            for i in range(3):
                if not own >> i & 1:
                    continue
                p, q = _place(vertices, faces[mine, i]), _place(vertices, faces[mine, (i + 1) % 3])
                if _is_edge_beside(p, q, face):
                    found = is_pierced(p, q, face, room)
                    ids[n, 0], ids[n, 1] = surface.face_edges[mine, i], other
                    is_sure[n] = found == INSIDE
                    n += found != OUTSIDE
    return n


@kernel
def _is_beside(vertices: Array, faces: Ids, f: int, g: int) -> bool:
    """Do the boxes around two faces overlap at the start?"""
    is_apart = False
    for k in range(3):
        a, b, c = vertices[faces[f, 0], k], vertices[faces[f, 1], k], vertices[faces[f, 2], k]
        p, q, r = vertices[faces[g, 0], k], vertices[faces[g, 1], k], vertices[faces[g, 2], k]
        is_apart |= min(min(a, b), c) > max(max(p, q), r)
        is_apart |= min(min(p, q), r) > max(max(a, b), c)
    return not is_apart


@kernel
def _is_edge_beside(p: Vec3, q: Vec3, face: Triangle) -> bool:
    """Do the boxes around an edge and a face overlap? Most neighbours in a mesh differ by that already."""
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
