"""Voxels in every query, against a compound of as many boxes, which other searches answer about."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import firstcontact as fc
from articulated.notched import notched
from samples import sample

HERE = np.eye(3)
RING = [[i, j, 0] for i in range(-2, 2) for j in range(-2, 2) if (i, j) != (0, 0)]
GRID = fc.Voxels([*RING, [-2, -2, 1], [1, 1, 1], [1, 0, 2]], size=0.4, origin=[0.1, 0, 0])
BLOCK = fc.Voxels(np.ones((3, 3, 3), bool), size=0.5, origin=[-0.75, -0.75, -0.75])
TETRA = fc.Mesh(
    [[0, 0, 0], [0.6, 0, 0], [0, 0.5, 0], [0, 0, 0.4]], [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]
)
OTHERS = {
    "sphere": fc.Sphere(0.3),
    "hull": fc.ConvexHull(TETRA.vertices),
    "mesh": TETRA,
    "open mesh": fc.Mesh(TETRA.vertices, TETRA.faces[:2]),
    "points": fc.Points([[0, 0, 0], [0, 0.7, 0], [0, 0.7, 0.01]], [0.2, 0, 0.05]),
    "strands": fc.Strands([[0, 0, 0], [0.3, 0.2, 0], [1, 1, 1]], [2, 1], 0.05),
    "compound": fc.Compound([fc.Sphere(0.2), TETRA.at((HERE, [0.5, 0, 0]))]),
    "floor": fc.HalfSpace([1, 2, 3], -0.5),
    "voxels": fc.Voxels([[0, 0, 0], [0, 1, 1]], 0.3),
}


def boxes_of(shape):
    if not isinstance(shape, fc.Voxels):
        return shape
    cube = fc.Box(np.full(3, shape.size))
    return fc.Compound([cube.at((HERE, shape.corner(cell + 0.5))) for cell in shape.cells])


def as_boxes(thing):
    return fc.Moving(boxes_of(thing.shape), thing.motion)


def two(name, seed, grid=GRID):
    rng = np.random.default_rng(seed)
    way = rng.normal(size=3)
    start = Rotation.random(random_state=seed), -1.5 * way + 0.4 * rng.normal(size=3)
    one = grid.moving(start, velocity=3.0 * way, angular_velocity=2 * rng.normal(size=3))
    return one, OTHERS[name].moving(np.eye(4), velocity=0.3 * rng.normal(size=3), angular_velocity=way)


@pytest.mark.parametrize("name", OTHERS)
@pytest.mark.parametrize("seed", range(sample(2, of=12)))
def test_over_time_they_are_as_many_boxes(name, seed):
    a, b = two(name, seed)
    truth = fc.first_contact(as_boxes(a), as_boxes(b), tolerance=1e-9)
    for found in (fc.first_contact(a, b, tolerance=1e-9), fc.first_contact(b, a, tolerance=1e-9)):
        assert bool(found) is bool(truth)
        assert found.time == pytest.approx(truth.time, abs=1e-6) or not truth
        assert found.time_upper >= truth.time
    assert fc.is_free(a, b) is not bool(truth)
    near, all_near = fc.clearance(a, b), fc.clearance(as_boxes(a), as_boxes(b))
    assert near.distance_lower <= all_near.distance + 1e-12
    assert all_near.distance_lower <= near.distance + 1e-12
    assert near.distance_lower >= 0.97 * near.distance - 1e-4


@pytest.mark.parametrize("name", OTHERS)
def test_at_rest_they_are_as_many_boxes(name):
    for seed in range(sample(4, of=30)):
        a, b = (thing.shape.at(thing.pose(0.45)) for thing in two(name, seed))
        found, truth = fc.distance(a, b), fc.distance(as_boxes(a), as_boxes(b))
        assert found.distance == pytest.approx(truth.distance, abs=1e-12)
        assert np.linalg.norm(found.points_a - found.points_b) == pytest.approx(found.distance, abs=1e-12)
        assert fc.intersects(a, b) is fc.intersects(as_boxes(a), as_boxes(b))


@pytest.mark.parametrize("name", [name for name in OTHERS if name != "floor"])
def test_what_is_inside_is_in_contact(name):
    small = OTHERS[name]
    inside, outside = small.at((HERE, [-0.1, -0.1, -0.1])), small.at((HERE, [3, 3, 3]))
    block = fc.Voxels(np.ones((4, 4, 4), bool), 1.0, [-2, -2, -2])
    assert fc.intersects(block, inside)
    assert not fc.intersects(outside, block)
    near = fc.distance(inside, block)
    assert near.distance == 0.0
    assert np.array_equal(near.points_a, near.points_b)
    assert fc.contains(block, near.points_a)
    leaving = small.moving((HERE, [-0.1, -0.1, -0.1]), velocity=[9, 0, 0])
    hit = fc.first_contact(leaving, block)
    assert hit.status == fc.Status.CONTACT_AT_START
    assert hit.time == hit.time_upper == 0.0
    assert fc.safe_step(leaving, block) == 0.0
    assert fc.clearance(leaving, block).distance == 0.0
    [(touch, part)] = fc.contact_intervals(leaving, block)
    assert touch == (0.0, 0.0)
    assert 0.1 < part[0] <= part[1] < 0.5


def test_batches_are_as_single_calls_and_spread():
    starts = [np.eye(4) for _ in range(3)]
    starts[1][0, 3] = 0.2
    starts[2][0, 3] = 5.0
    small = fc.Sphere(0.05)
    moving = small.moving(np.array(starts), velocity=[-0.3, 0, 0])
    found = fc.first_contacts(moving, BLOCK)
    assert found.status.tolist() == [2, 2, 0]
    assert found.time.tolist() == [0.0, 0.0, np.inf]
    assert fc.is_free(moving, BLOCK).tolist() == [False, False, True]
    at = small.at(np.array(starts))
    assert fc.intersects(at, BLOCK).tolist() == [True, True, False]
    apart = fc.distance(BLOCK, at)
    assert apart.distance.tolist() == [0.0, 0.0, pytest.approx(4.2)]
    assert fc.clearance(moving, BLOCK).distance.tolist() == [0.0, 0.0, pytest.approx(3.9, rel=0.02)]
    with ThreadPoolExecutor(2) as pool:
        assert np.array_equal(fc.first_contacts(moving, BLOCK, executor=pool).time, found.time)


def test_a_cavity_is_outside():
    occupied = np.ones((5, 5, 5), bool)
    occupied[1:4, 1:4, 1:4] = False
    hollow = fc.Voxels(occupied, 1.0, [-2.5, -2.5, -2.5])
    assert not fc.intersects(fc.Sphere(1.0), hollow)
    assert fc.distance(fc.Sphere(1.0), hollow).distance == pytest.approx(0.5)
    assert fc.intersects(fc.Sphere(9.0), hollow)  # which is inside of what is solid itself
    shell = fc.Box([9, 9, 9]).mesh
    assert not fc.intersects(shell, hollow)
    assert fc.intersects(shell, hollow, solid=True)
    assert not fc.contains(hollow, [0, 0, 0])


def test_what_deforms_may_begin_inside():
    leaf = OTHERS["open mesh"]
    inner, away = 0.2 * leaf.vertices, np.array([5, 0, 0])
    out = leaf.deforming(inner, inner + away)
    assert fc.first_contact(out, BLOCK).status == fc.Status.CONTACT_AT_START
    into = leaf.deforming(inner + away, inner)
    truth = fc.first_contact(into, fc.Box([1.5, 1.5, 1.5]))
    assert fc.first_contact(BLOCK, into).time == pytest.approx(truth.time, abs=1e-5)
    assert fc.clearance(into, BLOCK).distance == 0.0
    assert fc.distance(leaf.deforming(inner, inner), BLOCK).distance == 0.0


def test_rays_and_points_meet_the_surface_of_the_union():
    rng = np.random.default_rng(5)
    points = rng.uniform(-1.2, 1.2, (200, 3))
    boxes = boxes_of(GRID)
    found, truth = fc.signed_distance(GRID, points), fc.signed_distance(boxes, points)
    is_out = truth.distance > 0.0
    assert np.allclose(found.distance[is_out], truth.distance[is_out], atol=1e-12)
    assert (found.distance[~is_out] < 0.0).all()
    assert np.array_equal(fc.contains(GRID, points), ~is_out)
    assert found.sign == "cells"
    ways = rng.normal(size=(200, 3))
    hits, all_hits = fc.ray_cast(GRID, points, ways), fc.ray_cast(boxes, points, ways)
    assert np.array_equal(hits.hit, all_hits.hit)
    assert np.allclose(hits.time[is_out], all_hits.time[is_out])
    with pytest.raises(ValueError, match="sign is for meshes"):
        fc.signed_distance(GRID, points, sign="winding")


def test_depths_are_those_of_the_union():
    sphere = fc.Sphere(0.25)
    for place in ([0.7, 0.1, 0.0], [0.0, 0.0, 0.0], [0.5, 0.5, 0.5]):
        found = fc.penetration(sphere.at((HERE, place)), BLOCK)
        truth = fc.penetration(sphere.at((HERE, place)), fc.Box([1.5, 1.5, 1.5]))
        assert found.depth == pytest.approx(truth.depth, abs=1e-9)
    assert fc.penetration(fc.Box([0.2, 0.2, 0.2]).at((HERE, [0.7, 0, 0])), BLOCK).depth == pytest.approx(0.15)
    assert len(fc.depths(fc.Box([0.2, 0.2, 0.2]), BLOCK)) == 8


def test_in_scenes_and_among_robots():
    scene = fc.Scene(
        grid=BLOCK.at((HERE, [0, 0, 0])), ball=fc.Sphere(0.2).moving((HERE, [3, 0, 0]), velocity=[-4, 0, 0])
    )
    hits = scene.contacts()
    assert len(hits) == 1
    assert hits.time[0] == pytest.approx((3 - 0.2 - 0.75) / 4, abs=1e-5)
    slide = fc.Joint("slide", "prismatic", "base", "hand", axis=[1, 0, 0])
    arm = fc.Robot({"base": [], "hand": fc.Sphere(0.1)}, [slide])
    boxes = boxes_of(BLOCK)
    for start, end in (([-3], [-0.9]), ([-3], [-0.8]), ([0], [0.1]), ([2], [3])):
        path = arm.moving(start, end)
        assert fc.is_free(path, BLOCK) is fc.is_free(path, boxes)
    assert fc.distance(arm.at([-2]), BLOCK).distance == pytest.approx(1.15)
    blocky = fc.Robot({"base": [], "hand": BLOCK}, [slide])
    assert not fc.is_free(blocky.moving([0], [0.1]), fc.Sphere(0.1))
    assert fc.is_free(blocky.moving([2], [3]), fc.Sphere(0.1))


def small(shape, size):
    """A mesh around the origin, scaled."""
    middle = shape.bounds.mean(axis=0)
    return fc.Mesh(size * (shape.vertices - middle), shape.faces)


def crumbs(seed):
    """A mesh of more parts than are looked at one by one: twenty tetrahedra."""
    places = np.random.default_rng(seed).uniform(-0.3, 0.3, (20, 1, 3))
    vertices = (0.05 * TETRA.vertices + places).reshape(-1, 3)
    return fc.Mesh(vertices, (TETRA.faces + 4 * np.arange(20)[:, np.newaxis, np.newaxis]).reshape(-1, 3))


HANDS = {
    "ball": fc.Sphere(0.15),
    "closed mesh": small(notched(), 0.2),
    "large mesh": small(notched(), 1.6),
    "open mesh": fc.Mesh(TETRA.vertices, TETRA.faces[:2]),
    "crumbs": crumbs(1),
    "cloud": fc.Points(np.random.default_rng(2).uniform(-0.2, 0.2, (30, 3)), 0.02),
    "voxels": fc.Voxels([[0, 0, 0], [1, 0, 0], [1, 1, 0]], 0.1),
}


def arm_with(hand):
    """Two hinges and a slide, which may begin anywhere among cells."""
    origin = np.eye(4)
    origin[0, 3] = 0.5
    joints = [
        fc.Joint("yaw", "revolute", "base", "upper", axis=[0, 0, 1]),
        fc.Joint("pitch", "revolute", "upper", "fore", origin, [0, 1, 0.2]),
        fc.Joint("reach", "prismatic", "fore", "hand", origin, [1, 0, 0.3]),
    ]
    return fc.Robot({"base": [], "upper": [], "fore": fc.Capsule(0.03, 0.2), "hand": hand}, joints)


def cells_as_boxes(grid):
    cube = fc.Box(np.full(3, grid.size))
    return {f"cell {i}": cube.at((HERE, grid.corner(cell + 0.5))) for i, cell in enumerate(grid.cells)}


@pytest.mark.parametrize("method", ["subdivision", "advancement"])
@pytest.mark.parametrize("name", HANDS)
def test_robots_meet_them_as_many_boxes(name, method):
    """Also those that begin inside of cells, or around some, which no surface tells."""
    rng, arm, seen = np.random.default_rng(7), arm_with(HANDS[name]), set()
    options = {"method": method, "tolerance": 1e-7}
    for _ in range(sample(2, of=20)):
        n, size = int(rng.integers(1, 30)), float(rng.choice([0.1, 0.3, 0.8]))
        grid = fc.Voxels(rng.integers(-3, 4, (n, 3)), size, rng.uniform(-0.2, 0.2, 3))
        starts = rng.uniform(-1.5, 1.5, (12, 3))
        paths, boxes = arm.moving(starts, starts + rng.uniform(-0.4, 0.4, (12, 3))), cells_as_boxes(grid)
        apart = float(rng.choice([0.0, 0.05]))
        found, truth = (fc.first_contacts(paths, x, min_separation=apart, **options) for x in (grid, boxes))
        assert found.hit.tolist() == truth.hit.tolist()
        assert found.time[found.hit] == pytest.approx(truth.time[found.hit], abs=1e-4)
        free = fc.is_free(paths, {"grid": grid, "far": fc.Sphere(1).at((HERE, [50, 0, 0]))}, **options)
        assert free.tolist() == fc.is_free(paths, boxes, **options).tolist()
        near, all_near = fc.clearance(paths, grid), fc.clearance(paths, boxes)
        assert (near.distance_lower <= all_near.distance + 1e-9).all()
        assert (all_near.distance_lower <= near.distance + 1e-9).all()
        there = arm.at(starts)
        assert fc.distance(there, grid).distance == pytest.approx(
            fc.distance(there, boxes).distance, abs=1e-9
        )
        seen |= set(found.hit.tolist()) | {float(time) == 0.0 for time in found.time[found.hit]}
    assert seen == {True, False}


def test_a_link_that_encloses_cells_is_in_contact():
    """One part of them is enough, of few and of many; in a cavity of the link, none is."""
    wall = fc.Voxels([c for c in np.ndindex(5, 5, 5) if max(abs(np.subtract(c, 2))) > 1], 0.3, [-0.75] * 3)
    arm = fc.Robot(
        {"base": [], "hand": wall}, [fc.Joint("slide", "prismatic", "base", "hand", axis=[1, 0, 0])]
    )
    still = arm.moving([0.0], [0.01])
    far = [[50 + 2 * i, 0, 0] for i in range(30)]
    for others in ([], far):
        loose = fc.Voxels([[0, 0, 0], *others], 0.05, [-0.02] * 3)
        assert fc.is_free(still, loose)
        assert fc.first_contact(still, loose).certificate.verify()
        held = fc.Voxels([[0, 0, 0], *others], 0.05, [0.575, -0.02, -0.02])
        found = fc.first_contact(still, held)
        assert (found.status, found.time, found.a, found.b) == (
            fc.Status.CONTACT_AT_START,
            0.0,
            "hand",
            "world",
        )
        assert len(found.points) == 1
        assert not fc.is_free(still, held)
        assert fc.distance(arm.at([0.0]), held).distance == 0.0


def test_empty_voxels_meet_nothing():
    none = fc.Voxels(np.zeros((2, 2, 2), bool), 1)
    assert fc.distance(none, BLOCK).distance == np.inf
    assert not fc.intersects(fc.Sphere(1), none)
    assert not fc.first_contact(none.moving(np.eye(4), velocity=[1, 0, 0]), BLOCK)
    assert fc.is_free(none, BLOCK)
    assert not fc.contains(none, [0, 0, 0])
    assert not fc.ray_cast(none, [0, 0, 0], [1, 0, 0]).hit
    assert len(fc.Scene(a=none, b=BLOCK).contacts()) == 0
