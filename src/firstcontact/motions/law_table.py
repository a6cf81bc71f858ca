"""Laws of motion as compiled code reads them: a search makes pieces of them where it needs them.

Throws, splines and formulas are such laws, also mixed, as in a scene, but for formulas that differ in more
than numbers. Others give their pieces from Python, round by round.
"""

from collections.abc import Sequence
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from firstcontact._jit import kernel
from firstcontact.arrays import Array, Ids
from firstcontact.motions.acceleration import ConstantAcceleration, write_thrown_row
from firstcontact.motions.law import Law
from firstcontact.motions.laws_of_many import LawsOfMany
from firstcontact.motions.rigid_motion import DEVIATION, N_COLUMNS, RigidMotion
from firstcontact.motions.smooth import Smooth
from firstcontact.motions.trajectories.formula_trajectory import (
    Formula,
    FormulaTrajectory,
    write_formula_row,
)
from firstcontact.motions.trajectories.several_trajectories import SeveralTrajectories
from firstcontact.motions.trajectories.spline_trajectory import SplineTrajectory, write_spline_row
from firstcontact.motions.trajectories.trajectory import Trajectory
from firstcontact.scalar.jets import N_JET, Tape

# Kinds of law: none, for pieces that are exact; a constant acceleration; polynomials; formulas.
EXACT, THROWN, BY_SPLINE, BY_FORMULA = range(4)


class Formulas(NamedTuple):
    """Formulas, and what is known of them in cells of time."""

    formula: Formula
    cells: Array


class LawTable(NamedTuple):
    """Laws of n motions.

    kinds : (n,) int32
    numbers : (m, k) of throws a piece and the acceleration, of splines those of `SplineTrajectory`
    members : (n,) int32, the row of numbers, or the formula, of each motion
    reaches : (n,) how far no point of the body is from its origin, where that matters
    formulas : None where nothing moves by one: they take the compiler longest
    """

    kinds: Ids
    numbers: Array
    members: Ids
    reaches: Array
    formulas: Formulas | None


# Pieces and laws of single motions, kept as long as these live.
_FOLLOWED: WeakKeyDictionary[RigidMotion, tuple[Array, LawTable]] = WeakKeyDictionary()

# Of a and of b.
LawTables = tuple[LawTable, LawTable]


class OneLaw(NamedTuple):
    """The law of one motion; as in a table, and its number there."""

    kind: int
    numbers: Array
    member: int
    reach: float
    formulas: Formulas | None


class BothLaws(NamedTuple):
    """Laws of two motions, and room for a piece of each, (2, N_COLUMNS), and for the jets of a formula."""

    a: OneLaw
    b: OneLaw
    room: Array
    jets: Array


_NO_NUMBERS, _NO_IDS = np.zeros((1, 0)), np.empty(0, np.int32)
NO_LAW = LawTable(np.zeros(1, np.int32), _NO_NUMBERS, np.zeros(1, np.int32), np.zeros(1), None)
_NO_FORMULAS = Formulas(
    (Tape(_NO_IDS, _NO_IDS, _NO_IDS, np.empty(0)), np.empty((0, 0)), _NO_IDS), np.empty((0, 0, 2))
)


def law_tables(a: RigidMotion, b: RigidMotion) -> LawTables | None:
    """Tables of the laws of two motions; None where both are exact, or one is not for compiled code."""
    if a.law is None and b.law is None:
        return None
    one, other = law_table(a), law_table(b)
    if one is None or other is None:
        return None
    return alike(one, other)


def alike(one: LawTable, other: LawTable) -> LawTables:
    """Make tables of one type, to the compiler, whether one has formulas or not."""
    if one.formulas is None and other.formulas is not None:
        return one._replace(formulas=_NO_FORMULAS), other
    if one.formulas is not None and other.formulas is None:
        return one, other._replace(formulas=_NO_FORMULAS)
    return one, other


def law_table(motion: RigidMotion) -> LawTable | None:
    """Table of the laws of a motion, or of a batch; None for those that are not for compiled code."""
    if motion.law is None:
        n = len(motion)
        return _of_kind(EXACT, _NO_NUMBERS, np.zeros(n, np.int32), np.zeros(n))
    return _table_of(motion.law)


def followed_rows(motion: RigidMotion) -> tuple[Array, LawTable] | None:
    """Pieces of one motion, one after the other, and its law; None of a batch, and of other laws."""
    if motion.is_batch or len(motion.pieces) != 1:
        return None
    found = _FOLLOWED.get(motion)
    if found is None:
        law = law_table(motion)
        if law is not None:
            found = np.ascontiguousarray(motion.pieces).reshape(-1), law
            _FOLLOWED[motion] = found
    return found


def _table_of(law: Law) -> LawTable | None:
    if isinstance(law, ConstantAcceleration):
        n, numbers = len(law.pieces), np.concatenate([law.pieces[:, 0], law.accelerations], axis=1)
        return _of_kind(THROWN, numbers, np.arange(n, dtype=np.int32), np.zeros(n))
    if isinstance(law, Smooth):
        return _along(law.trajectory, law.members, law.reaches)
    if isinstance(law, LawsOfMany):
        return _joined([_table_of(one) for one in law.laws], law.kinds, law.members)
    return None


def _along(trajectory: Trajectory, members: NDArray[np.intp], reaches: Array) -> LawTable | None:
    """Table of bodies that follow frames of a trajectory."""
    own = members.astype(np.int32)
    if isinstance(trajectory, SplineTrajectory):
        return _of_kind(BY_SPLINE, trajectory.numbers, own, reaches)
    if isinstance(trajectory, FormulaTrajectory):
        table = _of_kind(BY_FORMULA, _NO_NUMBERS, own, reaches)
        return table._replace(formulas=Formulas(trajectory.formula, trajectory.cells))
    if isinstance(trajectory, SeveralTrajectories):
        parts = trajectory.trajectories
        tables = [_along(part, np.arange(len(part)), np.zeros(len(part))) for part in parts]
        whole = _joined(tables, trajectory.kinds[members], trajectory.members[members])
        return None if whole is None else whole._replace(reaches=reaches)
    return None


def _joined(
    tables: Sequence[LawTable | None], which: NDArray[np.intp], members: NDArray[np.intp]
) -> LawTable | None:
    """Table of motions, each with a number in one of some tables, -1 for none; of one formula at most."""
    found = [table for table in tables if table is not None]
    formulas = [table.formulas for table in found if table.formulas is not None]
    if len(found) < len(tables) or len(formulas) > 1:
        return None
    heights, widths = zip(*(table.numbers.shape for table in found), strict=True)
    numbers, before = np.zeros((sum(heights), max(widths))), np.cumsum([0, *heights])
    whole = _of_kind(EXACT, numbers, np.zeros(len(which), np.int32), np.zeros(len(which)))
    for k, table in enumerate(found):
        numbers[before[k] : before[k + 1], : widths[k]] = table.numbers
        own = np.flatnonzero(which == k)
        kinds, rows = table.kinds[members[own]], table.members[members[own]]
        whole.kinds[own], whole.reaches[own] = kinds, table.reaches[members[own]]
        whole.members[own] = np.where(kinds == BY_FORMULA, rows, rows + before[k])
    return whole._replace(formulas=formulas[0]) if formulas else whole


def _of_kind(kind: int, numbers: Array, members: Ids, reaches: Array) -> LawTable:
    return LawTable(np.full(len(members), kind, np.int32), numbers, members, reaches, None)


@kernel
def laws_of(tables: LawTables | None, i: int, j: int, room: Array, jets: Array) -> BothLaws | None:
    """Laws of motion i of a and j of b; nothing where there are no tables."""
    if tables is None:
        return None
    return BothLaws(_law_of(tables[0], i), _law_of(tables[1], j), room, jets)


@kernel
def _law_of(table: LawTable, i: int) -> OneLaw:
    member = int(np.int64(table.members[i]))
    row = min(member, len(table.numbers) - 1)
    return OneLaw(int(np.int64(table.kinds[i])), table.numbers[row], member, table.reaches[i], table.formulas)


@kernel
def room_for(tables: LawTables | None) -> tuple[Array, Array]:
    """Room to make pieces of two motions in, and jets."""
    if tables is None:
        return np.empty((0, N_COLUMNS)), np.empty((0, N_JET))
    n = max(_n_operations(tables[0].formulas), _n_operations(tables[1].formulas))
    return np.empty((2, N_COLUMNS)), np.empty((n, N_JET))


@kernel
def _n_operations(formulas: Formulas | None) -> int:
    return 0 if formulas is None else len(formulas.formula[0].codes)


@kernel
def write_law_row(law: OneLaw, times: tuple[float, float], piece: Array, row: Array, jets: Array) -> bool:
    """Write a piece of a motion, from a start to an end; False where the one that it has is exact."""
    if law.kind == EXACT or piece[DEVIATION] == 0.0:
        return False
    if law.kind == THROWN:
        write_thrown_row(law.numbers[:N_COLUMNS], law.numbers[N_COLUMNS : N_COLUMNS + 3], times, row)
    elif law.kind == BY_SPLINE:
        write_spline_row(law.numbers, times, law.reach, row)
    else:
        _write_formula(law.formulas, law.member, times, law.reach, row, jets)
    return True


@kernel
def _write_formula(
    formulas: Formulas | None, member: int, times: tuple[float, float], reach: float, row: Array, jets: Array
) -> None:
    if formulas is not None:  # else nothing of it is compiled
        write_formula_row(formulas.formula, formulas.cells, jets, member, times, reach, row)
