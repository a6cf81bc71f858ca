"""Which things are solid, asked by queries: what is inside them at the start is in contact."""

import numpy as np
import pytest
import trimesh

import firstcontact as fc
from articulated.notched import notched
from firstcontact.proximity.touching.inside import contains
from poses import at

BALL = fc.Sphere(0.1)


def carrier(shape=BALL):
    """A robot whose one link slides along x."""
    return fc.Robot({"base": (), "cart": shape}, [fc.Joint("slide", "prismatic", "base", "cart")])


BOX = fc.Mesh.from_trimesh(trimesh.creation.box([1, 1, 1]))
LID_OFF = fc.Mesh(BOX.vertices, BOX.faces[BOX.vertices[BOX.faces][:, :, 2].min(axis=1) < 0.5])
SOLIDS = {
    "box": fc.Box([1, 1, 1]).at(at()),
    "convex mesh": BOX.at(at()),
    "closed mesh": notched().at(at(-0.5, -0.5, -0.5)),
    "inside out": fc.Mesh(notched().vertices, notched().faces[:, ::-1]).at(at(-0.5, -0.5, -0.5)),
}


@pytest.mark.parametrize("name", SOLIDS)
def test_what_is_inside_a_solid_touches_it_from_the_start(name):
    for path in (carrier().at([0]), carrier().moving([0], [0.1]), carrier().moving([0], [9])):
        found = fc.first_contact(path, SOLIDS[name])
        assert found.status == fc.Status.CONTACT_AT_START
        assert found.time == found.time_upper == 0.0
        assert len(found.points) == len(found.normals) > 0
        assert not fc.is_free(path, SOLIDS[name])


@pytest.mark.parametrize("name", SOLIDS)
def test_the_solid_may_be_the_link(name):
    held = fc.Robot({"base": (), "cart": SOLIDS[name]}, [fc.Joint("slide", "prismatic", "base", "cart")])
    assert fc.first_contact(held.moving([0], [0.1]), BALL).time == 0.0
    assert fc.intersects(held.at([0]), BALL)
    assert not fc.intersects(held.at([5]), BALL)


@pytest.mark.parametrize("name", SOLIDS)
def test_what_comes_from_outside_meets_the_surface(name):
    found = fc.first_contact(carrier().moving([-2], [0]), SOLIDS[name])
    assert found.status == fc.Status.CONTACT
    assert found.time == pytest.approx(0.7, abs=1e-5)


def test_an_open_mesh_has_no_inside():
    path = carrier().moving([0], [0.2])
    assert fc.is_free(path, LID_OFF)
    assert not fc.is_free(carrier().moving([0], [0.5]), LID_OFF)


def test_the_notch_of_a_closed_mesh_is_outside():
    path = carrier().moving([0.0], [0.2])
    assert fc.is_free(path, notched().at(at(-1.5, -1.5, -0.5)))
    assert fc.is_free(path, notched().at(at(-1.3, -1.3, -0.5)))


def test_one_mesh_inside_another():
    small = fc.Mesh(0.1 * BOX.vertices, BOX.faces)
    ring = fc.Mesh(0.1 * notched().vertices, notched().faces)
    for inner in (small, ring):
        assert fc.first_contact(carrier(inner).moving([0], [0.1]), SOLIDS["closed mesh"]).time == 0.0
        assert fc.is_free(carrier(inner).moving([0], [0.1]), notched().at(at(-1.3, -1.3, -0.5)))


def test_of_a_batch_each_path_has_its_own_start():
    starts = np.array([[0.0], [-2.0], [3.0]])
    found = fc.first_contacts(carrier().moving(starts, starts + 0.1), SOLIDS["closed mesh"])
    assert found.hit.tolist() == [True, False, False]
    assert fc.is_free(carrier().moving(starts, starts + 0.1), SOLIDS["closed mesh"]).tolist() == [
        False,
        True,
        True,
    ]


def test_a_point_of_a_cloud_inside_a_link_is_in_contact_at_the_start():
    """Of many points those near the link are looked at, wherever it has gone; none is in its notch."""
    rng = np.random.default_rng(3)
    link = notched()
    held = fc.Robot({"base": (), "cart": link}, [fc.Joint("slide", "prismatic", "base", "cart")])
    starts = rng.uniform(-3.0, 3.0, 40)
    cloud = rng.uniform([-4.0, -4.0, -4.0], [6.0, 6.0, 6.0], (300, 3))
    expected = [bool(contains(link, cloud - [x, 0.0, 0.0]).any()) for x in starts]
    apart = [fc.distance(link.at(at(x, 0.0, 0.0)), fc.Points(cloud)).distance > 1e-3 for x in starts]
    found = fc.is_free(held.moving(starts[:, None], starts[:, None]), fc.Points(cloud))
    assert 0 < np.sum(np.array(expected) & apart) < np.sum(apart)
    assert found[apart].tolist() == (~np.array(expected)[apart]).tolist()
