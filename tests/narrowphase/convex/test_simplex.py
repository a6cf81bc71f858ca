"""The closest point of a simplex against a search over all of its faces in exact arithmetic."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from firstcontact.narrowphase.convex.simplex import closest_weights


def solve(rows, values):
    """Solve linear equations of fractions by elimination; None where they have no single solution."""
    n = len(rows)
    table = [[*row, value] for row, value in zip(rows, values, strict=True)]
    for i in range(n):
        pivot = next((k for k in range(i, n) if table[k][i] != 0), None)
        if pivot is None:
            return None
        table[i], table[pivot] = table[pivot], table[i]
        for k in range(n):
            if k != i:
                factor = table[k][i] / table[i][i]
                table[k] = [x - factor * y for x, y in zip(table[k], table[i], strict=True)]
    return [table[i][n] / table[i][i] for i in range(n)]


def exact_distance(corners):
    """Distance of the origin from the hull of a few points: the least over all faces it projects into."""
    points = [[Fraction(float(x)) for x in corner] for corner in corners]
    best = None
    for size in range(1, len(points) + 1):
        for face in combinations(points, size):
            edges = [[x - y for x, y in zip(p, face[0], strict=True)] for p in face[1:]]
            gram = [[sum(x * y for x, y in zip(e, f, strict=True)) for f in edges] for e in edges]
            right = [-sum(x * y for x, y in zip(face[0], e, strict=True)) for e in edges]
            found = solve(gram, right)
            if found is None or min(found, default=0) < 0 or sum(found) > 1:
                continue
            p = [x + sum(s * e[k] for s, e in zip(found, edges, strict=True)) for k, x in enumerate(face[0])]
            length = sum(x * x for x in p)
            best = length if best is None or length < best else best
    return float(best) ** 0.5


def families():
    rng = np.random.default_rng(0)
    for n in (1, 2, 3, 4):
        for kind in range(60):
            w = rng.standard_normal((n, 3))
            if kind % 6 == 1:
                w[:, 2] *= 1e-9  # slender or flat
            elif kind % 6 == 2:
                w[:, 1:] *= 1e-8  # a needle
            elif kind % 6 == 3:
                w[-1] = w[0] + 1e-12 * w[-1]  # nearly a double corner
            elif kind % 6 == 4:
                w += 5 * rng.standard_normal(3)
            elif kind % 6 == 5:
                w = np.round(w)  # ties, zeros
            yield w * 10.0 ** rng.integers(-6, 7)


@pytest.mark.parametrize("w", list(families()))
def test_the_closest_point_is_that_of_exact_arithmetic(w):
    quad = tuple(tuple(row) for row in [*w, *[w[-1]] * (4 - len(w))])
    weights = np.array(closest_weights(quad, len(w)))
    expected, size = exact_distance(w), np.abs(w).max()
    if weights.sum() == 0:
        assert len(w) == 4
        assert expected == 0
    else:
        assert weights.min() >= 0
        assert abs(weights.sum() - 1) < 1e-14
        # What a tetrahedron holds that is too thin to tell is as near to it as it is thin.
        thickness = np.linalg.svd(w - w[0])[1][-1] if expected == 0 and len(w) == 4 else 0
        assert np.linalg.norm(weights[: len(w)] @ w) <= expected + thickness + 1e-14 * size
