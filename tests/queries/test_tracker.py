"""The same two bodies pose after pose: the answers of the plain queries, whatever was learned before."""

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import trimesh

import firstcontact as fc
from poses import pose, random_poses
from samples import sample

RING = trimesh.creation.torus(1.0, 0.3, major_sections=24, minor_sections=12)
HULL = fc.ConvexHull(np.random.default_rng(3).normal(size=(60, 3)))
BODIES = {
    "ball": fc.Sphere(0.5),
    "box": fc.Box([1, 1.2, 0.9]),
    "capsule": fc.Capsule(0.2, 1),
    "cylinder": fc.Cylinder(0.7, 0.4),
    "ellipsoid": fc.Ellipsoid([0.4, 0.7, 1.1]),
    "hull": HULL,
    "ring": fc.Mesh(RING.vertices, RING.faces),
    "cube": fc.Box([1, 1, 1]).mesh,
    "triangle": fc.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]),
}
PAIRS = [(a, b) for a in BODIES for b in ("box", "hull", "ring", "triangle", "ball")]
N_STEPS = sample(60, of=1000)
SIZE = 6.0  # of both bodies, and how far they are apart


def walk(n, seed):
    """Small steps through each other and apart, with a leap now and then, and a rest."""
    rng = np.random.default_rng(seed)
    place, turn = np.array([2.0, 0, 0]), np.zeros(3)
    for k in range(n):
        if k % 17 == 16:
            place, turn = 2.0 * rng.normal(size=3), 2.0 * rng.normal(size=3)
        if k % 5 < 4:
            place, turn = place - 0.1 * place + 0.02 * rng.normal(size=3), turn + 0.05 * rng.normal(size=3)
        if k % 23 == 22:
            place, turn = np.round(place), np.zeros(3)
        yield pose(place, turn)


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_all_along_a_walk(a, b):
    one, other = BODIES[a], BODIES[b]
    tracker, there = fc.Tracker(one, other), pose((0.1, -0.2, 0.3), (0.3, 0.2, 0.1))
    for here in walk(N_STEPS, len(a) + 7 * len(b)):
        x, y = one.at(here), other.at(there)
        near, truth = tracker.distance(here, there), fc.distance(x, y)
        assert abs(near.distance - truth.distance) <= 1e-13 * SIZE
        assert (near.distance == 0.0) == (truth.distance == 0.0)
        apart = np.linalg.norm(near.points_a - near.points_b)
        assert abs(apart - near.distance) <= 1e-12 * SIZE
        for points, thing in ((near.points_a, x), (near.points_b, y)):
            assert fc.distance(fc.Sphere(1e-9).at((np.eye(3), points)), thing).distance <= 1e-12 * SIZE
        assert tracker.intersects(here, there) == fc.intersects(x, y) == (near.distance == 0.0)


@pytest.mark.parametrize("step", [1e-6, 1e-4, 1e-3, 1e-2, 0.1])
@pytest.mark.parametrize("name", ["ring", "cube", "triangle"])
def test_small_steps_of_meshes(name, step):
    one, other = BODIES["ring"], BODIES[name]
    tracker, rng, place, turn = fc.Tracker(one, other), np.random.default_rng(7), np.array([2.6, 0, 0.1]), 0.0
    searched = []
    for _ in range(N_STEPS):
        place, turn = place + step * rng.normal(size=3), turn + step * rng.normal()
        here = pose(place, (turn, 0.5 * turn, 0.0))
        found, truth = tracker.distance(here), fc.distance(one.at(here), other)
        assert abs(found.distance - truth.distance) <= 1e-13 * SIZE
        searched.append(found.stats.volume_tests > 0)
    if step < 1e-3:
        assert np.mean(searched) < 0.5  # most of them needed no search


def test_faces_are_those_that_are_closest():
    ring, cube = BODIES["ring"], BODIES["cube"]
    for a, b in ((ring, cube), (ring, BODIES["box"]), (BODIES["box"], ring)):
        tracker = fc.Tracker(a, b)
        for here in walk(40, 3):
            near = tracker.distance(here)
            if near.distance == 0.0:
                continue
            for shape, face, point, matrix in zip(
                (a, b), near.faces, (near.points_a, near.points_b), (here, np.eye(4)), strict=True
            ):
                assert (face >= 0) == isinstance(shape, fc.Mesh)
                if face >= 0:
                    leaf = fc.Mesh(shape.vertices, shape.faces[face : face + 1])
                    dot = fc.Sphere(1e-9).at((np.eye(3), point))
                    assert fc.distance(leaf.at(matrix), dot).distance <= 1e-12 * SIZE
            assert near.stats.triangle_tests >= 1


@pytest.mark.parametrize(("a", "b"), [("ball", "box"), ("box", "box"), ("hull", "box"), ("cube", "hull")])
def test_penetration_is_the_same(a, b):
    one, other = BODIES[a], BODIES[b]
    tracker = fc.Tracker(one, other)
    for here in walk(40, 5):
        assert tracker.penetration(here) == fc.penetration(one.at(here), other)


def test_first_contact_is_the_same():
    box, hull = BODIES["box"], BODIES["hull"]
    tracker, poses = fc.Tracker(box, hull), random_poses(8)
    for here, there in zip(poses, poses[::-1], strict=True):
        truth = fc.first_contact(box.moving(here, there), hull.at(poses[0]), tolerance=1e-5)
        assert tracker.first_contact([here, there], poses[0], tolerance=1e-5) == truth
        assert tracker.first_contact(box.moving(here, there), poses[0], tolerance=1e-5) == truth
    assert tracker.first_contact() == fc.first_contact(box, hull)
    with pytest.raises(ValueError, match=r"^b must be a motion of the tracker's own b$"):
        tracker.first_contact(None, box.at(poses[0]))


def test_answers_are_plain_data():
    tracker, here = fc.Tracker(BODIES["ring"], BODIES["box"]), pose((3, 0.5, 0.1), (0.1, 0.2, 0.3))
    kept = here.copy()
    near, deep = tracker.distance(here), fc.Tracker(BODIES["ball"], BODIES["box"]).penetration(here)
    here[:] = 0.0
    assert near == fc.distance(BODIES["ring"].at(kept), BODIES["box"])
    np.testing.assert_array_equal(near.things["a"].pose(0.0), kept)
    assert near.things["b"].shape is BODIES["box"]
    for answer in (near, deep):
        assert pickle.loads(pickle.dumps(answer)) == copy.deepcopy(answer) == answer
    assert pickle.loads(pickle.dumps(tracker)).distance(kept) == near
    assert repr(tracker).startswith("Tracker(Mesh(")
    assert tracker.a is BODIES["ring"]
    assert tracker.b is BODIES["box"]


def test_any_pose_and_any_mesh():
    box, here = BODIES["box"], pose((3, 0, 0))
    tracker = fc.Tracker(box, trimesh.Trimesh(RING.vertices, RING.faces))
    truth = fc.distance(box.at(here), BODIES["ring"]).distance
    for same in (here.tolist(), (np.eye(3), [3, 0, 0]), np.asfortranarray(here), here.astype(np.float32)):
        assert abs(tracker.distance(same).distance - truth) < 1e-12
        assert not tracker.intersects(same)
    nothing = fc.Tracker(fc.Mesh([], []), box)
    assert nothing.distance(here).distance == np.inf
    assert not nothing.intersects(here)


def test_what_is_no_pose_is_told():
    tracker = fc.Tracker(BODIES["box"], BODIES["ball"])
    wrong = np.diag([1.0, 1.0, 1.0, 2.0])
    for ask in (tracker.distance, tracker.intersects, tracker.penetration, tracker.first_contact):
        with pytest.raises(ValueError, match=r"^pose must be a rigid pose, with 0, 0, 0, 1 as its last row"):
            ask(wrong)
        with pytest.raises(ValueError, match=r"^pose must be a rigid pose"):
            ask(None, wrong)
    for ask in (tracker.distance, tracker.intersects, tracker.penetration):
        with pytest.raises(ValueError, match=r"^a Tracker takes one pose of each at a time: use "):
            ask(np.stack([np.eye(4)] * 2))


def test_what_cannot_be_tracked_is_told():
    box, cube = BODIES["box"], BODIES["cube"]
    robot = fc.Robot({"base": (), "arm": box}, [fc.Joint("slide", "prismatic", "base", "arm")])
    cloth = cube.deforming(cube.vertices, cube.vertices + 1)
    for a, b, message in (
        (cloth, box, "Tracker is for rigid bodies, and a deforms"),
        (box, cloth, "Tracker is for rigid bodies, and b deforms"),
        (robot.at([0.0]), box, "a robot goes with"),
        (box, robot.at([0.0]), "a robot goes with"),
        (box.at(np.eye(4)), box, "a Tracker takes shapes, and poses when it is asked; a stands"),
        (box, box.at(np.eye(4)), "a Tracker takes shapes, and poses when it is asked; b stands"),
        (box, None, "Tracker is about two things: b is missing"),
        (box, 3, "a thing must be a shape"),
    ):
        with pytest.raises(TypeError, match=f"^{message}"):
            fc.Tracker(a, b)


@pytest.mark.parametrize(("a", "b"), [("box", "hull"), ("ring", "cube"), ("box", "ring")])
def test_threads_share_a_tracker(a, b):
    tracker, one, other = fc.Tracker(BODIES[a], BODIES[b]), BODIES[a], BODIES[b]
    walks = [list(walk(60, seed)) for seed in range(4)]

    def ask(steps):
        return [(tracker.distance(here).distance, tracker.intersects(here)) for here in steps]

    with ThreadPoolExecutor(4) as pool:
        for steps, found in zip(walks, pool.map(ask, walks), strict=True):
            for here, (gap, touches) in zip(steps, found, strict=True):
                assert abs(gap - fc.distance(one.at(here), other).distance) <= 1e-13 * SIZE
                assert touches == (gap == 0.0)
