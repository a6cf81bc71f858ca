"""Where machine code is found: shipped with the package, or kept on disk; else it is compiled."""

from collections.abc import Callable
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numba
import numpy as np

from firstcontact import _shipped_pack
from firstcontact._cache_home import cache_home
from firstcontact._kept_code import KeptCode, tell
from firstcontact._object_code import UnfitCodeError, function_of
from firstcontact._shipped_pack import Entry, Pack, host_of, refusal_of
from firstcontact._sources import digest_of
from firstcontact._waiting import tell_of_waiting

_config: Any = numba.config  # its settings are made when it is loaded: no type checker can know them


class FoundCode:
    """The machine code of one function, as the compiler asks for it and hands it over.

    Nothing is looked for on disk before it is asked for: what is shipped needs no folder to write to.
    """

    def __init__(self, function: Callable[..., Any], options: dict[str, Any], *, is_driver: bool) -> None:
        self._function = function
        self._options = options
        self.is_driver = is_driver

    @cached_property
    def kept(self) -> KeptCode | None:
        """The place of the code on disk; None, with a warning, where there can be none."""
        home = kept_home()
        if home is None or self._function.__closure__:  # what a closure holds is in no source
            return None
        try:
            digest = digest_of(Path(self._function.__code__.co_filename))
            return KeptCode(
                self._function, home / f"kernels-{digest}", self._options, is_driver=self.is_driver
            )
        except OSError as error:  # the sources are in no file, but in an archive
            tell(f"machine code is not kept, since its source cannot be read ({error.strerror})")
            return None

    @property
    def cache_path(self) -> str | None:
        """Give the folder, for the compiler's statistics."""
        return None if self.kept is None else self.kept.cache_path

    def load_overload(self, signature: Any, target: Any) -> Any:
        """Find the code for a signature; None where it must be compiled."""
        found = self._shipped(signature, target) if self.is_driver else None
        if found is None and self.kept is not None:
            found = self.kept.load_overload(signature, target)
        if found is None and self.is_driver:
            tell_of_waiting(self._function)
        return found

    def save_overload(self, signature: Any, result: Any) -> None:
        """Keep the code for a signature, where that is possible."""
        if self.kept is not None:
            self.kept.save_overload(signature, result)

    def _shipped(self, signature: Any, target: Any) -> Any:
        """Load what is shipped; whatever is wrong with it, the code can be compiled."""
        pack, entries = _entries()
        entry = entries.get((self._function.__module__, self._function.__qualname__, repr(signature)))
        if pack is None or entry is None:
            return None
        try:
            if digest_of(Path(self._function.__code__.co_filename)) != entry.sources:
                return None
            return function_of(pack.code_of(entry), signature, target)
        except UnfitCodeError:
            return None  # it would be so for the next one too, and `firstcontact info` says it
        except Exception as error:
            tell(f"{error}: it is compiled anew, which takes seconds")
            return None

    def enable(self) -> None:
        """Do nothing: it is always on."""

    def disable(self) -> None:
        """Do nothing: it is always on."""

    def flush(self) -> None:
        """Do nothing: new code takes the place of old code."""


@cache
def kept_home() -> Path | None:
    """Find the folder that holds the folders of machine code; None, with a warning, where there is none."""
    home = cache_home(_config.CACHE_DIR)
    if home is None:
        tell("machine code is not kept, since no folder is writable; NUMBA_CACHE_DIR can name one")
    return home


@cache
def _entries() -> tuple[Pack | None, dict[tuple[str, str, str], Entry]]:
    """Find the pack that fits, with its contents by module, name and signature; None where there is none."""
    found = _shipped_pack.packs()
    if not found:
        return None, {}
    host = host_of(numba.__version__, np.__version__, _settings())
    for pack in found:
        if isinstance(pack, Pack) and refusal_of(pack, host) is None:
            return pack, {(entry.module, entry.name, entry.signature): entry for entry in pack.entries}
    for sentence in found:
        if isinstance(sentence, str):
            tell(f"machine code in {sentence}: it is compiled anew, which takes seconds")
    return None, {}


def _settings() -> list[str]:
    """What the compiler was told to do otherwise, in its own file of settings too."""
    usual = {"CPU_NAME": None, "CPU_FEATURES": None, "BOUNDSCHECK": None, "DEBUGINFO_DEFAULT": 0}
    return [f"NUMBA_{name}" for name, value in usual.items() if getattr(_config, name, value) != value]
