"""Frames of a scene in one pass: the same answers as each pair asked by itself."""

import numpy as np
import pytest

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
