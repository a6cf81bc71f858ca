"""One step, split among workers by pairs of nodes: the same contacts, and the same counters."""

import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.cli.compiling.flat_sheet import flat_sheet
from firstcontact.deformable.elementary_candidates import N_COUNTS
from firstcontact.deformable.problem import pose_problem
from firstcontact.hierarchy.shares import front
from firstcontact.queries.spread import spread_contacts
from queries.every_answer import CUBE
from queries.every_batch import assert_same_bytes
from queries.test_executor import Courier


def crumpled(n_side, seed, size=1.2):
    vertices, faces = flat_sheet(n_side)
    start, end = vertices + np.random.default_rng(seed).normal(0.0, size / n_side, (2, *vertices.shape))
    return fc.Mesh(vertices, faces), start, end


OPTIONS = (
    {},
    {"min_separation": 0.01},
    {"assume_free_start": True},
    {"exact": False, "time_tolerance": 1e-3},
    {"culling": fc.Culling(representatives=False)},
)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("n_side", [1, 7, 33])
def test_the_same_bytes_and_counters(n_side, options):
    mesh, start, end = crumpled(n_side, n_side)
    here = fc.contacts(mesh.deforming(start, end), **options)
    with ThreadPoolExecutor(2) as threads, Courier(lost_every=3) as courier:
        for pool in (threads, courier):
            assert_same_bytes(fc.contacts(mesh.deforming(start, end), **options, executor=pool), here)
    assert len(here) > 0 or n_side == 1


def test_a_tree_with_a_past_goes_along():
    mesh, start, end = crumpled(12, 3)
    for shift in np.linspace(0.0, 3.0, 7):  # so that it is repaired, and no new one is like it
        fc.contacts(mesh.deforming(start * [1, 1 + shift, 1], end))
    other = fc.Mesh(mesh.vertices, mesh.faces)
    with Courier() as courier:
        found = fc.contacts(mesh.deforming(start, end), executor=courier)
    assert_same_bytes(found, fc.contacts(other.deforming(start, end)))


def test_geometry_is_sent_once_to_each(monkeypatch):
    monkeypatch.setattr("firstcontact.spreading.parcel.SMALL", 1 << 12)
    mesh, start, end = crumpled(80, 5)
    with Courier() as courier:
        fc.contacts(mesh.deforming(start, end), executor=courier)
    assert courier.n_sent > 4
    assert sum(courier.n_bytes) < 2 * len(pickle.dumps(start))  # of all tasks: pairs of nodes, each once


def test_more_contacts_than_allowed_are_an_error_though_no_worker_has_them():
    mesh, start, end = crumpled(20, 2)
    n = len(fc.contacts(mesh.deforming(start, end)))
    with ThreadPoolExecutor(2) as pool:
        for culling in (None, fc.Culling(representatives=False)):
            options = {"culling": culling, "executor": pool}
            assert len(fc.contacts(mesh.deforming(start, end), max_contacts=n, **options)) == n
            with pytest.raises(ValueError, match=r"^more than .* as many as max_contacts allows"):
                fc.contacts(mesh.deforming(start, end), max_contacts=n - 1, **options)


def test_a_front_stands_for_the_whole_traversal():
    mesh, start, end = crumpled(9, 1)
    problem = pose_problem([mesh.deforming(start, end)], 0.0, fc.Culling())
    for wanted in (1, 10, 1000):
        items = front(problem.pairing, wanted, np.zeros(N_COUNTS, np.int64))
        assert 0 < len(items) <= 4 * wanted
        assert len(np.unique(items, axis=0)) == len(items)


def test_what_touches_nowhere_is_asked_of_nobody():
    far = CUBE.vertices + np.array([9, 0, 0])
    with Courier() as courier:
        assert len(fc.contacts(CUBE.deforming(far, far), CUBE, executor=courier)) == 0
        empty = fc.Mesh([], [])
        assert len(fc.contacts(empty.deforming([], []), executor=courier)) == 0
        assert courier.n_sent == 0


def test_chunks_are_alike(monkeypatch):
    """Rows in order are taken from everywhere: any so many of them have about as much work."""
    mesh, start, end = crumpled(40, 4)
    seen = []
    answer = spread_contacts.OneStep.answer

    def counted(self, rows):
        found = answer(self, rows)
        seen.append((len(rows[0]), found.stats.triangle_pairs))
        return found

    monkeypatch.setattr(spread_contacts.OneStep, "answer", counted)
    monkeypatch.setattr("firstcontact.spreading.chunks.Chunks._size", lambda _: 400)
    with ThreadPoolExecutor(1) as pool:
        fc.contacts(mesh.deforming(start, end), executor=pool)
    work = [pairs / n for n, pairs in seen if n == 400]
    assert len(work) >= 3
    assert max(work) < 2 * min(work)
