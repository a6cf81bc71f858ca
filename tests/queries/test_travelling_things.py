"""Scenes, robots and shapes are copied and sent elsewhere, without what was worked out of them."""

import copy
import pickle

import numpy as np
import pytest

import firstcontact as fc
from queries.every_answer import ARM, BALL, BOX, CUBE, HERE, OBSTACLES, THERE, path, scene


def sent(thing, protocol=pickle.HIGHEST_PROTOCOL):
    return pickle.loads(pickle.dumps(thing, protocol))


@pytest.mark.parametrize("duplicate", [sent, copy.copy, copy.deepcopy])
def test_scenes_travel(duplicate):
    world = scene()
    world.ignore("ball", "box")
    world.remove("cube")
    world.add("late", BOX.at((np.eye(3), [0, 0.5, 0])))
    twin = duplicate(world)
    assert twin.names == world.names
    assert twin.ids.tolist() == world.ids.tolist() == [0, 1, 3, 4]
    assert twin.revision == world.revision
    assert twin.contacts() == world.contacts()
    assert twin.first_contact() == world.first_contact()
    assert twin.pair_ids().tolist() == world.pair_ids().tolist()
    twin.consider("ball", "box")
    twin.add("later", BALL)
    assert twin.ids.tolist()[-1] == 5
    assert "later" not in world
    assert ("box", "ball") not in world.pairs()
    assert ("box", "ball") in twin.pairs()


def test_a_scene_keeps_how_it_looks_for_pairs():
    world = fc.Scene({"a": BALL, "b": BALL}, broad_phase="tree")
    assert sent(world)._candidates.method == "tree"


def arrays_in(thing, path="", seen=None):
    """All arrays in a thing, and whether they can be written to."""
    seen = set() if seen is None else seen
    if isinstance(thing, np.ndarray):
        yield path, thing
    elif id(thing) not in seen:
        seen.add(id(thing))
        names = [name for kind in type(thing).__mro__ for name in getattr(kind, "__slots__", ())]
        items = [(name, getattr(thing, name, None)) for name in names if name[:2] != "__"]
        items += vars(thing).items() if hasattr(thing, "__dict__") else ()
        items = thing.items() if isinstance(thing, dict) else items
        items = enumerate(thing) if isinstance(thing, list | tuple) else items
        for key, value in items:
            yield from arrays_in(value, f"{path}.{key}", seen)


THINGS = {
    "rigid": CUBE.moving(THERE, HERE),
    "along": CUBE.along([HERE, THERE, HERE]),
    "deforming": CUBE.deforming(CUBE.vertices, CUBE.vertices + 1),
    "ball": BALL.at(HERE),
    "box": fc.Box([1, 2, 3]).at(HERE),
    "capsule": fc.Capsule(1, 2).at(HERE),
    "cylinder": fc.Cylinder(1, 2).at(HERE),
    "ellipsoid": fc.Ellipsoid([1, 2, 3]).at(HERE),
    "hull": fc.ConvexHull(np.random.default_rng(0).normal(size=(20, 3))).at(HERE),
    "field": fc.HeightField(np.zeros((3, 4))).at(HERE),
    "robot": path(),
    "joint": ARM.joints[0],
}


@pytest.mark.parametrize("duplicate", [sent, copy.deepcopy])
@pytest.mark.parametrize("name", THINGS)
def test_things_travel_and_cannot_be_written_to_there_either(name, duplicate):
    _ = THINGS[name].motion if name != "joint" else None  # which is made when it is first asked for
    found, there = dict(arrays_in(THINGS[name])), dict(arrays_in(duplicate(THINGS[name])))
    assert there
    there.pop(".rows", None)  # the pieces of the motion again
    for place, array in there.items():
        assert array.tobytes() == found[place].tobytes(), place
        assert array.flags.writeable == found[place].flags.writeable, place


def test_what_is_kept_with_a_shape_stays():
    hull = fc.ConvexHull(np.random.default_rng(1).normal(size=(500, 3)))
    small = len(pickle.dumps(hull))
    fc.distance(hull, BALL.at(THERE))
    fc.ray_cast(hull, [9, 9, 9], [-1, -1, -1])
    assert len(pickle.dumps(hull)) == small
    assert sent(hull).mesh.content is hull.mesh.content


def test_what_is_kept_with_a_robot_stays():
    arm = sent(ARM)
    small = len(pickle.dumps(arm))
    first = fc.first_contact(arm.moving([0.0, 0.0], [3.0, 0.0]), OBSTACLES)
    assert len(pickle.dumps(arm)) == small
    assert fc.first_contact(sent(arm).moving([0.0, 0.0], [3.0, 0.0]), OBSTACLES) == first


def test_a_mesh_that_several_links_have_travels_once():
    vertices = np.random.default_rng(2).normal(size=(3000, 3))
    mesh = fc.Mesh(vertices, np.arange(3000).reshape(-1, 3))
    joints = [fc.Joint(f"j{i}", "revolute", f"l{i}", f"l{i + 1}") for i in range(4)]
    robot = fc.Robot({f"l{i}": mesh for i in range(5)}, joints)
    assert len(pickle.dumps(robot)) < 1.2 * len(pickle.dumps(mesh))
    parts = sent(robot).parts
    assert all(part.shape is parts[0].shape for part in parts)
    assert len({id(part.shape) for part in copy.deepcopy(robot).parts}) == 1
