"""Scenes of polygons and polylines: every two bodies are asked about as if they were alone."""

import pickle
from itertools import combinations

import numpy as np
import pytest

import firstcontact as fc
from oracles.plane_shapes import comb, flower, frame

TOLERANCE = 1e-6
SQUARE = fc.Polygon([[0, 0], [1, 0], [1, 1], [0, 1]])
WALL = fc.Polyline([[-9, 0], [9, 0]])
SHAPES = [flower(7, 3), frame(), comb(2), WALL, SQUARE, SQUARE]


def bodies(rng, n):
    found = {}
    for k in range(n):
        shape, start = SHAPES[rng.integers(len(SHAPES))], (rng.uniform(0, 7), rng.uniform(-9, 9, 2))
        kind = rng.integers(5)
        if kind == 0:
            found[f"b{k}"] = shape.at(start)
        elif kind == 1:
            before = shape.vertices + rng.uniform(-9, 9, 2)
            after = before + rng.uniform(-5, 5, 2) + rng.normal(0, 0.2, before.shape)
            found[f"b{k}"] = shape.deforming(before, after)
        elif kind == 2:
            found[f"b{k}"] = shape.along((np.array([0, 1, 3.0]), rng.uniform(-9, 9, (3, 2))))
        else:
            thrown = {"acceleration": rng.uniform(-4, 4, 2)} if kind == 3 else {}
            velocity, turn = rng.uniform(-6, 6, 2), rng.uniform(-4, 4)
            found[f"b{k}"] = shape.moving(start, velocity=velocity, angular_velocity=turn, **thrown)
    return found


def alone(things, ask):
    """Times of the first contacts of all pairs, and of what deforms with itself."""
    found = {}
    for a, b in [*combinations(things, 2), *((name, name) for name in things)]:
        if a != b:
            found[a, b] = ask(things[a], things[b]).time
        elif isinstance(things[a].motion, type(SQUARE.deforming(SQUARE.vertices, SQUARE.vertices).motion)):
            found[a, a] = fc.first_contact(things[a]).time
    return {pair: time for pair, time in found.items() if time < np.inf}


def asked(a, b):
    rigid = all(hasattr(thing.motion, "pieces") for thing in (a, b))
    return fc.first_contact(a, b, **({"tolerance": TOLERANCE} if rigid else {}))


@pytest.mark.parametrize("broad_phase", ["auto", "sweep", "tree", "image"])
def test_contacts_are_those_of_the_pairs(broad_phase):
    rng, n_contacts = np.random.default_rng(4), 0
    for _ in range(4):
        things = bodies(rng, 12)
        scene = fc.Scene(things, broad_phase=broad_phase)
        found, truth = scene.contacts(tolerance=TOLERANCE), alone(scene.things, asked)
        assert set(found.names) == set(truth)
        times = [truth[pair] for pair in found.names]
        assert np.allclose(found.time, times, atol=1e-5)
        assert found.points.shape == found.normals.shape == (len(found), 2)
        first = scene.first_contact(tolerance=TOLERANCE)
        assert first.time == scene.safe_step(tolerance=TOLERANCE) == min(found.time)
        assert set(found.names) <= set(scene.pairs(tolerance=TOLERANCE))
        n_contacts += len(found)
        assert pickle.loads(pickle.dumps(scene)).first_contact(tolerance=TOLERANCE) == first
    assert n_contacts > 40


def test_what_stands_is_near_and_met_by_rays():
    rng = np.random.default_rng(9)
    things = {f"b{k}": SHAPES[k % 6].at((rng.uniform(0, 7), rng.uniform(-6, 6, 2))) for k in range(9)}
    scene = fc.Scene(things)
    found = scene.near(within=2)
    told = dict(zip(zip(found.a, found.b, strict=True), found.distance, strict=True))
    for a, b in combinations(things, 2):
        own = fc.near(things[a], things[b], within=2)
        assert ([told[a, b]] if (a, b) in told else []) == own.distance.tolist()
    assert len(found) > 5
    assert found.gradient.shape == (len(found), 2, 3)
    least = min(fc.clearance(things[a], things[b]).distance for a, b in combinations(things, 2))
    assert scene.clearance().distance == least
    origins, ways = rng.uniform(-9, 9, (2, 60, 2))
    seen = scene.ray_cast(origins, ways)
    each = {name: fc.ray_cast(thing, origins, ways).time for name, thing in things.items()}
    assert seen.hits.time.tolist() == np.min(list(each.values()), axis=0).tolist()
    for name, time, k in zip(seen.names, seen.hits.time, range(60), strict=True):
        assert (name is None and time == np.inf) or each[name][k] == time
    assert seen.hits.points.shape == (60, 2)


def test_many_are_moved_at_once():
    scene = fc.Scene({f"s{k}": SQUARE for k in range(5)})
    starts = np.stack([3.0 * np.arange(5), np.zeros(5)], axis=1)
    scene.move(scene.ids, (np.zeros(5), starts), velocity=[[4, 0], *[[0, 0]] * 4], angular_velocity=0.0)
    first = scene.first_contact()
    assert (first.a, first.b) == ("s0", "s1")
    assert 0.5 - 1e-6 < first.time <= 0.5 <= first.contact.time_upper < 0.5 + 1e-6
    scene.move(["s0"], (0.0, [0, 9]), (0.0, [0, 8.5]))
    assert not scene.first_contact()
    scene.update(s0=SQUARE.deforming(SQUARE.vertices, SQUARE.vertices + np.array([4, 0])))
    seen = scene.ray_cast([-1, 0.5], [1, 0], at=0.25)
    assert (seen.names, seen.hits.time) == ("s0", 2.0)
    with pytest.raises(TypeError, match=r"^'s0' deforms"):
        scene.move(["s0"], (0.0, [0, 9]))
    assert 0.5 - 1e-6 < scene.contacts().between("s0", "s1").time[0] <= 0.5


def test_what_a_scene_of_the_plane_refuses():
    scene = fc.Scene(wall=WALL, square=SQUARE.at((0.0, [0, 0])))
    for change in (lambda: scene.add("ball", fc.Sphere(1)), lambda: scene.update(wall=fc.Sphere(1))):
        with pytest.raises(ValueError, match=r"^bodies of a scene are all in the plane or all in space; '"):
            change()
    with pytest.raises(ValueError, match=r"'wall' is in the plane, 'ball' is not$"):
        fc.Scene(ball=fc.Sphere(1), wall=WALL)
    assert scene.names == ["wall", "square"]
    for ask in (
        scene.next_contact,
        lambda: scene.advance(1),
        lambda: scene.set("wall", velocity=[1, 0]),
        lambda: scene.bounce(1, [1, 1]),
    ):
        with pytest.raises(TypeError, match=r"^events of a scene are of bodies in space"):
            ask()
    with pytest.raises(TypeError, match=r"^manifold knows no things in the plane"):
        scene.contacts().manifold()
    assert scene.feature_contacts().others == ["wall", "square"]
    scene.update(wall=fc.Sphere(1), square=fc.Sphere(1))  # all at once
    assert scene.first_contact()
    assert len(fc.Scene(a=fc.Polyline([]), b=fc.Polygon([])).contacts()) == 0
