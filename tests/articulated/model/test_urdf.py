import re

import numpy as np
import pytest

import firstcontact as fc
from articulated.robot_files import box_file, collision, joint, link, robot, with_joint, with_shape, written
from firstcontact.articulated.model.joint import Joint
from firstcontact.articulated.model.robot import Robot
from firstcontact.articulated.model.urdf import read_urdf
from firstcontact.errors import MissingExtraError, RobotFileError
from firstcontact.shapes.moving import Moving


def read(tmp_path, text, **options):
    return read_urdf(written(tmp_path / "toy.urdf", text), **options)


def only_shape(described):
    (shapes,) = described.links.values()
    (shape,) = shapes
    return shape


def only_joint(described) -> Joint:
    (found,) = described.joints
    return found


def fault(tmp_path, text, **options) -> str:
    """Return the one line that says what is wrong with a file, without its name."""
    with pytest.raises(RobotFileError) as caught:
        read(tmp_path, text, **options)
    message = str(caught.value)
    assert message.startswith(str(tmp_path / "toy.urdf"))
    assert "\n" not in message
    assert caught.value.__context__ is None or caught.value.__suppress_context__
    return message.removeprefix(str(tmp_path / "toy.urdf")).removeprefix(": ").strip()


def turned(roll: float, pitch: float, yaw: float) -> np.ndarray:
    """Turn about the fixed axes, one after the other: the plainest way to write what URDF means."""
    (cr, cp, cy), (sr, sp, sy) = np.cos([roll, pitch, yaw]), np.sin([roll, pitch, yaw])
    about_x = np.array([[1, 0, 0], [0, cr, -sr], [0, sr, cr]])
    about_y = np.array([[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]])
    about_z = np.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]])
    return about_z @ about_y @ about_x


def test_boxes_cylinders_and_spheres(tmp_path):
    box = only_shape(read(tmp_path, with_shape("<box size='1 2.5 3'/>")))
    cylinder = only_shape(read(tmp_path, with_shape("<cylinder radius='0.25' length='2'/>")))
    ball = only_shape(read(tmp_path, with_shape("<sphere radius='0.75'/>")))
    assert [type(shape) for shape in (box, cylinder, ball)] == [fc.Box, fc.Cylinder, fc.Sphere]
    assert box.bounds.tolist() == [[-0.5, -1.25, -1.5], [0.5, 1.25, 1.5]]
    assert cylinder.bounds.tolist() == [[-0.25, -0.25, -1], [0.25, 0.25, 1]]
    assert ball.bounds.tolist() == [[-0.75] * 3, [0.75] * 3]


def test_a_link_has_all_its_shapes_where_they_are(tmp_path):
    origin = "<origin xyz='1 2 3' rpy='0.3 -0.4 2.5'/>"
    shapes = [collision(), collision("<box size='1 1 1'/>", origin), collision()]
    described = read(tmp_path, robot(link("only", *shapes)))
    first, second, third = described.links["only"]
    assert isinstance(first, fc.Sphere)
    assert isinstance(third, fc.Sphere)
    assert isinstance(second, Moving)
    np.testing.assert_allclose(second.pose(0)[:3, :3], turned(0.3, -0.4, 2.5), atol=1e-15)
    assert second.pose(0)[:3, 3].tolist() == [1, 2, 3]


def test_what_does_not_matter_to_collisions_is_not_read(tmp_path):
    visual = "<visual><geometry><mesh filename='gone.dae'/></geometry></visual><visual/>"
    junk = "<inertial><mass value='heavy'/></inertial><contact><x/></contact>"
    inner = (
        "<axis xyz='0 0 1'/><limit lower='-1' upper='1' effort='?'/><dynamics damping='?'/><calibration/>"
        "<safety_controller k_position='?'/>"
    )
    text = robot(
        "<material/><gazebo><link/></gazebo><transmission><joint/></transmission>",
        link("base", collision(), visual, junk),
        link("arm"),
        joint("hinge", "revolute", "base", "arm", inner),
    )
    described = read(tmp_path, text)
    assert (described.name, list(described.links)) == ("toy", ["base", "arm"])
    assert described.links["arm"] == ()
    assert only_joint(described).limits == (-1, 1)


def test_the_numbers_of_a_joint(tmp_path):
    inner = "<origin xyz='0 0 2' rpy='0.1 0.2 0.3'/><axis xyz='0 -3 4'/><limit lower='-2' upper='0.5'/>"
    hinge = only_joint(read(tmp_path, with_joint("revolute", inner)))
    assert (hinge.name, hinge.kind, hinge.parent, hinge.child) == ("hinge", "revolute", "base", "arm")
    np.testing.assert_allclose(hinge.origin[:3, :3], turned(0.1, 0.2, 0.3), atol=1e-15)
    assert hinge.origin[:3, 3].tolist() == [0, 0, 2]
    np.testing.assert_allclose(hinge.axis, [0, -0.6, 0.8], rtol=1e-15)
    assert hinge.limits == (-2, 0.5)
    assert hinge.mimic is None


def test_a_joint_that_says_nothing_is_as_the_format_has_it(tmp_path):
    hinge = only_joint(read(tmp_path, with_joint()))
    np.testing.assert_array_equal(hinge.origin, np.eye(4))
    assert hinge.axis.tolist() == [1, 0, 0]
    assert hinge.limits == (-np.inf, np.inf)


@pytest.mark.parametrize(
    ("kind", "limit", "expected"),
    [
        ("revolute", "<limit effort='1' velocity='1'/>", (-np.inf, np.inf)),
        ("prismatic", "<limit upper='3'/>", (0, 3)),
        ("prismatic", "<limit lower='-3'/>", (-3, 0)),
        ("revolute", "<limit lower='-inf' upper='2'/>", (-np.inf, 2)),
        ("continuous", "<limit lower='0' upper='1'/>", (-np.inf, np.inf)),
    ],
)
def test_limits(tmp_path, kind, limit, expected):
    assert only_joint(read(tmp_path, with_joint(kind, limit))).limits == expected


@pytest.mark.parametrize("kind", ["fixed", "floating"])
def test_what_exporters_write_into_joints_without_an_axis_is_left_out(tmp_path, kind):
    inner = "<axis xyz='0 0 0'/><limit lower='2' upper='1'/><mimic joint='gone'/>"
    found = only_joint(read(tmp_path, with_joint(kind, inner)))
    assert (found.kind, found.mimic, found.limits) == (kind, None, (-np.inf, np.inf))


def test_mimics(tmp_path):
    names = ["base", "a", "b", "c"]
    text = robot(
        *(link(name, collision()) for name in names),
        joint("first", "prismatic", "base", "a", "<mimic joint='second' multiplier='-2' offset='0.5'/>"),
        joint("second", "prismatic", "base", "b"),
        joint("third", "prismatic", "base", "c", "<mimic joint='second'/>"),
    )
    described = read(tmp_path, text)
    assert [found.mimic for found in described.joints] == [("second", -2, 0.5), None, ("second", 1, 0)]
    poses = Robot(described.links, described.joints).link_poses([3])
    assert [poses[name][0, 3] for name in names] == [0, -5.5, 3, 3]


def test_a_floating_base_comes_first(tmp_path):
    path = written(tmp_path / "toy.urdf", with_joint())
    described = read_urdf(path, floating_base=True)
    assert list(described.links) == ["world", "base", "arm"]
    base = described.joints[0]
    assert (base.name, base.kind, base.parent, base.child) == ("floating_base", "floating", "world", "base")
    whole = Robot.from_urdf(path, floating_base=True)
    assert (whole.root, whole.dof) == ("world", 8)
    assert whole.link_poses([1, 2, 3, 0, 0, 0, 1, 0])["arm"][:3, 3].tolist() == [1, 2, 3]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (robot(link("world", collision())), "there are two links 'world'"),
        (with_joint().replace("hinge", "floating_base"), "there are two joints 'floating_base'"),
    ],
)
def test_names_that_a_floating_base_needs(tmp_path, text, message):
    read(tmp_path, text)
    assert fault(tmp_path, text, floating_base=True) == message


def test_a_robot_need_not_have_a_name(tmp_path):
    assert read(tmp_path, f"<robot>{link('only', collision())}</robot>").name == "robot"


@pytest.mark.parametrize("name", ["a b", "d&amp;&lt;&quot;", "größe", "関節", "a&#10;b", "x" * 500])
def test_names_of_any_kind(tmp_path, name):
    described = read(tmp_path, robot(link(name, collision())))
    expected = name.replace("&amp;", "&").replace("&lt;", "<").replace("&quot;", '"').replace("&#10;", "\n")
    assert list(described.links) == [expected]


def test_numbers_may_be_written_with_commas(tmp_path):
    box = only_shape(read(tmp_path, with_shape("<box size='1, 2,3 '/>")))
    assert box.bounds[1].tolist() == [0.5, 1, 1.5]


def test_without_the_extra_it_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setattr("firstcontact.io.collada.find_spec", lambda name: None)
    written(tmp_path / "arm.dae", "<COLLADA/>")
    with pytest.raises(MissingExtraError, match=r"pip install 'firstcontact\[robots\]'"):
        read(tmp_path, with_shape("<mesh filename='arm.dae'/>"))


def test_no_such_file(tmp_path):
    with pytest.raises(FileNotFoundError, match=re.escape(f"there is no file {tmp_path / 'gone.urdf'}")):
        read_urdf(tmp_path / "gone.urdf")
    with pytest.raises(FileNotFoundError, match="there is no file"):
        read_urdf(tmp_path)


CYCLE = robot(
    link("a", collision()),
    link("b"),
    link("c"),
    joint("ab", "fixed", "a", "b"),
    joint("bc", "fixed", "b", "c"),
    joint("ca", "fixed", "c", "a"),
)
TWINS = robot(link("a", collision()), link("b"), joint("j", "fixed", "a", "b"), joint("j", "fixed", "a", "b"))
LOST = with_joint().replace("parent link='base'", "parent link='bse'")
DESCENDING = with_joint(inner="<limit lower='2' upper='1'/>")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (robot(link("a", collision()), link("a")), "there are two links 'a'"),
        (TWINS, "there are two joints 'j'"),
        (robot(link("a", collision()), link("b")), "links must make one tree; 'a' and 'b' are both roots"),
        (CYCLE, "joint 'ab' is in a cycle: links must make one tree"),
        (LOST, "joint 'hinge': there is no link 'bse'; did you mean 'base'?"),
        (with_joint(inner="<mimic joint='hinge'/>"), "joint 'hinge' mimics itself, through 'hinge'"),
        (with_joint(inner="<axis xyz='0 0 0'/>"), "the axis of joint 'hinge' must not be zero"),
        (with_shape("<sphere radius='0'/>"), "link 'only': radius must be positive; received 0.0"),
        (with_shape("<box size='1 -1 1'/>"), "link 'only': extents[1] must be positive; received -1.0"),
    ],
)
def test_robots_that_cannot_be(tmp_path, text, message):
    assert fault(tmp_path, text) == message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            with_joint(inner="<mimic joint='x'/>"),
            "joint 'hinge' mimics: there is no joint 'x'; it has a value",
        ),
        (DESCENDING, "limits of joint 'hinge' descend, from 2 to 1, and are turned round"),
        (
            robot(link("base"), link("arm"), joint("hinge", "revolute", "base", "arm")),
            "no collision geometry",
        ),
    ],
)
def test_faults_that_other_readers_bear(tmp_path, text, message):
    with pytest.warns(UserWarning, match=message):
        hinge = only_joint(read(tmp_path, text))
    assert hinge.mimic is None
    assert hinge.limits in ((1.0, 2.0), (-np.inf, np.inf))


def test_a_planar_joint_is_two_slides_and_a_turn(tmp_path):
    inner = "<origin xyz='0 0 5' rpy='0 0 1'/><axis xyz='0 0 1'/>"
    described = read(tmp_path, with_joint("planar", inner))
    base = Robot(described.links, described.joints)
    assert base.joint_names == ("hinge/x", "hinge/y", "hinge/theta")
    assert base.link_names == ("base", "arm", "hinge/x", "hinge/y")
    pose = base.link_poses([2.0, 3.0, 0.5])["arm"]
    np.testing.assert_allclose(pose[:3, :3], turned(0, 0, 1.5), atol=1e-15)
    np.testing.assert_allclose(pose[:3, 3], turned(0, 0, 1) @ [2, 3, 0] + [0, 0, 5], atol=1e-15)


def test_capsules(tmp_path):
    shape = only_shape(read(tmp_path, with_shape("<capsule radius='0.5' length='2'/>")))
    assert type(shape) is fc.Capsule
    assert shape.bounds.tolist() == [[-0.5, -0.5, -1.5], [0.5, 0.5, 1.5]]


def test_values_beyond_all_bounds(tmp_path):
    far = "<origin xyz='0 1e200 0'/>"
    assert re.fullmatch("the origin of joint 'hinge' .*1e\\+200", fault(tmp_path, with_joint(inner=far)))
    text = robot(link("only", collision(origin=far)))
    assert re.fullmatch("link 'only': .*1e\\+200", fault(tmp_path, text))
    box_file(tmp_path / "box.obj")
    text = with_shape("<mesh filename='box.obj' scale='1e308'/>")
    assert re.fullmatch("link 'only': vertices must .*inf", fault(tmp_path, text))


def solid_angle_sign(mesh: fc.Mesh) -> float:
    """Return the volume that the faces enclose: positive where their outer side is outside."""
    a, b, c = (mesh.vertices[mesh.faces[:, corner]] for corner in range(3))
    return float(np.einsum("ij,ij->", a, np.cross(b, c))) / 6.0


@pytest.mark.parametrize("scale", ["", "2", "1 1 1", "0.001 0.001 0.001", "1 -1 1", "-1 -2 3", "-1 -1 -1"])
@pytest.mark.parametrize("ending", ["obj", "stl", "ply"])
def test_meshes_are_scaled_and_mirrored(tmp_path, ending, scale):
    box_file(tmp_path / f"box.{ending}")
    attribute = f"scale='{scale}'" if scale else ""
    mesh = only_shape(read(tmp_path, with_shape(f"<mesh filename='box.{ending}' {attribute}/>")))
    factors = np.broadcast_to(np.array(scale.split() or ["1"], dtype=float), 3)
    corners = np.array([np.zeros(3), factors * [1, 2, 3]])
    np.testing.assert_allclose(mesh.bounds, [corners.min(axis=0), corners.max(axis=0)], rtol=1e-7)
    assert (mesh.n_vertices, mesh.n_faces, len(mesh.edges)) == (8, 12, 18)
    np.testing.assert_allclose(solid_angle_sign(mesh), 6 * abs(factors.prod()), rtol=1e-6)


def test_faces_keep_their_order(tmp_path):
    path = box_file(tmp_path / "box.obj")
    mesh = only_shape(read(tmp_path, with_shape("<mesh filename='box.obj'/>")))
    plain = fc.load(path)
    np.testing.assert_array_equal(mesh.vertices[mesh.faces], plain.vertices[plain.faces])


def test_a_file_at_one_scale_is_one_mesh(tmp_path):
    box_file(tmp_path / "box.obj")
    names = ["filename='box.obj'", "filename='./box.obj' scale='1 1 1'", "filename='box.obj' scale='2 2 2'"]
    shapes = read(tmp_path, robot(link("only", *(collision(f"<mesh {name}/>") for name in names)))).links[
        "only"
    ]
    assert shapes[0] is shapes[1]
    assert shapes[0] is not shapes[2]


def test_all_missing_meshes_are_named_at_once(tmp_path):
    box_file(tmp_path / "there.obj")
    names = ["gone.obj", "there.obj", "package://arm/a.stl", "gone.obj"]
    text = robot(link("only", *(collision(f"<mesh filename='{name}'/>") for name in names)))
    advice = "; package_dirs tells where packages are"
    assert fault(tmp_path, text) == f"missing mesh files: 'gone.obj', 'package://arm/a.stl'{advice}"
    assert fault(tmp_path, with_shape("<mesh filename='x.stl'/>")) == "missing mesh files: 'x.stl'"


def test_damaged_meshes(tmp_path):
    written(tmp_path / "bad.obj", "v 1 2\n")
    written(tmp_path / "arm.dae", "<COLLADA/>")
    assert re.fullmatch(
        "link 'only': .*bad.obj cannot be read: line 1 .*",
        fault(tmp_path, with_shape("<mesh filename='bad.obj'/>")),
    )
    assert re.fullmatch(
        "link 'only': .*arm.dae cannot be read: it has no scene",
        fault(tmp_path, with_shape("<mesh filename='arm.dae'/>")),
    )
    text = with_shape("<mesh filename='bad.obj' scale='1 0 1'/>")
    assert fault(tmp_path, text) == "link 'only': the scale of a mesh must not be zero; received 1, 0, 1"


def test_quaternions_of_origins_and_what_ends_a_file(tmp_path):
    text = (
        "<robot name='r'><link name='a'/><link name='b'><collision><geometry><sphere radius='1'/></geometry>"
        "</collision></link><joint name='j' type='revolute'><parent link='a'/><child link='b'/>"
        "<origin xyz='1 2 3' {}/><axis xyz='0 0 1' rpy='0 0 0'/></joint></robot>\r\n\0"
    )
    path = tmp_path / "r.urdf"
    poses = []
    for turn in ("rpy='0 0 0.5'", f"quat_xyzw='0 0 {2 * np.sin(0.25)} {2 * np.cos(0.25)}'"):
        path.write_text(text.format(turn))
        with pytest.warns(UserWarning, match="rpy of <axis> means nothing, and is not read$"):
            poses.append(fc.Robot.from_urdf(path).link_poses([0.1])["b"])
    np.testing.assert_allclose(*poses, atol=1e-15)
    for turn, said in (
        ("rpy='0 0 1' quat_xyzw='0 0 0 1'", "not both"),
        ("quat_xyzw='0 0 0 0'", "not be zero"),
    ):
        path.write_text(text.format(turn))
        with pytest.raises(fc.RobotFileError, match=said), pytest.warns(UserWarning, match="rpy of <axis>"):
            fc.Robot.from_urdf(path)


def test_spherical_joints_are_balls(tmp_path):
    path = tmp_path / "r.urdf"
    path.write_text(
        "<robot name='r'><link name='a'/><link name='b'><collision><geometry><sphere radius='1'/></geometry>"
        "</collision></link><joint name='j' type='spherical'><parent link='a'/><child link='b'/></joint>"
        "</robot>"
    )
    robot = fc.Robot.from_urdf(path)
    assert (robot.joints[0].kind, robot.dof) == ("ball", 4)
