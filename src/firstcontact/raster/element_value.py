"""How far points are from elements: of one point, and of a row of pixels at once, to the same bits.

The value of an element is its distance times its factor, less its radius. What is compared is the square of
the distance where all factors are 1 and all radii 0: no root is taken before the nearest is known.
"""

from math import sqrt

from firstcontact._jit import kernel, vector_kernel
from firstcontact.arrays import INFINITY, Array, Keys
from firstcontact.raster.elements import (
    FACE,
    FACTOR,
    HALF_FACE,
    INVERSE,
    KIND,
    PER_U,
    PER_V,
    PER_W,
    POINT,
    RADIUS,
    SEGMENT,
    UU,
    UV,
    VV,
    A,
    B,
    C,
    U,
    V,
    W,
)
from firstcontact.scalar.vec3 import Vec3

# Pixels of a row that are looked at in one go.
RUN = 64


@kernel
def element_value(table: Array, k: int, p: Vec3) -> float:
    """The value of an element at a point; of a face alone, that of the whole triangle."""
    square = element_square(table, k, p, False)
    value: float = table[k, FACTOR] * sqrt(square) - table[k, RADIUS]
    return value


@kernel
def element_square(table: Array, k: int, p: Vec3, is_alone: bool) -> float:
    """The squared distance; of a face alone, if that is asked for, infinite where it is not below."""
    kind = table[k, KIND]
    x, y, z = p[0] - table[k, A], p[1] - table[k, A + 1], p[2] - table[k, A + 2]
    if kind == POINT:
        return _square((x, y, z))
    if kind == SEGMENT:
        return _to_edge(table, k, (A, B, U, PER_U), p)
    inside = _to_plane(table, k, (x, y, z))
    if kind == FACE and is_alone:
        return inside
    if kind == HALF_FACE and is_alone:
        return min(inside, _to_edge(table, k, (A, B, U, PER_U), p))
    edges = min(_to_edge(table, k, (A, B, U, PER_U), p), _to_edge(table, k, (A, C, V, PER_V), p))
    return min(inside, min(edges, _to_edge(table, k, (B, C, W, PER_W), p)))


@kernel
def _to_edge(table: Array, k: int, edge: tuple[int, int, int, int], p: Vec3) -> float:
    """The squared distance to an edge, its columns given: both ends, the vector, and 1 over its square."""
    row = table[k]
    a, b, u, per = edge
    x, y, z = p[0] - row[a], p[1] - row[a + 1], p[2] - row[a + 2]
    ux, uy, uz = row[u], row[u + 1], row[u + 2]
    t = (z * uz + (x * ux + y * uy)) * row[per]
    if t >= 1.0:
        return _square((p[0] - row[b], p[1] - row[b + 1], p[2] - row[b + 2]))
    t = t if t > 0.0 else 0.0
    return _square((x - t * ux, y - t * uy, z - t * uz))


@kernel
def _to_plane(table: Array, k: int, d: Vec3) -> float:
    """The squared distance to the plane of a triangle, where the point is straight above or below it."""
    row = table[k]
    along_u = d[2] * row[U + 2] + (d[0] * row[U] + d[1] * row[U + 1])
    along_v = d[2] * row[V + 2] + (d[0] * row[V] + d[1] * row[V + 1])
    s = (row[VV] * along_u - row[UV] * along_v) * row[INVERSE]
    t = (row[UU] * along_v - row[UV] * along_u) * row[INVERSE]
    x = d[0] - s * row[U] - t * row[V]
    y = d[1] - s * row[U + 1] - t * row[V + 1]
    z = d[2] - s * row[U + 2] - t * row[V + 2]
    is_inside = (s >= 0.0) & (t >= 0.0) & (s + t <= 1.0) & (row[INVERSE] > 0.0)
    return _square((x, y, z)) if is_inside else INFINITY


@kernel
def _square(v: Vec3) -> float:
    """The squared length, added up as rows of pixels do."""
    return v[2] * v[2] + (v[0] * v[0] + v[1] * v[1])


@vector_kernel
def point_squares(
    table: Array, k: int, place: tuple[float, float, int], zs: Array, n: int, out: Array
) -> None:
    """Squared distances of n pixels of a row from a point."""
    x, y, az = place[0] - table[k, A], place[1] - table[k, A + 1], table[k, A + 2]
    across = x * x + y * y
    first = place[2]
    for j in range(n):
        z = zs[first + j] - az
        out[j] = z * z + across


@vector_kernel
def edge_squares(
    row: Array,
    edge: tuple[int, int, int, int],
    place: tuple[float, float, int],
    zs: Array,
    n: int,
    out: Array,
) -> None:
    """The least of what is there and the squared distances of n pixels of a row from an edge."""
    a, b, u, per = edge
    x, y, az = place[0] - row[a], place[1] - row[a + 1], row[a + 2]
    bx, by, bz = place[0] - row[b], place[1] - row[b + 1], row[b + 2]
    ux, uy, uz, inverse = row[u], row[u + 1], row[u + 2], row[per]
    along, beyond, first = x * ux + y * uy, bx * bx + by * by, place[2]
    for j in range(n):
        z = zs[first + j] - az
        t = (z * uz + along) * inverse
        far = zs[first + j] - bz
        s = t if t > 0.0 else 0.0
        dx, dy, dz = x - s * ux, y - s * uy, z - s * uz
        square = dz * dz + (dx * dx + dy * dy)
        square = far * far + beyond if t >= 1.0 else square
        out[j] = square if square < out[j] else out[j]


@vector_kernel
def plane_squares(row: Array, place: tuple[float, float, int], zs: Array, n: int, out: Array) -> None:
    """Squared distances of n pixels of a row from the plane of a triangle; infinite where it is not below."""
    x, y, az = place[0] - row[A], place[1] - row[A + 1], row[A + 2]
    ux, uy, uz, vx, vy, vz = row[U], row[U + 1], row[U + 2], row[V], row[V + 1], row[V + 2]
    uu, uv, vv, inverse = row[UU], row[UV], row[VV], row[INVERSE]
    xu, xv, first = x * ux + y * uy, x * vx + y * vy, place[2]
    for j in range(n):
        z = zs[first + j] - az
        along_u, along_v = z * uz + xu, z * vz + xv
        s = (vv * along_u - uv * along_v) * inverse
        t = (uu * along_v - uv * along_u) * inverse
        dx, dy, dz = x - s * ux - t * vx, y - s * uy - t * vy, z - s * uz - t * vz
        is_inside = (s >= 0.0) & (t >= 0.0) & (s + t <= 1.0) & (inverse > 0.0)
        out[j] = dz * dz + (dx * dx + dy * dy) if is_inside else INFINITY


@vector_kernel
def keep_nearer(values: Array, k: int, n: int, best: Array, who: Keys) -> None:
    """Where a value is below the best, make it that; of equal ones the first stays."""
    for j in range(n):
        is_nearer = values[j] < best[j]
        best[j] = values[j] if is_nearer else best[j]
        who[j] = k if is_nearer else who[j]


@vector_kernel
def as_values(squares: Array, factor: float, radius: float, n: int) -> None:
    """Make values of squared distances."""
    for j in range(n):
        squares[j] = factor * sqrt(squares[j]) - radius


@kernel
def row_squares(table: Array, k: int, place: tuple[float, float, int], zs: Array, n: int, out: Array) -> None:
    """Squared distances of n pixels of a row, from place[2] on, from an element of any kind."""
    kind = table[k, KIND]
    if kind == POINT:
        point_squares(table, k, place, zs, n, out)
        return
    row = table[k]
    if kind == SEGMENT:
        out[:n] = INFINITY
        edge_squares(row, (A, B, U, PER_U), place, zs, n, out)
        return
    plane_squares(row, place, zs, n, out)
    if kind == FACE:
        return
    edge_squares(row, (A, B, U, PER_U), place, zs, n, out)
    if kind == HALF_FACE:
        return
    edge_squares(row, (A, C, V, PER_V), place, zs, n, out)
    edge_squares(row, (B, C, W, PER_W), place, zs, n, out)
