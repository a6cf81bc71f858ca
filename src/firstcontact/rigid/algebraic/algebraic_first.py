"""First contacts of two rigid meshes whose motions are rational, by algebra below culling.

Time is cut into stretches, the earliest first, as fine as it takes to have few pairs of triangles whose boxes
overlap. Of these, every vertex is tried with the face, and every edge with every edge, each once in a search:
its first time of contact, over all of [0, 1], is the truth. Two surfaces that do not meet at the start meet
first where two such features do; those are among the pairs of the stretch in which that is. So the search is
done where the earliest contact that is known lies in what has been looked at.
"""

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

import numpy as np

from firstcontact.advancement.arrival import (
    CONTACT,
    CONTACT_AT_START,
    ITERATIONS,
    N_COUNTS,
    TRIANGLE_TESTS,
    VOLUME_TESTS,
    Found,
    nothing_found,
)
from firstcontact.arrays import INFINITY
from firstcontact.bodies.mesh_body import body_of
from firstcontact.motions.rigid_motion import RigidMotion
from firstcontact.rigid.algebraic.exact_motion import exact_bodies, numbers_of
from firstcontact.rigid.algebraic.feature_touch import Bracket, Corners, FeatureTouch, passes_through_at_start
from firstcontact.rigid.algebraic.time_bounds import (
    Pairs,
    children_of,
    face_boxes,
    level_boxes,
    moving_faces,
    overlapping,
)
from firstcontact.shapes.mesh import Mesh

# Pairs of triangles that are tried at once, without a look at shorter stretches: to try one takes as long as
# ten of these; pairs of groups at a time; and the shortest stretch.
FEW, MANY = 3, 4_096
SHORTEST_STRETCH = 2.0**-10

# A vertex of a and a face of b, the other way round, or an edge of each; and their numbers.
FeatureKey = tuple[int, int, int]
VERTEX_FACE, FACE_VERTEX, EDGE_EDGE = range(3)


class Earliest(NamedTuple):
    """The earliest contact known: between which doubles, and of which faces."""

    bracket: Bracket
    faces: tuple[int, int]


NEVER = Earliest((INFINITY, INFINITY), (-1, -1))


def algebraic_first_times(meshes: tuple[Mesh, Mesh], motions: Sequence[RigidMotion]) -> Found:
    """Find the first contact for each motion, or each pair: at its time, or before the next double."""
    n = max(map(len, motions)) if min(map(len, motions)) > 0 else 0
    found, orders = nothing_found(n), [np.argsort(body_of(mesh).order) for mesh in meshes]
    has_faces = all(len(mesh.faces) for mesh in meshes)
    for k in range(n if has_faces else 0):
        search = Search(meshes, motions, k)
        earliest = search.earliest()
        found.counts[k] = search.counts
        if earliest.bracket[0] < INFINITY:
            found.time[k] = earliest.bracket[0]
            found.status[k] = CONTACT if earliest.bracket[1] > 0.0 else CONTACT_AT_START
            found.triangles[k] = [order[face] for order, face in zip(orders, earliest.faces, strict=True)]
    return found


def check_rational(name: str, mesh: Mesh, motion: RigidMotion) -> None:
    """See that a body and all its motions are such that algebra can tell."""
    if mesh.thickness > 0.0:
        raise ValueError(f'{name} must have no radius for method="algebraic"')
    if any(numbers_of(motion, k) is None for k in range(len(motion))):
        rule = 'must stand still, go straight without a turn, or move by path="quaternion"'
        raise ValueError(f'{name} {rule} for method="algebraic"')


class Search:
    """The search for the first contact of two meshes on motion k of each, or the only one."""

    def __init__(self, meshes: tuple[Mesh, Mesh], motions: Sequence[RigidMotion], k: int) -> None:
        one, other = (numbers_of(motion, min(k, len(motion) - 1)) for motion in motions)
        if one is None or other is None:
            raise ValueError("motions must be rational")
        self._meshes = meshes
        self._faces = tuple(
            moving_faces(mesh.vertices, mesh.faces, numbers)
            for mesh, numbers in zip(meshes, (one, other), strict=True)
        )
        self.bodies = exact_bodies(one, other, *(mesh.vertices for mesh in meshes))
        self._tried: set[tuple[int, int]] = set()
        self._tried_features: set[FeatureKey] = set()
        self._earliest = NEVER
        self.counts = np.zeros(N_COUNTS, np.int64)

    @property
    def whole(self) -> Pairs:
        """The pair of all faces of both."""
        return np.array([[faces.n_levels - 1 for faces in self._faces] + [0, 0]], np.int64)

    def earliest(self) -> Earliest:
        """Search from the start on."""
        top = self.whole
        for a, b in self.numbers(self.front(top, 0.0, 0.0)[0]):
            if self._meets_at_start(a, b):
                return Earliest((0.0, 0.0), (a, b))
        stretches = [(0.0, 1.0, top)]
        while stretches and self._earliest.bracket[1] > stretches[-1][0]:
            start, end, pairs = stretches.pop()
            self.counts[ITERATIONS] += 1
            pairs, is_at_faces = self.front(pairs, start, end)
            untried = [pair for pair in self.numbers(pairs) if pair not in self._tried] if is_at_faces else []
            if end - start > SHORTEST_STRETCH and (not is_at_faces or len(untried) > FEW):
                middle = 0.5 * (start + end)
                stretches += [(middle, end, pairs), (start, middle, pairs)]
                continue
            for a, b in sorted(untried):
                self._try_faces(a, b)
        return self._earliest

    def front(self, pairs: Pairs, start: float, end: float) -> tuple[Pairs, bool]:
        """Go down from pairs whose boxes overlap to such pairs of faces; False where they are too many."""
        levels = [level_boxes(face_boxes(faces, start, end), faces.n_levels) for faces in self._faces]
        sizes = [len(faces.order) for faces in self._faces]
        is_short = end - start <= SHORTEST_STRETCH
        while True:
            self.counts[VOLUME_TESTS] += len(pairs)
            pairs = overlapping(levels[0], levels[1], pairs)
            if not pairs[:, :2].any():
                return pairs, True
            if len(pairs) > MANY and not is_short:
                return pairs, False
            pairs = children_of(pairs, sizes[0], sizes[1])

    def numbers(self, pairs: Pairs) -> list[tuple[int, int]]:
        """Pairs of faces by their numbers in the meshes."""
        a, b = (faces.order[pairs[:, 2 + side]] for side, faces in enumerate(self._faces))
        return list(zip(a.tolist(), b.tolist(), strict=True))

    def _meets_at_start(self, a: int, b: int) -> bool:
        """Do two faces meet at t = 0: does an edge pass through the other, or do two features touch?"""
        one, other = self.bodies
        face_a, face_b = self.corners(a, b)
        for k in range(3):
            edge_a, edge_b = (face_a[k], face_a[k - 2]), (face_b[k], face_b[k - 2])
            if passes_through_at_start(one, other, edge_a, face_b):
                return True
            if passes_through_at_start(other, one, edge_b, face_a):
                return True
        return any(self.touch(key).is_at_start() for key in self.features(a, b))

    def _try_faces(self, a: int, b: int) -> None:
        """Try all features of two faces that have not been tried."""
        self._tried.add((a, b))
        for key in self.features(a, b):
            if key in self._tried_features:
                continue
            self._tried_features.add(key)
            self.counts[TRIANGLE_TESTS] += 1
            first, (lower, upper) = self.touch(key).first_time(), self._earliest.bracket
            if first is not None and first < (lower, upper):
                self._earliest = Earliest((min(lower, first[0]), min(upper, first[1])), (a, b))

    def features(self, a: int, b: int) -> list[FeatureKey]:
        """Vertices of each face with the other face, and edges with edges."""
        (face_a, face_b), (mesh_a, mesh_b) = self.corners(a, b), self._meshes
        keys = [(VERTEX_FACE, vertex, b) for vertex in face_a]
        keys += [(FACE_VERTEX, a, vertex) for vertex in face_b]
        edges = product(mesh_a.face_edges[a].tolist(), mesh_b.face_edges[b].tolist())
        return keys + [(EDGE_EDGE, *pair) for pair in edges]

    def touch(self, key: FeatureKey) -> FeatureTouch:
        """Put up the polynomials of two features."""
        (kind, i, j), (a, b), (mesh_a, mesh_b) = key, self.bodies, self._meshes
        if kind == VERTEX_FACE:
            return FeatureTouch(a, b, (i,), tuple(mesh_b.faces[j].tolist()))
        if kind == FACE_VERTEX:
            return FeatureTouch(b, a, (j,), tuple(mesh_a.faces[i].tolist()))
        return FeatureTouch(a, b, tuple(mesh_a.edges[i].tolist()), tuple(mesh_b.edges[j].tolist()))

    def corners(self, a: int, b: int) -> tuple[Corners, Corners]:
        """Vertices of a face of each body."""
        return tuple(self._meshes[0].faces[a].tolist()), tuple(self._meshes[1].faces[b].tolist())
