"""The hull of points."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from firstcontact._validate import as_flag, as_vertices
from firstcontact.arrays import Array
from firstcontact.plain import once
from firstcontact.scalar.error_bounds import UNIT_ROUNDOFF
from firstcontact.shapes.convex import ConvexTable, hull_table
from firstcontact.shapes.convex_shape import ConvexShape
from firstcontact.shapes.mesh import Mesh
from firstcontact.shapes.shape import frozen

# Points thinner than this, in units of their size, lie in a plane, or on a line, as far as can be told.
FLAT = 64.0 * UNIT_ROUNDOFF

# Of points thinner than this, in the same units, Qhull takes what they span for rounding, and leaves out
# corners that are far from all others: it gets them as thick as they are long.
THIN = 1e-9


class ConvexHull(ConvexShape):
    """The smallest convex set that holds some points.

    Distances and contacts are those of the points as they are given, whether they are corners of the hull or
    not. The mesh of the hull is made, by Qhull, when something needs it.

    Parameters
    ----------
    points : (n, 3) numbers, finite; one or more. Duplicates count once.
    flat : whether points in a plane, on a line, or a single one will do

    Examples
    --------
    >>> ConvexHull([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0.1, 0.1, 0.1]])
    ConvexHull(5 points, from [0, 0, 0] to [1, 1, 1])
    >>> ConvexHull([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]])
    Traceback (most recent call last):
    ValueError: points must span a volume, and lie in a plane; flat=True allows it
    """

    def __init__(self, points: ArrayLike, flat: bool = False) -> None:
        unique = np.unique(as_vertices(points, "points"), axis=0) + 0.0
        if len(unique) == 0:
            raise ValueError("points must be one or more; received none")
        self._points, self._rank = frozen(unique), _rank(unique)
        if self._rank < 3 and not as_flag("flat", flat):
            where = ("are all one", "lie on a line", "lie in a plane")[self._rank]
            raise ValueError(f"points must span a volume, and {where}; flat=True allows it")

    @property
    def points(self) -> Array:
        """The points, (n, 3), each once."""
        return self._points

    @property
    def corners(self) -> Array:
        """The points, (n, 3)."""
        return self._points

    @property
    def witness(self) -> Array:
        """The first of the points, (3,)."""
        first: Array = self._points[0]
        return first

    @property
    def is_flat(self) -> bool:
        """Do the points span no volume?"""
        return self._rank < 3

    @once
    def bounds(self) -> Array:
        """The smallest box around the points, (2, 3)."""
        return frozen(np.stack([self._points.min(axis=0), self._points.max(axis=0)]))

    @property
    def centroid(self) -> Array:
        """The centre of the surface, (3,), as of its mesh."""
        return self.mesh.centroid

    @once
    def table(self) -> ConvexTable:
        """The points, in lists by direction."""
        return hull_table(self._points)

    @once
    def mesh(self) -> Mesh:
        """A closed mesh of the hull; one that is flat has two sides, a segment or a point a bare triangle."""
        middle = self.bounds.mean(axis=0)
        size = float(np.max(self.bounds[1] - self.bounds[0])) or 1.0
        local = (self._points - middle) / size
        faces = _solid_faces(local) if self._rank == 3 else _flat_faces(local, self._rank)
        used, ids = np.unique(faces, return_inverse=True)
        return Mesh(self._points[used], ids.reshape(-1, 3))

    def __repr__(self) -> str:
        lower, upper = (", ".join(f"{x:.4g}" for x in corner) for corner in self.bounds)
        return f"ConvexHull({len(self._points)} points, from [{lower}] to [{upper}])"


def _rank(points: Array) -> int:
    """Count the dimensions that points span, as far as rounding lets one tell."""
    local = points - 0.5 * (points.min(axis=0) + points.max(axis=0))
    size = np.abs(local).max()
    if size == 0.0:
        return 0
    extents = np.ptp(_along_axes(local / size), axis=0)
    return max(int(np.count_nonzero(extents > FLAT)), 1)


def _along_axes(points: Array) -> Array:
    """Points as seen along their own axes, the longest first, in a right-handed frame if there are three."""
    _, _, axes = np.linalg.svd(points, full_matrices=False)
    if len(axes) == 3 and np.linalg.det(axes) < 0.0:
        axes = -axes
    along: Array = points @ axes.T
    return along


def _thickened(points: Array) -> Array:
    """Points, (n, 2) or (n, 3), whose hull has the same faces, and which Qhull can tell from flat ones."""
    along = _along_axes(points - points.mean(axis=0))
    extents = np.ptp(along, axis=0)
    is_even = extents.min() >= THIN * extents.max() or extents.min() == 0.0
    return points if is_even else along / extents


def _solid_faces(points: Array) -> NDArray[np.int64]:
    """Faces of the hull of points that span a volume, seen counterclockwise from outside."""
    from scipy.spatial import ConvexHull as Qhull
    from scipy.spatial import QhullError

    thick = _thickened(points)
    try:
        hull = Qhull(thick)
    except QhullError:  # thinner than Qhull can tell from a plane
        return _flat_faces(points, 2)
    faces: NDArray[np.int64] = hull.simplices.astype(np.int64)
    normals = hull.equations[:, :3]
    a, b, c = (thick[faces[:, k]] for k in range(3))
    is_inward = np.einsum("ij,ij->i", np.cross(b - a, c - a), normals) < 0.0
    faces[is_inward] = faces[is_inward][:, ::-1]
    return faces


def _flat_faces(points: Array, rank: int) -> NDArray[np.int64]:
    """Both sides of a flat hull: fans over the corners of its outline."""
    _, _, axes = np.linalg.svd(points - points.mean(axis=0), full_matrices=False)
    along = points @ axes[:2].T if len(axes) > 1 else points
    first, last = int(np.argmin(along[:, 0])), int(np.argmax(along[:, 0]))
    if rank < 2:
        return np.array([[first, last, last]])
    from scipy.spatial import ConvexHull as Qhull
    from scipy.spatial import QhullError

    try:
        ring = Qhull(_thickened(along)).vertices.astype(np.int64)
    except QhullError:  # thinner than Qhull can tell from a line
        return np.array([[first, last, last]])
    fan = np.stack([np.full(len(ring) - 2, ring[0]), ring[1:-1], ring[2:]], axis=1)
    return np.concatenate([fan, fan[:, ::-1]])
