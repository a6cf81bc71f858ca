"""Octrees of the peers: coal's, made of points, and python-fcl's, of the bytes that OctoMap writes.

Both see cubes as wide as the balls of a cloud, where there are points.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]


class Octree(NamedTuple):
    """A peer that knows an octree, and meshes that are asked against it in poses.

    mesh_of : makes a mesh of its own of one of ours
    place_of : makes a place of its own of a pose (4, 4)
    touches, distance : of a mesh in a place
    """

    name: str
    mesh_of: Callable[[Any], Any]
    place_of: Callable[[Numbers], Any]
    touches: Callable[[Any, Any], bool]
    distance: Callable[[Any, Any], float]


def octrees(points: Numbers, size: float) -> Iterator[Octree]:
    """The peers that are installed."""
    for make in (_by_coal, _by_fcl):
        try:
            yield make(points, size)
        except ImportError:
            continue


def _by_coal(points: Numbers, size: float) -> Octree:
    import coal

    octree, here = coal.makeOctree(np.asfortranarray(points), size), coal.Transform3s()
    ask, far = coal.CollisionRequest(), coal.DistanceRequest()

    def mesh_of(mesh: Any) -> Any:
        made = coal.BVHModelOBBRSS()
        made.beginModel(len(mesh.faces), len(mesh.vertices))
        made.addVertices(np.asfortranarray(mesh.vertices))
        for face in mesh.faces.tolist():
            made.addTriangle(*mesh.vertices[face])
        made.endModel()
        return made

    def touches(mesh: Any, place: Any) -> bool:
        return bool(coal.collide(mesh, place, octree, here, ask, coal.CollisionResult()))

    def distance(mesh: Any, place: Any) -> float:
        return float(coal.distance(mesh, place, octree, here, far, coal.DistanceResult()))

    def place_of(pose: Numbers) -> Any:
        return coal.Transform3s(pose[:3, :3], pose[:3, 3])

    return Octree("coal", mesh_of, place_of, touches, distance)


def _by_fcl(points: Numbers, size: float) -> Octree:
    import fcl
    import octomap

    tree = octomap.OcTree(size)
    for point in points:
        tree.updateNode(point, True)
    tree.updateInnerOccupancy()
    written = tree.writeBinary()
    # What follows the header, as signed bytes: python-fcl takes no others.
    data = np.frombuffer(written[written.index(b"data\n") + 5 :], np.int8)
    octree = fcl.CollisionObject(fcl.OcTree(size, data), fcl.Transform())
    ask, far = fcl.CollisionRequest(), fcl.DistanceRequest()

    def mesh_of(mesh: Any) -> Any:
        made = fcl.BVHModel()
        made.beginModel(len(mesh.vertices), len(mesh.faces))
        made.addSubModel(mesh.vertices, mesh.faces)
        made.endModel()
        return fcl.CollisionObject(made, fcl.Transform())

    def touches(mesh: Any, place: Any) -> bool:
        mesh.setTransform(place)
        return bool(fcl.collide(mesh, octree, ask, fcl.CollisionResult()))

    def distance(mesh: Any, place: Any) -> float:
        mesh.setTransform(place)
        return float(fcl.distance(mesh, octree, far, fcl.DistanceResult()))

    def place_of(pose: Numbers) -> Any:
        return fcl.Transform(pose[:3, :3], pose[:3, 3])

    return Octree("python-fcl", mesh_of, place_of, touches, distance)
