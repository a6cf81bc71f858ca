"""Ctrl-C, also where nobody hears it."""

import signal
import sys
from _thread import interrupt_main
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread, current_thread, main_thread
from types import FrameType
from typing import Any

# Seconds from one interrupt to the next, until one is heard.
_AGAIN = 0.25


@contextmanager
def insistent() -> Iterator[Event]:
    """Raise an interrupt again and again until it ends this context; give whether there was one.

    The compiler loses some: those that come while it is called back, where nothing can be raised.
    """
    came, is_over = Event(), Event()
    is_heard = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # not ignored, nor another's
    if not is_heard or current_thread() is not main_thread():  # which alone is interrupted
        yield came
        return

    def repeat() -> None:
        while not is_over.wait(_AGAIN):
            _interrupt_main()

    def interrupt(*_: int | FrameType | None) -> None:
        if is_over.is_set():
            return
        if not came.is_set():
            came.set()
            Thread(target=repeat, daemon=True).start()
        raise KeyboardInterrupt

    def hear(fault: Any) -> None:
        if fault.exc_type is not KeyboardInterrupt:
            usual(fault)

    usual = sys.unraisablehook
    sys.unraisablehook = hear
    signal.signal(signal.SIGINT, interrupt)
    try:
        yield came
    finally:
        is_over.set()
        signal.signal(signal.SIGINT, signal.default_int_handler)
        sys.unraisablehook = usual


def _interrupt_main() -> None:
    """Send the signal to the main thread, which may be asleep; on Windows it hears that when it wakes."""
    if hasattr(signal, "pthread_kill"):  # not on Windows
        signal.pthread_kill(main_thread().ident or 0, signal.SIGINT)
    else:
        interrupt_main()
