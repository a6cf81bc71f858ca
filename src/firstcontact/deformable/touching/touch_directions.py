"""The direction of contacts that rest, without a gap, told by the faces around the place where they touch.

Such a direction should part the two sides: the faces around the touching point of the first lie behind the
plane at right angles to it, those of the second before it. Of the normals of these faces, that which the
faces reach over the least is taken.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel
from firstcontact.arrays import INFINITY, Array, Ids
from firstcontact.deformable.surface import Surface
from firstcontact.narrowphase.elementary.contact_geometry import NOWHERE, SIDEWAYS, surface_normal
from firstcontact.proximity.touching.contact_direction import face_normal, unit
from firstcontact.scalar.vec3 import Vec3, add, cross, dot, norm, scale, sub

# Faces around a vertex that are looked at. A vertex with more of them shows every second, third ... of them.
MOST_FACES = 64

# Sine of an angle that does not matter.
TIE = 1e-9

# Cosine from which two normals, but for their signs, are those of one plane.
ONE_PLANE = 1.0 - 1e-15


class Around(NamedTuple):
    """Moving vertices, and which faces are around each: ``faces[ids[offsets[v]:offsets[v + 1]]]``."""

    vertices_t0: Array
    vertices_t1: Array
    faces: Ids
    offsets: NDArray[np.int64]
    ids: NDArray[np.int64]


class Touches(NamedTuple):
    """Contacts to find directions for, one a row.

    corners, weights : (n, 4), of the vertices of both features
    n_first : how many of these belong to the first side
    times, rounding : (n,) when they touch, and what gap counts as none
    directions : (n, 3), to be found
    is_sided : (n,) whether the sign of that direction means anything
    fronts : (n, 2, 3), where the front of the faces around each side is, by their winding
    """

    corners: Ids
    weights: Array
    n_first: NDArray[np.int64]
    times: Array
    rounding: Array
    directions: Array
    is_sided: NDArray[np.bool_]
    fronts: Array


class FeatureFans(NamedTuple):
    """The faces around two features, as seen from the points that touch; the first n of each array count."""

    a: Array
    n_a: int
    b: Array
    n_b: int
    near: float


def faces_around(surface: Surface, corners: Ids) -> Around:
    """Find the faces around the vertices of contacts; there are none for others."""
    is_asked = np.zeros(len(surface.vertices_t0), np.bool_)
    is_asked[corners] = True
    faces = surface.faces[is_asked[surface.faces].any(axis=1)]
    vertices = faces.reshape(-1)
    # A face that names a vertex twice is around it once.
    is_first = np.ones(faces.shape, np.bool_)
    is_first[:, 1] = faces[:, 1] != faces[:, 0]
    is_first[:, 2] = (faces[:, 2] != faces[:, 0]) & (faces[:, 2] != faces[:, 1])
    uses = np.flatnonzero(is_first)
    order = uses[np.argsort(vertices[uses], kind="stable")]
    counts = np.bincount(vertices[uses], minlength=len(is_asked))
    offsets = np.concatenate(([0], np.cumsum(counts)))
    return Around(surface.vertices_t0, surface.vertices_t1, faces, offsets, order // 3)


@driver
def direct_rows(around: Around, touches: Touches, first: int, last: int) -> None:
    """Write directions, whether they have a sign, and the fronts of both sides in rows [first, last)."""
    fan_a, fan_b = np.empty((MOST_FACES, 9)), np.empty((MOST_FACES, 9))
    for row in range(first, last):
        split, near = touches.n_first[row], touches.rounding[row]
        n_a, is_inside_a = write_fan(around, touches, row, 0, split, fan_a)
        n_b, is_inside_b = write_fan(around, touches, row, split, 4, fan_b)
        fans = FeatureFans(fan_a, n_a, fan_b, n_b, near)
        exact = NOWHERE
        if is_inside_a and is_inside_b:
            exact = surface_normal(seen_corners(around, touches, row), split == 2)
        n, is_sided = direction(fans, exact)
        touches.is_sided[row] = is_sided
        front_a, front_b = front(fan_a, n_a), front(fan_b, n_b)
        for k in range(3):
            touches.directions[row, k] = n[k]
            touches.fronts[row, 0, k], touches.fronts[row, 1, k] = front_a[k], front_b[k]


@kernel
def place_of(around: Around, vertex: int, t: float) -> Vec3:
    """Where a vertex is at a time."""
    p, q, s = around.vertices_t0[vertex], around.vertices_t1[vertex], 1.0 - t
    return s * p[0] + t * q[0], s * p[1] + t * q[1], s * p[2] + t * q[2]


@kernel
def seen_corners(around: Around, touches: Touches, row: int) -> tuple[Vec3, Vec3, Vec3]:
    """The first three corners of a contact, as seen from the fourth."""
    corners, t = touches.corners[row], touches.times[row]
    last = place_of(around, corners[3], t)
    return (
        sub(place_of(around, corners[0], t), last),
        sub(place_of(around, corners[1], t), last),
        sub(place_of(around, corners[2], t), last),
    )


@kernel
def height(around: Around, touches: Touches, row: int, first: int, last: int, k: int) -> float:
    """How high corner k of a feature is over the rest of it: an edge's length, or a height of a triangle."""
    t, n = touches.times[row], last - first
    p = place_of(around, touches.corners[row, k], t)
    q = place_of(around, touches.corners[row, first + (k - first + 1) % n], t)
    if n < 3:
        return norm(sub(q, p))
    r = place_of(around, touches.corners[row, first + (k - first + 2) % n], t)
    base = norm(sub(r, q))
    return norm(cross(sub(q, p), sub(r, p))) / base if base > 0.0 else norm(sub(q, p))


@kernel
def write_fan(
    around: Around, touches: Touches, row: int, first: int, last: int, fan: Array
) -> tuple[int, bool]:
    """Write the faces around the touching point of one side; how many, and is it inside of the feature?

    The feature that touches is that of the corners whose weights are more than rounding: a corner alone, an
    edge, or the whole face.
    """
    corners, weights, near = touches.corners[row], touches.weights[row], touches.rounding[row]
    kept, n_kept, heaviest, point = 0, 0, first, NOWHERE
    for k in range(first, last):
        point = add(point, scale(weights[k], place_of(around, corners[k], touches.times[row])))
        heaviest = k if weights[k] > weights[heaviest] else heaviest
        if last - first == 1 or weights[k] * height(around, touches, row, first, last, k) > near:
            kept, n_kept = kept | 1 << k, n_kept + 1
    kept, is_inside, pick = kept | 1 << heaviest, n_kept == last - first, heaviest
    for k in range(first, last):
        if kept >> k & 1 and n_around(around, corners[k]) < n_around(around, corners[pick]):
            pick = k
    begin, end = around.offsets[corners[pick]], around.offsets[corners[pick] + 1]
    step, n = 1 if n_kept > 1 else 1 + (end - begin - 1) // MOST_FACES, 0
    for i in range(begin, end, step):
        face = around.faces[around.ids[i]]
        if n < MOST_FACES and has_all(face, corners, kept):
            for j in range(3):
                x = sub(place_of(around, face[j], touches.times[row]), point)
                fan[n, 3 * j], fan[n, 3 * j + 1], fan[n, 3 * j + 2] = x[0], x[1], x[2]
            n += 1
    return n, is_inside


@kernel
def n_around(around: Around, vertex: int) -> int:
    """How many faces are around a vertex."""
    count: int = around.offsets[vertex + 1] - around.offsets[vertex]
    return count


@kernel
def has_all(face: Ids, corners: Ids, kept: int) -> bool:
    """Has a face all the corners whose bits are set?"""
    for k in range(4):
        if kept >> k & 1 and face[0] != corners[k] and face[1] != corners[k] and face[2] != corners[k]:
            return False
    return True


@kernel
def front(fan: Array, n_faces: int) -> Vec3:
    """Mean direction of the normals of faces, by their winding; zero where they cancel."""
    total = NOWHERE
    for i in range(n_faces):
        total = add(total, face_normal(fan, i))
    return unit(total) if norm(total) > SIDEWAYS else NOWHERE


@kernel
def corner_of(fan: Array, k: int) -> Vec3:
    """Corner k of all the faces, three of each."""
    i, j = k // 3, 3 * (k % 3)
    return fan[i, j], fan[i, j + 1], fan[i, j + 2]


@kernel
def reach(fan: Array, n_faces: int, d: Vec3, near: float) -> float:
    """Largest sine of the angle at which faces certainly rise along a direction; zero where none does."""
    best = 0.0
    for k in range(3 * n_faces):
        x = corner_of(fan, k)
        size = norm(x)
        if size > near:
            best = max(best, (dot(d, x) - near) / size)
    return best


@kernel
def mean_rise(fan: Array, n_faces: int, d: Vec3, near: float) -> float:
    """Mean sine of the angle at which the corners of faces rise along a direction."""
    total, n = 0.0, 0
    for k in range(3 * n_faces):
        x = corner_of(fan, k)
        size = norm(x)
        if size > near:
            total, n = total + dot(d, x) / size, n + 1
    return total / max(n, 1)


@kernel
def misfit(fans: FeatureFans, d: Vec3) -> float:
    """How far either side reaches over to the other along a direction, as the sine of an angle."""
    back = scale(-1.0, d)
    return max(reach(fans.a, fans.n_a, d, fans.near), reach(fans.b, fans.n_b, back, fans.near))


@kernel
def does_part(fans: FeatureFans, d: Vec3) -> bool:
    """Does neither side reach over to the other along a direction?"""
    for k in range(3 * (fans.n_a + fans.n_b)):
        is_a = k < 3 * fans.n_a
        x = corner_of(fans.a, k) if is_a else corner_of(fans.b, k - 3 * fans.n_a)
        rise = dot(d, x) if is_a else -dot(d, x)
        if rise > fans.near and rise - fans.near > TIE * norm(x):
            return False
    return True


@kernel
def merit(fans: FeatureFans, d: Vec3) -> float:
    """Which of two directions that fit is better: the one that parts the two by more."""
    return mean_rise(fans.b, fans.n_b, d, fans.near) - mean_rise(fans.a, fans.n_a, d, fans.near)


@kernel
def direction(fans: FeatureFans, exact: Vec3) -> tuple[Vec3, bool]:
    """Direction from the first side to the second, and whether its sign means anything.

    exact : the normal of the features, where they touch inside of both; else zero
    """
    best, least, most = NOWHERE, INFINITY, -INFINITY
    for k in range(1 if exact != NOWHERE else fans.n_b + fans.n_a):
        d = exact
        if exact == NOWHERE:
            d = face_normal(fans.b, k) if k < fans.n_b else face_normal(fans.a, k - fans.n_b)
        # Most faces around a place lie in few planes, and each plane is tried once.
        is_new = d != NOWHERE and abs(dot(d, best)) < ONE_PLANE
        for _ in range(2 if is_new else 0):
            bad, good = misfit(fans, d), merit(fans, d)
            if bad < least - TIE or (bad <= least + TIE and good > most + TIE):
                best, least, most = d, bad, good
            d = scale(-1.0, d)
    if best == NOWHERE:
        best = parting(fans)
        return best, best != NOWHERE
    if abs(misfit(fans, scale(-1.0, best)) - least) > TIE:
        return best, True
    in_plane = sideways(fans, best) if exact == NOWHERE else NOWHERE
    return (in_plane, True) if in_plane != NOWHERE else (best, False)


@kernel
def parting(fans: FeatureFans) -> Vec3:
    """Unit vector from the middle of the first side's corners to the second's; zero where it is none."""
    middle = NOWHERE
    for k in range(3 * fans.n_b):
        middle = add(middle, scale(1.0 / fans.n_b, unit(corner_of(fans.b, k))))
    for k in range(3 * fans.n_a):
        middle = sub(middle, scale(1.0 / fans.n_a, unit(corner_of(fans.a, k))))
    return unit(middle) if norm(middle) > SIDEWAYS else NOWHERE


@kernel
def sideways(fans: FeatureFans, n: Vec3) -> Vec3:
    """Direction in a plane that parts two sides which both lie in it, next to each other; zero if none does.

    Where one does, so does one at right angles to an edge that ends or begins where they touch.
    """
    best, most = NOWHERE, SIDEWAYS
    for k in range(3 * (fans.n_a + fans.n_b)):
        x = corner_of(fans.a, k) if k < 3 * fans.n_a else corner_of(fans.b, k - 3 * fans.n_a)
        d = unit(cross(x, n)) if norm(x) > fans.near else NOWHERE
        for _ in range(2 if d != NOWHERE else 0):
            if does_part(fans, d):
                good = merit(fans, d)
                if good > most + TIE:
                    best, most = d, good
            d = scale(-1.0, d)
    return best
