"""Proofs that two rigid bodies keep apart: they hold, and what is changed in them is found."""

from dataclasses import replace

import numpy as np
import pytest

import firstcontact as fc
from samples import sample

HERE = np.eye(3)
BAR = fc.Box([1, 0.4, 0.2])
POST = fc.Cylinder(0.5, 2)


def passing(shape, y=1.2, turn=2.0):
    return shape.moving((HERE, [-3, y, 0]), velocity=[6, 0, 0], angular_velocity=[0, 0, turn])


@pytest.mark.parametrize("a", [BAR, BAR.mesh])
@pytest.mark.parametrize("b", [POST, POST.mesh])
def test_what_passes_has_a_proof(a, b):
    near = fc.clearance(passing(a), b)
    proof = near.certificate
    assert proof.fault() is None
    assert (proof.end, proof.min_separation, proof.names) == (1.0, near.distance_lower, (("a", "b"),))
    free = fc.first_contact(passing(a), b).certificate
    assert free.verify()
    assert free.end == 1.0


@pytest.mark.parametrize("a", [BAR, BAR.mesh])
def test_what_touches_is_apart_before(a):
    for kept in (0.0, 0.1):
        hit = fc.first_contact(passing(a, 0.2), POST.mesh, min_separation=kept)
        assert hit
        proof = hit.certificate
        assert proof.fault() is None
        assert (proof.end, proof.min_separation) == (hit.time, kept)


def test_more_than_is_true_is_not_proven():
    near = fc.clearance(passing(BAR), POST)
    proof = near.certificate
    assert replace(proof, min_separation=1.02 * near.distance).fault().startswith("interval ")
    later = fc.first_contact(passing(BAR, 0.2), POST).certificate
    assert replace(later, end=1.0).fault() == "'a' and 'b' are not proven to be apart at all times"
    gaps = proof.intervals.gaps + 1.0
    assert replace(proof, intervals=proof.intervals._replace(gaps=gaps)).fault().startswith("interval 0")


def test_what_is_inside_a_surface_is_apart_and_inside_a_solid_is_not():
    inner = fc.Box([0.5, 0.5, 0.5]).mesh.moving(np.eye(4), velocity=[0.2, 0, 0], angular_velocity=[1, 2, 3])
    shell = fc.Box([3, 3, 3]).mesh
    proof = fc.clearance(inner, shell).certificate
    assert proof.verify()
    assert replace(proof, solid=True).fault() is not None
    at_start = fc.first_contact(inner, shell, solid=True)
    assert at_start.certificate.end == 0.0


def test_motions_that_deviate_from_their_pieces():
    thrown = fc.Sphere(0.1).moving((HERE, [-2, 0, 0]), velocity=[4, 0, 8], acceleration=[0, 0, -16])
    bar = fc.Capsule(0.2, 3).at(([[1, 0, 0], [0, 0, -1], [0, 1, 0]], [0, 0, 1.0]))
    assert fc.clearance(thrown, bar).certificate.fault() is None
    hit = fc.first_contact(thrown, fc.Box([1, 9, 9]).at((HERE, [2, 0, 0])))
    assert hit.certificate.fault() is None
    assert hit.certificate.end == hit.time


def test_what_has_none():
    with pytest.raises(ValueError, match=r"^there is nothing to prove: contact is not excluded$"):
        _ = fc.clearance(BAR, BAR).certificate
    batch = fc.clearance(BAR.at(np.stack([np.eye(4)] * 2)), POST)
    with pytest.raises(ValueError, match=r"^a certificate is for one motion: ask about that alone$"):
        _ = batch.certificate
    sheet = fc.Mesh([[0, 0, 5], [1, 0, 5], [0, 1, 5]], [[0, 1, 2]])
    falling = sheet.deforming(sheet.vertices, sheet.vertices - [0, 0, 1])
    with pytest.raises(ValueError, match=r"^a certificate is for two rigid bodies with one motion each"):
        _ = fc.first_contact(falling, BAR.mesh).certificate
    assert fc.clearance(BAR, fc.Mesh([], [])).certificate.verify()


def test_random_motions():
    rng = np.random.default_rng(8)
    for _ in range(sample(12, 400)):
        a, b = (rng.choice([BAR, POST, BAR.mesh, POST.mesh, fc.Sphere(0.3)]) for _ in range(2))
        moving = a.moving((HERE, rng.normal(size=3) * 2), velocity=rng.normal(size=3) * 3,
                          angular_velocity=rng.normal(size=3) * 3)  # fmt: skip
        near = fc.clearance(moving, b)
        if near.distance_lower > 0:
            assert near.certificate.fault() is None
        assert fc.first_contact(moving, b).certificate.fault() is None


def test_a_robot_keeps_its_clearance():
    arm = fc.Capsule(0.05, 1).at((HERE, [0, 0, 0.5]))
    robot = fc.Robot({"base": (), "arm": arm}, [fc.Joint("hinge", "revolute", "base", "arm", axis=[0, 1, 0])])
    near = fc.clearance(robot.moving([0], [0.3]), {"ball": fc.Sphere(0.1).at((HERE, [0.6, 0, 0.6]))})
    proof = near.certificate
    assert proof.verify()
    assert proof.end == 1.0
    assert proof.min_separation == near.distance_lower
