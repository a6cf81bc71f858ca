"""Pairs of features, of triangles near each other, that may be a contact.

A candidate is a key, the numbers of both features in one (that of a in the upper half), and a row of nine:
the two closest points, and the normal of the face or of the two edges, or zeros where there is none.
"""

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel
from firstcontact.narrowphase.moving_quad import Triple
from firstcontact.proximity.body import Body
from firstcontact.proximity.contact_direction import NOWHERE, normal_of
from firstcontact.proximity.feature_pairs import (
    EDGES_EDGES,
    EDGES_FACES,
    FACE,
    N_PAIRS,
    Meeting,
    features_of,
    meeting,
)
from firstcontact.proximity.near_pairs import FLOOR, Row, instant
from firstcontact.proximity.placed_triangle import placed_triangle, triangle_of
from firstcontact.proximity.relief import Relief
from firstcontact.scalar.vec3 import Vec3, sub

Array = NDArray[np.float64]
Ids = NDArray[np.int32]
Keys = NDArray[np.int64]

HALF = 32
LOWER = (1 << HALF) - 1


@driver
def list_candidates(
    bodies: tuple[Body, Body],
    reliefs: tuple[Relief, Relief],
    rows: tuple[Row, Row],
    asked: tuple[float, float, float],
    pairs: Ids,
    keys: Keys,
    found: Array,
) -> int:
    """Write candidates of pairs of triangles (m, 2); return how many there are.

    asked : the time, the distance up to which features count, and how far an edge that passes through a face
        goes on beyond it
    """
    (a, b), (time, distance, depth), n = bodies, asked, 0
    features_a, counts_a = reliefs[0].features, reliefs[0].counts
    features_b, counts_b = reliefs[1].features, reliefs[1].counts
    now = instant(a.origin, b.origin, (a.reach, b.reach), rows[0], rows[1], time)
    near = FLOOR * now.rounding
    for row in range(len(pairs)):
        f, g = pairs[row, 0], pairs[row, 1]
        triangle_a = placed_triangle(now.place, triangle_of(a.triangles, f))
        triangle_b = triangle_of(b.triangles, g)
        bits_a, bits_b = int(counts_a[f]), int(counts_b[g])
        for k in range(N_PAIRS):
            i, j = features_of(k)
            if ((bits_a >> i) & (bits_b >> j) & 1) == 0:
                continue
            met = meeting(k, triangle_a, triangle_b, near, depth + near)
            if not met.distance <= distance + near:
                continue
            normal = normal_at(triangle_a, i, triangle_b, j)
            if k < EDGES_EDGES:
                # The normal is that of the face only within it.
                is_inside = met.feature_a == FACE or met.feature_b == FACE
                i, j, normal = met.feature_a, met.feature_b, normal if is_inside else NOWHERE
            elif k < EDGES_FACES and (normal == NOWHERE or has_corner(met, bits_a, bits_b)):
                continue  # edges that are parallel touch in corners too
            keys[n] = (int(features_a[f, i]) << HALF) | int(features_b[g, j])
            n = write(found, n, met.p, met.q, normal)
    return n


@kernel
def has_corner(met: Meeting, bits_a: int, bits_b: int) -> bool:
    """Do edges meet at a vertex that counts, and so is a contact of its own?"""
    corners = 0b111
    bit_a, bit_b = 1 << met.feature_a, 1 << met.feature_b
    return ((bit_a & bits_a & corners) | (bit_b & bits_b & corners)) != 0


@kernel
def normal_at(a: Triple, i: int, b: Triple, j: int) -> Vec3:
    """Normal of the face, or of both edges, among two features of triangles."""
    if i == FACE:
        return normal_of(sub(a[1], a[0]), sub(a[2], a[0]))
    if j == FACE:
        return normal_of(sub(b[1], b[0]), sub(b[2], b[0]))
    return normal_of(sub(a[(i + 1) % 3], a[i % 3]), sub(b[(j + 1) % 3], b[j % 3]))


@kernel
def write(found: Array, n: int, p: Vec3, q: Vec3, normal: Vec3) -> int:
    """Add one to n candidates."""
    for i in range(3):
        found[n, i], found[n, 3 + i], found[n, 6 + i] = p[i], q[i], normal[i]
    return n + 1
