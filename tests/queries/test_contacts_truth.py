"""Whole frames against published exact answers: which pairs touch, and when."""

from typing import NamedTuple

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.narrowphase.elementary.elementary_exact import exact_contact
from firstcontact.narrowphase.elementary.elementary_query import SEPARATED, Options

pytestmark = pytest.mark.shared_data

FIRST_TIME = {"cloth-ball": 7.492069186824336e-06}
N_HITS = {"vf": 19_032, "ee": 94_822}
SAMPLE = 2000


class Frame(NamedTuple):
    name: str
    moving: fc.Moving
    contacts: fc.Contacts


@pytest.fixture(scope="module")
def frames(shared_data):
    """Frames and their contacts, by name; each worked out once."""
    known = {}

    def find(name):
        if name not in known:
            data = np.load(shared_data(f"frames/{name}.npz"))
            mesh = fc.Mesh(data["vertices_t0"], data["faces"])
            moving = mesh.deforming(data["vertices_t0"], data["vertices_t1"])
            known[name] = Frame(name, moving, fc.contacts(moving, assume_free_start=True))
        return known[name]

    return find


def keys_of(vertex_ids, kind):
    """One form for each pair of features: corners of a face, ends of an edge and two edges have no order."""
    ids = np.array(vertex_ids, dtype=np.int64)
    if kind == "vf":
        ids[:, 1:] = np.sort(ids[:, 1:], axis=1)
    else:
        ids = np.sort(ids.reshape(-1, 2, 2), axis=2).reshape(-1, 4)
        is_swapped = (ids[:, 0] > ids[:, 2]) | ((ids[:, 0] == ids[:, 2]) & (ids[:, 1] > ids[:, 3]))
        ids[is_swapped] = ids[is_swapped][:, [2, 3, 0, 1]]
    return [tuple(row) for row in ids.tolist()]


def rows_of(contacts, kind):
    """Rows of the contacts of one kind, by their pairs."""
    rows = np.flatnonzero((contacts.kind == fc.ContactKind.EDGE_EDGE) == (kind == "ee"))
    keys = dict(zip(keys_of(contacts.vertex_ids[rows], kind), rows.tolist(), strict=True))
    assert len(keys) == len(rows)
    return keys


def hits_of(shared_data, name, kind):
    """Published hits, (lower, upper) by pair."""
    truth = np.load(shared_data(f"ccd-truth/{name}-{kind}.npz"))
    hit = truth["hit"]
    times = zip(truth["time_lower"][hit].tolist(), truth["time_upper"][hit].tolist(), strict=True)
    return dict(zip(keys_of(truth["vertex_ids"][hit], kind), times, strict=True))


@pytest.mark.parametrize("kind", ["vf", "ee"])
@pytest.mark.parametrize("name", ["cloth-ball", "n-body-simulation"])
def test_all_published_contacts_are_found_in_time(name, kind, frames, shared_data):
    contacts = frames(name).contacts
    rows, hits = rows_of(contacts, kind), hits_of(shared_data, name, kind)
    assert hits.keys() <= rows.keys()
    for key, (lower, upper) in hits.items():
        assert contacts.time[rows[key]] <= lower, key
        assert contacts.time_upper[rows[key]] >= upper, key


@pytest.mark.parametrize("kind", ["vf", "ee"])
def test_no_others_are_found_where_the_publication_is_complete(kind, frames, shared_data):
    rows, hits = rows_of(frames("cloth-ball").contacts, kind), hits_of(shared_data, "cloth-ball", kind)
    assert rows.keys() == hits.keys()
    assert len(rows) == N_HITS[kind]


@pytest.mark.parametrize("name", ["cloth-ball", "n-body-simulation"])
def test_a_sample_of_contacts_is_confirmed_in_exact_arithmetic(name, frames):
    _, moving, contacts = frames(name)
    start, end = moving.motion.vertices_t0, moving.motion.vertices_t1
    rng = np.random.default_rng(0)
    for row in rng.choice(len(contacts), min(SAMPLE, len(contacts)), replace=False):
        ids, is_edge_edge = contacts.vertex_ids[row], bool(contacts.kind[row] == fc.ContactKind.EDGE_EDGE)
        truth = exact_contact(start[ids], end[ids], Options(is_edge_edge, 1.0, 0.0, 0.0))
        assert truth.status == contacts.status[row] != SEPARATED
        assert contacts.time[row] <= truth.lower <= truth.upper <= contacts.time_upper[row]


@pytest.mark.parametrize("name", ["cloth-ball", "n-body-simulation"])
def test_first_contact_is_that_of_the_list(name, frames):
    _, moving, contacts = frames(name)
    # What was published is of features that meet; some of these meshes overlap from the start.
    first, step = (query(moving, assume_free_start=True) for query in (fc.first_contact, fc.safe_step))
    assert first.time <= contacts.time_upper.min()
    assert contacts.time.min() <= first.time_upper
    assert first.time_upper <= np.nextafter(first.time, 1.0)
    assert step == first.time
    truth = FIRST_TIME.get(name, first.time_upper)
    assert first.time <= truth <= first.time_upper
    pairs = {tuple(row) for row in first.features.tolist()}
    listed = zip(contacts.kind.tolist(), contacts.ids_a.tolist(), contacts.ids_b.tolist(), strict=True)
    assert pairs <= set(listed)
