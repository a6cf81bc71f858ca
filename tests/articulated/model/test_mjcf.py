"""Robots from MJCF, against MuJoCo itself: where bodies are, and which geoms are looked at."""

import numpy as np
import pytest

import firstcontact as fc

mujoco = pytest.importorskip("mujoco")

MODEL = """<mujoco model="zoo">
 <compiler angle="radian"/>
 <asset>
  <hfield name="hills" nrow="3" ncol="4" size="1 2 0.5 0.1" elevation="0 0 0 0 0 1 0.5 0 0 0 0 0"/>
  <mesh name="corner" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/>
 </asset>
 <worldbody>
  <geom name="floor" type="plane" size="0 0 1" pos="0 0 -1"/>
  <geom name="hills" type="hfield" hfield="hills" pos="5 0 0"/>
  <geom name="block" type="box" size="0.5 0.5 0.1" pos="0 0 -0.5"/>
  <body name="free" pos="0 0 3"><freejoint/><geom type="ellipsoid" size="0.1 0.2 0.3"/>
   <body name="ball" pos="0 0.4 0" quat="0.9 0.1 0.2 0.3">
    <joint type="ball" pos="0.1 0.2 0.3"/><geom type="mesh" mesh="corner" pos="1 2 3" euler="1 2 3"/>
    <body name="two" pos="0.5 0 0" euler="0.1 0.2 0.3">
     <joint name="a" axis="1 2 3" pos="0.1 0 0.2" ref="0.4" limited="true" range="-1 2"/>
     <joint name="b" type="slide" axis="0 1 1" ref="0.1" pos="1 2 3"/>
     <joint name="c" axis="0 0 1" pos="0 0.3 0"/>
     <geom type="capsule" size="0.1 0.2"/>
     <geom name="other" type="sphere" size="0.3" contype="2" conaffinity="4"/>
     <geom type="cylinder" size="0.2 0.4" contype="0" conaffinity="0"/>
    </body>
   </body>
  </body>
  <body name="arm" pos="3 0 0"><joint name="d"/><geom type="box" size="0.1 0.2 0.3"/>
   <body name="tool" pos="0 0 1"><geom size="0.2"/></body>
  </body>
 </worldbody>
 <contact><exclude body1="free" body2="arm"/><pair geom1="other" geom2="block"/></contact>
 <keyframe><key name="k" qpos="1 2 3 0.5 0.5 0.5 0.5 0 0 0.6 0.8 0.3 0.4 0.5 0.6"/></keyframe>
</mujoco>"""


@pytest.fixture
def zoo(tmp_path):
    path = tmp_path / "zoo.xml"
    path.write_text(MODEL)
    with pytest.warns(UserWarning, match=r"plane 'floor' .* is HalfSpace\(\[0.0, 0.0, 1.0\], -1\)"):
        robot = fc.Robot.from_mjcf(path)
    return robot, mujoco.MjModel.from_xml_path(str(path))


def as_qpos(robot, model, q):
    """A configuration as MuJoCo has it."""
    qpos, first = np.array(model.qpos0), 0
    for number, joint in enumerate(joint for joint in robot.joints if joint.n_values > 0):
        values = q[first : first + joint.n_values]
        first += joint.n_values
        order = {7: [0, 1, 2, 6, 3, 4, 5], 4: [3, 0, 1, 2], 1: [0]}[joint.n_values]
        start = model.jnt_qposadr[number]
        qpos[start : start + joint.n_values] = values[order]
    return qpos


def test_bodies_are_where_mujoco_has_them(zoo):
    robot, model = zoo
    data = mujoco.MjData(model)
    rows = [robot.configuration(state) for state in robot.states.values()]
    for q in [*rows, *robot.sample(20)]:
        data.qpos[:] = as_qpos(robot, model, q)
        mujoco.mj_kinematics(model, data)
        poses = robot.link_poses(q)
        for body in range(model.nbody):
            pose = poses[model.body(body).name]
            np.testing.assert_allclose(pose[:3, 3], data.xpos[body], atol=1e-12)
            np.testing.assert_allclose(pose[:3, :3], data.xmat[body].reshape(3, 3), atol=1e-12)


def test_states_limits_and_names(zoo):
    robot, model = zoo
    assert robot.name == "zoo"
    assert robot.joint_names == ("joint 0", "joint 1", "a", "b", "c", "d")
    assert robot.states["k"]["joint 1"] == pytest.approx((0, 0.6, 0.8, 0))
    assert np.array_equal(as_qpos(robot, model, robot.configuration(robot.states["reference"])), model.qpos0)
    assert robot.limits[11].tolist() == [-1, 2]
    kinds = {type(part.shape).__name__ for part in robot.parts}
    assert kinds == {"Ellipsoid", "ConvexHull", "Mesh", "Box", "Capsule", "Sphere"}


def test_what_mujoco_looks_at_is_looked_at(zoo):
    robot, _ = zoo
    pairs = {tuple(sorted(pair)) for pair in robot.self_pairs}
    ground = "world", "world/1"  # the block is in a pair of its own
    assert pairs == {
        *((body, part) for body in ("arm", "ball", "free", "tool", "two") for part in ground),
        ("free", "two"),
        ("free", "tool"),
        ("arm", "ball"),
        ("ball", "tool"),
        ("arm", "two"),
        ("tool", "two"),
        ("two/1", "world/1"),
    }


def test_contacts_are_those_of_mujoco(tmp_path):
    """Random trees of primitives with random bits: whether anything touches."""
    rng, asked, touched = np.random.default_rng(4), 0, 0
    for trial in range(6):
        path = tmp_path / f"{trial}.xml"
        path.write_text(random_model(rng))
        robot, model = fc.Robot.from_mjcf(path), mujoco.MjModel.from_xml_path(str(path))
        data, rows = mujoco.MjData(model), robot.sample(40, trial)
        found = fc.intersects(robot.at(rows), {}, self_contact=True)
        for q, touches in zip(rows, found, strict=True):
            data.qpos[:] = as_qpos(robot, model, q)
            mujoco.mj_fwdPosition(model, data)
            depths = [contact.dist for contact in data.contact]
            if min(depths, default=1.0) < -1e-3 or touches != (len(depths) > 0):
                near = fc.distance(robot.at(q), {}, self_contact=True).distance
                is_close = near < 1e-3 and min(depths, default=0.0) > -1e-3
                assert touches == (min(depths, default=1.0) < 0.0) or is_close
            asked, touched = asked + 1, touched + touches
    assert 20 < touched < asked - 20


def random_model(rng):
    """Bodies in a tree, each with some geoms."""
    words = ["sphere", "capsule", "box"]
    text, depth = "", 0
    for k in range(5):
        kind = rng.choice(["hinge", "slide", "ball"])
        place, axis = rng.uniform(-0.4, 0.4, 3), rng.normal(size=3)
        numbers = " ".join(f"{x:.3f}" for x in place)
        limits = 'limited="true" range="-0.5 0.5"' if kind == "slide" else ""
        about = " ".join(map(str, axis))
        text += f'<body name="b{k}" pos="{numbers}"><joint type="{kind}" axis="{about}" {limits}/>'
        for _ in range(int(rng.integers(1, 3))):
            spot = " ".join(f"{x:.3f}" for x in rng.uniform(-0.3, 0.3, 3))
            bits = f'contype="{rng.integers(0, 4)}" conaffinity="{rng.integers(0, 4)}"'
            text += f'<geom type="{rng.choice(words)}" size="0.1 0.12 0.14" pos="{spot}" {bits}/>'
        depth += 1
        while depth and rng.random() < 0.4:
            text, depth = text + "</body>", depth - 1
    text += "</body>" * depth
    static = '<geom type="box" size="0.2 0.2 0.2" pos="0.5 0 0"/>'
    return f'<mujoco><compiler autolimits="true"/><worldbody>{static}{text}</worldbody></mujoco>'


def test_meshes_as_they_are(tmp_path):
    path = tmp_path / "one.xml"
    path.write_text(
        '<mujoco><asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset><worldbody>'
        '<body><joint/><geom type="mesh" mesh="m"/></body></worldbody></mujoco>'
    )
    hull, mesh = (fc.Robot.from_mjcf(path, hulls=hulls).parts[0] for hulls in (True, False))
    assert type(hull.shape) is fc.ConvexHull
    assert mesh.shape.n_faces == 4


def test_bad_files_are_told(tmp_path):
    with pytest.raises(FileNotFoundError, match="there is no file"):
        fc.Robot.from_mjcf(tmp_path / "none.xml")
    bad = tmp_path / "bad.xml"
    for text in ("", "<mujoco>", "<mujoco><worldbody><geom/></worldbody></mujoco>"):
        bad.write_text(text)
        with pytest.raises(fc.RobotFileError, match=r"bad\.xml: "):
            fc.Robot.from_mjcf(bad)
    with pytest.raises(TypeError, match="hulls must be True or False"):
        fc.Robot.from_mjcf(bad, hulls="yes")
    bad.write_text("<mujoco/>")
    with pytest.warns(UserWarning, match="there is no geom that can touch another"):
        assert fc.Robot.from_mjcf(bad).dof == 0


def test_a_ball_joint_is_a_floating_one_that_stays():
    turn = np.eye(4)
    turn[:3, 3] = [0.1, 0.2, 0.3]
    links, box = (
        {"base": (), "arm": fc.Capsule(0.1, 1).at([0, 0, 0.6])},
        fc.Box([0.3, 0.3, 0.3]).at([0.6, 0.4, 0.6]),
    )
    ball, floating = (
        fc.Robot(links, [fc.Joint("joint", kind, "base", "arm", turn)]) for kind in ("ball", "floating")
    )
    rng = np.random.default_rng(2)
    q0, q1 = rng.normal(size=(2, 30, 4))
    at = np.zeros((30, 3))
    one = fc.first_contacts(ball.moving(q0, q1), box)
    other = fc.first_contacts(floating.moving(np.hstack([at, q0]), np.hstack([at, q1])), box)
    assert np.array_equal(one.time, other.time)
    assert 0 < np.isfinite(one.time).sum() < 30
    for k in range(3):
        assert fc.first_contact(ball.moving(q0[k], q1[k]), box).certificate.verify()
    middle = ball.moving(q0[0], q1[0]).motion.configuration(0.5)
    assert np.linalg.norm(middle) == pytest.approx(1.0)
    assert ball.configuration({}).tolist() == [0, 0, 0, 1]
    assert ball.sample(3).shape == (3, 4)
    with pytest.raises(ValueError, match="q must have no quaternion of length 0"):
        ball.at([0, 0, 0, 0])


@pytest.mark.parametrize("geom", ['size="1e300"', 'size="1" pos="1e60 0 0"', 'type="box" size="1e50 1 1"'])
def test_what_is_too_large_is_named_with_its_file(tmp_path, geom):
    path = tmp_path / "huge.xml"
    path.write_text(f"<mujoco><worldbody><body><joint/><geom {geom}/></body></worldbody></mujoco>")
    with pytest.raises(fc.RobotFileError, match=r"huge\.xml: .* must (be between|lie within)"):
        fc.Robot.from_mjcf(path)
