"""All pairs of faces that meet: `intersections` beside python-fcl, coal and Open3D.

Two balls, of more and more triangles, half in each other: pairs that are listed, and seconds by the clock for
a query once trees are there, least of several rounds. python-fcl and coal list pairs of triangles by their
floating point, with as many contacts as there are; manifold3d cuts the two bodies, and gives no pairs. Of one
mesh with itself: two such balls as one mesh, beside Open3D.
"""

from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np
import trimesh

import firstcontact as fc
from instants.rays import rays
from instants.volumes import concentric
from instants.walking import coherent, methods
from report.section import Headline, Part, Run, Table, Target

TITLE = "Faces that meet, and rays"
SUBDIVISIONS = (4, 5, 6)  # of which the last has 81,920 triangles
ROUNDS = 5
ALL = 10_000_000

# Peers that take longer for one round are not asked about more triangles.
PATIENCE = 30.0

Ask = Callable[[], int]


def crossings(run: Run) -> Part:
    """Two meshes that pass through each other."""
    lines = [("triangles each", "library", "pairs", "ms", "times ours")]
    headlines, ratio = [], 0.0
    for level in SUBDIVISIONS[: 2 if run.quick else 3]:
        ball, place = trimesh.creation.icosphere(level), _place()
        own, n_pairs = _least(_own(ball, place))
        lines.append((f"{len(ball.faces)}", "firstcontact", f"{n_pairs}", f"{1e3 * own:.2f}", ""))
        oriented, n_pairs = _least(_own(ball, place, "obb"))
        figures = f"{1e3 * oriented:.2f}", f"{oriented / own:.1f}"
        lines.append((f"{len(ball.faces)}", 'firstcontact, method="obb"', f"{n_pairs}", *figures))
        theirs = {}
        for name, make in PEERS.items():
            seconds, n = _least(make(ball, place))
            lines.append(
                (
                    f"{len(ball.faces)}",
                    name,
                    f"{n}" if n else "-",
                    f"{1e3 * seconds:.2f}",
                    f"{seconds / own:.1f}",
                )
            )
            if n:
                theirs[name] = seconds
        fastest = min(theirs.items(), key=lambda x: x[1])
        ratio = fastest[1] / min(own, oriented)
        what = f"all pairs of two meshes of {len(ball.faces)} triangles"
        headlines.append(Headline(what, own, *fastest))
        headlines.append(Headline(f"{what}, by oriented boxes", oriented, *fastest))
    return Part(
        tables=(Table("Two balls, half in each other", lines, n_left=2),),
        headlines=tuple(headlines),
        targets=(
            Target("3 times as fast as the fastest that lists all pairs", f"{ratio:.1f}", ratio >= 3.0),
        ),
    )


def own_crossings(run: Run) -> Part:
    """One mesh that passes through itself."""
    lines = [("triangles", "library", "pairs", "ms", "times ours")]
    for level in SUBDIVISIONS[:1] if run.quick else SUBDIVISIONS[:2]:
        ball = trimesh.creation.icosphere(level)
        other = ball.copy()
        other.apply_transform(_place())
        both = trimesh.util.concatenate([ball, other])
        mesh = fc.Mesh(both.vertices, both.faces)
        own, n_pairs = _least(lambda mesh=mesh: len(fc.intersections(mesh)))
        lines.append((f"{len(both.faces)}", "firstcontact", f"{n_pairs}", f"{1e3 * own:.2f}", ""))
        try:
            seconds, n = _least(_open3d(both))
        except ImportError:  # it needs libraries of the system, too
            continue
        lines.append((f"{len(both.faces)}", "Open3D", f"{n}", f"{1e3 * seconds:.2f}", f"{seconds / own:.0f}"))
    return Part(tables=(Table("Two balls as one mesh", lines, n_left=2),))


def _place() -> np.ndarray:
    place = trimesh.transformations.rotation_matrix(0.3, [1, 2, 3])
    place[:3, 3] = [0.5, 0.3, 0.2]
    return np.asarray(place)


def _own(ball: trimesh.Trimesh, place: np.ndarray, method: str = "boxes") -> Ask:
    mesh = fc.Mesh(ball.vertices, ball.faces)
    placed = mesh.at(place)
    fc.intersections(placed, mesh, method=method)  # trees are there
    return lambda: len(fc.intersections(placed, mesh, method=method))


def _fcl(ball: trimesh.Trimesh, place: np.ndarray) -> Ask:
    import fcl

    def body(pose: np.ndarray) -> Any:
        model = fcl.BVHModel()
        model.beginModel(len(ball.vertices), len(ball.faces))
        model.addSubModel(ball.vertices, ball.faces)
        model.endModel()
        return fcl.CollisionObject(model, fcl.Transform(pose[:3, :3], pose[:3, 3]))

    a, b = body(place), body(np.eye(4))
    request = fcl.CollisionRequest(num_max_contacts=ALL, enable_contact=True)

    def ask() -> int:
        found = fcl.CollisionResult()
        fcl.collide(a, b, request, found)
        return len(found.contacts)

    return ask


def _coal(ball: trimesh.Trimesh, place: np.ndarray) -> Ask:
    import coal

    model = coal.BVHModelOBBRSS()
    model.beginModel(len(ball.faces), len(ball.vertices))
    vertices, faces = coal.StdVec_Vec3s(), coal.StdVec_Triangle()
    vertices.extend(np.array(v) for v in ball.vertices)
    faces.extend(coal.Triangle(*map(int, f)) for f in ball.faces)
    model.addSubModel(vertices, faces)
    model.endModel()
    poses = [coal.Transform3s(pose[:3, :3], pose[:3, 3]) for pose in (place, np.eye(4))]
    request = coal.CollisionRequest(coal.CollisionRequestFlag.CONTACT, ALL)

    def ask() -> int:
        found = coal.CollisionResult()
        coal.collide(model, poses[0], model, poses[1], request, found)
        return int(found.numContacts())

    return ask


def _manifold(ball: trimesh.Trimesh, place: np.ndarray) -> Ask:
    import manifold3d

    mesh = manifold3d.Mesh(ball.vertices.astype(np.float32), ball.faces.astype(np.uint32))
    body = manifold3d.Manifold(mesh)
    placed = body.transform(place[:3])

    def ask() -> int:
        (placed ^ body).num_tri()
        return 0

    return ask


def _open3d(mesh: trimesh.Trimesh) -> Ask:
    import open3d

    own = open3d.geometry.TriangleMesh(
        open3d.utility.Vector3dVector(mesh.vertices), open3d.utility.Vector3iVector(mesh.faces)
    )
    return lambda: len(own.get_self_intersecting_triangles())


PEERS = {"python-fcl": _fcl, "coal": _coal, "manifold3d, cut": _manifold}


def _least(ask: Ask) -> tuple[float, int]:
    """Least time of some rounds, and the pairs; one round where it takes long."""
    seconds, n = np.inf, 0
    for _ in range(ROUNDS):
        began = perf_counter()
        n = ask()
        seconds = min(seconds, perf_counter() - began)
        if seconds > PATIENCE / ROUNDS:
            break
    return seconds, n


PARTS = {
    "crossings": crossings,
    "own_crossings": own_crossings,
    "concentric": concentric,
    "rays": rays,
    "coherent": coherent,
    "methods": methods,
}
