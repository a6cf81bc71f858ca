"""Bounds of gaps and travels, against distances at many times."""

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.articulated.model.world_shapes import Things
from firstcontact.articulated.proof.proof_bounds import any_bound, bound_along, case_of, measured_bound
from firstcontact.articulated.proof.proof_chains import cast_of
from poses import pose
from properties.convex_families import KINDS, shape
from properties.rigid_families import orientation, unit
from samples import sample


def random_pose(rng, size):
    turn = orientation(rng)
    return pose(size * rng.standard_normal(3), turn)


def tree(rng):
    """A fork of joints of all kinds, each with a shape."""
    kinds = ("floating", "revolute", "prismatic", "fixed", "continuous", "revolute")
    parents = (0, 1, 2, 3, 2, 5)
    joints = [
        fc.Joint(f"joint {i}", kind, f"link {parent}", f"link {i + 1}", random_pose(rng, 0.3), unit(rng))
        for i, (kind, parent) in enumerate(zip(kinds, parents, strict=True))
    ]
    links = {
        f"link {i + 1}": shape(rng, 0.2, str(rng.choice(KINDS))).at(random_pose(rng, 0.1))
        for i in range(len(kinds))
    }
    return fc.Robot({"link 0": ()} | links, joints)


def things(rng):
    robot = tree(rng)
    q0, q1 = rng.uniform(-1, 1, (2, robot.dof))
    thing = shape(rng, 0.3, str(rng.choice(KINDS)))
    spin = thing.moving(
        random_pose(rng, 0.5), velocity=rng.standard_normal(3), angular_velocity=3 * unit(rng)
    )
    return Things(robot.moving(q0, q1), {"thing": spin}, True)


def distances(asked, pair, t):
    """How far apart the shapes of a pair are at a time, by poses that the library gives."""
    robot = asked.robot.shape
    poses = robot.link_poses(asked.robot.motion.configuration(t))
    placed = [part.shape.at(poses[part.link] @ part.pose) for part in robot.parts]
    placed += [thing.shape.at(thing.pose(t)) for thing in asked.obstacles.values()]
    return fc.distance(placed[pair[0]], placed[pair[1]]).distance


@pytest.mark.parametrize("seed", range(sample(6, of=12)))
def test_nothing_gets_nearer_than_the_bounds_say(seed):
    rng = np.random.default_rng(seed)
    asked = things(rng)
    cast = cast_of(asked)
    n = len(cast.bodies)
    pairs = np.array([(a, b) for a in range(n) for b in range(a)])
    times = np.sort(rng.uniform(0, 1, (len(pairs), 2)), axis=1)
    times[:, 1] = times[:, 0] + 0.2 * (times[:, 1] - times[:, 0])
    at = times[:, 0] + rng.uniform(0, 1, len(pairs)) * (times[:, 1] - times[:, 0])
    case = case_of(cast, pairs, at, times)
    directions = np.array([unit(rng) for _ in pairs])
    bounds = [any_bound(case), bound_along(case, directions)]
    measured = [measured_bound(case.chosen(np.array([i])), 0.0)[0] for i in range(len(pairs))]
    for i, pair in enumerate(pairs):
        nearest = min(distances(asked, pair, t) for t in np.linspace(*times[i], 5))
        for bound in bounds:
            assert nearest >= bound.gaps[i] - max(bound.travels[i], 0.0) - 1e-12
        one = measured[i]
        assert nearest >= one.gaps[0] - max(one.travels[0], 0.0) - 1e-12
        # The direction of the closest points is about the best.
        assert one.gaps[0] == pytest.approx(distances(asked, pair, at[i]), abs=1e-6)


def test_travel_is_about_what_happens_in_a_short_time():
    """A ball at the end of an arm moves straight at first: the bound is what it travels, and little more."""
    arm = fc.Robot(
        {"base": (), "arm": fc.Sphere(0.1).at((np.eye(3), [1, 0, 0]))},
        [fc.Joint("hinge", "revolute", "base", "arm", axis=[0, 0, 1])],
    )
    cast = cast_of(Things(arm.moving([0], [1]), {"wall": fc.Sphere(0.1).at((np.eye(3), [1, 1, 0]))}, False))
    case = case_of(cast, np.array([[0, 1]]), np.array([0.0]), np.array([[0.0, 0.01]]))
    towards, across = (bound_along(case, np.array([n])) for n in ([0.0, 1, 0], [1.0, 0, 0]))
    assert towards.gaps[0] == pytest.approx(0.8)
    # Points of the ball are up to 0.1 farther from the hinge; none of them gets any faster than it is.
    assert towards.travels[0] == pytest.approx(0.01 * 1.1)
    assert across.travels[0] == pytest.approx(0.01 * 0.1 + 0.5 * 1e-4 * 1.1)


def test_what_carries_both_does_not_matter():
    """Two things on one turntable do not travel, however fast it turns."""
    table = fc.Joint("table", "continuous", "floor", "table", axis=[0, 0, 1])
    slide = fc.Joint("slide", "prismatic", "table", "cart", axis=[1, 0, 0])
    links = {"floor": (), "table": fc.Sphere(1).at((np.eye(3), [9, 0, 0])), "cart": fc.Sphere(1)}
    cast = cast_of(Things(fc.Robot(links, [table, slide]).moving([0, 0], [1000, 0.5]), {}, True))
    case = case_of(cast, np.array([[0, 1]]), np.array([0.5]), np.array([[0.0, 1.0]]))
    assert any_bound(case).travels[0] == pytest.approx(0.25)
    # How exactly they are placed suffers from it.
    assert 0.0 < case.errors[0] < 1e-10
