"""Pages for the browser, from the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import firstcontact as fc
from firstcontact.cli.command_error import CommandError


def write_page(what: Any, file: Path | None, title: str) -> Path | None:
    """Write a page of what `fc.show` takes, or show it where there is no file."""
    try:
        return fc.show(what, file, title=title)
    except OSError as error:
        raise CommandError(f"{file} cannot be written: {error.strerror}") from None
