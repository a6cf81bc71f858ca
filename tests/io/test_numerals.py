"""Numbers as files spell them, and what only looks like one."""

import pytest

from firstcontact.io.numerals import reals, shown, wholes


def test_numbers_are_read():
    assert reals([b"1", b"-2.5", b"+1e-3", b".5"]) == [1.0, -2.5, 1e-3, 0.5]
    assert wholes([b"0", b"-12", b"+7"]) == [0, -12, 7]
    assert reals([]) == wholes([]) == []


@pytest.mark.parametrize("word", [b"nan", b"inf", b"1_000", b"0x10", "٣".encode(), b"", b"1e", b"--1"])
def test_no_other_words_are_numbers(word):
    for read in (reals, wholes):
        with pytest.raises(ValueError, match=r"^$"):
            read([b"1", word])


@pytest.mark.parametrize("word", [b"1.0", b"1e3", b"1" * 19])
def test_whole_numbers_are_short_and_have_no_fraction(word):
    with pytest.raises(ValueError, match=r"^$"):
        wholes([word])


def test_lines_are_shown_in_one_line_whatever_they_hold():
    assert shown(b"  v 1 2\n") == "v 1 2"
    assert shown(b"a\x00b\xff") == "a\N{REPLACEMENT CHARACTER}b\N{REPLACEMENT CHARACTER}"
    assert len(shown(b"x" * 1000)) == 60
