"""Fields inside closed meshes: every part counts, and what is outside does not."""

import numpy as np

import firstcontact as fc
from firstcontact.rigid.fields.enclosed_field import may_enclose

BOX = fc.Box([2.0, 2.0, 2.0]).mesh


def hollow():
    """A box with a cavity: inside is the wall."""
    inner = fc.Box([1.0, 1.0, 1.0]).mesh
    vertices = np.concatenate([BOX.vertices, inner.vertices])
    return fc.Mesh(vertices, np.concatenate([BOX.faces, inner.faces[:, ::-1] + len(BOX.vertices)]))


def at(place):
    pose = np.eye(4)
    pose[:3, 3] = place
    return pose


def test_a_part_is_enough():
    ball = fc.Sphere(0.2).mesh
    far = ball.vertices + np.array([3.0, 0.0, 0.0])
    two = fc.Mesh(np.concatenate([ball.vertices, far]), np.concatenate([ball.faces, ball.faces + len(far)]))
    field = fc.DistanceField.of(two, 0.02)
    assert may_enclose(BOX, field, np.eye(4))  # one of them is inside
    assert may_enclose(BOX, field, at([-3.0, 0.0, 0.0]))  # and now the other
    assert not may_enclose(BOX, field, at([-1.5, 0.0, 0.0]))  # one on either side
    assert not may_enclose(BOX, field, at([0.0, 0.0, 5.0]))


def test_what_is_in_a_cavity_is_outside():
    field = fc.DistanceField.of(fc.Sphere(0.1), 0.01)
    assert not may_enclose(hollow(), field, np.eye(4))
    assert may_enclose(hollow(), field, at([0.75, 0.0, 0.0]))


def test_thin_and_close_fields():
    sheet = fc.Mesh([[-0.3, -0.3, 0.0], [0.3, -0.3, 0.0], [0.0, 0.4, 0.0]], [[0, 1, 2]])
    field = fc.DistanceField.of(sheet, 0.01)
    assert may_enclose(BOX, field, np.eye(4))
    assert not may_enclose(BOX, field, at([0.0, 0.0, 1.05]))
    assert may_enclose(BOX, field, at([0.0, 0.0, 0.97]))


def test_against_points_inside():
    rng = np.random.default_rng(0)
    shapes = fc.Capsule(0.15, 0.5), fc.Box([0.5, 0.3, 0.2])
    fields = [fc.DistanceField.of(shape, 0.01) for shape in shapes]
    seen = set()
    for k in range(60):
        shape, field = shapes[k % 2], fields[k % 2]
        pose = at(rng.uniform(-1.6, 1.6, 3))
        pose[:3, :3] = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        pose[:3, :3] *= np.sign(np.linalg.det(pose[:3, :3]))
        placed = shape.at(pose)
        if fc.distance(placed, BOX).distance > 0.03:  # the surface does not touch it
            truth = fc.intersects(placed, BOX, solid=True)
            seen.add(truth)
            assert may_enclose(BOX, field, pose) == truth
    assert seen == {True, False}
