"""Rays at the bodies of a scene: what each meets first."""

from collections.abc import Callable
from math import inf
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from firstcontact._validate import as_scalar
from firstcontact.answers.ray_results import RayHits
from firstcontact.arrays import Array, Flags
from firstcontact.queries.ray_cast import as_rays, n_rays, ray_cast, times_of
from firstcontact.scene.bodies import Bodies
from firstcontact.scene.body_rows import DEFORMED, DEFORMING
from firstcontact.scene.results import SceneRayHits
from firstcontact.scene.seen_bodies import SeenInTurn
from firstcontact.shapes.mesh import is_empty
from firstcontact.shapes.moving import Moving
from firstcontact.shapes.planar import as_planar
from firstcontact.shapes.shape import shape_of

# A ball around a body is larger by this part of all lengths: what rounding may hide of a ray's way.
WIDER = 1e-9


class RaysAtBodies(NamedTuple):
    """Rays in the world, (n, 3) or (n, 2); the times between which hits count, and the moment of the step."""

    origins: Array
    directions: Array
    min_time: float
    max_time: float
    moment: float


class MetByRays(SeenInTurn):
    """What a scene has for rays, and for robots."""

    _now: Callable[[Callable[[Bodies], Any]], Any]

    def ray_cast(
        self,
        origins: ArrayLike,
        directions: ArrayLike,
        *,
        at: float = 0.0,
        min_time: float = 0.0,
        max_time: float = inf,
    ) -> SceneRayHits:
        """What does each ray meet first, of all bodies, and whose is it?

        Parameters
        ----------
        origins, directions, min_time, max_time : as for `firstcontact.ray_cast`
        at : the moment of the step, from 0 to 1, at which the bodies stand

        Examples
        --------
        >>> from firstcontact import Box, HalfSpace, Scene, Sphere
        >>> scene = Scene(floor=HalfSpace([0, 0, 1], 0), ball=Sphere(1).at((np.eye(3), [0, 0, 3])))
        >>> found = scene.ray_cast([[0, 0, 9], [5, 0, 9], [0, 0, 9]], [[0, 0, -1], [0, 0, -1], [0, 0, 1]])
        >>> found.names, found.hits.time.tolist()
        (['ball', 'floor', None], [5.0, 9.0, inf])
        >>> Scene().ray_cast([0, 0, 9], [0, 0, -1])
        SceneRayHits(no hit)
        """
        reading, boxes = self._now(lambda bodies: (bodies.reading(), bodies.boxes(np.zeros(bodies.n_rows))))
        bodies: Bodies = reading.bodies
        d = bodies.dimension
        starts, ways, is_batch = as_rays(origins, directions, d)
        n = n_rays(starts, ways)
        starts, ways = (np.ascontiguousarray(np.broadcast_to(rows, (n, d))) for rows in (starts, ways))
        rays = RaysAtBodies(starts, ways, *times_of(min_time, max_time), as_scalar("at", at, 0.0, 1.0))
        hits, rows = cast_at_bodies(bodies, boxes, rays)
        names = [bodies.names[row] if row >= 0 else None for row in rows.tolist()]
        return SceneRayHits(hits, names) if is_batch else SceneRayHits(_only(hits), names[0])


def cast_at_bodies(bodies: Bodies, boxes: Array, rays: RaysAtBodies) -> tuple[RayHits, NDArray[np.int64]]:
    """Find what each ray meets first, and the row of the body, -1 for none.

    boxes : (n_rows, 6) that the bodies sweep; only rays that pass the ball around one are cast at a body
    """
    n, d = rays.origins.shape
    rows = np.full(n, -1, np.int64)
    best = RayHits(
        np.zeros(n, bool),
        np.full(n, np.inf),
        np.full((n, d), np.nan),
        np.full((n, d), np.nan),
        np.full(n, -1, np.int32),
    )
    times: Any = best.time
    for row in bodies.row_of.values():
        if is_empty(bodies.shapes[row]):
            continue
        may_meet = np.ones(n, bool) if row in bodies.half_spaces else _may_meet(boxes[row], rays, times)
        asked = np.flatnonzero(may_meet)
        if len(asked) == 0:
            continue
        ways = rays.origins[asked], rays.directions[asked]
        thing = _then(bodies.thing(row), rays.moment)
        found = ray_cast(thing, *ways, min_time=rays.min_time, max_time=rays.max_time)
        is_first = found.time < times[asked]
        first = asked[is_first]
        rows[first] = row
        for name in ("hit", "time", "points", "normals", "faces"):
            getattr(best, name)[first] = getattr(found, name)[is_first]
    return best, rows


def _may_meet(box: Array, rays: RaysAtBodies, times: Array) -> Flags:
    """Which rays pass the ball around a box, not after what they met already."""
    lower, upper = box.reshape(2, 3)[:, : rays.origins.shape[1]]
    middle, radius = 0.5 * (lower + upper), 0.5 * np.linalg.norm(upper - lower)
    longest = np.abs(rays.directions).max(axis=1)
    ways = rays.directions / longest[:, np.newaxis]
    seen, squared = middle - rays.origins, np.einsum("ij,ij->i", ways, ways)
    along = np.einsum("ij,ij->i", seen, ways) / squared
    far = np.abs(seen).sum(axis=1) + np.abs(middle).sum() + radius
    reach = radius + WIDER * far
    beside = np.linalg.norm(seen - along[:, np.newaxis] * ways, axis=1)
    with np.errstate(over="ignore", invalid="ignore"):
        ends = rays.min_time * longest, np.minimum(times, rays.max_time) * longest
    is_out = (beside > reach) | (along + reach < ends[0]) | (along - reach > ends[1])
    return np.asarray(~is_out)


def _only(hits: RayHits) -> RayHits:
    """What a single ray met, without the leading axis."""
    times: Any = hits.time
    faces: Any = hits.faces
    return RayHits(bool(times[0] < inf), float(times[0]), hits.points[0], hits.normals[0], int(faces[0]))


def _then(thing: Moving, moment: float) -> Moving:
    """A body as it is at a moment of the step."""
    if int(thing.kind) == DEFORMING:
        return thing.surface.placed(thing.vertices(moment)).at(np.eye(4))
    if thing.kind in DEFORMED:
        there = thing.vertices(moment)
        return as_planar(thing.shape).deforming(there, there)
    return shape_of(thing).at(thing.pose(moment))
