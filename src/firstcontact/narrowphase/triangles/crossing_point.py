"""Where a common point of two triangles is, by the features that name it.

A point is worked out in one order, whoever asks: edges begin with the lesser end, and of two edges the lesser
comes first. So all pairs of faces that share a point have it with the same bits, and the ends of what two
neighbours share with a face join exactly.
"""

from firstcontact._jit import kernel
from firstcontact.narrowphase.triangles.crossing import EDGE, FACE, N_FEATURES
from firstcontact.scalar.vec3 import Triangle, Vec3, cross, dot, largest_component, scale, sub

Edge = tuple[Vec3, Vec3]


@kernel
def crossing_point(a: Triangle, b: Triangle, point: int) -> Vec3:
    """Where a point is that `common_points` names.

    On the edge that passes through a face, off along it at most by rounding over the sine of the angle.
    """
    on_a, on_b = point // N_FEATURES, point % N_FEATURES
    if on_a < EDGE:
        return a[on_a]
    if on_b < EDGE:
        return b[on_b]
    if on_b == FACE:
        return _through(_edge(a, on_a - EDGE), b)
    if on_a == FACE:
        return _through(_edge(b, on_b - EDGE), a)
    x, y = _edge(a, on_a - EDGE), _edge(b, on_b - EDGE)
    return _where_edges_cross(x, y) if _is_less(x[0], y[0]) else _where_edges_cross(y, x)


@kernel
def _edge(t: Triangle, i: int) -> Edge:
    p, q = t[i], t[(i + 1) % 3]
    return (p, q) if _is_less(p, q) else (q, p)


@kernel
def _is_less(p: Vec3, q: Vec3) -> bool:
    if p[0] != q[0]:
        return p[0] < q[0]
    return p[1] < q[1] if p[1] != q[1] else p[2] < q[2]


@kernel
def _through(edge: Edge, t: Triangle) -> Vec3:
    """Where an edge passes through a triangle: its ends are known to be on both sides."""
    side, other = sub(t[1], t[0]), sub(t[2], t[0])
    p, q = sub(edge[0], t[0]), sub(edge[1], t[0])
    # In units of the largest difference, so that no product underflows.
    unit = 1.0 / max(largest_component(side, other, p), largest_component(q, q, q))
    normal = cross(scale(unit, side), scale(unit, other))
    x, y = abs(dot(normal, scale(unit, p))), abs(dot(normal, scale(unit, q)))
    return _between(edge, x, x + y)


@kernel
def _where_edges_cross(a: Edge, b: Edge) -> Vec3:
    """Where two edges in one plane cross."""
    along, other, there = sub(a[1], a[0]), sub(b[1], b[0]), sub(b[0], a[0])
    unit = 1.0 / largest_component(along, other, there)
    along, other, there = scale(unit, along), scale(unit, other), scale(unit, there)
    normal = cross(along, other)
    return _between(a, dot(cross(there, other), normal), dot(normal, normal))


@kernel
def _between(edge: Edge, part: float, whole: float) -> Vec3:
    """A point of an edge at a part of the way; in its middle where rounding leaves nothing of that."""
    s = min(max(part / whole, 0.0), 1.0) if whole > 0.0 else 0.5
    (px, py, pz), (qx, qy, qz) = edge
    return (1.0 - s) * px + s * qx, (1.0 - s) * py + s * qy, (1.0 - s) * pz + s * qz
