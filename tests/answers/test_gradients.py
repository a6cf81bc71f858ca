"""Gradients of distances and of times of first contact, against finite differences."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import firstcontact as fc
from queries.kinds.test_robot_clearance import OBSTACLES
from queries.kinds.test_robot_clearance import arm as chain

SHAPES = {
    "ball": fc.Sphere(0.5),
    "box": fc.Box([1, 2, 0.5]),
    "ellipsoid": fc.Ellipsoid([0.3, 0.6, 1.0]),
    "mesh": fc.Box([1, 0.7, 0.5]).mesh,
}
STEP = 1e-6
STILL = np.zeros(6)


def moved(pose, twist):
    """A pose after a translation, and a rotation about its origin."""
    found = pose.copy()
    found[:3, :3] = Rotation.from_rotvec(twist[3:]).as_matrix() @ pose[:3, :3]
    found[:3, 3] += twist[:3]
    return found


def differences(value, step=STEP):
    """Central differences of a function of six numbers."""
    steps = step * np.eye(6)
    return np.array([(value(row) - value(-row)) / (2 * step) for row in steps])


def pose_of(rng, far):
    pose = np.eye(4)
    pose[:3, :3] = Rotation.random(random_state=rng.integers(1 << 30)).as_matrix()
    way = rng.normal(size=3)
    pose[:3, 3] = far * way / np.linalg.norm(way)
    return pose


@pytest.mark.parametrize(
    ("a", "b"), [("ball", "box"), ("box", "ellipsoid"), ("mesh", "box"), ("mesh", "mesh")]
)
def test_a_distance_changes_by_its_gradient(a, b):
    rng, one, other = np.random.default_rng(3), SHAPES[a], SHAPES[b]
    for _ in range(5):
        pose, fixed = pose_of(rng, 4.0), pose_of(rng, 0.5)
        found = fc.distance(one.at(pose), other.at(fixed)).gradient
        of_a = differences(lambda x, p=pose, q=fixed: fc.distance(one.at(moved(p, x)), other.at(q)).distance)
        of_b = differences(lambda x, p=pose, q=fixed: fc.distance(one.at(p), other.at(moved(q, x))).distance)
        np.testing.assert_allclose(found, [of_a, of_b], atol=1e-5)


def test_gradients_of_a_batch_are_those_of_its_rows():
    poses = np.stack([pose_of(np.random.default_rng(k), 4.0) for k in range(3)])
    batch = fc.distance(SHAPES["box"].at(poses), SHAPES["ball"]).gradient
    alone = [fc.distance(SHAPES["box"].at(pose), SHAPES["ball"]).gradient for pose in poses]
    np.testing.assert_allclose(batch, alone, atol=1e-12)


def test_what_touches_has_no_gradient():
    assert np.isnan(fc.distance(SHAPES["box"], SHAPES["ball"]).gradient).all()
    assert np.isnan(fc.distance(SHAPES["box"], fc.Mesh([], [])).gradient).all()
    assert np.isnan(fc.first_contact(SHAPES["box"], SHAPES["ball"].at((np.eye(3), [9, 0, 0]))).gradient).all()


@pytest.mark.parametrize("kind", ["straight", "turning", "thrown"])
@pytest.mark.parametrize(
    ("a", "b"), [("ball", "box"), ("box", "ellipsoid"), ("mesh", "ball"), ("mesh", "mesh")]
)
def test_a_time_changes_by_its_gradient(a, b, kind):
    rng, one, other = np.random.default_rng(5), SHAPES[a], SHAPES[b]
    more = {
        "straight": {},
        "turning": {"angular_velocity": [1, 2, 0.5]},
        "thrown": {"acceleration": [0, 0, -3]},
    }[kind]
    pose = pose_of(rng, 4.0)
    velocity = -2.0 * pose[:3, 3]

    def asked(twist=STILL, turned_about=None):
        """The motion displaced as a whole: turned about a place that the origin is at then."""
        about = pose[:3, 3] if turned_about is None else turned_about
        turn = Rotation.from_rotvec(twist[3:])
        start = pose.copy()
        start[:3, :3] = turn.as_matrix() @ pose[:3, :3]
        start[:3, 3] = about + turn.apply(pose[:3, 3] - about) + twist[:3]
        words = {name: turn.apply(value) for name, value in more.items()}
        moving = one.moving(start, velocity=turn.apply(velocity), center=[0, 0, 0], **words)
        return fc.first_contact(moving, other, tolerance=1e-10)

    hit = asked()
    there = hit.things["a"].pose(hit.time)[:3, 3]
    found = differences(lambda x: asked(x, there).time, 1e-4)
    np.testing.assert_allclose(hit.gradient[0], found, atol=2e-3)


def test_gradients_of_times_of_a_batch():
    falls = SHAPES["box"].moving((np.eye(3), [0, 0, 4]), velocity=[[0, 0, -4], [0, 0, 4], [0, 0, -8]])
    found = fc.first_contacts(falls, SHAPES["ball"]).gradient
    np.testing.assert_allclose(found[:, 0, 2], [0.25, np.nan, 0.125], atol=1e-9)
    np.testing.assert_allclose(found[0, 1, 2], -0.25, atol=1e-9)


def arm():
    links = {"base": fc.Box([0.2, 0.2, 0.2]), "upper": fc.Capsule(0.05, 1).at((np.eye(3), [0, 0, 0.5]))}
    links |= {"lower": fc.Capsule(0.05, 1).at((np.eye(3), [0, 0, 0.5])), "hand": fc.Box([0.1, 0.2, 0.1])}
    up = (np.eye(3), [0, 0, 1])
    return fc.Robot(
        links,
        [
            fc.Joint("hinge", "revolute", "base", "upper", axis=[0, 1, 0]),
            fc.Joint("elbow", "revolute", "upper", "lower", axis=[0.6, 0.8, 0], origin=up),
            fc.Joint("slide", "prismatic", "lower", "hand", axis=[0, 0, 1], origin=up),
        ],
    )


def test_a_robots_distance_changes_by_its_gradient():
    robot, ball = arm(), fc.Sphere(0.1).at((np.eye(3), [1.5, 0.3, 0.9]))
    q = np.array([[0.3, 0.5, 0.1], [1.0, -0.4, 0.2], [0.2, 2.4, 0.0]])
    for self_contact in (False, True):
        found = fc.distance(robot.at(q), ball, self_contact=self_contact)
        for k in range(3):
            steps = 1e-6 * np.eye(3)
            there, back = (
                fc.distance(robot.at(q[k] + sign * steps), ball, self_contact=self_contact).distance
                for sign in (1, -1)
            )
            np.testing.assert_allclose(found.gradient[k], (there - back) / 2e-6, atol=1e-5)
            alone = fc.distance(robot.at(q[k]), ball, self_contact=self_contact).gradient
            np.testing.assert_allclose(alone, found.gradient[k], atol=1e-8)
    assert np.isnan(fc.distance(robot.at(q[0]), {}).gradient).all()


def test_what_has_no_gradient_of_time_says_so():
    robot, ball = arm(), fc.Sphere(0.1).at((np.eye(3), [1.5, 0.3, 0.9]))
    hit = fc.first_contact(robot.moving([0, 0, 0], [2, 0, 0]), ball)
    with pytest.raises(ValueError, match=r"^the gradient of a first contact's time is for two rigid bodies"):
        _ = hit.gradient
    mesh = SHAPES["mesh"]
    up = np.array([0, 0, 3.0])
    falling = mesh.deforming(mesh.vertices + up, mesh.vertices - up)
    with pytest.raises(ValueError, match=r"is for rigid bodies, and one deforms$"):
        _ = fc.first_contact(falling, mesh).gradient


def test_shapes_that_overlap_have_none():
    """Rounding leaves their closest points apart, in some direction."""
    poses = np.stack([pose_of(np.random.default_rng(k), 0.4) for k in range(30)])
    found = fc.distance(SHAPES["box"].at(poses), SHAPES["mesh"])
    assert (found.distance == 0).any()
    np.testing.assert_array_equal(np.isnan(found.gradient).all(axis=(1, 2)), found.distance == 0)


@pytest.mark.parametrize(("a", "b"), [("ball", "box"), ("box", "mesh"), ("mesh", "mesh")])
def test_a_least_distance_changes_by_its_gradient(a, b):
    rng, one, other = np.random.default_rng(5), SHAPES[a], SHAPES[b]
    for _ in range(3):
        place, turn = rng.normal(size=3) * 0.2 + [-4, 2.5, 0], rng.normal(size=3)

        def least(shift, place=place, turn=turn):
            path = one.moving((np.eye(3), place + shift), velocity=[8, 0, 0], angular_velocity=turn)
            return fc.clearance(path, other, tolerance=1e-9)

        found = least(np.zeros(3))
        steps = 1e-5 * np.eye(3)
        of_a = [(least(row).distance - least(-row).distance) / 2e-5 for row in steps]
        np.testing.assert_allclose(found.gradient[0, :3], of_a, atol=1e-3)
        np.testing.assert_allclose(found.gradient[1, :3], -found.gradient[0, :3], atol=1e-12)
    assert np.isnan(fc.clearance(one, one).gradient).all()


def test_a_path_is_shifted_by_the_gradient_of_its_clearance():
    robot = chain()
    q0, q1 = np.array([[0.1, 0.2, 0.3, 0.4], [0.3, 0.1, 0.5, 0.2]]), np.array([0.9, -0.3, 0.6, 0.1])

    def least(shift):
        return fc.clearance(robot.moving(q0 + shift, q1 + shift), OBSTACLES, tolerance=1e-8)

    found, steps = least(np.zeros(4)), 1e-5 * np.eye(4)
    differences = np.stack([(least(row).distance - least(-row).distance) / 2e-5 for row in steps], axis=1)
    np.testing.assert_allclose(found.gradient, differences, atol=2e-3)
    alone = fc.clearance(robot.moving(q0[0], q1), OBSTACLES, tolerance=1e-8)
    np.testing.assert_allclose(alone.gradient, found.gradient[0], atol=1e-9)
