"""Many bodies that deform, searched as one problem: the contacts of each pair asked by itself."""

import numpy as np
import pytest

import firstcontact as fc
from firstcontact._jit import threads_limited
from firstcontact.scene import deforming_pairs

GRID = np.array([[i, j] for i in range(3) for j in range(3)], float)
FACES = np.array([[a, a + 3, a + 4] for a in (0, 1, 3, 4)] + [[a, a + 4, a + 1] for a in (0, 1, 3, 4)])


def _sheets(seed, n=9):
    rng, things = np.random.default_rng(seed), {}
    for i in range(n):
        flat = np.column_stack([0.5 * GRID, 0.02 * rng.normal(size=9)])
        start = flat @ np.linalg.qr(rng.normal(size=(3, 3)))[0] + rng.uniform(-0.8, 0.8, 3)
        end = start + 0.3 * rng.normal(size=3) + 0.05 * rng.normal(size=(9, 3))
        sheet = fc.Mesh(start, FACES)
        resting, moving = sheet.at(np.eye(4)), sheet.deforming(start, end)
        things[str(i)] = resting if i % 4 == 3 else moving
    things["turning"] = fc.Box([0.3, 0.3, 0.3]).mesh.moving(np.eye(4), angular_velocity=[0, 0, 1.0])
    things["steps"] = fc.Mesh(start, FACES).along([start, end, start], [0, 0.5, 1])
    things["thick"] = fc.Mesh(start, FACES, thickness=0.01).deforming(start, end)
    return things


@pytest.mark.parametrize("broad_phase", ["auto", "sweep", "tree"])
@pytest.mark.parametrize("seed", range(2))
def test_contacts_are_those_of_each_pair_by_itself(seed, broad_phase, monkeypatch):
    scene = fc.Scene(_sheets(seed), broad_phase=broad_phase)
    scene.ignore("0", "1")
    told = []
    for most, n_threads in ((deforming_pairs.MANY, 1), (deforming_pairs.MANY, 2), (1 << 30, 1)):
        monkeypatch.setattr(deforming_pairs, "MANY", most)
        with threads_limited(n_threads):
            told.append(scene.contacts(min_separation=0.01 * seed))
    together, on_two, by_pairs = told
    assert together == on_two
    assert len(together) > 8
    key = [pair for pair in together.names if pair != ("0", "1")]
    assert sorted(key) == sorted(by_pairs.names)
    times = dict(zip(by_pairs.names, by_pairs.time.tolist(), strict=True))
    for pair, time in zip(together.names, together.time.tolist(), strict=True):
        assert times[pair] - 1e-9 <= time <= times[pair] + 1e-9
    some = scene.contacts(of=["2", "5"], min_separation=0.01 * seed)
    assert set(some.names) == {pair for pair in by_pairs.names if {"2", "5"} & set(pair)}


def test_what_a_list_refuses_is_asked_pair_by_pair(monkeypatch):
    scene = fc.Scene(_sheets(5))
    before = scene.contacts()

    def refuse(*_, **__):
        raise ValueError("no")

    monkeypatch.setattr(deforming_pairs, "contacts", refuse)
    assert sorted(scene.contacts().names) == sorted(before.names)
