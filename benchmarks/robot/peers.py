"""The usual practice, in a process of its own: pinocchio with coal looks at configurations along a segment.

As fast as it goes: only the pairs that may touch are active; a broad phase (a tree of boxes) sees to the
rest; a whole batch of segments is one call, on all threads, that leaves a segment at its first contact. The
configurations are made beforehand, and do not count. What remains to be chosen is measured: how links are
represented, which of the two broad phases, and in what order a segment's configurations come.
"""

from collections.abc import Iterator
from importlib.util import find_spec
from itertools import product
from time import perf_counter, process_time
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from report.remote import Remote
from robot.cases import Numbers, Obstacle, World

MESHES, MIXED, HULLS = "meshes", "convex meshes as hulls", "hulls"
MANAGERS = ("TreeBroadPhaseManager", "BroadPhaseManager")
BISECTION, SEQUENCE = "bisection", "sequence"
_POOL = "{}Pool_DynamicAABBTreeCollisionManager"
_N_SAMPLES = 1_000_000  # configurations that are held at once
_PATIENCE = 600.0  # seconds for an answer


class Way(NamedTuple):
    """How pinocchio is used: what links are, the broad phase, the order of a segment's configurations."""

    geometry: str
    manager: str
    order: str

    def __str__(self) -> str:
        return ", ".join(self)


WAYS = tuple(Way(*way) for way in product((MESHES, MIXED, HULLS), MANAGERS, (BISECTION, SEQUENCE)))


class Checked(NamedTuple):
    """Which segments touch at a configuration that was looked at, and the seconds of all of them."""

    is_touching: npt.NDArray[np.bool_]
    seconds: float


class Peer:
    """A `_Sampler` in the other process."""

    def __init__(self) -> None:
        self._remote = Remote(_PATIENCE, _Sampler)

    def place(self, world: World) -> None:
        """All that follows is about this world."""
        self._remote.ask("place", world)

    def check(self, way: Way, segments: Numbers, step: float, n_threads: int) -> Checked:
        """Look at configurations that differ by at most `step` in any joint, a batch of segments at once."""
        return self._remote.ask("check", way, segments, step, n_threads)

    def singles(self, way: Way, segments: Numbers, step: float) -> Numbers:
        """Seconds of each segment, one call and one thread each."""
        return self._remote.ask("singles", way, segments, step)

    def paths(self, way: Way, paths: list[Numbers], n_threads: int) -> Checked:
        """Look at the given configurations, (k, dof) of each path, in this order."""
        return self._remote.ask("paths", way, paths, n_threads)

    def is_touching(self, configurations: Numbers) -> npt.NDArray[np.bool_]:
        """Which configurations touch, by the meshes as they are."""
        return self._remote.ask("is_touching", configurations)

    def distances(self, geometry: str, configurations: Numbers) -> tuple[float, Numbers]:
        """Seconds of the processor, one call each, and the distance of each pair, (n, n_pairs)."""
        return self._remote.ask("distances", geometry, configurations)

    def self_pairs(self) -> set[frozenset[str]]:
        """The pairs of links that are looked at."""
        return self._remote.ask("self_pairs")

    def close(self) -> None:
        """End the process."""
        self._remote.close()


def is_missing() -> bool:
    """Is pinocchio, or coal, not installed?"""
    return find_spec("pinocchio") is None or find_spec("coal") is None


def samples(segment: Numbers, step: float, order: str = SEQUENCE) -> Numbers:
    """Configurations of a segment, both ends among them, that differ by at most `step` in any joint."""
    n = max(int(np.ceil(np.abs(segment[1] - segment[0]).max() / step)), 1)
    times = np.arange(n + 1) / n
    if order == BISECTION:
        times = times[_bisection(n + 1)]
    return segment[0] + times[:, None] * (segment[1] - segment[0])


def _bisection(n: int) -> npt.NDArray[np.int64]:
    """The numbers below n: the ends, then middles of what lies between, coarse to fine."""
    n_bits = max(int(n - 1).bit_length(), 1)
    numbers = np.arange(1 << n_bits)
    reversed_bits = sum(((numbers >> bit) & 1) << (n_bits - 1 - bit) for bit in range(n_bits))
    inner = reversed_bits[(reversed_bits > 0) & (reversed_bits < n - 1)]
    return np.concatenate([[0, n - 1][: min(n, 2)], inner]).astype(np.int64)


class _Sampler:
    """What runs in the other process."""

    def __init__(self) -> None:
        import pinocchio

        self._pin = pinocchio
        self._models: dict[Any, Any] = {}
        self._pools: dict[Any, Any] = {}

    def place(self, world: World) -> None:
        """Forget the world before."""
        self._world, self._geometries, self._pools = world, {}, {}
        if world.robot.urdf not in self._models:
            self._models[world.robot.urdf] = self._pin.buildModelFromUrdf(str(world.robot.urdf))
        self._model = self._models[world.robot.urdf]

    def check(self, way: Way, segments: Numbers, step: float, n_threads: int) -> Checked:
        """Time the calls alone."""
        found = [self.paths(way, batch, n_threads) for batch in _batches(segments, step, way.order)]
        touching = np.concatenate([np.empty(0, np.bool_), *(one.is_touching for one in found)])
        return Checked(touching, sum(one.seconds for one in found))

    def paths(self, way: Way, paths: list[Numbers], n_threads: int) -> Checked:
        """Time the call alone."""
        given = self._pin.StdVec_MatrixXs()
        given.extend([np.asfortranarray(one.T) for one in paths])
        pool, began = self._pool(way, n_threads), perf_counter()
        found = self._pin.computeCollisionsInParallel(n_threads, pool, given, True)
        seconds = perf_counter() - began
        return Checked(np.array([bool(np.any(one)) for one in found], np.bool_), seconds)

    def singles(self, way: Way, segments: Numbers, step: float) -> Numbers:
        """Time each call."""
        return np.array([self.check(way, segments[k : k + 1], step, 1).seconds for k in range(len(segments))])

    def is_touching(self, configurations: Numbers) -> npt.NDArray[np.bool_]:
        """One call for each."""
        geometry = self._geometry(MESHES)
        data, held = self._model.createData(), geometry.createData()
        found = [
            self._pin.computeCollisions(self._model, data, geometry, held, q, True) for q in configurations
        ]
        return np.array(found, np.bool_)

    def distances(self, geometry: str, configurations: Numbers) -> tuple[float, Numbers]:
        """Time the calls alone, by the processor."""
        model, pairs = self._model, self._geometry(geometry)
        data, held = model.createData(), pairs.createData()
        seconds, found = 0.0, []
        for q in configurations:
            began = process_time()
            self._pin.computeDistances(model, data, pairs, held, q)
            seconds += process_time() - began
            found.append([one.min_distance for one in held.distanceResults])
        return seconds, np.array(found)

    def self_pairs(self) -> set[frozenset[str]]:
        """By the names of the links."""
        geometry = self._robot(MESHES)
        links = [self._model.frames[one.parentFrame].name for one in geometry.geometryObjects]
        return {frozenset((links[pair.first], links[pair.second])) for pair in geometry.collisionPairs}

    def _pool(self, way: Way, n_threads: int) -> Any:
        key = way.geometry, way.manager, n_threads
        if key not in self._pools:
            make = getattr(self._pin, _POOL.format(way.manager))
            self._pools[key] = make(self._model, self._geometry(way.geometry), n_threads)
        return self._pools[key]

    def _geometry(self, kind: str) -> Any:
        """The robot and the obstacles; the base and what stands around it cannot move, and make no pairs."""
        if kind not in self._geometries:
            geometry = self._robot(kind)
            n_links = geometry.ngeoms
            moving = [k for k in range(n_links) if geometry.geometryObjects[k].parentJoint > 0]
            for obstacle in self._world.obstacles:
                place = self._pin.SE3(obstacle.pose)
                solid = self._pin.GeometryObject(f"obstacle {obstacle.name}", 0, place, _solid(obstacle))
                index = geometry.addGeometryObject(solid)
                for link in moving:
                    geometry.addCollisionPair(self._pin.CollisionPair(link, index))
            self._geometries[kind] = geometry
        return self._geometries[kind]

    def _robot(self, kind: str) -> Any:
        """The links, and the pairs of them that are not joined by a joint, nor allowed to touch."""
        pin, files = self._pin, self._world.robot
        folders = [str(files.package_dir)]
        collision = pin.GeometryType.COLLISION
        geometry = pin.buildGeomFromUrdf(self._model, str(files.urdf), collision, package_dirs=folders)
        for link in geometry.geometryObjects:
            link.geometry = _mesh(link)
        for link in geometry.geometryObjects if kind != MESHES else ():
            mesh = link.geometry
            mesh.buildConvexHull(True, "Qt")
            n_corners, n_faces = mesh.convex.num_points, mesh.convex.num_polygons
            if kind == HULLS or (n_corners, n_faces) == (mesh.num_vertices, mesh.num_tris):
                link.geometry = mesh.convex
        geometry.addAllCollisionPairs()
        if files.srdf is not None:
            pin.removeCollisionPairs(self._model, geometry, str(files.srdf))
        for pair in list(geometry.collisionPairs):
            joints = [geometry.geometryObjects[k].parentJoint for k in (pair.first, pair.second)]
            if (
                joints[0] in (self._model.parents[joints[1]], joints[1])
                or joints[1] == self._model.parents[joints[0]]
            ):
                geometry.removeCollisionPair(pair)
        return geometry


def _batches(segments: Numbers, step: float, order: str) -> Iterator[list[Numbers]]:
    """The configurations of as many segments as are held at once."""
    batch: list[Numbers] = []
    for segment in segments:
        batch.append(samples(segment, step, order))
        if sum(map(len, batch)) > _N_SAMPLES:
            yield batch
            batch = []
    if batch:
        yield batch


def _mesh(link: Any) -> Any:
    """The link's mesh, read by trimesh: coal's reader jumbles triangles of files with several materials."""
    import coal
    import trimesh

    read = trimesh.load(link.meshPath, force="mesh", process=False)
    vertices, places = np.unique(np.asarray(read.vertices, np.float64), axis=0, return_inverse=True)
    mesh = coal.BVHModelOBBRSS()
    mesh.beginModel(len(read.faces), len(vertices))
    mesh.addVertices(vertices * link.meshScale)
    mesh.addTriangles(places.reshape(-1)[np.asarray(read.faces)].astype(np.int64))
    mesh.endModel()
    return mesh


def _solid(obstacle: Obstacle) -> Any:
    import coal

    if obstacle.kind == "box":
        return coal.Box(*obstacle.dimensions)
    if obstacle.kind == "cylinder":
        height, radius = obstacle.dimensions
        return coal.Cylinder(radius, height)
    return coal.Sphere(*obstacle.dimensions)
