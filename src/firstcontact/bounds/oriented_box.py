"""Oriented boxes, and whether two of them are apart.

As in Gottschalk, Lin, Manocha, "OBBTree", 1996: they are where their shadows on one of 15 axes are, the
normals of the faces, and the products of an edge of each.
"""

from typing import NamedTuple

from firstcontact._jit import kernel, vector_kernel
from firstcontact.arrays import Array
from firstcontact.scalar.error_bounds import UNIT_ROUNDOFF
from firstcontact.scalar.mat3 import Mat3, mat_vec
from firstcontact.scalar.vec3 import Vec3, add, dot, sub

# Columns of an array of boxes, as `OrientedBox` has them.
CENTER, ALONG, ACROSS, NORMAL, HALF, SIZE = 0, 3, 6, 9, 12, 15
N_COLUMNS = 16

# Error of any of the 15 comparisons, in units of the distance of two bodies' origins and how far both reach
# from there: docs/guarantees.md, "Fifteen axes" (1980 u), and room.
FIFTEEN_AXES = 4096.0 * UNIT_ROUNDOFF


class OrientedBox(NamedTuple):
    """A box around `center` with sides along three unit vectors at right angles.

    half : half the lengths of its sides
    size : half its diagonal
    """

    center: Vec3
    along: Vec3
    across: Vec3
    normal: Vec3
    half: Vec3
    size: float


@kernel
def oriented_box_of(rows: Array, i: int) -> OrientedBox:
    """Read one of an array of boxes."""
    return OrientedBox(
        (rows[i, CENTER], rows[i, CENTER + 1], rows[i, CENTER + 2]),
        (rows[i, ALONG], rows[i, ALONG + 1], rows[i, ALONG + 2]),
        (rows[i, ACROSS], rows[i, ACROSS + 1], rows[i, ACROSS + 2]),
        (rows[i, NORMAL], rows[i, NORMAL + 1], rows[i, NORMAL + 2]),
        (rows[i, HALF], rows[i, HALF + 1], rows[i, HALF + 2]),
        rows[i, SIZE],
    )


@kernel
def placed_box(box: OrientedBox, rotation: Mat3, offset: Vec3) -> OrientedBox:
    """Return a box as seen from another frame."""
    return OrientedBox(
        add(offset, mat_vec(rotation, box.center)),
        mat_vec(rotation, box.along),
        mat_vec(rotation, box.across),
        mat_vec(rotation, box.normal),
        box.half,
        box.size,
    )


@vector_kernel
def separate_block(one: OrientedBox, block: Array, gaps: Array) -> None:
    """Write for each box of a block (15, n) how far its shadow is from that of another, at most of 15 axes.

    It is no more than the distance of the two, but for rounding, and not positive exactly where they overlap.
    The products of edges are no unit vectors, but at most as long: gaps there are told too small.
    """
    a = one.half
    for k in range(len(gaps)):  # no constant, for which the compiler would give up on a short loop
        u = block[ALONG, k], block[ALONG + 1, k], block[ALONG + 2, k]
        v = block[ACROSS, k], block[ACROSS + 1, k], block[ACROSS + 2, k]
        w = block[NORMAL, k], block[NORMAL + 1, k], block[NORMAL + 2, k]
        b = block[HALF, k], block[HALF + 1, k], block[HALF + 2, k]
        t = sub((block[CENTER, k], block[CENTER + 1, k], block[CENTER + 2, k]), one.center)
        x = dot(one.along, u), dot(one.along, v), dot(one.along, w)
        y = dot(one.across, u), dot(one.across, v), dot(one.across, w)
        z = dot(one.normal, u), dot(one.normal, v), dot(one.normal, w)
        s = dot(t, one.along), dot(t, one.across), dot(t, one.normal)
        p, q, r = _magnitudes(x), _magnitudes(y), _magnitudes(z)
        gap = max(
            max(abs(s[0]) - a[0] - dot(b, p), abs(s[1]) - a[1] - dot(b, q)), abs(s[2]) - a[2] - dot(b, r)
        )
        gap = max(gap, abs(dot(t, u)) - b[0] - (a[0] * p[0] + a[1] * q[0] + a[2] * r[0]))
        gap = max(gap, abs(dot(t, v)) - b[1] - (a[0] * p[1] + a[1] * q[1] + a[2] * r[1]))
        gap = max(gap, abs(dot(t, w)) - b[2] - (a[0] * p[2] + a[1] * q[2] + a[2] * r[2]))
        gap = max(gap, _edge_gaps((s[2], s[1]), (y, z), (a[1], a[2]), (q, r), b, p))
        gap = max(gap, _edge_gaps((s[0], s[2]), (z, x), (a[2], a[0]), (r, p), b, q))
        gaps[k] = max(gap, _edge_gaps((s[1], s[0]), (x, y), (a[0], a[1]), (p, q), b, r))


@kernel
def _magnitudes(v: Vec3) -> Vec3:
    return abs(v[0]), abs(v[1]), abs(v[2])


@kernel
def _edge_gaps(
    ways: tuple[float, float],
    cosines: tuple[Vec3, Vec3],
    a: tuple[float, float],
    across: tuple[Vec3, Vec3],
    b: Vec3,
    along: Vec3,
) -> float:
    """Gap on the products of one edge of a box and the three of another.

    ways, cosines, across, a : along the other two edges of the first: of the way between the centers, of the
        second's edges, and their magnitudes; and half their lengths
    """
    (s, t), (x, y), (q, r) = ways, cosines, across
    gap = abs(s * x[0] - t * y[0]) - (a[0] * r[0] + a[1] * q[0] + b[1] * along[2] + b[2] * along[1])
    middle = abs(s * x[1] - t * y[1]) - (a[0] * r[1] + a[1] * q[1] + b[0] * along[2] + b[2] * along[0])
    last = abs(s * x[2] - t * y[2]) - (a[0] * r[2] + a[1] * q[2] + b[0] * along[1] + b[1] * along[0])
    return max(max(gap, middle), last)
