"""What a `Tracker` asks compiled code, for each pair of kinds; each thread has what it learned for itself.

Each takes both poses, and an array to write into. It gives the distance, or the depth, below 0 where shapes
are apart; LEFT, None or NaN where that is left to the queries about single things, as of a pose that is not
rigid.
"""

from threading import local
from typing import Any

import numpy as np

from firstcontact._validate import as_choice
from firstcontact.advancement.ask import Ask
from firstcontact.arrays import Array
from firstcontact.bodies.convex_mesh_volume import volumes_around
from firstcontact.bodies.packed_body import packed_body_of, packed_of
from firstcontact.narrowphase.features.feature_graph import is_walkable
from firstcontact.narrowphase.features.feature_ladder import feature_ladder
from firstcontact.proximity.distance.single_distance import LEFT
from firstcontact.proximity.tracking.body_tracking import N_STATE as N_BODY_STATE
from firstcontact.proximity.tracking.body_tracking import (
    TRIANGLE_A,
    TRIANGLE_B,
    measure_tracked_bodies,
    measure_tracked_convex,
    touch_tracked_bodies,
    touch_tracked_convex,
)
from firstcontact.proximity.tracking.convex_tracking import (
    measure_tracked,
    nothing_known,
    sink_tracked,
    touch_tracked,
)
from firstcontact.proximity.tracking.tracked_poses import N_COLUMNS, write_poses
from firstcontact.proximity.tracking.walk_tracking import measure_walked, no_walk_yet
from firstcontact.queries.in_short.convexes import DISTANCE_MAKERS
from firstcontact.queries.in_short.meshes import MESH_MAKERS, SWAPPED_MAKERS
from firstcontact.shapes.mesh import Mesh


class _Known(local):
    """What a thread has learned of two bodies; nothing at first."""

    def __init__(self, state: Array) -> None:
        self.state = state.copy()


class TrackedConvexes:
    """Two convex shapes."""

    is_swapped = False
    makers = DISTANCE_MAKERS

    def __init__(self, a: Any, b: Any, ask: Ask) -> None:
        self._known = _Known(nothing_known(a.packed, b.packed))

    def measured(self, pose_a: Array, pose_b: Array, out: Array) -> float:
        """Measure them."""
        return measure_tracked(pose_a, pose_b, self._known.state, out)

    def touches(self, pose_a: Array, pose_b: Array) -> bool | None:
        """Have they a common point?"""
        found = touch_tracked(pose_a, pose_b, self._known.state, np.empty(N_COLUMNS))
        return None if found < 0 else found > 0

    def sunk(self, pose_a: Array, pose_b: Array, out: Array) -> float:
        """Measure how deep they are in each other."""
        return sink_tracked(pose_a, pose_b, self._known.state, out)


class WalkedConvexes(TrackedConvexes):
    """Two convex shapes with cores that are polytopes, whose closest features are walked to.

    Contact and depth are asked as of any two convex shapes.
    """

    def __init__(self, a: Any, b: Any, ask: Ask) -> None:
        super().__init__(a, b, ask)
        for name, shape in (("a", a), ("b", b)):
            if not is_walkable(shape):
                rule = "method='voronoi' walks over vertices, edges and faces"
                raise ValueError(f"{rule}; {name}, a {type(shape.unrounded).__name__}, has none")
        self._walks = _Known(no_walk_yet(a.packed, b.packed, feature_ladder(a), feature_ladder(b)))

    def measured(self, pose_a: Array, pose_b: Array, out: Array) -> float:
        """Measure them."""
        return measure_walked(pose_a, pose_b, self._walks.state, out)


# Who keeps what was learned of two convex shapes, by the name of a method; the first is the default.
METHODS = {"gjk": TrackedConvexes, "voronoi": WalkedConvexes}


def tracked_convexes(a: Any, b: Any, ask: Ask) -> TrackedConvexes:
    """Keep what is learned of two convex shapes in the way that is asked for."""
    name = "gjk" if ask.method is None else as_choice("method", ask.method, tuple(METHODS))
    return METHODS[name](a, b, ask)


class Untracked:
    """Two bodies of which nothing is kept: all is left to the queries about single things."""

    is_swapped = False
    makers = DISTANCE_MAKERS

    def __init__(self, a: Any, b: Any, ask: Ask) -> None:
        pass

    def measured(self, pose_a: Array, pose_b: Array, out: Array) -> float:
        """Leave it."""
        return LEFT

    def touches(self, pose_a: Array, pose_b: Array) -> bool | None:
        """Leave it."""
        return None

    def sunk(self, pose_a: Array, pose_b: Array, out: Array) -> float:
        """Leave it."""
        return np.nan


class _TrackedBodies:
    """What meshes with each other, and with convex shapes, have in common."""

    is_swapped = False
    makers = MESH_MAKERS

    def __init__(self, drivers: tuple[Any, Any], *sides: tuple[Any, Any] | None) -> None:
        nothing = np.zeros(N_BODY_STATE)
        nothing[[TRIANGLE_A, TRIANGLE_B]] = -1.0
        self._known, (self._measure, self._touch) = _Known(nothing), drivers
        one, other = sides
        self._arrays = None if one is None or other is None else (*one, *other)

    def measured(self, pose_a: Array, pose_b: Array, out: Array) -> float:
        """Measure them."""
        if self._arrays is None or not write_poses(pose_a, pose_b, out):
            return LEFT
        distance: float = self._measure(*self._arrays, self._known.state, out)
        return distance

    def touches(self, pose_a: Array, pose_b: Array) -> bool | None:
        """Have they a common point?"""
        out = np.empty(N_COLUMNS)
        if self._arrays is None or not write_poses(pose_a, pose_b, out):
            return None
        found: bool = self._touch(*self._arrays, self._known.state, out)
        return found

    def sunk(self, pose_a: Array, pose_b: Array, out: Array) -> float:
        """How deep they are in each other is for who measures regions of meshes."""
        return np.nan


class TrackedMeshes(_TrackedBodies):
    """Two meshes."""

    def __init__(self, a: Mesh, b: Mesh, ask: Ask) -> None:
        drivers = measure_tracked_bodies, touch_tracked_bodies
        super().__init__(drivers, _body(a), _body(b))


class TrackedConvexMesh(_TrackedBodies):
    """A convex shape and a mesh."""

    def __init__(self, a: Any, b: Any, ask: Ask) -> None:
        drivers = measure_tracked_convex, touch_tracked_convex
        super().__init__(drivers, (a.packed, volumes_around(a)), _body(b))


class TrackedMeshConvex(TrackedConvexMesh):
    """A mesh and a convex shape: poses and points change places."""

    is_swapped = True
    makers = SWAPPED_MAKERS

    def __init__(self, a: Any, b: Any, ask: Ask) -> None:
        super().__init__(b, a, ask)

    def measured(self, pose_a: Array, pose_b: Array, out: Array) -> float:
        """Measure them."""
        return super().measured(pose_b, pose_a, out)

    def touches(self, pose_a: Array, pose_b: Array) -> bool | None:
        """Have they a common point?"""
        return super().touches(pose_b, pose_a)


def _body(mesh: Mesh) -> tuple[Any, Any] | None:
    """The arrays of a mesh, however large; None of one without faces."""
    if mesh.n_faces == 0:
        return None
    packed = packed_body_of(mesh)
    return packed if packed.numbers.size > 0 else packed_of(mesh)
