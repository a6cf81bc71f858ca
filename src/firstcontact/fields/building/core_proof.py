"""Is a function that is trilinear in a cell within a tolerance of the distance to a convex core?

The distance is convex: nowhere above what is between corners, nowhere below its tangents (docs/fields.md).
"""

import numpy as np

from firstcontact._jit import driver, kernel
from firstcontact.arrays import Flags, Keys
from firstcontact.fields.building.cell_proof import Allowed, Cells, Corners, Frame
from firstcontact.fields.building.core_distance import core_extent
from firstcontact.fields.building.source import Core, value_of
from firstcontact.scalar.vec3 import Vec3, add, dot, sub

# A proof looks at parts of a cell, parts of those, and so on, this often: they cost time, and no memory.
DEEPEST_PROOF = 2

# Outcomes for a part: nothing is known; the function is nowhere off; it is off somewhere.
IS_OPEN, IS_PROVEN, IS_OFF = range(3)

Values = tuple[float, float, float, float, float, float, float, float]
Part = tuple[float, float, float, float]


@driver
def prove_core_range(
    core: Core,
    cells: Cells,
    corners: Corners,
    where: tuple[Frame, Allowed],
    parts: Keys,
    is_proven: Flags,
    span: tuple[int, int],
) -> None:
    """Decide about the cells [first, last); parts is room for DEEPEST_PROOF + 1 numbers."""
    frame, allowed = where
    for i in range(span[0], span[1]):
        ids, lowest, v = cells.corners[i], cells.lowest[i], corners.values
        values = (
            float(v[ids[0]]),
            float(v[ids[1]]),
            float(v[ids[2]]),
            float(v[ids[3]]),
            float(v[ids[4]]),
            float(v[ids[5]]),
            float(v[ids[6]]),
            float(v[ids[7]]),
        )
        place = lowest[0] * frame.width, lowest[1] * frame.width, lowest[2] * frame.width
        corner = add(frame.lower, place)
        is_proven[i] = _prove(core, corner, frame.width, values, allowed.tolerance, parts) == IS_PROVEN


@kernel
def _prove(core: Core, corner: Vec3, width: float, values: Values, tolerance: float, parts: Keys) -> int:
    """Prove a cell, or all parts of it, or all parts of those."""
    parts[:] = 0
    depth = 0
    while True:
        part = _place_of(parts, depth)
        outcome = _prove_part(core, corner, width, values, tolerance, part)
        if outcome == IS_OFF or (outcome == IS_OPEN and depth == DEEPEST_PROOF):
            return IS_OPEN
        if outcome == IS_OPEN:
            depth += 1
            continue
        parts[depth] += 1
        while depth > 0 and parts[depth] == 8:
            parts[depth] = 0
            depth -= 1
            parts[depth] += 1
        if depth == 0:
            return IS_PROVEN


@kernel
def _place_of(parts: Keys, depth: int) -> Part:
    """Lowest corner and width of a part, in [0, 1], by the numbers of the parts that it is in."""
    x, y, z, size = 0.0, 0.0, 0.0, 1.0
    for k in range(1, depth + 1):
        size *= 0.5
        i = parts[k]
        x, y, z = x + size * (i & 1), y + size * (i >> 1 & 1), z + size * (i >> 2)
    return x, y, z, size


@kernel
def _prove_part(core: Core, corner: Vec3, width: float, values: Values, tolerance: float, part: Part) -> int:
    """Set the function beside the tangent of the distance in the middle of a part."""
    x, y, z, size = part
    half = 0.5 * size
    middle = add(corner, (width * (x + half), width * (y + half), width * (z + half)))
    g = value_of(core, middle)[1]
    at_middle = dot(g, sub(middle, core.middle)) - core_extent(core.kind, core.half, g) - core.radius
    if between(values, x + half, y + half, z + half) - at_middle > tolerance:
        return IS_OFF
    most, h = -np.inf, width * half
    for k in range(8):
        a, b, c = float(k & 1), float(k >> 1 & 1), float(k >> 2)
        value = between(values, x + size * a, y + size * b, z + size * c)
        rise = h * ((2.0 * a - 1.0) * g[0] + (2.0 * b - 1.0) * g[1] + (2.0 * c - 1.0) * g[2])
        most = max(most, value - at_middle - rise)
    return IS_PROVEN if most <= tolerance else IS_OPEN


@kernel
def between(values: Values, x: float, y: float, z: float) -> float:
    """Value between corners, at a place in [0, 1] cubed."""
    a, b = values[0] + x * (values[1] - values[0]), values[2] + x * (values[3] - values[2])
    c, d = values[4] + x * (values[5] - values[4]), values[6] + x * (values[7] - values[6])
    e, f = a + y * (b - a), c + y * (d - c)
    return e + z * (f - e)
