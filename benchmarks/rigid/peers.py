"""The peers of the rigid benchmark, each run in a process of its own, one query a call from Python.

- python-fcl, `fcl.distance` and coal, `coal.distance`: distance of two meshes, trees built beforehand.
- rapier3d, `QueryPipeline.cast_shape_nonlinear`: first contact of two meshes, in single precision.
- python-fcl, `fcl.continuousCollide`: conservative advancement; misses most contacts of meshes.
"""

import faulthandler
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from deformable.surfaces import Faces, Points
from report.remote import padding
from rigid.models import Model
from rigid.motions import center, quaternions, velocities

FCL_DISTANCE, COAL_DISTANCE = "python-fcl, distance", "coal, distance"
RAPIER_CAST, FCL_ADVANCE = "rapier3d, nonlinear shape cast", "python-fcl, continuous collision"
_LOADING = 60.0  # seconds to import a peer and to build its trees, on top of the limit

_UNSOUND = 77  # exit status of a process whose answers are not to be trusted
_N_TRIES = 20

_Query = Callable[[int], float]


class Scene(NamedTuple):
    """Two meshes and poses of A; B stands at the origin. Distances are those at the start."""

    a: Model
    b: Model
    starts: Points
    ends: Points


class Peer(NamedTuple):
    """The package to install, the module to import, and what makes its query of the i-th motion."""

    package: str
    module: str
    prepare: Callable[[Scene], _Query]
    is_sound: Callable[[], bool] = lambda: True  # in this process


class Outcome(NamedTuple):
    """Seconds (the best of several) and answers of the queries that were done; infinite: no contact."""

    seconds: list[float]
    answers: list[float]
    error: str = ""
    n_unsound: int = 0  # processes that were replaced before anything was measured

    @property
    def mean(self) -> float:
        """Seconds a query; not a number where none was done."""
        return float(np.mean(self.seconds)) if self.seconds else float("nan")


def measure(name: str, scene: Scene, file: Path, repetitions: int, limit: float) -> Outcome:
    """Ask a peer all queries of a scene, in a new process that has a time limit; by way of a file."""
    peer = PEERS[name]
    if find_spec(peer.module) is None:
        return Outcome([], [], f"{peer.package} is missing")
    np.savez(file, *scene.a, *scene.b, scene.starts, scene.ends)
    command = [sys.executable, "-m", "rigid.peers", json.dumps([name, str(file), repetitions, limit])]
    n_unsound, worker = 0, _run(command, 0)
    while worker.returncode == _UNSOUND and n_unsound < _N_TRIES:
        n_unsound += 1
        worker = _run(command, n_unsound)
    lines = [json.loads(line) for line in worker.stdout.splitlines() if line.startswith("[")]
    seconds, answers = [line[0] for line in lines], [float(line[1]) for line in lines]
    return Outcome(seconds, answers, _error(worker), n_unsound)


def _run(command: list[str], n_tries: int) -> subprocess.CompletedProcess[str]:
    environment = os.environ | padding(n_tries)
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


def _error(worker: subprocess.CompletedProcess[str]) -> str:
    if worker.returncode == 0:
        return ""
    if worker.returncode == _UNSOUND:
        return f"{_N_TRIES} processes in turn fail a check with two spheres"
    if "Timeout (" in worker.stderr:
        return "time limit"
    if worker.returncode < 0:
        return f"crashed: {signal.Signals(-worker.returncode).name}"
    return (worker.stderr.strip().splitlines() or [f"exit code {worker.returncode}"])[-1]


def _work(request: str) -> None:
    """The other process: a line of JSON, seconds and answer, for each query that is done."""
    name, file, repetitions, limit = json.loads(request)
    faulthandler.dump_traceback_later(limit + _LOADING, exit=True)
    if not PEERS[name].is_sound():
        sys.exit(_UNSOUND)
    with np.load(file) as arrays:
        a, b, c, d, starts, ends = (arrays[f"arr_{i}"] for i in range(6))
    query = PEERS[name].prepare(Scene((a, b), (c, d), starts, ends))
    faulthandler.dump_traceback_later(limit, exit=True)
    for i in range(len(starts)):
        seconds, answer = _best(query, i, repetitions)
        print(json.dumps([seconds, str(answer)]), flush=True)


def _best(query: _Query, i: int, repetitions: int) -> tuple[float, float]:
    best, answer = np.inf, np.nan
    for _ in range(repetitions):
        began = perf_counter()
        answer = query(i)
        best = min(best, perf_counter() - began)
    return best, answer


def _fcl_distance(scene: Scene) -> _Query:
    """`fcl.distance` of two `BVHModel`s."""
    import fcl

    a, b = fcl_object(scene.a), fcl_object(scene.b)
    poses, request = [fcl_transform(pose) for pose in scene.starts], fcl.DistanceRequest()

    def query(i: int) -> float:
        a.setTransform(poses[i])
        return fcl.distance(a, b, request, fcl.DistanceResult())

    return query


def _fcl_advance(scene: Scene) -> _Query:
    """`fcl.continuousCollide`; it turns about the mesh's own origin, so the centre is moved there."""
    import fcl

    centred = np.eye(4)
    centred[:3, 3] = middle = center(scene.a)
    a, b = fcl_object((scene.a[0] - middle, scene.a[1])), fcl_object(scene.b)
    starts, ends = ([fcl_transform(pose @ centred) for pose in poses] for poses in (scene.starts, scene.ends))
    request = fcl.ContinuousCollisionRequest(
        ccd_motion_type=fcl.CCDMotionType.CCDM_LINEAR,
        ccd_solver_type=fcl.CCDSolverType.CCDC_CONSERVATIVE_ADVANCEMENT,
    )

    def query(i: int) -> float:
        a.setTransform(starts[i])
        found = fcl.ContinuousCollisionResult()
        fcl.continuousCollide(a, ends[i], b, fcl.Transform(), request, found)
        return found.time_of_contact if found.is_collide else np.inf

    return query


def _fcl_is_sound() -> bool:
    """As in the convex benchmark."""
    from convex.peers import fcl_is_sound

    return fcl_is_sound()


def fcl_object(model: Model) -> Any:
    """A mesh with its tree, at the origin."""
    import fcl

    tree = fcl.BVHModel()
    tree.beginModel(len(model[0]), len(model[1]))
    tree.addSubModel(model[0], model[1].astype(np.int64))
    tree.endModel()
    return fcl.CollisionObject(tree, fcl.Transform())


def fcl_transform(pose: Points) -> Any:
    """A pose (4, 4) as python-fcl takes it."""
    import fcl

    return fcl.Transform(pose[:3, :3].copy(), pose[:3, 3].copy())


def _coal_distance(scene: Scene) -> _Query:
    """`coal.distance` of two `BVHModelOBBRSS`."""
    import coal

    a, b = coal_tree(*scene.a), coal_tree(*scene.b)
    poses = [coal.Transform3s(pose[:3, :3].copy(), pose[:3, 3].copy()) for pose in scene.starts]
    still, request = coal.Transform3s(), coal.DistanceRequest()

    def query(i: int) -> float:
        return coal.distance(a, poses[i], b, still, request, coal.DistanceResult())

    return query


def coal_tree(vertices: Points, faces: Faces) -> Any:
    """A mesh with its tree."""
    import coal

    tree = coal.BVHModelOBBRSS()
    tree.beginModel(len(faces), len(vertices))
    tree.addVertices(vertices)
    tree.addTriangles(faces.astype(np.int64))
    tree.endModel()
    return tree


def _rapier_cast(scene: Scene) -> _Query:
    """`cast_shape_nonlinear` of a mesh against a world of one mesh; its times count whatever its status."""
    import rapier3d as rapier

    (vertices_a, faces_a), (vertices_b, faces_b) = scene.a, scene.b
    shape = rapier.SharedShape.trimesh(vertices_a.astype(np.float32), faces_a.astype(np.uint32))
    world = rapier.PhysicsWorld()
    world.add_collider(rapier.Collider.trimesh(vertices_b.astype(np.float32), faces_b.astype(np.uint32)))
    world.detect_collisions()
    world.update_query_pipeline()
    motions, options = _rapier_motions(scene), rapier.ShapeCastOptions(max_time_of_impact=1.0)

    def query(i: int) -> float:
        found = world.query_pipeline.cast_shape_nonlinear(motions[i], shape, options, 0.0, 1.0)
        return np.inf if found is None else found[1].time_of_impact

    return query


def _rapier_motions(scene: Scene) -> list[Any]:
    import rapier3d as rapier

    middle = center(scene.a)
    linear, axis, angle = velocities(scene.starts, scene.ends, middle)
    real, vector = quaternions(scene.starts[:, :3, :3])
    return [
        rapier.NonlinearRigidMotion(
            start=rapier.Isometry3(tuple(pose[:3, 3]), (*vector[i], real[i])),
            local_center=tuple(middle),
            linvel=tuple(linear[i]),
            angvel=tuple(axis[i] * angle[i]),
        )
        for i, pose in enumerate(scene.starts)
    ]


PEERS = {
    FCL_DISTANCE: Peer("python-fcl", "fcl", _fcl_distance),
    COAL_DISTANCE: Peer("coal", "coal", _coal_distance),
    RAPIER_CAST: Peer("rapier3d", "rapier3d", _rapier_cast),
    FCL_ADVANCE: Peer("python-fcl", "fcl", _fcl_advance, _fcl_is_sound),
}


if __name__ == "__main__":
    _work(sys.argv[1])
