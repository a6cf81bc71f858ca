"""Rays: where straight lines from a point on meet a shape."""

from collections.abc import Callable
from concurrent.futures import Executor
from math import inf
from typing import Any, Literal, NamedTuple, TypeVar, cast, overload

import numpy as np
from numpy.typing import ArrayLike

from firstcontact._jit import NotPlainError
from firstcontact._validate import as_choice, as_count, as_scalar, as_stack
from firstcontact.advancement.ask import USUAL, Ask
from firstcontact.answers.ray_results import AllRayHits, RayHits
from firstcontact.arrays import Array
from firstcontact.bodies.mesh_body import body_of
from firstcontact.bodies.ray_body import packed_ray_body_of, ray_body_of
from firstcontact.errors import too_many
from firstcontact.plain import Makers, UnderWay, later, once
from firstcontact.proximity.rays.ray_cloud import cast_at_cloud
from firstcontact.proximity.rays.ray_convex import cast_at_convex
from firstcontact.proximity.rays.ray_hits import (
    ALL,
    ANY,
    FIRST,
    LARGEST,
    MOST_HITS,
    Hits,
    Rays,
    first_short,
)
from firstcontact.proximity.rays.ray_mesh import FacesMet, cast_for_faces
from firstcontact.proximity.rays.ray_rounded import cast_at_rounded, is_rounded
from firstcontact.proximity.rays.single_ray import FACE, NORMAL, POINT, TIME, cast_at_body, cast_at_packed
from firstcontact.proximity.rays.single_ray import N_COLUMNS as N_SINGLE
from firstcontact.queries.kinds.resting import Resting, at_rest
from firstcontact.queries.look_up import alone_in_short, refuse, row_alone
from firstcontact.queries.registry import RAYS
from firstcontact.queries.spread.spread_batch import spread_answer
from firstcontact.shapes.convex import has_faces
from firstcontact.shapes.convex_shape import as_convex
from firstcontact.shapes.mesh import Mesh, as_moving
from firstcontact.shapes.moving import Moving, dimension_of
from firstcontact.spreading.batch import Batch, check_batch, is_read_in_parts

Answered = TypeVar("Answered", RayHits, AllRayHits)

WANTED = {"first": FIRST, "any": ANY, "all": ALL}


class RayBatch(NamedTuple):
    """Rays in the world, (n, 3) or one for all; which of their hits are wanted, and how many at most."""

    origins: Array
    directions: Array
    min_time: float
    max_time: float
    n: int
    wanted: int
    most: int


@overload
def ray_cast(
    shape: Any,
    origins: ArrayLike,
    directions: ArrayLike,
    *,
    hits: Literal["all"],
    min_time: float = 0.0,
    max_time: float = inf,
    max_hits: int | None = None,
    executor: Executor | None = None,
) -> AllRayHits: ...


@overload
def ray_cast(
    shape: Any,
    origins: ArrayLike,
    directions: ArrayLike,
    *,
    hits: Literal["first", "any"] = "first",
    min_time: float = 0.0,
    max_time: float = inf,
    executor: Executor | None = None,
) -> RayHits: ...


def ray_cast(
    shape: Any,
    origins: ArrayLike,
    directions: ArrayLike,
    *,
    hits: str = "first",
    min_time: float = 0.0,
    max_time: float = inf,
    max_hits: int | None = None,
    executor: Executor | None = None,
) -> RayHits | AllRayHits:
    """Where do rays, ``origin + time * direction`` from time 0 on, or lines, meet the surface of a shape?

    No ray slips through where faces share an edge or a corner: it meets all of them, or one, as rounding has
    it; none in whose plane it is. From the surface it meets that at 0, to rounding; from inside, where it
    leaves. Times are right to rounding; outlines within 1e-15 may be lost. In two dimensions sides are exact.

    Parameters
    ----------
    shape : any shape, or what `Shape.at` gives for one pose; a mesh, also one of trimesh, keeps its tree
    origins, directions : (n, 3) or (3,), in the plane (n, 2) or (2,); one goes with many. Of any length
    hits : "first", "any", which is right about whether there is one, or "all", for `AllRayHits`
    min_time, max_time : hits before or after do not count; a line has them from ``-inf`` on
    max_hits, executor : more of all hits than this, or ten million, are an error; as for `vertex_face_ccd`

    Examples
    --------
    >>> from firstcontact import Mesh, Polyline, Sphere
    >>> ray_cast(Sphere(1), [[-3, 0, 0], [0, 0, 0], [0, 5, 0]], [2, 0, 0]).time.tolist()
    [1.0, 0.5, inf]
    >>> square = Mesh([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], [[0, 1, 2], [0, 2, 3]])
    >>> ray_cast(square, [-1, 0.5, 0], [1, 0, 0]), ray_cast(Polyline([[1, 0], [3, 0]]), [0, 0], [1, 0])
    (RayHits(no hit), RayHits(at 1, face 0))
    >>> ray_cast(square, [0.5, 0.5, 2], [0, 0, -1], hits="all").faces.tolist()
    [0, 1]
    """
    if executor is not None:
        asked = CastAt(shape, None, None, hits, min_time, max_time, max_hits)
        return _cast_far(asked, origins, directions, executor)
    is_usual = type(hits) is str and hits == "first" and max_hits is None
    if is_usual and type(min_time) is float and min_time == 0.0:
        found = _in_short(shape, origins, directions, max_time)
        if found is not None:
            return found
    return CastAt(shape, origins, directions, hits, min_time, max_time, max_hits).answer((None, None))


class CastAt(NamedTuple):
    """What rays are cast at, and what is asked of them; the rows are their origins and directions.

    origin, direction : where one goes with all rays
    """

    shape: Any
    origin: Any
    direction: Any
    hits: str
    min_time: float
    max_time: float
    max_hits: int | None

    def answer(self, rows: tuple[Any, ...]) -> RayHits | AllRayHits:
        """Cast some rays."""
        origins = self.origin if rows[0] is None else rows[0]
        directions = self.direction if rows[1] is None else rows[1]
        return _at_length(self, origins, directions)


def _cast_far(asked: CastAt, origins: Any, directions: Any, executor: Executor) -> RayHits | AllRayHits:
    """Let workers cast rays."""
    given = (origins, directions)
    if not any(map(is_read_in_parts, given)):
        d = dimension_of(asked.shape)
        (starts, has_starts), (ways, has_ways) = rows_of_rays(origins, directions, d)
        given = starts if has_starts else starts[0], ways if has_ways else ways[0]
    is_many = [np.ndim(one) == 2 for one in given]
    n = check_batch({len(one) for one, many in zip(given, is_many, strict=True) if many}, "ray_cast")
    rows = tuple(one if many else None for one, many in zip(given, is_many, strict=True))
    origin, direction = (None if many else one for one, many in zip(given, is_many, strict=True))
    shared = asked._replace(origin=origin, direction=direction)
    found: RayHits | AllRayHits = spread_answer(
        Batch(shared, rows, n, "rays"), Ask.checked(executor=executor)
    )
    most = MOST_HITS if asked.max_hits is None else asked.max_hits
    if isinstance(found, AllRayHits) and len(found) > most:
        raise too_many("hits", "max_hits", most)
    return found


def _at_length(asked: CastAt, origins: ArrayLike, directions: ArrayLike) -> RayHits | AllRayHits:
    """Cast any number of rays, for any of their hits."""
    shape, hits, max_hits = asked.shape, asked.hits, asked.max_hits
    wanted = WANTED[as_choice("hits", hits, tuple(WANTED))]
    if max_hits is not None and wanted != ALL:
        raise ValueError(f"max_hits is for hits='all'; received hits={hits!r}")
    most = MOST_HITS if max_hits is None else as_count("max_hits", max_hits)
    starts, ways, is_batch = as_rays(origins, directions, dimension_of(shape))
    soonest, latest = times_of(asked.min_time, asked.max_time)
    n = n_rays(starts, ways)
    row = row_alone("ray_cast", shape, RAYS)
    refuse(row, "ray_cast", shape)
    batch = RayBatch(starts, ways, soonest, latest, n, wanted, most)
    met: Hits | FacesMet = row.answer(as_moving(shape), batch, USUAL)
    if wanted == ALL:
        return _all(met)
    return _each(met) if is_batch else _single(met.told() if isinstance(met, FacesMet) else met)


def as_rays(origins: ArrayLike, directions: ArrayLike, dimension: int = 3) -> tuple[Array, Array, bool]:
    """Check rays: origins and directions, (n, 3) or (1, 3) for all; the flag tells a batch."""
    (starts, has_starts), (ways, has_ways) = rows_of_rays(origins, directions, dimension)
    return starts, ways, has_starts or has_ways


def rows_of_rays(
    origins: ArrayLike, directions: ArrayLike, dimension: int
) -> tuple[tuple[Array, bool], tuple[Array, bool]]:
    """Check origins and directions, each in rows, and tell whether these are many."""
    starts, has_starts = as_stack("origins", origins, (dimension,))
    ways, has_ways = as_stack("directions", directions, (dimension,))
    _check(starts, ways, has_starts and has_ways)
    return (starts, has_starts), (ways, has_ways)


def n_rays(origins: Array, directions: Array) -> int:
    """How many rays there are: one of both goes with all of the other, which may be none."""
    return max(len(origins), len(directions)) if len(origins) and len(directions) else 0


def times_of(min_time: float, max_time: float) -> tuple[float, float]:
    """Check the times between which hits count."""
    is_line = isinstance(min_time, float) and min_time == -inf
    soonest = -inf if is_line else as_scalar("min_time", min_time, -LARGEST)
    is_endless = isinstance(max_time, float) and max_time == inf
    return soonest, inf if is_endless else as_scalar("max_time", max_time, soonest)


def _in_short(shape: Any, origin: Any, direction: Any, max_time: Any) -> RayHits | None:
    """Cast one ray that is given in plain arrays at one thing; None for all else."""
    if not type(origin) is type(direction) is np.ndarray:
        return None
    if type(max_time) is not float or not max_time >= 0.0:
        return None
    thing, rows, short = alone_in_short("ray_cast", shape, RAYS)
    found: RayHits | None = None if short is None else short(thing, rows, origin, direction, max_time)
    return found


def ray_at_convex(
    shape: Any, rows: Array, origin: Array, direction: Array, max_time: float
) -> RayHits | None:
    """Cast a ray at a convex shape, in short; at a hull as at the mesh of its faces."""
    packed = shape.packed
    if has_faces(packed):
        return ray_at_mesh(shape.mesh, rows, origin, direction, max_time)
    if is_rounded(packed):
        return None
    return _met_in_short(cast_at_packed, (packed,), (rows, origin, direction), max_time)


def ray_at_mesh(mesh: Any, rows: Array, origin: Array, direction: Array, max_time: float) -> RayHits | None:
    """Cast a ray at a mesh, in short."""
    body = packed_ray_body_of(mesh)
    if body.blocks.size == 0:
        return None
    return _met_in_short(cast_at_body, body, (rows, origin, direction), max_time)


def _met_in_short(
    cast_at: Callable[..., float], body: tuple[Any, ...], ray: tuple[Array, ...], max_time: float
) -> RayHits | None:
    """Call a driver about one ray, and make the answer when it is read; None for all that it leaves."""
    out = np.empty(N_SINGLE)
    out[TIME] = max_time
    try:
        time = cast_at(*body, *ray, out)
    except NotPlainError:
        return None
    if time < 0.0:
        return None
    found: Any = UnderWay()
    found._later, found.time = (_MAKERS, (out,)), time
    found.__class__ = RayHits
    return cast(RayHits, found)


# Who makes the fields of what a single ray meets.
_MAKERS: Makers = {
    "hit": lambda out: bool(out[TIME] < inf),
    "time": lambda out: float(out[TIME]),
    "points": lambda out: out[POINT:NORMAL].copy(),
    "normals": lambda out: out[NORMAL:].copy(),
    "faces": lambda out: int(out[FACE]),
}


def _check(origins: Array, directions: Array, is_paired: bool) -> None:
    if is_paired and len(origins) != len(directions):
        raise ValueError(
            f"origins and directions must be as many; received {len(origins)} and {len(directions)}"
        )
    row = first_short(directions)
    if row >= 0:
        raise ValueError(
            f"directions must not be zero, or shorter than 1e-301; row {row} has {directions[row].tolist()}"
        )


def rays_at_convex(thing: Moving, batch: RayBatch, ask: Ask) -> Hits | FacesMet:
    """Cast rays at a convex shape; at a hull as at the mesh of its faces, at what is rounded step by step."""
    found = rested_once(thing)
    shape = as_convex(found.shape)
    record = shape.table.records[0]
    if has_faces(record):
        return _at_mesh(shape.mesh, found, batch)
    if is_rounded(record):
        return cast_at_rounded(shape, rays_in(batch, found), batch.n, batch.wanted, batch.most)
    return cast_at_convex(shape.table, rays_in(batch, found), batch.n, batch.wanted, batch.most)


def rays_at_mesh(thing: Moving, batch: RayBatch, ask: Ask) -> FacesMet:
    """Cast rays at a mesh."""
    found = rested_once(thing)
    return _at_mesh(found.mesh, found, batch)


def rays_at_cloud(thing: Moving, batch: RayBatch, ask: Ask) -> Hits:
    """Cast rays at points or strands with radii."""
    found = rested_once(thing)
    return cast_at_cloud(body_of(found.mesh), rays_in(batch, found), batch.n, batch.wanted, batch.most)


def _at_mesh(mesh: Mesh, found: Resting, batch: RayBatch) -> FacesMet:
    return cast_for_faces(ray_body_of(mesh), rays_in(batch, found), batch.n, batch.wanted, batch.most)


def rested_once(thing: Moving) -> Resting:
    """Accept a shape at rest, in one pose."""
    found = at_rest(thing)
    if found is None:
        raise ValueError("ray_cast is for one instant, and the shape moves: use shape.at(pose)")
    if found.motion.is_batch:
        raise ValueError(f"ray_cast takes one pose of a shape; received a batch of {len(found.motion)}")
    return found


def rays_in(batch: RayBatch, found: Resting) -> Rays:
    """Rays, and the pose of what they are cast at."""
    pose = found.motion.pose(0.0)
    a, b, c, d, e, f, g, h, i = pose[:3, :3].reshape(-1).tolist()
    x, y, z = pose[:3, 3].tolist()
    turn = a, b, c, d, e, f, g, h, i
    return Rays(batch.origins, batch.directions, turn, (x, y, z), batch.min_time, batch.max_time)


def _each(found: Hits | FacesMet) -> RayHits:
    if isinstance(found, Hits):
        return RayHits(found.times < inf, found.times, found.points, found.normals, found.faces)
    return _put_off(RayHits, found, {"hit": found.hits.times < inf})


def _single(found: Hits) -> RayHits:
    time, face = float(found.times[0]), int(found.faces[0])
    return RayHits(time < inf, time, found.points[0], found.normals[0], face)


def _all(found: Hits | FacesMet) -> AllRayHits:
    starts = (found if isinstance(found, Hits) else found.hits).starts
    rays = np.repeat(np.arange(len(starts) - 1, dtype=np.int32), np.diff(starts))
    if isinstance(found, Hits):
        return AllRayHits(rays, found.times, found.points, found.normals, found.faces, starts)
    return _put_off(AllRayHits, found, {"rays": rays, "offsets": starts.copy()})


def _put_off(kind: type[Answered], found: FacesMet, known: dict[str, Any]) -> Answered:
    """Give an answer whose points and normals are made when one of them is read.

    Until then it keeps the rays, a copy of what was given: nobody else can change that.
    """
    rays = found.rays._replace(origins=found.rays.origins.copy(), directions=found.rays.directions.copy())
    given = later(kind, _PUT_OFF, PutOff(found._replace(rays=rays)))
    given.__dict__.update(known, time=found.hits.times.copy(), faces=found.hits.faces.copy())
    return given


class PutOff:
    """What rays met, told when it is asked for, once for all threads."""

    def __init__(self, faces: FacesMet) -> None:
        self._faces = faces

    @once
    def told(self) -> Hits:
        """All that there is to say of the hits."""
        return self._faces.told()


# Who makes what is put off.
_PUT_OFF: Makers = {
    "points": lambda off: off.told.points,
    "normals": lambda off: off.told.normals,
}
