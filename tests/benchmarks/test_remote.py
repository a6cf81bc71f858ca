import os
import time

import pytest

from report.remote import Remote, RemoteError


class Echo:
    def __init__(self, name="echo"):
        self._name = name

    def say(self, word):
        return f"{self._name}: {word}"

    def fail(self):
        raise ValueError("no such thing")

    def crash(self):
        os.abort()

    def hang(self):
        time.sleep(60.0)


class NoneSuch:
    def __init__(self):
        raise ImportError("no module named none")

    def say(self, word):
        return word


@pytest.fixture
def remote(request, benchmarks_on_path):
    made = Remote(*request.param)
    yield made
    made.close()


LONG = 60.0


@pytest.mark.parametrize("remote", [(LONG, Echo, "there")], indirect=True)
def test_a_remote_answers_and_outlasts_an_exception_but_not_a_crash(remote):
    assert remote.ask("say", "here") == "there: here"
    with pytest.raises(RemoteError, match="ValueError: no such thing") as failed:
        remote.ask("fail")
    assert not failed.value.is_dead
    assert remote.ask("say", "again") == "there: again"
    with pytest.raises(RemoteError, match="crashed") as crashed:
        remote.ask("crash")
    assert crashed.value.is_dead


@pytest.mark.parametrize("remote", [(0.5, Echo)], indirect=True)
def test_a_remote_that_hangs_is_given_up(remote):
    with pytest.raises(RemoteError, match="time limit") as hung:
        remote.ask("hang")
    assert hung.value.is_dead


@pytest.mark.parametrize("remote", [(LONG, NoneSuch)], indirect=True)
def test_what_cannot_be_made_says_why(remote):
    with pytest.raises(RemoteError, match="ImportError: no module named none"):
        remote.ask("say", "here")
