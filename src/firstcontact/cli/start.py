"""Where the `firstcontact` program starts: quiet from the first moment, before anything else is loaded."""

import _signal  # type: ignore[import-not-found]
import os
import sys

# As `typing` has it. Neither that nor `signal` is loaded here: an early Ctrl-C would fall into it.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import NoReturn

# What shells make of a program that Ctrl-C ended: 128 + SIGINT.
_INTERRUPTED = 130


def start() -> "NoReturn":
    """Run the command of this process's arguments. Ctrl-C ends it, while it is loaded and at its end too."""
    is_heard = _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler  # not told to ignore it
    if is_heard:
        _signal.signal(_signal.SIGINT, _leave)
    from firstcontact.cli.main import main

    try:
        if is_heard:
            _signal.signal(_signal.SIGINT, _signal.default_int_handler)
        status = main()
    except KeyboardInterrupt:
        status = _INTERRUPTED
    finally:
        if is_heard:
            _signal.signal(_signal.SIGINT, _leave)
    sys.exit(status)


def _leave(*_: object) -> "NoReturn":
    """End at once: nothing is under way that would be left half done."""
    os._exit(_INTERRUPTED)
