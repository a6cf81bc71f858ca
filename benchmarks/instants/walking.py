"""Hulls pose after pose, and whether boxes and hulls touch by three methods.

Coherent distances: two hulls of equal numbers of vertices on balls, one of which goes around the other and
turns, by 0.001, 0.01 or 0.1 of its size a step; microseconds a call in a loop, least of several rounds: a
`Tracker` by GJK and by walking, coal with the guess of the last call, and mujoco, which starts anew each
time. Lin and Canny claim a time that does not grow with the hulls: the slope in the picture's logarithms.

Methods of contact: microseconds a pair in a batch on one thread, of boxes at random about each other, beside
those that the SIGGRAPH 2004 course prints (SGI, 250 MHz), and of hulls.
"""

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

import firstcontact as fc
from report.section import Headline, Part, Picture, Run, Table

SIZES, STEPS = (10, 30, 100, 300, 1000, 3000, 10_000), (0.001, 0.01, 0.1)
N_POSES, ROUNDS, N_PAIRS = 400, 5, 4000
COURSE = {"sat": 6.26, "gjk": 66.3, "lp": 217.0}

NAMES = "gjk", "voronoi", "coal", "mujoco"

Call = Callable[[Any], Any]


def coherent(run: Run) -> Part:
    """Distances of two hulls in small steps."""
    lines = [("vertices", "step", "gjk", "voronoi", "its steps", "coal", "mujoco")]
    sizes, curves, headlines = SIZES[::3] if run.quick else SIZES, {}, []
    for n in sizes:
        a, b = _ball(n, 1), _ball(n, 2)
        for step in STEPS:
            poses = _orbit(step)
            trackers = {name: fc.Tracker(a, b, method=name) for name in ("gjk", "voronoi")}
            calls: dict[str, Call] = {name: one.distance for name, one in trackers.items()}
            calls |= {name: call for name, make in PEERS.items() if (call := _made(make, a, b)) is not None}
            found = {name: _least(calls[name], poses) if name in calls else np.nan for name in NAMES}
            walked = np.mean([trackers["voronoi"].distance(pose).stats.iterations for pose in poses])
            texts = {name: f"{1e6 * found[name]:.2f}" if name in calls else "missing" for name in NAMES}
            own = texts["gjk"], texts["voronoi"], f"{walked:.2f}", texts["coal"], texts["mujoco"]
            lines.append((f"{n}", f"{step:g}", *own))
            for name, seconds in found.items():
                curves.setdefault((name, step), []).append(1e6 * seconds)
            if step == STEPS[1] and n in sizes[-2:]:
                headlines.append(
                    Headline(
                        f"distance of hulls of {n} vertices in small steps",
                        found["gjk"],
                        "coal",
                        found["coal"],
                    )
                )
    return Part(
        tables=(Table("Microseconds a distance, pose after pose", lines, n_left=0),),
        pictures=(Picture("instants-coherent", "Microseconds a distance", _plot(sizes, curves)),),
        headlines=tuple(headlines),
        notes=tuple(_slopes(sizes, curves)),
    )


def methods(run: Run) -> Part:
    """Whether boxes and hulls touch, by three methods."""
    lines = [("shapes", "method", "microseconds a pair", "the course, of boxes", "in contact")]
    pairs = {"boxes": (fc.Box([1, 2, 1]), fc.Box([2, 1, 1.5]))}
    pairs |= {f"hulls of {n}": (_ball(n, 1), _ball(n, 2)) for n in ((20,) if run.quick else (20, 100))}
    rng, poses = np.random.default_rng(3), np.tile(np.eye(4), (N_PAIRS, 1, 1))
    poses[:, :3, :3], poses[:, :3, 3] = (
        Rotation.random(N_PAIRS, rng=rng).as_matrix(),
        rng.normal(size=(N_PAIRS, 3)),
    )
    for name, (a, b) in pairs.items():
        placed = a.at(poses)
        for method in (None, *COURSE):
            seconds = min(
                _once(lambda m=method, p=placed, q=b: fc.intersects(p, q, method=m)) for _ in range(ROUNDS)
            )
            course = f"{COURSE[method]:g}" if method and name == "boxes" else ""
            share = f"{np.mean(fc.intersects(placed, b, method=method)):.2f}"
            lines.append((name, method or "default", f"{1e6 * seconds / N_PAIRS:.2f}", course, share))
    return Part(tables=(Table("Whether two polytopes touch", lines, n_left=2),))


def _ball(n: int, seed: int) -> fc.ConvexHull:
    points = np.random.default_rng(seed).normal(size=(n, 3))
    return fc.ConvexHull(points / np.linalg.norm(points, axis=1)[:, None])


def _orbit(step: float) -> list[Any]:
    """Poses around the origin, each a step from the last."""
    found, axis = [], np.array([0.3, 0.5, 0.8])
    for k in range(N_POSES):
        pose, t = np.eye(4), step * k
        pose[:3, :3] = Rotation.from_rotvec(t * axis).as_matrix()
        pose[:3, 3] = 2.5 * np.cos(t), 2.5 * np.sin(t), 0.5 * np.sin(2.0 * t)
        found.append(pose)
    return found


def _once(call: Callable[[], Any]) -> float:
    began = perf_counter()
    call()
    return perf_counter() - began


def _least(call: Call, poses: Sequence[Any]) -> float:
    """Seconds a call, least of some rounds."""

    def loop() -> None:
        for pose in poses:
            call(pose)

    return min(_once(loop) for _ in range(ROUNDS)) / len(poses)


def _coal(a: fc.ConvexHull, b: fc.ConvexHull) -> Call:
    """The distance of two hulls, each from the guess that the last one left."""
    import coal

    def hull(shape: fc.ConvexHull) -> Any:
        points = coal.StdVec_Vec3s()
        points.extend(list(shape.points))
        return coal.Convex.convexHull(points, True, None)

    one, other, still, asked = hull(a), hull(b), coal.Transform3s(), coal.DistanceRequest()
    asked.gjk_initial_guess = coal.GJKInitialGuess.CachedGuess

    def distance(pose: Any) -> float:
        found = coal.DistanceResult()
        place = coal.Transform3s(pose[:3, :3], pose[:3, 3])
        gap: float = coal.distance(one, place, other, still, asked, found)
        asked.updateGuess(found)
        return gap

    return distance


def _mujoco(a: fc.ConvexHull, b: fc.ConvexHull) -> Call:
    """The distance of two geoms, of which one is moved."""
    import mujoco

    spec = mujoco.MjSpec()
    for name, shape in (("a", a), ("b", b)):
        spec.add_mesh(name=name, uservert=shape.mesh.vertices.reshape(-1).tolist())
        body = spec.worldbody.add_body(name=name, mocap=True)
        body.add_geom(type=mujoco.mjtGeom.mjGEOM_MESH, meshname=name)
    model = spec.compile()
    data, points = mujoco.MjData(model), np.zeros(6)
    mujoco.mj_kinematics(model, data)
    place, turn = data.geom_xpos[0].copy(), data.geom_xmat[0].reshape(3, 3).copy()

    def distance(pose: Any) -> float:
        data.geom_xpos[0] = pose[:3, :3] @ place + pose[:3, 3]
        data.geom_xmat[0] = (pose[:3, :3] @ turn).reshape(9)
        gap: float = mujoco.mj_geomDistance(model, data, 0, 1, 1e9, points)
        return gap

    return distance


PEERS = {"coal": _coal, "mujoco": _mujoco}


def _made(make: Callable[..., Call], a: fc.ConvexHull, b: fc.ConvexHull) -> Call | None:
    """The call of a peer; None where it is not installed."""
    try:
        return make(a, b)
    except ImportError:
        return None


def _plot(sizes: Sequence[int], curves: dict[Any, list[float]]) -> Any:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 4))
    for axes, step in zip(figure.subplots(1, 2, sharey=True), (STEPS[1], STEPS[2]), strict=True):
        for name in NAMES:
            axes.loglog(sizes, curves[name, step], "o-", label=name)
        axes.set(xlabel="vertices", title=f"steps of {step:g}")
    figure.axes[0].set_ylabel("microseconds a distance")
    figure.axes[0].legend()
    figure.tight_layout()
    return figure


def _slopes(sizes: Sequence[int], curves: dict[Any, list[float]]) -> list[str]:
    """How each time grows with the number of vertices."""
    logs = np.log(sizes)
    known = {key: times for key, times in curves.items() if np.isfinite(times).all()}
    slopes = {key: float(np.polyfit(logs, np.log(times), 1)[0]) for key, times in known.items()}
    return [
        f"{name}, steps of {step:g}: grows with the power {slope:.2f}"
        for (name, step), slope in slopes.items()
    ]
