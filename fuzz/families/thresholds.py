"""Thresholds of `distance` and `intersects`, at the distance itself and beside it, and allowed errors.

Shapes are unions of boxes along the axes, points and segments among them, grown by balls, on a lattice. The
referee compares whole numbers: squared gaps of all pairs of boxes, and squares of thresholds.
"""

from collections.abc import Iterator
from fractions import Fraction
from math import inf, nextafter, sqrt
from typing import Any

import numpy as np

import firstcontact as fc
from shrinking import fewer_and_rounder
from things import BOX_FACES

KINDS = ("points", "strand", "sphere", "rounded", "box", "hull", "sheet", "voxels", "floor", "compound")

# Of all coordinates: what rounding may do to a distance, and how much farther away may count as near.
ROUNDING, NEAR = 2e-13, 1e-11

# Farther than all else, in units of the lattice.
FAR = 1 << 40

SECONDS_A_CASE = 30

# The lowest and the highest corner of a box, and a radius.
Grown = tuple[list[int], list[int], int]


def make(rng: np.random.Generator) -> dict[str, Any]:
    """Two things on a lattice, its unit and its place, and thresholds of their own."""
    kinds = rng.choice(KINDS, 2).tolist()
    return {
        "a": _thing(rng, kinds[0]),
        "b": _thing(rng, kinds[1] if kinds != ["floor", "floor"] else "box"),
        "unit": float(rng.choice([1.0, 2.0**-20, 2.0**20])),
        "shift": int(rng.choice([0, 0, 1 << 20])),
        "thresholds": rng.uniform(0, 9, 3).tolist(),
        "error": float(rng.choice([1e-300, 1e-9, 0.01, 0.5, 3.0])),
    }


def _thing(rng: np.random.Generator, kind: str) -> dict[str, Any]:
    """What a kind is made of: a place, sizes and a radius, all whole numbers."""
    n = int(rng.integers(1, 6))
    return {
        "kind": kind,
        "at": rng.integers(-5, 6, (n, 3)).tolist(),
        "sizes": rng.integers(1, 3, 3).tolist(),
        "radii": rng.integers(0, 3, n).tolist(),
        "axis": int(rng.integers(3)),
        "of": [_thing(rng, str(rng.choice(KINDS[:-2]))) for _ in range(2)] if kind == "compound" else [],
    }


def _made(data: dict[str, Any], unit: float, shift: int) -> tuple[Any, list[Grown]]:
    """A thing, and the boxes that it is the union of."""
    kind, at, sizes, axis, radius = (data[name] for name in ("kind", "at", "sizes", "axis", "radii"))
    r = max(1, radius[0])
    place = unit * (np.array(at, np.float64) + shift)
    low, high = (np.add(at[0], np.multiply(k, sizes)).tolist() for k in (-1, 1))
    pose, extents = (np.eye(3), place[0]), 2 * unit * np.array(sizes, np.float64)
    if kind == "points":
        return fc.Points(place, unit * np.array(radius)), [(p, p, q) for p, q in zip(at, radius, strict=True)]
    if kind == "strand":
        ends = [list(at[0]), list(at[0])]
        ends[1][axis] += sizes[axis]
        return fc.Strands(unit * (np.array(ends) + shift), [2], unit * radius[0]), [(*ends, radius[0])]
    if kind == "sphere":
        return fc.Sphere(unit * r).at(pose), [(at[0], at[0], r)]
    if kind == "rounded":
        return fc.Rounded(fc.Box(extents), unit * r).at(pose), [(low, high, r)]
    if kind == "box":
        return fc.Box(extents).at(pose), [(low, high, 0)]
    if kind == "hull":
        return fc.ConvexHull(fc.Box(extents).mesh.vertices + place[0]), [(low, high, 0)]
    if kind == "sheet":
        low[axis] = high[axis] = at[0][axis]
        corners = unit * (np.stack(np.meshgrid(*zip(low, high, strict=True)), -1).reshape(-1, 3) + shift)
        return fc.Mesh(corners, BOX_FACES), [(low, high, 0)]
    if kind == "voxels":
        grid = fc.Voxels(np.array(at), unit, np.full(3, unit * shift))
        return grid, [(cell, [x + 1 for x in cell], 0) for cell in at]
    if kind == "floor":
        normal, low, high = np.eye(3)[axis], [-FAR] * 3, [FAR] * 3
        high[axis] = at[0][axis]
        return fc.HalfSpace(normal, float(place[0][axis])), [(low, high, 0)]
    parts = [_made(part, unit, shift) for part in data["of"]]
    return fc.Compound([shape for shape, _ in parts]), [box for _, boxes in parts for box in boxes]


def _nearest(a: list[Grown], b: list[Grown]) -> tuple[float, int, int]:
    """The distance in units, and the squared gap and the radii of the two boxes that have it."""
    pairs = []
    for low, high, r in a:
        for low_b, high_b, r_b in b:
            corners = zip(low, high, low_b, high_b, strict=True)
            gap, radii = sum(max(0, p - y, x - q) ** 2 for x, y, p, q in corners), r + r_b
            pairs.append((sqrt(gap) - radii if gap > radii**2 else 0.0, gap, radii))
    return min(pairs)


def check(case: dict[str, Any]) -> str | None:
    """Compare thresholds with whole numbers."""
    unit, shift = case["unit"], case["shift"]
    (a, boxes_a), (b, boxes_b) = (_made(case[name], unit, shift) for name in ("a", "b"))
    apart, gap, radii = _nearest(boxes_a, boxes_b)
    truth, size = apart * unit, unit * (shift + 20.0)
    if not abs(fc.distance(a, b).distance - truth) <= ROUNDING * size:
        return f"a distance of {truth} is told to be {fc.distance(a, b).distance}"
    own = [truth, nextafter(truth, inf), max(nextafter(truth, -inf), 0.0), 0.0, 2 * truth, 0.5 * truth]
    for within in own + [unit * x for x in case["thresholds"]]:
        is_near = gap <= (Fraction(within) / Fraction(unit) + radii) ** 2
        found, touches = fc.distance(a, b, within=within).distance, fc.intersects(a, b, within=within)
        if is_near and (found == inf or not touches):
            return f"a distance of {truth} is told to be more than {within}: {found}, {touches}"
        if truth > within + NEAR * size and (found < inf or touches):
            return f"a distance of {truth} is not told to be more than {within}: {found}, {touches}"
        if found < inf and not abs(found - truth) <= ROUNDING * size:
            return f"a distance of {truth} is told to be {found}, within {within}"
    about = fc.distance(a, b, relative_error=case["error"], within=truth).distance
    if not truth - ROUNDING * size <= about <= truth * (1.0 + case["error"]) + ROUNDING * size:
        return f"a distance of {truth} is told to be {about}, with an error of {case['error']}"
    return None


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Fewer and rounder numbers."""
    return fewer_and_rounder(case)
