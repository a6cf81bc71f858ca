"""Each kernel is compiled once, whatever the caller's arrays look like."""

import os
import subprocess
import sys

import pytest

START = """
import sys
import warnings
from itertools import product

import numba
import numpy as np
import firstcontact as fc

warnings.simplefilter("error")
rng = np.random.default_rng(1)
poses = np.tile(np.eye(4), (300, 1, 1))
poses[:, :3, 3] = 4.0 * rng.random((300, 3)) - 2.0
"""

MESHES = """
def variants(points):
    frozen = points.copy()
    frozen.setflags(write=False)
    yield from (points, points.astype(np.float32), np.asfortranarray(points), points.astype(">f8"), frozen)
    yield from (points[:64].tolist(), points[0], points[:0], points[::2], np.rint(points).astype(int))


for query, size in product((fc.vertex_face_ccd, fc.edge_edge_ccd), (64, 20_000)):
    start, end = rng.random((2, size, 4, 3))
    for a, b in zip(variants(start), variants(end)):
        query(a, b)
    query(start[:64], end[:64].astype(np.float32), exact=True)
    query(start, end, min_separation=np.float32(0.01), max_time=1)
    query(start[:64], end[:64], exact=True, min_separation=1e-2, time_tolerance=0)

resting = np.tile([[0, 0, 0], [2, 2, 4], [0, 2, 2], [2, 0, 2]], (20_000, 1, 1))
fc.edge_edge_ccd(resting, resting)
fc.edge_edge_ccd(resting[:2], resting[:2], exact=True)

for n in (30, 3000):
    faces = rng.integers(0, n, (n, 3))
    mesh, other = fc.Mesh(rng.random((n, 3)), faces), fc.Mesh(rng.random((9, 3)), faces[:8] % 9)
    place = 0.01 * rng.random((n, 3)) + rng.random((n, 1))
    step = mesh.deforming(place, (place + 0.01 * rng.random((n, 3))).astype(np.float32))
    fc.contacts(step)
    fc.contacts(step, other, min_separation=0.001, exact=False)
    fc.contacts(other, step, culling=fc.Culling(dop=18, representatives=False, non_penetration=False))
    fc.first_contact(step, other)
    fc.safe_step(step, min_separation=0.001)
    fc.contacts(mesh)

body = fc.Mesh(rng.random((30, 3)), rng.integers(0, 30, (20, 3)))
poses = poses[:40]
spin = body.moving(np.eye(4), angular_velocity=[9, 1, 0])
for a in (body.moving(poses[0], poses[1].astype(np.float32)), spin):
    for method in ("c2a", "c2a-2009", "ca"):
        fc.first_contact(a, mesh, method=method)
        fc.first_contact(other, a, method=method, tolerance=1, min_separation=np.float32(0.01))
        fc.first_contact(other, a, method=method, max_iterations=9)
    fc.first_contact(a, step, tolerance=0.01)
fc.first_contacts(body.moving(poses, poses[::-1]), other.along(poses[:3], path="screw"))
fc.distance(body.at(poses), mesh)
fc.distance(body.at(poses[0]), mesh.at(poses[1]))
fc.intersects(body.at(poses), mesh)
"""

SHAPES = """
points = rng.standard_normal((60, 3))
shapes = [fc.Sphere(1), fc.Box([1, 2, 3]), fc.ConvexHull(points.astype(np.float32)), fc.Cylinder(1, 2)]
shapes += [fc.Ellipsoid([1, 2, 3]), fc.Capsule(0.5, 1), fc.ConvexHull(points[:9]), fc.ConvexHull(points).mesh]
falling = shapes[-1].deforming(shapes[-1].vertices, shapes[-1].vertices - 1)
for a, b in product(shapes, shapes):
    moving = a.moving(poses[:9], poses[9:18].astype(np.float32))
    fc.distance(a.at(poses), b)
    fc.distance(a.at(poses[0]), b)
    fc.intersects(a.at(poses), b)
    fc.intersects(a.at(poses[0]), b)
    fc.penetration(a.at(poses[:9]), b)
    fc.first_contacts(moving, b)
    fc.first_contact(a.along(poses[:3], path="screw"), b, tolerance=1, min_separation=np.float32(0.01))
for a in shapes[:-1]:
    fc.first_contact(a.moving(poses[0], poses[1]), falling)
    fc.safe_step(falling, a)
for a in shapes:
    for hits in ("first", "any", "all"):
        fc.ray_cast(a, points.astype(np.float32), points[0], hits=hits)
        fc.ray_cast(a.at(poses[0]), points[0], points[1], hits=hits)
for method in ("sweep", "tree"):
    scene = fc.Scene({f"body {i}": a.at(poses[i]) for i, a in enumerate(shapes)}, broad_phase=method)
    scene.first_contact(), scene.contacts(), scene.safe_step(min_separation=0.1), scene.pairs()
    scene.move(scene.ids, poses[: len(scene)], velocity=[1, 0, 0])
    scene.first_contact()
"""

END = """
dispatchers = {
    id(value): value
    for name, module in list(sys.modules.items())
    if name.split(".")[0] == "firstcontact"
    for value in vars(module).values()
    if isinstance(value, numba.core.dispatcher.Dispatcher)
}
compiled = {kernel.__name__: kernel.signatures for kernel in dispatchers.values() if kernel.signatures}
assert len(compiled) > 50, "hardly a kernel was compiled"
for name, signatures in compiled.items():
    # A constant argument makes a type of its own; that is the compiler's choice, and no other type of number.
    signatures = {tuple(numba.types.unliteral(argument) for argument in one) for one in signatures}
    if len(signatures) > 1:
        print(name, *signatures, sep="\\n  ")
"""


@pytest.mark.parametrize("script", [MESHES, SHAPES], ids=["meshes", "shapes"])
def test_every_kernel_has_one_signature(tmp_path, script):
    # An empty cache: functions that others call are not loaded from a full one, and so not seen.
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", START + script + END],
        env=environment,
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
