"""Bounds that know the time: they leave out nothing that meets, and change no contact."""

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.deformable import timed_bounds
from firstcontact.deformable.problem import pose_problem
from firstcontact.hierarchy.traversal import NO_ENDS, do_meet
from samples import sample


def flying(rng, n=300, way=8.0):
    """Small triangles at random that fly far, some along with each other."""
    corners = rng.random((n, 1, 3)) * 4.0 + 0.3 * rng.random((n, 3, 3))
    ways = way * rng.integers(-1, 2, (n, 1, 3)) + 0.1 * rng.random((n, 3, 3))
    mesh = fc.Mesh(corners.reshape(-1, 3), np.arange(3 * n).reshape(-1, 3))
    return mesh.deforming(mesh.vertices, mesh.vertices + ways.reshape(-1, 3))


def columns(found):
    return [found.kind, found.ids_a, found.ids_b, found.time, found.time_upper, found.points, found.normals]


@pytest.mark.parametrize("separation", [0.0, 0.05])
@pytest.mark.parametrize("seed", range(sample(2, of=6)))
def test_the_same_contacts_with_fewer_tests(monkeypatch, seed, separation):
    thing = flying(np.random.default_rng(seed), 600)
    assert len(pose_problem([thing], separation, fc.Culling()).pairing.ends) > 0
    timed = fc.contacts(thing, min_separation=separation)
    monkeypatch.setattr(timed_bounds, "MOSTLY", 2.0)
    assert pose_problem([thing], separation, fc.Culling()).pairing.ends is NO_ENDS
    plain = fc.contacts(thing, min_separation=separation)
    assert len(plain) > 0
    for one, other in zip(columns(timed), columns(plain), strict=True):
        np.testing.assert_array_equal(one, other)
    assert timed.stats.elementary_tests < 0.5 * plain.stats.elementary_tests


def test_what_hardly_moves_is_not_looked_at_twice():
    assert (
        pose_problem([flying(np.random.default_rng(0), 600, 0.0)], 0.0, fc.Culling()).pairing.ends is NO_ENDS
    )


@pytest.mark.parametrize("seed", range(sample(20, of=100)))
def test_boxes_that_overlap_at_some_time_meet(seed):
    rng = np.random.default_rng([seed, 7])
    n_meet = n_pass = 0
    for _ in range(50):
        low = rng.integers(-4, 5, (2, 2, 3)).astype(float)  # thing, end, axis
        high = low + rng.integers(0, 3, (2, 2, 3))
        ends = np.concatenate([low.reshape(2, 6), high.reshape(2, 6)], axis=1)
        times = np.linspace(0.0, 1.0, 1681)[:, None]
        at = [[(1 - times) * x[i, 0] + times * x[i, 1] for x in (low, high)] for i in range(2)]
        gaps = np.maximum(at[0][0] - at[1][1], at[1][0] - at[0][1]).max(axis=1)
        is_met = do_meet.py_func(ends, 0, ends, 1)
        assert is_met or gaps.min() > 0.0
        is_near = gaps.min() <= 1e-2
        assert is_near or not is_met
        n_meet, n_pass = n_meet + is_met, n_pass + (not is_met)
    assert n_meet
    assert n_pass
