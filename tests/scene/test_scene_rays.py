"""Rays at a scene: what is met first of all that each body's own cast finds."""

import numpy as np
import pytest
import trimesh

import firstcontact as fc

HERE = np.eye(3)


def crowd(rng):
    """Bodies of several kinds, some of which move or deform."""
    ball = fc.Mesh.from_trimesh(trimesh.creation.icosphere(1))
    places = rng.uniform(-4, 4, (6, 3))
    things = {
        "ball": fc.Sphere(0.8).at((HERE, places[0])),
        "box": fc.Box([1, 2, 1]).moving((HERE, places[1]), velocity=[1, 0, 0]),
        "mesh": ball.at((HERE, places[2])),
        "cloth": ball.deforming(ball.vertices + places[3], 2 * ball.vertices + places[3]),
        "pair": fc.Compound([fc.Sphere(0.5).at((HERE, places[4])), fc.Box([1, 1, 1]).at((HERE, places[5]))]),
        "floor": fc.HalfSpace([0, 0, 1], -5),
        "nothing": fc.Mesh(np.zeros((0, 3)), np.zeros((0, 3), int)),
    }
    return fc.Scene(things)


def then(thing, at):
    """A body at a moment, by the public names alone."""
    if thing.kind.name != "DEFORMING":
        return thing.shape.at(thing.pose(at))
    return fc.Mesh(thing.vertices(at), thing.shape.faces)


@pytest.mark.parametrize("at", [0.0, 0.6])
@pytest.mark.parametrize("span", [(0.0, np.inf), (-np.inf, np.inf), (0.2, 0.8)])
def test_the_first_of_all_bodies_is_met(at, span):
    rng = np.random.default_rng(3)
    scene, n = crowd(rng), 150
    origins, directions = rng.uniform(-6, 6, (n, 3)), rng.standard_normal((n, 3)) * 9
    found = scene.ray_cast(origins, directions, at=at, min_time=span[0], max_time=span[1])
    own = {
        name: fc.ray_cast(then(thing, at), origins, directions, min_time=span[0], max_time=span[1])
        for name, thing in scene.things.items()
    }
    least = np.min([one.time for one in own.values()], axis=0)
    np.testing.assert_array_equal(found.hits.time, least)
    np.testing.assert_array_equal(found.hits.hit, least < np.inf)
    assert len(set(found.names)) >= 5
    for i, name in enumerate(found.names):
        if name is None:
            assert least[i] == np.inf
            assert np.isnan(found.hits.points[i]).all()
            continue
        one = own[name]
        assert one.time[i] == least[i]
        np.testing.assert_array_equal(found.hits.points[i], one.points[i])
        np.testing.assert_array_equal(found.hits.normals[i], one.normals[i])
        assert found.hits.faces[i] == one.faces[i]


def test_single_rays_no_rays_and_wrong_moments():
    scene = fc.Scene(ball=fc.Sphere(1))
    one = scene.ray_cast([0, 0, 3], [0, 0, -2])
    assert (one.names, one.hits.time, repr(one)) == (
        "ball",
        1.0,
        "SceneRayHits('ball', RayHits(at 1, face -1))",
    )
    assert scene.ray_cast(np.zeros((0, 3)), [1, 0, 0]).names == []
    with pytest.raises(ValueError, match="at must be a finite number in"):
        scene.ray_cast([0, 0, 3], [0, 0, -2], at=1.5)
    with pytest.raises(ValueError, match="directions must not be zero"):
        scene.ray_cast([0, 0, 3], [0, 0, 0])
