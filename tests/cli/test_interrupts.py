import sys
import time
from types import SimpleNamespace

import pytest

from firstcontact.cli.interrupts import insistent


def test_an_interrupt_that_got_lost_comes_again():
    with insistent() as lost:
        sys.unraisablehook(SimpleNamespace(exc_type=KeyboardInterrupt))
        assert len(lost) == 1
        with pytest.raises(KeyboardInterrupt):
            time.sleep(5.0)


def test_after_the_end_it_does_not_come_any_more():
    usual = sys.unraisablehook
    with insistent():
        sys.unraisablehook(SimpleNamespace(exc_type=KeyboardInterrupt))
    assert sys.unraisablehook is usual
    time.sleep(0.3)


def test_other_faults_are_told_as_usual(monkeypatch):
    told = []
    monkeypatch.setattr(sys, "unraisablehook", told.append)
    with insistent() as lost:
        sys.unraisablehook(SimpleNamespace(exc_type=ValueError))
    assert len(told) == 1
    assert lost == []
