"""Progress: shown where it is wanted, and it changes nothing."""

from typing import NamedTuple

import numpy as np
import pytest

from firstcontact.advancement.progress import PROGRESS_EVERY, in_parts, shown, silent


class Found(NamedTuple):
    numbers: np.ndarray
    squares: np.ndarray


@pytest.mark.parametrize("n", [0, 1, PROGRESS_EVERY, 2 * PROGRESS_EVERY + 3])
def test_parts_are_put_together_again(n, capsys):
    numbers = np.arange(n)

    def search(span):
        return Found(numbers[span], numbers[span] ** 2)

    whole, parts = in_parts(search, n, False), in_parts(search, n, True)
    assert (f"{n}/{n}" if n else "0 motions") in capsys.readouterr().err
    assert type(parts) is Found
    for one, other in zip(whole, parts, strict=True):
        np.testing.assert_array_equal(one, other)


def test_what_is_not_wanted_is_silent(capsys):
    with shown(False, "pairs") as report:
        assert report is silent
        report(3, 4)
    assert capsys.readouterr() == ("", "")


def test_contacts_are_shown_beside_what_is_done(capsys):
    with shown(True, "pairs") as report:
        report(1000)
        report(2000, 7)
    told = capsys.readouterr().err
    assert "searching" in told
    assert "2.00k pairs" in told
    assert "contacts=7" in told
