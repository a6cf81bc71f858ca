import numpy as np
import pytest

import firstcontact as fc
from firstcontact.articulated.model.kinematic_tree import kinematic_tree


def test_links_on_fixed_joints_are_one_body():
    joints = [
        fc.Joint("bolt", "fixed", "base", "stand", (np.eye(3), [0, 0, 1])),
        fc.Joint("turn", "revolute", "stand", "arm", (np.eye(3), [0, 0, 1]), [0, 0, 1]),
        fc.Joint("weld", "fixed", "arm", "tool", (np.eye(3), [1, 0, 0])),
        fc.Joint("glue", "fixed", "tool", "tip", (np.eye(3), [1, 0, 0])),
    ]
    tree = kinematic_tree(["tip", "tool", "arm", "stand", "base"], joints)
    assert tree.root == "base"
    assert tree.dof == 1
    assert tree.parents.tolist() == [-1]
    assert tree.link_frames == {"base": -1, "stand": -1, "arm": 0, "tool": 0, "tip": 0}
    assert tree.frames.origins[0, 9:].tolist() == [0, 0, 2]
    assert tree.link_offsets["tip"][:3, 3].tolist() == [2, 0, 0]


@pytest.mark.parametrize(
    ("links", "joints", "message"),
    [
        ([], [], "a robot must have a link or more; received none$"),
        (["a", "b"], [], "links must make one tree; 'a' and 'b' are both roots$"),
        (["a", "b"], ["a-b", "b-a"], "joint 'a-b' is in a cycle: links must make one tree$"),
        (["a"], ["a-a"], "joint 'a-a' is in a cycle: links must make one tree$"),
        (["a", "b", "c"], ["b-c", "c-b"], "joint 'b-c' is in a cycle: links must make one tree$"),
        (["a", "b", "c"], ["a-c", "b-c"], "link 'c' is the child of two joints, 'a-c' and 'b-c'$"),
        (["a", "b"], ["a-b", "a-b"], "there are two joints 'a-b'$"),
        (["a", "a"], [], "there are two links 'a'$"),
        (["a", "hand"], ["a-hnd"], "joint 'a-hnd': there is no link 'hnd'; did you mean 'hand'\\?$"),
        (["a", "b"], ["x-b"], "joint 'x-b': there is no link 'x'$"),
    ],
)
def test_what_is_no_tree_is_told(links, joints, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        kinematic_tree(links, [fc.Joint(name, "fixed", *name.split("-")) for name in joints])


@pytest.mark.parametrize(
    ("mimics", "message"),
    [
        ({"a": ("A", 1, 0)}, "joint 'a' mimics: there is no joint 'A'$"),
        ({"a": ("elbw", 1, 0)}, "joint 'a' mimics: there is no joint 'elbw'; did you mean 'elbow'\\?$"),
        ({"a": ("a", 1, 0)}, "joint 'a' mimics itself, through 'a'$"),
        ({"a": ("b", 1, 0), "b": ("a", 1, 0)}, "joint 'a' mimics itself, through 'b'$"),
        ({"a": ("bolt", 1, 0)}, "joint 'a' mimics 'bolt', which is fixed$"),
        ({"a": ("loose", 1, 0)}, "joint 'a' mimics 'loose', which is floating$"),
        # A ring that one only runs into.
        (
            {"a": ("b", 1, 0), "b": ("elbow", 1, 0), "elbow": ("b", 1, 0)},
            "joint '(a|b)' mimics itself, through",
        ),
    ],
)
def test_followers_without_a_leader_are_told(mimics, message):
    kinds = {"a": "revolute", "b": "prismatic", "elbow": "revolute", "bolt": "fixed", "loose": "floating"}
    joints = [
        fc.Joint(name, kind, "root", f"of {name}", mimic=mimics.get(name)) for name, kind in kinds.items()
    ]
    with pytest.raises(ValueError, match=f"^{message}"):
        kinematic_tree(["root", *(joint.child for joint in joints)], joints)
