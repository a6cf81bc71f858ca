"""The bodies of a scene, in columns: one row each, in the order of their arrival."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple
from weakref import ref

import numpy as np
from numpy.typing import NDArray

from firstcontact._turns import wholly
from firstcontact.advancement.ask import Ask
from firstcontact.arrays import Array
from firstcontact.bounds.body_bounds import corridors, swept_boxes
from firstcontact.motions.origin_range import OriginRange
from firstcontact.motions.plane_poses import lifted_points
from firstcontact.motions.rigid_motion import RigidMotion
from firstcontact.scene.body_rows import (
    CONVEX,
    DEFORMED,
    MESH,
    check_together,
    corridor_of_other,
    is_other,
    record_of,
    write_motion,
    write_record,
)
from firstcontact.scene.columns import Columns
from firstcontact.scene.plain_moves import all_moved, write_plain_moves
from firstcontact.scene.pose_pairs import Given
from firstcontact.scene.row_motions import row_motions
from firstcontact.scene.shape_numbers import MeshPlaces, ShapeNumbers
from firstcontact.shapes.bounded import HALF_SPACE, slab_for
from firstcontact.shapes.convex import RADIUS, ConvexTable
from firstcontact.shapes.convex_shape import table_of
from firstcontact.shapes.mesh import is_empty
from firstcontact.shapes.moving import Moving
from firstcontact.shapes.shape import Shape, shape_of

FEW = 64  # shapes without a body are no burden


class Reading:
    """Bodies that nobody changes while this lives: who edits the scene meanwhile edits a copy of them."""

    def __init__(self, bodies: "Bodies") -> None:
        self.bodies = bodies


class Present(NamedTuple):
    """Who is there and has points, (n_rows,), and the rows (k,), ascending, of those that deform."""

    is_active: NDArray[np.bool_]
    selves: NDArray[np.int32]


class Bodies:
    """Bodies that come, go and move. Rows are in the order of ids; `cleared` has no gaps among them.

    Each change is made wholly or not at all, whatever interrupts it: first all that is to be written is made
    ready, and then it is written, to its end.
    """

    def __init__(self) -> None:
        self.n_rows = 0
        self.columns = Columns.empty(0)
        self.names: list[str] = []
        self.shapes: list[Shape] = []
        self.row_of: dict[str, int] = {}
        # What does not move rigidly in one piece, or not exactly as in that.
        self.others: dict[int, Moving] = {}
        # Bodies without bounds: to all others they are slabs, as large as these need them.
        self.half_spaces: set[int] = set()
        self._n_arrived = 0
        self._numbers = ShapeNumbers()
        self._reading: ref[Reading] | None = None
        self._is_shared = False  # but for motions, by others that do not change
        self._shares_motions = False  # these too
        # What depends on who is there, and not on motions, since these last changed.
        self._present: Present | None = None
        self._margins: tuple[Ask, Array] | None = None
        self._every: NDArray[np.int64] | None = None

    def reading(self) -> Reading:
        """Give what keeps these bodies as they are, as long as somebody has it."""
        known = self._reading() if self._reading is not None else None
        if known is None:
            known = Reading(self)
            self._reading = ref(known)
        return known

    def to_change(self) -> "Bodies":
        """Give these bodies, or a copy of them where somebody is still reading."""
        return self.snapshot() if self._is_read() or self._is_shared else self

    def to_move(self) -> "Bodies":
        """Give these bodies, or, where somebody is still reading, others that share all but their motions.

        These are shared, too, until they are written.
        """
        if not self._is_read():
            return self
        if self.half_spaces:  # these are fitted to each step, in columns that would be shared
            return self.snapshot()
        new = Bodies.__new__(Bodies)  # a frame makes one: all that is there is known
        new.__dict__.update(self.__dict__)
        new._reading, new._is_shared, new._shares_motions = None, True, True
        new.others = self.others.copy()
        return new

    def _with_own_motions(self) -> None:
        """Share motions with nobody, so that they can be written."""
        if self._shares_motions:
            self.columns = self.columns.with_own_motions(self.n_rows)
            self._shares_motions = False

    def _is_read(self) -> bool:
        return self._reading is not None and self._reading() is not None

    def add(self, things: Mapping[str, Moving]) -> None:
        """Let bodies arrive."""
        check_together(things, self.row_of, self.shapes)
        first, n, arrived = self.n_rows, self.n_rows + len(things), self._n_arrived + len(things)
        columns, fresh = self.columns, Columns.empty(len(things))
        if n > len(columns.ids):
            columns = columns.grown(max(2 * len(columns.ids), n))
        for k, thing in enumerate(things.values()):
            self._write_shape(fresh, k, thing)
            write_motion(fresh, k, thing)
        fresh.ids[:], fresh.is_there[:] = np.arange(self._n_arrived, arrived), True
        shapes = [shape_of(thing) for thing in things.values()]
        rows = {name: row for row, name in enumerate(things, first)}
        others = {row: things[name] for name, row in rows.items() if is_other(things[name])}
        unbounded = {rows[name] for name, thing in things.items() if thing.kind is HALF_SPACE}

        def change() -> None:
            columns.put(slice(first, n), fresh)
            self.columns, self.names[first:], self.shapes[first:] = columns, list(things), shapes
            self.row_of.update(rows)
            self.others.update(others)
            self.half_spaces |= unbounded
            self.n_rows, self._n_arrived = n, arrived
            self._forget()

        wholly(change)

    def remove(self, *names: str) -> list[int]:
        """Let bodies leave; return their ids."""
        rows = [self.row_of[name] for name in names]

        def change() -> None:
            for name, row in zip(names, rows, strict=True):
                self.row_of.pop(name, None)
                self.others.pop(row, None)
                self.half_spaces.discard(row)
            self.columns.is_there[rows] = False
            self._forget()

        wholly(change)
        ids: list[int] = self.columns.ids[rows].tolist()
        return ids

    def update(self, things: Mapping[str, Moving]) -> None:
        """Give bodies other motions, or shapes."""
        check_together(things, self.row_of, self.shapes)
        rows = [self.row_of[name] for name in things]
        fresh = self.columns.taken(rows)
        for k, (row, thing) in enumerate(zip(rows, things.values(), strict=True)):
            if thing.shape is not self.shapes[row] or fresh.kinds[k] in DEFORMED:
                self._write_shape(fresh, k, thing)
            write_motion(fresh, k, thing)

        def change() -> None:
            self.columns.put(rows, fresh)
            for row, thing in zip(rows, things.values(), strict=True):
                self.shapes[row] = shape_of(thing)
                if is_other(thing):
                    self.others[row] = thing
                else:
                    self.others.pop(row, None)
                (self.half_spaces.add if thing.kind is HALF_SPACE else self.half_spaces.discard)(row)
            self._forget()

        wholly(change)
        self._drop_shapes()

    def move_plainly(self, rows: NDArray[np.int64], given: Given) -> NDArray[np.int64] | None:
        """Give many bodies other rigid motions, as they were given; None, and nothing, where one is wrong.

        Corridors are written on the way: boxes need no second look at what moves. Returns who has another
        motion than before.
        """
        if self.others:
            return None
        if len(given.ends) > 0 and rows is self._every:  # all go from pose to pose
            found = all_moved(given, self.columns, self._shares_motions)
            if found is None:
                return None
            self.columns, has_moved = found
            self._shares_motions = False
            return np.flatnonzero(has_moved)
        self._with_own_motions()
        if not write_plain_moves(rows, given, self.columns):
            return None
        self.columns.is_stale[rows] = False
        return rows

    def move(self, rows: NDArray[np.int64], pieces: Array, translations: Array) -> None:
        """Give many bodies other rigid motions, (n, 26), and the translations (n, 3) they start with."""
        self._with_own_motions()
        columns = self.columns
        columns.write(rows)
        kinds = np.where(columns.shape_ids[rows] >= 0, CONVEX, MESH)
        kinds[kinds == MESH] = [self.shapes[row].kind for row in rows[kinds == MESH].tolist()]
        kinds[kinds == int(HALF_SPACE)] = CONVEX

        def change() -> None:
            columns.is_posed[rows] = False
            columns.pieces[rows], columns.places[rows] = pieces, translations
            columns.is_stale[rows], columns.kinds[rows] = True, kinds
            if self.others:
                for row in rows.tolist():
                    self.others.pop(row, None)

        wholly(change)

    @classmethod
    def restored(cls, things: Mapping[str, Moving], ids: NDArray[np.int64], n_arrived: int) -> "Bodies":
        """Make bodies that have their ids, ascending, from when so many had arrived."""
        new = cls()
        new.add(things)
        new.columns.ids[: len(ids)], new._n_arrived = ids, n_arrived
        return new

    @property
    def n_arrived(self) -> int:
        """How many have ever arrived: the next one's id."""
        return self._n_arrived

    @property
    def dimension(self) -> int:
        """How many coordinates a user gives for a point: 2 where all bodies are in the plane, else 3."""
        return next((self.shapes[row].dimension for row in self.row_of.values()), 3)

    def thing(self, row: int) -> Moving:
        """Give a body as it is."""
        return self.others[row] if row in self.others else self._moving(np.array([row]), False)

    def batch(self, rows: NDArray[np.int32]) -> Moving:
        """Give bodies of one shape, in one piece of motion each, as a batch."""
        return self._moving(rows, True)

    def _moving(self, rows: NDArray[Any], is_batch: bool) -> Moving:
        return Moving(self.shapes[rows[0]], replace(self.motions(rows), is_batch=is_batch))

    def motions(self, rows: NDArray[Any]) -> RigidMotion:
        """Give the motions of bodies, of any shapes, that move in one piece each."""
        self.columns.write(np.asarray(rows, np.int64))
        return row_motions(self.columns.pieces, self.columns.places, self.others, rows)

    def things(self) -> dict[str, Moving]:
        """Give all bodies as they are, by name."""
        return {name: self.thing(row) for name, row in self.row_of.items()}

    def ids(self) -> NDArray[np.int64]:
        """Give the ids of all bodies, in order."""
        ids: NDArray[np.int64] = self.columns.ids[: self.n_rows][self.columns.is_there[: self.n_rows]]
        return ids

    def every_row(self) -> NDArray[np.int64]:
        """Give all rows, in order; the same array until bodies come or go."""
        if self._every is None or len(self._every) != self.n_rows:
            self._every = np.arange(self.n_rows)
        return self._every

    def are_all(self, ids: NDArray[Any]) -> bool:
        """Are these the ids of all bodies, in order, none of which has left or deforms?"""
        own = self.columns.ids[: self.n_rows]
        if self.others or not len(ids) == len(self.row_of) == self.n_rows:
            return False
        return ids.dtype.kind in "iu" and ids.shape == own.shape and bool((ids == own).all())

    def rows_of_ids(self, ids: NDArray[np.int64]) -> NDArray[np.int64]:
        """Find the rows of ids; -1 for those that are not there."""
        own = self.columns.ids[: self.n_rows]
        rows = np.minimum(np.searchsorted(own, ids), max(self.n_rows - 1, 0))
        if self.n_rows == 0:
            return np.full(len(ids), -1, np.int64)
        return np.where((own[rows] == ids) & self.columns.is_there[rows], rows, -1)

    def present(self) -> Present:
        """Say who is there, and has points at all; and who deforms."""
        found = self._present
        if found is None:
            columns, n = self.columns, self.n_rows
            is_active = columns.is_there[:n].copy()
            for row in np.flatnonzero(columns.sizes[:n] == 0.0).tolist():
                is_active[row] &= not is_empty(self.shapes[row])
            selves = np.flatnonzero(is_active & np.isin(columns.kinds[:n], DEFORMED)).astype(np.int32)
            found = self._present = Present(is_active, selves)
        return found

    def margins(self, ask: Ask) -> Array:
        """By how much to widen what bodies sweep, (n_rows,)."""
        known = self._margins
        if known is None or known[0] != ask:
            known = self._margins = ask, ask.margins(self.columns.sizes[: self.n_rows])
        return known[1]

    def _forget(self) -> None:
        """Forget what depends on who is there."""
        self._present = self._margins = None

    def table(self) -> ConvexTable:
        """Give the table of all convex shapes, joined once."""
        return self._numbers.table()

    def meshes(self) -> MeshPlaces:
        """Give the table of all small meshes, joined once, and where each is."""
        return self._numbers.meshes()

    def boxes(self, margins: Array) -> Array:
        """Give the boxes (n_rows, 6) that the bodies sweep, widened; all corridors are up to date then."""
        columns, n = self.columns, self.n_rows
        stale = np.flatnonzero(columns.is_stale[:n])
        if len(stale) > 0:
            columns.write(stale)
            columns.corridors[stale] = corridors(columns.records[stale], columns.pieces[stale])
            for row in sorted(self.others.keys() & set(stale[columns.kinds[stale] > MESH].tolist())):
                columns.corridors[row] = corridor_of_other(self.others[row], columns.records[row])
            columns.is_stale[stale] = False
        return swept_boxes(columns.corridors[:n], margins)

    def fitted_half_spaces(self) -> NDArray[np.int64]:
        """Let half-spaces be as large as all others need them to be; give their ids."""
        rows, columns, n = sorted(self.half_spaces), self.columns, self.n_rows
        if not rows:
            return np.empty(0, np.int64)
        is_bounded = columns.is_there[:n].copy()
        is_bounded[rows] = False
        boxes = self.boxes(np.zeros(n))[is_bounded]
        lower, upper = boxes[:, :3].min(axis=0, initial=np.inf), boxes[:, 3:].max(axis=0, initial=-np.inf)
        if len(boxes) == 0:
            lower = upper = np.zeros(3)
        middle, half = 0.5 * lower + 0.5 * upper, np.linalg.norm(0.5 * upper - 0.5 * lower)
        others = OriginRange(middle[np.newaxis], np.array([half]))
        for row in rows:
            slab = shape_of(slab_for(self.thing(row), others))
            write_record(columns, row, table_of(slab).records[0])
            columns.shape_ids[row], columns.is_stale[row] = self._numbers.of(slab), True
        self._forget()
        return columns.ids[rows]

    def cleared(self) -> "Bodies":
        """Give the bodies that are there, in rows without gaps."""
        rows = np.flatnonzero(self.columns.is_there[: self.n_rows])
        new = Bodies()
        new.n_rows, new._n_arrived, new.columns = len(rows), self._n_arrived, self.columns.taken(rows)
        for row, old in enumerate(rows.tolist()):
            new.names.append(self.names[old])
            new.shapes.append(self.shapes[old])
            new.row_of[self.names[old]] = row
            if old in self.others:
                new.others[row] = self.others[old]
            if old in self.half_spaces:
                new.half_spaces.add(row)
            new.columns.shape_ids[row] = new._numbers.of(self.shapes[old])
        return new

    def snapshot(self) -> "Bodies":
        """Give a copy that does not change when this does."""
        new = Bodies()
        new.n_rows, new._n_arrived = self.n_rows, self._n_arrived
        new.columns = self.columns.taken(slice(self.n_rows))
        new.names, new.shapes, new.row_of = self.names.copy(), self.shapes.copy(), self.row_of.copy()
        new.others, new._numbers = self.others.copy(), self._numbers.copy()
        new.half_spaces = self.half_spaces.copy()
        return new

    def _drop_shapes(self) -> None:
        """Drop shapes that no body has any more, once they are many."""
        if len(self._numbers) <= 2 * self.n_rows + FEW:
            return
        numbers = ShapeNumbers()
        shape_ids = np.array(numbers.all_of(self.shapes), np.int32)

        def change() -> None:
            self._numbers = numbers
            self.columns.shape_ids[: self.n_rows] = shape_ids

        wholly(change)

    def _write_shape(self, columns: Columns, row: int, thing: Moving) -> None:
        shape, record = shape_of(thing), record_of(thing)
        record[RADIUS] += shape.thickness
        write_record(columns, row, record)
        columns.centers[row] = lifted_points(np.asarray(shape.centroid))
        columns.shape_ids[row] = self._numbers.of(shape)
