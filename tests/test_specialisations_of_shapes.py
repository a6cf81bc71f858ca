"""Each kernel is compiled once, whatever the caller's arrays look like: shapes, rays and scenes."""

import pytest

from one_signature import kernels_with_several

pytestmark = pytest.mark.compiler

SCRIPT = """
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


def test_every_kernel_has_one_signature(tmp_path):
    assert kernels_with_several(SCRIPT, tmp_path) == ""
