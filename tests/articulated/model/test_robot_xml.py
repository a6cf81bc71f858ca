import random
import re
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

from articulated.robot_files import box_file, collision, joint, link, robot, with_joint, with_shape, written
from firstcontact.articulated.model.robot_xml import checked, read_robot_element
from firstcontact.articulated.model.urdf import read_urdf
from firstcontact.errors import RobotFileError


def fault(tmp_path, text) -> str:
    path = written(tmp_path / "toy.urdf", text)
    with pytest.raises(RobotFileError) as caught:
        checked(read_robot_element(path), "here")
    assert "\n" not in str(caught.value)
    return str(caught.value).removeprefix("here: ").removeprefix(str(path)).strip()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "robot",
        with_joint()[:-3],
        with_joint().replace("</link>", "", 1),
        with_joint().replace("'base'", "base", 1),
        with_joint() + "<robot/>",
        "<robot name='&laughs;'/>",
        "<?xml version='1.0' encoding='martian'?><robot/>",
        b"\xff\xfe\x00",
        b"\x00" * 10,
    ],
)
def test_what_is_not_xml(tmp_path, text):
    assert re.fullmatch("is not XML: .+", fault(tmp_path, text))


def test_what_is_no_robot(tmp_path):
    assert fault(tmp_path, "<sdf><robot/></sdf>") == "must hold a <robot>; it holds a <sdf>"
    assert fault(tmp_path, "<robot/>") == "<robot> must have one or more <link>; it has 0"


def test_templates_are_not_read_as_if_they_were_robots(tmp_path):
    macro = "<x:arm xmlns:x='http://www.ros.org/wiki/xacro' side='left'/>"
    message = "is a template: expand it with the command `xacro` first"
    assert fault(tmp_path, robot(link("a", collision()), macro)) == message
    named_only = robot(link("a", collision())).replace(
        "<robot", "<robot xmlns:xacro='http://www.ros.org/xacro'"
    )
    assert checked(read_robot_element(written(tmp_path / "a.urdf", named_only)), "").find("link") is not None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (robot("<link/>"), "<link> must have the attribute name"),
        (robot("<link name=' '/>"), "<link> must have the attribute name"),
        (robot(link("a"), "<joint type='fixed'/>"), "<joint> must have the attribute name"),
        (robot(link("a"), "<joint name='j'/>"), "joint 'j': <joint> must have the attribute type"),
        (with_joint(inner="<axis/>"), "joint 'hinge': <axis> must have the attribute xyz"),
        (with_joint(inner="<mimic/>"), "joint 'hinge': <mimic> must have the attribute joint"),
        (with_shape("<mesh/>"), "link 'only': <mesh> must have the attribute filename"),
        (with_shape("<cylinder radius='1'/>"), "link 'only': <cylinder> must have the attribute length"),
    ],
)
def test_what_is_missing(tmp_path, text, message):
    assert fault(tmp_path, text) == message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (with_joint().replace("<parent link='base'/>", ""), "one <parent>; it has 0"),
        (with_joint(inner="<parent link='arm'/>"), "one <parent>; it has 2"),
    ],
)
def test_what_a_joint_must_have(tmp_path, text, message):
    assert fault(tmp_path, text) == f"joint 'hinge': <joint> must have {message}"


@pytest.mark.parametrize(
    ("shapes", "received"),
    [
        ("", "none"),
        ("<plane normal='0 0 1'/>", "<plane>"),
        ("<sphere radius='1'/><box size='1 1 1'/>", "<sphere>, <box>"),
        ("<sphere radius='1'/><plane/>", "<sphere>, <plane>"),
    ],
)
def test_a_geometry_is_one_shape(tmp_path, shapes, received):
    rule = "<geometry> must have one of box, capsule, cylinder, mesh, sphere"
    assert fault(tmp_path, with_shape(shapes)) == f"link 'only': {rule}; it has {received}"


def test_a_collision_has_a_geometry(tmp_path):
    message = "link 'a': <collision> must have one <geometry>; it has 0"
    assert fault(tmp_path, robot(link("a", "<collision/>"))) == message


@pytest.mark.parametrize(
    "value", ["nan", "inf", "-inf", "1e999", "one", "1 2", "0x10", "1;", "${r}", "1_0", "\u0661"]
)
def test_numbers_must_be_numbers(tmp_path, value):
    message = f"link 'only': radius of <sphere> must be 1 finite number; received {value!r}"
    assert fault(tmp_path, with_shape(f"<sphere radius='{value}'/>")) == message


@pytest.mark.parametrize("value", ["1", "1 2", "1 2 3 4 5", "1 2 nan", "", "1,5 0 0"])
def test_a_vector_must_have_three(tmp_path, value):
    message = f"joint 'hinge': xyz of <origin> must be 3 finite numbers; received {value!r}"
    assert fault(tmp_path, with_joint(inner=f"<origin xyz='{value}'/>")) == message


def test_a_limit_may_be_infinite_but_must_be_a_number(tmp_path):
    message = "joint 'hinge': upper of <limit> must be 1 number; received 'nan'"
    assert fault(tmp_path, with_joint(inner="<limit lower='-inf' upper='nan'/>")) == message


SPACE = "xmlns:x='urn:other'"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("collision>", "colision>", "link 'base': there is no element <colision>; did you mean <collision>?"),
        (
            "collision>",
            "Collision>",
            "link 'base': there is no element <Collision>; did you mean <collision>?",
        ),
        (
            "collision>",
            "x:collision>",
            "link 'base': <collision> is in the namespace 'urn:other', where it is not read",
        ),
        (
            "<collision>",
            "<collision><orgin xyz='0 0 9'/>",
            "link 'base': there is no element <orgin>; did you mean <origin>?",
        ),
        (
            "<parent",
            "<axes xyz='0 0 1'/><parent",
            "joint 'hinge': there is no element <axes>; did you mean <axis>?",
        ),
        (
            "<parent",
            "<limits lower='0'/><parent",
            "joint 'hinge': there is no element <limits>; did you mean <limit>?",
        ),
        (
            "<parent",
            "<origin x:xyz='0 0 9'/><parent",
            "joint 'hinge': xyz of <origin> is in the namespace 'urn:other'",
        ),
        (
            "<parent",
            "<origin orientation='1 0 0 0'/><parent",
            "joint 'hinge': <origin> has no attribute orientation: it has xyz, rpy, quat_xyzw",
        ),
        (
            "<parent",
            "<origin xzy='0 0 9'/><parent",
            "joint 'hinge': <origin> has no attribute xzy: it has xyz, rpy, quat_xyzw",
        ),
        (
            "<parent",
            "<limit uper='9'/><parent",
            "joint 'hinge': <limit> has no attribute uper; did you mean upper?",
        ),
        ("<link name='base'>", "<link x:name='base'>", "name of <link> is in the namespace 'urn:other'"),
        (
            "<link name='arm'></link>",
            "<x:link name='arm'/>",
            "<link> is in the namespace 'urn:other', where it is not read",
        ),
        (
            "<link name='arm'></link>",
            "<Link name='arm'/>",
            "there is no element <Link>; did you mean <link>?",
        ),
    ],
)
def test_words_that_are_misspelt_or_elsewhere(tmp_path, old, new, message):
    text = with_joint().replace("<robot ", f"<robot {SPACE} ")
    assert old in text
    assert fault(tmp_path, text.replace(old, new)) == message


@pytest.mark.parametrize(
    ("inner", "message"),
    [
        ("<colour/>", "the element <colour> is not known, and not read"),
        ("<hull><geometry/></hull>", "<hull> is not known, and not read, though it has a geometry"),
        ("<collision/>", "<collision> is in <joint>, where it means nothing"),
        ("<axis xyz='1 0 0'/><axis xyz='0 1 0'/>", "<joint> has 2 <axis>; the first is read"),
        ("<origin xyz='1 2 3 4'/>", "xyz of <origin> has 4 numbers; the first three are read"),
    ],
)
def test_faults_that_all_readers_bear_are_warned_of(tmp_path, inner, message):
    path = written(tmp_path / "toy.urdf", with_joint(inner=inner))
    with pytest.warns(UserWarning, match=f"here: joint 'hinge': .*{message}"):
        sound = checked(read_robot_element(path), "here")
    assert len(sound.findall("joint/axis")) == inner.count("axis") // 2
    assert [origin.get("xyz") for origin in sound.iter("origin")] in ([], ["1.0 2.0 3.0"])


def test_a_declaration_may_be_indented(tmp_path):
    path = written(tmp_path / "toy.urdf", "\n  " + with_joint())
    assert read_robot_element(path).tag == "robot"


@pytest.mark.parametrize(
    "inner", ["<x:proximity_properties/>", "<x:colour/>", "<dynamics/>", "<!-- colision -->"]
)
def test_what_is_for_other_programs_is_left_out_in_silence(tmp_path, inner):
    text = with_joint(inner=inner).replace("<robot ", f"<robot {SPACE} ")
    assert checked(read_robot_element(written(tmp_path / "toy.urdf", text)), "here").find("joint") is not None


RICH = robot(
    link(
        "base", collision(), collision("<mesh filename='box.stl' scale='1 -1 1'/>", "<origin xyz='1 0 0'/>")
    ),
    link("upper", collision("<box size='1 2 3'/>", "<origin rpy='0.1 0.2 0.3'/>")),
    link("lower", collision("<cylinder radius='1' length='2'/>")),
    link("tip"),
    joint("shoulder", "revolute", "base", "upper", "<axis xyz='0 1 0'/><limit lower='-1' upper='1'/>"),
    joint("elbow", "prismatic", "upper", "lower", "<mimic joint='shoulder' multiplier='2' offset='1'/>"),
    joint("wrist", "fixed", "lower", "tip", "<origin xyz='0 0 1' rpy='0 0 0'/>"),
)
SRDF = robot(
    "<disable_collisions link1='base' link2='lower' reason='Never'/>",
    "<disable_collisions link1='tip' link2='base'/>",
)
NASTY = (
    *("", " ", "nan", "-inf", "1e400", "0", "-0.0", "1e300 1e300 1e300", "1e-320", "1 2", "1 2 3"),
    *("world", "base", "elbow", "shoulder", "planar", "floating", "continuous"),
    *("package://", "package:///", "package://..", "file://", "%00", "package://%00/x", "http://x/y.obj"),
    *("/", ".", "..", "~", "x" * 5000, "é", "&amp;", "a&#10;b", "&#1;", "&x;", "<"),
)


def damaged(text: str, rng: random.Random) -> bytes:
    """Damage a file: cut it, lose or repeat a piece, change a byte or the value of an attribute."""
    for _ in range(rng.randint(1, 3)):
        i, j = sorted(rng.choices(range(len(text) + 1), k=2))
        attributes = list(re.finditer(r"'([^']*)'", text))
        elements = list(re.finditer(r"<[^<>]*/>", text))
        kind = rng.choice(["value"] * 6 + ["drop", "repeat"] * 2 + ["cut", "lose", "byte"])
        if kind == "value" and attributes:
            i, j = rng.choice(attributes).span(1)
            text = text[:i] + rng.choice(NASTY) + text[j:]
        elif kind in ("drop", "repeat") and elements:
            i, j = rng.choice(elements).span()
            text = text[:i] + text[i:j] * (2 * (kind == "repeat")) + text[j:]
        elif kind == "cut":
            text = text[:i]
        elif kind == "lose":
            text = text[:i] + text[min(j, i + 20) :]
        elif kind == "byte":
            text = text[:i] + chr(rng.randrange(256)) + text[i + 1 :]
    return text.encode(rng.choice(["utf-8", "latin-1"]), errors="replace")


def refusal(path: Path, read: Callable[[], object]) -> str | None:
    """Return why a file is refused, or None; any error but the one fails the test."""
    try:
        read()
    except RobotFileError as error:
        return str(error).removeprefix(str(path))
    return None


@pytest.mark.parametrize("seed", range(8))
def test_damaged_files_are_read_or_refused_in_one_sentence(tmp_path, seed):
    rng = random.Random(seed)
    box_file(tmp_path / "box.stl")
    path = written(tmp_path / "toy.urdf", RICH)
    refusals = [refusal(path, lambda: read_urdf(path))]
    assert refusals == [None]
    for _ in range(60):
        written(path, damaged(RICH, rng))
        has_base = rng.random() < 0.2
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # what other readers bear
            refusals.append(refusal(path, lambda has_base=has_base: read_urdf(path, (), has_base)))
    sentences = [sentence for sentence in refusals if sentence is not None]
    assert len(sentences) > 20
    assert all(sentence[:1] in (":", " ") and "\n" not in sentence for sentence in sentences)
    # Nothing gets as far as the reader, which would say what it says.
    assert not any("cannot be read" in sentence for sentence in sentences)
