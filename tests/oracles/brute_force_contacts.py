"""Every contact of moving meshes by brute force: all pairs of features, each decided exactly.

Edges that pass through faces at the start are contacts, too. Features are the vertices that faces use, the
edges of faces (a face that names a vertex twice has a point for an edge) and the faces. A pair that shares a
vertex is none. Pairs whose boxes, around the positions at both ends, are apart along an axis cannot touch:
each vertex moves on a straight line, so nothing leaves its box.
"""

from typing import NamedTuple

import numpy as np

from firstcontact import ContactKind
from oracles.exact_ccd import FirstTime, first_time
from oracles.triangle_overlap import passes_through


class Body(NamedTuple):
    """A mesh whose vertices move linearly: positions at both ends of the step, and faces."""

    start: np.ndarray
    end: np.ndarray
    faces: np.ndarray


class Features(NamedTuple):
    """Vertices, edges or faces of a body: numbers (n,), and the vertices of each (n, k)."""

    ids: list
    corners: list


def brute_force_contacts(a, b=None, min_separation=0.0):
    """Map (kind, id on a, id on b) to the `FirstTime` of each pair that touches; with `a` alone, itself."""
    is_self, b = b is None, a if b is None else b
    found = {}
    for kind, first, second in _pairings(a.faces, b.faces, is_self):
        for i, j in np.argwhere(_boxes_meet(boxes(a, first), boxes(b, second), min_separation)).tolist():
            f, g = first.corners[i], second.corners[j]
            # Two edges of one mesh are one pair, whichever comes first.
            if is_self and (set(f) & set(g) or (kind == ContactKind.EDGE_EDGE and i > j)):
                continue
            start, end = [*a.start[f], *b.start[g]], [*a.end[f], *b.end[g]]
            if kind in (ContactKind.EDGE_FACE, ContactKind.FACE_EDGE):
                ends, face = (f, g) if kind == ContactKind.EDGE_FACE else (g, f)
                places = (a.start, b.start) if kind == ContactKind.EDGE_FACE else (b.start, a.start)
                if passes_through(*places[0][ends], places[1][face]):
                    found[int(kind), first.ids[i], second.ids[j]] = FirstTime(True, 0.0, 0.0)
                continue
            if kind == ContactKind.FACE_VERTEX:
                start, end = [start[-1], *start[:-1]], [end[-1], *end[:-1]]
            answer = first_time("ee" if kind == ContactKind.EDGE_EDGE else "vf", start, end, min_separation)
            if answer.hit:
                found[int(kind), first.ids[i], second.ids[j]] = answer
    return found


def vertices_of(faces):
    """The vertices that faces use."""
    ids = sorted({v for face in faces.tolist() for v in face})
    return Features(ids, [[v] for v in ids])


def edges_of(faces):
    """Each edge of the faces once, in the order of its vertices, the smaller one first."""
    pairs = {tuple(sorted((face[i], face[i - 1]))) for face in faces.tolist() for i in range(3)}
    return Features(list(range(len(pairs))), [list(pair) for pair in sorted(pairs)])


def faces_of(faces):
    return Features(list(range(len(faces))), faces.tolist())


def boxes(body, features):
    """Lower and upper corners, (n, 3) each, of the boxes around the features at both ends of the motion."""
    positions = np.array([[*body.start[c], *body.end[c]] for c in features.corners]).reshape(
        len(features.ids), -1 if features.ids else 0, 3
    )
    return positions.min(axis=1, initial=np.inf), positions.max(axis=1, initial=-np.inf)


def _boxes_meet(first, second, min_separation):
    """Which pairs of boxes are at most this apart along every axis?

    A difference that exceeds the separation after rounding exceeds it: rounding keeps the order.
    """
    (low_a, high_a), (low_b, high_b) = first, second
    is_beyond = (low_b[None] - high_a[:, None] > min_separation) | (
        low_a[:, None] - high_b[None] > min_separation
    )
    return ~is_beyond.any(axis=2)


def _pairings(faces_a, faces_b, is_self):
    """What is compared with what: the kind, features of a, features of b."""
    yield ContactKind.VERTEX_FACE, vertices_of(faces_a), faces_of(faces_b)
    yield ContactKind.EDGE_EDGE, edges_of(faces_a), edges_of(faces_b)
    if not is_self:
        yield ContactKind.FACE_VERTEX, faces_of(faces_a), vertices_of(faces_b)
    yield ContactKind.EDGE_FACE, edges_of(faces_a), faces_of(faces_b)
    if not is_self:
        yield ContactKind.FACE_EDGE, faces_of(faces_a), edges_of(faces_b)
