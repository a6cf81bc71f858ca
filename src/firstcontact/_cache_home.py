"""Where machine code is kept: one rule, for who fills the folder and who names it."""

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from firstcontact._sources import PACKAGE


def cache_home(asked: str) -> Path | None:
    """Find a writable folder for the folders of machine code; None where there is none.

    It is the one asked for, by ``NUMBA_CACHE_DIR``; or, where none is, the one beside the package; or, where
    that cannot be written to, the user's.
    """
    user = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA") or "~/.cache"
    homes = [Path(asked)] if asked else [PACKAGE / "__pycache__", Path(user, "firstcontact")]
    for home in homes:
        with suppress(OSError, RuntimeError):  # not writable, or no home folder is known
            folder = home.expanduser()
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                return folder
    return None


def refusal_of(folder: Path) -> str | None:
    """Say why nothing may be loaded from a folder; None where it may.

    To load machine code is to run it: who can write to the folder decides what it does. As `ssh` with its
    keys, we trust only a folder of our own, or the superuser's, to which nobody else may write.
    """
    if not hasattr(os, "geteuid"):  # Windows, where a user's folders are the user's
        return None
    state = folder.stat()
    if state.st_uid not in (0, os.geteuid()):
        return "it belongs to another user"
    return "other users may write to it" if state.st_mode & 0o022 else None
