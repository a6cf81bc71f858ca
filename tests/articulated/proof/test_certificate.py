"""Certificates: what they say, that true ones hold, and that nothing else does."""

import json
import pickle
from dataclasses import replace

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.articulated.model.world_shapes import Things
from poses import at

HINGE = fc.Joint("hinge", "revolute", "base", "arm", axis=[0, 0, 1])
WRIST = fc.Joint("wrist", "continuous", "arm", "hand", (np.eye(3), [1, 0, 0]), axis=[0, 1, 0])
SLIDE = fc.Joint("slide", "prismatic", "hand", "left", (np.eye(3), [0.3, 0, 0]), axis=[0, 1, 0])
TWIN = fc.Joint(
    "twin", "prismatic", "hand", "right", (np.eye(3), [0.3, 0, 0]), [0, -1, 0], mimic=("slide", 1, 0)
)
MOUNT = fc.Joint("mount", "fixed", "hand", "camera", (np.eye(3), [0, 0, 0.2]))


def l_shaped():
    """An L, closed, that is not convex."""
    outline = np.array([[0, 0], [3, 0], [3, 1], [1, 1], [1, 3], [0, 3]]) * 0.1
    low, high = (np.column_stack([outline, np.full(6, z)]) for z in (-0.05, 0.05))
    caps = np.array([[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]])
    sides = [[i, (i + 1) % 6, (i + 1) % 6 + 6] for i in range(6)]
    sides += [[i, (i + 1) % 6 + 6, i + 6] for i in range(6)]
    return fc.Mesh(np.concatenate([low, high]), np.concatenate([caps[:, ::-1], caps + 6, sides]))


def gripper(mesh=False):
    """An arm in a plane with a hand that turns, two fingers and a camera."""
    links = {
        "base": fc.Cylinder(0.1, 0.2),
        "arm": fc.Capsule(0.05, 0.8).at((np.array([[0, 0, 1], [0, 1, 0], [-1, 0, 0]]), [0.5, 0, 0])),
        "hand": [fc.Box([0.2, 0.3, 0.1]), fc.Ellipsoid([0.1, 0.2, 0.06]).at(at(0.1, 0, 0))],
        "left": l_shaped() if mesh else fc.Box([0.1, 0.02, 0.05]),
        "right": fc.ConvexHull(fc.Box([0.1, 0.02, 0.05]).mesh.vertices),
        "camera": fc.Sphere(0.04),
    }
    return fc.Robot(links, [HINGE, WRIST, SLIDE, TWIN, MOUNT], allowed_pairs=[("left", "right")])


def clutter():
    """Things near the way of the gripper, of all kinds, at rest and moving."""
    return {
        "wall": fc.Box([0.1, 1, 1]).at(at(1.2, 1.3, 0)),
        "can": fc.Cylinder(0.1, 0.4).moving(at(0.9, 0.9, 0.6), at(1.1, 0.7, 0.3)),
        "top": fc.Capsule(0.05, 0.5).moving(at(0.2, 1.8, 0), angular_velocity=[1, 2, 3]),
        "shelf": l_shaped().moving(at(1.4, -0.9, 0), at(1.3, -0.7, 0)),
    }


@pytest.fixture(scope="module")
def free():
    """A path that is free, with convex shapes only."""
    found = fc.first_contact(gripper().moving([-1, 0, 0.1], [0.1, 2, 0.15]), BOXES, self_contact=True)
    assert not found
    return found.certificate


BOXES = {"wall": fc.Box([0.1, 1, 1]).at(at(1, 1.2, 0)), "floor": fc.Box([9, 9, 0.1]).at(at(0, 0, -0.6))}


def changed(proof, **columns):
    return replace(proof, intervals=proof.intervals._replace(**columns))


def without(proof, i):
    return replace(
        proof,
        intervals=proof.intervals._replace(
            **{name: np.delete(column, i, axis=0) for name, column in proof.intervals._asdict().items()}
        ),
    )


def test_a_free_path_is_proven(free):
    assert free.verify()
    assert free.fault() is None
    assert free.end == 1.0
    k = free.intervals
    assert len(free) == len(k.pairs) == len(k.times) == len(k.gaps) == len(k.travels)
    assert (k.gaps >= k.travels).all()
    assert {("left", "wall"), ("right", "floor")} <= set(free.names)
    assert repr(free) == f"Certificate({len(free)} intervals of {len(free.pairs)} pairs, up to 1)"


def test_pairs_that_may_touch_are_not_in_it(free):
    names = {frozenset(pair) for pair in free.names}
    for pair in (("left", "right"), ("hand", "camera"), ("hand", "left"), ("base", "arm")):
        assert frozenset(pair) not in names
    assert frozenset(("camera", "left")) in names


def test_it_can_be_written_down(free):
    plain = json.loads(json.dumps(free.to_dict()))
    assert plain["end"] == 1.0
    assert len(plain["intervals"]) == len(free)
    assert {"a", "b", "start", "end", "at", "gap", "travel"} == set(plain["intervals"][0])


def test_it_can_be_kept(free):
    again = pickle.loads(pickle.dumps(free))
    assert again.verify()
    assert np.array_equal(again.intervals.times, free.intervals.times)


def test_it_cannot_be_changed(free):
    with pytest.raises(AttributeError):
        free.end = 0.5
    with pytest.raises(ValueError, match="read-only"):
        free.intervals.gaps[0] = 7.0


def test_every_interval_counts(free):
    """A proof without one of its intervals has a hole."""
    for i in range(0, len(free), max(len(free) // 10, 1)):
        assert "not proven to be apart at all times" in without(free, i).fault()


def test_a_pair_left_out_is_missed(free):
    pair = free.intervals.pairs[0]
    assert not without(free, np.flatnonzero(free.intervals.pairs == pair)).verify()


def test_a_gap_is_no_wider_than_it_is(free):
    for i in range(0, len(free), max(len(free) // 10, 1)):
        gaps = free.intervals.gaps.copy()
        gaps[i] *= 1.5
        assert f"interval {i}" in changed(free, gaps=gaps).fault()


def test_a_travel_is_no_shorter_than_it_is(free):
    i = int(np.argmax(free.intervals.travels))
    travels = free.intervals.travels.copy()
    travels[i] *= 0.5
    assert f"interval {i}" in changed(free, travels=travels).fault()


def test_intervals_are_where_they_are():
    found = fc.first_contact(gripper().moving([0, 0, 0.1], [0.9, 2, 0.15]), clutter(), self_contact=True)
    proof = found.certificate
    assert proof.verify()
    i = int(np.argmin(proof.intervals.gaps))
    wider, later = proof.intervals.times.copy(), proof.intervals.times.copy()
    wider[i] = [0.0, 1.0]
    assert not changed(proof, times=wider).verify()
    later[i] += 0.125
    assert not changed(proof, times=later, at=later.mean(axis=1)).verify()
    assert not changed(proof, at=np.zeros(len(proof))).verify()
    assert not changed(proof, times=proof.intervals.times[:, ::-1].copy()).verify()


def test_directions_are_only_hints(free):
    """Another direction proves less, never more than is true."""
    assert free.intervals.directions.any()
    assert not changed(free, directions=-free.intervals.directions).verify()
    longer = changed(free, directions=7.0 * free.intervals.directions)
    assert longer.verify()


def test_nonsense_is_no_proof(free):
    assert not changed(free, gaps=np.full(len(free), np.nan)).verify()
    assert not changed(free, gaps=np.full(len(free), np.inf)).verify()
    assert not changed(free, pairs=free.intervals.pairs + 1000).verify()
    assert not changed(free, pairs=free.intervals.pairs[1:]).verify()
    assert not replace(free, pairs=free.pairs + 1000).verify()
    assert not replace(free, bodies=free.bodies[1:]).verify()


def test_it_is_about_one_question(free):
    things = free.things
    near = BOXES | {"wall": fc.Box([0.1, 1, 1]).at(at(1.3, 0.5, 0))}
    other_way = gripper().moving([-1, 0, 0.1], [1, 2, 0.15])
    robot = things.robot.shape
    assert not replace(free, things=things._replace(obstacles=near)).verify()
    assert not replace(free, things=things._replace(robot=other_way)).verify()
    assert not replace(
        free, things=things._replace(obstacles=BOXES | {"more": fc.Sphere(1).at(np.eye(4))})
    ).verify()
    assert not replace(free, min_separation=0.2).verify()
    links = {
        link: [part.shape.at(part.pose) for part in robot.parts if part.link == link]
        for link in robot.link_names
    }
    strict = fc.Robot(links, robot.joints).moving([-1, 0, 0.1], [0.1, 2, 0.15])
    assert not replace(free, things=things._replace(robot=strict)).verify()
    assert replace(free, things=things._replace(self_contact=False)).verify()


def test_what_is_claimed_until_a_contact_is_proven_until_then():
    found = fc.first_contact(gripper().moving([-1, 0, 0.1], [1, 2, 0.15]), BOXES, self_contact=True)
    assert found.b == "wall"
    proof = found.certificate
    assert proof.end == found.time
    assert proof.verify()
    assert not replace(proof, end=1.0).verify()
    assert replace(proof, end=0.5 * proof.end).verify()


def test_contact_at_the_start_leaves_nothing_to_prove():
    found = fc.first_contact(gripper().moving([0, 0, 0.1], [1, 1, 0.1]), fc.Sphere(0.5))
    assert found.time == 0.0
    assert len(found.certificate) == 0
    assert found.certificate.verify()
    assert not replace(found.certificate, end=0.1).verify()


def test_without_pairs_there_is_nothing_to_prove():
    found = fc.first_contact(gripper().moving([0, 0, 0.1], [1, 1, 0.1]), {})
    assert len(found.certificate) == 0
    assert found.certificate.verify()
    assert fc.first_contact(gripper().moving([0, 0, 0], [1, 1, 0]), fc.Mesh([], [])).certificate.verify()


def test_a_robot_at_rest():
    proof = fc.first_contact(gripper().at([0.3, 0.2, 0.1]), BOXES, self_contact=True).certificate
    assert proof.verify()
    assert proof.intervals.times.tolist() == [[0.0, 1.0]] * len(proof)
    assert (proof.intervals.travels == 0.0).all()


@pytest.mark.parametrize("method", ["subdivision", "advancement"])
def test_each_of_a_batch(method):
    rng = np.random.default_rng(0)
    q0, q1 = rng.uniform([-2, -3, 0.1], [2, 3, 0.2], (2, 12, 3))
    robot = gripper(mesh=True).moving(q0, q1)
    found = fc.first_contacts(robot, clutter(), self_contact=True, method=method)
    assert 0 < np.count_nonzero(found.hit) < 12
    for i in range(12):
        proof = found[i].certificate
        assert proof.end == min(found.time[i], 1.0)
        assert proof.verify(), proof.fault()


def test_batches_of_obstacles():
    places = np.tile(np.eye(4), (3, 1, 1))
    places[:, :3, 3] = [[1.5, 1.5, 0], [2, 1, 0], [0, -1.6, 0]]
    found = fc.first_contacts(gripper().moving([0, 0, 0.1], [1, 2, 0.15]), fc.Sphere(0.2).at(places))
    assert all(one.certificate.verify() for one in found)
    proofs = [one.certificate for one in found]
    assert not replace(proofs[0], things=proofs[1].things).verify()


def test_paths_of_several_pieces():
    way = [[0, 0, 0.1], [0.5, 1, 0.1], [0.2, -1, 0.2], [0.9, 0, 0.1]]
    fly = fc.Robot(
        {"foot": (), "head": fc.Box([0.1, 0.2, 0.3])}, [fc.Joint("fly", "floating", "foot", "head")]
    )
    things = clutter() | {"other": fly.moving([3, 3, 0, 0, 0, 0, 1], [2, 2, 0, 0, 0, 1, 1])}
    proof = fc.first_contact(gripper(mesh=True).along(way), things, self_contact=True).certificate
    assert proof.verify(), proof.fault()
    assert "other/head" in proof.bodies
    knots = np.linspace(0, 1, 4)
    assert not ((proof.intervals.times[:, :1] < knots) & (knots < proof.intervals.times[:, 1:])).any()


def test_an_interval_in_which_a_motion_changes_is_refused():
    robot = gripper().along([[0, 0, 0.1], [0.3, 0.1, 0.1], [0, 0, 0.1]])
    proof = fc.first_contact(robot, fc.Sphere(0.1).at(at(0, 0, 9))).certificate
    assert proof.verify()
    whole = changed(proof, times=np.tile([0.0, 1.0], (len(proof), 1)))
    assert "motions go on as they began" in whole.fault()


def test_what_is_inside_a_closed_mesh_is_not_apart():
    ring = l_shaped()
    marble = fc.Robot(
        {"floor": (), "marble": fc.Sphere(0.01)}, [fc.Joint("x", "prismatic", "floor", "marble")]
    )
    away = fc.first_contact(marble.moving([1.0], [1.01]), ring).certificate
    assert away.verify()
    inside = replace(
        away, things=Things(marble.moving([0.05], [0.06]), {"world": ring.at(at(0, -0.05, 0))}, False)
    )
    assert "one is inside" in inside.fault()


def test_far_from_the_origin_it_holds_as_well():
    """Rounding is that of the lengths of the robot, not of where it stands."""
    far = np.array([1e6, -2e6, 3e5])
    stand = fc.Joint("stand", "fixed", "floor", "base", at(*far))
    links = {"floor": (), "base": (), "arm": fc.Capsule(0.05, 1).at(at(0, 0, 0.5))}
    robot = fc.Robot(links, [stand, fc.Joint("hinge", "revolute", "base", "arm", axis=[0, 1, 0])])
    wall = fc.Box([0.1, 1, 1]).at(at(*np.add(far, [0.6, 0, 0])))
    ball = fc.Sphere(0.1).moving(at(*np.add(far, [0, 1, 0])), velocity=[0, -0.5, 0])
    things = {"wall": wall, "ball": ball}
    found = fc.first_contact(robot.moving([0], [2]), things, tolerance=1e-8)
    assert found.b == "wall"
    assert found.certificate.verify(), found.certificate.fault()
