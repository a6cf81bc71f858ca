"""A field on a plane, and as a view."""

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.viz.field_slice import Plane, as_plane, levels_of, slice_of


@pytest.fixture(scope="module")
def field():
    return fc.DistanceField.of(fc.Box([2.0, 1.0, 1.0]), 0.05)


def test_planes_are_read_as_they_are_written(field):
    assert as_plane("z=0.25", field) == Plane(2, 0.25)
    assert as_plane(" x = -1e-1 ", field) == Plane(0, -0.1)
    assert as_plane(None, field) == Plane(2, 0.0)
    assert str(Plane(1, 0.5)) == "y = 0.5"
    for wrong in ("", "z", "z=", "z=one", "w=1", "z=nan", "z=inf", 3):
        with pytest.raises(ValueError, match=r"^a plane must be an axis and a number, as z=0.5; received "):
            as_plane(wrong, field)
    with pytest.raises(ValueError, match=r"^the plane z = 9 does not meet the field's box, from "):
        as_plane("z=9", field)


def test_a_slice_has_the_field_s_values_all_over_the_box(field):
    found = slice_of(field, Plane(1, 0.25), 40)
    assert found.right[[0, -1]].tolist() == field.box[:, 0].tolist()
    assert found.up[[0, -1]].tolist() == field.box[:, 2].tolist()
    assert found.values.shape == (len(found.right), len(found.up))
    i, j = 7, 11
    assert found.values[i, j] == field([found.right[i], 0.25, found.up[j]])


@pytest.mark.parametrize("values", [[-0.3, 2.1], [0.1, 0.2], [-5e-7, 1e-7], [3e8, -3e8], [0.0, 0.0]])
def test_levels_are_round_and_hold_all_values(values):
    levels = levels_of(np.array(values))
    assert levels[0] <= min(values)
    assert levels[-1] >= max(values)
    assert 0.0 in levels
    assert 2 < len(levels) < 50
    digits = float(f"{levels[-1] - levels[-2]:.1e}".split("e")[0])
    assert digits in (1.0, 2.0, 5.0)


def test_a_slice_is_drawn_with_its_surface(field):
    axes = fc.plot(field, plane="z=0.25")
    assert axes.get_title() == "distance at z = 0.25, within 0.05"
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("x", "y")
    assert fc.plot(field, ax=axes, title="mine").get_title() == "mine"
    sheet = fc.DistanceField.of(fc.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]), 0.1)
    assert fc.plot(sheet, plane="y=0.2").get_title().startswith("distance at y = 0.2")


def test_what_has_no_meaning_is_refused(field):
    with pytest.raises(ValueError, match=r"^a slice, as of a field, has neither a time nor names$"):
        fc.plot(field, time=0.5)
    with pytest.raises(ValueError, match=r"^plane is for a DistanceField or a Voronoi; received Sphere$"):
        fc.plot(fc.Sphere(1), plane="z=0")
    with pytest.raises(ValueError, match=r"^ax must be two-dimensional; received 3d$"):
        fc.plot(field, ax=fc.plot(fc.Sphere(1)))
