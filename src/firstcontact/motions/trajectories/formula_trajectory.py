"""Trajectories by formulas of time, with bounds of their derivatives from jets."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import driver, kernel
from firstcontact.arrays import Array
from firstcontact.motions.trajectories.formula_states import bends_of, state_of
from firstcontact.motions.trajectories.smooth_rows import Bends, write_smooth_row
from firstcontact.scalar.jets import N_JET, SECOND, VALUE, Tape, write_jets

# Cells of equal length that [0, 1] is cut into, for bounds that hold over long stretches: to begin with, and
# at the most, where bounds over longer ones are infinite.
N_CELLS, MOST_CELLS = 64, 4096

LINEAR, ANGULAR = 0, 1

# A tape, constants (n, k) of n formulas that differ in them alone, and the places of results, int32.
Formula = tuple[Tape, Array, NDArray[np.int32]]


@dataclass(frozen=True, eq=False, repr=False)
class FormulaTrajectory:
    """Trajectories of n frames, by formulas that differ in their constants alone.

    Attributes
    ----------
    tape : of the first of them
    constants : (n, k) of all
    outputs : (3 to 12,) int32, places of results, as in `formula_states`
    cells : (n, c, 2) bounds of the accelerations of the origin, and of the angular ones, in equal parts of
        [0, 1]
    is_batch : whether they were given as a batch
    """

    tape: Tape
    constants: Array
    outputs: NDArray[np.int32]
    cells: Array
    is_batch: bool

    def __len__(self) -> int:
        return len(self.constants)

    def write_rows(
        self, which: NDArray[np.intp], starts: Array, ends: Array, reaches: Array, rows: Array
    ) -> None:
        """Write m pieces (m, N_COLUMNS)."""
        _write_rows(self.formula, which, starts, ends, reaches, rows, self.cells)

    def poses(self, t: float) -> Array:
        """Give the poses at t, (n, 4, 4), to rounding."""
        poses = np.zeros((len(self), 4, 4))
        _write_poses(self.formula, t, poses)
        return poses

    @property
    def formula(self) -> Formula:
        """The formulas, for compiled code."""
        return self.tape, self.constants, self.outputs

    def __repr__(self) -> str:
        count = f"{len(self)} motions, " if self.is_batch else ""
        return f"motion({count}{len(self.tape.codes)} operations)"


def cells_of(tape: Tape, constants: Array, outputs: NDArray[np.int32]) -> tuple[Array, int]:
    """Bounds of both accelerations in equal parts of [0, 1], and the place of the first that is infinite.

    The place is -1 where all are finite, at the latest in `MOST_CELLS` parts.
    """
    n_cells, fault = N_CELLS, 0
    while n_cells <= MOST_CELLS:
        cells = np.empty((len(constants), n_cells, 2))
        fault = _write_cells((tape, constants, outputs), cells)
        if fault < 0:
            return cells, fault
        n_cells *= 8
    return cells, fault


@driver
def _write_cells(formula: Formula, cells: Array) -> int:
    """Bound the accelerations in all cells; return the first place of a tape that is unbounded, or -1."""
    tape, constants, outputs = formula
    jets, n_cells = np.empty((len(tape.codes), N_JET)), cells.shape[1]
    for i in range(len(constants)):
        own = Tape(tape.codes, tape.left, tape.right, constants[i])
        for k in range(n_cells):
            write_jets(own, k / n_cells, (k + 1) / n_cells, jets)
            bends = bends_of(jets, outputs)
            cells[i, k, LINEAR], cells[i, k, ANGULAR] = bends.linear, bends.angular
            if not (bends.linear < np.inf and bends.angular < np.inf):
                return _unbounded(jets)
    return -1


@kernel
def _unbounded(jets: Array) -> int:
    """Place of the first operation that is not bounded; the number of all where each of them is."""
    for k in range(len(jets)):
        for c in range(VALUE, SECOND + 2):
            if not abs(jets[k, c]) < np.inf:
                return k
    return len(jets)


@driver
def _write_rows(
    formula: Formula,
    which: NDArray[np.intp],
    starts: Array,
    ends: Array,
    reaches: Array,
    rows: Array,
    cells: Array,
) -> None:
    jets = np.empty((len(formula[0].codes), N_JET))
    for k in range(len(which)):
        write_formula_row(formula, cells, jets, which[k], (starts[k], ends[k]), reaches[k], rows[k])


@kernel
def write_formula_row(
    formula: Formula,
    cells: Array,
    jets: Array,
    i: int,
    times: tuple[float, float],
    reach: float,
    row: Array,
) -> None:
    """Write a piece of the motion of frame i, from a start to an end; `jets` is room to work in."""
    tape, constants, outputs = formula
    start, end = times
    own = Tape(tape.codes, tape.left, tape.right, constants[i])
    bends = _over_cells(cells[i], start, end)
    if end - start < 1.0 / cells.shape[1]:
        write_jets(own, start, end, jets)
        near = bends_of(jets, outputs)
        bends = Bends(min(bends.linear, near.linear), min(bends.angular, near.angular))
    middle = min(max(0.5 * start + 0.5 * end, start), end)
    write_jets(own, middle, middle, jets)
    write_smooth_row(state_of(jets, outputs), bends, (start, end, middle), reach, row)


@kernel
def _over_cells(cells: Array, start: float, end: float) -> Bends:
    """Largest bounds of all cells that a stretch is in."""
    n = len(cells)
    first, last = max(int(start * n) - 1, 0), min(int(end * n) + 1, n - 1)
    linear, angular = 0.0, 0.0
    for k in range(first, last + 1):
        # A cell beside the stretch counts only where rounding leaves open whether it is in it.
        if k / n <= end and (k + 1) / n >= start:
            linear, angular = max(linear, cells[k, LINEAR]), max(angular, cells[k, ANGULAR])
    return Bends(linear, angular)


@driver
def _write_poses(formula: Formula, t: float, poses: Array) -> None:
    tape, constants, outputs = formula
    jets = np.empty((len(tape.codes), N_JET))
    for i in range(len(poses)):
        write_jets(Tape(tape.codes, tape.left, tape.right, constants[i]), t, t, jets)
        state = state_of(jets, outputs)
        poses[i, 3, 3] = 1.0
        for j in range(3):
            poses[i, j, 3] = state.place[j]
            for k in range(3):
                poses[i, j, k] = state.rotation[3 * j + k]
