"""Conservative advancement of the pairs of a robot, against samples, closed forms and subdivision."""

import numpy as np
import pytest

import firstcontact as fc
from articulated.notched import notched
from firstcontact.advancement.goal import Options
from firstcontact.articulated.paths.path_contacts import record_path, search_paths
from firstcontact.articulated.paths.path_types import METHODS
from firstcontact.articulated.paths.world_motions import world_of
from poses import at
from samples import sample

TOLERANCE = 1e-5
ADVANCE, HALVE = METHODS["advancement"], METHODS["subdivision"]


def arm(hand):
    """Three turning joints and one that slides."""
    bar = fc.Box([0.5, 0.1, 0.1]).at(at(0.25))
    links = {"base": (), "upper": bar, "lower": fc.Capsule(0.06, 0.4).at(at(0.0, 0.0, 0.2)), "hand": hand}
    joints = [
        fc.Joint("turn", "continuous", "base", "upper", axis=(0, 0, 1)),
        fc.Joint("lift", "revolute", "upper", "lower", at(0.55), (0, 1, 0), (-2.0, 2.0)),
        fc.Joint("reach", "prismatic", "lower", "slide", at(0.0, 0.0, 0.45), (0, 0, 1), (0.0, 0.3)),
        fc.Joint("roll", "revolute", "slide", "hand", at(0.0, 0.0, 0.1), (1, 0, 0), (-3.0, 3.0)),
    ]
    return fc.Robot(links | {"slide": ()}, joints)


def slider(shape=None):
    """A box of side 1 on a rail along x."""
    joint = fc.Joint("rail", "prismatic", "base", "box", axis=(1, 0, 0))
    return fc.Robot({"base": (), "box": shape or fc.Box([1.0, 1.0, 1.0])}, [joint])


MESH = fc.Mesh(0.08 * notched().vertices, notched().faces)
ROBOTS = {"convex": arm(fc.Box([0.1, 0.3, 0.05])), "mesh": arm(MESH)}
CLUTTER = {
    "post": fc.Box([0.1, 0.1, 1.5]).at(at(0.6, 0.5)),
    "ball": fc.Sphere(0.15).at(at(-0.7, 0.2, 0.5)),
    "drum": fc.Cylinder(0.2, 0.3).at(at(0.2, -0.8, 0.3)),
    "passer": fc.Box([0.2, 0.2, 0.2]).moving(at(-1.0, -1.0, 0.6), at(1.0, -0.4, 0.6)),
}


def segments(robot, n, seed):
    rng = np.random.default_rng(seed)
    low, high = np.clip(robot.limits.T, -3.0, 3.0)
    return rng.uniform(low, high, (2, n, robot.dof))


def searched(world, method, is_first=True, min_separation=0.0):
    return search_paths(world, Options(TOLERANCE, min_separation, method=method, is_first=is_first))


def sampled(robot, start, end, times):
    """Distance at each of some times, one after the other."""
    gaps = []
    for t in times:
        passer = CLUTTER["passer"]
        placed = CLUTTER | {"passer": passer.shape.at(passer.motion.pose(t))}
        q = start + t * (end - start)
        gaps.append(float(fc.distance(robot.at(q), placed, self_contact=True).distance))
    return np.array(gaps)


@pytest.mark.parametrize("kind", ROBOTS)
@pytest.mark.parametrize("separation", [0.0, 0.05])
def test_is_never_late_and_is_close(kind, separation):
    robot = ROBOTS[kind]
    starts, ends = segments(robot, 8, 3)
    world = world_of(robot.moving(starts, ends), CLUTTER, True, TOLERANCE)
    found = searched(world, ADVANCE, min_separation=separation)
    assert 0 < (found.pairs >= 0).sum() < len(starts)
    for start, end, time in zip(starts, ends, found.times, strict=True):
        times = np.linspace(0.0, min(time, 1.0), sample(16, of=40))
        gaps = sampled(robot, start, end, times)
        before = times < time
        assert np.all(gaps[before] > separation - 1e-9)
        if np.isfinite(time):
            assert gaps[-1] <= separation + TOLERANCE


@pytest.mark.parametrize("kind", ROBOTS)
def test_agrees_with_subdivision(kind):
    robot = ROBOTS[kind]
    starts, ends = segments(robot, 120, 5)
    world = world_of(robot.moving(starts, ends), CLUTTER, True, TOLERANCE)
    found, other = searched(world, ADVANCE), searched(world, HALVE)
    any_found = searched(world, ADVANCE, is_first=False)
    hits = found.pairs >= 0
    assert 10 < hits.sum() < 110
    assert np.array_equal(hits, other.pairs >= 0)
    assert np.array_equal(hits, any_found.pairs >= 0)
    assert np.all(any_found.times[hits] >= found.times[hits] - 1e-3)
    # Either may stop a tolerance early: where two graze each other, that takes a while.
    assert np.median(np.abs(found.times[hits] - other.times[hits])) < 1e-4


@pytest.mark.parametrize("kind", ROBOTS)
def test_steps_fewer_times_than_halving(kind):
    robot = ROBOTS[kind]
    starts, ends = segments(robot, 100, 7)
    world = world_of(robot.moving(starts, ends), CLUTTER, True, TOLERANCE)
    found, other = searched(world, ADVANCE), searched(world, HALVE)
    hits = found.pairs >= 0
    assert found.counts[hits, 0].mean() < other.counts[hits, 0].mean()


@pytest.mark.parametrize("kind", ROBOTS)
def test_records_cover_every_pair_up_to_the_contact(kind):
    robot = ROBOTS[kind]
    starts, ends = segments(robot, 8, 11)
    world = world_of(robot.moving(starts, ends), CLUTTER, True, TOLERANCE)
    found = searched(world, ADVANCE)
    for i in range(len(starts)):
        records = record_path(world, Options(TOLERANCE, 0.0, method=ADVANCE), i)
        until = min(found.times[i], 1.0)
        for p in range(len(world.pairs)):
            own = records[records[:, 0] == p]
            reached = 0.0
            for _, start, end, *_ in own[np.argsort(own[:, 1], kind="stable")]:
                assert start <= reached
                reached = max(reached, end)
            assert reached >= until
        _, start, end, when, gap, travel = records[:, :6].T
        assert np.all(gap > travel)
        assert np.all((when == start) | (when == 0.5 * (start + end)))
        assert np.any(when == start)


def test_a_batch_answers_as_its_paths_alone():
    robot = ROBOTS["mesh"]
    starts, ends = segments(robot, 12, 13)
    whole = fc.first_contacts(robot.moving(starts, ends), CLUTTER, self_contact=True, method="advancement")
    for i, (start, end) in enumerate(zip(starts, ends, strict=True)):
        one = fc.first_contact(robot.moving(start, end), CLUTTER, self_contact=True, method="advancement")
        assert (one.time, one.a, one.b) == (whole.time[i], whole.a[i], whole.b[i])


SHEET = fc.Mesh(
    [[-0.5, -9.0, -9.0], [-0.5, 9.0, -9.0], [-0.5, 0.0, 9.0], [7.0, 0.0, 0.0]], [[0, 1, 2], [1, 2, 3]]
)


@pytest.mark.parametrize("wall", [fc.Box([1.0, 9.0, 9.0]), SHEET])
@pytest.mark.parametrize("separation", [0.0, 0.25])
def test_a_box_that_comes_straight_to_a_wall(wall, separation):
    found = fc.first_contact(
        slider().moving([0.0], [4.0]), wall.at(at(3.0)), min_separation=separation, method="advancement"
    )
    expected = (2.0 - separation) / 4.0
    assert expected - 1e-6 < found.time <= expected


def test_a_rod_that_turns_to_a_ball():
    rod = fc.Capsule(0.01, 1.0).at(np.array([[0, 0, 1, 0.5], [0, 1, 0, 0], [-1, 0, 0, 0], [0, 0, 0, 1.0]]))
    robot = fc.Robot({"base": (), "rod": rod}, [fc.Joint("j", "continuous", "base", "rod", axis=(0, 0, 1))])
    found = fc.first_contact(
        robot.moving([0.0], [6.0]), fc.Sphere(0.1).at(at(0.0, 0.8)), tolerance=1e-8, method="advancement"
    )
    # The middle line of the rod is as far from the centre as both are thick.
    expected = (0.5 * np.pi - np.arcsin(0.11 / 0.8)) / 6.0
    assert expected - 1e-7 < found.time <= expected


def test_a_wire_is_not_missed():
    robot = fc.Robot(
        {"base": (), "arm": fc.Box([1.0, 0.05, 0.05]).at(at(0.5))},
        [fc.Joint("j", "continuous", "base", "arm", axis=(0, 0, 1))],
    )
    wire = fc.Cylinder(0.0005, 2.0)
    for angle in np.linspace(0.2, 3.0, 7):
        spot = wire.at(at(0.9 * np.cos(angle), 0.9 * np.sin(angle)))
        assert fc.first_contact(robot.moving([0.0], [3.1]), spot, method="advancement")
        assert not fc.is_free(robot.moving([0.0], [3.1]), spot, method="advancement")


def test_what_slides_along_or_leaves_takes_few_steps():
    beside = fc.Box([9.0, 1.0, 9.0]).at(at(0.0, 1.0 + 1e-4))
    ahead = fc.Box([1.0, 1.0, 1.0]).at(at(-1.0 - 1e-4))
    for wall in (beside, ahead):
        world = world_of(slider().moving([0.0], [4.0]), wall, False, TOLERANCE)
        found = searched(world, ADVANCE)
        assert found.pairs[0] == -1
        assert found.counts[0, 0] < 16


def test_ends_where_there_is_nothing_to_do():
    box = slider()
    assert fc.is_free(box.moving([0.0], [1.0]), {}, method="advancement")
    far, near = fc.Box([1.0, 1.0, 1.0]).at(at(9.0)), fc.Box([1.0, 1.0, 1.0]).at(at(0.5))
    assert fc.is_free(box.moving([0.0], [0.0]), far, method="advancement")
    assert not fc.is_free(box.moving([0.0], [0.0]), near, method="advancement")
    assert fc.first_contact(box.moving([0.0], [1.0]), near, method="advancement").time == 0.0
    assert fc.is_free(box.moving(np.empty((0, 1)), np.empty((0, 1))), far, method="advancement").shape == (0,)


def test_a_path_of_several_segments():
    wall = fc.Box([1.0, 9.0, 9.0]).at(at(3.0))
    path = slider().along([[0.0], [1.0], [-1.0], [3.0]])
    found = fc.first_contact(path, wall, method="advancement")
    # The third third goes from -1 to 3, and touches at 2.
    assert 11.0 / 12.0 - 1e-6 < found.time <= 11.0 / 12.0
