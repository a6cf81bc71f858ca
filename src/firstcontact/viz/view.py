"""What there is to see, whatever draws it."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from firstcontact.arrays import Array

Ids = NDArray[np.integer]

# One colour for each thing, in turn; what touches has one of its own.
COLORS = (0x4C78A8, 0xC2B59B, 0x72A98F, 0xB279A2, 0xE0A458, 0x6F7D8C, 0x8FB8DE, 0xA3785F)
CONTACT_COLOR = 0xD1495B


@dataclass(frozen=True, eq=False)
class ShownBody:
    """A surface, or points or strands, that moves: rigidly, from pose to pose, or with all its vertices.

    Attributes
    ----------
    name : of the body; of a robot, the link
    thing : of the thing that it is part of; the same as `name` unless that has several
    color : 0xRRGGBB
    vertices : (n, 3) in the body's frame
    faces : (m, 3); of a point or a segment, its two ends come first
    times : (k,) increasing
    poses : (k, 4, 4) at those times; one alone where the body rests or deforms
    frames : (k, n, 3) vertices at those times, on straight lines in between; None where it is rigid
    radii : (m,) of points or segments, one a face; None of a surface
    edges : (k, 2) rows of vertices, where lines are drawn on a surface with flat faces; None of others
    """

    name: str
    thing: str
    color: int
    vertices: Array
    faces: Ids
    times: Array
    poses: Array
    frames: Array | None = None
    radii: Array | None = None
    edges: Ids | None = None

    @property
    def thickness(self) -> float:
        """The largest radius; 0 of a surface."""
        return 0.0 if self.radii is None else float(self.radii.max(initial=0.0))

    @property
    def is_resting(self) -> bool:
        """Does it stay where it is?"""
        return self.frames is None and len(self.poses) == 1

    def at(self, time: float, ids: Ids | slice = slice(None)) -> Array:
        """Vertices in the world at a time, or some of them: exact at the body's own times."""
        if self.is_resting:
            return placed(self.vertices[ids], self.poses[0])
        k = int(np.clip(np.searchsorted(self.times, time, side="right"), 1, len(self.times) - 1))
        before, after = self.times[k - 1 : k + 1]
        part = float(np.clip((time - before) / (after - before), 0.0, 1.0))
        if self.frames is not None:
            return (1.0 - part) * self.frames[k - 1, ids] + part * self.frames[k, ids]
        one, other = (placed(self.vertices[ids], self.poses[i]) for i in (k - 1, k))
        return (1.0 - part) * one + part * other


@dataclass(frozen=True, eq=False)
class ShownPatch:
    """Features of a body in contact: rows of its vertices, alone, two and two, or three and three."""

    body: int
    corners: Ids = field(default_factory=lambda: np.empty(0, np.int64))
    edges: Ids = field(default_factory=lambda: np.empty((0, 2), np.int64))
    faces: Ids = field(default_factory=lambda: np.empty((0, 3), np.int64))


@dataclass(frozen=True, eq=False)
class Moment:
    """Something that happens at a time and can be seen from then on, until another.

    Attributes
    ----------
    time, until : when it can be seen
    points, normals : (k, 3) where things touch, and unit vectors from the first to the second
    segments : (s, 2, 3) lines to draw, as between closest points
    patches : features in contact
    label : a few words for the timeline
    """

    time: float
    until: float
    points: Array = field(default_factory=lambda: np.empty((0, 3)))
    normals: Array = field(default_factory=lambda: np.empty((0, 3)))
    segments: Array = field(default_factory=lambda: np.empty((0, 2, 3)))
    patches: tuple[ShownPatch, ...] = ()
    label: str = ""


@dataclass(frozen=True, eq=False)
class View:
    """All that a viewer shows.

    Attributes
    ----------
    title : a line above it
    bodies : what there is
    moments : what happens, in the order of time
    panel : tables to read beside it: a heading, and rows of a name and a value each
    stop : where the timeline waits; None where it does not
    span : first and last time
    unit : what the time is called
    seconds : that it takes to play, at normal speed
    focus : (2, 3) the box to look at, where that is not all there ever is
    """

    title: str
    bodies: tuple[ShownBody, ...]
    moments: tuple[Moment, ...] = ()
    panel: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = ()
    stop: float | None = None
    span: tuple[float, float] = (0.0, 1.0)
    unit: str = "t"
    seconds: float = 4.0
    focus: Array | None = None

    @cached_property
    def bounds(self) -> Array:
        """The box to look at, (2, 3): the focus, or all that is ever to be seen; a unit box for nothing."""
        if self.focus is not None:
            return self.focus
        if not self.bodies:
            return np.array([[-0.5] * 3, [0.5] * 3])
        return box_around(np.array([swept_box(body) for body in self.bodies]))

    @cached_property
    def size(self) -> float:
        """Length of the diagonal of the bounds, or 1 where that is zero."""
        lower, upper = self.bounds
        return float(np.linalg.norm(upper - lower)) or 1.0

    @property
    def colors(self) -> dict[str, str]:
        """Colours of the things, as "#rrggbb": of each that of its first body."""
        colors: dict[str, str] = {}
        for body in self.bodies:
            colors.setdefault(body.thing, f"#{body.color:06x}")
        return colors

    @property
    def is_moving(self) -> bool:
        """Is there anything that moves?"""
        return any(not body.is_resting for body in self.bodies)


def placed(points: Array, pose: Array) -> Array:
    """Points (n, 3) put into a pose."""
    moved: Array = points @ pose[:3, :3].T + pose[:3, 3]
    return moved


def box_around(points: Array, margin: float = 0.0) -> Array:
    """The smallest box around points (..., 3), and a margin: its lower and its upper corner, (2, 3)."""
    flat = points.reshape(-1, 3)
    return np.stack([flat.min(axis=0) - margin, flat.max(axis=0) + margin])


def local_box(body: ShownBody) -> Array:
    """A box around a rigid body in its own frame, (2, 3): the smallest, unless radii differ."""
    return box_around(body.vertices, body.thickness)


def swept_box(body: ShownBody) -> Array:
    """The box around all places where a body is at its own times, (2, 3).

    Of a rigid body, the box around the places of its own box: never smaller.
    """
    if body.frames is not None:
        return box_around(body.frames, body.thickness)
    corners = box_corners(local_box(body))
    return box_around(np.array([placed(corners, pose) for pose in body.poses]))


def are_among(faces: Ids, others: Ids) -> NDArray[np.bool_]:
    """Which faces (m, 3) are among others, (m,)."""
    return np.isin(_as_items(faces), _as_items(others))


def _as_items(rows: Ids) -> NDArray[np.void]:
    """Rows of three numbers as one item each."""
    return np.ascontiguousarray(rows, np.int64).view([(name, np.int64) for name in "abc"]).reshape(-1)


def ball_faces(vertices: Ids) -> Ids:
    """The faces that stand for single points, (n, 3): all corners are the same."""
    return np.repeat(np.asarray(vertices, np.int64), 3).reshape(-1, 3)


def box_corners(box: Array) -> Array:
    """The eight corners of a box, (8, 3)."""
    picks = np.array([[i >> 2 & 1, i >> 1 & 1, i & 1] for i in range(8)])
    return np.take_along_axis(box, picks, axis=0)


# Corners of a box, two and two, that an edge joins.
BOX_EDGES = np.array([(i, i | bit) for i in range(8) for bit in (1, 2, 4) if not i & bit])
