"""Which sources machine code comes from: those of its own file and of all that this imports.

The compiler's own room, `_jit` and what is below it, is not among them: no compiled function uses anything of
it, which a test sees, and the options that it hands to the compiler are part of what kept code goes by.
"""

import hashlib
import re
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parent

_COMPILER = b"_jit"

_IMPORTED = re.compile(rb"^\s*from firstcontact\.([\w.]+) import", re.MULTILINE)


@cache
def digest_of(path: Path) -> str:
    """Hash the sources that a file's machine code depends on; of a file elsewhere, the whole package's."""
    files = _reached(path) if PACKAGE in path.parents else set(PACKAGE.rglob("*.py"))
    return hashlib.blake2b(b"".join(hash_of(file) for file in sorted(files)), digest_size=8).hexdigest()


def _reached(path: Path) -> set[Path]:
    """Follow the imports of a file, those of the files they lead to, and so on."""
    reached: set[Path] = set()
    ahead = [path]
    while ahead:
        file = ahead.pop()
        if file not in reached:
            reached.add(file)
            ahead.extend(_imports(file))
    return reached


@cache
def _imports(path: Path) -> list[Path]:
    """Files of this package that a file imports from; a test sees that all of them say it in this way."""
    modules = [module for module in _IMPORTED.findall(path.read_bytes()) if module != _COMPILER]
    return [PACKAGE.joinpath(*module.decode().split(".")).with_suffix(".py") for module in modules]


@cache
def hash_of(path: Path) -> bytes:
    """Hash the source of one file."""
    return hashlib.blake2b(path.read_bytes(), digest_size=8).digest()
