"""Pairs of features, of triangles near each other, that may be a contact.

A candidate is a key, the numbers of both features in one (that of a in the upper half), and a row of nine:
the two closest points, and the normal of the face or of the two edges, or zeros where there is none.
"""

import numpy as np

from firstcontact._jit import driver, kernel
from firstcontact.arrays import Array, Ids, Keys
from firstcontact.bodies.creases import Creases
from firstcontact.bodies.mesh_body import Body
from firstcontact.bodies.placed_triangle import placed_triangle, triangle_of
from firstcontact.hierarchy.pair_key import HALF
from firstcontact.proximity.touching.contact_direction import NOWHERE, normal_of
from firstcontact.proximity.touching.feature_pairs import EDGES_EDGES, FACE, N_PAIRS, features_of, meeting
from firstcontact.proximity.touching.near_pairs import FLOOR, Row, instant
from firstcontact.scalar.vec3 import Triangle, Vec3, sub


@driver
def list_candidates(
    bodies: tuple[Body, Body],
    creases: tuple[Creases, Creases],
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
    features_a, counts_a = creases[0].features, creases[0].does_count
    features_b, counts_b = creases[1].features, creases[1].does_count
    now = instant(a.origin, b.origin, (a.reach, b.reach), rows[0], rows[1], time)
    near = FLOOR * now.rounding
    for row in range(len(pairs)):
        f, g = int(np.int64(pairs[row, 0])), int(np.int64(pairs[row, 1]))
        triangle_a = placed_triangle(now.place, triangle_of(a.triangles, f))
        triangle_b = triangle_of(b.triangles, g)
        for k in range(N_PAIRS):
            i, j = features_of(k)
            if not (counts_a[features_a[f, i]] and counts_b[features_b[g, j]]):
                continue
            met = meeting(k, triangle_a, triangle_b, near, depth + near)
            if not met.distance <= distance + near:
                continue
            normal = normal_at(triangle_a, i, triangle_b, j)
            if k < EDGES_EDGES:
                # The normal is that of the face only within it.
                is_inside = met.feature_a == FACE or met.feature_b == FACE
                i, j, normal = met.feature_a, met.feature_b, normal if is_inside else NOWHERE
            elif normal == NOWHERE:
                continue  # edges that are parallel touch in corners
            elif met.feature_a < 3 and counts_a[features_a[f, met.feature_a]]:
                continue  # a corner is a contact of its own
            elif met.feature_b < 3 and counts_b[features_b[g, met.feature_b]]:
                continue
            keys[n] = (np.int64(features_a[f, i]) << HALF) | features_b[g, j]
            n = write(found, n, met.p, met.q, normal)
    return n


@kernel
def normal_at(a: Triangle, i: int, b: Triangle, j: int) -> Vec3:
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
