"""Swept volumes beside what samples time: unions of snapshots by manifold3d, voxels by trimesh, libigl's.

A bracket that turns and goes, at equal error. firstcontact has a tolerance, which it proves; the others have
snapshots, and cells where they have cells, just so fine that their error is ours. That is measured: how far
the farthest point of the bracket, on edges and faces at random times, is outside of the mesh, or the farthest
point of the mesh is from the bracket at many times, whichever is more. Processor time, least of five. Then
algebra, intervals of time, and the methods of convex shapes that are there to be compared, beside the default
search.
"""

from collections.abc import Callable, Iterator
from itertools import product
from time import process_time
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import firstcontact as fc
from report.section import Headline, Part, Run, Table, Target
from rigid.cases import AUTHORS_GAP
from rigid.cases import case as rigid_case

TITLE = "Classical methods: swept volumes, algebra and intervals"

# Pairs of the rigid benchmark.
_SHARED = "hammer, CAD piece", "gear", "torus knot"

# What is measured of a sweep: points of it, at times; places of a mesh, from the bracket at so many looks. A
# file or a peer in single precision rounds by less than the last one.
N_POINTS, N_TIMES, N_PLACES, N_LOOKS, SINGLE = 40_000, 400, 1_000, 1_000, 1e-6

# Errors are as good as each other within this, as a logarithm; how often that is tried.
AS_GOOD, N_TRIES = 0.03, 6

OWN = "firstcontact"

OUTLINE = (0, 0), (1, 0), (1, 0.3), (0.3, 0.3), (0.3, 1), (0, 1)

Array = NDArray[np.float64]


def bracket() -> fc.Mesh:
    """A closed mesh of twenty faces, not convex."""
    sides = [[k, (k + 1) % 6, 6 + (k + 1) % 6] for k in range(6)]
    sides += [[k, 6 + (k + 1) % 6, 6 + k] for k in range(6)]
    ends = [[0, 2, 1], [0, 3, 2], [0, 5, 3], [3, 5, 4], [6, 7, 8], [6, 8, 9], [6, 9, 11], [9, 10, 11]]
    return fc.Mesh([[x, y, z] for z in (0.0, 0.4) for x, y in OUTLINE], ends + sides)


def swept_volume(run: Run) -> Part:
    """One motion, with a tolerance; peers so fine that they are as far off as we are."""
    tolerance = 0.08 if run.quick else 0.04
    moving = bracket().moving(np.eye(4), velocity=[0.5, 0, 1], angular_velocity=[0.5, 0, 2])
    fc.swept_volume(fc.Box([1, 1, 1]).mesh, 0.5)  # compiles, before the clock starts
    head = ("library", "error", "outside", "beyond", "points outside", "fineness", "triangles", "ms")
    lines, figures, times = [head], [], {}
    wanted = np.nan
    for name, make in MAKERS.items():
        try:
            if name == OWN:
                mesh, fineness = make(moving, tolerance), tolerance
                seen = _measured(moving, mesh)
                wanted = seen.error
            else:
                mesh, fineness, seen = _as_good(make, moving, wanted)
        except ImportError:
            lines.append((name, *["not installed"] * (len(head) - 1)))
            continue
        _, times[name] = _best(lambda: make(moving, fineness))  # noqa: B023
        numbers = (seen.error, seen.outside, seen.beyond, seen.n_outside, fineness, mesh.n_faces)
        figures.append((name, *numbers, times[name]))
        texts = (
            *(f"{x:.4f}" for x in numbers[:3]),
            f"{seen.n_outside}",
            f"{fineness:.4f}",
            f"{mesh.n_faces}",
        )
        lines.append((name, *texts, f"{1e3 * times[name]:.0f}"))
    own, n_outside = times.pop(OWN), int(figures[0][4])
    fastest = min(times.items(), key=lambda one: one[1], default=("none", np.nan))
    title = f"A bracket that turns, tolerance {tolerance}, {N_POINTS} points"
    return Part(
        tables=(Table(title, lines, note="fineness: the tolerance; or a way between snapshots, and a cell"),),
        headlines=(Headline("swept volume of a bracket", own, *fastest, "the peer samples time"),),
        targets=(Target("no point of the sweep is outside", f"{n_outside}", n_outside == 0),),
        figures=figures,
    )


class Seen(NamedTuple):
    """How far a mesh is from a sweep: points of that outside of it, and points of the mesh beyond."""

    n_outside: int
    outside: float
    beyond: float

    @property
    def error(self) -> float:
        """The larger of both."""
        return max(self.outside, self.beyond)


def _as_good(
    make: Callable[[Any, float], fc.Mesh], moving: Any, wanted: float
) -> tuple[fc.Mesh, float, Seen]:
    """The mesh of a peer whose error is nearest to the one wanted, how fine it is, and how far off."""
    fineness, tried = wanted, []
    for _ in range(N_TRIES):
        mesh = make(moving, fineness)
        seen = _measured(moving, mesh)
        tried.append((abs(np.log(seen.error / wanted)), fineness, mesh, seen))
        if tried[-1][0] < AS_GOOD:
            break
        fineness *= float(np.clip(wanted / seen.error, 0.25, 4.0))
    _, fineness, mesh, seen = min(tried, key=lambda one: one[:2])
    return mesh, fineness, seen


def _measured(moving: Any, mesh: fc.Mesh) -> Seen:
    """Look at points of edges and faces of the bracket at random times, and at points of the mesh."""
    rng, body, points = np.random.default_rng(0), moving.shape, []
    n = N_POINTS // N_TIMES // 2
    for t in [0.0, 1.0, *rng.random(N_TIMES - 2)]:
        vertices = moving.vertices(float(t))
        for elements in (body.edges, body.faces):
            corners = vertices[elements[rng.integers(len(elements), size=n)]]
            weights = rng.dirichlet([1.0] * elements.shape[1], size=n)
            points.append(np.einsum("ij,ijk->ik", weights, corners))
    far = fc.signed_distance(mesh, np.concatenate(points), sign="winding").distance
    places = np.concatenate([mesh.vertices, mesh.vertices[mesh.faces].mean(axis=1)])
    some = places[rng.permutation(len(places))[:N_PLACES]]
    away = np.full(len(some), np.inf)
    for t in np.linspace(0.0, 1.0, N_LOOKS):
        placed = body.at(moving.pose(float(t)))
        away = np.minimum(away, fc.signed_distance(placed, some).distance)
    return Seen(int((far > SINGLE).sum()), float(max(far.max(), 0.0)), float(max(away.max(), 0.0)))


def _poses(moving: Any, way: float) -> Array:
    """Poses at so many times that no point goes farther in between."""
    speed = np.linalg.norm([0.5, 0, 1]) + np.linalg.norm([0.5, 0, 2]) * 1.2
    n = int(np.ceil(speed / way)) + 1
    return np.array([moving.pose(float(t)) for t in np.linspace(0.0, 1.0, n)])


def _own(moving: Any, tolerance: float) -> fc.Mesh:
    return fc.swept_volume(moving, tolerance).mesh


def _manifold(moving: Any, fineness: float) -> fc.Mesh:
    import manifold3d

    body = manifold3d.Manifold(
        manifold3d.Mesh(moving.shape.vertices.astype(np.float32), moving.shape.faces.astype(np.uint32))
    )
    placed = [body.transform(pose[:3]) for pose in _poses(moving, fineness)]
    found = manifold3d.Manifold.batch_boolean(placed, manifold3d.OpType.Add).to_mesh()
    return fc.Mesh(found.vert_properties[:, :3], found.tri_verts)


def _voxels(moving: Any, fineness: float) -> fc.Mesh:
    import igl  # trimesh's own marching cubes need a package more
    import trimesh

    pitch, body = fineness, moving.shape
    poses = _poses(moving, fineness)
    corners = np.concatenate([body.vertices @ pose[:3, :3].T + pose[:3, 3] for pose in poses])
    lower = corners.min(axis=0) - 2 * pitch
    shape = np.ceil((corners.max(axis=0) + 2 * pitch - lower) / pitch).astype(int)
    grid = np.zeros(shape, bool)
    solid = trimesh.Trimesh(body.vertices, body.faces)
    filled = solid.voxelized(0.5 * pitch).fill().points
    for pose in poses:
        cells = np.floor((filled @ pose[:3, :3].T + pose[:3, 3] - lower) / pitch).astype(int)
        grid[tuple(cells.T)] = True
    places = np.stack(np.meshgrid(*map(np.arange, shape), indexing="ij"), axis=-1).astype(float)
    at = places.transpose(2, 1, 0, 3).reshape(-1, 3) * pitch + lower + 0.5 * pitch
    values = 0.5 - grid.transpose(2, 1, 0).reshape(-1).astype(float)
    vertices, faces, _ = igl.marching_cubes(values, at, *map(int, shape), 0.0)
    return fc.Mesh(vertices, faces)


def _libigl(moving: Any, fineness: float) -> fc.Mesh:
    import igl

    poses, shape = _poses(moving, fineness), moving.shape
    corners = np.concatenate([shape.vertices @ pose[:3, :3].T + pose[:3, 3] for pose in poses])
    n_cells = int(np.ceil(np.ptp(corners, axis=0).max() / fineness))
    vertices, faces = igl.swept_volume(
        shape.vertices, shape.faces.astype(np.int64), list(poses), grid_res=n_cells
    )
    return fc.Mesh(vertices, faces)


MAKERS: dict[str, Callable[[Any, float], fc.Mesh]] = {
    OWN: _own,
    "manifold3d, snapshots": _manifold,
    "trimesh, voxels": _voxels,
    "libigl": _libigl,
}


def algebraic(run: Run) -> Part:
    """Motions by quaternions of two of each body: algebra, and the default that it referees."""
    n, lines, figures, wrong = 4 if run.quick else 20, [], [], 0
    for name, mesh in (("bracket", bracket()), ("ball", fc.Sphere(0.7).mesh)):
        things = _by_quaternions(mesh, n)
        fc.first_contacts(*things)  # compiles, before the clock starts
        began = process_time()
        truth = fc.first_contacts(*things, method="algebraic")
        exact, began = process_time() - began, process_time()
        quick = fc.first_contacts(*things)
        default = process_time() - began
        tried = int(np.sum(truth.stats.triangle_tests))
        wrong += int(np.sum((quick.time > truth.time_upper) | (quick.time_upper < truth.time)))
        row = (mesh.n_faces, n, int(np.isfinite(truth.time).sum()), tried, 1e3 * exact / n, 1e3 * default / n)
        figures.append((name, *row))
        lines.append((name, *(f"{x}" for x in row[:4]), *(f"{x:.3f}" for x in row[4:])))
    head = ("body", "faces", "motions", "contacts", "pairs of features", "algebra, ms", "default, ms")
    return Part(
        tables=(Table("Two of a body by quaternions, processor time a motion", [head, *lines]),),
        targets=(Target("the default is never late by algebra", f"{wrong} wrong", wrong == 0),),
        figures=figures,
    )


def interval(run: Run) -> Part:
    """Intervals of time beside the default search: models of the rigid benchmark, and balls that turn."""
    lines, figures, wrong = [], [], 0
    for name, things, tolerance in _rigid_scenes(run):
        usual = fc.first_contacts(*things, tolerance=tolerance)
        row = [int(np.isfinite(usual.time).sum())]
        for method in ("c2a", "c2a-2009", "interval"):
            found, seconds = _timed(things, tolerance, method)
            row.append(1e3 * seconds / len(found.time))
            wrong += int(np.sum((found.time > usual.time_upper) | (usual.time > found.time_upper)))
        counts = float(np.mean(found.stats.iterations)), float(np.mean(found.stats.volume_tests))
        figures.append((name, len(usual.time), *row, *counts))
        numbers = *(f"{x:.3f}" for x in row[1:]), *(f"{x:.0f}" for x in counts)
        lines.append((name, f"{len(usual.time)}", f"{row[0]}", *numbers))
    head = (
        "pair",
        "motions",
        "contacts",
        "default, ms",
        "c2a-2009, ms",
        "interval, ms",
        "intervals",
        "volume tests",
    )
    return Part(
        tables=(Table("Intervals of time, processor time a motion, one thread", [head, *lines]),),
        targets=(Target("neither is later than the other has proven", f"{wrong} wrong", wrong == 0),),
        figures=figures,
    )


def _rigid_scenes(run: Run) -> Iterator[tuple[str, tuple[Any, Any], float]]:
    """Names, a batch of motions against a body, and tolerances."""
    n = 20 if run.quick else 200
    for name in _SHARED[: 2 if run.quick else None]:
        case = rigid_case(name, n, AUTHORS_GAP)
        moving = case.meshes[0].moving(case.motions.starts, case.motions.ends)
        yield f"{name}, {case.n_triangles}", (moving, case.meshes[1]), case.tolerance
    ball, rng = fc.Sphere(1.0).mesh, np.random.default_rng(2)
    for turn in (0.1, 1.0, 10.0):
        moving = ball.moving(
            (np.eye(3), rng.normal([-3.0, 0.0, 0.0], 0.5, (n, 3))),
            velocity=rng.normal([3.0, 0.0, 0.0], 0.5, (n, 3)),
            angular_velocity=rng.normal(0.0, turn, (n, 3)),
        )
        yield f"balls of {ball.n_faces}, turning at {turn:g}", (moving, ball), 2e-4


def _timed(things: tuple[Any, Any], tolerance: float, method: str) -> tuple[Any, float]:
    """What a method finds, and the least of three times."""
    found, least = fc.first_contacts(*things, tolerance=tolerance, method=method), np.inf
    for _ in range(3):
        began = process_time()
        fc.first_contacts(*things, tolerance=tolerance, method=method)
        least = min(least, process_time() - began)
    return found, least


def _by_quaternions(mesh: fc.Mesh, n: int) -> tuple[Any, Any]:
    """Motions (n,) of two of a mesh, which meet in the middle more often than not."""
    rng = np.random.default_rng(1)
    turns, _ = np.linalg.qr(rng.normal(size=(4, n, 3, 3)))
    turns *= np.sign(np.linalg.det(turns))[..., np.newaxis, np.newaxis]
    places = rng.normal(size=(4, n, 3)) * 0.3
    places[:, :, 0] += np.array([[-2.0], [0.3], [2.0], [0.0]])
    starts, ends, others, other_ends = zip(turns, places, strict=True)
    a = mesh.moving(starts, ends, path="quaternion")
    return a, mesh.moving(others, other_ends, path="quaternion")


def compared(run: Run) -> Part:
    """Two convex shapes, by all methods: motions that hit, most of them, and that pass by, all of them."""
    n, lines, figures, late = 500 if run.quick else 5_000, [], [], 0
    hull = fc.ConvexHull(np.random.default_rng(2).normal(size=(60, 3)) * 0.4)
    pairs = {"boxes": (fc.Box([1, 2, 0.5]),) * 2, "capsule, cone": (fc.Capsule(0.3, 1), fc.Cone(0.5, 1))}
    pairs["hulls of 60 points"] = hull, hull
    for (name, shapes), rate, aside in product(pairs.items(), (0.0, 3.0), (0.0, 3.0)):
        things = _thrown(shapes, n, rate, aside)
        usual, micros = None, []
        for method in COMPARED:
            found, seconds = _best(lambda: fc.first_contacts(*things, method=method))  # noqa: B023
            usual = found if usual is None else usual
            late += int(np.sum((found.time > usual.time_upper) | (usual.time > found.time_upper)))
            micros.append(1e6 * seconds / n)
        row = ("turning" if rate else "straight", f"{np.mean(usual.hit):.0%}", *(f"{x:.1f}" for x in micros))
        lines.append((name, *row))
        figures.append((name, rate, aside, float(np.mean(usual.hit)), *micros))
    head = ("shapes", "way", "in contact", *(f"{method}, us" for method in COMPARED))
    return Part(
        tables=(Table("Two convex shapes by four methods, processor time a motion", [head, *lines]),),
        targets=(Target("no method is late by another's proof", f"{late} late", late == 0),),
        figures=figures,
    )


COMPARED = "advancement", "swept", "bisection", "extruded"


def _thrown(shapes: tuple[Any, Any], n: int, rate: float, aside: float) -> tuple[Any, Any]:
    """Motions (n,) of one shape towards another, aimed so far beside it; both turn at a rate."""
    rng = np.random.default_rng(3)
    start = rng.normal(size=(n, 3))
    start *= 4.0 / np.linalg.norm(start, axis=1, keepdims=True)
    beside = np.cross(start, rng.normal(size=(n, 3)))
    beside *= aside / np.linalg.norm(beside, axis=1, keepdims=True)
    way, turn = -1.5 * start + 0.3 * rng.normal(size=(n, 3)), rate * rng.normal(size=(n, 3))
    a = shapes[0].moving((np.eye(3), start + beside), velocity=way, angular_velocity=turn)
    return a, shapes[1].moving(np.eye(4), velocity=[0, 0, 0], angular_velocity=[0, rate, 0])


def _best(ask: Callable[[], Any]) -> tuple[Any, float]:
    """What is answered, and the least processor time of five."""
    found, seconds = ask(), []
    for _ in range(5):
        began = process_time()
        ask()
        seconds.append(process_time() - began)
    return found, min(seconds)


PARTS = {"swept_volume": swept_volume, "algebraic": algebraic, "interval": interval, "compared": compared}
