import numpy as np
import pytest

import firstcontact as fc
from firstcontact.cli.demo_scene import ball, cloth_on_ball, sheet


@pytest.mark.parametrize("n_side", [20, 150])
def test_the_cloth_starts_free_and_touches_the_ball(n_side):
    scene = cloth_on_ball(n_side)
    at_start = scene.cloth.vertices(0.0)
    assert len(fc.contacts(scene.cloth.shape.deforming(at_start, at_start))) == 0
    assert 0.0 < fc.first_contact(scene.cloth, scene.ball).time < 1.0


def test_the_folds_close():
    assert 0.0 < fc.first_contact(cloth_on_ball(150).cloth).time < 1.0


def test_surfaces_have_the_size_asked_for():
    vertices, faces = sheet(4)
    assert (len(vertices), len(faces)) == (25, 32)
    np.testing.assert_array_equal(np.abs(vertices).max(axis=0), [1.0, 1.0, 0.0])
    vertices, faces = ball(6)
    assert len(faces) == 2 * 6 * 12
    np.testing.assert_allclose(np.linalg.norm(vertices, axis=1), 1.0)
