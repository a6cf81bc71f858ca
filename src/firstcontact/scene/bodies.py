"""The bodies of a scene, in columns: one row each, in the order of their arrival."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from difflib import get_close_matches
from typing import Any

import numpy as np
from numpy.typing import NDArray

from firstcontact._validate import as_name, shown
from firstcontact.bounds.body_bounds import (
    N_CORRIDOR,
    bound_record,
    bounds_of,
    corridor_of_box,
    corridor_of_points,
    corridors,
    swept_boxes,
)
from firstcontact.motions.deformation import Deformation
from firstcontact.motions.rigid_motion import N_COLUMNS as N_MOTION
from firstcontact.motions.rigid_motion import RigidMotion
from firstcontact.shapes.convex import N_COLUMNS as N_SHAPE
from firstcontact.shapes.convex import RADIUS, REACH, ConvexTable, joined
from firstcontact.shapes.convex_shape import ConvexShape
from firstcontact.shapes.mesh import Mesh, as_moving
from firstcontact.shapes.moving import Moving
from firstcontact.shapes.shape import Shape

Array = NDArray[np.float64]

# What a body is: a convex shape or a mesh in one piece of rigid motion, either in several, a deforming mesh.
CONVEX, MESH, IN_PIECES, DEFORMING = range(4)

# So many shapes without a body are no burden.
FEW = 64

_WHOLE_STEP = np.array([0.0, 1.0])


@dataclass
class Columns:
    """What is known of n bodies.

    ids : (n,) int64
    is_there : (n,) bool, False for those that have left
    is_stale : (n,) bool, whether the corridor is that of another motion
    kinds : (n,) int8
    shape_ids : (n,) int32, the same for the same shape: its number in the table of convex shapes; of a mesh,
        a negative number
    sizes : (n,) twice the farthest that a point is from the middle
    records : (n, N_SHAPE) the shape, for its bounds
    centers : (n, 3) centroids
    rows, translations : (n, 24) and (n, 3), motion and first translation of what moves in one piece
    corridors : (n, N_CORRIDOR)
    """

    ids: NDArray[np.int64]
    is_there: NDArray[np.bool_]
    is_stale: NDArray[np.bool_]
    kinds: NDArray[np.int8]
    shape_ids: NDArray[np.int32]
    sizes: Array
    records: Array
    centers: Array
    rows: Array
    translations: Array
    corridors: Array

    @classmethod
    def empty(cls, n: int) -> "Columns":
        """Room for n bodies, none of which is there."""
        ids, flags, kinds = np.zeros(n, np.int64), np.zeros((2, n), np.bool_), np.zeros(n, np.int8)
        widths = (N_SHAPE, 3, N_MOTION, 3, N_CORRIDOR)
        parts = [np.zeros((n, width)) for width in widths]
        return cls(ids, flags[0], flags[1], kinds, np.full(n, -1, np.int32), np.zeros(n), *parts)

    def taken(self, rows: Any) -> "Columns":
        """Copy some of the bodies, by their rows, into columns of their own."""
        return Columns(*(getattr(self, field.name)[rows].copy() for field in fields(self)))

    def grown(self, n: int) -> "Columns":
        """Copy all bodies into columns with room for n."""
        larger = Columns.empty(n)
        for field in fields(self):
            own = getattr(self, field.name)
            getattr(larger, field.name)[: len(own)] = own
        return larger


class Bodies:
    """Bodies that come, go and move. Rows are in the order of ids; `cleared` has no gaps among them."""

    def __init__(self) -> None:
        self.n_rows = 0
        self.columns = Columns.empty(0)
        self.names: list[str] = []
        self.shapes: list[Shape] = []
        self.row_of: dict[str, int] = {}
        # What does not move rigidly in one piece.
        self.others: dict[int, Moving] = {}
        self._n_arrived = 0
        self._tables: list[ConvexTable] = []
        self._shape_ids: dict[Shape, int] = {}
        self._joined: ConvexTable | None = None

    def add(self, things: Mapping[str, Moving]) -> None:
        """Let bodies arrive."""
        first, n = self.n_rows, self.n_rows + len(things)
        if n > len(self.columns.ids):
            self.columns = self.columns.grown(max(2 * len(self.columns.ids), n))
        for row, (name, thing) in enumerate(things.items(), first):
            self.names.append(name)
            self.shapes.append(thing.shape)
            self.row_of[name] = row
            self._write_shape(row, thing)
            self._write_motion(row, thing)
        self.columns.ids[first:n] = np.arange(self._n_arrived, self._n_arrived + len(things))
        self.columns.is_there[first:n] = True
        self._n_arrived, self.n_rows = self._n_arrived + len(things), n

    def remove(self, name: str) -> int:
        """Let a body leave; return its id."""
        row = self.row_of.pop(name)
        self.columns.is_there[row] = False
        self.others.pop(row, None)
        return int(self.columns.ids[row])

    def update(self, things: Mapping[str, Moving]) -> None:
        """Give bodies other motions, or shapes."""
        for name, thing in things.items():
            row = self.row_of[name]
            if thing.shape is not self.shapes[row] or self.columns.kinds[row] == DEFORMING:
                self.shapes[row] = thing.shape
                self._write_shape(row, thing)
            self._write_motion(row, thing)
        self._drop_shapes()

    def move(self, rows: NDArray[np.int64], pieces: Array, translations: Array) -> None:
        """Give many bodies other rigid motions, (n, 24), and the translations (n, 3) they start with."""
        columns = self.columns
        columns.rows[rows], columns.translations[rows] = pieces, translations
        columns.is_stale[rows] = True
        is_convex = columns.shape_ids[rows] >= 0
        columns.kinds[rows] = np.where(is_convex, CONVEX, MESH)
        if self.others:
            for row in rows.tolist():
                self.others.pop(row, None)

    def thing(self, row: int) -> Moving:
        """Give a body as it is."""
        return self.others[row] if row in self.others else self._moving(np.array([row]), False)

    def batch(self, rows: NDArray[np.int32]) -> Moving:
        """Give bodies of one shape, in one piece of motion each, as a batch."""
        return self._moving(rows, True)

    def _moving(self, rows: NDArray[Any], is_batch: bool) -> Moving:
        pieces, translations = (
            self.columns.rows[rows, np.newaxis],
            self.columns.translations[rows, np.newaxis],
        )
        return Moving(self.shapes[rows[0]], RigidMotion(pieces, translations, _WHOLE_STEP, is_batch))

    def rows_of_ids(self, ids: NDArray[np.int64]) -> NDArray[np.int64]:
        """Find the rows of ids; -1 for those that are not there."""
        own = self.columns.ids[: self.n_rows]
        rows = np.minimum(np.searchsorted(own, ids), max(self.n_rows - 1, 0))
        if self.n_rows == 0:
            return np.full(len(ids), -1, np.int64)
        return np.where((own[rows] == ids) & self.columns.is_there[rows], rows, -1)

    def table(self) -> ConvexTable:
        """Give the table of all convex shapes, joined once."""
        if self._joined is None:
            self._joined = joined(self._tables)
        return self._joined

    def boxes(self, margins: Array) -> Array:
        """Give the boxes (n_rows, 6) that the bodies sweep, widened; all corridors are up to date then."""
        columns, n = self.columns, self.n_rows
        stale = np.flatnonzero(columns.is_stale[:n])
        if len(stale) > 0:
            columns.corridors[stale] = corridors(columns.records[stale], columns.rows[stale])
            for row in sorted(self.others.keys() & set(stale.tolist())):
                columns.corridors[row] = self._corridor(row)
            columns.is_stale[stale] = False
        return swept_boxes(columns.corridors[:n], margins)

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
            new.columns.shape_ids[row] = new._shape_id(self.shapes[old])
        return new

    def snapshot(self) -> "Bodies":
        """Give a copy that does not change when this does."""
        new = Bodies()
        new.n_rows, new._n_arrived = self.n_rows, self._n_arrived
        new.columns = self.columns.taken(slice(self.n_rows))
        new.names, new.shapes, new.row_of = self.names.copy(), self.shapes.copy(), self.row_of.copy()
        new.others, new._tables = self.others.copy(), self._tables.copy()
        new._shape_ids, new._joined = self._shape_ids.copy(), self._joined
        return new

    def _shape_id(self, shape: Shape) -> int:
        """Number of a shape; those of convex ones are theirs in the table."""
        if shape not in self._shape_ids:
            if isinstance(shape, ConvexShape):
                self._shape_ids[shape] = len(self._tables)
                self._tables.append(shape.table)
                self._joined = None
            else:
                self._shape_ids[shape] = ~len(self._shape_ids)
        return self._shape_ids[shape]

    def _drop_shapes(self) -> None:
        """Drop shapes that no body has any more, once they are many."""
        if len(self._shape_ids) > 2 * self.n_rows + FEW:
            self._tables, self._shape_ids, self._joined = [], {}, None
            self.columns.shape_ids[: self.n_rows] = [self._shape_id(shape) for shape in self.shapes]

    def _write_shape(self, row: int, thing: Moving) -> None:
        columns, shape = self.columns, thing.shape
        record = _record(thing)
        columns.records[row], columns.centers[row] = record, shape.centroid
        columns.sizes[row] = 2.0 * (record[REACH] + record[RADIUS])
        columns.shape_ids[row] = self._shape_id(shape)

    def _write_motion(self, row: int, thing: Moving) -> None:
        columns, motion = self.columns, thing.motion
        columns.is_stale[row] = True
        self.others.pop(row, None)
        if isinstance(motion, Deformation) or len(motion.times) > 2:
            self.others[row] = thing
            columns.kinds[row] = DEFORMING if isinstance(motion, Deformation) else IN_PIECES
            return
        columns.rows[row], columns.translations[row] = motion.rows()[0, 0], motion.translations[0, 0]
        columns.kinds[row] = CONVEX if columns.shape_ids[row] >= 0 else MESH

    def _corridor(self, row: int) -> Array:
        """Corridor of what does not move rigidly in one piece."""
        motion = self.others[row].motion
        if isinstance(motion, Deformation):
            used = self.others[row].surface.faces.reshape(-1)
            if len(used) == 0:
                return np.zeros(N_CORRIDOR)
            return corridor_of_points(motion.vertices_t0[used], motion.vertices_t1[used])
        pieces = motion.rows()[0]
        held = corridors(np.repeat(self.columns.records[row : row + 1], len(pieces), axis=0), pieces)
        boxes = swept_boxes(held, np.zeros(len(pieces)))
        return corridor_of_box(np.concatenate([boxes[:, :3].min(axis=0), boxes[:, 3:].max(axis=0)]))


def _record(thing: Moving) -> Array:
    """Row of a table of shapes, for bounds; a mesh without faces is a point."""
    shape = thing.shape
    if isinstance(shape, ConvexShape):
        return bounds_of(shape.table, shape.bounds)
    mesh = thing.surface
    vertices = thing.motion.vertices_t0 if isinstance(thing.motion, Deformation) else mesh.vertices
    return bound_record(vertices[mesh.faces.reshape(-1)] if mesh.n_faces else np.zeros((1, 3)))


def is_empty(shape: Shape) -> bool:
    """Has a shape no points at all?"""
    return isinstance(shape, Mesh) and shape.n_faces == 0


def as_bodies(given: Any, named: dict[str, Any]) -> dict[str, Moving]:
    """Accept named things: strings, each once, and moving things or shapes at rest."""
    if not isinstance(given, Mapping):
        raise TypeError(f"bodies must be things by their names; received {type(given).__name__}")
    bodies: dict[str, Moving] = {}
    for name, thing in (*given.items(), *named.items()):
        if as_name("a name", name) in bodies:
            raise ValueError(f"a name must be given once; received {name!r} twice")
        try:
            moving = as_moving(thing)
        except (TypeError, ValueError) as error:
            raise type(error)(f"{name!r}: {error}") from None
        if not isinstance(moving.motion, Deformation) and moving.motion.is_batch:
            raise ValueError(
                f"a body of a scene has one motion; {name!r} has a batch of {len(moving.motion)}"
            )
        bodies[name] = moving
    return bodies


def row_named(bodies: Bodies, name: str) -> int:
    """Row of the body with a name."""
    row = bodies.row_of.get(name) if isinstance(name, str) else None
    if row is None:
        near = get_close_matches(name, bodies.row_of, 1) if isinstance(name, str) else ()
        raise KeyError(f"no body is named {shown(name)}" + (f"; did you mean {near[0]!r}?" if near else ""))
    return row
