"""Cells that a surface passes through: none is missed."""

import numpy as np
import pytest

from firstcontact.sweeping.lattice import CORNERS, Level, Limits, crossed_cells, lattice_around

NO_LIMITS = Limits(1 << 20, lambda _: None)


def bumpy(points, band):
    """The distance of the nearest of three balls: as steep as a distance can be, with edges."""
    middles = np.array([[0.0, 0.0, 0.0], [0.9, 0.2, 0.0], [0.0, -0.4, 0.8]])
    return (np.linalg.norm(points[:, None] - middles, axis=2) - [0.5, 0.3, 0.05]).min(axis=1)


@pytest.mark.parametrize("step", [0.0, 0.01])
def test_no_cell_is_missed(step):
    rng = np.random.default_rng(0)

    def measure(points, band):
        return bumpy(points, band) + band.step * rng.random(len(points))

    level = Level(0.1, step)
    lattice = lattice_around(np.array([-1.0, -1.0, -0.8]), np.array([1.5, 0.9, 1.1]), 0.07)
    found = {tuple(cell) for cell in crossed_cells(lattice, measure, level, NO_LIMITS).tolist()}
    shape = np.array(lattice.shape) << lattice.depth
    cells = np.stack(np.unravel_index(np.arange(np.prod(shape)), shape), axis=1)
    truth = bumpy(lattice.places(cells[:, None] + CORNERS).reshape(-1, 3), None).reshape(-1, 8)
    # Values at corners may be a step above the truth.
    may_cross = (truth.min(axis=1) < 0.1) & (truth.max(axis=1) + step >= 0.1)
    assert may_cross.sum() > 100
    assert {tuple(cell) for cell in cells[may_cross].tolist()} <= found
    assert len(found) < 0.2 * len(cells)


def test_the_lattice_covers_its_box():
    for width in (0.3, 0.011, 5.0):
        lower, upper = np.array([-1.0, 2.0, 0.0]), np.array([3.0, 2.5, 0.0])
        lattice = lattice_around(lower, upper, width)
        ends = lattice.places(np.array([[0, 0, 0], np.array(lattice.shape) << lattice.depth]))
        assert (ends[0] <= lower + 1e-12).all()
        assert (ends[1] >= upper - 1e-12).all()


def test_too_many_cells_are_refused_in_a_sentence():
    lattice = lattice_around(np.full(3, -1.0), np.full(3, 1.5), 0.05)
    with pytest.raises(ValueError, match="more than 100 cells"):
        crossed_cells(lattice, bumpy, Level(0.1, 0.0), Limits(100, lambda _: None))


def test_what_is_looked_at_is_told():
    seen = []
    lattice = lattice_around(np.full(3, -1.0), np.full(3, 1.5), 0.2)
    crossed_cells(lattice, bumpy, Level(0.1, 0.0), Limits(1 << 20, seen.append))
    assert sum(seen) >= np.prod(lattice.shape)
