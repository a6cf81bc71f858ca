"""Scenes of which more bodies overlap than are listed."""

import subprocess
import sys
from itertools import pairwise

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.broadphase import overlaps
from firstcontact.broadphase.dynamic_tree import DynamicTree
from firstcontact.broadphase.sweep_and_prune import SweepAndPrune
from firstcontact.scene import candidates, state
from firstcontact.scene.scene import Scene
from scene.scenes import CUBE, random_things

BALL = fc.Sphere(1.0)


@pytest.fixture
def few_are_many(monkeypatch):
    """Let seven pairs be too many to list, and parts be short."""
    few = {"sweep": lambda: SweepAndPrune(most_pairs=7), "tree": lambda: DynamicTree(most_pairs=7)}
    monkeypatch.setattr(candidates, "BROAD_PHASES", few)
    monkeypatch.setattr(overlaps, "PART", 16)
    monkeypatch.setattr(state, "CHUNK", 5)


@pytest.mark.parametrize("broad_phase", ["sweep", "tree"])
@pytest.mark.parametrize("seed", range(3))
def test_a_crowd_has_the_answers_of_a_list(seed, broad_phase, request):
    things, others = random_things(25, seed, meshes=True), random_things(25, seed + 50, meshes=True)

    def asked(scene):
        contacts, first = scene.contacts(), scene.first_contact()
        arrays = contacts.ids, contacts.time, contacts.points, contacts.normals, contacts.status
        listed = scene.pairs(), scene.pair_ids().tolist(), contacts.names
        return listed, [array.tobytes() for array in arrays], first.time, scene.safe_step()

    def steps(scene):
        yield asked(scene)
        scene.ignore_group(*(f"body {i}" for i in range(9)))
        scene.consider("body 1", "body 2")
        scene.ignore("cloth", "cloth")
        yield asked(scene)
        scene.remove("body 3", "body 4")
        scene.update({name: others[name] for name in ("body 1", "body 7", "mesh 1")})
        yield asked(scene)
        scene.remove(*(f"body {i}" for i in range(5, 25)))  # fewer than are too many
        yield asked(scene)

    expected = list(steps(Scene(things, broad_phase=broad_phase)))
    request.getfixturevalue("few_are_many")
    assert list(steps(Scene(things, broad_phase=broad_phase))) == expected
    assert len(expected[0][0][0]) > 20


def test_no_more_pairs_are_looked_at_once_one_touches_at_the_start(few_are_many):
    scene = Scene({f"{i}": BALL for i in range(40)}, broad_phase="sweep")
    first = scene.first_contact()
    assert (first.time, first.a, first.b) == (0.0, "0", "1")
    assert first.stats.pairs < 100 < 40 * 39 // 2


def test_a_list_that_is_too_long_is_refused():
    scene = Scene({f"{i}": BALL for i in range(5)})
    assert len(scene.pairs(max_pairs=10)) == len(scene.pair_ids(max_pairs=10)) == 10
    assert len(scene.contacts(max_contacts=10)) == 10
    for ask in (scene.pairs, scene.pair_ids):
        with pytest.raises(ValueError, match="more than 9 pairs of bodies overlap, as many as max_pairs"):
            ask(max_pairs=9)
    with pytest.raises(ValueError, match="more than 9 pairs of bodies touch, as many as max_contacts allows"):
        scene.contacts(max_contacts=9)
    with pytest.raises(ValueError, match="max_pairs must be an integer"):
        scene.pairs(max_pairs=0)


def test_parts_of_overlaps_are_all_pairs_in_order(monkeypatch):
    monkeypatch.setattr(overlaps, "PART", 50)
    rng = np.random.default_rng(0)
    low = rng.uniform(0, 3, (60, 3))
    boxes, is_active = np.concatenate([low, low + 1], axis=1), rng.random(60) < 0.8
    boxes[:20] = boxes[0]
    parts = list(overlaps.Overlaps(boxes, is_active).parts())
    expected = [
        [i, j]
        for i in range(60)
        for j in range(i + 1, 60)
        if is_active[i] and is_active[j]
        and (boxes[i, :3] <= boxes[j, 3:]).all() and (boxes[j, :3] <= boxes[i, 3:]).all()
    ]  # fmt: skip
    assert np.concatenate([part.pairs for part in parts]).tolist() == expected
    assert len(parts) > 3
    ends = [(part.first, part.last) for part in parts]
    assert ends[0][0] == 0
    assert ends[-1][1] == 60
    assert all(a[1] == b[0] for a, b in pairwise(ends))
    assert list(overlaps.Overlaps(boxes[:0], is_active[:0]).parts()) == []


def test_deforming_bodies_are_pairs_with_themselves_in_a_crowd(few_are_many):
    clothes = {f"{i}": CUBE.deforming(CUBE.vertices, CUBE.vertices) for i in range(8)}
    pairs = Scene(clothes, broad_phase="sweep").pairs()
    assert pairs == [(f"{i}", f"{j}") for i in range(8) for j in range(i, 8)]


@pytest.mark.parametrize("broad_phase", ["sweep", "tree"])
def test_one_number_of_a_crowd_takes_little_memory(broad_phase):
    pytest.importorskip("resource")
    script = f"""
import resource
import firstcontact as fc
ball = fc.Sphere(1.0)
fc.Scene(a=ball, b=ball).safe_step()
scene = fc.Scene({{f"{{i}}": ball for i in range(12_000)}}, broad_phase="{broad_phase}")
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
assert scene.safe_step() == 0.0
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
    ran = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert int(ran.stdout) < 400_000  # kilobytes; all pairs would take three million
