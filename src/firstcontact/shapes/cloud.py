"""What points and strands have in common."""

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from firstcontact._validate import as_radii, as_vertices
from firstcontact.plain import once
from firstcontact.shapes.kept import Content, content_of
from firstcontact.shapes.mesh import Mesh
from firstcontact.shapes.movable import Movable
from firstcontact.shapes.shape import frozen


class Cloud(Mesh):
    """Elements, which are points or segments, and all that is within a radius of each: the base of both.

    To who answers it is a mesh whose faces have no area, one an element, and a radius each.
    """

    is_cloud: ClassVar[bool] = True
    element: ClassVar[str]  # what a contact calls one: POINT or SEGMENT

    def __init__(self, positions: ArrayLike, faces: NDArray[np.int32], radius: ArrayLike) -> None:
        super().__init__(as_vertices(positions, "positions"), faces)
        object.__setattr__(self, "radius", frozen(as_radii("radius", radius, self.n_vertices)))

    @classmethod
    def from_trimesh(cls, mesh: Any) -> Mesh:
        """Refuse what makes meshes alone."""
        raise TypeError(f"from_trimesh makes a Mesh, and {cls.__name__} are none: use the vertices")

    def report(self) -> Any:
        """Refuse what is said of meshes alone."""
        raise TypeError(f"report is of meshes, and a {type(self).__name__} is none")

    @property
    def positions(self) -> NDArray[np.float64]:
        """The points, (n, 3)."""
        return self.vertices

    @once
    def content(self) -> Content:
        """What is known of clouds with these elements and radii."""
        return content_of(self.vertices, self.faces, self.radii)

    @once
    def bounds(self) -> NDArray[np.float64]:
        """The smallest box that holds all elements, (2, 3); without any the empty box, inf to -inf."""
        return frozen(self._thick_bounds())

    def _words(self) -> str:
        """What a repr says of radii and bounds."""
        if self.n_faces == 0:
            return ""
        low, high = float(self.radius.min()), float(self.radius.max())
        radius = f"radius {low:.4g}" if low == high else f"radii {low:.4g} to {high:.4g}"
        lower, upper = (", ".join(f"{x:.4g}" for x in corner) for corner in self.bounds)
        return f", {radius}, from [{lower}] to [{upper}]"


def as_cloud(shape: Movable) -> Cloud:
    """Tell that a shape is a cloud."""
    if not isinstance(shape, Cloud):
        raise TypeError(f"a {type(shape).__name__} is made neither of points nor of strands")
    return shape


class Points(Cloud):
    """A cloud of points, each with a ball of a radius around it: a lidar scan, particles, samples of a part.

    All of a ball belongs to the shape: what is inside of one is in contact. Points at one place are legal.

    Parameters
    ----------
    positions : (n, 3) numbers, finite
    radius : a number, 0 or more, or one for each point

    Examples
    --------
    >>> import firstcontact as fc
    >>> cloud = fc.Points([[0, 0, 0], [4, 0, 0]], radius=[1, 0.5])
    >>> cloud
    Points(2 points, radii 0.5 to 1, from [-1, -1, -1] to [4.5, 1, 1])
    >>> fc.distance(cloud, fc.Sphere(1).at((np.eye(3), [8, 0, 0]))).distance
    2.5
    >>> fc.Points([])
    Points(0 points)
    """

    element: ClassVar[str] = "POINT"

    def __init__(self, positions: ArrayLike, radius: ArrayLike = 0.0) -> None:
        points = as_vertices(positions, "positions")
        super().__init__(points, np.repeat(np.arange(len(points), dtype=np.int32), 3).reshape(-1, 3), radius)

    def placed(self, vertices: NDArray[np.float64]) -> "Points":
        """Points elsewhere with the same radii."""
        return Points(vertices, self.radius)

    def part(self, vertices: NDArray[np.float64], faces: NDArray[np.int64]) -> "Points":
        """Some of the points, in that order, elsewhere."""
        return Points(vertices[faces], self.radius[faces])

    def __reduce__(self) -> tuple[Callable[..., "Points"], tuple[Any, ...]]:
        return Points, (self.vertices, self.radius)

    def __repr__(self) -> str:
        return f"Points({self.n_vertices} points{self._words()})"
