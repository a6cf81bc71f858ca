"""What the queries at one instant give back."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from firstcontact.answers.answer import Answer
from firstcontact.answers.closest_features import FeaturePair, closest_features
from firstcontact.answers.gradients import distance_gradient
from firstcontact.plain import Plain


@dataclass(frozen=True, eq=False)
class DistanceStats(Plain):
    """What a search for the closest pair did; of a batch, (n,) int64 each.

    Attributes
    ----------
    volume_tests : pairs of bounding volumes measured
    triangle_tests : pairs of triangles measured
    iterations : steps towards the closest points of convex shapes
    """

    volume_tests: int | NDArray[np.int64]
    triangle_tests: int | NDArray[np.int64]
    iterations: int | NDArray[np.int64] = 0


@dataclass(frozen=True, eq=False)
class Distance(Answer):
    """How far two shapes are apart; of a batch, with a leading axis everywhere.

    Attributes
    ----------
    distance : float, or (n,) float64
        Zero where they overlap; ``inf`` where a mesh has no faces.
    points_a, points_b : (3,) or (n, 3) float64
        Closest points in the world; a common point where they overlap, NaN where there are none.
    faces : (2,) or (n, 2) int32
        The faces of a and of b that they lie on; -1 where there are none, as of a convex shape.
    stats : DistanceStats
    things : what was asked about, by name
    """

    distance: float | NDArray[np.float64]
    points_a: NDArray[np.float64]
    points_b: NDArray[np.float64]
    faces: NDArray[np.int32]
    stats: DistanceStats = field(compare=False)

    @property
    def gradient(self) -> NDArray[np.float64]:
        """How the distance changes as a is moved, and as b is: (2, 6), of a batch (n, 2, 6).

        For each a translation, and a rotation vector about the origin of its pose, in the world. Where
        several places are as close, that of `points_a` and `points_b`; NaN where the shapes touch.

        Examples
        --------
        >>> from firstcontact import Sphere, distance
        >>> distance(Sphere(1).at((np.eye(3), [3, 0, 0])), Sphere(1)).gradient[0, :3] + 0.0
        array([1., 0., 0.])
        """
        points = np.atleast_2d(self.points_a), np.atleast_2d(self.points_b)
        found = distance_gradient(self._subject, points, np.atleast_1d(self.distance))
        return found if self.points_a.ndim > 1 else found[0]

    @property
    def features(self) -> FeaturePair | list[FeaturePair]:
        """The vertex, edge or face of a and of b that is closest; of a batch, a list of such pairs.

        Of boxes, hulls, spheres and capsules, rounded ones included, and of meshes that do not deform; None
        for what has no such features, and for both where they overlap. Of a mesh it is what has the closest
        point alone.

        Examples
        --------
        >>> from firstcontact import Box, distance
        >>> cube = Box([2, 2, 2])
        >>> distance(cube.at((np.eye(3), [0, 0, 3])), cube).features
        (<face 0 2 6 4>, <face 1 5 7 3>)
        >>> distance(cube.at((np.eye(3), [3, 3, 3])), cube).features
        (<vertex 0>, <vertex 7>)
        """
        things = [self._subject[name] for name in "ab"]
        gaps, faces = np.atleast_1d(self.distance), np.atleast_2d(self.faces)
        rows = zip(gaps, np.atleast_2d(self.points_a), np.atleast_2d(self.points_b), faces, strict=True)
        found: list[FeaturePair] = [
            closest_features(things, (p, q), ids, i) if gap > 0.0 else (None, None)
            for i, (gap, p, q, ids) in enumerate(rows)
        ]
        return found[0] if isinstance(self.distance, float) else found

    def __repr__(self) -> str:
        if isinstance(self.distance, float):
            faces = f", faces {self.faces[0]} and {self.faces[1]}" if self.faces.max() >= 0 else ""
            return f"Distance({self.distance:.6g}{faces})"
        return f"Distance({len(self.distance)} pairs of poses)"
