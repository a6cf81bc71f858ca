"""The triangle mesh."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, ClassVar, NamedTuple, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from firstcontact._validate import as_faces, as_positions, as_radii, as_times, as_vertices
from firstcontact.motions.deformation import Deformation
from firstcontact.motions.rigid_paths import motion_at_origin
from firstcontact.motions.stepped_deformation import SteppedDeformation
from firstcontact.plain import once
from firstcontact.shapes.kept import Content, OnceForEachMesh, content_of
from firstcontact.shapes.movable import Kind, Movable
from firstcontact.shapes.moving import Moving
from firstcontact.shapes.shape import Shape, frozen

NO_THICKNESS = 0.0


class EdgeFaces(NamedTuple):
    """The faces around each edge: edge `e` has ``face_ids[offsets[e]:offsets[e + 1]]``, ascending."""

    offsets: NDArray[np.int32]
    face_ids: NDArray[np.int32]


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Mesh(Shape):
    """Any set of triangles over shared vertices; it need not be closed, manifold or connected.

    A mesh keeps its own read-only copies, in the order given: ids in answers are rows of these arrays.
    Degenerate and duplicate faces, vertices that no face uses, and meshes without any are legal. To a mesh
    with a thickness belongs all that is within it of a face, which has the largest one of its corners.

    Parameters
    ----------
    vertices : (n, 3) numbers, finite
    faces : (m, 3) integers in [0, n)
    thickness : how far the material reaches around the surface, 0 or more: a number, or one a vertex

    Examples
    --------
    >>> square = Mesh([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], [[0, 1, 2], [0, 2, 3]])
    >>> square
    Mesh(4 vertices, 2 faces, from [0, 0, 0] to [1, 1, 0])
    >>> len(square.edges)
    5
    >>> Mesh([], [])
    Mesh(0 vertices, 0 faces)
    >>> Mesh(square.vertices, square.faces, thickness=0.25).bounds.tolist()
    [[-0.25, -0.25, -0.25], [1.25, 1.25, 0.25]]
    """

    kind: ClassVar[Kind] = Kind.MESH
    has_inside: ClassVar[bool] = True  # where it is closed

    vertices: NDArray[np.float64]
    faces: NDArray[np.int32]
    radius: NDArray[np.float64]

    def __init__(self, vertices: ArrayLike, faces: ArrayLike, thickness: ArrayLike = NO_THICKNESS) -> None:
        own_vertices = frozen(as_vertices(vertices).copy())
        object.__setattr__(self, "vertices", own_vertices)
        object.__setattr__(self, "faces", frozen(as_faces(faces, len(own_vertices)).copy()))
        # No more than one number where there is none, as of most meshes.
        radius = np.broadcast_to(0.0, len(own_vertices))
        if thickness is not NO_THICKNESS:
            own = as_radii("thickness", thickness, len(own_vertices), "vertices")
            radius = frozen(own) if own.any() else radius
        object.__setattr__(self, "radius", radius)

    @classmethod
    def from_trimesh(cls, mesh: Any) -> "Mesh":
        """Copy the vertices and faces of a `trimesh.Trimesh`, in their order."""
        if not (hasattr(mesh, "vertices") and hasattr(mesh, "faces")):
            name = type(mesh).__name__
            raise TypeError(f"a mesh must be a firstcontact.Mesh or a trimesh.Trimesh; received {name}")
        return cls(mesh.vertices, mesh.faces)

    def deforming(self, vertices_t0: ArrayLike, vertices_t1: ArrayLike) -> Moving:
        """Move every vertex on its own straight line, from its place at t = 0 to that at t = 1.

        The mesh lends its faces; its own vertices need not be among the places. What depends on the faces
        alone is kept with the mesh: deform one mesh step after step rather than making a new one for each.

        Parameters
        ----------
        vertices_t0, vertices_t1 : (n_vertices, 3) numbers, finite

        Examples
        --------
        >>> triangle = Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
        >>> falling = triangle.deforming(triangle.vertices, triangle.vertices - [0, 0, 2])
        >>> falling.vertices(0.5)[:, 2].tolist()
        [-1.0, -1.0, -1.0]
        >>> triangle.deforming(triangle.vertices, [[0, 0, 0]])
        Traceback (most recent call last):
        ValueError: vertices_t1 must have a row for each of the mesh's 3 vertices; received 1
        """
        ends = {"vertices_t0": vertices_t0, "vertices_t1": vertices_t1}
        own = [frozen(as_positions(name, ends[name], self.n_vertices).copy()) for name in ends]
        return Moving(self, Deformation(*own))

    def along(
        self,
        poses: Any,
        times: ArrayLike | None = None,
        *,
        path: str = "constant",
        center: ArrayLike | None = None,
    ) -> Moving:
        """Move rigidly through poses or by a motion; or deform through frames, straight from one to the next.

        Parameters
        ----------
        poses : as for any shape: two or more poses, or a motion. Or two or more frames, (k, n_vertices, 3)
            numbers, finite: where all vertices are at each time
        times : (k,) increasing from 0 to 1; evenly spaced unless given
        path, center : of poses, as for `moving`

        Examples
        --------
        >>> leaf = Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
        >>> start = leaf.vertices
        >>> waving = leaf.along([start, start + [0, 0, 8], start], times=[0, 0.75, 1])
        >>> [float(waving.vertices(t)[0, 2]) for t in (0, 0.375, 0.75, 0.875, 1)]
        [0.0, 4.0, 8.0, 4.0, 0.0]
        >>> leaf.along([start, start[:2]])
        Traceback (most recent call last):
        ValueError: frame 1 must have a row for each of the mesh's 3 vertices; received 2
        """
        if not _are_frames(poses):
            return super().along(poses, times, path=path, center=center)
        if center is not None or path != "constant":
            raise TypeError("frames say all of how a mesh deforms: leave out path and center")
        frames = [as_positions(f"frame {k}", frame, self.n_vertices) for k, frame in enumerate(poses)]
        n = len(frames)
        if n < 2:
            raise ValueError(f"frames must be two or more, of shape (k, {self.n_vertices}, 3); received {n}")
        knots = np.linspace(0.0, 1.0, n) if times is None else as_times("times", times, n, "frame").copy()
        if n == 2:
            return self.deforming(*frames)
        return Moving(self, SteppedDeformation(frozen(np.stack(frames)), frozen(knots)))

    def placed(self, vertices: NDArray[np.float64]) -> "Mesh":
        """The same faces with vertices elsewhere, as what deforms is at an instant."""
        return Mesh(vertices, self.faces, self.radius)

    def part(self, vertices: NDArray[np.float64], faces: NDArray[np.int64]) -> "Mesh":
        """Some of the faces, in that order, with vertices elsewhere."""
        return Mesh(vertices, self.faces[faces], self.radius)

    @property
    def n_vertices(self) -> int:
        """The number of vertices."""
        return len(self.vertices)

    @property
    def n_faces(self) -> int:
        """The number of faces."""
        return len(self.faces)

    @property
    def edges(self) -> NDArray[np.int32]:
        """Each undirected edge once, (k, 2): the smaller vertex id first, rows in ascending order.

        A face that names a vertex twice has an edge [a, a] too: a point, as legal as the face.
        """
        return _topology_of(self)[0]

    @property
    def face_edges(self) -> NDArray[np.int32]:
        """The rows of `edges` around each face, (m, 3): edge `i` joins the corners `i` and `i + 1`."""
        return _topology_of(self)[1]

    @property
    def edge_faces(self) -> EdgeFaces:
        """The faces around each edge; a face that runs along an edge twice is there twice."""
        return _edge_faces_of(self)

    @once
    def radii(self) -> NDArray[np.float64]:
        """The radius around each face, (m,), or element of points and strands: the largest of its corners."""
        if self.radius.strides == (0,):
            return frozen(np.zeros(self.n_faces))
        return frozen(self.radius[self.faces].max(axis=1, initial=0.0))

    @once
    def thickness(self) -> float:
        """The largest radius around a face."""
        return float(self.radii.max(initial=0.0))

    @property
    def is_thick(self) -> bool:
        """Has it a thickness, and faces?"""
        return self.thickness > 0.0 and not self.is_cloud

    @once
    def content(self) -> Content:
        """What is known of meshes like this one: all of them, in a process, share it."""
        if self.thickness > 0.0:
            return content_of(self.vertices, self.faces, self.radii)
        return content_of(self.vertices, self.faces)

    @once
    def bounds(self) -> NDArray[np.float64]:
        """The smallest box that holds all vertices, (2, 3); without vertices the empty box, inf to -inf.

        Of a mesh with a thickness, the smallest that holds all faces with theirs.
        """
        if self.thickness > 0.0:
            return frozen(self._thick_bounds())
        lower = self.vertices.min(axis=0, initial=np.inf)
        upper = self.vertices.max(axis=0, initial=-np.inf)
        return frozen(np.stack([lower, upper]))

    def _thick_bounds(self) -> NDArray[np.float64]:
        """The smallest box that holds all faces with their radii."""
        corners, radii = self.vertices[self.faces], self.radii[:, np.newaxis]
        lower = (corners.min(axis=1) - radii).min(axis=0, initial=np.inf)
        upper = (corners.max(axis=1) + radii).max(axis=0, initial=-np.inf)
        return np.stack([lower, upper])

    @property
    def corners(self) -> NDArray[np.float64]:
        """The vertices that faces have, (n, 3)."""
        return self.vertices[np.unique(self.faces)]

    @property
    def farthest(self) -> float:
        """No point of the shape is farther from the middle of the box around it."""
        if self.thickness == 0.0:
            return super().farthest
        away = np.linalg.norm(self.vertices[self.faces] - self.bounds.mean(axis=0), axis=2).max(axis=1)
        return float((away + self.radii).max())

    def support(self, directions: NDArray[np.float64]) -> NDArray[np.float64]:
        """How far the shape reaches along each of some vectors, (n, 3), times their lengths; never less."""
        most = super().support(directions)
        if self.thickness == 0.0:
            return most
        reach: NDArray[np.float64] = most + self.thickness * np.linalg.norm(directions, axis=1)
        return reach

    @once
    def centroid(self) -> NDArray[np.float64]:
        """The centre of the surface, (3,): the mean of the triangles' centres, weighted by their areas.

        Where the area is zero it is the mean of the vertices, and without vertices the origin.
        """
        if self.n_vertices == 0:
            return frozen(np.zeros(3))
        # Measured from the middle of the box and in units of its size, so that neither a place far from the
        # origin nor a tiny or huge scale costs digits.
        lower, upper = self.vertices.min(axis=0), self.vertices.max(axis=0)
        middle, size = np.stack([lower, upper]).mean(axis=0), float(np.max(upper - lower)) or 1.0
        local = (self.vertices - middle) / size
        a, b, c = (local[self.faces[:, corner]] for corner in range(3))
        areas = np.linalg.norm(np.cross(b - a, c - a), axis=1)
        total = areas.sum()
        center = areas @ (a + b + c) / (3.0 * total) if total > 0.0 else local.mean(axis=0)
        return frozen(middle + size * center)

    def report(self) -> Any:
        """Say what is unusual about the mesh, and what that means for which query: a `MeshReport`.

        Open, forked and turned edges, faces that look the other way, without an area, thin or there twice,
        faces that pass through others, and vertices of no face; which faces have no area and which meet is
        decided exactly. None of it is an error: every mesh is legal, and answered about as it is.

        Examples
        --------
        >>> import firstcontact as fc
        >>> print(fc.Box([1, 1, 1]).mesh.report())
        8 vertices, 12 faces, 1 part, closed
        nothing unusual
        >>> leaf = Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [9, 9, 9]], [[0, 1, 2], [0, 1, 1]])
        >>> leaf.report()
        MeshReport(2 open edges, 1 forked edges, 1 degenerate faces, 1 unused vertices)
        >>> Mesh([], []).report()
        MeshReport(nothing unusual)
        """
        return import_module("firstcontact.queries.mesh_report").mesh_report(self)  # far above a shape

    def convex_parts(self, tolerance: float, *, max_seconds: float = 600.0) -> Any:
        """Take the mesh apart into convex hulls, by CoACD (Wei 2022): a `Compound`, with its `deviation`.

        That is proven, in both directions; it may be more than the tolerance, which is what CoACD aims at.
        Needs the extra `parts`.

        Parameters
        ----------
        tolerance : how far the parts may be from the mesh, and it from them, in its units
        max_seconds : for CoACD, which runs in a process of its own

        Examples
        --------
        >>> import firstcontact as fc
        >>> parts = fc.Box([2, 2, 2]).mesh.convex_parts(0.1)
        >>> len(parts.parts), parts.deviation.largest < 0.02
        (1, True)
        >>> Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]).convex_parts(0.1)
        Traceback (most recent call last):
        ValueError: convex_parts needs closed meshes; the mesh has 3 open edges
        """
        home = import_module("firstcontact.queries.decomposing.convex_parts")  # far above a shape
        return home.convex_parts(self, tolerance, max_seconds)

    def __reduce__(self) -> tuple[Callable[..., "Mesh"], tuple[Any, ...]]:
        own = (self.radius,) if self.is_thick else ()
        return Mesh, (self.vertices, self.faces, *own)

    def __repr__(self) -> str:
        counts = f"{self.n_vertices} vertices, {self.n_faces} faces"
        if self.n_vertices == 0:
            return f"Mesh({counts})"
        counts += f", thickness {self.thickness:.4g}" if self.is_thick else ""
        lower, upper = (", ".join(f"{x:.4g}" for x in corner) for corner in self.bounds)
        return f"Mesh({counts}, from [{lower}] to [{upper}])"


@OnceForEachMesh
def _topology_of(mesh: Mesh) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Edges, and the edges around each face."""
    sides = np.stack([mesh.faces, np.roll(mesh.faces, -1, axis=1)], axis=2).reshape(-1, 2)
    # One integer for each side: sorting integers is some ten times faster than sorting rows.
    keys = sides.min(axis=1).astype(np.int64) << 32 | sides.max(axis=1)
    unique, ids = np.unique(keys, return_inverse=True)
    edges = np.stack([unique >> 32, unique & 0xFFFFFFFF], axis=1).astype(np.int32)
    return frozen(edges), frozen(ids.reshape(-1, 3).astype(np.int32))


@OnceForEachMesh
def _edge_faces_of(mesh: Mesh) -> EdgeFaces:
    """Faces around each edge."""
    edge_ids = mesh.face_edges.reshape(-1)
    counts = np.bincount(edge_ids, minlength=len(mesh.edges))
    offsets = np.concatenate(([0], np.cumsum(counts))).astype(np.int32)
    face_ids = (np.argsort(edge_ids, kind="stable") // 3).astype(np.int32)
    return EdgeFaces(frozen(offsets), frozen(face_ids))


def _are_frames(poses: Any) -> bool:
    """Are these places of vertices, (n, 3) or none at each time, rather than poses?"""
    if isinstance(poses, np.ndarray):
        return poses.ndim == 3 and poses.shape[2] == 3
    if not isinstance(poses, list | tuple) or len(poses) == 0:
        return False
    return all(_is_frame(frame) for frame in poses)


def _is_frame(frame: Any) -> bool:
    try:
        shape = np.shape(frame)
    except ValueError:  # rows of different lengths
        return False
    return shape == (0,) or (len(shape) == 2 and shape[1] == 3)


def as_moving(thing: object) -> Moving:
    """Accept a `Moving` as it is; a shape, or a `trimesh.Trimesh`, stands still at the origin."""
    if isinstance(thing, Moving):
        return thing
    if not isinstance(thing, Movable):
        if not hasattr(thing, "faces"):
            name = type(thing).__name__
            raise TypeError(f"a thing must be a shape, moving or not, or a trimesh.Trimesh; received {name}")
        return Moving(as_mesh(thing), motion_at_origin())
    if thing.kind is Kind.ROBOT:
        raise TypeError("a robot needs a configuration: robot.at(q), moving(q0, q1) or along(waypoints)")
    return Moving(thing, motion_at_origin())


def is_empty(shape: Movable) -> bool:
    """Has a shape no points at all, as a mesh without faces, a compound of such, or voxels without a cell?"""
    if shape.kind in (Kind.COMPOUND, Kind.VOXELS, Kind.PLANAR):
        return bool((cast(Shape, shape).bounds[0] > cast(Shape, shape).bounds[1]).any())
    return shape.kind is Kind.MESH and as_mesh(shape).n_faces == 0


def as_mesh(thing: object) -> Mesh:
    """Accept a `Mesh` as it is, and anything with vertices and faces, such as a `trimesh.Trimesh`."""
    return thing if isinstance(thing, Mesh) else Mesh.from_trimesh(thing)
