"""What all convex shapes have in common."""

from abc import abstractmethod
from typing import ClassVar, NamedTuple, TypeGuard

import numpy as np

from firstcontact._validate import as_size
from firstcontact.arrays import Array
from firstcontact.plain import once
from firstcontact.shapes.convex import ConvexTable
from firstcontact.shapes.mesh import Mesh
from firstcontact.shapes.movable import Kind, Movable
from firstcontact.shapes.packed_convex import packed_convex
from firstcontact.shapes.shape import Shape, frozen

# Segments of a circle in the mesh of a round shape: it is within 0.5 % of the radius of the shape.
N_SEGMENTS = 32

CONVEX = Kind.CONVEX


class Profile(NamedTuple):
    """Half an outline, from the lower pole to the upper one: distances from the axis, and heights."""

    radii: Array
    heights: Array


class ConvexShape(Shape):
    """A solid whose every two points have all between them in it. Its inside counts as its points do."""

    kind: ClassVar[Kind] = CONVEX

    @property
    @abstractmethod
    def table(self) -> ConvexTable:
        """The shape as compiled code sees it."""

    @property
    @abstractmethod
    def witness(self) -> Array:
        """A point of the shape, (3,)."""

    @once
    def packed(self) -> Array:
        """The same in one array."""
        return packed_convex(self.table, self.largest)

    @property
    def unrounded(self) -> "ConvexShape":
        """The shape itself; of one that is `Rounded`, the shape within."""
        return self

    @property
    @abstractmethod
    def mesh(self) -> Mesh:
        """A closed mesh of the surface, for pictures; of a round shape, its corners are on the surface."""


def as_convex(shape: Movable) -> ConvexShape:
    """Accept a shape that is known to be convex."""
    if not is_convex(shape):
        raise TypeError(f"a {type(shape).__name__} is not convex")
    return shape


def is_convex(shape: Movable) -> TypeGuard[ConvexShape]:
    """Is a shape convex, by its kind?"""
    return shape.kind is CONVEX


def table_of(shape: Movable) -> ConvexTable:
    """What compiled code sees of a shape that is known to be convex."""
    return as_convex(shape).table


class CenteredShape(ConvexShape):
    """A convex shape that looks the same from both ends of each axis."""

    @property
    @abstractmethod
    def half_sizes(self) -> Array:
        """Half the size along each axis, (3,)."""

    @once
    def centroid(self) -> Array:
        """The centre, the origin, (3,)."""
        return frozen(np.zeros(3))

    @property
    def witness(self) -> Array:
        """The centre, (3,)."""
        return self.centroid

    @once
    def bounds(self) -> Array:
        """The smallest box around the shape, (2, 3)."""
        return frozen(np.stack([-self.half_sizes, self.half_sizes]))


class AxialShape(CenteredShape):
    """A round shape along the third axis, with a radius and a length."""

    def __init__(self, radius: float, length: float) -> None:
        self._radius, self._length = as_size("radius", radius), as_size("length", length)

    @property
    def radius(self) -> float:
        """The radius."""
        return self._radius

    @property
    def length(self) -> float:
        """The length along the axis; of a capsule, from one centre of a rounded end to the other."""
        return self._length

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._radius:g}, {self._length:g})"


def revolved(profile: Profile) -> Mesh:
    """Closed mesh of an outline turned about the third axis; its ends are poles, at no distance from it."""
    angles = 2.0 * np.pi * np.arange(N_SEGMENTS) / N_SEGMENTS
    radii, heights = profile.radii[1:-1], profile.heights[1:-1]
    rings = np.empty((len(radii), N_SEGMENTS, 3))
    rings[..., 0], rings[..., 1] = np.outer(radii, np.cos(angles)), np.outer(radii, np.sin(angles))
    rings[..., 2] = heights[:, np.newaxis]
    ids = np.arange(rings.size // 3).reshape(rings.shape[:2])
    bottom, top = rings.size // 3, rings.size // 3 + 1
    after = np.roll(ids, -1, axis=1)
    low, low_after, high, high_after = (x.reshape(-1) for x in (ids[:-1], after[:-1], ids[1:], after[1:]))
    faces = [
        np.stack([low, low_after, high_after], axis=1),
        np.stack([low, high_after, high], axis=1),
        np.stack([after[0], ids[0], np.full(N_SEGMENTS, bottom)], axis=1),
        np.stack([ids[-1], after[-1], np.full(N_SEGMENTS, top)], axis=1),
    ]
    poles = [[0.0, 0.0, profile.heights[0]], [0.0, 0.0, profile.heights[-1]]]
    return Mesh(np.concatenate([rings.reshape(-1, 3), poles]), np.concatenate(faces))


def half_circle(n: int) -> Profile:
    """Outline of the unit ball in n steps, poles included."""
    angles = np.linspace(-0.5 * np.pi, 0.5 * np.pi, n + 1)
    return Profile(np.cos(angles), np.sin(angles))
