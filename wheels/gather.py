"""Gathers the kept machine code of all drivers into a pack, in a process that compiles nothing."""

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Any

import numba
import numpy as np
from baseline import baseline
from numba.core.dispatcher import Dispatcher

import firstcontact
from firstcontact._found_code import FoundCode
from firstcontact._object_code import needs_of
from firstcontact._shipped_pack import Entry, Made, Pack, host_of, write_pack
from firstcontact._sources import digest_of
from firstcontact.cli.commands.warmup import variants

# Rooms without compiled code, which may need extras.
_WITHOUT_CODE = ("firstcontact.cli", "firstcontact.viz", "firstcontact.__main__")


def write(folder: str) -> None:
    """Ask all again, and write what was loaded for it."""
    idle = unreached()
    if idle:
        sys.exit(f"warm-up (src/firstcontact/cli/commands/warmup.py) does not reach {', '.join(idle)}")
    entries, codes = [], []
    for driver in drivers():
        for signature in driver.overloads:
            code = driver._cache.kept.record_for(signature, driver.targetctx)
            if code is None:
                sys.exit(f"{driver.__name__} cannot be packed for {signature}")
            entries.append(_entry(driver.py_func, signature))
            codes.append(code)
    made = host_of(numba.__version__, np.__version__).made
    found = baseline()
    assert found is not None, "make_pack looks first"
    processor, features = found
    needed = sorted({name for code in codes for name in needs_of(code)})
    pack = Pack(Path(folder) / _name(made), made, processor, features, tuple(needed), tuple(entries))
    write_pack(pack, codes)
    size = pack.path.stat().st_size / 1e6
    print(f"{pack.path}: {len(entries)} functions for {processor}, {size:.1f} MB")


def unreached() -> list[str]:
    """Ask all that warm-up asks, and name the drivers that none of it reaches."""
    for parts in variants().values():
        for ask in parts:
            ask()
    return [f"{one.__module__}.{one.__name__}" for one in drivers() if not one.overloads]


def drivers() -> Iterator[Any]:
    """Give all functions of the package that Python calls compiled."""
    for module in walk_packages(firstcontact.__path__, "firstcontact."):
        if not module.name.startswith(_WITHOUT_CODE):
            import_module(module.name)
    for name, loaded in sorted(sys.modules.items()):
        if name.startswith("firstcontact."):
            yield from (value for value in vars(loaded).values() if _is_driver_of(value, name))


def _is_driver_of(value: Any, module: str) -> bool:
    if not isinstance(value, Dispatcher) or value.py_func.__module__ != module:
        return False
    return isinstance(value._cache, FoundCode) and value._cache.is_driver


def _entry(function: Any, signature: tuple[Any, ...]) -> Entry:
    sources = digest_of(Path(function.__code__.co_filename))
    return Entry(function.__module__, function.__qualname__, sources, repr(signature), 0, 0, "")


def _name(made: Made) -> str:
    python = made.python.removeprefix(".").partition(".")[0]
    return f"numba-{made.numba}-{python}.pack"
