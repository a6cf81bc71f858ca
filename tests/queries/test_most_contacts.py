"""Lists of contacts that would be too long."""

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.deformable import contact_list, first_so_far
from firstcontact.queries.kinds import deforming

TRIANGLE = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])


def pile(n, shift=(0.0, 0.0, 0.0)):
    """Triangles at one place, each with vertices of its own."""
    return fc.Mesh(np.tile(TRIANGLE, (n, 1)) + shift, np.arange(3 * n).reshape(-1, 3))


def falling(mesh, way):
    return mesh.deforming(mesh.vertices, mesh.vertices + np.array([0, 0, way]))


@pytest.fixture
def few_at_first(monkeypatch):
    """Let seven contacts be too many to list as first ones."""
    for module in (contact_list, first_so_far, deforming):
        monkeypatch.setattr(module, "MOST_FIRST", 7)


@pytest.mark.parametrize("culling", [None, fc.Culling(representatives=False)])
def test_contacts_are_all_there_or_too_many(culling):
    a, b = falling(pile(3, (0, 0, 1)), -2), pile(4)
    found = fc.contacts(a, b, culling=culling)
    assert len(found) > 100
    assert len(fc.contacts(a, b, culling=culling, max_contacts=len(found))) == len(found)
    with pytest.raises(
        ValueError, match=f"more than {len(found) - 1} contacts, as many as max_contacts allows"
    ):
        fc.contacts(a, b, culling=culling, max_contacts=len(found) - 1)
    with pytest.raises(ValueError, match="max_contacts must be an integer"):
        fc.contacts(a, b, max_contacts=0)


def test_edges_through_faces_count_too():
    upright = fc.Mesh([[0.2, 0.2, -1], [0.3, 0.2, -1], [0.2, 0.2, 1]], [[0, 1, 2]])
    resting = upright.deforming(upright.vertices, upright.vertices)
    found = fc.contacts(resting, pile(5))
    assert len(found) == 10
    for most in (9, 4):
        with pytest.raises(ValueError, match=f"more than {most} contacts"):
            fc.contacts(resting, pile(5), max_contacts=most)


def test_a_mesh_alone_may_have_too_many():
    with pytest.raises(ValueError, match="more than 1,000 contacts, as many as max_contacts allows"):
        fc.contacts(falling(pile(40), 1.0), max_contacts=1000)


@pytest.mark.parametrize("height", [0.0, 1.0])
def test_a_first_contact_of_too_many_features_says_so(height, few_at_first, monkeypatch):
    a, b = falling(pile(3, (0, 0, height)), -2), pile(4)
    found, step = fc.first_contact(a, b), fc.safe_step(a, b)
    assert found.is_truncated
    assert len(found.points) == 7
    monkeypatch.undo()
    every = fc.first_contact(a, b)
    assert not every.is_truncated
    assert len(every.points) > 100
    assert every.time - 1e-9 <= found.time <= every.time == 0.5 * height
    assert found.time_upper >= every.time
    assert every.time - 1e-9 <= step <= every.time


def test_a_first_contact_of_a_deforming_and_a_rigid_pile_says_so(monkeypatch):
    a, b = falling(pile(3, (0, 0, 1)), -2), pile(4).moving(np.eye(4), velocity=[0, 0, 0.1])
    every = fc.first_contact(a, b)
    assert not every.is_truncated
    monkeypatch.setattr("firstcontact.deformable.with_rigid.course.MOST_FIRST", 7)
    found = fc.first_contact(a, b)
    assert found.is_truncated
    assert len(found.points) == 7
    assert found.time == every.time


def test_rigid_bodies_that_touch_at_too_many_places_say_so():
    x, y = (axis.reshape(-1) for axis in np.meshgrid(np.arange(34.0), np.arange(34.0)))
    feet = np.stack([x, y, np.zeros_like(x)], axis=1)
    corners = feet[:, np.newaxis] + np.array([[0, 0, 0], [0.3, 0, 1], [0, 0.3, 1]])
    bed = fc.Mesh(corners.reshape(-1, 3), np.arange(3 * len(feet)).reshape(-1, 3))
    few = fc.Mesh(bed.vertices[:60], bed.faces[:20])
    floor = fc.Mesh([[-99, -99, 0], [999, -99, 0], [-99, 999, 0]], [[0, 1, 2]])
    for mesh, is_truncated in ((bed, True), (few, False)):
        found = fc.first_contact(mesh.moving((np.eye(3), [0, 0, 1]), velocity=[0, 0, -2]), floor)
        assert found.is_truncated is is_truncated
        assert len(found.points) == (1024 if is_truncated else 20)
        assert found.time == pytest.approx(0.5)


def test_all_hits_of_rays_are_all_there_or_too_many():
    origins, down = np.tile([0.2, 0.2, 1.0], (5, 1)), [0, 0, -1]
    for shape, n in ((pile(4), 20), (fc.Sphere(0.5), 10)):
        assert len(fc.ray_cast(shape, origins, down, hits="all", max_hits=n).time) == n
        with pytest.raises(ValueError, match=f"more than {n - 1} hits, as many as max_hits allows"):
            fc.ray_cast(shape, origins, down, hits="all", max_hits=n - 1)
    with pytest.raises(ValueError, match="max_hits is for hits='all'; received hits='first'"):
        fc.ray_cast(pile(4), origins, down, max_hits=9)
