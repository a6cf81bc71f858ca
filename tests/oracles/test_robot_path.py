"""The oracle of robots' paths, where the truth is known without it."""

import numpy as np
import pytest

import firstcontact as fc
from articulated.random_robots import random_scenario
from oracles.robot_path import (
    Model,
    closing_speed,
    distances,
    first_of,
    is_convex,
    link_poses,
    part_of,
    parts_of,
    scan,
    straight,
)
from poses import at
from samples import sample

ONE = np.eye(4)


def two_rods(thickness=0.01):
    """Two rods of length 1 in a row along the first axis, turning about the third."""
    rod = [(fc.Box([1.0, thickness, thickness]), at(0.5))]
    joints = [
        fc.Joint("a", "revolute", "base", "one", ONE, (0, 0, 1)),
        fc.Joint("b", "revolute", "one", "two", at(1.0), (0, 0, 1), mimic=("a", -2.0, 0.0)),
    ]
    return Model({"base": [], "one": rod, "two": rod}, joints)


def test_links_of_a_mimic_chain_are_where_geometry_says():
    angle = 0.7
    pose = link_poses(two_rods(), [[angle]])["two"][0]
    np.testing.assert_allclose(pose[:2, 3].astype(float), [np.cos(angle), np.sin(angle)], atol=1e-15)
    np.testing.assert_allclose(pose[:2, 0].astype(float), [np.cos(angle), -np.sin(angle)], atol=1e-15)


def test_a_wire_is_found_to_the_last_step():
    thing = part_of("wire", fc.Sphere(0.005).at(at(0.0, 0.8)))
    one = parts_of(two_rods(), straight([0.0], [np.pi]))[0]
    found = scan(one, thing, 1, finest=1e-6)
    touching = 0.5 - np.arcsin(0.01 / 0.8) / np.pi
    assert found.free_until[0] <= touching <= found.witness[0]
    assert found.witness[0] - found.free_until[0] < 1e-5


def test_what_is_passed_at_a_distance_is_free():
    thing = part_of("ball", fc.Sphere(0.005).at(at(0.0, 1.011)))
    one = parts_of(two_rods(), straight([0.0], [np.pi]))[0]
    assert scan(one, thing, 1).free_until[0] == np.inf
    assert scan(one, thing, 1, separation=0.01).witness[0] < np.inf
    found, number = first_of([(one, thing)], 1, 0.01)
    assert number[0] == 0
    assert found.witness[0] < 0.5


def test_only_closed_convex_meshes_are_convex():
    box = fc.Box([1.0, 2.0, 3.0]).mesh
    assert is_convex(box)
    assert is_convex(fc.Mesh(box.vertices, box.faces[:, ::-1]))
    assert not is_convex(fc.Mesh(box.vertices, box.faces[1:]))
    dented = box.vertices.copy()
    dented[0] *= -0.5
    assert not is_convex(fc.Mesh(dented, box.faces))


@pytest.mark.parametrize("seed", range(sample(3, of=6)))
def test_no_distance_changes_faster_than_is_said(seed):
    scenario = random_scenario(np.random.default_rng([7, seed]), 3)
    t = np.linspace(0.0, 1.0, 257)
    for i in range(scenario.n):
        which = np.full(len(t), i)
        for a, b in scenario.pairs(True)[::5]:
            d = distances(a, b, which, t)
            bound = closing_speed(a, b, which[1:], 0.5 * (t[1:] + t[:-1])) * np.diff(t)
            is_inside = np.isin(t, np.concatenate([a.times, b.times]))  # a step may reach into two pieces
            steps = np.abs(np.diff(d))
            assert np.all((steps <= bound + 1e-12) | is_inside[1:] | is_inside[:-1] | (len(a.times) > 2))


def test_what_a_closed_mesh_holds_touches_it():
    box = fc.Box([1.0, 1.0, 1.0]).mesh
    top = int(np.argmax(box.vertices.sum(axis=1)))
    dented = fc.Mesh(np.where(np.arange(8)[:, None] == top, [0.3, 0.3, 0.3], box.vertices), box.faces)
    hollow = part_of("dented", dented.moving(at(-5.0), at(5.0)))
    for thing in (fc.Sphere(0.01), fc.Box([0.02, 0.02, 0.02]).mesh, fc.ConvexHull(0.01 * np.eye(4)[:, :3])):
        found = distances(hollow, part_of("small", thing), np.zeros(3, int), np.array([0.0, 0.5, 1.0]))
        assert found[1] == 0.0
        assert np.all(found[[0, 2]] > 4.0)
