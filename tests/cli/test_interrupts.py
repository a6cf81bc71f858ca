import contextlib
import signal
import sys
import time
from types import SimpleNamespace

import pytest

from firstcontact.cli.interrupts import insistent


@pytest.fixture(autouse=True)
def _interrupts_are_heard():
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_an_interrupt_that_got_lost_comes_again():
    with insistent() as came:
        for _ in range(3):
            with pytest.raises(KeyboardInterrupt):
                signal.raise_signal(signal.SIGINT) if not came.is_set() else time.sleep(5.0)
        assert came.is_set()


def test_after_the_end_it_does_not_come_any_more():
    usual = sys.unraisablehook
    with contextlib.suppress(KeyboardInterrupt), insistent():
        signal.raise_signal(signal.SIGINT)
    assert sys.unraisablehook is usual
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    time.sleep(0.6)


def test_who_ignores_interrupts_hears_none():
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with insistent() as came:
        signal.raise_signal(signal.SIGINT)
    assert not came.is_set()
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN


def test_faults_that_cannot_be_raised_are_told_as_usual_but_for_interrupts(monkeypatch):
    told = []
    monkeypatch.setattr(sys, "unraisablehook", told.append)
    with insistent():
        sys.unraisablehook(SimpleNamespace(exc_type=KeyboardInterrupt))
        sys.unraisablehook(SimpleNamespace(exc_type=ValueError))
    assert [fault.exc_type for fault in told] == [ValueError]
