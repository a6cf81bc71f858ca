"""The same bytes from any number of threads, from batches and from single motions, time and again."""

import numba
import numpy as np
import pytest

import firstcontact as fc
from firstcontact.rigid import first_times as module
from properties.rigid_claims import ask, options
from properties.rigid_families import generate

FAMILIES = ["translation", "both moving", "piecewise", "many turns", "degenerate", "far 1e8"]


def as_bytes(found):
    return [(array.dtype.str, array.shape, array.tobytes()) for array in found]


def batch(family, n=40):
    """Many motions of one pair of bodies: those of other cases of the family."""
    case = generate(family, 0)
    rows_a, rows_b = np.repeat(case.rows_a, n, axis=0)[:n], np.repeat(case.rows_b, n, axis=0)[:n]
    rng = np.random.default_rng(6)
    rows_a[..., 12:15] += 0.5 * rng.standard_normal(rows_a[..., 12:15].shape)
    return case._replace(rows_a=np.ascontiguousarray(rows_a), rows_b=np.ascontiguousarray(rows_b))


@pytest.mark.parametrize("family", FAMILIES)
def test_the_number_of_threads_changes_nothing(family, monkeypatch):
    case, asked = batch(family), options(1e-6)
    monkeypatch.setattr(module, "WORTH_A_THREAD", 10**9)
    serial = as_bytes(ask(case, asked))
    monkeypatch.setattr(module, "WORTH_A_THREAD", 1)
    n_threads = numba.get_num_threads()
    try:
        for n in range(1, n_threads + 1):
            numba.set_num_threads(n)
            assert as_bytes(ask(case, asked)) == serial
    finally:
        numba.set_num_threads(n_threads)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_batch_is_its_motions_one_by_one(family):
    case, asked = batch(family, 12), options(1e-6)
    whole = ask(case, asked)
    for k in range(12):
        single = ask(case._replace(rows_a=case.rows_a[[k]], rows_b=case.rows_b[[k]]), asked)
        assert as_bytes(single) == as_bytes([array[[k]] for array in whole])


@pytest.mark.parametrize("family", FAMILIES)
def test_an_equal_mesh_gives_equal_answers(family):
    case, asked = generate(family, 3), options(1e-6)
    meshes = (fc.Mesh(mesh.vertices, mesh.faces) for mesh in case[:2])
    assert as_bytes(ask(case, asked)) == as_bytes(
        ask(case._replace(mesh_a=next(meshes), mesh_b=next(meshes)), asked)
    )


def test_inputs_are_left_alone():
    case = generate("piecewise", 5)
    before = [array.tobytes() for array in case[2:]]
    ask(case, options(1e-6))
    assert [array.tobytes() for array in case[2:]] == before
