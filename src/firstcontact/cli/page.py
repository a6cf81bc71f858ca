"""Pages for the browser, from the command line."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import firstcontact as fc
from firstcontact.cli.command_error import CommandError


def write_page(what: Any, file: Path | None, things: Sequence[str]) -> Path | None:
    """Write a page of what `fc.show` takes, or show it where there is no file; things have their names."""
    title = " and ".join(things)
    try:
        return fc.show(what, file, title=title, names=_names(what, things))
    except OSError as error:
        raise CommandError(f"{file} cannot be written: {error.strerror}") from None


def _names(what: Any, things: Sequence[str]) -> dict[str, str]:
    """What is a and what is b, by their own names; of two of one file, which is which."""
    if len(things) != 2 or list(getattr(what, "things", ())) != ["a", "b"]:
        return {}
    first, second = things
    return {"a": first, "b": second} if first != second else {"a": f"{first}, A", "b": f"{second}, B"}
