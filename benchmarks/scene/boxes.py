"""I-COLLIDE's two kinds of boxes, fixed cubes and boxes that fit, and its two ways to sort them.

A fixed cube holds its body however that turns: only its middle moves. Seconds are those of the processor for
each frame after the first few: to make the boxes of all bodies, in NumPy, and to find all pairs.
"""

from time import process_time
from typing import NamedTuple

import numpy as np

from firstcontact.broadphase.sweep_and_prune import SweepAndPrune
from report.section import Lines, Target
from report.tables import milliseconds
from scene.cases import TURN, WARM_UP, Array, Crowd, Frame, crowd, frames, swept_boxes
from scene.planes import Planes

FITTING, CUBES = "boxes that fit", "fixed cubes"
ONE_DIMENSION, IN_CELLS, TWO_DIMENSIONS = "sweep, one cell", "sweep", "two-dimensional"
_NO_LIMIT = 1 << 30


class Boxed(NamedTuple):
    """Boxes of a kind, of n bodies that turn by an angle a frame: seconds, and means of counts."""

    kind: str
    n_bodies: int
    degrees: float
    making: float
    seconds: dict[str, float]
    pairs: float
    swaps: float
    rectangles: float
    is_same: bool


def fixed_cubes(bodies: Crowd, frame: Frame) -> Array:
    """Cubes (n, 6) that hold bodies throughout a frame, however they turn: corners are at a distance of 1."""
    lower = np.minimum(frame.places_t0, frame.places_t1) - 1.0
    return np.concatenate([lower, np.maximum(frame.places_t0, frame.places_t1) + 1.0], axis=1)


MAKERS = {FITTING: swept_boxes, CUBES: fixed_cubes}


def run_boxes(n: int, n_frames: int, turn: float = TURN) -> list[Boxed]:
    """Both kinds of boxes on the same frames, and all ways to find their pairs."""
    bodies, is_active = crowd(n), np.ones(n, np.bool_)
    found = []
    for kind, make in MAKERS.items():
        in_cells, one, planes = SweepAndPrune(), SweepAndPrune(cell_size=_NO_LIMIT), Planes()
        rows, is_same = [], True
        for frame in frames(bodies, n_frames + WARM_UP, turn):
            times = [process_time()]
            boxes = make(bodies, frame) if kind == CUBES else swept_boxes(bodies, frame, turn)
            times.append(process_time())
            one.update(boxes, is_active)
            listed = one.pairs()
            times.append(process_time())
            in_cells.update(boxes, is_active)
            others = in_cells.pairs()
            times.append(process_time())
            flat = planes.pairs(boxes)
            times.append(process_time())
            is_same &= np.array_equal(listed, others) and np.array_equal(listed, flat)
            rows.append((*np.diff(times), len(listed), one.changes.swaps, planes.n_rectangles))
        middle, mean = np.median(rows[WARM_UP:], axis=0), np.mean(rows[WARM_UP:], axis=0)
        ways = dict(zip((ONE_DIMENSION, IN_CELLS, TWO_DIMENSIONS), middle[1:4].tolist(), strict=True))
        counts = mean[4:].tolist()
        found.append(Boxed(kind, n, float(np.degrees(turn)), float(middle[0]), ways, *counts, is_same))
    return found


def box_lines(results: list[Boxed]) -> Lines:
    """Milliseconds a frame of each kind of boxes and each way, and what they count."""
    ways = (ONE_DIMENSION, IN_CELLS, TWO_DIMENSIONS)
    head = ("boxes", "bodies", "degrees a frame", "to make", *ways, "pairs", "ends swapped", "rectangles")
    lines: Lines = [(*head, "same pairs")]
    for one in results:
        times = [milliseconds(one.making), *(milliseconds(one.seconds[way]) for way in ways)]
        counts = [f"{count:,.0f}" for count in (one.pairs, one.swaps, one.rectangles)]
        same = "yes" if one.is_same else "NO"
        lines.append((one.kind, f"{one.n_bodies:,}", f"{one.degrees:g}", *times, *counts, same))
    return lines


def box_targets(results: list[Boxed]) -> list[Target]:
    """The same pairs from all ways."""
    same = all(one.is_same for one in results)
    return [Target("the same pairs from one dimension and from two", "yes" if same else "no", same)]
