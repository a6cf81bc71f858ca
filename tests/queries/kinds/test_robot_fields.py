"""Robots among fields: never late, nothing missed, against the shapes that fields were made of."""

import pickle

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

import firstcontact as fc
from when_asked import WhenAsked

TOLERANCE, HERE = 0.01, np.eye(3)
PLACE = (HERE, [0.8, 0.2, 0.9])
WALL = fc.Box([0.4, 0.4, 0.4])
FIELDS = WhenAsked(lambda _: fc.DistanceField.of(WALL, TOLERANCE, margin=0.3).at(PLACE))
FLOOR = fc.Box([4, 4, 0.1]).at((HERE, [0, 0, -0.9]))


def two_boxes(one, other, between):
    """A closed mesh that is not convex."""
    first, second = fc.Box(one).mesh, fc.Box(other).mesh
    vertices = np.concatenate([first.vertices, second.vertices + between])
    return fc.Mesh(vertices, np.concatenate([first.faces, second.faces + len(first.vertices)]))


def arm(shape, n=4):
    """A chain of links of one shape."""
    joints = [
        fc.Joint(
            f"j{i}", "revolute", f"l{i}", f"l{i + 1}", (HERE, [0, 0, 0.5]), [[0, 0, 1], [0, 1, 0]][i % 2]
        )
        for i in range(n)
    ]
    links = {f"l{i + 1}": shape.at((HERE, [0, 0, 0.25])) for i in range(n)}
    return fc.Robot({"l0": fc.Box([0.1, 0.1, 0.1])} | links, joints)


LINKS = {
    "capsule": fc.Capsule(0.05, 0.3),
    "box mesh": fc.Box([0.1, 0.1, 0.4]).mesh,
    "strands": fc.Strands([[0, 0, -0.15], [0.1, 0, 0], [0, 0, 0.15]], [3], 0.05),
    "bent": two_boxes([0.1, 0.1, 0.4], [0.3, 0.1, 0.1], [0.2, 0.0, 0.1]),
}
ROBOTS = {name: arm(shape) for name, shape in LINKS.items()}
RNG = np.random.default_rng(3)
Q0 = RNG.uniform(-1.5, 1.5, (24, 4))
Q1 = Q0 + RNG.normal(size=(24, 4))


def ways(robot):
    """Straight paths, and paths along splines."""
    yield robot.moving(Q0, Q1)
    yield robot.along(CubicSpline([0.0, 0.4, 1.0], np.stack([Q0, 0.5 * (Q0 + Q1) + 0.3, Q1])))


@pytest.mark.parametrize("name", LINKS)
def test_never_late_and_nothing_missed(name):
    for way in ways(ROBOTS[name]):
        found, truth = fc.first_contacts(way, FIELDS[0]), fc.first_contacts(way, WALL.at(PLACE))
        assert (found.time <= truth.time + 1e-9).all()
        assert 0 < np.isfinite(truth.time).sum() < len(Q0)
        # Early by what the field does not know, at the most.
        grown = fc.first_contacts(way, WALL.at(PLACE), min_separation=4 * TOLERANCE)
        assert (found.time >= grown.time - 1e-9).all()
        assert np.array_equal(fc.is_free(way, FIELDS[0]), found.time == np.inf)
        assert (found.time_upper >= truth.time - 1e-9).all()
        assert (found.time_upper < np.inf).any()


def test_one_path_is_as_in_a_batch_and_tells_where():
    robot, field = ROBOTS["bent"], FIELDS[0]
    many = fc.first_contacts(robot.moving(Q0, Q1), {"floor": FLOOR, "field": field})
    hits = [i for i in range(len(many)) if many.b[i] == "field" and many.time[i] > 0.0]
    assert len(hits) >= 2
    for i in hits[:2]:
        one = fc.first_contact(robot.moving(Q0[i], Q1[i]), {"floor": FLOOR, "field": field})
        assert (one.time, one.a, one.b) == (many.time[i], many.a[i], many.b[i])
        assert len(one.points) > 0
        assert np.array_equal(one.points, many[i].points)
        place = np.asarray(one.points) - PLACE[1]
        assert np.abs(fc.signed_distance(WALL, place).distance).max() < 3 * TOLERANCE
        assert np.allclose(np.linalg.norm(one.normals, axis=1), 1.0)
        with pytest.raises(ValueError, match=r"^a certificate knows no fields, and obstacle 'field' is one"):
            _ = one.certificate
        again = pickle.loads(pickle.dumps(one))
        assert again == one


def test_what_is_inside_a_link_at_the_start_touches_it():
    shell = two_boxes([1.0, 1.0, 1.0], [0.1, 0.1, 0.1], [2.0, 0.0, 0.0])
    joint = fc.Joint("slide", "prismatic", "base", "arm", axis=[1, 0, 0])
    robot = fc.Robot({"base": (), "arm": shell}, [joint])
    grain = fc.DistanceField.of(fc.Sphere(0.1), 0.01)
    paths = robot.moving([[0.0], [5.0], [-1.0]], [[0.05], [4.95], [-0.95]])
    found = fc.first_contacts(paths, grain)
    assert found.time.tolist() == [0.0, np.inf, np.inf]
    assert fc.is_free(paths, grain).tolist() == [False, True, True]
    assert (found.status[0], found.a[0]) == (fc.Status.CONTACT_AT_START, "arm")
    assert (found.time_upper[0], len(found[0].points)) == (0.0, 1)
    near = fc.clearance(paths, grain)
    assert near.distance[0] == 0.0
    assert (near.distance_lower[1:] > 0.3).all()
    here = fc.distance(robot.at([[0.0], [5.0]]), grain)
    assert here.distance[0] == 0.0
    assert here.distance[1] > 2.5
    assert fc.intersects(robot.at([[0.0], [5.0]]), grain).tolist() == [True, False]
    surface = fc.Robot({"base": (), "arm": fc.Mesh(shell.vertices, shell.faces[:-1])}, [joint])
    assert fc.is_free(surface.moving([0.0], [0.05]), grain)  # what is open has no inside


@pytest.mark.parametrize("name", ["capsule", "bent"])
def test_distances_and_clearances_hold(name):
    robot, n = ROBOTS[name], 8
    there = fc.distance(robot.at(Q0[:n]), {"field": FIELDS[0]})
    truth = fc.distance(robot.at(Q0[:n]), {"field": WALL.at(PLACE)})
    assert (there.distance <= truth.distance + 1e-12).all()
    assert (there.distance >= 0.7 * truth.distance - 3 * TOLERANCE).all()
    assert there.b == ["field"] * n
    for way in (
        robot.moving(Q0[:n], Q1[:n]),
        robot.along(CubicSpline([0.0, 1.0], np.stack([Q0[:n], Q1[:n]]))),
    ):
        found, real = fc.clearance(way, FIELDS[0]), fc.clearance(way, WALL.at(PLACE))
        assert (found.distance_lower <= real.distance + 1e-12).all()
        assert (found.distance >= real.distance_lower - 1e-12).all()
        assert (found.distance - found.distance_lower <= 0.02 * found.distance + 4 * TOLERANCE).all()
        assert found.points.shape == (n, 2, 3)
    alone = fc.clearance(robot.moving(Q0[0], Q1[0]), FIELDS[0])
    assert alone.profile(5).distances.min() >= alone.distance_lower - 1e-12
    with pytest.raises(ValueError, match=r"^a certificate knows no fields"):
        _ = alone.certificate


def test_fields_that_move_in_batches_and_in_scenes():
    robot, ball = ROBOTS["capsule"], fc.Sphere(0.1)
    field = fc.DistanceField.of(ball, 0.005, margin=0.2)
    starts = np.stack([np.eye(4)] * 3)
    starts[:, :3, 3] = [[2.0, 0.0, 0.6], [2.0, 0.0, 5.0], [0.0, 0.0, 0.7]]
    moves = {"velocity": [-2.0, 0.0, 0.0]}
    found = fc.first_contacts(robot.at(np.zeros(4)), field.moving(starts, **moves))
    truth = fc.first_contacts(robot.at(np.zeros(4)), ball.moving(starts, **moves))
    assert np.isfinite(truth.time).tolist() == [True, False, True]
    assert (found.time <= truth.time).all()
    assert (found.time[:2] >= truth.time[:2] - 0.02).all()
    thrown = {"velocity": [-2.0, 0.0, 1.0], "acceleration": [0.0, 0.0, -2.0]}
    way = robot.moving(np.zeros(4), 0.2 * np.ones(4))
    one = fc.first_contact(way, field.moving(starts[0], **thrown))
    other = fc.first_contact(way, ball.moving(starts[0], **thrown))
    assert other.time - 0.02 <= one.time <= other.time < 1.0
    scene = fc.Scene(ball=field.at(starts[2]), far=fc.Box([1, 1, 1]).at((HERE, [5, 5, 5])))
    assert fc.first_contact(way, scene).b == "ball"
    with pytest.raises(ValueError, match=r"^batches must have the same length"):
        fc.is_free(robot.moving(Q0[:2], Q1[:2]), field.at(starts))
    with pytest.raises(
        TypeError, match=r"^contact_intervals of a robot knows no fields, and obstacle 'ball' is one"
    ):
        fc.contact_intervals(way, {"ball": field})
    hairy = fc.Robot({"l0": fc.Points([[0.0, 0.0, 0.0]], 0.1)}, [])
    assert not fc.is_free(hairy.at([]), field)
    assert fc.is_free(hairy.at([]), field.at((HERE, [0.3, 0.0, 0.0])))
