"""Events of a scene: against closed forms, a referee in extended precision, and queues made anew."""

import pickle
from math import inf, sqrt
from threading import Thread

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.scene.events.event_queue import EventQueue

HERE, HERE_POSE = np.eye(3), np.eye(4)
WALLS = [(axis, sign) for axis in range(3) for sign in (-1.0, 1.0)]


def gas(n, seed, side=None, radius=0.3, speed=1.0):
    """Balls on a grid with jitter in a closed room, and their radius and the room's side."""
    rng = np.random.default_rng(seed)
    k = side or int(np.ceil(n ** (1 / 3)))
    grid = np.stack(np.meshgrid(*[np.arange(k)] * 3, indexing="ij"), -1).reshape(-1, 3)[:n] + 0.5
    places = grid + (rng.random((n, 3)) - 0.5) * (0.99 - 2 * radius)
    scene = fc.Scene({f"{i}": fc.Sphere(radius) for i in range(n)})
    scene.move(scene.ids, (HERE, places), velocity=speed * rng.normal(size=(n, 3)))
    for axis, sign in WALLS:
        normal = np.zeros(3)
        normal[axis] = -sign
        scene.add(f"wall {axis} {sign}", fc.HalfSpace(normal, -float(k) if sign > 0 else 0.0))
    return scene, radius, k


def respond(scene, event):
    """Let two equal balls exchange their speeds along the normal, or a wall throw one back."""
    (va, vb), normal = event.velocities, event.normal
    if event.b.startswith("wall"):
        scene.set(event.a, velocity=va - 2 * (va @ normal) * normal)
        return
    exchanged = ((va - vb) @ normal) * normal
    scene.set([event.a, event.b], velocity=[va - exchanged, vb + exchanged])


def states(scene, names):
    """Places and velocities of balls, in extended precision."""
    things = scene.things
    places = np.array([things[name].motion.pose(0.0)[:3, 3] for name in names], np.longdouble)
    velocities = np.array([things[name].motion.velocities[0, 0] for name in names], np.longdouble)
    return places, velocities


def referee_next(places, velocities, radius, side):
    """Time of the next contact of balls that come nearer, from now on, and between whom: closed forms."""
    i, j = np.triu_indices(len(places), 1)
    p, v = places[j] - places[i], velocities[j] - velocities[i]
    closing, speed = -(p * v).sum(1), (v * v).sum(1)
    beyond = (p * p).sum(1) - np.longdouble(2 * radius) ** 2
    squared = closing**2 - speed * beyond
    meets = (closing > 0) & (squared >= 0)
    times = np.full(len(i), np.longdouble(inf))
    times[meets] = beyond[meets] / (closing[meets] + np.sqrt(squared[meets]))
    with np.errstate(divide="ignore", invalid="ignore"):
        up = np.where(velocities > 0, (side - radius - places) / velocities, inf)
        down = np.where(velocities < 0, (radius - places) / velocities, inf)
    k, wall = int(np.argmin(times)), np.minimum(up, down)
    body, axis = np.unravel_index(np.argmin(wall), wall.shape)
    if wall[body, axis] < times[k]:
        sign = 1.0 if velocities[body, axis] > 0 else -1.0
        return wall[body, axis], {f"{body}", f"wall {axis} {sign}"}, abs(velocities[body, axis])
    root = np.sqrt(squared[k]) / (2 * radius)
    return times[k], {f"{i[k]}", f"{j[k]}"}, root


@pytest.mark.parametrize(("n", "radius"), [(2, 0.3), (12, 0.3), (27, 0.45), (40, 0.1)])
def test_events_are_those_of_a_referee_in_extended_precision(n, radius):
    scene, radius, side = gas(n, seed=n, radius=radius)
    names, tolerance = [f"{i}" for i in range(n)], 2e-6 * radius
    for _ in range(300):
        now, (places, velocities) = scene.time, states(scene, names)
        true, pair, closing = referee_next(places, velocities, radius, side)
        event = scene.next_contact()
        early = true - (np.longdouble(event.time) - now)
        assert early >= -1e-12  # positions of the scene at its time are rounded once more than its own
        assert early * closing <= 2 * tolerance or {event.a, event.b} != pair
        scene.advance(event.time)
        respond(scene, event)


def test_a_kept_queue_gives_the_events_of_one_made_anew():
    scene, _, _ = gas(60, seed=3)
    for _ in range(600):
        event, anew = scene.next_contact(), pickle.loads(pickle.dumps(scene)).next_contact()
        assert abs(event.time - anew.time) <= 1e-9
        assert (event.a, event.b) == (anew.a, anew.b)
        scene.advance(event.time)
        respond(scene, event)
    assert scene.time > 0.1


def test_elastic_balls_keep_their_energy_and_never_overlap():
    scene, radius, side = gas(125, seed=4, radius=0.4)
    names = [f"{i}" for i in range(125)]
    before = (states(scene, names)[1] ** 2).sum()
    for _ in range(10):
        found = scene.bounce(scene.time + 5.0, dict.fromkeys(names, 1.0), max_events=2000)
        assert len(found) > 100
        assert (np.diff(found.time) >= 0).all()
        places, velocities = states(scene, names)
        i, j = np.triu_indices(125, 1)
        assert np.linalg.norm((places[i] - places[j]).astype(float), axis=1).min() >= 2 * radius
        assert places.min() >= radius
        assert places.max() <= side - radius
        assert abs((velocities**2).sum() / before - 1) < 1e-9


def test_a_thrown_ball_bounces_on_the_floor():
    ball = fc.Sphere(1).moving((HERE, [0, 0, 6]), acceleration=[0, 0, -10])
    scene = fc.Scene(floor=fc.HalfSpace([0, 0, 1]), ball=ball)
    event = scene.next_contact()
    assert sqrt(1.0) - 1e-6 <= event.time <= 1.0
    assert event.normal.tolist() == [0, 0, 1]
    scene.advance(event.time)
    scene.set("ball", velocity=[0, 0, 10])
    again = scene.next_contact()
    assert event.time + 2.0 - 1e-6 <= again.time <= event.time + 2.0 + 1e-12


def test_a_ball_and_a_thrown_ball_meet_on_a_parabola():
    thrown = fc.Sphere(0.5).moving((HERE, [-4, 0, 0]), velocity=[2, 0, 10], acceleration=[0, 0, -10])
    scene = fc.Scene(peg=fc.Sphere(0.5), thrown=thrown)
    event, t = scene.next_contact(), np.linspace(0, 3, 3_000_001)
    distance = np.hypot(-4 + 2 * t, 10 * t - 5 * t * t)
    true = t[np.argmax(distance <= 1.0)]
    assert true - 1e-5 <= event.time <= true


def test_newtons_cradle_passes_its_push_on():
    scene = fc.Scene({f"{i}": fc.Sphere(0.5).at((HERE, [float(i), 0, 0])) for i in range(5)})
    scene.add("hit", fc.Sphere(0.5).moving((HERE, [-3, 0, 0]), velocity=[1, 0, 0]))
    found = scene.bounce(10, [1.0] * 6)
    assert len(found) == 5
    speeds = [scene[name].motion.velocities[0, 0, 0] for name in scene]
    assert np.allclose(speeds, [0, 0, 0, 0, 1, 0])
    assert found.time.max() <= 2.0


def test_bodies_that_touch_and_part_or_rest_are_in_no_contact():
    ball, other = fc.Sphere(0.5), fc.Sphere(0.5).at((HERE, [1, 0, 0]))
    scene = fc.Scene(a=ball, b=other, c=fc.Sphere(0.5), d=fc.Box([1, 1, 1]).at((HERE, [0, 0, 1])))
    assert not scene.next_contact()
    scene.set("b", velocity=[1, 0, 0])
    assert not scene.next_contact()
    scene.set("b", velocity=[-1, 0, 0])
    assert scene.next_contact().time == 0.0


def test_meshes_and_a_half_space_need_no_convex_shape():
    falling = fc.Box([1, 1, 1]).mesh.moving((HERE, [0, 0, 2]), velocity=[0, 0, -1])
    event = fc.Scene(mesh=falling, floor=fc.HalfSpace([0, 0, 1])).next_contact()
    assert 1.499 < event.time <= 1.5


def test_a_box_that_parts_from_a_ball_deep_in_it_is_looked_at_in_long_steps():
    ball = fc.Sphere(1).moving((HERE, [0, 0, 0]), angular_velocity=[-1, -1.5, 0.6])
    box = fc.Box([1, 1.5, 2]).moving((HERE, [0, 1.11, 0]), velocity=[1, 3, 2])
    assert not fc.Scene(ball=ball, box=box).next_contact(until=4)  # else it takes a minute


def test_boxes_that_turn_are_told_when_they_meet():
    turn = [0.3, 0.7, 1.1]
    box = fc.Box([1, 2, 3])
    scene = fc.Scene(
        a=box.moving((HERE, [0, 0, 0]), angular_velocity=turn),
        b=box.moving((HERE, [30, 0, 0]), velocity=[-2, 0, 0], angular_velocity=[1, 0, 0]),
    )
    event = scene.next_contact()
    # The same, asked of the two as one step of that length, and a little longer.
    span = 20.0
    one = box.moving((HERE, [0, 0, 0]), angular_velocity=span * np.array(turn))
    two = box.moving((HERE, [30, 0, 0]), velocity=[-2 * span, 0, 0], angular_velocity=[span, 0, 0])
    assert abs(fc.first_contact(one, two).time * span - event.time) < 1e-5
    scene.advance(event.time)
    at = scene.things
    distance = fc.distance(at["a"].shape.at(at["a"].motion.pose(0)), at["b"].shape.at(at["b"].motion.pose(0)))
    assert 0 < distance.distance < 1e-5


@pytest.mark.parametrize("kind", ["mesh", "compound", "half-space", "field"])
def test_other_kinds_are_searched_too(kind):
    floor = {
        "mesh": lambda: fc.Box([20, 20, 2]).mesh.at((HERE, [0, 0, -1])),
        "compound": lambda: fc.Compound([fc.Box([20, 20, 2]).at((HERE, [0, 0, -1]))]).at(np.eye(4)),
        "half-space": lambda: fc.HalfSpace([0, 0, 1]).at(np.eye(4)),
        "field": lambda: fc.DistanceField.of(fc.Box([4, 4, 2]).mesh, 0.1).at((HERE, [0, 0, -1])),
    }[kind]()
    cube = fc.Box([1, 1, 1]).moving((HERE, [0, 0, 10.5]), velocity=[0, 0, -1])
    scene = fc.Scene(floor=floor, cube=cube)
    event = scene.next_contact()
    slack = 0.3 if kind == "field" else 1e-4
    assert 10.0 - slack <= event.time <= 10.0
    scene.advance(event.time)
    scene.set("cube", velocity=[0, 0, 1])
    assert not scene.next_contact(until=100)
    scene.set("cube", acceleration=[0, 0, -1])
    again = scene.next_contact(until=100)
    assert event.time + 2 - slack <= again.time <= event.time + 2 + slack


def test_ignored_pairs_and_groups_are_let_through():
    ball = fc.Sphere(1)
    scene = fc.Scene(a=ball.moving(np.eye(4), velocity=[1, 0, 0]), b=ball.at((HERE, [5, 0, 0])))
    scene.add("c", ball.at((HERE, [9, 0, 0])))
    scene.ignore("a", "b")
    assert scene.next_contact().b == "c"
    scene.ignore_group("a", "b", "c")
    assert not scene.next_contact()
    scene.consider("a", "b")
    assert (scene.next_contact().a, scene.next_contact().b) == ("a", "b")


def test_the_step_of_other_queries_begins_at_the_scenes_time():
    ball = fc.Sphere(1)
    scene = fc.Scene(a=ball.moving(np.eye(4), velocity=[1, 0, 0]), b=ball.at((HERE, [5, 0, 0])))
    assert not scene.first_contact()
    scene.advance(2.5)
    assert abs(scene.first_contact().time - 0.5) < 1e-5
    assert abs(scene.next_contact().time - 3.0) < 1e-5
    scene.update(a=ball.at(np.eye(4)))
    assert not scene.next_contact()
    assert scene.time == 2.5


def test_a_look_from_later_on_leaves_the_queue_as_it_is():
    ball = fc.Sphere(1)
    scene = fc.Scene(a=ball.moving(np.eye(4), velocity=[1, 0, 0]), b=ball.at((HERE, [5, 0, 0])))
    scene.add("c", ball.at((HERE, [50, 0, 0])))
    assert scene.next_contact(after=10).b == "c"
    assert scene.next_contact().b == "b"


def test_bodies_that_fly_apart_end_the_queue():
    rng = np.random.default_rng(0)
    places = rng.normal(size=(300, 3)) * 30
    scene = fc.Scene({f"{i}": fc.Sphere(0.1) for i in range(300)})
    scene.move(scene.ids, (HERE, places), velocity=places)
    assert not scene.next_contact()


@pytest.mark.parametrize("speed", [1e-12, 1e9, 1e20])
def test_any_speed_is_well(speed):
    ball = fc.Sphere(1)
    scene = fc.Scene(a=ball.moving(np.eye(4), velocity=[speed, 0, 0]), b=ball.at((HERE, [5, 0, 0])))
    assert 0.999999 * 3 / speed <= scene.next_contact().time <= 3 / speed


def test_coincident_bodies_are_in_contact_when_they_come_nearer_only():
    ball = fc.Sphere(1)
    scene = fc.Scene(a=ball, b=ball, c=fc.Box([1, 1, 1]), d=fc.Box([1, 1, 1]))
    assert not scene.next_contact(until=10)
    scene.set("a", velocity=[1, 0, 0])
    assert not scene.next_contact(until=0.25)


def test_what_has_no_motion_beyond_its_step_is_refused():
    sheet = fc.Box([1, 1, 1]).mesh
    scene = fc.Scene(sheet=sheet.deforming(sheet.vertices, 2 * sheet.vertices))
    with pytest.raises(TypeError, match="'sheet' deforms, and has no motion beyond its step"):
        scene.next_contact()
    scene = fc.Scene(a=fc.Sphere(1).along([np.eye(4)] * 3))
    with pytest.raises(TypeError, match="moves along a path of its own"):
        scene.next_contact()


def test_bad_values_get_a_sentence():
    scene = fc.Scene(a=fc.Sphere(1))
    with pytest.raises(KeyError, match="no body is named 'b'"):
        scene.set("b", velocity=[0, 0, 0])
    with pytest.raises(ValueError, match="velocity"):
        scene.set("a", velocity=[0, 0, np.nan])
    with pytest.raises(ValueError, match="after must not be before"):
        scene.next_contact(after=-1)
    with pytest.raises(ValueError, match="masses must be positive"):
        scene.bounce(1, [0.0])
    with pytest.raises(ValueError, match="masses must be one for each of 1"):
        scene.bounce(1, [1.0, 1.0])


def test_threads_may_use_one_scene():
    scene, _, _ = gas(30, seed=7)
    faults = []

    def play():
        try:
            for _ in range(50):
                event = scene.next_contact()
                if event:
                    scene.set(event.a, velocity=np.random.default_rng().normal(size=3))
                scene.bounce(scene.time + 1.0, {"0": 1.0}, max_events=3)
        except ValueError as error:  # another was faster: its time is past
            if "before the scene's" not in str(error):
                faults.append(error)
        except Exception as error:
            faults.append(error)

    threads = [Thread(target=play) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults
    assert scene.time > 0


def test_answers_travel_and_compare():
    scene, _, _ = gas(5, seed=1)
    event = scene.next_contact()
    assert pickle.loads(pickle.dumps(event)) == event
    found = scene.bounce(2.0, [1.0] * 5 + [inf] * 6)
    assert pickle.loads(pickle.dumps(found)) == found


def test_balls_far_apart_meet_when_they_do_and_not_before():
    for way in (1e3, 1e6, 1e9):
        scene = fc.Scene(a=fc.Sphere(0.5).moving(HERE_POSE, velocity=[1, 0, 0]))
        scene.add("b", fc.Sphere(0.5).at((HERE, [way + 1.0, 0, 0])))
        scene.advance(0.25 * way)
        event = scene.next_contact()
        assert way * (1 - 1e-12) - 1e-5 <= event.time <= way


def test_speeds_that_have_no_squares_are_none_and_such_masses_refused():
    scene = fc.Scene(a=fc.Sphere(0.5).moving(HERE_POSE, velocity=[1e-300, 0, 0]))
    scene.add("b", fc.Sphere(0.5).at((HERE, [3, 0, 0])))
    assert not scene.next_contact()
    scene.set("a", velocity=[1e-110, 0, 0])
    assert scene.next_contact().time == pytest.approx(2e110, rel=1e-5)
    for mass, error in ((1e-320, ValueError), (0.0, ValueError), ("heavy", TypeError), (None, TypeError)):
        with pytest.raises(error, match="masses must be"):
            scene.bounce(1.0, {"a": mass})


def test_a_bounce_that_is_interrupted_leaves_bodies_at_the_last_contact(monkeypatch):
    scene, radius, side = gas(27, seed=5)
    masses = [1.0] * 27 + [inf] * 6
    scene.bounce(0.1, masses)
    whole, calls = EventQueue.bounce, []

    def interrupted(queue, *args):
        calls.append(whole(queue, *args))
        if len(calls) == 2:
            raise KeyboardInterrupt
        return calls[-1]

    monkeypatch.setattr(EventQueue, "bounce", interrupted)
    with pytest.raises(KeyboardInterrupt):
        scene.bounce(1e6, masses, max_events=5000)
    monkeypatch.undo()
    assert scene.time > 0.1
    places, _ = states(scene, [str(i) for i in range(27)])
    assert places.min() >= radius - 1e-9
    assert places.max() <= side - radius + 1e-9
    assert scene.next_contact().time >= scene.time
