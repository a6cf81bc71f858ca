"""Meshes that deform through frames: what is found is what the steps, each by itself, would tell."""

import numpy as np
import pytest

import firstcontact as fc

FLOOR = fc.Mesh([[-9, -9, 0], [9, -9, 0], [0, 9, 0]], [[0, 1, 2]])
LEAF = fc.Mesh([[0, 0, 1], [1, 0, 2], [0, 1, 2]], [[0, 1, 2]])
UP, DOWN = [0, 0, 1], [0, 0, -4]


def falling(times=(0.0, 0.5, 1.0)):
    start = LEAF.vertices
    return LEAF.along([start, start + UP, start + DOWN], times)


def crumpled(seed, n_frames=4):
    """A soup of four triangles, and places of its corners, on a grid half of the time."""
    rng = np.random.default_rng(seed)
    frames = rng.normal(size=(n_frames, 12, 3))
    frames = np.round(2 * frames) / 2 if seed % 2 else frames
    times = [0.0, *np.sort(rng.random(n_frames - 2)).tolist(), 1.0]
    return fc.Mesh(frames[0], np.arange(12).reshape(4, 3)), frames, times


def rows_of(found):
    names = ("kind", "ids_a", "ids_b", "time", "time_upper", "status")
    return list(zip(*(getattr(found, name).tolist() for name in names), strict=True))


def test_a_leaf_that_rises_first_falls_later():
    hit = fc.first_contact(falling(), FLOOR)
    assert hit.time <= 0.7 <= hit.time_upper <= 0.7 + 1e-15
    assert fc.safe_step(falling(), FLOOR) == hit.time
    assert not fc.is_free(falling(), FLOOR)
    assert fc.is_free(falling((0.0, 0.5, 1.0)), FLOOR.at((np.eye(3), [0, 0, -5])))


@pytest.mark.parametrize("seed", range(12))
def test_the_first_contact_is_that_of_the_first_step_with_one(seed):
    mesh, frames, times = crumpled(seed)
    other, places, _ = crumpled(seed + 100)
    far = np.array([2.0, 0, 0])
    a, b = mesh.along(frames, times), other.along(places + far, times)
    hit = fc.first_contact(a, b)
    for k in range(3):
        one = mesh.deforming(frames[k], frames[k + 1])
        two = other.deforming(places[k] + far, places[k + 1] + far)
        step = fc.first_contact(one, two, assume_free_start=k > 0)
        if step:
            length = times[k + 1] - times[k]
            assert hit.time == pytest.approx(times[k] + step.time * length, abs=1e-15)
            assert (hit.features == step.features).all()
            assert hit.time <= hit.time_upper
            break
    else:
        assert not hit
    assert fc.safe_step(a, b) == min(hit.time, 1.0)


@pytest.mark.parametrize("seed", range(8))
def test_contacts_are_those_of_all_steps_each_once(seed):
    mesh, frames, times = crumpled(seed)
    found = fc.contacts(mesh.along(frames, times))
    expected = {}
    for k in range(3):
        step = fc.contacts(mesh.deforming(frames[k], frames[k + 1]), assume_free_start=k > 0)
        for row in rows_of(step):
            expected.setdefault(row[:3], times[k] + row[3] * (times[k + 1] - times[k]))
    assert {row[:3]: pytest.approx(row[3], abs=1e-15) for row in rows_of(found)} == expected
    assert (np.diff(found.time) >= 0.0).all()
    assert (found.time <= found.time_upper).all()


def test_closing_speeds_are_those_of_the_whole_motion():
    assert fc.contacts(falling(), FLOOR).closing_speed.tolist() == pytest.approx([10.0] * 3)
    assert fc.contacts(falling((0, 0.75, 1)), FLOOR).closing_speed.tolist() == pytest.approx([20.0] * 3)


def test_frames_at_other_times_are_met_with_what_rounding_may_hide():
    rising = FLOOR.deforming(FLOOR.vertices, FLOOR.vertices + np.array([0, 0, 0.5]))
    hit = fc.first_contact(falling((0.0, 0.3, 1.0)), rising)
    # 2 - 5 (t - 0.3) / 0.7 = t / 2
    true = (2 + 1.5 / 0.7) / (5 / 0.7 + 0.5)
    assert true - 1e-13 < hit.time <= true
    assert hit.time_upper == np.inf  # what is that near need not touch
    listed = fc.contacts(falling((0.0, 0.3, 1.0)), rising)
    assert true - 1e-13 < listed.time[0] <= true
    assert listed.time_upper.tolist() == [1.0] * 3
    at_rest = FLOOR.along([FLOOR.vertices] * 4)
    assert fc.first_contact(falling(), at_rest).time_upper < 1.0


@pytest.mark.parametrize("times", [(0.0, 0.5, 1.0), (0.0, 0.01, 1.0), (0.0, 0.9, 1.0)])
@pytest.mark.parametrize("is_swapped", [False, True])
def test_rigid_things_in_motion_meet_frames(times, is_swapped):
    height = 0.5  # of what rises, at the end
    middle = times[1]
    true = middle + (2 - height * middle) / (5 / (1 - middle) + height)
    things = {
        "mesh": FLOOR.moving(np.eye(4), velocity=[0, 0, height]),
        "box": fc.Box([20, 20, 1]).moving((np.eye(3), [0, 0, -0.5]), velocity=[0, 0, height]),
        "spline": FLOOR.along(fc.motion(lambda t: [0, 0, height * t])),
    }
    for thing in things.values():
        pair = (thing, falling(times)) if is_swapped else (falling(times), thing)
        hit = fc.first_contact(*pair)
        assert true - 1e-5 < hit.time <= true
        assert fc.safe_step(*pair) == hit.time


def test_a_throw_meets_frames():
    ball = fc.Sphere(0.25).moving((np.eye(3), [0.2, 0.2, -3]), velocity=[0, 0, 8], acceleration=[0, 0, -2])
    hit = fc.first_contact(ball, falling())
    times = np.linspace(0, 1, 4001)
    gaps = [
        fc.distance(fc.Sphere(0.25).at(ball.pose(t)), fc.Mesh(falling().vertices(t), LEAF.faces))
        for t in times
    ]
    first = times[next(k for k, gap in enumerate(gaps) if gap.distance == 0.0)]
    assert first - 1e-3 < hit.time <= first
    assert hit.time_upper >= hit.time


def test_contact_in_a_later_step_is_none_at_the_start():
    start = LEAF.vertices
    touching = LEAF.along([start + UP, start - UP, start - UP])  # from half of the time on, it rests on it
    hit = fc.first_contact(touching, FLOOR)
    assert hit.status == fc.Status.CONTACT
    assert hit.time == 0.5
    assert (
        fc.first_contact(touching, fc.Box([9, 9, 1]).at((np.eye(3), [0, 0, -0.5]))).status
        == fc.Status.CONTACT
    )


def test_more_contacts_than_asked_for_are_an_error():
    assert len(fc.contacts(falling(), FLOOR, max_contacts=3)) == 3
    with pytest.raises(ValueError, match="max_contacts"):
        fc.contacts(falling(), FLOOR, max_contacts=2)


def test_scenes_know_frames():
    scene = fc.Scene({"leaf": falling(), "floor": FLOOR, "ball": fc.Sphere(0.5).at((np.eye(3), [5, 0, 9]))})
    first = scene.first_contact()
    assert {first.a, first.b} == {"leaf", "floor"}
    assert first.time == fc.first_contact(falling(), FLOOR).time
    assert scene.contacts().names == [("leaf", "floor")]
    bent = fc.Scene(
        {
            "leaf": LEAF.along([LEAF.vertices, LEAF.vertices + np.array([9, 0, 0]), LEAF.vertices]),
            "ball": fc.Sphere(0.5).at((np.eye(3), [9, 0, 1])),
        }
    )
    assert bent.first_contact() is not None  # it goes there and comes back


def test_what_follows_frames_is_asked_at_rest_where_it_rests():
    still = LEAF.along([LEAF.vertices] * 3)
    assert fc.distance(still, FLOOR).distance == 1.0
    with pytest.raises(ValueError, match="distance is for one instant, and a moves"):
        fc.distance(falling(), FLOOR)
    with pytest.raises(TypeError, match="first_contacts is for rigid bodies, and a deforms"):
        fc.first_contacts(falling(), FLOOR)
