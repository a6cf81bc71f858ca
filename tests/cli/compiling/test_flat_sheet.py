import numpy as np
import pytest

from firstcontact.cli.compiling.flat_sheet import flat_sheet


@pytest.mark.parametrize("n_side", [1, 4])
def test_a_sheet_covers_its_square_once(n_side):
    vertices, faces = flat_sheet(n_side)
    assert len(faces) == 2 * n_side**2
    assert np.unique(faces).tolist() == list(range(len(vertices)))
    a, b, c = vertices[faces].transpose(1, 0, 2)
    areas = 0.5 * np.cross(b - a, c - a)
    assert (areas[:, 2] > 0.0).all()  # all face one way
    assert areas.sum(axis=0) == pytest.approx([0.0, 0.0, 4.0])
    assert (np.abs(vertices).max(axis=0) == [1.0, 1.0, 0.0]).all()
