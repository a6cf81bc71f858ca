import pytest

from firstcontact.cli.demo.story import NO_BREAK, duration, early, rows_of


@pytest.mark.parametrize(
    ("value", "digits", "words"),
    [(0.99999, 3, "0.999"), (135.88794, 3, "135.887"), (2.0, 2, "2.00"), (0.0, 1, "0.0")],
)
def test_times_of_contacts_are_told_early(value, digits, words):
    assert early(value, digits) == words


@pytest.mark.parametrize(
    ("seconds", "words"), [(12.34, "12.3 s"), (0.5, "500 ms"), (0.0123, "12 ms"), (0.00123, "1.2 ms")]
)
def test_durations_stay_on_one_line(seconds, words):
    assert duration(seconds) == words.replace(" ", NO_BREAK)


def test_rows_become_a_table():
    assert rows_of([("a", "b"), ("1", "2")]) == (
        "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>"
    )
