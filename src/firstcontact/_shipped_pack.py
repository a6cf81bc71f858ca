"""The machine code that a wheel for one platform carries: one file for all drivers, and whether it fits here.

A pack is used only where it was made for: the same compiler, interpreter, system and sources, and a processor
that has all it asks for. All else compiles, as without a pack. Its parts are behind checksums.

Whether a pack fits is told without loading the compiler, for `firstcontact info`.
"""

import hashlib
import json
import os
import re
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Any, NamedTuple

from firstcontact._sources import PACKAGE, digest_of
from firstcontact._whole_file import whole_file

FOLDER = PACKAGE / "machine_code"

# Set to anything, it lets code be compiled for this very processor, whatever is shipped.
COMPILE_HERE = "FIRSTCONTACT_COMPILE"

# What changes the code that the compiler makes: who sets one of these wants another code than the shipped.
SETTINGS = (
    "NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES", "NUMBA_ENABLE_AVX", "NUMBA_OPT", "NUMBA_BOUNDSCHECK",
    "NUMBA_DEBUGINFO", "NUMBA_LOOP_VECTORIZE", "NUMBA_SLP_VECTORIZE",
)  # fmt: skip

_MAGIC = b"firstcontact machine code 1\n"
_CHECKSUM_BYTES = 32
_LENGTH_BYTES = 8


class Made(NamedTuple):
    """What machine code is made with, and runs with: equal, or it is not used."""

    numba: str
    llvm: str
    numpy: str  # the number before the first dot: its arrays look the same until that changes
    python: str  # what its extension modules end in: version, kind and platform of the interpreter
    system: str


class Entry(NamedTuple):
    """One function's code for one signature."""

    module: str
    name: str
    sources: str
    signature: str
    start: int
    length: int
    checksum: str


class Pack(NamedTuple):
    """A pack's table of contents."""

    path: Path
    made: Made
    processor: str
    features: tuple[str, ...]
    needed: tuple[str, ...]  # names that the process must have
    entries: tuple[Entry, ...]

    def code_of(self, entry: Entry) -> bytes:
        """Read one function's code; a `ValueError` where it is not what was packed."""
        with self.path.open("rb") as stream:
            stream.seek(entry.start)
            code = stream.read(entry.length)
        if _checksum(_named(entry), code) != entry.checksum:
            raise ValueError(f"machine code in {self.path} is damaged ({entry.name})")
        return code


class Host(NamedTuple):
    """What is here, and what was asked for."""

    made: Made
    features: Mapping[str, bool]
    settings: tuple[str, ...]


def host_of(numba: str, numpy: str, settings: Iterable[str] = ()) -> Host:
    """Describe this process, by the versions of what it has or would load."""
    from llvmlite import binding

    llvm = ".".join(str(number) for number in binding.llvm_version_info)
    system = system_of(binding.get_process_triple())
    made = Made(numba, llvm, numpy.split(".")[0], EXTENSION_SUFFIXES[0], system)
    try:
        features = dict(binding.get_host_cpu_features())
    except RuntimeError:  # unknown here
        features = {}
    asked = [name for name in (COMPILE_HERE, *SETTINGS) if os.environ.get(name)]
    return Host(made, features, tuple(dict.fromkeys([*asked, *settings])))


def system_of(triple: str) -> str:
    """Name processor and system; macOS has its release at the end, which does not matter."""
    return re.sub(r"[\d.]+$", "", triple)


def refusal_of(pack: Pack, host: Host) -> str | None:
    """Say why a pack is not used; None where it fits."""
    for field, packed, here in zip(Made._fields, pack.made, host.made, strict=True):
        if packed != here:
            return f"it is for {field} {packed}, and here is {here}"
    missing = [name for name in pack.features if not host.features.get(name)]
    if missing:
        return f"this processor has no {missing[0]}"
    return f"{host.settings[0]} is set" if host.settings else None


def is_current(entry: Entry) -> bool:
    """Tell whether the sources that an entry comes from are those that are here."""
    path = PACKAGE.joinpath(*entry.module.split(".")[1:]).with_suffix(".py")
    try:
        return digest_of(path) == entry.sources
    except OSError:
        return False


@cache
def packs() -> tuple[Pack | str, ...]:
    """Read the contents of all packs that are here; a sentence for one that cannot be read."""
    return tuple(_read_or_reason(path) for path in sorted(FOLDER.glob("*.pack")))


def _read_or_reason(path: Path) -> Pack | str:
    try:
        return read_pack(path)
    except (OSError, ValueError) as error:
        return f"{path.name} cannot be used: {getattr(error, 'strerror', None) or error}"


def read_pack(path: Path) -> Pack:
    """Read a pack's contents; a `ValueError` where it is damaged."""
    with path.open("rb") as stream:
        if stream.read(len(_MAGIC)) != _MAGIC:
            raise ValueError("it is damaged, or of another release")
        length = int.from_bytes(stream.read(_LENGTH_BYTES), "little")
        checksum = stream.read(_CHECKSUM_BYTES).hex()
        content = stream.read(min(length, os.fstat(stream.fileno()).st_size))
        behind = stream.tell()
    if _checksum("contents", content) != checksum:
        raise ValueError("it is damaged")
    table: dict[str, Any] = json.loads(content)
    entries = [Entry(*row) for row in table["entries"]]
    return Pack(
        path,
        Made(**table["made"]),
        table["processor"],
        tuple(table["features"]),
        tuple(table["needed"]),
        tuple(entry._replace(start=entry.start + behind) for entry in entries),
    )


def write_pack(pack: Pack, codes: Iterable[bytes]) -> None:
    """Write a pack with the code of each of its entries, whose places and checksums are filled in."""
    entries, parts, start = [], [], 0
    for entry, code in zip(pack.entries, codes, strict=True):
        checksum = _checksum(_named(entry), code)
        entries.append(entry._replace(start=start, length=len(code), checksum=checksum))
        parts.append(code)
        start += len(code)
    table = pack._asdict() | {"entries": entries, "made": pack.made._asdict()}
    del table["path"]
    content = json.dumps(table).encode()
    pack.path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(pack.path) as stream:
        stream.write(_MAGIC + len(content).to_bytes(_LENGTH_BYTES, "little"))
        stream.write(bytes.fromhex(_checksum("contents", content)) + content + b"".join(parts))


def _named(entry: Entry) -> str:
    return repr((entry.module, entry.name, entry.sources, entry.signature))


def _checksum(of: str, content: bytes) -> str:
    digest = hashlib.blake2b(of.encode(), digest_size=_CHECKSUM_BYTES)
    digest.update(content)
    return digest.hexdigest()
