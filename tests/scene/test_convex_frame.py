"""Frames of a scene in one pass: the same answers as each pair asked by itself."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import firstcontact as fc
from firstcontact._jit import threads_limited
from firstcontact.scene import convex_frame
from scene.scenes import random_motion, random_things


def _moved(scene, rng):
    """The next step: some bodies have other motions, one leaves, one comes."""
    names = [name for name in scene.names if name.startswith("body")]
    some = [name for name in names if rng.random() < 0.5]
    turns = np.tile(np.eye(3), (len(some), 1, 1))
    scene.move(
        some, (turns, 2.0 * rng.uniform(-1, 1, (len(some), 3))), velocity=rng.normal(size=(len(some), 3))
    )
    scene.remove(names[int(rng.integers(len(names)))])
    scene.add(f"body {scene.revision} more", random_motion(fc.Box([0.5, 0.4, 0.3]), rng))


@pytest.mark.parametrize("broad_phase", ["sweep", "tree"])
@pytest.mark.parametrize("seed", range(3))
def test_frames_are_those_of_pairs_asked_by_themselves(broad_phase, seed):
    rng = np.random.default_rng(seed)
    scene = fc.Scene(random_things(14, seed, meshes=True), broad_phase=broad_phase)
    for _ in range(3):
        found, things = scene.contacts(), scene.things
        times = dict(zip(found.names, found.time.tolist(), strict=True))
        names = list(things)
        for i, a in enumerate(names):
            for b in names[i + 1 :]:
                own = fc.first_contact(things[a], things[b], tolerance=1e-7)
                assert bool(own) == ((a, b) in times)
                if own:
                    assert times[a, b] == pytest.approx(own.time, abs=1e-4)
        _moved(scene, rng)


@pytest.mark.parametrize("seed", range(3))
def test_one_and_two_threads_give_the_same_bytes(seed, monkeypatch):
    monkeypatch.setattr(convex_frame, "WORTH_A_THREAD", 4)
    things = random_things(60, seed, meshes=True)
    told = []
    for n_threads in (1, 2):
        with threads_limited(n_threads):
            found = fc.Scene(things).contacts()
        told.append([array.tobytes() for array in (found.ids, found.time, found.points, found.normals)])
    assert told[0] == told[1]
    assert len(found) > 4


def test_only_some_bodies_are_asked_about():
    things = random_things(40, 5, meshes=True)
    scene = fc.Scene(things)
    found, some = scene.contacts(), ["body 3", "body 7", "cloth"]
    own = scene.contacts(of=some)
    is_meant = [bool({a, b} & set(some)) for a, b in found.names]
    assert own.names == [pair for pair, meant in zip(found.names, is_meant, strict=True) if meant]
    np.testing.assert_array_equal(own.time, found.time[is_meant])
    np.testing.assert_array_equal(own.normals, found.normals[is_meant])
    assert scene.safe_step(of=some) == own.time[0] == scene.first_contact(of=some).time
    assert len(scene.contacts(of=[])) == 0
    assert scene.contacts(of=scene.ids) == found
    assert scene.contacts(of=[int(scene.ids[3])]) == scene.contacts(of="body 3")
    assert len(scene.contacts(of="body 3")) == sum("body 3" in pair for pair in found.names)
    with pytest.raises(KeyError, match="no body is named 'bod'"):
        scene.contacts(of=["bod"])
    with pytest.raises(KeyError, match="no body has the id 99"):
        scene.first_contact(of=np.array([99]))


def test_meshes_of_the_same_content_are_asked_together():
    cube = fc.Box([1.0, 1.0, 1.0]).mesh
    places = np.random.default_rng(0).uniform(-2, 2, (20, 3))

    def scene_of(meshes):
        return fc.Scene(
            {str(i): m.at((np.eye(3), p)) for i, (m, p) in enumerate(zip(meshes, places, strict=True))}
        )

    shared = scene_of([cube] * 20)
    own = scene_of([fc.Mesh(cube.vertices, cube.faces) for _ in range(20)])
    assert len(np.unique(own._bodies.columns.shape_ids[:20])) == 1
    found = shared.contacts()
    assert len(found) > 3
    assert own.contacts() == found


def _poses_of(things):
    """Poses at the start and at the end of bodies, as one would give them again."""
    return tuple(np.stack([thing.pose(t) for thing in things.values()]) for t in (0.0, 1.0))


@pytest.mark.parametrize("broad_phase", ["auto", "sweep", "tree"])
@pytest.mark.parametrize("n", [40, 160])
def test_bodies_that_all_go_from_pose_to_pose_are_those_of_a_scene_made_anew(n, broad_phase, monkeypatch):
    """Rows of motion are made of who is looked at, on one and two threads; answers stay as they were."""
    rng, names = np.random.default_rng(n), [f"body {i}" for i in range(n)]
    shapes = (fc.Box([0.3, 0.2, 0.2]), fc.Sphere(0.15), fc.ConvexHull(0.3 * rng.random((30, 3))))
    all_shapes = [*(shapes[i % 3] for i in range(n)), fc.Box([0.4, 0.4, 0.4]).mesh]
    scene = fc.Scene(dict(zip([*names, "mesh"], all_shapes, strict=True)), broad_phase=broad_phase)
    places, kept = 2.0 * rng.random((n + 1, 3)), []
    starts = Rotation.random(n + 1, rng=rng).as_matrix()
    for turn in (0.1, 0.2, 2.0):
        turns = Rotation.from_rotvec(turn * rng.normal(size=(n + 1, 3)))
        ends, goals = turns.as_matrix() @ starts, places + 0.2 * rng.normal(size=(n + 1, 3))
        scene.move(scene.ids, (starts, places), (ends, goals))
        monkeypatch.setattr(convex_frame, "WORTH_A_THREAD", 4 if turn == 0.2 else 1024)
        with threads_limited(2):
            found, first = scene.contacts(), scene.first_contact()
        anew = fc.Scene(scene.things, broad_phase=broad_phase)
        assert found == anew.contacts()
        assert scene.pairs() == anew.pairs()
        assert len(found) > 3
        assert first == anew.first_contact()
        assert first.time == found.time[0] == scene.safe_step()
        assert (first.a, first.b) in found.names
        assert list(first.things) == [first.a, first.b]
        things = [
            shape.moving((starts[i], places[i]), (ends[i], goals[i])) for i, shape in enumerate(all_shapes)
        ]
        for (i, j), time in zip(found.ids.tolist(), found.time.tolist(), strict=True):
            own = fc.first_contact(things[i], things[j], tolerance=1e-7)
            assert time == pytest.approx(own.time, abs=1e-4)
        kept.append((found, found.ids.copy(), found.time.copy(), _poses_of(found.things)))
        starts, places = ends, goals
    for found, ids, time, poses in kept:
        np.testing.assert_array_equal(found.ids, ids)
        np.testing.assert_array_equal(found.time, time)
        np.testing.assert_array_equal(_poses_of(found.things), poses)
