"""The queries at one instant: how far apart, whether in contact."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact._validate import as_flag
from firstcontact.motions.deformation import Deformation
from firstcontact.motions.rigid_paths import motion_at_origin
from firstcontact.proximity.inside import check_closed, contained
from firstcontact.proximity.mesh_distance import mesh_distances, mesh_intersections
from firstcontact.proximity.wide_body import wide_body_of
from firstcontact.queries.proximity_results import Distance, DistanceStats
from firstcontact.shapes.mesh import Mesh, as_moving
from firstcontact.shapes.moving import Moving


class Resting(NamedTuple):
    """A mesh at rest: its motion's rows (n, 24), and whether they are a batch."""

    mesh: Mesh
    rows: NDArray[np.float64]
    is_batch: bool


def distance(a: Any, b: Any) -> Distance:
    """How far are two meshes apart, and where are they closest?

    The least distance of all pairs of triangles, to rounding; 0 where the surfaces cross. A mesh has no
    inside here: what is within another one is as far from it as from its surface.

    Parameters
    ----------
    a, b : what `Mesh.at` gives, of one or both a batch, of the same length; a mesh, also one of trimesh, is
        where its vertices are. The first query of a mesh builds a tree, which is kept with it.

    Examples
    --------
    >>> from firstcontact import Mesh
    >>> import numpy as np
    >>> leaf = Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    >>> d = distance(leaf.at((np.eye(3), [0, 0, 2])), leaf)
    >>> d.distance, d.faces.tolist()
    (2.0, [0, 0])
    >>> distance(leaf.at((np.eye(3), [[0, 0, 1], [0, 3, 4]])), leaf).distance.round(6).tolist()
    [1.0, 4.472136]
    >>> dot = Mesh([[2, 0, 0]], [[0, 0, 0]])
    >>> distance(dot, leaf), distance(leaf, Mesh([], []))
    (Distance(1, faces 0 and 0), Distance(inf, faces -1 and -1))
    """
    x, y = _posed("distance", a, b)
    found = mesh_distances(wide_body_of(x.mesh), wide_body_of(y.mesh), x.rows, y.rows)
    points_a, points_b = found.points[:, 0], found.points[:, 1]
    if x.is_batch or y.is_batch:
        volume_tests, triangle_tests = found.counts.T.copy()
        stats = DistanceStats(volume_tests, triangle_tests)
        return Distance(found.distance, points_a.copy(), points_b.copy(), found.faces, stats)
    stats = DistanceStats(*found.counts[0].tolist())
    return Distance(float(found.distance[0]), points_a[0], points_b[0], found.faces[0], stats)


def intersects(a: Any, b: Any, *, solid: bool = False) -> bool | NDArray[np.bool_]:
    """Have the surfaces of two meshes a point in common? Of a batch, (n,) answers.

    Never False where they have; True also where rounding hides the gap, up to some 1e-13 of the meshes' size.

    Parameters
    ----------
    a, b : as for `distance`
    solid : whether a part of one mesh inside the other counts too, both being closed

    Examples
    --------
    >>> from firstcontact import Mesh
    >>> import numpy as np
    >>> corners, faces = np.eye(4)[:, :3], [[0, 1, 3], [1, 0, 2], [2, 0, 3], [1, 2, 3]]
    >>> large, small = Mesh(9 * corners - 2, faces), Mesh(corners - 0.3, faces)
    >>> intersects(small.at((np.eye(3), [[0, 0, 0], [-2, 0, 0], [-9, 0, 0]])), large).tolist()
    [False, True, False]
    >>> intersects(small, large, solid=True), intersects(Mesh([], []), large)
    (True, False)
    >>> intersects(small, Mesh(corners, faces[1:]), solid=True)
    Traceback (most recent call last):
    ValueError: solid=True needs closed meshes; b has 3 open edges
    """
    x, y = _posed("intersects", a, b)
    is_solid = as_flag("solid", solid)
    if is_solid:
        check_closed(x.mesh, "a")
        check_closed(y.mesh, "b")
    touches = mesh_intersections(wide_body_of(x.mesh), wide_body_of(y.mesh), x.rows, y.rows)
    if is_solid and not touches.all():
        apart = np.flatnonzero(~touches)
        rows_a, rows_b = (thing.rows[apart] if len(thing.rows) > 1 else thing.rows for thing in (x, y))
        touches[apart] = contained(x.mesh, y.mesh, rows_a, rows_b)[: len(apart)]
    return touches if x.is_batch or y.is_batch else bool(touches[0])


def _posed(query: str, a: Any, b: Any) -> tuple[Resting, Resting]:
    """Check the input of a query."""
    x, y = (_resting(query, name, as_moving(thing)) for name, thing in (("a", a), ("b", b)))
    if x.is_batch and y.is_batch and len(x.rows) != len(y.rows):
        raise ValueError(
            f"batches must have the same length; a has {len(x.rows)} poses and b has {len(y.rows)}"
        )
    return x, y


def _resting(query: str, name: str, thing: Moving) -> Resting:
    motion = thing.motion
    if isinstance(motion, Deformation):
        if np.array_equal(motion.vertices_t0, motion.vertices_t1):
            mesh = Mesh(motion.vertices_t0, thing.surface.faces)
            return Resting(mesh, motion_at_origin().rows()[:, 0], False)
    elif motion.is_resting:
        return Resting(thing.surface, np.ascontiguousarray(motion.rows()[:, 0]), motion.is_batch)
    raise ValueError(f"{query} is for one instant, and {name} moves: use {name}.at(pose)")
