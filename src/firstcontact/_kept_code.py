"""Machine code that is kept on disk: whole and our own, or compiled anew.

A file holds the code of one function for one signature, behind a checksum that also covers what the code was
made from and for. Code that differs by a bit is never run, and one process may write while others read.

Code goes by all the sources that it comes from: that of its own file, and, by the name of its folder, those
of the files that this calls. It does not survive an edit, or an upgrade, of any of them.
"""

import hashlib
import pickle
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import numba
import numpy as np
from numba.core import compiler, serialize, sigutils

from firstcontact._cache_home import refusal_of
from firstcontact._sources import hash_of
from firstcontact._whole_file import whole_file

_CHECKSUM_BYTES = 32

_MADE_WITH = (numba.__version__, np.__version__, sys.implementation.cache_tag)

_told: list[str] = []

# Not typed, or typed in part.
_compiler, _serialize, _sigutils = cast(Any, compiler), cast(Any, serialize), cast(Any, sigutils)


class KeptCode:
    """The machine code of one function, as the compiler asks for it and hands it over.

    It stands in for the compiler's own cache, which runs what it finds unchecked, raises where a file cannot
    be read or written, and numbers its files so that two processes can mix up their code.
    """

    def __init__(self, function: Callable[..., Any], folder: Path) -> None:
        code = function.__code__
        self._folder = folder
        self._name = function.__name__
        # Not the path: what is installed elsewhere, from the same sources, is the same.
        source = hash_of(Path(code.co_filename)).hex()
        self._made_from = (source, function.__module__, function.__qualname__, code.co_firstlineno)

    @property
    def cache_path(self) -> str:
        """Give the folder, for the compiler's statistics."""
        return str(self._folder)

    def load_overload(self, signature: Any, target: Any) -> Any:
        """Load the code for a signature; None where there is none that can be used."""
        target.refresh()
        key = self._key(signature, target.codegen())
        try:
            content = self._path(key).read_bytes()
            refusal = refusal_of(self._folder)
        except FileNotFoundError:
            return None
        except OSError as error:
            return _tell(self._folder, f"cannot be read ({error.strerror})")
        if refusal is not None:
            return _tell(self._folder, f"is not used, since {refusal}")
        checksum, payload = content[:_CHECKSUM_BYTES], memoryview(content)[_CHECKSUM_BYTES:]
        if checksum != _checksum(key, payload):
            return _tell(self._folder, f"is damaged ({self._path(key).name})")
        try:
            result = _compiler.CompileResult._rebuild(target, *pickle.loads(payload))
        except Exception as error:  # whatever a file may hold, the code can be compiled
            return _tell(self._folder, f"does not load ({type(error).__name__})")
        return (
            result
            if tuple(result.signature.args) == tuple(_sigutils.normalize_signature(signature)[0])
            else None
        )

    def save_overload(self, signature: Any, result: Any) -> None:
        """Keep the code for a signature, where that is possible."""
        if result.library.has_dynamic_globals:  # addresses, which the next process has elsewhere
            return
        key = self._key(signature, result.codegen)
        payload = _serialize.dumps(result._reduce())
        try:
            _write(self._path(key), _checksum(key, payload) + payload)
        except OSError as error:
            _tell(self._folder, f"cannot be kept ({error.strerror or error})")

    def _key(self, signature: Any, codegen: Any) -> bytes:
        """Describe what the code is made from and for: sources and types, processor and versions."""
        return repr((_MADE_WITH, self._made_from, signature, codegen.magic_tuple())).encode(
            "utf-8", "backslashreplace"
        )

    def _path(self, key: bytes) -> Path:
        digest = hashlib.blake2b(key, digest_size=8).hexdigest()
        return self._folder / f"{self._name}-{digest}.code"

    def enable(self) -> None:
        """Do nothing: it is always on."""

    def disable(self) -> None:
        """Do nothing: it is always on."""

    def flush(self) -> None:
        """Do nothing: new code takes the place of old code."""


def _checksum(key: bytes, payload: bytes | memoryview) -> bytes:
    digest = hashlib.blake2b(key, digest_size=_CHECKSUM_BYTES)
    digest.update(payload)
    return digest.digest()


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(mode=0o755, parents=True, exist_ok=True)  # others may read
    with whole_file(path) as stream:
        stream.write(content)


def _tell(folder: Path, what: str) -> None:
    tell(f"machine code in {folder} {what}: it is compiled anew, which takes seconds")


def tell(sentence: str) -> None:
    """Warn, once in a process: the next file would say the same. Never an exception, whatever the filters."""
    if not _told:
        _told.append(sentence)
        try:
            warnings.warn(sentence, RuntimeWarning, stacklevel=2)
        except RuntimeWarning:  # raised amid a compilation, it would come out as a fault of the compiler
            sys.stderr.write(f"firstcontact: {sentence}\n")
