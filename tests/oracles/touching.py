"""What touches of two meshes at rest, by looking at every pair of features.

Each pair is judged by numbers, and so is known to be a contact, known to be none, or a close call.
"""

from itertools import product
from typing import NamedTuple

import numpy as np

from firstcontact import ContactKind

FLAT = 2.0**-20

# A barycentric weight below is none.
ON_EDGE = 1e-9

# Part of a length in which another is too close to tell which is the larger.
CLOSE_CALL = 1e-5


class Scene(NamedTuple):
    """Two meshes, their vertices' positions, and what counts.

    distance : up to which features touch
    tolerance : a length that does not matter
    near : a length that counts as none
    """

    mesh_a: object
    mesh_b: object
    points_a: np.ndarray
    points_b: np.ndarray
    distance: float
    tolerance: float
    near: float


class Pair(NamedTuple):
    """Two features: how they touch, and how much must be forgiven (at most 1 is a contact).

    ids : those that may be reported, as a set of pairs
    normal : from a to b, or None where there is no distance to tell it
    """

    kind: int
    ids: set
    point: np.ndarray
    normal: np.ndarray | None
    distance: float
    fault: float


def all_pairs(scene):
    """All pairs of features that may be contacts."""
    yield from _corners(scene)
    yield from (_swapped(pair) for pair in _corners(swapped(scene)))
    yield from _edges(scene)
    yield from _piercings(scene)
    yield from (_swapped(pair) for pair in _piercings(swapped(scene)))


def swapped(scene):
    """The scene with a and b exchanged."""
    return Scene(scene.mesh_b, scene.mesh_a, scene.points_b, scene.points_a, *scene[4:])


SWAPPED = {
    ContactKind.VERTEX_FACE: ContactKind.FACE_VERTEX,
    ContactKind.EDGE_FACE: ContactKind.FACE_EDGE,
}


def _swapped(pair):
    normal = None if pair.normal is None else -pair.normal
    return pair._replace(kind=SWAPPED[pair.kind], ids={(j, i) for i, j in pair.ids}, normal=normal)


def creases(mesh, points):
    """Edges but for those within a flat polygon, as a set of their ids."""
    found = set()
    for e, (i, j) in enumerate(mesh.edges):
        around = [face for face in mesh.faces if i in face and j in face]
        found.add(e)
        if len(around) == 2 and i != j and all(len(set(face)) == 3 for face in around):
            along = _unit(points[j] - points[i])
            sides = []
            for face in around:
                third = next(k for k in face if k not in (i, j))
                side = points[third] - points[i]
                sides.append(_unit(side - (side @ along) * along))
            if all(s.any() for s in sides) and np.linalg.norm(sides[0] + sides[1]) <= FLAT:
                found.discard(e)
    return found


def corners(mesh, points):
    """Vertices at which creases end or turn, as a set."""
    found, ids = set(), creases(mesh, points)
    for v in range(mesh.n_vertices):
        ends = [e for e in ids if v in mesh.edges[e]]
        ways = [_unit(points[_other(mesh.edges[e], v)] - points[v]) for e in ends]
        is_straight = len(ways) == 2 and all(w.any() for w in ways)
        if ends and not (is_straight and np.linalg.norm(ways[0] + ways[1]) <= FLAT):
            found.add(v)
    return found


def _other(edge, v):
    return edge[1] if edge[0] == v else edge[0]


def _corners(scene):
    """Corners of a and faces of b."""
    a, b, x, y, distance, _, near = scene
    for v, g in product(sorted(corners(a, x)), range(b.n_faces)):
        q, on = closest_on_face(x[v], y, b.faces[g])
        gap = np.linalg.norm(q - x[v])
        if gap > 1.01 * distance + near:
            continue
        fan_a = [face for face in a.faces if v in face]
        around = [k for k, face in enumerate(b.faces) if on <= set(face)]
        fan_b = [b.faces[k] for k in around]
        nearest = min(np.linalg.norm(closest_on_face(x[v], y, face)[0] - x[v]) for face in fan_b)
        fault = gap / (distance + near)
        if gap > near and gap > nearest + CLOSE_CALL * near:
            fault = max(fault, 1.0 if gap - nearest < CLOSE_CALL * gap else 2.0)
        ids = {(v, k) for k in around}
        yield _judged(scene, ContactKind.VERTEX_FACE, ids, x[v], q, (fan_a, fan_b), fault)


def _edges(scene):
    """Creases of a and of b."""
    a, b, x, y, distance, _, near = scene
    corners_a, corners_b = corners(a, x), corners(b, y)
    for e, f in product(sorted(creases(a, x)), sorted(creases(b, y))):
        (i, j), (k, m) = a.edges[e], b.edges[f]
        d, g = _unit(x[j] - x[i]), _unit(y[m] - y[k])
        sine = np.linalg.norm(np.cross(d, g))
        if sine <= 1e-9:
            continue
        s, u, p, q = closest_on_edges(x[i], x[j], y[k], y[m])
        gap = np.linalg.norm(q - p)
        fan_a = [face for face in a.faces if i in face and j in face]
        fan_b = [face for face in b.faces if k in face and m in face]
        fault = max(gap / (distance + near), 1.0 + 1e-8 - 1e9 * (sine - 1e-9))
        # An end that is a corner is one of its own.
        for parameter, ends, own in ((s, (i, j), corners_a), (u, (k, m), corners_b)):
            for end, close in zip(ends, (parameter, 1.0 - parameter), strict=True):
                if end in own:
                    fault = max(fault, 1.0 + 1e-3 - close / 1e-9 if close < 1e-9 else 0.0)
        if fault < 1.1:
            yield _judged(scene, ContactKind.EDGE_EDGE, {(e, f)}, p, q, (fan_a, fan_b), fault)


def _piercings(scene):
    """Creases of a through faces of b."""
    a, b, x, y, _, tolerance, near = scene
    for e, g in product(sorted(creases(a, x)), range(b.n_faces)):
        (i, j), t = a.edges[e], y[b.faces[g]]
        n = _unit(np.cross(t[1] - t[0], t[2] - t[0]))
        before, after = (x[i] - t[0]) @ n, (x[j] - t[0]) @ n
        if before * after >= 0.0:
            continue
        p = x[i] + before / (before - after) * (x[j] - x[i])
        off = np.linalg.norm(closest_on_face(p, y, b.faces[g])[0] - p)
        inside = min(_weights(p, t, n)) if off == 0.0 or off < near else -1.0
        fault = max(off / near, (tolerance + near) / max(abs(before), abs(after)), 1.0 - 1e9 * inside)
        if fault < 1.1:
            yield Pair(ContactKind.EDGE_FACE, {(e, g)}, p, None, 0.0, fault)


def _judged(scene, kind, ids, p, q, fans, fault):
    """A pair of features, with what speaks against it."""
    gap = np.linalg.norm(q - p)
    if gap <= 2.0 * scene.near:
        return Pair(kind, ids, 0.5 * (p + q), None, gap, fault)
    n = (q - p) / gap
    reach_a = [(scene.points_a[face] - p) @ n for face in fans[0]]
    reach_b = [(scene.points_b[face] - q) @ n for face in fans[1]]
    # Rounding turns the direction of a narrow gap, and faces along it seem to reach beyond it.
    far = max(np.abs(scene.points_a).max(), np.abs(scene.points_b).max())
    turned = np.finfo(float).eps * far**2 / gap
    there = max(np.max(reach_a), -np.min(reach_b)) - turned
    back = max(-np.min(reach_a), np.max(reach_b)) - turned
    normal = n if there <= 0.9 * scene.tolerance else -n
    if 0.9 * scene.tolerance < there < 1.1 * scene.tolerance:
        normal = None
    return Pair(kind, ids, 0.5 * (p + q), normal, gap, max(fault, min(there, back) / scene.tolerance))


def closest_on_face(p, points, face):
    """Closest point of a face, and the ids of the vertices of the feature it is on."""
    t = points[face]
    n = _unit(np.cross(t[1] - t[0], t[2] - t[0]))
    best = []
    if n.any():
        weights = _weights(p, t, n)
        if min(weights) > ON_EDGE:
            foot = p - ((p - t[0]) @ n) * n
            best.append((abs((p - t[0]) @ n), foot, set(face)))
    for i in range(3):
        u, v = t[i], t[(i + 1) % 3]
        s = np.clip((p - u) @ (v - u) / max((v - u) @ (v - u), 1e-300), 0.0, 1.0)
        foot = u + s * (v - u)
        on = {face[(i + k) % 3] for k, weight in enumerate((1.0 - s, s)) if weight > ON_EDGE}
        best.append((np.linalg.norm(foot - p), foot, on))
    _, foot, on = min(best, key=lambda item: item[0])
    return foot, on


def closest_on_edges(a0, a1, b0, b1):
    """Parameters and closest points of two segments that are not parallel."""
    d, e, w = a1 - a0, b1 - b0, b0 - a0
    dd, ee, de = d @ d, e @ e, d @ e
    options = []
    det = dd * ee - de * de
    if det > 0.0:
        s, u = (w @ d * ee - w @ e * de) / det, (w @ d * de - w @ e * dd) / det
        if 0.0 <= s <= 1.0 and 0.0 <= u <= 1.0:
            options.append((s, u))
    options += [(s, np.clip((a0 + s * d - b0) @ e / ee, 0.0, 1.0)) for s in (0.0, 1.0)]
    options += [(np.clip((b0 + u * e - a0) @ d / dd, 0.0, 1.0), u) for u in (0.0, 1.0)]
    points = [(s, u, a0 + s * d, b0 + u * e) for s, u in options]
    return min(points, key=lambda item: np.linalg.norm(item[3] - item[2]))


def _weights(p, t, n):
    """Barycentric weights of the foot of p on the plane of a triangle with unit normal n."""
    areas = [np.cross(t[(i + 2) % 3] - t[(i + 1) % 3], p - t[(i + 1) % 3]) @ n for i in range(3)]
    return np.array(areas) / (np.cross(t[1] - t[0], t[2] - t[0]) @ n)


def _unit(v):
    length = np.linalg.norm(v)
    return v / length if length > 0.0 else np.zeros(3)
