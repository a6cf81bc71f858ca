import numpy as np
import pytest
from matplotlib.figure import Figure

from firstcontact.viz.histogram import histogram


def drawn(hit, time, title=None):
    ax = Figure().add_subplot()
    histogram(np.asarray(hit, bool), np.asarray(time, float), ax, title)
    return ax


def test_every_contact_is_counted_once_and_no_other():
    ax = drawn([True, False, True, True], [0.0, np.inf, 1.0, 0.5])
    assert sum(bar.get_height() for bar in ax.patches) == 3
    assert ax.get_xlim() == (0.0, 1.0)
    assert ax.get_title() == "1 of 4 have no contact (25.0%)"


@pytest.mark.parametrize(
    ("hit", "time", "title"),
    [
        ([], [], "0 of 0 have no contact"),
        (True, 0.5, "0 of 1 have no contact (0.0%)"),
        ([False] * 2000, [np.inf] * 2000, "2,000 of 2,000 have no contact (100.0%)"),
    ],
)
def test_of_none_one_and_many(hit, time, title):
    assert drawn(hit, time).get_title() == title


def test_a_title_is_taken_as_it_is():
    assert drawn([True], [0.5], "$x").get_title() == "$x"
