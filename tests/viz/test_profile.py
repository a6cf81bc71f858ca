"""The plot of a clearance."""

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib import pyplot as plt

import firstcontact as fc

PASSING = fc.Sphere(1).moving((np.eye(3), [-4, 3, 0]), velocity=[8, 0, 0])


@pytest.fixture(autouse=True)
def no_display():
    mpl.use("Agg")
    yield
    plt.close("all")


def test_the_curve_is_the_distance_and_the_line_is_below_it():
    ax = fc.plot(fc.clearance(PASSING, fc.Sphere(1)))
    curve, spot, line = ax.lines
    assert curve.get_ydata().min() == pytest.approx(1, abs=1e-3)
    assert spot.get_xdata()[0] == pytest.approx(0.5, abs=0.02)
    assert 0.98 < line.get_ydata()[0] <= 1
    assert ax.get_title().startswith("never nearer than 0.99")


def test_a_batch_has_a_curve_each_and_nothing_has_none():
    many = fc.Sphere(1).moving((np.eye(3), [-4, 3, 0]), velocity=[[8, 0, 0], [8, 1, 0]])
    ax = fc.plot(fc.clearance(many, fc.Sphere(1)), title="mine")
    assert len(ax.lines) == 4
    assert ax.get_title() == "mine"
    assert fc.plot(fc.clearance(PASSING, fc.Mesh([], []))).get_title()


def test_what_does_not_go_with_it_is_refused():
    found = fc.clearance(PASSING, fc.Sphere(1))
    with pytest.raises(ValueError, match=r"^a profile, as of a clearance, has neither a time nor names$"):
        fc.plot(found, time=0.5)


def test_it_can_be_shown(tmp_path):
    page = fc.show(fc.clearance(PASSING, fc.Sphere(1)), tmp_path / "clearance.html")
    assert "Clearance of a and b" in page.read_text(encoding="utf-8")
