"""SRDF files: pairs that may touch, groups and states; what is not there is left out with a warning."""

import random
import re
import warnings

import pytest

from articulated.model.test_robot_xml import SPACE, SRDF, damaged, refusal
from articulated.robot_files import joint, link, robot, written
from firstcontact.articulated.model.joint import Joint
from firstcontact.articulated.model.robot import Robot
from firstcontact.articulated.model.srdf import read_srdf
from firstcontact.errors import RobotFileError


def pairs_of(path, links):
    return read_srdf(path, links, []).allowed


def test_damaged_srdf_files_are_read_or_refused_in_one_sentence(tmp_path):
    rng = random.Random(0)
    path = tmp_path / "toy.srdf"
    for _ in range(300):
        written(path, damaged(SRDF, rng))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            sentence = refusal(path, lambda: pairs_of(path, ["base", "lower", "tip"]))
        assert sentence is None or (sentence[:1] in (":", " ") and "\n" not in sentence)


def test_pairs_of_an_srdf_file(tmp_path):
    pairs = [("tip", "tip"), ("base", "tip")]
    more = "".join(f"<disable_collisions link1='{a}' link2='{b}'/>" for a, b in pairs)
    path = written(tmp_path / "toy.srdf", SRDF.replace("</robot>", f"<group name='arm'/>{more}</robot>"))
    found = pairs_of(path, {"base": (), "lower": (), "tip": ()})
    assert found == {frozenset({"base", "lower"}), frozenset({"base", "tip"})}
    assert pairs_of(written(path, "<robot/>"), []) == frozenset()


@pytest.mark.parametrize(
    ("pair", "message"),
    [
        ("link1='base' link2='towr'", "there is no link 'towr'; did you mean 'tower'?"),
        ("link1='base'", "there is no link ''"),
    ],
)
def test_unknown_links_of_an_srdf_file(tmp_path, pair, message):
    path = written(tmp_path / "toy.srdf", robot(f"<disable_collisions {pair}/>"))
    told = re.escape(f"{path}: disable_collisions: {message}; it is left out")
    with pytest.warns(UserWarning, match=told):
        assert pairs_of(path, ["base", "tower"]) == frozenset()


def test_what_an_srdf_file_takes_back(tmp_path):
    back = "<enable_collisions link1='lower' link2='base'/><disable_default_collisions link='tip'/>"
    path = written(tmp_path / "toy.srdf", SRDF.replace("</robot>", f"{back}</robot>"))
    assert pairs_of(path, ["base", "lower", "tip"]) == {frozenset({"base", "tip"})}


@pytest.mark.parametrize(
    "word", ["disable_collision", "Disable_Collisions", "disabled_collisions", "x:disable_collisions"]
)
def test_misspelt_words_of_an_srdf_file(tmp_path, word):
    text = f"<robot {SPACE}><{word} link1='a' link2='b'/></robot>"
    with pytest.raises(RobotFileError, match=r"there is no element .*did you mean <disable_collisions>"):
        pairs_of(written(tmp_path / "toy.srdf", text), ["a", "b"])


def test_broken_srdf_files(tmp_path):
    with pytest.raises(RobotFileError, match=r"toy\.srdf is not XML: "):
        pairs_of(written(tmp_path / "toy.srdf", SRDF[:-4]), ["base"])
    with pytest.raises(FileNotFoundError, match="there is no file"):
        pairs_of(tmp_path / "gone.srdf", ["base"])


ARM = [
    Joint("slide", "prismatic", "base", "cart"),
    Joint("weld", "fixed", "cart", "post"),
    Joint("elbow", "revolute", "post", "arm"),
    Joint("wrist", "revolute", "arm", "hand"),
]
LINKS = ["base", "cart", "post", "arm", "hand"]


def test_groups_by_joints_links_chains_and_groups(tmp_path):
    text = robot(
        "<group name='by joint'><joint name='wrist'/><joint name='slide'/><joint name='weld'/></group>",
        "<group name='by link'><link name='hand'/><link name='base'/></group>",
        "<group name='by chain'><chain base_link='cart' tip_link='hand'/></group>",
        "<group name='all'><group name='by joint'/><group name='by chain'/></group>",
    )
    groups = read_srdf(written(tmp_path / "toy.srdf", text), LINKS, ARM).groups
    assert groups == {
        "by joint": ("slide", "wrist"),
        "by link": ("wrist",),
        "by chain": ("elbow", "wrist"),
        "all": ("slide", "elbow", "wrist"),
    }


@pytest.mark.parametrize(
    ("inner", "message"),
    [
        (
            "<joint name='elbo'/>",
            "group 'g': there is no joint 'elbo'; did you mean 'elbow'\\?; it is left out",
        ),
        ("<chain base_link='hand' tip_link='cart'/>", "the link 'hand' is not above the tip of the chain"),
        ("<group name='g'/>", "group 'g' is in itself"),
        ("<group name='h'/>", "group 'g': there is no group 'h'"),
    ],
)
def test_what_is_wrong_with_a_group_is_left_out(tmp_path, inner, message):
    text = robot(f"<group name='g'>{inner}<joint name='slide'/></group>")
    with pytest.warns(UserWarning, match=message):
        groups = read_srdf(written(tmp_path / "toy.srdf", text), LINKS, ARM).groups
    assert groups == {"g": ("slide",)}


def test_states_are_configurations(tmp_path):
    text = robot(
        "<group_state name='home' group='a'><joint name='elbow' value='0.5'/></group_state>",
        "<group_state name='home' group='b'>",
        "<joint name='slide' value='2'/><joint name='weld' value='0'/></group_state>",
        "<group_state name='bad' group='a'><joint name='elbow' value='1 2'/></group_state>",
    )
    with pytest.warns(UserWarning, match="state 'bad': joint 'elbow' must have 1 numbers; it has '1 2'"):
        said = read_srdf(written(tmp_path / "toy.srdf", text), LINKS, ARM)
    assert said.states == {"home": {"elbow": 0.5, "slide": 2.0}, "bad": {}}
    arm = Robot(dict.fromkeys(LINKS, ()), ARM, states=said.states)
    assert arm.configuration(arm.states["home"]).tolist() == [2.0, 0.5, 0.0]


def test_a_file_with_a_file(tmp_path):
    urdf = robot(link("base"), link("arm"), joint("hinge", "revolute", "base", "arm"))
    srdf = robot("<group name='all'><joint name='hinge'/></group>")
    paths = written(tmp_path / "toy.urdf", urdf), written(tmp_path / "toy.srdf", srdf)
    with pytest.warns(UserWarning, match="no collision geometry"):
        assert Robot.from_urdf(*paths).group("all").joint_names == ("hinge",)


@pytest.mark.parametrize("n", [40, 1100])
def test_groups_may_be_in_others_often_and_deep(tmp_path, n):
    inner = "".join(f"<group name='g{i}'>" + f"<group name='g{i + 1}'/>" * 2 + "</group>" for i in range(n))
    path = written(tmp_path / "deep.srdf", robot(f"{inner}<group name='g{n}'><joint name='slide'/></group>"))
    groups = read_srdf(path, [], [Joint("slide", "prismatic", "base", "cart")]).groups
    assert len(groups) == n + 1
    assert set(groups.values()) == {("slide",)}


def test_groups_that_are_all_in_all_have_the_same_joints(tmp_path):
    inner = "".join(f"<group name='g{i}'/>" for i in range(30))
    text = "".join(f"<group name='g{i}'>{inner}</group>" for i in range(1, 30))
    text += f"<group name='g0'>{inner}<joint name='slide'/></group>"
    path = written(tmp_path / "all.srdf", robot(text))
    with pytest.warns(UserWarning, match="is in itself"):
        groups = read_srdf(path, [], [Joint("slide", "prismatic", "base", "cart")]).groups
    assert len(groups) == 30
    assert set(groups.values()) == {("slide",)}
