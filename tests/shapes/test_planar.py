import numpy as np
import pytest

import firstcontact as fc
from firstcontact.queries.registry import CONVEX, NOTHING, PLANAR, ROWS, VERBS

BAR = fc.Polyline([[-1, 0], [1, 0]])


def test_three_ways_to_give_a_pose():
    c, s = np.cos(0.3), np.sin(0.3)
    matrix = np.array([[c, -s, 2], [s, c, 3], [0, 0, 1]])
    for pose in (matrix, (0.3, [2, 3]), (matrix[:2, :2], [2, 3])):
        thing = BAR.at(pose)
        assert np.allclose(thing.pose(0), matrix)
        assert np.allclose(thing.vertices(0), [[2 - c, 3 - s], [2 + c, 3 + s]])
    many = BAR.at((np.array([0.3, 0.0]), [2, 3]))
    assert many.pose(0).shape == (2, 3, 3)
    assert many.vertices(0).shape == (2, 2, 2)
    assert BAR.at((np.zeros((0,)), np.zeros((0, 2)))).vertices(0).shape == (0, 2, 2)


@pytest.mark.parametrize(
    ("pose", "fault"),
    [
        (np.eye(4), r"^pose must have shape \(n, 3, 3\) or \(3, 3\); received \(4, 4\)$"),
        (2 * np.eye(3), r"^pose must be a rigid pose, with 0, 0, 1 as its last row; received 0, 0, 2$"),
        (np.diag([2.0, 2, 1]), r"its rotation is off by 3 "),
        (np.diag([1.0, -1, 1]), r"a mirror image$"),
        ((0.0, [1, 2, 3]), r"^the translation of pose must have shape \(n, 2\) or \(2,\)"),
        ((np.zeros(2), np.zeros((3, 2))), r"as many rotations as translations; received 2 and 3$"),
        ((np.nan, [0, 0]), r"^the rotation of pose must be finite"),
    ],
)
def test_a_wrong_pose_is_refused(pose, fault):
    with pytest.raises(ValueError, match=fault):
        BAR.at(pose)


def test_motions():
    going = BAR.moving((0.0, [0, 0]), (np.pi / 2, [2, 0]))
    assert np.allclose(going.vertices(1), [[2, -1], [2, 1]])
    thrown = BAR.moving((0.0, [0, 0]), velocity=[1, 0], acceleration=[0, -2], angular_velocity=2 * np.pi)
    assert np.allclose(thrown.vertices(1), [[0, -1], [2, -1]])
    screw = BAR.moving((0.0, [0, 0]), (np.pi, [2, 0]), path="screw")
    assert np.allclose(screw.vertices(0.5), [[1, -2], [1, 0]])
    many = BAR.moving((0.0, [0, 0]), velocity=[[1, 0], [0, 1]], angular_velocity=[0, np.pi])
    assert np.allclose(many.vertices(1), [[[0, 0], [2, 0]], [[1, 1], [-1, 1]]])
    turned = BAR.moving((0.0, [0, 0]), angular_velocity=np.pi, center=[1, 0])
    assert np.allclose(turned.vertices(1), [[3, 0], [1, 0]])
    path = BAR.along([np.eye(3), np.eye(3)], times=[0, 1])
    assert np.allclose(path.vertices(0.3), BAR.vertices)


def test_deformations():
    waving = BAR.along(np.stack([BAR.vertices, BAR.vertices + 1, BAR.vertices]), times=[0, 0.75, 1])
    assert waving.vertices(0.75).tolist() == [[0.0, 1.0], [2.0, 1.0]]
    assert waving.vertices(0.375).shape == (2, 2)
    with pytest.raises(TypeError, match="has no pose"):
        waving.pose(0)
    with pytest.raises(
        ValueError, match=r"^vertices_t1 must have a row for each of the 2 vertices; received 1$"
    ):
        BAR.deforming(BAR.vertices, [[0, 0]])
    with pytest.raises(ValueError, match=r"^frame 1 must have a row"):
        BAR.along([BAR.vertices, BAR.vertices[:1]])
    with pytest.raises(TypeError, match="leave out path and center"):
        BAR.along([BAR.vertices, BAR.vertices], center=[0, 0])


def test_what_is_in_space_is_refused():
    with pytest.raises(TypeError, match=r"^a Polyline goes along poses in the plane"):
        BAR.along(fc.motion(lambda t: [t, 0, 0]))
    with pytest.raises(TypeError, match=r"^sphere_tree is of shapes in space"):
        BAR.sphere_tree(2)
    for verb, others in VERBS.items():
        if CONVEX in others:
            row = ROWS[verb, PLANAR, CONVEX], ROWS[verb, CONVEX, PLANAR]
            assert "in the plane" in row[0].refusal
            assert (row[0].name, row[1].name) == ("a", "b")
        assert NOTHING not in others or (verb, PLANAR, NOTHING) in ROWS
