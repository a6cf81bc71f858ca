"""Which pairs can touch: of one robot, and of robots among the obstacles, which are asked about alone."""

from itertools import combinations

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.articulated.model.world_shapes import Things, world_shapes_of

BALL, BAR = fc.Sphere(0.15), fc.Capsule(0.1, 0.5)
KINDS = ("revolute", "continuous", "prismatic", "fixed", "ball", "planar")


def random_robot(seed, n=7):
    """A tree, the links of which have none, one or two shapes."""
    rng, links, joints = np.random.default_rng(seed), {"l0": BALL}, []
    for i in range(1, n):
        shapes = [BALL.at(fc_pose(rng)), BAR.at(fc_pose(rng))]
        links[f"l{i}"] = shapes[: int(rng.integers(0, 3))]
        kind, parent = KINDS[rng.integers(len(KINDS))], f"l{rng.integers(max(i - 2, 0), i)}"
        joints.append(fc.Joint(f"j{i}", kind, parent, f"l{i}", fc_pose(rng, 0.8), rng.normal(size=3)))
    return fc.Robot(links, joints)


def fc_pose(rng, size=0.3):
    turn = rng.normal(size=4)
    return turn / np.linalg.norm(turn), rng.uniform(-size, size, 3)


def carrier(robot, a, b):
    """The last joint that moves and carries two links, by walking from each to the root."""
    above = {joint.child: joint for joint in robot.joints}

    def moved_by(link):
        found = []
        while link in above:
            found += [above[link].child] if above[link].kind != "fixed" else []
            link = above[link].parent
        return found

    others = moved_by(b)
    return next((link for link in moved_by(a) if link in others), None)


@pytest.mark.parametrize("seed", range(12))
def test_pairs_of_one_robot(seed):
    robot = random_robot(seed, 12).pad("l3", by=0.1).pad("l3", "l4", by=0.3)
    joints = robot.joints
    still = robot.at({}, base=[1, 2, 3])
    world = world_shapes_of(Things(still, {}, True), 0.0, np.zeros(3))
    found = {}
    for (one, other, frame), padding in zip(
        world.pairs.tolist(), world.geometries.paddings.tolist(), strict=True
    ):
        found.setdefault(frozenset((world.pieces[one].name, world.pieces[other].name)), set()).add(
            (frame, padding)
        )
    frames = robot.tree.link_frames
    joined = {frozenset((joint.parent, joint.child)) for joint in joints}
    counts = {link: sum(part.link == link for part in robot.parts) for link in robot.link_names}
    wanted = {
        frozenset((a, b))
        for a, b in combinations(robot.link_names, 2)
        if counts[a] and counts[b] and frames[a] != frames[b] and frozenset((a, b)) not in joined
    }
    assert found.keys() == wanted
    assert len(world.pairs) == sum(np.prod([counts[link] for link in pair]) for pair in wanted)
    for pair, said in found.items():
        a, b = sorted(pair)
        last = carrier(robot, a, b)
        frame = 0 if last is None else frames[last] + 1  # on one more, for the base
        assert said == {(frame, 0.3 if pair == {"l3", "l4"} else 0.1 * ("l3" in pair))}


@pytest.mark.parametrize("seed", range(8))
def test_robots_among_the_obstacles_must_not_touch_themselves(seed):
    rng, robot = np.random.default_rng(seed), random_robot(seed)
    others = {f"other {k}": random_robot(seed + 20 + k).learn_allowed_pairs(20) for k in range(2)}
    others["other 0"] = others["other 0"].pad(others["other 0"].link_names[-1], by=0.05)
    here = robot.moving(*robot.sample(2, seed))
    moving = {
        name: one.moving(*one.sample(2, seed), base=[4.0 * (k + 1) * rng.random(), 0, 0])
        for k, (name, one) in enumerate(others.items())
    }
    apart = fc.first_contact(here, moving, tolerance=1e-6).time
    alone = [
        fc.first_contact(one, {}, self_contact=True, tolerance=1e-6).time for one in (here, *moving.values())
    ]
    found = fc.first_contact(here, moving, self_contact=True, tolerance=1e-6)
    first = min(apart, *alone)
    assert found.time == first or abs(found.time - first) < 1e-4
    assert fc.is_free(here, moving, self_contact=True) is (first > 1.0)
    assert found.certificate.fault() is None
    if alone[1] < min(apart, alone[0], alone[2]):
        assert found.a.startswith("other 0/")
        assert found.b.startswith("other 0/")


def test_what_another_robot_allows_of_its_links_counts():
    slides = [
        fc.Joint("s", "prismatic", "base", "m", axis=[1, 0, 0]),
        fc.Joint("t", "prismatic", "m", "tip", axis=[0, 1, 0]),
    ]
    robot = fc.Robot({"base": BALL, "m": (), "tip": BALL}, slides)
    far, path = robot.at([9, 0]), ([1, 0], [0, 0])
    found = fc.first_contact(far, {"b": robot.moving(*path, base=[0, 0, 3])}, self_contact=True)
    assert (found.a, found.b) == ("b/tip", "b/base")
    assert 0.7 - 1e-5 < found.time <= 0.7
    padded = robot.pad("base", "tip", by=0.5).moving(*path, base=[0, 0, 3])
    found = fc.first_contact(far, {"b": padded}, self_contact=True)
    assert 0.2 - 1e-5 < found.time <= 0.2
    assert found.certificate.verify()
    allowed = robot.allow("base", "tip").moving(*path, base=[0, 0, 3])
    assert fc.is_free(far, {"b": allowed}, self_contact=True)
    assert fc.is_free(far, {"b": robot.moving(*path, base=[0, 0, 3])})
    close = {"b": robot.at([0.5, 0], base=[0, 0, 3])}
    near = fc.near(far, close, within=0.3, self_contact=True)
    assert near.gradient.tolist() == [[0, 0]]  # the first robot can do nothing about it
    assert fc.distance(far, close, self_contact=True).distance == pytest.approx(0.2)
