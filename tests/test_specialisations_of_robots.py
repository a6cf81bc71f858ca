"""Each kernel is compiled once, whatever the caller's arrays look like: robots."""

import pytest

from one_signature import kernels_with_several

pytestmark = pytest.mark.compiler

SCRIPT = """
box = fc.Box([0.3, 0.3, 0.3])
sheet = fc.Mesh(box.mesh.vertices, box.mesh.faces[1:])
links = {"base": (), "a": sheet, "b": fc.Capsule(0.1, 0.3), "c": box.mesh, "d": box}
kinds = ("revolute", "prismatic", "continuous", "floating")
joints = [
    fc.Joint(parent + child, kind, parent, child, (np.eye(3), [0, 0, 1]), [0, 1, 0])
    for kind, parent, child in zip(kinds, links, list(links)[1:])
]
robot = fc.Robot(links, joints)
start, end = robot.sample(40), robot.sample(40, 1)
moved = {"box": box.at(poses[0]), "sheet": sheet.moving(poses[0], velocity=[1, 0, 0])}
for method, world in product(("subdivision", "advancement"), (sheet, moved, robot.at(start[0]))):
    options = {"method": method, "self_contact": True}
    for path in (robot.moving(start, end.astype(np.float32)), robot.moving(start[0], end[:1])):
        fc.is_free(path, world, **options)
        contacts = fc.first_contacts(path, world, **options)
        contacts.points, contacts.time_upper
    fc.first_contact(robot.along(start[:3]), world, **options).certificate.verify()
    fc.distance(robot.at(start), world), fc.intersects(robot.at(start[0]), world)
"""


def test_every_kernel_has_one_signature(tmp_path):
    assert kernels_with_several(SCRIPT, tmp_path) == ""
