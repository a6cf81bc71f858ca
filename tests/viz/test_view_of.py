import re
from dataclasses import replace

import numpy as np
import pytest
import trimesh

import firstcontact as fc
from firstcontact.viz.view_of import N_GROUPS, view_of
from poses import at
from viz import things
from viz.things import (
    apart,
    arm,
    ball,
    contacts,
    cube,
    folded,
    hit,
    inside,
    many,
    miss,
    robot_hit,
    scene,
)


def names_of(view):
    return [body.thing for body in view.bodies]


@pytest.mark.parametrize("name", ["hit", "edges", "contacts", "folded", "robot_hit", "scene"])
def test_a_contact_stops_the_time_and_is_seen_from_then_on(name):
    answer = getattr(things, name)()
    view = view_of(answer)
    first = view.moments[0]
    assert view.stop == first.time
    assert 0.0 < view.stop < 1.0
    assert first.until == 1.0
    assert first.label == "first contact"
    assert len(first.points) == len(first.normals) > 0
    assert first.patches
    assert view.stop in view.bodies[0].times or len(view.bodies[0].times) <= 2


@pytest.mark.parametrize("answer", [miss, apart, inside])
def test_without_a_contact_nothing_stops(answer):
    assert view_of(answer()).stop is None


def test_no_contact():
    view = view_of(miss())
    assert view.title == "No contact"
    assert view.moments == ()
    assert names_of(view) == ["a", "b"]


def test_a_contact_by_other_names():
    view = view_of(hit(), names={"a": "hammer"})
    assert hit().time < 0.5
    assert view.title == "First contact of hammer and b at t = 0.499999"  # never later than the time
    assert names_of(view) == ["hammer", "b"]
    assert [body.name for body in view.bodies] == ["hammer", "b"]
    assert len(view.moments[0].patches) == 2
    assert view_of(hit(), "my own").title == "my own"
    assert view_of(hit(), "").title == ""


def test_self_contact():
    assert view_of(folded()).title == "First contact of a with itself at t = 0.5"
    assert view_of(folded(), names={"a": "strip"}).title == "First contact of strip with itself at t = 0.5"


def test_a_robot():
    view = view_of(robot_hit(), names={"arm": "my arm"})
    assert view.title.startswith("First contact of lower and rod at t = ")
    assert names_of(view) == ["my arm", "my arm", "my arm", "rod"]
    assert [body.name for body in view.bodies] == ["foot", "upper", "lower", "rod"]


def test_a_scene_is_shown_with_its_first_contact():
    view = view_of(scene())
    assert view.title.startswith("First contact of ball and cube at t = ")
    assert names_of(view) == ["floor", "ball", "cube"]
    (moment,) = view_of(scene().first_contact()).moments
    assert moment.time == view.stop


def test_all_contacts_of_a_scene():
    view = view_of(scene().contacts())
    assert view.title == "1 contact"
    assert len(view.moments[0].points) == 1


def test_contacts_come_up_one_after_the_other():
    view = view_of(contacts())
    times = [moment.time for moment in view.moments]
    assert times == sorted(times)
    assert np.array_equal(np.concatenate([moment.points for moment in view.moments]), contacts().points)
    assert view.title == f"{len(contacts())} contacts"
    assert view.moments[-1].label == f"{len(contacts())} contacts"


def test_very_many_contacts_come_up_in_groups():
    n = 1000
    spread = replace(
        contacts(),
        **{
            name: np.repeat(getattr(contacts(), name), n // 10, axis=0)[:n]
            for name in ("kind", "ids_a", "ids_b")
        },
        time=np.linspace(0.3, 0.9, n),
        points=np.zeros((n, 3)),
        normals=np.zeros((n, 3)),
    )
    moments = view_of(spread).moments
    assert len(moments) == N_GROUPS + 1
    assert sum(len(moment.points) for moment in moments) == n


def test_no_contacts_at_all():
    view = view_of(fc.contacts(things.falling(), cube().at(at(9, 9, 9))))
    assert view.title == "0 contacts"
    assert view.moments == ()


def test_a_distance_is_a_line_between_the_closest():
    view = view_of(apart(), names={"b": "block"})
    (moment,) = view.moments
    assert view.title == "Distance of a and block: 1"
    assert np.array_equal(moment.segments[0], [apart().points_a, apart().points_b])
    assert not view.is_moving


def test_a_depth_is_a_line_between_the_deepest():
    assert view_of(inside()).title.startswith("Depth of a and b in each other: ")
    assert len(view_of(inside()).moments) == 1
    out = view_of(fc.penetration(fc.Sphere(1), fc.Sphere(1).at(at(9, 0, 0))))
    assert out.title == "a and b are apart"
    assert out.moments == ()


def test_a_distance_to_nothing_has_no_line():
    empty = fc.Mesh(np.empty((0, 3)), np.empty((0, 3), int))
    view = view_of(fc.distance(empty.at(np.eye(4)), cube().at(np.eye(4))))
    assert view.title == "Distance of a and b: inf"
    assert view.moments == ()


def test_things_alone():
    assert names_of(view_of(ball())) == ["sphere"]
    assert names_of(view_of(fc.Box([1, 1, 1]))) == ["box"]
    assert names_of(view_of(arm().at([0, 0])))[0] == "arm"
    assert names_of(view_of(trimesh.creation.box([1, 1, 1]))) == ["mesh"]
    assert view_of({str(i): ball() for i in range(6)}).title == "0, 1, 2, 3, …"
    assert view_of({}).bodies == ()


def test_times_asked_for_are_exact():
    thing = cube().moving(np.eye(4), angular_velocity=[1, 2, 3])
    view = view_of(thing, times=[0.123, 0.456])
    np.testing.assert_allclose(view.bodies[0].at(0.456), thing.vertices(0.456), rtol=0, atol=1e-15)


WRONG = {
    "a number": (
        3,
        TypeError,
        "what is shown must be a thing, several by name, a Scene or an answer; received int",
    ),
    "nothing": (None, TypeError, "received NoneType"),
    "a list": ([fc.Sphere(1)], TypeError, "received list"),
    "an array": (np.eye(4), TypeError, "received ndarray"),
    "a number by name": ({"x": 3}, TypeError, "received int"),
    "a robot": (arm(), TypeError, "a robot needs a configuration"),
    "a batch": (
        fc.Sphere(1).at(np.stack([np.eye(4)] * 2)),
        ValueError,
        "'sphere' is a batch of motions; ask about one",
    ),
    "configurations": (arm().at([[0, 0], [1, 1]]), ValueError, "'arm' is a batch of motions; ask about one"),
}


@pytest.mark.parametrize(("what", "error", "message"), WRONG.values(), ids=WRONG)
def test_what_cannot_be_shown_is_told_in_a_sentence(what, error, message):
    with pytest.raises(error, match=re.escape(message)):
        view_of(what)


def test_answers_about_many_are_batches():
    with pytest.raises(ValueError, match="'a' is a batch of motions; ask about one of them, and show that"):
        view_of(many())


def test_names_of_nothing_are_told():
    with pytest.raises(
        ValueError, match=re.escape("must be of things that are there, ['a', 'b']; received 'c'")
    ):
        view_of(hit(), names={"c": "hammer"})
    with pytest.raises(TypeError, match="names must be a mapping of names to others; received list"):
        view_of(hit(), names=["hammer", "anvil"])


def test_things_in_a_list_are_shown_with_the_features_that_touch_of_each_pair():
    floor = fc.Mesh([[-9, -9, 0], [9, -9, 0], [0, 9, 0]], [[0, 1, 2]])
    leaf = fc.Mesh([[0, 0, 1], [1, 0, 2], [0, 1, 2]], [[0, 1, 2]])
    falling = leaf.deforming(leaf.vertices, leaf.vertices - [0, 0, 4])
    start = np.eye(3), [4, 0, 1.25]
    turning = fc.Box([1, 1, 1]).mesh.moving(start, velocity=[0, 0, -3], angular_velocity=[0, 0, 1])
    listed = {"leaf": falling, "floor": floor, "box": turning}
    first, every = view_of(fc.first_contact(listed)), view_of(fc.contacts(listed))
    assert names_of(first) == names_of(every) == ["leaf", "floor", "box"]
    # Both touch the floor after a quarter of the step, but for the tolerance.
    touched = {first.bodies[patch.body].thing for patch in first.moments[0].patches}
    assert touched in ({"floor", "box"}, {"leaf", "floor"})
    pair = "leaf and floor" if "leaf" in touched else "floor and box"
    assert first.title.startswith(f"First contact of {pair}")
    assert view_of(fc.first_contact([falling, floor, turning])).moments[0].patches
