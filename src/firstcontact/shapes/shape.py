"""What every shape can do: stand somewhere, and move rigidly."""

from abc import ABC, abstractmethod
from importlib import import_module
from itertools import product
from typing import Any, ClassVar, TypeGuard

import numpy as np
from numpy.typing import ArrayLike, NDArray

from firstcontact.arrays import Array
from firstcontact.motions.rigid_paths import motion_along, motion_at, motion_between, motion_with
from firstcontact.motions.short_rows import AT_ORIGIN, motion_through, row_at, row_between, row_with
from firstcontact.motions.smooth import as_trajectory, motion_following
from firstcontact.motions.trajectories.quaternion_trajectory import quaternion_path
from firstcontact.plain import Sealed, once
from firstcontact.shapes.movable import Kind, Movable
from firstcontact.shapes.moving import Moving, moving_by_row

ROBOT = Kind.ROBOT

# Products of points and directions computed at a time.
CHUNK = 1 << 22


class Shape(Movable, Sealed, ABC):
    """Anything with a place and a size. It stands still at the origin until it is told to move."""

    rows: ClassVar[Any] = AT_ORIGIN

    @property
    @abstractmethod
    def centroid(self) -> Array:
        """The centre, (3,): what a moving shape is turned about unless another point is given."""

    @property
    @abstractmethod
    def bounds(self) -> Array:
        """The smallest box around the shape, (2, 3): its lower and its upper corner."""

    @once
    def largest(self) -> float:
        """The largest coordinate of the shape, or more: the sum of the magnitudes of its bounds."""
        return float(np.abs(self.bounds).sum())

    @once
    def reach(self) -> float:
        """No point of the shape is farther from the origin of its frame; 0 where there is no point."""
        if self.bounds[0, 0] > self.bounds[1, 0]:
            return 0.0
        return float(np.linalg.norm(np.abs(self.bounds).max(axis=0))) * (1.0 + 2.0**-48)

    @property
    def thickness(self) -> float:
        """The largest radius around what compiled code takes for triangles; 0 of what is none of these."""
        return 0.0

    @property
    def corners(self) -> Array:
        """Points whose hull holds the shape, (n, 3): those of the box around it, unless it has its own."""
        return box_corners(self.bounds)

    @property
    def farthest(self) -> float:
        """No point of the shape is farther from the middle of the box around it."""
        return float(np.linalg.norm(self.corners - self.bounds.mean(axis=0), axis=1).max())

    def support(self, directions: Array) -> Array:
        """How far the shape reaches along each of some vectors, (n, 3), times their lengths; never less.

        In plain NumPy, by formulas of its own: what compiled code knows of a shape is checked against it.
        """
        return support_of(self.corners, directions)

    @once
    def kept(self) -> dict[str, Any]:
        """What others have worked out of the shape, by their names for it."""
        return {}

    @once
    def _pivot(self) -> Array:
        """The centre, as compiled code takes it."""
        return np.array(self.centroid)

    def at(self, pose: Any) -> Moving:
        """Stand still at a pose; with a batch of poses, at each of them.

        Parameters
        ----------
        pose : (4, 4) or (n, 4, 4) numbers, rigid; or a tuple of a rotation and a translation (3,): the
            rotation (3, 3), a quaternion x, y, z, w, or a `scipy.spatial.transform.Rotation`; or (7,)
            numbers, x, y, z and a quaternion x, y, z, w; or a translation alone, (3,). Each of these may be
            of n, but (3, 3) alone is refused: rotations are never alone, and it could be one

        Examples
        --------
        >>> from firstcontact import Mesh
        >>> leaf = Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
        >>> leaf.at((np.eye(3), [0, 0, 5])).vertices(0)[:, 2].tolist()
        [5.0, 5.0, 5.0]
        >>> leaf.at([0, 0, 5, 0, 0, 0, 1]).pose(0)[:3, 3].tolist(), leaf.at([0, 0, 5]).pose(0)[:3, 3].tolist()
        ([0.0, 0.0, 5.0], [0.0, 0.0, 5.0])
        >>> leaf.at(2 * np.eye(4))
        Traceback (most recent call last):
        ValueError: pose must be a rigid pose, with 0, 0, 0, 1 as its last row; received 0, 0, 0, 2
        """
        row = row_at(pose)
        return Moving(self, motion_at(pose)) if row is None else moving_by_row(self, row)

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
        path : "constant": linear velocity of, angular velocity about, the center; "screw": the screw motion;
            "quaternion": the center goes straight, and so does the quaternion, which is not normalised
        center : (3,) the body point that moves straight and is turned about; the centroid unless given
        velocity, angular_velocity : instead of `end`, (3,) or (n, 3) in world axes, over the whole step; the
            angular one in radians, any number of turns. A screw has that of the center at the start.
        acceleration : (3,) or (n, 3) in world axes, constant, of all points: adds t^2 / 2 times it, or with
            an `end`, which is reached, t (t - 1) / 2 times it

        Examples
        --------
        >>> from firstcontact import Mesh
        >>> rod = Mesh([[-1, 0, 0], [1, 0, 0], [0, 0, 0.1]], [[0, 1, 2]])
        >>> turn, fall = [0, 0, 2 * np.pi], [0, 0, -8]
        >>> thrown = rod.moving(np.eye(4), center=[0, 0, 0], angular_velocity=turn, acceleration=fall)
        >>> bool(np.allclose(thrown.vertices(0.5)[:2], [[1, 0, -1], [-1, 0, -1]]))
        True
        >>> rod.moving(np.eye(4), np.eye(4), velocity=[1, 0, 0])
        Traceback (most recent call last):
        TypeError: a motion takes an end pose, or a velocity and an angular_velocity: not both
        """
        point = self._pivot if center is None else center
        has_velocity = velocity is not None or angular_velocity is not None
        is_free = has_velocity or acceleration is not None
        if (has_velocity and end is not None) or not (is_free or end is not None):
            rest = "at least one, or an acceleration; shape.at(pose) stands still"
            fault = "not both" if has_velocity else rest
            raise TypeError(f"a motion takes an end pose, or a velocity and an angular_velocity: {fault}")
        if _is_named(path, "quaternion") and end is not None and acceleration is None:
            return self.along(quaternion_path(start, end, point))
        if center is None and acceleration is None:
            row = (
                row_with(start, velocity, angular_velocity, self._pivot, path)
                if end is None
                else row_between(start, end, self._pivot, path)
            )
            if row is not None:
                return moving_by_row(self, row)
        if end is None:
            return Moving(self, motion_with(start, velocity, angular_velocity, point, path, acceleration))
        return Moving(self, motion_between(start, end, point, path, acceleration))

    def along(
        self,
        poses: Any,
        times: ArrayLike | None = None,
        *,
        path: str = "constant",
        center: ArrayLike | None = None,
    ) -> Moving:
        """Move rigidly through poses, each at its time, between neighbours as `moving` does; or by a motion.

        Parameters
        ----------
        poses : two or more, (k, 4, 4) numbers, or rotations and translations as for `at`. Or a motion, which
            says all: a `Spline`; what `motion` gives; one of SciPy's splines of the place, or a tuple of a
            `RotationSpline` and one, whose times become [0, 1]
        times : (k,) increasing from 0 to 1; evenly spaced unless given
        path, center : as for `moving`

        Examples
        --------
        >>> from firstcontact import Sphere
        >>> ball = Sphere(1)
        >>> there, here = np.eye(4), np.eye(4)
        >>> there[0, 3] = 8
        >>> path = ball.along([here, there, here], times=[0, 0.75, 1])
        >>> [float(path.pose(t)[0, 3]) for t in (0, 0.375, 0.75, 0.875, 1)]
        [0.0, 4.0, 8.0, 4.0, 0.0]
        >>> ball.along([here])
        Traceback (most recent call last):
        ValueError: poses must be two or more, of shape (n, 4, 4); received 1
        """
        if times is None and center is None:
            motion = motion_through(poses, self._pivot, path)
            if motion is not None:
                return Moving(self, motion)
        trajectory = as_trajectory(poses)
        if trajectory is not None:
            if times is not None or center is not None or not _is_named(path, "constant"):
                raise TypeError("a motion says all of how a shape moves: leave out times, path and center")
            return Moving(self, motion_following(trajectory, self.reach))
        return Moving(self, motion_along(poses, times, self._pivot if center is None else center, path))

    def sphere_tree(self, levels: int, *, method: str = "octree", progress: bool = False) -> Any:
        """Cover the shape by spheres, from one to many: a `SphereTree`, with how far each level sticks out.

        Every point of the shape is in a sphere of each level, in a child of that, and so on. What is solid is
        covered with its inside, and so is a closed mesh; of an open one it is the surface.

        Parameters
        ----------
        levels : how many; the first is one sphere, and a sphere has eight children or fewer
        method : how spheres are divided: "octree", by halves of a cube; "grid", into those of one radius that
            hold most; "medial", into those that stick out least, around the medial axis; "least-squares",
            about centers that all is nearest to
        progress : show a progress bar

        Examples
        --------
        >>> import firstcontact as fc
        >>> tree = fc.Box([2, 2, 2]).sphere_tree(2)
        >>> tree.counts.tolist(), tree.deviation.round(3).tolist()
        ([1, 8], [0.732, 0.366])
        >>> fc.Mesh([[1, 2, 3]], [[0, 0, 0]]).sphere_tree(3).counts.tolist()
        [1, 1, 1]
        """
        home = import_module("firstcontact.queries.decomposing.sphere_tree")  # far above a shape
        return home.sphere_tree(self, levels, method, progress)


def shape_of(thing: Moving) -> Shape:
    """The shape that moves; a robot, which has one for each link, says so in a `TypeError`."""
    if not _is_shape(thing.shape):
        raise TypeError(f"a {type(thing.shape).__name__} has shapes of its own for each link")
    return thing.shape


def _is_named(path: object, name: str) -> bool:
    """Is it this name? An array, which compares number by number, is none."""
    return isinstance(path, str) and path == name


def _is_shape(thing: Movable) -> TypeGuard[Shape]:
    return thing.kind is not ROBOT


def box_corners(bounds: Array) -> Array:
    """The eight corners of a box (2, 3)."""
    return np.array(list(product(*bounds.T)))


def support_of(points: Array, directions: Array) -> Array:
    """How far points (m, 3) reach along each of some vectors (n, 3), times their lengths."""
    found, step = np.empty(len(directions)), max(CHUNK // max(len(points), 1), 1)
    for i in range(0, len(directions), step):
        found[i : i + step] = (directions[i : i + step] @ points.T).max(axis=1, initial=-np.inf)
    return found


def frozen(array: NDArray[Any]) -> NDArray[Any]:
    """Return an array that cannot be written to any more: this very one."""
    array.setflags(write=False)
    return array
