"""From feature to feature to the closest ones of two polytopes (Lin, Canny, 1991).

The closest points of two features are those of the polytopes, where each lies in the region of space that is
nearer to the other's feature than to any other: its Voronoi region. Else it is beyond one of the planes that
bound the region, and the feature behind the plane that it is farthest beyond is nearer: one walks there, as
SWIFT does, and the distance is less than before. So no pair comes twice, but for rounding: where the distance
does not shrink, or a point is behind the faces, the walk is over, and who asked has to look if it is right.
"""

from typing import NamedTuple

from firstcontact._jit import kernel
from firstcontact.arrays import INFINITY, Array
from firstcontact.narrowphase.convex.gjk import RelativePose
from firstcontact.narrowphase.features.closest_in_features import Corners, nearest_in_features, weighted
from firstcontact.narrowphase.features.feature_graph import (
    EDGES,
    FACE,
    FAN,
    FIRST_EDGE,
    FIRST_FACE,
    INTO,
    N_EDGE,
    N_FACE,
    N_HEAD,
    N_SPOKE,
    N_VERTEX,
    NORMAL,
    OUTWARDS,
    vector_at,
)
from firstcontact.scalar.mat3 import mat_vec, transposed
from firstcontact.scalar.vec3 import Vec3, add, cross, dot, norm, scale, sub

ON_VERTEX, ON_EDGE, ON_FACE = range(3)

# How far a point is beyond a plane that is behind all faces of its feature: in the body, or beyond all of it.
INSIDE = -1.0

# Steps before giving up: a walk half around a hull of 10,000 vertices takes a hundred.
MOST_STEPS = 512


class Feature(NamedTuple):
    """A vertex, an edge or a face of a graph that begins somewhere in an array, by its number."""

    kind: int
    number: int


class Walked(NamedTuple):
    """Where a walk ended, in the frame of b.

    on_a, on_b : the features; each is the smallest that has its point
    point_a, point_b : their closest points
    length : their distance
    steps : pairs of features that were looked at
    """

    on_a: Feature
    on_b: Feature
    point_a: Vec3
    point_b: Vec3
    length: float
    steps: int


@kernel
def walk(
    numbers: Array,
    at_a: int,
    at_b: int,
    frame: RelativePose,
    start_a: Feature,
    start_b: Feature,
    enough: float,
) -> Walked:
    """Walk to the closest features of two graphs, until no plane is farther behind than enough."""
    back = transposed(frame.rotation)
    on_a, on_b, zero = start_a, start_b, (0.0, 0.0, 0.0)
    best = Walked(on_a, on_b, zero, zero, INFINITY, 0)
    for step in range(MOST_STEPS):
        corners_a, corners_b = _placed(_corners(numbers, at_a, on_a), frame), _corners(numbers, at_b, on_b)
        found = nearest_in_features(corners_a, corners_b)
        if not found.squared < best.length * best.length:
            break
        p, q = weighted(corners_a, found.of_a), weighted(corners_b, found.of_b)
        d = sub(q, p)
        on_a, on_b = _smaller(numbers, at_a, on_a, found.of_a), _smaller(numbers, at_b, on_b, found.of_b)
        best = Walked(on_a, on_b, p, q, norm(d), step + 1)
        next_a, beyond_a = _beyond(numbers, at_a, on_a, mat_vec(back, d))
        next_b, beyond_b = _beyond(numbers, at_b, on_b, (-d[0], -d[1], -d[2]))
        if max(beyond_a, beyond_b) <= enough or min(beyond_a, beyond_b) < 0.0:
            break
        if beyond_a > beyond_b:
            on_a = next_a
        else:
            on_b = next_b
    return best


@kernel
def direction_between(numbers: Array, at_a: int, at_b: int, frame: RelativePose, found: Walked) -> Vec3:
    """Unit vector from a to b, at right angles to both features: better than the points if these are near."""
    if found.on_a.kind == ON_FACE:
        return mat_vec(frame.rotation, _normal(numbers, at_a, found.on_a))
    if found.on_b.kind == ON_FACE:
        return scale(-1.0, _normal(numbers, at_b, found.on_b))
    d = sub(found.point_b, found.point_a)
    a, b = _corners(numbers, at_a, found.on_a), _corners(numbers, at_b, found.on_b)
    e, f = mat_vec(frame.rotation, sub(a.second, a.first)), sub(b.second, b.first)
    if found.on_a.kind == ON_EDGE and found.on_b.kind == ON_EDGE:
        n = cross(e, f)
        size = norm(n)
        # Of edges that are almost parallel the points tell more.
        if size * found.length > 0.0 and abs(dot(n, d)) > 0.5 * size * found.length:
            return scale(1.0 / size if dot(n, d) > 0.0 else -1.0 / size, n)
    if found.on_a.kind == ON_EDGE:
        d = sub(d, scale(dot(d, e) / dot(e, e), e))
    if found.on_b.kind == ON_EDGE:
        d = sub(d, scale(dot(d, f) / dot(f, f), f))
    size = norm(d)
    return scale(1.0 / size, d) if size > 0.0 else (1.0, 0.0, 0.0)


@kernel
def _corners(numbers: Array, at: int, feature: Feature) -> Corners:
    """The corners of a feature, as seen from its own origin."""
    vertices = at + N_HEAD
    if feature.kind == ON_VERTEX:
        p = vector_at(numbers, vertices + N_VERTEX * feature.number)
        return Corners(1, p, p, p)
    if feature.kind == ON_EDGE:
        row = at + int(numbers[at + FIRST_EDGE]) + N_EDGE * feature.number
        p = vector_at(numbers, vertices + N_VERTEX * int(numbers[row]))
        return Corners(2, p, vector_at(numbers, vertices + N_VERTEX * int(numbers[row + 1])), p)
    row = at + int(numbers[at + FIRST_FACE]) + N_FACE * feature.number
    p = vector_at(numbers, vertices + N_VERTEX * int(numbers[row]))
    q = vector_at(numbers, vertices + N_VERTEX * int(numbers[row + 1]))
    return Corners(3, p, q, vector_at(numbers, vertices + N_VERTEX * int(numbers[row + 2])))


@kernel
def _placed(corners: Corners, frame: RelativePose) -> Corners:
    """The corners of a feature of a, as seen from b."""
    p = add(frame.offset, mat_vec(frame.rotation, corners.first))
    if corners.n == 1:
        return Corners(1, p, p, p)
    q = add(frame.offset, mat_vec(frame.rotation, corners.second))
    if corners.n == 2:
        return Corners(2, p, q, p)
    return Corners(3, p, q, add(frame.offset, mat_vec(frame.rotation, corners.third)))


@kernel
def _smaller(numbers: Array, at: int, feature: Feature, weights: Vec3) -> Feature:
    """The smallest feature that has a point with these weights."""
    if feature.kind == ON_VERTEX:
        return feature
    if feature.kind == ON_EDGE:
        if weights[0] > 0.0 and weights[1] > 0.0:
            return feature
        row = at + int(numbers[at + FIRST_EDGE]) + N_EDGE * feature.number
        return Feature(ON_VERTEX, int(numbers[row + (1 if weights[1] > 0.0 else 0)]))
    has_first, has_second, has_third = weights[0] > 0.0, weights[1] > 0.0, weights[2] > 0.0
    row = at + int(numbers[at + FIRST_FACE]) + N_FACE * feature.number
    if has_first and has_second and has_third:
        return feature
    if has_first and has_second:
        return Feature(ON_EDGE, int(numbers[row + EDGES]))
    if has_second and has_third:
        return Feature(ON_EDGE, int(numbers[row + EDGES + 1]))
    if has_first and has_third:
        return Feature(ON_EDGE, int(numbers[row + EDGES + 2]))
    return Feature(ON_VERTEX, int(numbers[row + (0 if has_first else 1 if has_second else 2)]))


@kernel
def _beyond(numbers: Array, at: int, feature: Feature, d: Vec3) -> tuple[Feature, float]:
    """The neighbour behind the plane that d, from a point of a feature, goes beyond most, and how far."""
    best, farthest = feature.number, 0.0
    if feature.kind == ON_VERTEX:
        row = at + N_HEAD + N_VERTEX * feature.number + FAN
        for spoke in range(at + int(numbers[row]), at + int(numbers[row + N_VERTEX]), N_SPOKE):
            along = dot(d, vector_at(numbers, spoke + OUTWARDS))
            if along > farthest:
                best, farthest = int(numbers[spoke]), along
        return Feature(ON_EDGE, best), farthest
    if feature.kind == ON_EDGE:
        row, n_away = at + int(numbers[at + FIRST_EDGE]) + N_EDGE * feature.number, 0
        for k in range(2):
            along = dot(d, vector_at(numbers, row + INTO + 3 * k))
            if along > farthest:
                # A face that looks away leads nowhere but into the body; of a thin one, the other is right.
                face = Feature(ON_FACE, int(numbers[row + FACE + k]))
                if dot(d, _normal(numbers, at, face)) < 0.0:
                    n_away += 1
                else:
                    best, farthest = face.number, along
        return Feature(ON_FACE, best), INSIDE if n_away > 0 and farthest == 0.0 else farthest
    return feature, INSIDE if dot(d, _normal(numbers, at, feature)) < 0.0 else 0.0


@kernel
def _normal(numbers: Array, at: int, feature: Feature) -> Vec3:
    """The normal of a face, as seen from its own origin."""
    return vector_at(numbers, at + int(numbers[at + FIRST_FACE]) + N_FACE * feature.number + NORMAL)


@kernel
def vertex_of(numbers: Array, at: int, feature: Feature) -> int:
    """A vertex of a feature."""
    if feature.kind == ON_VERTEX:
        return feature.number
    if feature.kind == ON_EDGE:
        return int(numbers[at + int(numbers[at + FIRST_EDGE]) + N_EDGE * feature.number])
    return int(numbers[at + int(numbers[at + FIRST_FACE]) + N_FACE * feature.number])
