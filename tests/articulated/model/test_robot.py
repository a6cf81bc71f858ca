import warnings

import numpy as np
import pytest
import trimesh

import firstcontact as fc
from firstcontact.motions.joint_motion import JointMotion

BALL, BOX = fc.Sphere(0.1), fc.Box([0.2, 0.2, 0.2])
HERE = np.eye(3)


def arm(**options):
    """Two links that turn about z, one after the other, a hand, and two fingers that slide as one."""
    links = {
        "base": BOX,
        "upper": BALL.at((HERE, [0.5, 0, 0])),
        "lower": [BALL.at((HERE, [0.3, 0, 0])), BALL.at((HERE, [0.6, 0, 0]))],
        "hand": (),
        "left": BALL,
        "right": BALL,
    }
    out = HERE, [1, 0, 0]
    joints = [
        fc.Joint("shoulder", "revolute", "base", "upper", axis=[0, 0, 1], limits=(-1, 2)),
        fc.Joint("elbow", "continuous", "upper", "lower", out, [0, 0, 1]),
        fc.Joint("wrist", "fixed", "lower", "hand", out),
        fc.Joint("grip", "prismatic", "hand", "left", axis=[0, 1, 0], limits=(0, 0.5)),
        fc.Joint("follow", "prismatic", "hand", "right", axis=[0, -1, 0], mimic=("grip", 1, 0)),
    ]
    return fc.Robot(links, joints, **options)


def floater():
    """A body that moves freely, with a wheel."""
    joints = [fc.Joint("free", "floating", "world", "body"), fc.Joint("roll", "continuous", "body", "wheel")]
    return fc.Robot({"world": (), "body": BOX, "wheel": BALL}, joints)


def test_it_says_what_it_is():
    robot = arm(allowed_pairs=[("left", "right")], name="toy")
    assert repr(robot) == "Robot('toy', 6 links, 3 joints)"
    assert robot.name == "toy"
    assert robot.link_names == ("base", "upper", "lower", "hand", "left", "right")
    assert robot.joint_names == ("shoulder", "elbow", "grip")
    assert [joint.name for joint in robot.joints] == ["shoulder", "elbow", "wrist", "grip", "follow"]
    assert robot.dof == 3
    assert robot.root == "base"
    assert robot.limits.tolist() == [[-1, 2], [-np.inf, np.inf], [0, 0.5]]
    assert robot.allowed_pairs == {frozenset(("left", "right"))}
    with pytest.raises(ValueError, match="read-only"):
        robot.limits[0] = 0.0


def test_one_link_is_a_robot():
    robot = fc.Robot({"only": BALL})
    assert repr(robot) == "Robot('robot', 1 link, 0 joints)"
    assert robot.dof == 0
    assert robot.limits.shape == (0, 2)
    assert robot.self_pairs == ()
    assert robot.link_poses([])["only"].tolist() == np.eye(4).tolist()
    assert robot.link_poses(np.empty((3, 0)))["only"].shape == (3, 4, 4)
    assert robot.moving([], []).motion.is_resting


def test_shapes_of_links_are_where_they_were_put():
    parts = [part for part in arm().parts if part.link == "lower"]
    assert [part.pose[0, 3] for part in parts] == [0.3, 0.6]
    assert all(part.shape is BALL for part in parts)
    assert "hand" not in [part.link for part in arm().parts]
    box = trimesh.creation.box()
    (part,) = fc.Robot({"only": box}).parts
    assert isinstance(part.shape, fc.Mesh)
    assert part.pose.tolist() == np.eye(4).tolist()


def test_pairs_that_can_touch():
    pairs = {frozenset(pair) for pair in arm().self_pairs}
    # Not joined by a joint, and each with a shape: the hand has none, and what it is one body with is not it.
    wanted = ["base lower", "base left", "base right", "upper left", "upper right", "left right"]
    assert pairs == {frozenset(pair.split()) for pair in [*wanted, "lower left", "lower right"]}
    assert len(arm().self_pairs) == len(pairs)
    fewer = arm(allowed_pairs=[("left", "right"), ["base", "lower"]])
    assert {frozenset(pair) for pair in fewer.self_pairs} == pairs - fewer.allowed_pairs


def test_a_fixed_link_never_touches_what_it_is_fixed_to():
    joints = [fc.Joint("a", "fixed", "root", "one"), fc.Joint("b", "fixed", "one", "two")]
    robot = fc.Robot({"root": BALL, "one": BALL, "two": BALL}, joints)
    assert robot.self_pairs == ()
    assert fc.is_free(robot.at([]), None, self_contact=True)


def test_a_thing_in_the_hand_is_one_more_link():
    robot = arm()
    holding = robot.attach("hand", BOX, (HERE, [0.2, 0, 0]), name="cube", touching=["left", "right"])
    assert "cube" not in robot.link_names
    assert holding.link_names == (*robot.link_names, "cube")
    assert holding.joint_names == robot.joint_names
    assert holding.allowed_pairs == {frozenset(("cube", link)) for link in ("hand", "left", "right")}
    assert holding.link_poses([0, 0, 0])["cube"][:3, 3].tolist() == [2.2, 0, 0]
    assert [part.link for part in holding.parts if part.shape is BOX] == ["base", "cube"]
    pairs = {frozenset(pair) for pair in holding.self_pairs}
    assert pairs >= {frozenset(("cube", "base")), frozenset(("cube", "upper"))}
    assert not pairs & {frozenset(("cube", link)) for link in ("hand", "lower", "left", "right")}


def test_things_may_be_several_shapes_without_a_name_or_a_pose():
    robot = arm(name="toy")
    holding = robot.attach("hand", [BALL, BOX.at((HERE, [0, 0, 1]))])
    assert holding.name == "toy"
    assert holding.link_names[-1] == "hand load"
    parts = [part for part in holding.parts if part.link == "hand load"]
    assert [part.pose[2, 3] for part in parts] == [0, 1]
    assert frozenset(("cup", "left")) in robot.attach("hand", BALL, name="cup", touching="left").allowed_pairs
    twice = holding.attach("hand", BALL, name="second").attach("second", BALL)
    assert twice.link_names[-2:] == ("second", "second load")


def test_allowing_makes_another_robot():
    robot = arm()
    lenient = robot.allow("left", "right")
    assert robot.allowed_pairs == frozenset()
    assert lenient.allowed_pairs == {frozenset(("left", "right"))}
    assert lenient.allow("right", "left").allowed_pairs == lenient.allowed_pairs


def test_what_may_touch_is_asked_about_no_more():
    robot = arm()
    assert not fc.is_free(robot.at([0, 0, 0.05]), None, self_contact=True)
    assert fc.first_contact(robot.at([0, 0, 0.05]), None, self_contact=True).a in ("left", "right")
    assert fc.is_free(robot.allow("left", "right").at([0, 0, 0.05]), None, self_contact=True)


def test_robots_stand_move_and_follow():
    robot = arm()
    for moving, n_pieces in (
        (robot.at([1, 2, 3]), 1),
        (robot.moving([1, 2, 3], [4, 5, 6]), 1),
        (robot.along([[1, 2, 3], [4, 5, 6], [0, 0, 0]]), 2),
    ):
        assert isinstance(moving, fc.Moving)
        assert moving.shape is robot
        assert isinstance(moving.motion, JointMotion)
        assert len(moving.motion.times) == n_pieces + 1
        assert not moving.motion.is_batch
        assert moving.motion.configuration(0.0).tolist() == [1, 2, 3]
    assert robot.at([1, 2, 3]).motion.is_resting
    assert robot.moving([1, 2, 3], [4, 5, 6]).motion.configuration(0.5).tolist() == [2.5, 3.5, 4.5]
    path = robot.along([[1, 2, 3], [4, 5, 6], [0, 0, 0]], [0, 0.25, 1])
    assert path.motion.configuration(0.25).tolist() == [4, 5, 6]


def test_batches_have_a_leading_axis_and_singles_go_with_each():
    robot, many = arm(), np.arange(12.0).reshape(4, 3)
    for moving in (robot.at(many), robot.moving(many, many), robot.moving([0, 0, 0], many)):
        assert moving.motion.is_batch
        assert len(moving.motion) == 4
        assert moving.motion.configuration(1.0).tolist() == many.tolist()
    assert robot.moving(many, [0, 0, 0]).motion.configuration(0.5).tolist() == (many / 2).tolist()
    assert robot.at(many[:1]).motion.is_batch
    assert len(robot.at(np.empty((0, 3))).motion) == 0
    assert robot.link_poses(np.empty((0, 3)))["hand"].shape == (0, 4, 4)
    assert fc.is_free(robot.moving(np.empty((0, 3)), [0, 0, 0]), BALL).shape == (0,)


def test_it_owns_its_configurations():
    q0, q1 = np.zeros(3), np.ones(3)
    moving = arm().moving(q0, q1)
    q0[:], q1[:] = 7.0, 8.0
    assert moving.motion.configuration(1.0).tolist() == [1, 1, 1]
    with pytest.raises(ValueError, match="read-only"):
        moving.motion.configurations[:] = 0.0


def test_quaternions_may_have_any_length():
    robot = floater()
    assert robot.dof == 8
    assert robot.joint_names == ("free", "roll")
    assert robot.limits.shape == (8, 2)
    short, long = [1, 2, 3, 0, 0, 0, 0.1, 5], [1, 2, 3, 0, 0, 0, -1e30, 5]
    for q in (short, long):
        assert (
            robot.link_poses(q)["body"].tolist()
            == robot.link_poses([1, 2, 3, 0, 0, 0, 1, 5])["body"].tolist()
        )
    assert robot.at(short).motion.configuration(0.5).tolist() == [1, 2, 3, 0, 0, 0, 1, 5]
    values = np.array([short, long])
    before = values.copy()
    robot.at(values)
    assert values.tolist() == before.tolist()


def test_samples_are_within_limits_where_there_are_any():
    robot = arm()
    q = robot.sample(500)
    low, high = [-1, -np.pi, 0], [2, np.pi, 0.5]
    assert q.shape == (500, 3)
    assert ((q >= low) & (q <= high)).all()
    assert (np.ptp(q, axis=0) > 0.9 * np.subtract(high, low)).all()
    assert robot.sample(500).tobytes() == q.tobytes()
    assert robot.sample(500, 1).tobytes() != q.tobytes()
    assert robot.sample(500, np.random.default_rng(0)).tobytes() == q.tobytes()
    assert robot.sample(0).shape == (0, 3)
    body = floater().sample(20)
    np.testing.assert_allclose(np.linalg.norm(body[:, 3:7], axis=1), 1.0)
    assert (np.abs(body[:, :3]) <= 1.0).all()


@pytest.mark.parametrize("limits", [(5, np.inf), (-np.inf, -5), (0.5, np.inf), (-np.inf, np.inf), (3, 3)])
def test_samples_with_half_a_limit(limits):
    robot = fc.Robot({"a": (), "b": ()}, [fc.Joint("j", "prismatic", "a", "b", limits=limits)])
    q = robot.sample(10)
    assert ((q >= limits[0]) & (q <= limits[1])).all()


def test_limits_are_told_of_on_request():
    robot = arm()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        robot.moving([0, 0, 0], [5, 0, 9])
        robot.at([2, 100, 0.5], warn_limits=True)
    with pytest.warns(UserWarning, match=r"^joint 'shoulder' goes to 5, beyond \[-1, 2\]$") as told:
        robot.moving([0, 0, 0], [[0, 0, 0], [5, 0, 9]], warn_limits=True)
    assert told[0].filename == __file__
    with pytest.warns(UserWarning, match=r"^joint 'grip' goes to -0.25, beyond \[0, 0.5\]$"):
        robot.at([0, 0, -0.25], warn_limits=True)
    with pytest.warns(UserWarning, match="^joint 'shoulder' goes to -3, beyond"):
        robot.along([[0, 0, 0], [-3, 0, 0], [0, 0, 0]], warn_limits=True)


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: fc.Robot({}), ValueError, "a robot must have a link or more; received none$"),
        (lambda: fc.Robot([BALL]), TypeError, "links must be shapes by the names of links; received list$"),
        (
            lambda: fc.Robot({"a": BALL, "b": BALL}),
            ValueError,
            "links must make one tree; 'a' and 'b' are both",
        ),
        (lambda: fc.Robot({"a": BALL}, ["a"]), TypeError, "joints must be of type Joint; received str$"),
        (lambda: fc.Robot({"a": 3}), TypeError, "a thing must be a shape, moving or not, .*; received int$"),
        (lambda: fc.Robot({"": BALL}), TypeError, "links must have names; received ''$"),
        (lambda: fc.Robot({7: BALL}), TypeError, "name of a link must be a text; received 7$"),
        (
            lambda: fc.Robot({"a": BALL.moving(np.eye(4), velocity=[1, 0, 0])}),
            ValueError,
            r"a shape of link 'a' must stand still in its frame: use shape.at\(pose\)$",
        ),
        (
            lambda: fc.Robot({"a": BALL.at((HERE, np.zeros((2, 3))))}),
            ValueError,
            "a shape of link 'a' must stand",
        ),
        (lambda: fc.Robot({"a": fc.Mesh([], [])}), ValueError, "a mesh of link 'a' has no faces$"),
        (lambda: arm(allowed_pairs=["ab"]), ValueError, "a pair of links must be two names; received 'ab'$"),
        (lambda: arm(allowed_pairs=[("left",)]), ValueError, "a pair of links must be two names; received"),
        (lambda: arm(allowed_pairs=[("left", "left")]), ValueError, "a pair of links must be two names"),
        (
            lambda: arm(allowed_pairs=[("left", "rigth")]),
            ValueError,
            "there is no link 'rigth'; did you mean 'right'",
        ),
        (
            lambda: arm().allow("leg", "table"),
            ValueError,
            "one of a pair must be a link; 'leg' and 'table' are none",
        ),
        (lambda: arm().allow("left", "left"), ValueError, "a pair must be two names; received 'left' twice"),
        (lambda: arm().allow("left", 3), TypeError, "name of a link or an obstacle must be a text"),
        (lambda: arm().pad("left", by=-1), ValueError, "by must be a finite number at least 0; received -1"),
        (lambda: arm().pad("left", by=np.nan), ValueError, "by must be"),
        (lambda: arm().attach("hnad", BALL), ValueError, "there is no link 'hnad'; did you mean 'hand'\\?$"),
        (lambda: arm().attach("hand", BALL, touching=["lft"]), ValueError, "there is no link 'lft'; did you"),
        (
            lambda: arm().attach("hand", BALL, name="left"),
            ValueError,
            "there is a link 'left' already: give the thing another name$",
        ),
        (
            lambda: arm().attach("hand", BALL, 2 * np.eye(4)),
            ValueError,
            "the origin of .* must be a rigid pose",
        ),
        (lambda: arm().attach("hand", "cup"), TypeError, "a thing must be a shape, moving or not"),
    ],
)
def test_bad_robots_are_told(make, error, message):
    with pytest.raises(error, match=f"^{message}"):
        make()


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: arm().at([1, 2]), ValueError, r"q must have shape \(n, 3\) or \(3,\); received \(2,\)$"),
        (
            lambda: arm().link_poses([1]),
            ValueError,
            r"q must have shape \(n, 3\) or \(3,\); received \(1,\)$",
        ),
        (
            lambda: arm().moving([0, 0, 0], [0, 0]),
            ValueError,
            r"q1 must have shape \(n, 3\) or \(3,\); received",
        ),
        (lambda: arm().moving([0, np.nan, 0], [0, 0, 0]), ValueError, "q0 must be finite; row 1 has nan$"),
        (lambda: arm().at([[0, 0, 0], [0, 0, np.inf]]), ValueError, "q must be finite; row 1 has inf$"),
        (lambda: arm().at("abc"), TypeError, "q must be real numbers; received <U3$"),
        (
            lambda: arm().moving(np.zeros((2, 3)), np.zeros((3, 3))),
            ValueError,
            r"q0 and q1 must be batches of the same length; received \[2, 3\]$",
        ),
        (
            lambda: arm().along([[0, 0, 0]]),
            ValueError,
            r"waypoints must be two or more, of shape \(n, 3\); received 1$",
        ),
        (lambda: arm().along([0, 0, 0]), ValueError, "waypoints must be two or more, of shape"),
        (lambda: arm().along(np.zeros((2, 3)), [0, 0.5]), ValueError, "times must increase from 0 to 1"),
        (lambda: arm().along(np.zeros((2, 3)), [0, 0.5, 1]), ValueError, r"times must have shape \(2,\)"),
        (
            lambda: arm().at([0, 0, 0], warn_limits=1),
            TypeError,
            "warn_limits must be True or False; received 1$",
        ),
        (
            lambda: floater().at([[0, 0, 0, 0, 0, 0, 1, 0], np.zeros(8)]),
            ValueError,
            "q must have no quaternion of length 0; row 1 has$",
        ),
    ],
)
def test_bad_configurations_are_told(make, error, message):
    with pytest.raises(error, match=f"^{message}"):
        make()
