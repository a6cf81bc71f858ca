"""Eigenvectors of symmetric matrices of three by three."""

from math import sqrt

import numpy as np

from firstcontact._jit import kernel
from firstcontact.arrays import Array
from firstcontact.scalar.mat3 import Mat3

Symmetric3 = tuple[float, float, float, float, float, float]

# Rounds of Jacobi's method. It converges quadratically: five reach the last bit of any matrix.
N_ROUNDS = 6


@kernel
def principal_axes(m: Symmetric3, room: Array) -> Mat3:
    """Return unit eigenvectors of (xx, xy, xz, yy, yz, zz), that of the largest eigenvalue first.

    Orthonormal to a few roundings whatever the matrix; of equal eigenvalues, and of zeros, any vectors. The
    room to work in is (2, 3, 3).
    """
    trace = m[0] + m[3] + m[5]
    unit = 1.0 / trace if trace > 0.0 and 1.0 / trace < np.inf else 0.0
    a, v = room[0], room[1]
    for i in range(3):
        for k in range(3):
            v[i, k] = 1.0 if i == k else 0.0  # `np.eye` takes 0.4 s to compile
    a[0, 0], a[1, 1], a[2, 2] = unit * m[0], unit * m[3], unit * m[5]
    a[0, 1], a[0, 2], a[1, 2] = unit * m[1], unit * m[2], unit * m[4]
    for _ in range(N_ROUNDS):
        for p in range(2):
            for q in range(p + 1, 3):
                if a[p, q] != 0.0:
                    _rotate(a, v, p, q)
    first = 0
    for i in range(1, 3):
        if a[i, i] > a[first, first]:
            first = i
    second, third = (first + 1) % 3, (first + 2) % 3
    if a[third, third] > a[second, second]:
        second, third = third, second
    return (
        v[0, first],
        v[1, first],
        v[2, first],
        v[0, second],
        v[1, second],
        v[2, second],
        v[0, third],
        v[1, third],
        v[2, third],
    )


@kernel
def _rotate(a: Array, v: Array, p: int, q: int) -> None:
    """Turn the axes p and q so that the entry between them vanishes (Jacobi); above the diagonal only."""
    ratio = (a[q, q] - a[p, p]) / (2.0 * a[p, q])
    tangent = (1.0 if ratio >= 0.0 else -1.0) / (abs(ratio) + sqrt(ratio * ratio + 1.0))
    cosine = 1.0 / sqrt(tangent * tangent + 1.0)
    sine = tangent * cosine
    a[p, p], a[q, q] = a[p, p] - tangent * a[p, q], a[q, q] + tangent * a[p, q]
    a[p, q] = 0.0
    o = 3 - p - q  # the third axis
    op0, op1 = min(o, p), max(o, p)
    oq0, oq1 = min(o, q), max(o, q)
    x, y = a[op0, op1], a[oq0, oq1]
    a[op0, op1], a[oq0, oq1] = cosine * x - sine * y, sine * x + cosine * y
    for k in range(3):
        x, y = v[k, p], v[k, q]
        v[k, p], v[k, q] = cosine * x - sine * y, sine * x + cosine * y
