"""Clouds and voxels: a robot's paths among 100,000 points, and distances, beside octrees of the peers.

**Paths.** A Panda among points that are spread over the obstacles of a planning problem, each a ball of 5 mm,
and among voxels, cubes as wide as the balls where there are points. `is_free` proves a batch of segments.
coal and python-fcl look at configurations that differ by at most 0.01 rad, link by link, at an octree of the
same cubes, up to the first contact; the places of links are made beforehand, and do not count. Between
configurations they see nothing.

**Distances.** A knot of 5,760 triangles above 100,000 points of a rolling ground, in random poses. The peers
measure to the cubes of their octrees, as `Voxels` do: their distances must be the same. Of those that touch
peers say so, and we too.

Times are those of the processor, all on one thread.
"""

from collections.abc import Callable
from functools import partial
from time import process_time
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

import firstcontact as fc
from points.octrees import Octree, octrees
from report.section import Headline, Part, Run, SkippedError, Table, Target
from rigid.models import torus_knot
from robot.cases import local_segments, panda, panda_worlds, shape
from robot.own import Own
from robot.peers import samples

FAMILIES = "bookshelf_small_panda", "box_panda", "cage_panda", "table_pick_panda"
N_POINTS, RADIUS, STEP, ROUNDS = 100_000, 0.005, 0.01, 3
LIMIT = 5e-3  # seconds for a free path in a batch

# Poses in which peers measure: they take a fifth of a second each.
N_OF_PEERS = 5

# What distances to the same cubes may differ by: those of peers are found to a tolerance.
SAME = 1e-5

Numbers = NDArray[np.float64]


def paths(run: Run) -> Part:
    """A Panda among the points of four problems."""
    if not (run.data / "robots" / "panda").exists():
        raise SkippedError("the Panda and its problems are missing")
    own, n = Own(panda(run.data)), 40 if run.quick else 300
    numba.set_num_threads(1)
    header = "problem", "free", "points", "voxels", "coal", "python-fcl"
    lines = [(*header, "points, times as fast", "voxels, times as fast")]
    headlines, figures, ratios, seconds = [], [], [], []
    for family in FAMILIES:
        rng = np.random.default_rng(0)
        points = _spread(panda_worlds(run.data, (family,))[0], rng)
        cloud, cubes = fc.Points(points, RADIUS), fc.Voxels.of(points, 2.0 * RADIUS)
        segments = _free(own, (cloud, cubes), n, rng)
        ours = [_seconds(own, segments, world) for world in (cloud, cubes)]
        theirs = {peer.name: _sampled(own.robot, segments, peer) for peer in octrees(points, 2.0 * RADIUS)}
        shown = [f"{1e3 * each:.2f}" for each in ours]
        shown += [f"{1e3 * theirs[name]:.2f}" if name in theirs else "" for name in ("coal", "python-fcl")]
        name, fastest = min(theirs.items(), key=lambda x: x[1], default=("none installed", np.nan))
        lines.append((family, f"{len(segments)}", *shown, *(f"{fastest / each:.1f}" for each in ours)))
        for each, what in zip(ours, ("points", "voxels"), strict=True):
            text = f"a free path of a Panda among 100,000 points, {family}, as {what}"
            headlines.append(Headline(text, each, f"{name}, octree at 0.01 rad", fastest))
            ratios.append(fastest / each)
        seconds.append(max(ours))
        figures.append((family, len(segments), ours, theirs))
    reached = f"{1e3 * max(seconds):.2f} ms at most"
    targets = (
        Target("a free path among 100,000 points or their voxels in 5 ms", reached, max(seconds) <= LIMIT),
        Target("cheaper than samples at 0.01 rad", f"{min(ratios):.1f} times at least", min(ratios) >= 1.0),
    )
    table = Table(f"Milliseconds a free path, of {n} local segments", lines, n_left=1)
    return Part(tables=(table,), headlines=tuple(headlines), targets=targets, figures=figures)


def distances(run: Run) -> Part:
    """A knot above 100,000 points."""
    rng, n = np.random.default_rng(0), 20 if run.quick else 200
    numba.set_num_threads(1)
    flat = rng.uniform(-1.0, 1.0, (N_POINTS, 2))
    height = 0.1 * np.sin(5.0 * flat[:, 0]) * np.cos(4.0 * flat[:, 1]) + rng.normal(0.0, 0.002, N_POINTS)
    points = np.column_stack([flat, height])
    vertices, faces = torus_knot()
    mesh = fc.Mesh(0.2 * vertices / np.ptp(vertices, axis=0).max(), faces)
    poses = _poses(n, rng)
    lines, figures = [("what", "in", "microseconds a pose", "largest difference from ours")], []
    cubes, ours, headlines = fc.Voxels.of(points, 2.0 * RADIUS), {}, []
    for name, other in (("points", fc.Points(points, RADIUS)), ("voxels", cubes)):
        ours[name], found = _timed(partial(_batch, mesh, other, poses), n)
        single, _ = _timed(partial(_one_by_one, mesh, other, poses), n)
        lines.append((f"firstcontact, {name}", "a batch", f"{1e6 * ours[name]:.1f}", ""))
        lines.append((f"firstcontact, {name}", "single calls", f"{1e6 * single:.1f}", ""))
        figures.append((name, ours[name], single))
    for peer in octrees(points, 2.0 * RADIUS):
        places, own = [peer.place_of(pose) for pose in poses[:N_OF_PEERS]], peer.mesh_of(mesh)
        began = process_time()
        theirs = np.array([peer.distance(own, place) for place in places])
        seconds = (process_time() - began) / len(places)
        off = float(np.abs(np.maximum(theirs, 0.0) - found[: len(places)]).max())
        if off > SAME:
            raise AssertionError(f"{peer.name} measures {off:g} more or less than we do")
        lines.append((f"{peer.name}, octree", "single calls", f"{1e6 * seconds:.1f}", f"{off:.1g}"))
        what = "distance of a knot and 100,000 points, as voxels"
        headlines.append(Headline(what, ours["voxels"], peer.name, seconds))
        figures.append((peer.name, seconds, off))
    table = Table(f"A mesh of {len(faces)} triangles and 100,000 points, {n} poses", lines, n_left=2)
    return Part(tables=(table,), headlines=tuple(headlines), figures=figures)


def _poses(n: int, rng: np.random.Generator) -> Numbers:
    """Random poses (n, 4, 4) above the ground, none far from it."""
    turns, _ = np.linalg.qr(rng.normal(size=(n, 3, 3)))
    turns *= np.linalg.det(turns)[:, np.newaxis, np.newaxis]
    poses = np.tile(np.eye(4), (n, 1, 1))
    poses[:, :3, :3] = turns
    poses[:, :3, 3] = rng.uniform([-0.7, -0.7, 0.3], [0.7, 0.7, 0.6], (n, 3))
    return poses


def _batch(mesh: fc.Mesh, other: Any, poses: Numbers) -> Numbers:
    return np.asarray(fc.distance(mesh.at(poses), other).distance)


def _one_by_one(mesh: fc.Mesh, other: Any, poses: Numbers) -> Numbers:
    return np.array([fc.distance(mesh.at(pose), other).distance for pose in poses])


def _timed(ask: Callable[[], Numbers], n: int) -> tuple[float, Numbers]:
    """Least seconds, of some rounds, for each of n, and the answer."""
    ask()
    took, found = [], np.empty(0)
    for _ in range(ROUNDS):
        began = process_time()
        found = np.asarray(ask())
        took.append(process_time() - began)
    return min(took) / n, found


def _free(own: Own, worlds: tuple[Any, ...], n: int, rng: np.random.Generator) -> Numbers:
    """Local segments (m, 2, dof), m of n at the most, that are free among all of some things."""
    drawn = rng.uniform(*own.limits.T, (4 * n, len(own.limits)))
    starts = drawn[fc.is_free(own.robot.moving(drawn, drawn), worlds[0], self_contact=True)][:n]
    segments = local_segments(starts, own.limits)
    for world in worlds:
        segments = segments[np.asarray(fc.is_free(own.robot.moving(*segments.transpose(1, 0, 2)), world))]
    return segments


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


def _seconds(own: Own, segments: Numbers, world: Any) -> float:
    """Least seconds, of some rounds, for a segment of a batch that was asked before."""
    moving = own.robot.moving(*segments.transpose(1, 0, 2))
    took = []
    for _ in range(ROUNDS):
        began = process_time()
        fc.is_free(moving, world)
        took.append(process_time() - began)
    return min(took) / len(segments)


def _sampled(robot: fc.Robot, segments: Numbers, peer: Octree) -> float:
    """Seconds a segment that a peer takes; it must see no contact where all is free."""
    links = [(part, peer.mesh_of(part.shape)) for part in robot.parts]
    seconds = 0.0
    for segment in segments:
        poses = robot.link_poses(samples(segment, STEP))
        places = [[peer.place_of(pose @ part.pose) for pose in poses[part.link]] for part, _ in links]
        began = process_time()
        is_hit = _touches(peer, [mesh for _, mesh in links], places)
        seconds += process_time() - began
        if is_hit:
            raise AssertionError(f"{peer.name} sees a contact on a path that we call free")
    return seconds / len(segments)


def _touches(peer: Octree, meshes: list[Any], places: list[list[Any]]) -> bool:
    for row in zip(*places, strict=True):
        for mesh, place in zip(meshes, row, strict=True):
            if peer.touches(mesh, place):
                return True
    return False
