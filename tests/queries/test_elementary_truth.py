"""Elementary queries against published exact answers."""

from typing import NamedTuple

import numpy as np
import pytest

import firstcontact as fc

pytestmark = pytest.mark.shared_data

SCENES = ("handcrafted", "cloth-ball", "n-body-simulation")
CCD = {"vf": fc.vertex_face_ccd, "ee": fc.edge_edge_ccd}
# Share of the separated queries that floating point may leave undecided, as a share of all queries.
FALSE_POSITIVES = {"handcrafted": 0.005, "cloth-ball": 0.0, "n-body-simulation": 0.0}


class Published(NamedTuple):
    scene: str
    kind: str
    data: dict

    def ask(self, **options):
        return CCD[self.kind](self.data["start"], self.data["end"], **options)


@pytest.fixture(scope="module", params=[(scene, kind) for scene in SCENES for kind in CCD], ids="-".join)
def published(request, shared_data):
    scene, kind = request.param
    return Published(scene, kind, dict(np.load(shared_data(f"ccd-truth/{scene}-{kind}.npz"))))


def test_exact_is_the_truth(published):
    result, data = published.ask(exact=True), published.data
    hit = data["hit"]
    np.testing.assert_array_equal(result.hit, hit)
    assert np.all(result.time[hit] <= data["time_lower"][hit])
    assert np.all(result.time_upper[hit] >= data["time_upper"][hit])
    assert np.all(np.isposinf(result.time[~hit]))


def test_exact_is_one_float_wide_without_tolerance(published):
    result, data = published.ask(exact=True, time_tolerance=0.0), published.data
    hit = data["hit"]
    np.testing.assert_array_equal(result.hit, hit)
    assert np.all(result.time[hit] <= data["time_lower"][hit])
    assert np.all(result.time_upper[hit] >= data["time_upper"][hit])
    assert np.all(result.time_upper[hit] <= np.nextafter(result.time[hit], np.inf))


def test_conservative_is_never_late(published):
    result, data = published.ask(), published.data
    hit = data["hit"]
    assert np.all(result.hit[hit])
    assert np.all(result.time[hit] <= data["time_lower"][hit])
    assert np.all(result.status[~hit & result.hit] == fc.Status.UNDECIDED)


def test_conservative_has_few_false_positives(published):
    result, hit = published.ask(), published.data["hit"]
    assert np.count_nonzero(result.hit & ~hit) <= FALSE_POSITIVES[published.scene] * len(hit)


def test_contact_at_start_is_exact(published):
    result, data = published.ask(exact=True), published.data
    at_start = data["time_upper"] == 0.0
    np.testing.assert_array_equal(result.status == fc.Status.CONTACT_AT_START, at_start)
