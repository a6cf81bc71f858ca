"""Clouds: a robot's paths among 100,000 points beside coal's octree, and strands beside ipctk's edges.

**Paths.** A Panda among points that are spread over the obstacles of a planning problem, each a ball of 5 mm.
`is_free` proves a batch of segments free, or not, on all threads. coal looks at configurations that differ by
at most 0.01 rad, link by link, at an octree of cells as wide as the balls, on one thread, up to the first
contact; the places of links are made beforehand, and do not count. Its cells are cubes, no balls, and between
configurations it sees nothing. python-fcl makes octrees of OctoMap's own bytes alone: it is not measured.

**Strands.** Points of all strands go straight through one step. `safe_step` beside ipctk's collision-free
step: edges without faces, LBVH and AdditiveCCD, which takes the sum of two radii for a separation, and stops
short of it by a tenth of the distance at the start: its step is shorter.
"""

from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

import firstcontact as fc
from report.section import Headline, Part, Run, SkippedError, Table, Target
from robot.cases import local_segments, panda, panda_worlds, shape
from robot.own import Own
from robot.peers import samples

FAMILIES = "bookshelf_small_panda", "box_panda", "cage_panda", "table_pick_panda"
N_POINTS, RADIUS, STEP, ROUNDS = 100_000, 0.005, 0.01, 3
LIMIT = 5e-3  # seconds for a free path in a batch

Numbers = NDArray[np.float64]


def paths(run: Run) -> Part:
    """A Panda among the points of four problems."""
    if not (run.data / "robots" / "panda").exists():
        raise SkippedError("the Panda and its problems are missing")
    own, n = Own(panda(run.data)), 60 if run.quick else 300
    lines = [("problem", "free", "firstcontact, ms a free path", "coal, ms a free path", "times as fast")]
    headlines, figures, ratios, seconds = [], [], [], []
    for family in FAMILIES:
        rng = np.random.default_rng(0)
        points = _spread(panda_worlds(run.data, (family,))[0], rng)
        cloud = fc.Points(points, RADIUS)
        drawn = rng.uniform(*own.limits.T, (4 * n, len(own.limits)))
        starts = drawn[fc.is_free(own.robot.moving(drawn, drawn), cloud, self_contact=True)][:n]
        segments = local_segments(starts, own.limits)
        ours, is_free = _least(own, segments, cloud)
        segments = segments[is_free]
        ours, _ = _least(own, segments, cloud)
        theirs, n_hits = _sampled(own.robot, segments, points)
        each, sampled = ours / len(segments), theirs / len(segments)
        ratio = f"{sampled / each:.1f}"
        lines.append((family, f"{len(segments)}", f"{1e3 * each:.2f}", f"{1e3 * sampled:.2f}", ratio))
        what = f"a free path of a Panda among 100,000 points, {family}"
        note = f"its cubes touch on {n_hits}" if n_hits else ""
        headlines.append(Headline(what, each, "coal, octree at 0.01 rad", sampled, note))
        ratios.append(sampled / each)
        seconds.append(each)
        figures.append((family, len(segments), each, sampled, n_hits))
    reached = f"{1e3 * max(seconds):.2f} ms at most"
    targets = (
        Target("a free path among 100,000 points in 5 ms", reached, max(seconds) <= LIMIT),
        Target("cheaper than samples at 0.01 rad", f"{min(ratios):.1f} times at least", min(ratios) >= 1.0),
    )
    table = Table(f"Milliseconds a free path, {n} local segments", lines, n_left=1)
    return Part(tables=(table,), headlines=tuple(headlines), targets=targets, figures=figures)


def _spread(world: Any, rng: np.random.Generator) -> Numbers:
    """Points on the surfaces of all obstacles, as many as their areas have."""
    corners = []
    for obstacle in world.obstacles:
        placed = shape(obstacle)
        mesh, pose = placed.shape.mesh, placed.pose(0.0)
        corners.append(mesh.vertices[mesh.faces] @ pose[:3, :3].T + pose[:3, 3])
    triangles = np.concatenate(corners)
    a, b, c = triangles.transpose(1, 0, 2)
    areas = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    chosen = rng.choice(len(areas), N_POINTS, p=areas / areas.sum())
    weights = rng.dirichlet([1.0, 1.0, 1.0], N_POINTS)
    return np.einsum("ij,ijk->ik", weights, triangles[chosen])


def _least(own: Own, segments: Numbers, cloud: fc.Points) -> tuple[float, NDArray[np.bool_]]:
    """Least seconds of some rounds for a batch, and which segments are free."""
    best, found = np.inf, np.empty(0, np.bool_)
    for _ in range(ROUNDS):
        began = perf_counter()
        found = np.asarray(fc.is_free(own.robot.moving(*segments.transpose(1, 0, 2)), cloud))
        best = min(best, perf_counter() - began)
    return best, found


def _sampled(robot: fc.Robot, segments: Numbers, points: Numbers) -> tuple[float, int]:
    """Seconds that coal takes, and on how many segments it sees a contact; not a number without it."""
    try:
        import coal
    except ImportError:
        return np.nan, 0
    octree, ask = coal.makeOctree(np.asfortranarray(points), 2.0 * RADIUS), coal.CollisionRequest()
    links = [(part, _as_mesh(coal, part.shape)) for part in robot.parts]
    here, seconds, n_hits = coal.Transform3s(), 0.0, 0
    for segment in segments:
        poses = robot.link_poses(samples(segment, STEP))
        places = [[_place(coal, pose @ part.pose) for pose in poses[part.link]] for part, _ in links]
        began = perf_counter()
        n_hits += _touches(coal, octree, here, ask, links, places)
        seconds += perf_counter() - began
    return seconds, n_hits


def _touches(coal: Any, octree: Any, here: Any, ask: Any, links: Any, places: Any) -> bool:
    for row in zip(*places, strict=True):
        for (_, mesh), place in zip(links, row, strict=True):
            if coal.collide(mesh, place, octree, here, ask, coal.CollisionResult()):
                return True
    return False


def _place(coal: Any, pose: Numbers) -> Any:
    return coal.Transform3s(pose[:3, :3], pose[:3, 3])


def _as_mesh(coal: Any, mesh: Any) -> Any:
    """A link as coal's tree of oriented boxes."""
    made = coal.BVHModelOBBRSS()
    made.beginModel(len(mesh.faces), len(mesh.vertices))
    made.addVertices(np.asfortranarray(mesh.vertices))
    for face in mesh.faces.tolist():
        made.addTriangle(*mesh.vertices[face])
    made.endModel()
    return made


def strands(run: Run) -> Part:
    """Strands that sway through each other, in one step."""
    n, radius = (1_000 if run.quick else 10_000), 1e-4
    rng = np.random.default_rng(0)
    side = int(np.ceil(np.sqrt(n)))  # roots in a square, 2 mm apart: nothing touches at the start
    roots = 0.002 * np.stack([np.arange(n) % side, np.arange(n) // side, np.zeros(n)], axis=1)
    bent = np.cumsum(rng.normal([0.0, 0.0, 0.01], 0.002, (30, 3)), axis=0)
    before = (roots[:, np.newaxis] + bent).reshape(-1, 3)
    after = before + 0.001 * np.repeat(rng.normal(size=(n, 3)), 30, axis=0)
    hair = fc.Strands(before, [30] * n, radius)
    steps = {"firstcontact, safe_step": lambda: fc.safe_step(hair.deforming(before, after), exact=False)}
    try:
        import ipctk
    except ImportError:
        ipctk = None
    if ipctk is not None:
        ipctk.set_logger_level(ipctk.LoggerLevel.error)
        ipctk.set_num_threads(2)
        edges, faces = hair.segments.astype(np.int32), np.empty((0, 3), np.int32)
        ends = [np.asfortranarray(places) for places in (before, after)]
        mesh = ipctk.CollisionMesh(ends[0], edges, faces)
        steps["ipctk LBVH, AdditiveCCD"] = lambda: ipctk.compute_collision_free_stepsize(
            mesh, *ends, 2.0 * radius, ipctk.LBVH(), ipctk.AdditiveCCD()
        )
    steps["firstcontact, contacts"] = lambda: len(fc.contacts(hair.deforming(before, after), exact=False))
    lines, found = [("method", "ms a step", "answer")], {}
    for name, ask in steps.items():
        ask()
        took = []
        for _ in range(ROUNDS):
            began = perf_counter()
            answer = ask()
            took.append(perf_counter() - began)
        found[name] = min(took)
        lines.append((name, f"{1e3 * min(took):.1f}", f"{answer:.6g}"))
    own, theirs = found["firstcontact, safe_step"], found.get("ipctk LBVH, AdditiveCCD", np.nan)
    headline = Headline(f"safe_step of {n} strands of 30 points", own, "ipctk LBVH, AdditiveCCD", theirs)
    return Part(tables=(Table(f"{n} strands of 30 points", lines),), headlines=(headline,), figures=found)
