import numpy as np
import pytest

import firstcontact as fc
from firstcontact.viz.drawing import drawing_of
from firstcontact.viz.scaled import SIZE, scaled
from firstcontact.viz.view_of import view_of
from viz.things import hair_hit, scan_hit


def strike(size, place):
    here, place = np.eye(3), np.asarray(place, float)
    ball, box = fc.Sphere(0.5 * size), fc.Box([size] * 3).at((here, place))
    start = here, np.add(place, [3 * size, 0, 0])
    return fc.first_contact(ball.moving(start, (here, place), path="constant"), box)


@pytest.mark.parametrize("size", [1e-40, 1e-9, 1.0, 1e30])
def test_every_size_is_drawn_as_large(size):
    view = scaled(view_of(strike(size, np.zeros(3))))
    assert view.size == pytest.approx(SIZE)
    np.testing.assert_allclose(view.bounds.mean(axis=0), 0.0, atol=1e-9)
    assert drawing_of(view_of(strike(size, np.zeros(3)))).layers


def test_far_from_the_origin_contacts_are_where_bodies_are():
    place = [448000.37, 5411000.81, 120.0]
    near, far = (scaled(view_of(strike(1.0, where))) for where in (np.zeros(3), place))
    assert near.stop == pytest.approx(far.stop, abs=1e-6)
    np.testing.assert_allclose(far.moments[0].points, near.moments[0].points, atol=1e-5)
    for one, other in zip(near.bodies, far.bodies, strict=True):
        np.testing.assert_allclose(one.at(near.stop), other.at(far.stop), atol=1e-5)


def test_what_deforms_is_scaled_as_well():
    leaf = fc.Mesh([[0, 0, 1], [1, 0, 2], [0, 1, 2]], [[0, 1, 2]])
    view = view_of({"leaf": leaf.deforming(leaf.vertices, leaf.vertices - [0, 0, 4])})
    body, large = view.bodies[0], scaled(view).bodies[0]
    middle, scale = view.bounds.mean(axis=0), SIZE / view.size
    np.testing.assert_allclose(large.at(0.3), scale * (body.at(0.3) - middle))


def test_a_turn_far_from_the_origin_is_no_straight_line():
    spin = fc.Box([1, 2, 3]).moving((np.eye(3), [1e9, 0, 0]), angular_velocity=[0, 0, 3])
    assert len(view_of({"box": spin}).bodies[0].times) > 2


def test_words_that_are_none_are_told():
    hit = strike(1.0, np.zeros(3))
    with pytest.raises(TypeError, match="title must be a text; received int"):
        view_of(hit, 3)
    with pytest.raises(TypeError, match="names must be texts; received NoneType for 'a'"):
        view_of(hit, names={"a": None})
    with pytest.raises(ValueError, match="names must differ from each other"):
        view_of(hit, names={"a": "b"})
    with pytest.raises(ValueError, match="path must end in"):
        fc.show(hit, "hit.png")


def test_radii_are_scaled_as_all_else():
    for what in (scan_hit, hair_hit):
        view = view_of(what())
        found = scaled(view).bodies[0].radii / view.bodies[0].radii.clip(1e-9)
        np.testing.assert_allclose(found[found > 0], SIZE / view.size)
