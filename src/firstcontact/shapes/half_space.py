"""The half-space: all on one side of a plane."""

from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from firstcontact._validate import COORDINATE_LIMIT, as_scalar, as_stack
from firstcontact.arrays import Array
from firstcontact.motions.smooth import as_trajectory
from firstcontact.plain import once
from firstcontact.scalar.error_bounds import UNIT_ROUNDOFF
from firstcontact.shapes.convex_hull import ConvexHull
from firstcontact.shapes.mesh import Mesh
from firstcontact.shapes.movable import Kind, Movable
from firstcontact.shapes.moving import Moving
from firstcontact.shapes.shape import Shape, frozen

# A slab is wider and thicker than how far what it meets is ever away from its middle, by this at the least:
# then there is no nearer way out than through the plane (docs/convex.md).
WIDER = 4.0

# How far the corners of a slab may be off the plane, in units of their coordinates: three products, four
# sums, and the lengths of three unit vectors; twice that.
ROUNDED = 16.0 * UNIT_ROUNDOFF

# What it meets may be as far away as leaves the corners of a slab within the limit of all coordinates; what
# is nearer than the least size of a shape counts as that far.
FARTHEST, NEAREST = COORDINATE_LIMIT / 8.0, 2.0**-150


class HalfSpace(Shape):
    """All points x with ``normal . x <= offset``: a floor, a wall, the ground under everything. It is solid.

    It has no bounds, and goes with all that has. Two of them meet unless they are parallel and face away
    from each other, to the last digit.

    Parameters
    ----------
    normal : (3,) numbers, not all zero: what looks out of it; its length does not matter
    offset : how far the plane is from the origin along the normal

    Examples
    --------
    >>> import firstcontact as fc
    >>> floor, ball = fc.HalfSpace([0, 0, 1]), fc.Sphere(1)
    >>> fc.distance(floor, ball.at((np.eye(3), [7, 0, 3]))).distance
    2.0
    >>> fc.penetration(ball.at((np.eye(3), [7, 0, 0.25])), floor).depth
    0.75
    >>> fc.distance(floor, fc.HalfSpace([0, 0, -1], -5)), fc.intersects(floor, fc.HalfSpace([1, 0, 0]))
    (Distance(5), True)
    """

    kind: ClassVar[Kind] = Kind.HALF_SPACE
    rows: ClassVar[Any] = None

    def __init__(self, normal: ArrayLike, offset: float = 0.0) -> None:
        given, has_many = as_stack("normal", normal, (3,))
        if has_many or not given.any():
            what = f"{len(given)} of them" if has_many else "zeros"
            raise ValueError(f"normal must be one vector, (3,), that is not zero; received {what}")
        scaled = given[0] / np.abs(given).max()
        self._normal = frozen(scaled / np.linalg.norm(scaled) + 0.0)
        self._offset = as_scalar("offset", offset, -FARTHEST, FARTHEST)

    @property
    def normal(self) -> Array:
        """The unit vector that looks out of it, (3,)."""
        return self._normal

    @property
    def offset(self) -> float:
        """How far the plane is from the origin along the normal."""
        return self._offset

    @once
    def centroid(self) -> Array:
        """The point of the plane that is nearest to the origin, (3,)."""
        return frozen(self._offset * self._normal + 0.0)

    @once
    def bounds(self) -> Array:
        """The smallest box around it, (2, 3): it ends, if at all, where the plane does."""
        box = np.array([[-np.inf] * 3, [np.inf] * 3])
        for axis, x in enumerate(self._normal.tolist()):
            if abs(x) == 1.0:
                box[int(x > 0.0), axis] = x * self._offset
        return frozen(box)

    def support(self, directions: Array) -> Array:
        """How far it reaches along each of some vectors, (n, 3), times their lengths: mostly, without end."""
        sizes = directions @ self._normal
        is_along = (directions == sizes[:, np.newaxis] * self._normal).all(axis=1) & (sizes >= 0.0)
        found: Array = np.where(is_along, sizes * self._offset, np.inf)
        return found

    def along(
        self,
        poses: Any,
        times: ArrayLike | None = None,
        *,
        path: str = "constant",
        center: ArrayLike | None = None,
    ) -> Moving:
        """Move rigidly through poses, each at its time, as any shape; but not by a motion that deviates.

        What turns at rates that change is off its pieces by the more the farther away: of a half-space, by
        more than any bound.
        """
        if as_trajectory(poses) is not None:
            raise TypeError("a HalfSpace goes through poses, and not along a motion: a Box of its size can")
        return super().along(poses, times, path=path, center=center)

    def within(self, distance: float) -> ConvexHull:
        """Give the slab that stands for it to all that is within a distance of the origin of its frame.

        One face is in the plane; where rounding could take that inwards, it is as much farther out. Equal
        distances but for a factor of two may have the same slab, which is made once.
        """
        far = max(distance, 0.0) + abs(self._offset)
        if not far <= FARTHEST:
            rule = f"a HalfSpace and what it meets must be within {FARTHEST:.3g} of each other"
            raise ValueError(f"{rule}; received {far:.3g}")
        width = WIDER * 2.0 ** np.ceil(np.log2(max(far, NEAREST)))
        known: dict[str, Any] = self.kept
        slab: ConvexHull | None = known.get(f"slab {width}")
        if slab is None:
            slab = known[f"slab {width}"] = ConvexHull(_slab(self._normal, self._offset, width))
        return slab

    def patch(self, size: float, around: ArrayLike = (0.0, 0.0, 0.0)) -> Mesh:
        """Give a square of the plane, as wide as a size, around the foot of a point: for pictures."""
        points, has_many = as_stack("around", around, (3,))
        if has_many:
            raise ValueError(f"around must be one point, (3,); received {len(points)} of them")
        middle = points[0]
        middle = middle - (middle @ self._normal - self._offset) * self._normal
        u, v = 0.5 * as_scalar("size", size, 0.0) * _across(self._normal)
        corners = [middle - u - v, middle + u - v, middle + u + v, middle - u + v]
        return Mesh(corners, [[0, 1, 2], [0, 2, 3]])

    def __repr__(self) -> str:
        x, y, z = self._normal
        return f"HalfSpace([{x:.4g}, {y:.4g}, {z:.4g}], {self._offset:g})"


def as_half_space(shape: Movable) -> HalfSpace:
    """Tell that a shape is a half-space."""
    if not isinstance(shape, HalfSpace):
        raise TypeError(f"a {type(shape).__name__} is no half-space")
    return shape


def _across(normal: Array) -> Array:
    """Two unit vectors (2, 3) that are at right angles to a normal and each other, right-handed with it."""
    least = int(np.argmin(np.abs(normal)))
    u = np.cross(np.eye(3)[least], normal)
    u /= np.linalg.norm(u)
    return np.stack([u, np.cross(normal, u)])


def _slab(normal: Array, offset: float, width: float) -> Array:
    """Corners (8, 3) of a slab below a plane."""
    u, v = width * _across(normal)
    # Along an axis all of it is exact.
    out = 0.0 if np.abs(normal).max() == 1.0 else ROUNDED * (abs(offset) + width)
    top = (offset + out) * normal + np.array([-u - v, u - v, u + v, -u + v])
    return np.concatenate([top, top - width * normal])
