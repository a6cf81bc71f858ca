"""Machine code that is kept on disk: whole and our own, or compiled anew.

A file holds the code of one function for one signature, behind a checksum that also covers what the code was
made from and for. Code that differs by a bit is never run, and one process may write while others read.

Code goes by all the sources that it comes from: that of its own file, and, by the name of its folder, those
of the files that this calls. It does not survive an edit, or an upgrade, of any of them.

Of a driver, which no compiled function calls, only the object file is kept: it loads without the compiler.
Of a kernel, its own code as LLVM reads it is kept, and the names of the kernels that it calls.
"""

import hashlib
import pickle
import sys
import warnings
from collections.abc import Callable
from contextlib import suppress
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Any, cast

import numba
import numpy as np
from numba.core import compiler, serialize, sigutils

from firstcontact._cache_home import refusal_of
from firstcontact._late_linking import KernelId, KernelLibrary, is_on
from firstcontact._object_code import function_of, record_of
from firstcontact._sources import hash_of
from firstcontact._whole_file import whole_file

_CHECKSUM_BYTES = 32

# What a file holds: an object file, a kernel alone, or all that the compiler would keep.
_OBJECT, _ALONE, _WHOLE = b"O", b"A", b"W"

_FORMAT = 2

# What the compiler may be told to do otherwise.
_SETTINGS = ("OPT", "BOUNDSCHECK", "DEBUGINFO_DEFAULT", "LOOP_VECTORIZE", "SLP_VECTORIZE")

_MADE_WITH = (_FORMAT, numba.__version__, np.__version__, EXTENSION_SUFFIXES[0])

_config: Any = numba.config  # its settings are made when it is loaded: no type checker can know them

_told: list[str] = []

# Not typed, or typed in part.
_compiler, _serialize, _sigutils = cast(Any, compiler), cast(Any, serialize), cast(Any, sigutils)


class KeptCode:
    """The machine code of one function, as the compiler asks for it and hands it over.

    It stands in for the compiler's own cache, which runs what it finds unchecked, raises where a file cannot
    be read or written, and numbers its files so that two processes can mix up their code.
    """

    def __init__(
        self, function: Callable[..., Any], folder: Path, options: dict[str, Any], *, is_driver: bool
    ) -> None:
        code = function.__code__
        self._folder = folder
        self._name = function.__name__
        self._is_driver = is_driver
        # Not the path: what is installed elsewhere, from the same sources, is the same.
        source = hash_of(Path(code.co_filename)).hex()
        self._made_from = (source, function.__module__, function.__qualname__, code.co_firstlineno)
        self._options = sorted(options.items())

    @property
    def cache_path(self) -> str:
        """Give the folder, for the compiler's statistics."""
        return str(self._folder)

    def load_overload(self, signature: Any, target: Any) -> Any:
        """Load the code for a signature; None where there is none that can be used."""
        payload = self._payload(self._key(signature, target.codegen()))
        if payload is None:
            return None
        try:
            return _loaded(payload, signature, target)
        except Exception as error:  # whatever a file may hold, the code can be compiled
            _tell(self._folder, f"does not load ({type(error).__name__})")
            return None

    def record_for(self, signature: Any, target: Any) -> bytes | None:
        """Give what `function_of` makes a driver of, as it was kept; None where there is none."""
        payload = self._payload(self._key(signature, target.codegen()))
        return bytes(payload[1:]) if payload is not None and payload[:1] == _OBJECT else None

    def _payload(self, key: bytes) -> memoryview | None:
        """Read what was kept, if it is whole and our own."""
        try:
            content = self._path(key).read_bytes()
            refusal = refusal_of(self._folder)
        except FileNotFoundError:
            return None
        except OSError as error:
            _tell(self._folder, f"cannot be read ({error.strerror})")
            return None
        checksum, payload = content[:_CHECKSUM_BYTES], memoryview(content)[_CHECKSUM_BYTES:]
        if refusal is None and checksum == _checksum(key, payload):
            return payload
        damaged = f"is damaged ({self._path(key).name})"
        _tell(self._folder, damaged if refusal is None else f"is not used, since {refusal}")
        return None

    def save_overload(self, signature: Any, result: Any) -> None:
        """Keep the code for a signature, where that is possible."""
        key = self._key(signature, result.codegen)
        payload = self._payload_of(result)
        if payload is None:
            return
        try:
            _write(self._path(key), _checksum(key, payload) + payload)
        except OSError as error:
            _tell(self._folder, f"cannot be kept ({error.strerror or error})")

    def _payload_of(self, result: Any) -> bytes | None:
        """Write down what was compiled; None where that cannot be kept."""
        if self._is_driver:
            with suppress(Exception):  # then as the compiler does it
                return _OBJECT + record_of(result)
        if result.library.has_dynamic_globals:  # addresses, which the next process has elsewhere
            return None
        if isinstance(result.library, KernelLibrary):
            return _kernel_record(result)
        return _WHOLE + cast(bytes, _serialize.dumps(result._reduce()))

    def _key(self, signature: Any, codegen: Any) -> bytes:
        """Describe what the code is made from and for: sources and types, processor, options and versions."""
        settings = [getattr(_config, name, None) for name in _SETTINGS]
        made_for = settings, signature, codegen.magic_tuple()
        way = () if self._is_driver else (is_on(),)  # a driver is whole in either way
        return repr((_MADE_WITH, self._made_from, self._options, *made_for, *way)).encode(
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


def _loaded(payload: memoryview, signature: Any, target: Any) -> Any:
    if payload[:1] == _OBJECT:
        return function_of(payload[1:], signature, target)
    target.refresh()
    parts = pickle.loads(payload[1:])
    rebuilt = _kernel_again if payload[:1] == _ALONE else _compiler.CompileResult._rebuild
    result = rebuilt(target, *parts)
    is_wanted = tuple(result.signature.args) == tuple(_sigutils.normalize_signature(signature)[0])
    return result if is_wanted else None


def _kernel_record(result: Any) -> bytes | None:
    """Write down a kernel as `_kernel_again` takes it; None where a name does not tell all of it."""
    library, description = result.library, result.fndesc
    if not all(one.is_lasting for one in (library, *library.used)):
        return None
    description.typemap = description.calltypes = None  # large, and for the compiler alone
    used = [(tuple(one.kernel), one.symbol) for one in library.used]
    code = tuple(library.kernel), library.symbol, library.bitcode(), used
    return _ALONE + cast(bytes, _serialize.dumps((code, description, result.environment, result.signature)))


def _kernel_again(target: Any, code: Any, description: Any, environment: Any, signature: Any) -> Any:
    """Make a kernel as the compiler hands it over; the kernels that it calls are found, or compiled."""
    kernel, symbol, bitcode, used = code
    library = KernelLibrary(target.codegen(), KernelId(*kernel))
    library.restore(symbol, bitcode, [(KernelId(*one), called) for one, called in used])
    return _compiler.compile_result(
        target_context=target,
        typing_context=target.typing_context,
        library=library,
        environment=environment,
        entry_point=target.get_executable(library, description, environment),
        fndesc=description,
        type_annotation="",
        signature=signature,
        objectmode=False,
        lifted=(),
        reload_init=(),
        referenced_envs=(),
    )


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
