"""All contacts of the features of a scene's meshes, against each pair asked by itself."""

import numpy as np
import pytest

import firstcontact as fc

HERE = np.eye(3)


def sheet(n, side=1.0):
    x, y = np.meshgrid(*[np.linspace(0, side, n)] * 2, indexing="ij")
    ids = np.arange(n * n).reshape(n, n)
    a, b, c, d = (part.ravel() for part in (ids[:-1, :-1], ids[1:, :-1], ids[1:, 1:], ids[:-1, 1:]))
    faces = np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])
    return fc.Mesh(np.stack([x, y, 0 * x], axis=-1).reshape(-1, 3), faces)


def mixed_scene(seed):
    rng = np.random.default_rng(seed)
    cloth, bodies = sheet(4), {}
    for k in range(5):
        start = cloth.vertices + [0.2 * k, 0.1 * k, 0.3 * k] + 0.05 * rng.normal(size=cloth.vertices.shape)
        bodies[f"cloth {k}"] = cloth.deforming(start, start + rng.normal(size=start.shape) * 0.3)
    bodies["ball"] = fc.Sphere(9.0)
    block = fc.Box([0.4, 0.4, 0.4]).mesh
    bodies["block"] = block.moving(
        (HERE, [0.5, 0.5, 3.0]), velocity=[0, 0, -3.0], angular_velocity=[0, 0, 1.0]
    )
    bodies["rest"] = block.at((HERE, [0.5, 0.5, -0.4]))
    return fc.Scene(bodies)


def keys(names, found):
    rows = zip(names, found.kind.tolist(), found.ids_a.tolist(), found.ids_b.tolist(), strict=True)
    return {(pair, *row) for pair, *row in rows}


@pytest.mark.parametrize("seed", range(4))
def test_features_are_those_of_each_pair_by_itself(seed):
    scene = mixed_scene(seed)
    found, things = scene.feature_contacts(), scene.things
    assert found.others == ["ball"]
    expected = set()
    for i, a in enumerate(found.bodies):
        if a.startswith("cloth"):
            own = fc.contacts(things[a])
            expected |= keys([(a, a)] * len(own), own)
        for b in found.bodies[i + 1 :]:
            if a.startswith("cloth"):
                own = fc.contacts(things[a], things[b])
                expected |= keys([(a, b)] * len(own), own)
    listed = {key for key in keys(found.names, found.contacts) if key[0][0].startswith("cloth")}
    assert len(expected) > 20
    assert listed == expected


def test_ids_are_those_of_the_scene_and_what_is_ignored_is_left_out():
    scene = mixed_scene(0)
    before = scene.feature_contacts()
    assert [tuple(scene.names[k] for k in pair) for pair in before.ids.tolist()] == before.names
    pair = before.names[0]
    scene.ignore(*pair)
    after = scene.feature_contacts()
    assert pair not in after.names
    assert len(after) == sum(names != pair for names in before.names)
    assert len(after.ids) == len(after) == len(after.contacts.gap)


def test_a_scene_without_meshes_has_no_features():
    found = fc.Scene(ball=fc.Sphere(1), box=fc.Box([1, 1, 1])).feature_contacts()
    assert (len(found), found.bodies, found.others) == (0, [], ["ball", "box"])
