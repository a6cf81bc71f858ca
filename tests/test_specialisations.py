"""Each kernel is compiled once, whatever the caller's arrays look like: queries about meshes."""

import pytest

from one_signature import kernels_with_several

pytestmark = pytest.mark.compiler

SCRIPT = """
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

for points in (rng.random((9000, 3)), rng.random((9, 3)).astype(np.float32), rng.random((8, 3))[::-2]):
    fc.neighbors(points, 1 / 16, distances=True)
    fc.neighbors(points, np.float32(0.0), points)

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
    for separation in (0.0, 0.001):
        listed = fc.candidates(step, other, inflate=0.01, min_separation=separation)
        listed.contacts([place, None])
        listed.safe_step([None, other.vertices], [place, None])
        listed.distances([place.astype(np.float32), None], within=0.0, gradient=True, merge=True)

body = fc.Mesh(rng.random((30, 3)), rng.integers(0, 30, (20, 3)))
poses = poses[:40]
spin = body.moving(np.eye(4), angular_velocity=[9, 1, 0])
for a in (body.moving(poses[0], poses[1].astype(np.float32)), spin):
    for method in ("c2a", "c2a-2009", "ca", "interval"):
        fc.first_contact(a, mesh, method=method)
        fc.first_contact(other, a, method=method, tolerance=1, min_separation=np.float32(0.01))
        fc.first_contact(other, a, method=method, max_iterations=9)
    fc.first_contact(a, step, tolerance=0.01)
fc.first_contacts(body.moving(poses, poses[::-1]), other.along(poses[:3], path="screw"))
fc.distance(body.at(poses), mesh)
fc.distance(body.at(poses[0]), mesh.at(poses[1]))
fc.intersects(body.at(poses), mesh)
"""


def test_every_kernel_has_one_signature(tmp_path):
    assert kernels_with_several(SCRIPT, tmp_path) == ""
