"""The library and its peers, each in a process of its own, on one processor or two: seconds a point.

- fcpw `find_closest_points`, singles; warp-lang `mesh_query_point_no_sign` and `..._sign_normal`, singles, on
  the processor; libigl `signed_distance` with pseudonormals and with fast winding numbers, its squared
  distances, and `fast_winding_number` alone; point-cloud-utils; Open3D, singles.
- A tree that is made anew by each call is taken off: the time of a call about 16 points.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, NamedTuple

import numpy as np

from fields.cases import clouds, mesh_of

CLOSEST, SIGNED, WINDING = "closest point", "signed distance", "winding number"
PACKAGES = ("firstcontact", "fcpw", "warp", "igl", "point_cloud_utils", "open3d")
OWN = "firstcontact"
_LIMIT = 600.0
_FEW = 16

Ask = Callable[[np.ndarray], Any]


class Measured(NamedTuple):
    """What a method took: seconds a point; how far its distances are from those of this library; a note."""

    method: str
    kind: str
    where: str
    n_threads: int
    seconds: float
    note: str = ""


def run_package(package: str, mesh: Path, n: int, n_threads: int, repeats: int) -> list[Measured]:
    """Measure a package in a new process, on as many processors as threads."""
    command = [
        sys.executable,
        "-m",
        "fields.workers",
        json.dumps([package, str(mesh), n, n_threads, repeats]),
    ]
    environment = {**os.environ, "OMP_NUM_THREADS": str(n_threads), "NUMBA_NUM_THREADS": str(n_threads)}
    try:
        worker = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=_LIMIT, env=environment
        )
    except subprocess.TimeoutExpired:
        return [Measured(package, CLOSEST, "", n_threads, float("nan"), "time limit")]
    if worker.returncode != 0:
        note = (worker.stderr.strip().splitlines() or ["crashed"])[-1]
        return [Measured(package, CLOSEST, "", n_threads, float("nan"), note)]
    return [Measured(*one) for one in json.loads(worker.stdout.strip().splitlines()[-1])]


def _own(vertices: np.ndarray, faces: np.ndarray) -> dict[tuple[str, str], tuple[Ask, bool]]:
    import firstcontact as fc
    from firstcontact.bodies.point_body import point_body_of
    from firstcontact.proximity.points.closest_on_mesh import closest_on_mesh

    mesh = fc.Mesh(vertices, faces)
    return {
        ("firstcontact", CLOSEST): (lambda p: closest_on_mesh(point_body_of(mesh), p), False),
        ("firstcontact", SIGNED): (lambda p: fc.signed_distance(mesh, p), False),
        ("firstcontact, winding", SIGNED): (lambda p: fc.signed_distance(mesh, p, sign="winding"), False),
        ("firstcontact", WINDING): (lambda p: fc.contains(mesh, p), False),
    }


def _fcpw(vertices: np.ndarray, faces: np.ndarray) -> dict[tuple[str, str], tuple[Ask, bool]]:
    import fcpw

    scene = fcpw.scene_3D()
    scene.set_object_count(1)
    scene.set_object_vertices(vertices.astype(np.float32), 0)
    scene.set_object_triangles(faces.astype(np.int32), 0)
    scene.build(fcpw.aggregate_type.bvh_surface_area, True)

    def ask(points: np.ndarray) -> Any:
        found = fcpw.interaction_3D_list()
        singles = np.asfortranarray(points.astype(np.float32))
        scene.find_closest_points(singles, np.full(len(points), np.inf, np.float32), found)
        return found

    return {("fcpw (single precision)", CLOSEST): (ask, False)}


def _warp(vertices: np.ndarray, faces: np.ndarray) -> dict[tuple[str, str], tuple[Ask, bool]]:
    import warp as wp

    wp.config.quiet = True
    wp.init()
    from fields.warp_kernels import closest, signed

    mesh = wp.Mesh(
        wp.array(vertices.astype(np.float32), dtype=wp.vec3), wp.array(faces.reshape(-1), dtype=int)
    )

    def ask(kernel: Any) -> Ask:
        def asked(points: np.ndarray) -> Any:
            given = wp.array(points.astype(np.float32), dtype=wp.vec3)
            out = wp.zeros(len(points), dtype=float)
            wp.launch(kernel, dim=len(points), inputs=[mesh.id, given, out])
            return out.numpy()

        return asked

    return {
        ("warp-lang (single precision)", CLOSEST): (ask(closest), False),
        ("warp-lang (single precision)", SIGNED): (ask(signed), False),
    }


def _igl(vertices: np.ndarray, faces: np.ndarray) -> dict[tuple[str, str], tuple[Ask, bool]]:
    import igl

    f = faces.astype(np.int64)

    def ask(kind: Any) -> Ask:
        return lambda points: igl.signed_distance(points, vertices, f, kind)

    return {
        ("libigl", CLOSEST): (lambda p: igl.point_mesh_squared_distance(p, vertices, f), True),
        ("libigl, pseudonormal", SIGNED): (ask(igl.SIGNED_DISTANCE_TYPE_PSEUDONORMAL), True),
        ("libigl, fast winding number", SIGNED): (ask(igl.SIGNED_DISTANCE_TYPE_FAST_WINDING_NUMBER), True),
        ("libigl", WINDING): (lambda p: igl.fast_winding_number(vertices, f, p), True),
    }


def _point_cloud_utils(vertices: np.ndarray, faces: np.ndarray) -> dict[tuple[str, str], tuple[Ask, bool]]:
    import point_cloud_utils as pcu

    return {
        ("point-cloud-utils", CLOSEST): (lambda p: pcu.closest_points_on_mesh(p, vertices, faces), True),
        ("point-cloud-utils", SIGNED): (lambda p: pcu.signed_distance_to_mesh(p, vertices, faces), True),
    }


def _open3d(vertices: np.ndarray, faces: np.ndarray) -> dict[tuple[str, str], tuple[Ask, bool]]:
    import open3d as o3d

    scene = o3d.t.geometry.RaycastingScene()
    scene.add_triangles(vertices.astype(np.float32), faces.astype(np.uint32))
    return {
        ("Open3D (single precision)", CLOSEST): (
            lambda p: scene.compute_closest_points(p.astype(np.float32)),
            False,
        ),
        ("Open3D (single precision)", SIGNED): (
            lambda p: scene.compute_signed_distance(p.astype(np.float32)).numpy(),
            False,
        ),
    }


_MAKERS = {
    "firstcontact": _own,
    "fcpw": _fcpw,
    "warp": _warp,
    "igl": _igl,
    "point_cloud_utils": _point_cloud_utils,
    "open3d": _open3d,
}


def least(ask: Ask, points: np.ndarray, repeats: int, clock: Callable[[], float]) -> float:
    """Seconds to ask about points, the least of some times."""
    best = float("inf")
    for _ in range(repeats):
        began = clock()
        ask(points)
        best = min(best, clock() - began)
    return best


def _main() -> None:
    package, path, n, n_threads, repeats = json.loads(sys.argv[1])
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, set(sorted(os.sched_getaffinity(0))[:n_threads]))
    # On one thread, of the processor: other processes do not count.
    clock = process_time if n_threads == 1 else perf_counter
    mesh, found = mesh_of(Path(path)), []
    for (method, kind), (ask, is_anew) in _MAKERS[package](mesh.vertices.copy(), mesh.faces.copy()).items():
        for cloud in clouds(mesh, n):
            few = cloud.points[:_FEW].copy()
            ask(few)
            made = least(ask, few, 2, clock) if is_anew else 0.0
            seconds = max(least(ask, cloud.points, repeats, clock) - made, 0.0) / n
            found.append(Measured(method, kind, cloud.where, n_threads, seconds))
    print(json.dumps(found))


if __name__ == "__main__":
    _main()
