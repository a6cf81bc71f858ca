import io

import pytest

from firstcontact import _waiting
from firstcontact.rigid import first_times


class Terminal(io.StringIO):
    def isatty(self):
        return True


def watched(monkeypatch):
    """A terminal for what is told; set within a test, since between its phases pytest sets its own."""
    screen = Terminal()
    monkeypatch.setattr("sys.stderr", screen)
    return screen


def test_a_long_wait_is_told_in_one_line(monkeypatch):
    terminal = watched(monkeypatch)
    monkeypatch.setattr(_waiting, "seconds_to_compile", lambda _function: 21.3)
    _waiting.tell_of_waiting(first_times._search_range.py_func)
    line = "firstcontact: compiling rigid.first_times once on this machine (about 20 s)\n"
    assert terminal.getvalue() == line


def test_a_short_wait_is_not_told(monkeypatch):
    terminal = watched(monkeypatch)
    monkeypatch.setattr(_waiting, "seconds_to_compile", lambda _function: 0.9)
    _waiting.tell_of_waiting(first_times._search_range.py_func)
    assert terminal.getvalue() == ""


def test_nobody_is_told_where_nobody_watches(monkeypatch):
    for stream in (io.StringIO(), None, closed()):
        monkeypatch.setattr("sys.stderr", stream)
        monkeypatch.setattr(_waiting, "seconds_to_compile", lambda _function: pytest.fail("asked"))
        _waiting.tell_of_waiting(first_times._search_range.py_func)


def closed():
    stream = io.StringIO()
    stream.close()
    return stream


def test_who_shows_progress_is_not_interrupted(monkeypatch):
    terminal = watched(monkeypatch)
    monkeypatch.setattr(_waiting, "_silenced", [])
    monkeypatch.setattr(_waiting, "seconds_to_compile", lambda _function: 60.0)
    _waiting.silence()
    _waiting.tell_of_waiting(first_times._search_range.py_func)
    assert terminal.getvalue() == ""


def small(x):
    return x + 1.0


def test_the_guess_grows_with_what_is_called():
    assert _waiting.seconds_to_compile(small) < 0.1
    guess = _waiting.seconds_to_compile(first_times._search_range.py_func)
    assert 1.0 < guess < 60.0 or first_times._search_range.overloads


@pytest.mark.parametrize(("seconds", "shown"), [(1.2, 1), (9.4, 9), (11.0, 10), (43.0, 45)])
def test_a_guess_is_rounded(seconds, shown):
    assert _waiting._rounded(seconds) == shown
