"""The compound: several shapes as one rigid body."""

from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from firstcontact._validate import as_choice, as_several, shown
from firstcontact.arrays import Array
from firstcontact.motions.attached import attached
from firstcontact.plain import once
from firstcontact.shapes.convex import ConvexTable, hull_table, joined
from firstcontact.shapes.convex_shape import table_of
from firstcontact.shapes.mesh import as_mesh, as_moving, is_empty
from firstcontact.shapes.movable import Kind, Movable
from firstcontact.shapes.moving import Moving
from firstcontact.shapes.shape import Shape, box_corners, frozen, shape_of
from firstcontact.shapes.voxels import as_voxels

CONVEX, MESH, COMPOUND, VOXELS = Kind.CONVEX, Kind.MESH, Kind.COMPOUND, Kind.VOXELS

FEATURES = ("face", "vertex", "edge")

# Rounding of a corner that is brought into the frame of the compound, in units of its coordinates.
PLACED = 2.0**-48


class CompoundPart(NamedTuple):
    """A shape, and its pose (4, 4) in the frame of the compound."""

    shape: Shape
    pose: Array


class Holders(NamedTuple):
    """What holds each of some shapes: a convex one, and a ball.

    table : of a convex shape itself, else of the box around it
    poses : (n, 4, 4), in the frame of what the shapes are parts of
    middles, radii : (n, 3) and (n,), of the balls, in the frame of each shape
    """

    table: ConvexTable
    poses: Array
    middles: Array
    radii: Array


class Deviation(NamedTuple):
    """How far convex parts are from the mesh that they were made of: what is proven, in its units.

    parts_to_mesh : no point of any part is farther from the mesh and all that is inside of it
    mesh_to_parts : no point of the mesh, or inside of it, is farther from the parts
    """

    parts_to_mesh: float
    mesh_to_parts: float

    @property
    def largest(self) -> float:
        """The larger of both: the Hausdorff distance of parts and mesh, as solids, is no more."""
        return max(self)


class Compound(Shape):
    """Several shapes that are one rigid body: a hammer of a box and a cylinder, a mesh as convex parts.

    Its parts may overlap. Answers are those of the nearest part, or the first to touch. Ids in answers count
    on from part to part, a convex shape being one face: see `part_of`.

    Parameters
    ----------
    parts : convex shapes, meshes, points, strands, voxels, compounds; where they were made, or at a pose

    Examples
    --------
    >>> import firstcontact as fc
    >>> handle = fc.Cylinder(0.1, 2)
    >>> hammer = fc.Compound([handle, fc.Box([1, 0.4, 0.4]).at((np.eye(3), [0, 0, 1]))])
    >>> hammer
    Compound(2 parts, from [-0.5, -0.2, -1] to [0.5, 0.2, 1.2])
    >>> near = fc.distance(hammer, fc.Sphere(1).at((np.eye(3), [2, 0, 1])))
    >>> near.distance, hammer.part_of(near.faces[0])
    (0.5, (1, 0))
    >>> fc.distance(fc.Compound([]), handle).distance
    inf
    """

    kind: ClassVar[Kind] = COMPOUND
    rows: ClassVar[Any] = None

    def __init__(self, parts: Iterable[Any]) -> None:
        given = as_several("parts", parts)
        self._parts = tuple(part for k, thing in enumerate(given) for part in _parts(k, thing))
        self._deviation: Deviation | None = None
        self._first_ids: dict[str, NDArray[np.int64]] = {}

    @property
    def parts(self) -> tuple[CompoundPart, ...]:
        """Its parts, those of compounds among them by themselves, each with its shape and its pose."""
        return self._parts

    @once
    def is_thick(self) -> bool:
        """Has one of its parts a thickness?"""
        return any(part.shape.is_thick for part in self._parts)

    @property
    def deviation(self) -> Deviation | None:
        """How far it is from the mesh of which `Mesh.convex_parts` made it; of any other, None."""
        return self._deviation

    @once
    def corners(self) -> Array:
        """Corners of boxes around all parts, (n, 3): their hull holds it."""
        boxes = [np.empty((0, 3))]
        for shape, pose in self._parts:
            if not is_empty(shape):
                boxes.append(box_corners(shape.bounds) @ pose[:3, :3].T + pose[:3, 3])
        return frozen(np.concatenate(boxes))

    @once
    def _holders(self) -> Holders:
        """What holds each part that has points."""
        return holders_of([part for part in self._parts if not is_empty(part.shape)])

    @once
    def bounds(self) -> Array:
        """A box around all parts, (2, 3); without any, the empty box, inf to -inf."""
        corners = self.corners
        if len(corners) == 0:
            return frozen(np.array([[np.inf] * 3, [-np.inf] * 3]))
        wide = 0.0 if self._is_straight else PLACED * float(np.abs(corners).max())
        return frozen(np.stack([corners.min(axis=0) - wide, corners.max(axis=0) + wide]))

    @once
    def centroid(self) -> Array:
        """The middle of the box around it, (3,)."""
        return frozen(self.bounds.mean(axis=0) if len(self.corners) else np.zeros(3))

    @once
    def reach(self) -> float:
        """No point of it is farther from the origin of its frame."""
        return (1.0 + PLACED) * float(np.linalg.norm(self.corners, axis=1).max(initial=0.0))

    def support(self, directions: Array) -> Array:
        """How far it reaches along each of some vectors, (n, 3), times their lengths; never less."""
        found = np.full(len(directions), -np.inf)
        for shape, pose in self._parts:
            own = shape.support(directions @ pose[:3, :3]) + directions @ pose[:3, 3]
            found = np.maximum(found, own)
        return found

    def part_of(self, ids: ArrayLike, feature: str = "face") -> Any:
        """Tell which part ids of an answer belong to, and what they are there.

        Parameters
        ----------
        ids : an id or several, as answers have them; -1 is no part
        feature : what they are ids of: "face", of a cloud its elements, of a convex shape 0; "vertex", "edge"

        Returns
        -------
        tuple of the part's number and its own id; of several, of two arrays

        Examples
        --------
        >>> from firstcontact import Box, Sphere
        >>> both = Compound([Box([1, 1, 1]).mesh, Sphere(1)])
        >>> both.part_of(12), both.part_of([3, -1])
        ((1, 0), (array([ 0, -1]), array([ 3, -1])))
        """
        first = self.first_ids(as_choice("feature", feature, FEATURES))
        try:
            asked = np.asarray(ids)
        except Exception:  # rows of different lengths, or whatever an object that gives an array may raise
            asked = np.empty(0)
        if asked.dtype.kind not in "iu" or (asked < -1).any() or (asked >= first[-1]).any():
            raise ValueError(f"ids must be integers from -1 to {first[-1] - 1}; received {shown(ids)}")
        part = np.where(asked < 0, -1, np.searchsorted(first, asked, side="right") - 1)
        own = np.where(asked < 0, -1, asked - first[part])
        return (int(part), int(own)) if asked.ndim == 0 else (part, own)

    def first_ids(self, feature: str) -> NDArray[np.int64]:
        """Where the ids of each part begin, and where those of the last end, (n_parts + 1,)."""
        found = self._first_ids.get(feature)
        if found is None:
            counts = [_count(part.shape, feature) for part in self._parts]
            found = self._first_ids.setdefault(feature, frozen(np.cumsum([0, *counts], dtype=np.int64)))
        return found

    def save(self, file: Any) -> None:
        """Write it to an .npz file for `load_compound`, whole or not at all; a `ConvexSupport` as a hull."""
        import_module("firstcontact.io.load_compound").save_compound(self, file)  # above a shape

    @staticmethod
    def moving_parts(thing: Moving) -> list[Moving]:
        """Give each part of a compound as it moves; of anything else, the thing itself."""
        return moving_parts(thing)

    @property
    def _is_straight(self) -> bool:
        """Are all parts as they were made, but for where?"""
        return all(np.array_equal(pose[:3, :3], np.eye(3)) for _, pose in self._parts)

    def __repr__(self) -> str:
        count = f"{len(self._parts)} part{'' if len(self._parts) == 1 else 's'}"
        if len(self.corners) == 0:
            return f"Compound({count})"
        lower, upper = (", ".join(f"{x:.4g}" for x in corner) for corner in self.bounds)
        return f"Compound({count}, from [{lower}] to [{upper}])"


def standing_for(parts: Iterable[Any], deviation: Deviation) -> Compound:
    """Make a compound that stands for a mesh, and is as far from it."""
    made = Compound(parts)
    made._deviation = deviation
    return made


def holders_in(compound: Compound) -> Holders:
    """What holds each part of a compound that has points; worked out once."""
    return compound._holders


def holders_of(parts: Sequence[CompoundPart]) -> Holders:
    """What holds each of some parts, one or more, all with points."""
    boxes = np.stack([part.shape.bounds for part in parts])
    middles, reaches = boxes.mean(axis=1), np.array([part.shape.reach for part in parts])
    from_middle = 0.5 * np.linalg.norm(boxes[:, 1] - boxes[:, 0], axis=1)
    radii = np.minimum(from_middle, reaches + np.linalg.norm(middles, axis=1))
    tables = [_holding(part.shape) for part in parts]
    poses = np.stack([part.pose for part in parts])
    return Holders(joined(tables), poses, middles, radii * (1.0 + PLACED))


def _holding(shape: Shape) -> ConvexTable:
    """A convex shape, or the box around what is not."""
    if shape.kind is CONVEX:
        return table_of(shape)
    wide = PLACED * float(np.abs(shape.bounds).max())
    return hull_table(box_corners(shape.bounds + np.array([[-wide], [wide]])))


def as_compound(shape: Movable) -> Compound:
    """Tell that a shape is a compound."""
    if not isinstance(shape, Compound):
        raise TypeError(f"a {type(shape).__name__} is no compound")
    return shape


def moving_parts(thing: Moving) -> list[Moving]:
    """Each part of a compound as it moves; of anything else, the thing itself."""
    if thing.kind is not COMPOUND:
        return [thing]
    parts = as_compound(thing.shape).parts
    return [Moving(part.shape, attached(thing.rigid, part.pose)) for part in parts]


def _parts(k: int, thing: Any) -> list[CompoundPart]:
    """What one of the things that a user gives is made of."""
    kind = getattr(thing, "kind", None) if isinstance(thing, Moving | Movable) else MESH
    if kind not in (CONVEX, MESH, COMPOUND, VOXELS):
        what = (
            "deforms" if kind is Kind.DEFORMING else f"is a {type(getattr(thing, 'shape', thing)).__name__}"
        )
        rule = "parts must be convex shapes, meshes, points, strands, voxels or compounds"
        raise TypeError(f"{rule}; part {k} {what}")
    moving = as_moving(thing)
    if not moving.motion.is_resting or moving.motion.is_batch:
        raise ValueError(
            f"a part must stand still in the compound's frame: use shape.at(pose); part {k} does not"
        )
    pose = frozen(moving.pose(0.0))
    if moving.kind is COMPOUND:
        within = as_compound(moving.shape).parts
        return [CompoundPart(shape, frozen(pose @ own)) for shape, own in within]
    return [CompoundPart(shape_of(moving), pose)]


def _count(shape: Shape, feature: str) -> int:
    """How many ids a part has of its own."""
    if shape.kind is CONVEX:
        return 1 if feature == "face" else 0
    mesh = as_voxels(shape).mesh if shape.kind is VOXELS else as_mesh(shape)
    if feature == "edge":
        return len(mesh.edges)
    return mesh.n_faces if feature == "face" else mesh.n_vertices
