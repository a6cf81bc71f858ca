"""Things in the plane: what polygons and polylines have in common."""

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from firstcontact._validate import as_stack, as_times
from firstcontact.arrays import Array
from firstcontact.motions.deformation import Deformation
from firstcontact.motions.plane_poses import (
    lifted_points,
    lifted_poses,
    lifted_spin,
    lifted_vectors,
    quickly_lifted,
)
from firstcontact.motions.short_rows import row_at
from firstcontact.motions.stepped_deformation import SteppedDeformation
from firstcontact.plain import once
from firstcontact.shapes.cloud import Cloud
from firstcontact.shapes.movable import Kind, Movable
from firstcontact.shapes.moving import Moving, moving_by_row
from firstcontact.shapes.shape import Shape, frozen


class LiftedEdges(Cloud):
    """Segments in space, which share points as edges of the plane do: without radii.

    is_filled : whether what they enclose belongs to what they are the edges of
    """

    element: ClassVar[str] = "SEGMENT"
    is_filled: bool

    def __init__(self, positions: Array, edges: NDArray[np.int32], is_filled: bool = False) -> None:
        super().__init__(positions, edges[:, [0, 1, 1]], 0.0)
        object.__setattr__(self, "is_filled", is_filled)

    def placed(self, vertices: Array) -> "LiftedEdges":
        """The same edges with points elsewhere."""
        return LiftedEdges(vertices, self.faces[:, :2], self.is_filled)

    def part(self, vertices: Array, faces: NDArray[np.int64]) -> "LiftedEdges":
        """Some of the edges, in that order, with points elsewhere."""
        return LiftedEdges(vertices, self.faces[faces, :2])

    def __reduce__(self) -> tuple[Callable[..., "LiftedEdges"], tuple[Any, ...]]:
        return LiftedEdges, (self.vertices, self.faces[:, :2], self.is_filled)


class Planar(Shape):
    """Edges between points of the plane, and what they enclose where they do: the base of both.

    To who searches along time it is what its edges are in space, with zeros as third coordinates: `lifted`.
    """

    kind: ClassVar[Kind] = Kind.PLANAR
    kind_deforming: ClassVar[Kind] = Kind.DEFORMING_PLANAR
    dimension: ClassVar[int] = 2
    is_filled: ClassVar[bool] = False

    vertices: Array
    counts: NDArray[np.int64]

    def _set(self, vertices: Array, counts: NDArray[np.int64]) -> None:
        """Keep the points, row by row, and how many each row has."""
        object.__setattr__(self, "vertices", frozen(vertices))
        object.__setattr__(self, "counts", frozen(counts))

    @property
    def n_vertices(self) -> int:
        """The number of points."""
        return len(self.vertices)

    @property
    def n_edges(self) -> int:
        """The number of edges."""
        return len(self.edges)

    @property
    def turns(self) -> Array | None:
        """Of what is filled, on which side of each edge the inside is; None of curves."""
        return None

    @property
    def edges(self) -> NDArray[np.int32]:
        """The points at both ends of each edge, (m, 2)."""
        raise NotImplementedError

    def placed(self, vertices: Array) -> "Planar":
        """The same edges with points elsewhere, which are not looked at."""
        twin: Any = object.__new__(type(self))
        twin.__dict__.update(self.__getstate__())
        twin._set(np.ascontiguousarray(vertices), self.counts)
        found: Planar = twin
        return found

    @once
    def lifted(self) -> "LiftedEdges":
        """The edges in space, with the same numbers, and so have their ends."""
        return LiftedEdges(lifted_points(self.vertices), self.edges, self.is_filled)

    @once
    def bounds(self) -> Array:
        """The smallest box that holds all points, (2, 2); without any the empty box, inf to -inf."""
        lower = self.vertices.min(axis=0, initial=np.inf)
        upper = self.vertices.max(axis=0, initial=-np.inf)
        return frozen(np.stack([lower, upper]))

    @once
    def firsts(self) -> Array:
        """The first point of each row, (k, 2): where edges do not meet, no other tells more of sides."""
        return frozen(self.vertices[(np.cumsum(self.counts) - self.counts)[self.counts > 0]])

    @property
    def corners(self) -> Array:
        """Points whose hull holds the shape, (n, 2)."""
        return self.vertices

    @once
    def _pivot(self) -> Array:
        """The centre, as compiled code takes it."""
        return lifted_points(self.centroid)

    def at(self, pose: Any) -> Moving:
        """Stand still at a pose in the plane; with a batch of poses, at each of them.

        Parameters
        ----------
        pose : (3, 3) or (n, 3, 3) numbers, rigid; or a tuple of rotations, (2, 2) or (n, 2, 2), or angles in
            radians, a number or (n,), and translations, (2,) or (n, 2)

        Examples
        --------
        >>> import firstcontact as fc
        >>> square = fc.Polygon([[0, 0], [1, 0], [1, 1], [0, 1]])
        >>> square.at((np.pi / 2, [5, 0])).vertices(0)[1].tolist()
        [5.0, 1.0]
        >>> square.at(np.eye(4))
        Traceback (most recent call last):
        ValueError: pose must have shape (n, 3, 3) or (3, 3); received (4, 4)
        """
        lifted = quickly_lifted(pose)
        row = None if lifted is None else row_at(lifted)
        return super().at(lifted_poses("pose", pose)) if row is None else moving_by_row(self, row)

    def moving(
        self,
        start: Any,
        end: Any = None,
        *,
        path: str = "constant",
        center: ArrayLike | None = None,
        velocity: ArrayLike | None = None,
        angular_velocity: ArrayLike | None = None,
        acceleration: ArrayLike | None = None,
    ) -> Moving:
        """Move rigidly from a pose to another by the shortest turn, or on with given velocities.

        Parameters
        ----------
        start, end : poses as for `at`; a single one goes with each of a batch
        path : as of any shape: "constant", "screw" (a turn about one point of the plane) or "quaternion"
        center : (2,) the point of the shape that moves straight and is turned about; the centroid, unless
            given
        velocity : instead of `end`, (2,) or (n, 2), over the whole step
        angular_velocity : a number or (n,), counterclockwise, in radians, any number of turns
        acceleration : (2,) or (n, 2), constant, of all points

        Examples
        --------
        >>> import firstcontact as fc
        >>> bar = fc.Polyline([[-1, 0], [1, 0]])
        >>> bar.moving((0.0, [0, 0]), velocity=[4, 0], angular_velocity=np.pi).vertices(0.5).round(9).tolist()
        [[2.0, -1.0], [2.0, 1.0]]
        """
        return super().moving(
            lifted_poses("start", start),
            None if end is None else lifted_poses("end", end),
            path=path,
            center=lifted_vectors("center", center),
            velocity=lifted_vectors("velocity", velocity),
            angular_velocity=lifted_spin("angular_velocity", angular_velocity),
            acceleration=lifted_vectors("acceleration", acceleration),
        )

    def along(
        self,
        poses: Any,
        times: ArrayLike | None = None,
        *,
        path: str = "constant",
        center: ArrayLike | None = None,
    ) -> Moving:
        """Move rigidly through poses; or deform through frames, straight from one to the next.

        Parameters
        ----------
        poses : two or more, as for `at`; or two or more frames, (k, n_vertices, 2) numbers, finite
        times : (k,) increasing from 0 to 1; evenly spaced unless given
        path, center : of poses, as for `moving`

        Examples
        --------
        >>> import firstcontact as fc
        >>> bar = fc.Polyline([[-1, 0], [1, 0]])
        >>> bar.along((np.array([0, np.pi / 2]), np.zeros(2))).vertices(1).round(9)[1].tolist()
        [0.0, 1.0]
        >>> bar.along([bar.vertices, bar.vertices + 8, bar.vertices]).vertices(0.5)[0].tolist()
        [7.0, 8.0]
        """
        if hasattr(poses, "write_rows"):
            raise TypeError(
                f"a {type(self).__name__} goes along poses in the plane, and this motion is in space"
            )
        frames = self._frames(poses)
        if frames is None:
            rows = lifted_poses("poses", poses)
            return super().along(rows, times, path=path, center=lifted_vectors("center", center))
        if center is not None or path != "constant":
            raise TypeError("frames say all of how a shape deforms: leave out path and center")
        n = len(frames)
        if n < 2:
            raise ValueError(f"frames must be two or more, of shape (k, {self.n_vertices}, 2); received {n}")
        knots = np.linspace(0.0, 1.0, n) if times is None else as_times("times", times, n, "frame").copy()
        if n == 2:
            return self.deforming(*frames)
        return Moving(
            self, SteppedDeformation(frozen(np.stack(list(map(lifted_points, frames)))), frozen(knots))
        )

    def deforming(self, vertices_t0: ArrayLike, vertices_t1: ArrayLike) -> Moving:
        """Move every point on its own straight line, from its place at t = 0 to that at t = 1.

        What is inside of a polygon that deforms is what its edges enclose then, in whatever order.

        Parameters
        ----------
        vertices_t0, vertices_t1 : (n_vertices, 2) numbers, finite

        Examples
        --------
        >>> import firstcontact as fc
        >>> bar = fc.Polyline([[-1, 0], [1, 0]])
        >>> bar.deforming(bar.vertices, 3 * bar.vertices).vertices(0.5).tolist()
        [[-2.0, 0.0], [2.0, 0.0]]
        """
        ends = {"vertices_t0": vertices_t0, "vertices_t1": vertices_t1}
        own = [frozen(lifted_points(self._positions(name, ends[name]))) for name in ends]
        return Moving(self, Deformation(*own))

    def sphere_tree(self, levels: int, *, method: str = "octree", progress: bool = False) -> Any:
        """Refuse what is of shapes in space alone."""
        raise TypeError(f"sphere_tree is of shapes in space, and a {type(self).__name__} is in the plane")

    def _frames(self, poses: Any) -> list[Array] | None:
        """Places of all points at each time; None where poses are given."""
        if isinstance(poses, tuple) and len(poses) == 2:
            return None
        try:
            is_frames = np.ndim(poses) == 3 and np.shape(poses)[2] == 2
        except (
            Exception
        ) as fault:  # rows of unequal lengths, or whatever an object that gives an array raises
            is_frames = isinstance(fault, ValueError) and isinstance(poses, list | tuple)
        return [self._positions(f"frame {k}", own) for k, own in enumerate(poses)] if is_frames else None

    def _positions(self, name: str, positions: ArrayLike) -> Array:
        """Cast places of all points."""
        points = as_plane_points(name, positions)
        if len(points) != self.n_vertices:
            raise ValueError(
                f"{name} must have a row for each of the {self.n_vertices} vertices; received {len(points)}"
            )
        return points


def as_plane_points(name: str, points: ArrayLike) -> Array:
    """Cast points of the plane to (n, 2) float64, an array of their own."""
    found, is_many = as_stack(name, points, (2,))
    if not is_many:
        raise ValueError(f"{name} must have shape (n, 2); received {found.shape[1:]}")
    return found.copy()


def as_planar(shape: Movable) -> Planar:
    """Tell that a shape is one of the plane."""
    if not isinstance(shape, Planar):
        raise TypeError(f"a {type(shape).__name__} is not in the plane")
    return shape
