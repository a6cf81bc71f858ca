import numpy as np

import firstcontact as fc
from firstcontact.viz.bodies_of import bodies_of
from firstcontact.viz.patches import MAX_FEATURES, SIDES, patches_of
from firstcontact.viz.view_of import view_of
from poses import at
from viz.things import cube, edges, folded, hair_hit, hit, robot_hit, scan_hit

TWO = bodies_of({"a": cube().at(at(-1, 0, 0)), "b": cube().at(at(0, 0, 0))}, np.empty(0))
BETWEEN = np.array([[-0.5, 0.0, 0.0]])


def test_every_kind_has_two_sides():
    assert set(SIDES) == set(fc.ContactKind)
    for kind, sides in SIDES.items():
        assert kind.name.lower() == "_".join(sides)


def test_corners_and_faces_are_those_of_the_answer():
    (moment,) = view_of(hit()).moments
    on_a, on_b = moment.patches
    assert (on_a.body, on_b.body) == (0, 1)
    assert on_a.corners.tolist() == [4, 5, 6, 7]
    assert np.array_equal(on_b.faces, cube().faces[np.unique(hit().features[:, 2])])
    assert len(on_a.faces) == len(on_b.corners) == len(on_a.edges) == 0


def test_edges_are_those_of_the_answer():
    (moment,) = view_of(edges()).moments
    for side, patch in enumerate(moment.patches):
        assert np.array_equal(patch.edges, cube().edges[edges().features[:, 1 + side]])


def test_a_thing_that_touches_itself_is_both():
    (moment,) = view_of(folded()).moments
    assert [patch.body for patch in moment.patches] == [0, 0]
    assert moment.patches[0].corners.tolist() == [4]
    assert moment.patches[1].faces.tolist() == [[0, 1, 2]]


def test_of_a_shape_it_is_the_face_at_the_place():
    shapes = np.array([[fc.ContactKind.SHAPE_SHAPE, -1, -1]])
    for patch, x in zip(patches_of(shapes, BETWEEN, 0.0, ["a", "b"], TWO), (-1.0, 0.0), strict=True):
        corners = TWO[patch.body].at(0.0)[patch.faces]
        assert len(corners) >= 1
        assert (corners[..., 0] == -0.5).all(), x


def test_of_a_robot_it_is_the_link():
    view = view_of(robot_hit())
    on_arm, on_rod = view.moments[0].patches
    assert view.bodies[on_arm.body].name == "lower"
    assert np.array_equal(on_arm.faces, view.bodies[on_arm.body].faces)
    assert view.bodies[on_rod.body].name == "rod"
    assert 0 < len(on_rod.faces) < len(view.bodies[on_rod.body].faces)


def test_of_several_shapes_of_a_link_it_is_the_one_at_the_place():
    parts = [fc.Box([0.2, 0.2, 0.2]).at(at(x, 0, 0)) for x in (0, 2, 4)]
    robot = fc.Robot({"base": parts}, name="it")
    found = fc.first_contact(robot.at([]), {"ball": fc.Sphere(0.5).moving(at(2, 0, 3), velocity=[0, 0, -5])})
    patches = view_of(found).moments[0].patches
    assert {patch.body for patch in patches} == {1, 3}


def test_very_many_features_are_cut_short():
    features = np.tile([[fc.ContactKind.VERTEX_FACE, 0, 0]], (MAX_FEATURES + 5, 1))
    features[MAX_FEATURES:, 1] = 3
    on_a, _ = patches_of(features, BETWEEN, 0.0, ["a", "b"], TWO)
    assert on_a.corners.tolist() == [0]


def test_names_that_are_not_there_have_no_features():
    assert patches_of(np.array([[0, 0, 0]]), BETWEEN, 0.0, ["x", "y"], TWO) == ()


def test_points_and_segments_are_those_of_the_answer():
    on_a, _ = view_of(scan_hit()).moments[0].patches
    assert on_a.corners.tolist() == [1]
    assert len(on_a.faces) == len(on_a.edges) == 0
    for side, patch in enumerate(view_of(hair_hit()).moments[0].patches):
        own = np.unique(hair_hit().features[:, 1 + side])
        assert np.array_equal(patch.faces, hair_hit().things["a"].shape.faces[own])


def test_of_a_robot_and_points_both_have_what_touches():
    cloud = fc.Points([[1, 0, 1], [1, 5, 1]], 0.05)
    view = view_of(fc.first_contact(robot_hit().things["arm"], {"scan": cloud.at(at(0, 0, 0))}))
    on_arm, on_scan = view.moments[0].patches
    assert view.bodies[on_arm.body].thing == "arm"
    assert view.bodies[on_scan.body].thing == "scan"
    assert [*on_scan.corners, *on_scan.faces[:, 0]] == [0]
