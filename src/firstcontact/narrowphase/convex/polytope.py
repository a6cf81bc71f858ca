"""A polytope with triangular faces that grows corner by corner, in two arrays that are allocated once.

A new corner sees some faces, which are connected. They give way to the faces between the corner and the
border of what it sees.

All numbers are in one array and all links in another, and few functions are handed them: to count who holds
an array took more than half of the time when there were five arrays and smaller functions.
"""

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import kernel
from firstcontact.arrays import INFINITY, Array
from firstcontact.scalar.vec3 import Vec3, cross, dot, norm, scale, sub

Ids = NDArray[np.int64]

# Numbers, with room for n faces: first, how far each face is from the origin, or inf where that does not
# matter any more. Then the planes: an outward unit normal, and its distance from the origin; -inf, so that it
# is seen from everywhere, where the face is no more than a segment. Then the corners: a place, and three
# numbers more. A corner more makes two faces more, at most.
A_FACE = 8

# Links, in rows. Of a face: its corners, counterclockwise from outside; beyond the side from each corner to
# the next, the neighbour, four times its id plus the side of it; and by which corner it was seen last.
BEYOND, SEEN = 3, 6
# Of no face, but lists: the faces that the new corner sees; of each side of their border the two ends, and
# what is beyond; and for each corner the new face that begins there, and with which corner it was made.
QUEUE, FROM, TO, OUTER, BEGINS, MADE = 7, 8, 9, 10, 11, 12
ROW = 16

# Squared sine of an angle of a triangle that is not slender.
SLENDER = 2.0**-8


@kernel
def workspace(n_corners: int) -> tuple[Array, Ids]:
    """Numbers and links for polytopes with as many corners, one after the other."""
    n_faces = 2 * n_corners
    return np.empty(A_FACE * n_faces), np.empty(ROW * n_faces, np.int64)


@kernel
def corner_at(numbers: Array, i: int) -> Vec3:
    """Read a corner."""
    at = first_corner(len(numbers)) + 6 * i
    return numbers[at], numbers[at + 1], numbers[at + 2]


@kernel
def first_plane(n_numbers: int) -> int:
    """Where the planes begin."""
    return n_numbers // A_FACE


@kernel
def first_corner(n_numbers: int) -> int:
    """Where the corners begin."""
    return 5 * (n_numbers // A_FACE)


@kernel
def is_full(numbers: Array, n_corners: int) -> bool:
    """Is there no room for a corner more?"""
    return 2 * n_corners >= first_plane(len(numbers))


@kernel
def put_corner(numbers: Array, i: int, place: Vec3, more: Vec3) -> None:
    """Write a corner."""
    at = first_corner(len(numbers)) + 6 * i
    numbers[at], numbers[at + 1], numbers[at + 2] = place
    numbers[at + 3], numbers[at + 4], numbers[at + 5] = more


@kernel
def start_tetrahedron(numbers: Array, links: Ids) -> int:
    """Make the first four corners a polytope, the fourth above the first three; return its faces' number."""
    planes = first_plane(len(numbers))
    for k in range(4):
        after, before = (k + 1) % 3, (k + 2) % 3
        # Face k stands on the side from k to the next, its own sides lead to the faces after and before it;
        # the last is below them all.
        i, j, top = (k, after, 3) if k < 3 else (0, 2, 1)
        n, distance = plane_of(corner_at(numbers, i), corner_at(numbers, j), corner_at(numbers, top))
        at = planes + 4 * k
        numbers[at], numbers[at + 1], numbers[at + 2], numbers[at + 3] = n[0], n[1], n[2], distance
        numbers[k] = distance if distance > -INFINITY else INFINITY
        at = ROW * k
        links[at], links[at + 1], links[at + 2] = i, j, top
        links[at + SEEN], links[at + MADE] = -1, -1
        if k < 3:
            links[at + BEYOND], links[ROW * 3 + BEYOND + 2 - k] = 4 * 3 + 2 - k, 4 * k
            links[at + BEYOND + 1], links[at + BEYOND + 2] = 4 * after + 2, 4 * before + 1
    return 4


@kernel
def grow(numbers: Array, links: Ids, n_faces: int, seen: int, apex: int) -> int:
    """Add a corner that sees a face; return how many faces there have been, or -1 if the border is torn."""
    planes, corners = first_plane(len(numbers)), first_corner(len(numbers))
    at = corners + 6 * apex
    w = numbers[at], numbers[at + 1], numbers[at + 2]
    links[QUEUE], links[ROW * seen + SEEN], links[ROW * apex + MADE] = seen, apex, -1
    n_seen, n_sides, head = 1, 0, 0
    while head < n_seen:
        face = ROW * links[ROW * head + QUEUE]
        head += 1
        for side in range(3):
            beyond = links[face + BEYOND + side]
            other = beyond >> 2
            if links[ROW * other + SEEN] == apex:
                continue
            at = planes + 4 * other
            if numbers[at] * w[0] + numbers[at + 1] * w[1] + numbers[at + 2] * w[2] > numbers[at + 3]:
                links[ROW * other + SEEN], links[ROW * n_seen + QUEUE] = apex, other
                n_seen += 1
            else:
                i, at = links[face + side], ROW * n_sides
                if links[ROW * i + MADE] == apex:  # the border meets itself here
                    return -1
                links[ROW * i + MADE], links[at + FROM], links[at + OUTER] = apex, i, beyond
                links[at + TO] = links[face + (side + 1 if side < 2 else 0)]
                n_sides += 1
    if n_sides < 3 or n_faces + n_sides - n_seen > planes:
        return -1
    for k in range(n_sides):
        face = links[ROW * k + QUEUE] if k < n_seen else n_faces + k - n_seen
        links[ROW * links[ROW * k + FROM] + BEGINS] = face
    for k in range(n_sides):
        i, j, outer = links[ROW * k + FROM], links[ROW * k + TO], links[ROW * k + OUTER]
        face, after = links[ROW * i + BEGINS], links[ROW * j + BEGINS]
        at, to = corners + 6 * i, corners + 6 * j
        u, v = (
            (numbers[at], numbers[at + 1], numbers[at + 2]),
            (numbers[to], numbers[to + 1], numbers[to + 2]),
        )
        n, distance = plane_of(u, v, w)
        at = planes + 4 * face
        numbers[at], numbers[at + 1], numbers[at + 2], numbers[at + 3] = n[0], n[1], n[2], distance
        numbers[face] = distance if distance > -INFINITY else INFINITY
        at = ROW * face
        links[at], links[at + 1], links[at + 2], links[at + SEEN] = i, j, apex, -1
        links[at + BEYOND], links[ROW * (outer >> 2) + BEYOND + (outer & 3)] = outer, 4 * face
        links[at + BEYOND + 1], links[ROW * after + BEYOND + 2] = 4 * after + 2, 4 * face + 1
    for k in range(n_sides, n_seen):
        numbers[links[ROW * k + QUEUE]] = INFINITY
    return n_faces + max(n_sides - n_seen, 0)


@kernel
def plane_of(a: Vec3, b: Vec3, c: Vec3) -> tuple[Vec3, float]:
    """Unit normal of a triangle, seen counterclockwise, and how far its plane is from the origin.

    From its longest side and the height on it: what is lost to rounding tilts a slender triangle about its
    long side only, by which its points hardly move.
    """
    ab, bc, ca = sub(b, a), sub(c, b), sub(a, c)
    first, second, third = dot(ab, ab), dot(bc, bc), dot(ca, ca)
    n = cross(ab, bc)
    squared = dot(n, n)
    if squared > SLENDER * first * second:
        n = scale(1.0 / sqrt(squared), n)
        return n, dot(n, a)
    base, to, length_squared = ab, bc, first
    if second > length_squared:
        base, to, length_squared = bc, ca, second
    if third > length_squared:
        base, to, length_squared = ca, ab, third
    if not length_squared > 0.0:
        return (0.0, 0.0, 0.0), -INFINITY
    along = scale(1.0 / sqrt(length_squared), base)
    n = cross(along, sub(to, scale(dot(to, along), along)))
    length = norm(n)
    if not length > 0.0:
        return (0.0, 0.0, 0.0), -INFINITY
    n = scale(1.0 / length, n)
    return n, dot(n, a)
