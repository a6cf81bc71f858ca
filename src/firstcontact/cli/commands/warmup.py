"""`firstcontact warmup`: compile everything now, so that no later query waits for the compiler."""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Sequence
from functools import cache, partial
from itertools import product
from math import ceil, sqrt
from typing import Any

import numpy as np

import firstcontact as fc
from firstcontact._cache_home import cache_home
from firstcontact.cli.command import add_command
from firstcontact.cli.command_error import CommandError
from firstcontact.cli.compiling import rare_queries
from firstcontact.cli.compiling.flat_sheet import flat_sheet
from firstcontact.cli.compiling.warming import warm_side_by_side
from firstcontact.cli.options.kinds import kind_names, query_of

# One query, and as many as several threads share.
_BATCH_SIZES = (1, 20_000)

# Few triangles, and as many as several threads share, with smooth regions among them.
_MESH_SIZES = (32, 4_000)

# A vertex at rest on the edge of a face, or edges at rest on each other: floating point tries all stages.
_RESTING = np.array([[2.0, 2.0, 4.0], [0.0, 0.0, 0.0], [4.0, 0.0, 4.0], [0.0, 4.0, 4.0]])

# A vertex that passes through the edge of a face, or an end of an edge through the other edge, at t = 1/3.
_PASSING = (
    np.array([[1.0, 1.0, 1.0], [3.0, 3.0, 2.0], [0.0, 2.0, 0.0], [2.0, 0.0, 0.0]]),
    np.array([[1.0, 1.0, -2.0], [3.0, 3.0, -3.0], [0.0, 2.0, 0.0], [2.0, 0.0, 0.0]]),
)

_SEPARATION = 1e-3

_DESCRIPTION = """
Compile all queries now, so that none waits for the compiler later. It takes some minutes, once on each
machine, in two to four processes; the machine code is kept on disk, where `firstcontact info` says. Where
machine code was installed with the package, there is little to do.
"""


def add_to(commands: Any) -> None:
    """Add this command to the parser."""
    parser = add_command(commands, "warmup", _DESCRIPTION, "firstcontact warmup")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Compile all, and say how long that took."""
    print(warmed())


def warmed() -> str:
    """Compile all variants of all kinds of query, side by side, with progress; say how long that took."""
    started = time.perf_counter()
    if cache_home(os.environ.get("NUMBA_CACHE_DIR", "")) is None:
        raise CommandError("machine code cannot be kept: no folder is writable; NUMBA_CACHE_DIR names one")
    kinds = variants()
    warm_side_by_side({kind: len(parts) for kind, parts in kinds.items()})
    n = sum(map(len, kinds.values()))
    return f"{n} variants of the queries ready in {time.perf_counter() - started:.1f} s"


def variants() -> dict[str, list[Callable[[], None]]]:
    """All that is asked, by kind of query. What this reaches is warmed up, and shipped: every driver.

    The first and the last kinds are compiled first, side by side: they have least in common.
    """
    separations = 0.0, _SEPARATION
    elementary = product(kind_names(), (False, True), separations)
    verbs = fc.contacts, fc.first_contact, fc.safe_step
    return {
        "elementary queries": [
            partial(warm_up, kind, exact=exact, min_separation=separation)
            for kind, exact, separation in elementary
        ],
        "deforming meshes": [
            *(partial(warm_up_mesh, *variant) for variant in product(verbs, _MESH_SIZES, separations)),
            rare_queries.resting_sheets,
            rare_queries.sheet_that_falls,
            rare_queries.scattered_triangles,
            rare_queries.large_sheet,
        ],
        "scenes": [warm_up_scenes, rare_queries.crowd, rare_queries.events, rare_queries.manifolds],
        "rigid bodies": [
            *(partial(warm_up_bodies, method) for method in ("c2a", "c2a-2009", "interval")),
            warm_up_motions,
            rare_queries.crossed_meshes,
            rare_queries.sweeps,
        ],
        "convex shapes": [
            warm_up_shapes,
            rare_queries.near_miss,
            rare_queries.by_intervals,
            rare_queries.compared_shapes,
        ],
        "points and fields": [
            warm_up_fields,
            rare_queries.near_points,
            rare_queries.diagrams,
            rare_queries.listed_pairs,
            rare_queries.clouds,
            rare_queries.in_the_plane,
            rare_queries.scattered_points,
            rare_queries.field_from_file,
        ],
        "robots": [
            *(partial(warm_up_robots, method) for method in ("subdivision", "advancement", "interval")),
            rare_queries.poses_by_numbers,
            rare_queries.solid_arm,
            rare_queries.arm_asked_again,
            rare_queries.arm_among_fields,
        ],
    }


def warm_up(
    kind: str, *, exact: bool = False, min_separation: float = 0.0, sizes: Sequence[int] = _BATCH_SIZES
) -> None:
    """Run batches of these sizes, so that their kernels are compiled or loaded from the cache."""
    query, rng = query_of(kind), np.random.default_rng(0)
    for size in sizes:
        start, end = rng.random((2, size, 4, 3))
        query(start, end, exact=exact, min_separation=min_separation)
        for ends in ((_RESTING, _RESTING), _PASSING):
            start, end = (np.tile(points, (size, 1, 1)) for points in ends)
            query(start, end, min_separation=min_separation)
        if exact and min_separation == 0.0:
            query(start, end, time_tolerance=0.0)  # the refinement, which few queries need


@cache
def warm_up_mesh(query: Callable[..., object], n_faces: int, min_separation: float) -> None:
    """Ask about a mesh with some contacts, of as many faces as matter, alone and with another one."""
    n_side = ceil(sqrt(min(n_faces, max(_MESH_SIZES)) / 2))
    vertices, faces = flat_sheet(n_side)
    start, end = vertices + np.random.default_rng(0).normal(0.0, 0.5 / max(n_side, 1), (2, *vertices.shape))
    crumpled = fc.Mesh(vertices, faces).deforming(start, end)
    query(crumpled, min_separation=min_separation)
    query(crumpled, fc.Mesh(vertices, faces), min_separation=min_separation)
    query(crumpled, min_separation=min_separation, only_closing=True, ignore_near=1)


def warm_up_bodies(method: str) -> None:
    """Ask all that can be asked about two rigid bodies, and about one with a deforming mesh."""
    vertices, faces = flat_sheet(4)
    mesh, away, turn = fc.Mesh(vertices, faces), np.eye(4), np.eye(4)
    away[2, 3], turn[:2, :2] = 3.0, [[0.0, -1.0], [1.0, 0.0]]
    moving, batch = mesh.moving(away, turn), mesh.moving(np.stack([away, away]), turn)
    fc.first_contact(moving, mesh, method=method)
    fc.first_contact(mesh, mesh, method=method)  # in contact from the start
    fc.first_contact(moving, mesh)
    fc.first_contacts(batch, mesh, method=method)
    fc.clearance(moving, mesh)
    fc.contact_intervals(moving, mesh)
    fc.distance(mesh.at(away), mesh)
    fc.intersects(mesh.at(away), mesh)
    fc.first_contact(mesh.deforming(vertices, vertices), moving)
    fc.clearance(mesh.deforming(vertices, vertices), moving)


def warm_up_shapes() -> None:
    """Ask all that can be asked about convex shapes, with each other and with meshes."""
    hull, ball, away = fc.ConvexHull(np.random.default_rng(0).random((40, 3))), fc.Sphere(1.0), np.eye(4)
    away[2, 3] = 3.0
    mesh = hull.mesh
    rising = mesh.deforming(mesh.vertices, mesh.vertices + away[:3, 3])
    for shape in (hull, mesh):
        for pose in (away, np.stack([away, np.eye(4)])):
            fc.distance(ball.at(pose), shape)
            fc.intersects(ball.at(pose), shape)
            fc.penetration(ball.at(pose), shape)
        fc.first_contact(ball.moving(away, np.eye(4)), shape)
        fc.first_contacts(ball.moving(away[np.newaxis], np.eye(4)), shape)
        fc.clearance(ball.moving(away, np.eye(4)), shape)
        fc.contact_intervals(ball.moving(away, np.eye(4)), shape)
        _ = fc.ray_cast(shape, [[9.0, 0.0, 0.0]], [-1.0, 0.0, 0.0]).points
        fc.signed_distance(shape, away[:3, 3])
        fc.signed_distance(shape, np.zeros((99, 3)) + away[:3, 3])
        for point in (np.zeros(3), [0.0, 0.0, 0.0]):
            fc.signed_distance(shape, point)
            fc.contains(shape, point)
    fc.distance(mesh.at(away), mesh, solid=True)
    fc.penetration(mesh, mesh)
    fc.depths(mesh.at(0.25 * away + 0.75 * np.eye(4)), mesh)
    fc.depths(mesh)
    _ = fc.intersections(mesh.at(0.25 * away + 0.75 * np.eye(4)), mesh).segments  # which are made when read
    fc.intersections(mesh)
    fc.intersections(mesh.at(0.25 * away + 0.75 * np.eye(4)), mesh, method="obb")
    fc.intersects(mesh.at(away), mesh, method="obb")
    fc.penetration(hull, hull)
    fc.distance(hull.at((np.eye(3), away[:3, 3].copy())), hull)
    _ = fc.first_contact(hull.moving(away, velocity=-away[:3, 3]), hull).time_upper
    for poses in ([away, np.eye(4), away], np.stack([away, np.eye(4), away])):
        fc.first_contact(hull.along(poses), hull)
    fc.ray_cast(mesh, away[:3, 3].copy(), -away[:3, 3])
    fc.ray_cast(ball, away[:3, 3].copy(), -away[:3, 3])
    fc.Tracker(hull, hull, method="voronoi").distance(away)
    fc.intersects(hull, hull, method="sat")
    for a, b in ((hull, hull), (mesh, mesh), (hull, mesh)):
        tracker = fc.Tracker(a, b)
        for pose in (away, np.eye(4)):
            tracker.distance(pose)
            tracker.intersects(pose)
        tracker.penetration(away)
    fc.ray_cast(ball, [9.0, 0.0, 0.0], [-1.0, 0.0, 0.0])
    fc.signed_distance(ball, [9.0, 0.0, 0.0])
    fc.signed_distance(ball, np.zeros(3))
    fc.first_contact(ball.at(away), rising)
    fc.clearance(ball.at(away), rising)


def warm_up_fields() -> None:
    """Make fields, and ask them all that can be asked."""
    for shape in (fc.Sphere(1.0), fc.Box([1.0, 1.0, 1.0]).mesh):
        field = fc.DistanceField.of(shape, 0.1)
        for point in (np.zeros(3), [0.0, 0.0, 0.0]):
            field(point)
            field.gradient(point)
            fc.signed_distance(field, point)
        field.mesh(0.1)
        field.union(field)
        fc.contacts([[0.0, 0.0, 0.0]], field)
        _ask_about(field)
    box = fc.Box([1.0, 1.0, 1.0]).mesh
    field.updated(box, fc.Mesh(0.9 * box.vertices, box.faces))


def _ask_about(field: fc.DistanceField) -> None:
    """Ask of a field what is asked of shapes."""
    cube, ball = fc.Box([1.0, 1.0, 1.0]).mesh, fc.Sphere(1.0)
    fc.first_contact(ball.moving((np.eye(3), [4.0, 0.0, 0.0]), velocity=[-4.0, 0.0, 0.0]), field)
    fc.first_contact(cube.deforming(cube.vertices, cube.vertices), field)
    fc.contacts(cube.deforming(cube.vertices, cube.vertices), field)
    for things in (ball, ball.at(np.eye(4)[np.newaxis])):
        fc.distance(things, field)
        fc.intersects(things, field)
    fc.contact_intervals(ball, field)
    fc.ray_cast(field, [4.0, 0.0, 0.0], [-1.0, 0.0, 0.0])
    fc.contains(field, [4.0, 0.0, 0.0])


def warm_up_motions() -> None:
    """Follow motions of every kind, of all kinds of bodies."""
    ball, mesh = fc.Sphere(1.0), fc.Box([1.0, 1.0, 1.0]).mesh
    motions = (
        fc.Spline(None, np.stack([np.eye(4)] * 3)),
        fc.motion(lambda t: ([0.0, 0.0, t], [t, 0.0, 0.0])),
        fc.motion(lambda t: [t, 0.0, 0.0], acceleration_bound=0.0),
    )
    for motion, (shape, other) in product(motions, ((ball, ball), (ball, mesh), (mesh, mesh))):
        moving = shape.along(motion)
        moving.pose(0.5)
        hit = fc.first_contact(moving, other)
        _ = hit.time_upper, hit.normals  # found when asked for
        fc.first_contacts(moving, other)
        fc.clearance(moving, other)
    fc.first_contacts(ball.moving(np.eye(4), acceleration=[0.0, 0.0, 1.0]), ball)


def warm_up_scenes() -> None:
    """Step scenes of a few bodies."""
    for method in ("auto", "sweep", "tree", "image"):
        scene = fc.Scene({str(i): fc.Sphere(1.0) for i in range(3)}, broad_phase=method)
        scene.move(scene.ids, np.eye(4), velocity=np.eye(3))
        poses = np.tile(np.eye(4), (3, 1, 1))
        scene.move(scene.ids, poses)  # plain arrays go another way
        scene.move(scene.ids, poses, poses)  # and all bodies from pose to pose one more
        scene.first_contact()
        _ = scene.contacts().normals, scene.things  # found when asked for


def warm_up_robots(method: str) -> None:
    """Ask all that can be asked about robots of convex shapes, and of meshes too."""
    box = fc.Box([0.2, 0.2, 1.0]).at((np.eye(3), [0.0, 0.0, 0.5]))
    hull = fc.Box([0.2, 0.2, 1.0]).mesh
    soup = fc.Mesh(hull.vertices, hull.faces[1:])
    hinge = fc.Joint("hinge", "revolute", "base", "arm", axis=[0.0, 1.0, 0.0])
    wall = fc.Box([1.0, 9.0, 9.0]).at((np.eye(3), [1.2, 0.0, 0.0]))
    for arm, obstacle in ((box, wall), (soup, wall), (soup, soup.at((np.eye(3), [1.0, 0.0, 0.0])))):
        robot = fc.Robot({"base": (), "arm": arm}, [hinge])
        fc.is_free(robot.moving([0.0], [[0.1], [3.0]]), obstacle, method=method)
        contact: Any = fc.first_contact(robot.moving([0.0], [3.0]), obstacle, method=method)
        _ = contact.time_upper, contact.points, contact.certificate.verify()  # found when asked for
        fc.clearance(robot.moving([0.0], [0.1]), obstacle)
        fc.contact_intervals(robot.moving([0.0], [3.0]), obstacle)
        fc.distance(robot.at([0.0]), obstacle)
        fc.near(robot.at([[0.0], [1.2]]), obstacle, within=9.0)
        smooth = robot.along(fc.trapezoidal([[0.0], [0.1]], 1.0, 1.0))
        fc.is_free(smooth, obstacle, method=method)
        _ = fc.first_contact(smooth, obstacle, method=method).certificate
