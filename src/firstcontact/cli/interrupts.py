"""Ctrl-C, also where nobody hears it."""

import sys
from _thread import interrupt_main
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer
from typing import Any

# Seconds until an interrupt that was swallowed comes again.
_AGAIN = 0.1


@contextmanager
def insistent() -> Iterator[list[Timer]]:
    """Repeat interrupts that get lost, as within the compiler, where they cannot be raised; give those."""
    lost: list[Timer] = []
    usual = sys.unraisablehook

    def hear(fault: Any) -> None:
        if fault.exc_type is not KeyboardInterrupt:
            usual(fault)
            return
        again = Timer(_AGAIN, interrupt_main)
        again.daemon = True
        again.start()
        lost.append(again)

    sys.unraisablehook = hear
    try:
        yield lost
    finally:
        sys.unraisablehook = usual
        for again in lost:
            again.cancel()
