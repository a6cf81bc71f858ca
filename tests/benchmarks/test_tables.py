import math

import pytest

from report.tables import aligned, exponent, html, markdown, milliseconds, ratio_of

LINES = [("name", "ms"), ("a", "1.5"), ("longer", "12")]


def test_numbers_are_aligned_to_the_right():
    assert aligned(LINES, 1).splitlines() == ["name     ms", "a       1.5", "longer   12"]


def test_markdown_says_which_columns_are_numbers():
    assert markdown(LINES, 1).splitlines()[:3] == ["| name | ms |", "| --- | ---: |", "| a | 1.5 |"]


def test_html_escapes_and_marks_numbers():
    text = html([("a<b", "n")], 1)
    assert "<th>a&lt;b</th>" in text
    assert "<th class=n>n</th>" in text


@pytest.mark.parametrize(
    ("seconds", "text"), [(1.5, "1,500"), (0.0123456, "12.3"), (1e-7, "0.0001"), (math.nan, "")]
)
def test_milliseconds(seconds, text):
    assert milliseconds(seconds) == text


@pytest.mark.parametrize(
    ("ratio", "text"), [(1234.0, "1,234"), (12.3, "12"), (0.123, "0.12"), (math.nan, "")]
)
def test_ratio_of(ratio, text):
    assert ratio_of(ratio) == text


def test_exponent_is_the_power():
    assert exponent([10, 100, 1000], [1e-3, 1e-2, 1e-1]) == pytest.approx(1.0)
    assert exponent([10, 1000], [2.0, 20.0]) == pytest.approx(0.5)


def test_exponent_needs_two_times():
    assert math.isnan(exponent([10, 100], [1.0, math.nan]))
    assert math.isnan(exponent([], []))
