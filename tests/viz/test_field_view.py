"""A field in the viewer: its surface, and a slice in bands."""

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.viz.field_view import field_view


@pytest.fixture(scope="module")
def field():
    return fc.DistanceField.of(fc.Sphere(1.0), 0.05)


def test_the_surface_is_a_body(field):
    view = field_view(field, None, None, {})
    (body,) = view.bodies
    assert body.name == "surface"
    assert np.abs(np.linalg.norm(body.vertices, axis=1) - 1.0).max() < 0.1
    assert view.title == "Distance field"
    assert dict(view.panel[0][1])["tolerance"] == "0.05"


def test_a_slice_is_a_body_for_each_band(field):
    view = field_view(field, "x=0.5", "mine", {})
    bands = view.bodies[1:]
    assert len(bands) > 5
    assert len({body.color for body in bands}) == len(bands)
    for body in bands:
        assert (body.vertices[:, 0] == 0.5).all()
        low, high = map(float, body.name.split(" to "))
        middles = body.vertices[body.faces].mean(axis=1)
        values = np.linalg.norm(middles, axis=1) - 1.0
        assert low - 0.15 <= values.min()
        assert values.max() <= high + 0.15
    assert view.title == "mine"


def test_a_page_is_written(tmp_path, field):
    assert fc.show(field, tmp_path / "field.html", plane="z=0").exists()
    sheet = fc.DistanceField.of(fc.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]), 0.1)
    assert fc.show(sheet, tmp_path / "sheet.html").exists()


def test_what_has_no_meaning_is_refused(tmp_path, field):
    with pytest.raises(ValueError, match=r"^plane is for a DistanceField; received Sphere$"):
        fc.show(fc.Sphere(1), tmp_path / "a.html", plane="z=0")
    with pytest.raises(ValueError, match=r"^a field has no names of things: leave names out$"):
        fc.show(field, tmp_path / "a.html", names={"a": "b"})
    with pytest.raises(TypeError, match=r"^title must be a text; received int$"):
        fc.show(field, tmp_path / "a.html", title=3)
