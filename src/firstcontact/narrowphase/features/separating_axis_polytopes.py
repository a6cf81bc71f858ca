"""Two polytopes along all axes that can part them: normals of faces, and of pairs of edges.

The differences of their points are a polytope, too, whose faces are those of a, those of b, and
parallelograms of an edge of each. Only edges whose arcs cross on the sphere of normals make one (Gottschalk,
Lin, Manocha, 1996, for all pairs; Gregorius, 2013, for the arcs): few of all pairs need to be measured.
"""

from firstcontact._jit import kernel
from firstcontact.arrays import INFINITY, Array
from firstcontact.narrowphase.features.polytope_faces import END, NORMALS, REACHES
from firstcontact.narrowphase.features.verdict import APART, OPEN, OVERLAPPING, FacePair, Verdict
from firstcontact.scalar.mat3 import mat_vec, transposed
from firstcontact.scalar.vec3 import Vec3, add, cross, dot, norm, scale, sub
from firstcontact.shapes.convex import Convex
from firstcontact.shapes.cores import support

# Products of unit vectors below this have no sign that can be trusted; arcs that meet so count as crossing.
NO_SIGN = 1e-12


@kernel
def axes_of_faces(
    a: Convex, b: Convex, pool_a: Array, pool_b: Array, pair: FacePair, margin: float
) -> Verdict:
    """Measure along the normals of all faces: the widest gap, or the least overlap, decides."""
    frame, widest, best = pair.frame, -INFINITY, (1.0, 0.0, 0.0)
    back = transposed(frame.rotation)
    for i in range(len(pair.planes_a)):
        own = pair.planes_a[i, 0], pair.planes_a[i, 1], pair.planes_a[i, 2]
        n = mat_vec(frame.rotation, own)
        nearest = support(b, pool_b, (-n[0], -n[1], -n[2]))
        gap = dot(n, sub(nearest, frame.offset)) - pair.planes_a[i, REACHES]
        if gap > widest:
            widest, best = gap, n
            if gap > margin:
                return Verdict(APART, best)
    for i in range(len(pair.planes_b)):
        n = -pair.planes_b[i, 0], -pair.planes_b[i, 1], -pair.planes_b[i, 2]
        nearest = add(frame.offset, mat_vec(frame.rotation, support(a, pool_a, mat_vec(back, n))))
        gap = -dot(n, nearest) - pair.planes_b[i, REACHES]
        if gap > widest:
            widest, best = gap, n
            if gap > margin:
                return Verdict(APART, best)
    return Verdict(OVERLAPPING if widest < -pair.doubt else OPEN, best)


@kernel
def axes_of_edges(pair: FacePair, margin: float) -> Verdict:
    """Measure along what is normal to an edge of each, where their arcs cross."""
    edges_a, edges_b, m = pair.edges_a, pair.edges_b, pair.frame.rotation
    widest, best = -INFINITY, (1.0, 0.0, 0.0)
    for i in range(len(edges_a)):
        e, p = (
            mat_vec(m, _vector(edges_a, i, 0)),
            add(pair.frame.offset, mat_vec(m, _vector(edges_a, i, END))),
        )
        first, second = mat_vec(m, _vector(edges_a, i, NORMALS)), mat_vec(m, _vector(edges_a, i, NORMALS + 3))
        across = cross(second, first)
        for j in range(len(edges_b)):
            third, fourth = _vector(edges_b, j, NORMALS), _vector(edges_b, j, NORMALS + 3)
            # Of b all normals count the other way.
            one, other = -dot(third, across), -dot(fourth, across)
            if one * other > NO_SIGN:
                continue
            over = cross(fourth, third)
            before, after = dot(first, over), dot(second, over)
            if before * after > NO_SIGN or one * after < -NO_SIGN:
                continue
            n = cross(e, _vector(edges_b, j, 0))
            size = norm(n)
            if not size > 0.0:
                continue
            n = scale(1.0 / size if dot(n, add(first, second)) > 0.0 else -1.0 / size, n)
            gap = dot(n, sub(_vector(edges_b, j, END), p))
            if gap > widest:
                widest, best = gap, n
                if gap > margin:
                    return Verdict(APART, best)
    return Verdict(OVERLAPPING if widest < -pair.doubt else OPEN, best)


@kernel
def _vector(rows: Array, i: int, first: int) -> Vec3:
    return rows[i, first], rows[i, first + 1], rows[i, first + 2]
