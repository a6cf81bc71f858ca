"""Diagrams in colours."""

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.viz.voronoi_picture import layer_of

FLAT = fc.voronoi([[0.2, 0.5], [0.9, 0.5]], [[0, 0], [2, 1]], 20)
DEEP = fc.voronoi([[0.2, 0.5, 0.1], [0.9, 0.5, 0.9]], [[0, 0, 0], [1, 1, 1]], 10)


def test_a_diagram_in_the_plane_is_drawn():
    axes = FLAT.plot()
    assert axes.get_title() == "regions of 2 of 2 sites"
    image = axes.images[0]
    assert image.get_array().shape == (10, 20, 3)
    assert tuple(image.get_extent()) == (0.0, 2.0, 0.0, 1.0)


def test_a_layer_of_a_volume_is_drawn():
    axes = fc.plot(DEEP, plane="x=0.25", title="cut")
    assert axes.get_title() == "cut"
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("y", "z")
    assert np.array_equal(layer_of(DEEP, "x=0.25").ids, DEEP.ids[2])
    assert layer_of(DEEP, None).place == " at z = 0.5"


@pytest.mark.parametrize("plane", ["z", "z=one", "w=1", "z=nan", 3])
def test_planes_are_read_as_they_are_written(plane):
    with pytest.raises(
        ValueError, match=r"^(a plane must be an axis and a number|the plane z=nan does not meet)"
    ):
        fc.plot(DEEP, plane=plane)
    with pytest.raises(ValueError, match=r"^plane has no meaning for a diagram in the plane$"):
        fc.plot(FLAT, plane="z=0.5")
