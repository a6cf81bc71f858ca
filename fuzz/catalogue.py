"""Families of random cases: one file of `families/` each, found by themselves."""

import sys
import zlib
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

HERE = Path(__file__).resolve().parent
FAMILIES = HERE / "families"

# How long one case of a family may take that says nothing about it, in seconds.
SECONDS_A_CASE = 10.0

# Families share what is beside them here, and the oracles of the tests.
for _folder in (HERE, HERE.parent / "tests"):
    if str(_folder) not in sys.path:
        sys.path.append(str(_folder))


def names_in(folder: Path) -> list[str]:
    """Names of all families of a folder."""
    return sorted(path.stem for path in folder.glob("*.py") if not path.stem.startswith("_"))


def family_in(folder: Path, name: str) -> ModuleType:
    """Load a family; once in a process."""
    called = f"fuzz_family_{name}"
    if called not in sys.modules:
        spec = spec_from_file_location(called, folder / f"{name}.py")
        if spec is None or spec.loader is None:
            raise ImportError(f"{folder / name}.py cannot be loaded")
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
        sys.modules[called] = module
    return sys.modules[called]


def limit_of(family: ModuleType) -> float:
    """Seconds that one case of a family may take."""
    return float(getattr(family, "SECONDS_A_CASE", SECONDS_A_CASE))


def case_of(family: ModuleType, name: str, seed: int, number: int) -> dict[str, Any]:
    """A case: the same for the same name of the family, seed and number, whatever ran before."""
    case: dict[str, Any] = family.make(np.random.default_rng([seed, number, zlib.crc32(name.encode())]))
    return case
