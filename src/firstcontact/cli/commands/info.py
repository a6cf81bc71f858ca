"""`firstcontact info`: versions, extras, threads and the cache of compiled code."""

from __future__ import annotations

import argparse
import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import firstcontact as fc
from firstcontact._cache_home import cache_home
from firstcontact.cli.command import add_command, add_json
from firstcontact.cli.compiling.machine_code import machine_code
from firstcontact.cli.texts.json_text import json_text
from firstcontact.cli.texts.table import lined_up

_NEEDED = ("numpy", "numba", "scipy", "trimesh", "tqdm")
_EXTRAS = {
    "view": ("matplotlib", "k3d"),
    "robots": ("pycollada",),
    "parts": ("coacd",),
    "cad": ("cascadio",),
    "cluster": ("dask", "distributed"),
}

_DESCRIPTION = """
What is installed here: versions, extras and what is missing of them, threads, whether machine code that came
with the package is used, and if not, why; and where compiled code is kept. That folder can be removed at any
time; what is needed is compiled again.
"""

_EXAMPLES = """
firstcontact info
firstcontact info --json
"""


def add_to(commands: Any) -> None:
    """Add this command and its options to the parser."""
    parser = add_command(commands, "info [--json]", _DESCRIPTION, _EXAMPLES)
    add_json(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Gather the facts without loading what they are about, and print them."""
    facts = _facts()
    print(json_text(facts) if options.json else lined_up(_rows(facts)))


def _facts() -> dict[str, Any]:
    folder = cache_folder()
    return {
        "firstcontact": fc.__version__,
        "python": platform.python_version(),
        "platform": f"{platform.system()} {platform.machine()}",
        "packages": {name: _version(name) for name in _NEEDED},
        "extras": {extra: {name: _version(name) for name in names} for extra, names in _EXTRAS.items()},
        "threads": n_threads(),
        "machine_code": machine_code(_version("numba") or "", _version("numpy") or ""),
        "cache": None if folder is None else str(folder),
        "cache_bytes": 0 if folder is None else _size(folder),
    }


def _rows(facts: dict[str, Any]) -> list[tuple[str, str]]:
    rows = [(key, str(facts[key])) for key in ("firstcontact", "python", "platform")]
    rows += [(name, found or "missing") for name, found in facts["packages"].items()]
    for extra, packages in facts["extras"].items():
        found = ", ".join(f"{name} {number or 'missing'}" for name, number in packages.items())
        hint = "" if all(packages.values()) else f" (pip install 'firstcontact[{extra}]')"
        rows.append((f"extra {extra}", found + hint))
    size = f"{facts['cache_bytes'] / 1e6:.1f} MB" if facts["cache_bytes"] else "empty"
    return [
        *rows,
        ("threads", str(facts["threads"])),
        ("machine code", facts["machine_code"]),
        ("cache", f"{facts['cache'] or 'nowhere, since no folder is writable'} ({size})"),
    ]


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def n_threads() -> int:
    """Count the threads that queries use: what the compiler's variable says, or all processors."""
    asked = os.environ.get("NUMBA_NUM_THREADS", "")
    if asked.isdecimal() and int(asked) > 0:
        return int(asked)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def cache_folder() -> Path | None:
    """Find the folder that holds the folders of compiled code, one for each version of the source."""
    return cache_home(os.environ.get("NUMBA_CACHE_DIR", ""))


def _size(folder: Path) -> int:
    """Bytes of compiled code; files may go while they are counted."""
    total = 0
    for path in folder.glob("kernels-*/**/*"):
        try:
            total += path.stat().st_size
        except OSError:
            continue
    return total
