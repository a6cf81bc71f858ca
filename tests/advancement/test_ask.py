"""What is asked: checked once, and known by what is not left as it is."""

import numpy as np
import pytest

from firstcontact.advancement.ask import RELATIVE_TOLERANCE, USUAL, Ask

METHODS = {"best": 0, "other": 1}


def test_what_is_left_as_it_is_is_not_given():
    assert Ask.checked() is USUAL
    assert Ask.checked(min_separation=0.0, solid=False, exact=True, culling=None) is USUAL
    assert USUAL.given() == []
    assert Ask.checked(solid=np.True_, tolerance=0).given() == ["tolerance", "solid"]
    assert Ask.checked(exact=False).exact is False


@pytest.mark.parametrize(
    ("options", "error", "rule"),
    [
        ({"tolerance": -1}, ValueError, "tolerance must be "),
        ({"min_separation": np.nan}, ValueError, "min_separation must be "),
        ({"method": 5}, TypeError, "method must be a text; received 5"),
        ({"max_iterations": 0}, ValueError, "max_iterations must be an integer"),
        ({"solid": 1}, TypeError, "solid must be True or False; received 1"),
        ({"time_tolerance": -1.0}, ValueError, "time_tolerance must be "),
        ({"max_contacts": True}, ValueError, "max_contacts must be an integer"),
    ],
)
def test_what_is_given_is_checked(options, error, rule):
    with pytest.raises(error, match=f"^{rule}"):
        Ask.checked(**options)


def test_a_method_is_one_of_those_there_are():
    assert (USUAL.method_of(METHODS), Ask(method="other").method_of(METHODS)) == (0, 1)
    with pytest.raises(ValueError, match=r"^method must be 'best' or 'other'; received ''$"):
        Ask(method="").method_of(METHODS)


def test_the_tolerance_goes_by_the_smaller_size_that_is_one():
    assert USUAL.tolerance_for(3.0, 2.0) == 2.0 * RELATIVE_TOLERANCE
    assert USUAL.tolerance_for(0.0, 2.0) == 2.0 * RELATIVE_TOLERANCE
    assert USUAL.tolerance_for(0.0, 0.0) == 0.0
    assert Ask(0.25).tolerance_for(3.0, 2.0) == 0.25
