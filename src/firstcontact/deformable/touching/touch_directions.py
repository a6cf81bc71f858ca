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
from firstcontact.narrowphase.elementary.contact_geometry import NOWHERE, SIDEWAYS, Weights, surface_normal
from firstcontact.proximity.touching.contact_direction import face_normal, unit
from firstcontact.scalar.vec3 import Vec3, add, cross, dot, norm, scale, sub

Corners = tuple[int, int, int, int]

# Faces around a vertex that are looked at. A vertex with more of them shows every second, third ... of them.
MOST_FACES = 64

# Columns of a fan, a face a row: its corners; how far each is from the touching point; whether it has been
# there before; and which vertex it is.
SIZES, REPEATS, VERTICES, FAN_COLUMNS = 9, 12, 15, 18

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


class Touch(NamedTuple):
    """A contact: the vertices of both features, their weights, when, and what gap counts as none."""

    corners: Corners
    weights: Weights
    time: float
    near: float


class Part(NamedTuple):
    """The part of a feature that touches: a corner alone, an edge, or the whole face.

    corners, time : the vertices of the contact, and when it is
    point : where this side touches
    kept : bits of the corners whose weights are more than rounding, and of the heaviest
    n_corners : how many are more than rounding
    vertex : that of these corners which has the fewest faces around it
    """

    corners: Corners
    time: float
    point: Vec3
    kept: int
    n_corners: int
    vertex: int


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
    # Arrays by themselves: to take one out of a tuple, or a row out of one, is to count who holds it.
    start, end, faces, offsets, ids = around
    corners, weights, n_first, times, rounding, directions, are_sided, fronts = touches
    fan_a, fan_b = np.empty((MOST_FACES, FAN_COLUMNS)), np.empty((MOST_FACES, FAN_COLUMNS))
    for row in range(first, last):
        split, near = n_first[row], rounding[row]
        c = corners[row, 0], corners[row, 1], corners[row, 2], corners[row, 3]
        w = weights[row, 0], weights[row, 1], weights[row, 2], weights[row, 3]
        touch = Touch(c, w, times[row], near)
        part = touching_part(start, end, offsets, touch, (0, split))
        n_a = write_fan(start, end, faces, offsets, ids, part, fan_a)
        is_inside = part.n_corners == split
        part = touching_part(start, end, offsets, touch, (split, 4))
        n_b = write_fan(start, end, faces, offsets, ids, part, fan_b)
        is_inside &= part.n_corners == 4 - split
        exact = NOWHERE
        if is_inside:
            exact = surface_normal(seen_corners(start, end, touch), split == 2)
        n, is_sided = direction(fan_a, n_a, fan_b, n_b, near, exact)
        are_sided[row] = is_sided
        front_a, front_b = front(fan_a, n_a), front(fan_b, n_b)
        for k in range(3):
            directions[row, k] = n[k]
            fronts[row, 0, k], fronts[row, 1, k] = front_a[k], front_b[k]


@kernel
def place_of(start: Array, end: Array, vertex: int, t: float) -> Vec3:
    """Where a vertex is at a time."""
    s = 1.0 - t
    return (
        s * start[vertex, 0] + t * end[vertex, 0],
        s * start[vertex, 1] + t * end[vertex, 1],
        s * start[vertex, 2] + t * end[vertex, 2],
    )


@kernel
def seen_corners(start: Array, end: Array, touch: Touch) -> tuple[Vec3, Vec3, Vec3]:
    """The first three corners of a contact, as seen from the fourth."""
    corners, t = touch.corners, touch.time
    last = place_of(start, end, corners[3], t)
    return (
        sub(place_of(start, end, corners[0], t), last),
        sub(place_of(start, end, corners[1], t), last),
        sub(place_of(start, end, corners[2], t), last),
    )


@kernel
def height(start: Array, end: Array, corners: Corners, side: tuple[int, int], k: int, t: float) -> float:
    """How high corner k of a feature is over the rest of it: an edge's length, or a height of a triangle."""
    first, last = side
    n = last - first
    p = place_of(start, end, corners[k], t)
    q = place_of(start, end, corners[first + (k - first + 1) % n], t)
    if n < 3:
        return norm(sub(q, p))
    r = place_of(start, end, corners[first + (k - first + 2) % n], t)
    base = norm(sub(r, q))
    return norm(cross(sub(q, p), sub(r, p))) / base if base > 0.0 else norm(sub(q, p))


@kernel
def touching_part(
    start: Array, end: Array, offsets: NDArray[np.int64], touch: Touch, side: tuple[int, int]
) -> Part:
    """With which part of its feature one side touches, and where."""
    corners, weights, t, near = touch
    first, last = side
    kept, n_kept, heaviest, point = 0, 0, first, NOWHERE
    for k in range(first, last):
        point = add(point, scale(weights[k], place_of(start, end, corners[k], t)))
        heaviest = k if weights[k] > weights[heaviest] else heaviest
        if last - first == 1 or weights[k] * height(start, end, corners, side, k, t) > near:
            kept, n_kept = kept | 1 << k, n_kept + 1
    kept, pick = kept | 1 << heaviest, heaviest
    for k in range(first, last):
        if kept >> k & 1 and n_around(offsets, corners[k]) < n_around(offsets, corners[pick]):
            pick = k
    return Part(corners, t, point, kept, n_kept, corners[pick])


@kernel
def n_around(offsets: NDArray[np.int64], vertex: int) -> int:
    """How many faces are around a vertex."""
    count: int = offsets[vertex + 1] - offsets[vertex]
    return count


@kernel
def write_fan(
    start: Array,
    end: Array,
    faces: Ids,
    offsets: NDArray[np.int64],
    ids: NDArray[np.int64],
    part: Part,
    fan: Array,
) -> int:
    """Write the faces around the part that touches, as seen from the point; return how many."""
    first, last = offsets[part.vertex], offsets[part.vertex + 1]
    step, n = 1 if part.n_corners > 1 else 1 + (last - first - 1) // MOST_FACES, 0
    for i in range(first, last, step):
        face = ids[i]
        if n < MOST_FACES and has_all(faces, face, part.corners, part.kept):
            for j in range(3):
                vertex = faces[face, j]
                x = sub(place_of(start, end, vertex, part.time), part.point)
                fan[n, 3 * j], fan[n, 3 * j + 1], fan[n, 3 * j + 2] = x[0], x[1], x[2]
                fan[n, SIZES + j], fan[n, REPEATS + j], fan[n, VERTICES + j] = norm(x), 0.0, vertex
                for other in range(3 * n + j):
                    if fan[other // 3, VERTICES + other % 3] == vertex:
                        fan[n, REPEATS + j] = 1.0
            n += 1
    return n


@kernel
def has_all(faces: Ids, face: int, corners: Corners, kept: int) -> bool:
    """Has a face all the corners whose bits are set?"""
    for k in range(4):
        a, b, c = faces[face, 0], faces[face, 1], faces[face, 2]
        is_missing = a != corners[k] and b != corners[k] and c != corners[k]
        if kept >> k & 1 and is_missing:
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
def size_of(fan: Array, k: int) -> float:
    """How far corner k is from the touching point."""
    size: float = fan[k // 3, SIZES + k % 3]
    return size


@kernel
def rises(fan: Array, n_faces: int, d: Vec3, near: float) -> Vec3:
    """Largest sines of the angles at which faces certainly rise along a direction, and against it; mean sine.

    Zero where none does.
    """
    up, down, total, n = 0.0, 0.0, 0.0, 0
    for k in range(3 * n_faces):
        size = size_of(fan, k)
        if size > near:
            rise = dot(d, corner_of(fan, k))
            if rise > near:
                up = max(up, (rise - near) / size)
            elif -rise > near:
                down = max(down, (-rise - near) / size)
            total, n = total + rise / size, n + 1
    return up, down, total / max(n, 1)


@kernel
def does_part(fan: Array, n_faces: int, d: Vec3, near: float) -> bool:
    """Does no face reach over along a direction?"""
    for k in range(3 * n_faces):
        rise = dot(d, corner_of(fan, k))
        if rise > near and rise - near > TIE * size_of(fan, k):
            return False
    return True


@kernel
def direction(fan_a: Array, n_a: int, fan_b: Array, n_b: int, near: float, exact: Vec3) -> tuple[Vec3, bool]:
    """Direction from the first side to the second, and whether its sign means anything.

    By how little either side reaches over to the other along it, as the sine of an angle; and of several that
    fit, by how much it parts the two.

    exact : the normal of the features, where they touch inside of both; else zero
    """
    best, least, most, opposite = NOWHERE, INFINITY, -INFINITY, INFINITY
    for k in range(1 if exact != NOWHERE else n_b + n_a):
        d = exact
        if exact == NOWHERE:
            d = face_normal(fan_b, k) if k < n_b else face_normal(fan_a, k - n_b)
        # Most faces around a place lie in few planes, and each plane is tried once.
        if d != NOWHERE and abs(dot(d, best)) < ONE_PLANE:
            up_a, down_a, mean_a = rises(fan_a, n_a, d, near)
            up_b, down_b, mean_b = rises(fan_b, n_b, d, near)
            bad, back, good = max(up_a, down_b), max(down_a, up_b), mean_b - mean_a
            for _ in range(2):
                if bad < least - TIE or (bad <= least + TIE and good > most + TIE):
                    best, least, most, opposite = d, bad, good, back
                d, bad, back, good = scale(-1.0, d), back, bad, -good
    if best == NOWHERE:
        best = parting(fan_a, n_a, fan_b, n_b)
        return best, best != NOWHERE
    if abs(opposite - least) > TIE:
        return best, True
    in_plane = sideways(fan_a, n_a, fan_b, n_b, near, best) if exact == NOWHERE else NOWHERE
    return (in_plane, True) if in_plane != NOWHERE else (best, False)


@kernel
def parting(fan_a: Array, n_a: int, fan_b: Array, n_b: int) -> Vec3:
    """Unit vector from the middle of the first side's corners to the second's; zero where it is none."""
    middle = NOWHERE
    for k in range(3 * n_b):
        middle = add(middle, scale(1.0 / n_b, unit(corner_of(fan_b, k))))
    for k in range(3 * n_a):
        middle = sub(middle, scale(1.0 / n_a, unit(corner_of(fan_a, k))))
    return unit(middle) if norm(middle) > SIDEWAYS else NOWHERE


@kernel
def sideways(fan_a: Array, n_a: int, fan_b: Array, n_b: int, near: float, n: Vec3) -> Vec3:
    """Direction in a plane that parts two sides which both lie in it, next to each other; zero if none does.

    Where one does, so does one at right angles to an edge that ends or begins where they touch.
    """
    best, most = NOWHERE, SIDEWAYS
    for k in range(3 * (n_a + n_b)):
        fan, i = (fan_a, k) if k < 3 * n_a else (fan_b, k - 3 * n_a)
        if fan[i // 3, REPEATS + i % 3] > 0.0 or not size_of(fan, i) > near:
            continue
        d = unit(cross(corner_of(fan, i), n))
        for _ in range(2 if d != NOWHERE else 0):
            back = scale(-1.0, d)
            if does_part(fan_a, n_a, d, near) and does_part(fan_b, n_b, back, near):
                good = rises(fan_b, n_b, d, near)[2] - rises(fan_a, n_a, d, near)[2]
                if good > most + TIE:
                    best, most = d, good
            d = back
    return best
