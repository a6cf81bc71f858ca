import argparse

import pytest

from firstcontact._validate import COORDINATE_LIMIT
from firstcontact.cli.command_error import CommandError
from firstcontact.cli.options.option_values import LONGEST, as_number, number, numbers, page


@pytest.mark.parametrize("text", ["", "x", "nan", "inf", "-1e999", "1_0", "1,2"])
def test_what_is_no_finite_number(text):
    assert as_number(text) is None
    with pytest.raises(argparse.ArgumentTypeError, match="there must be a finite number at least 0;"):
        number(0.0)(text)


def test_numbers_have_bounds():
    assert number(0.0, 1.0)("1e-3") == 1e-3
    for text in ("-0.1", "1.1"):
        with pytest.raises(argparse.ArgumentTypeError, match=r"in \[0, 1\]"):
            number(0.0, 1.0)(text)


def test_lengths_go_as_far_as_coordinates():
    assert LONGEST == COORDINATE_LIMIT


def test_several_numbers():
    assert numbers("--size", "1,-2, 3e1", 3) == [1.0, -2.0, 30.0]
    for text in ("1,2", "1,2,3,4", "1,,3", "1,2,x", ""):
        with pytest.raises(CommandError, match="--size must have 3 finite numbers with commas between them"):
            numbers("--size", text, 3)


def test_pages_are_known_by_their_end():
    assert page("a/b.HTML").name == "b.HTML"
    with pytest.raises(argparse.ArgumentTypeError, match=r"a page must end in .html; received 'b.png'"):
        page("b.png")
