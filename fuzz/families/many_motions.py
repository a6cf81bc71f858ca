"""Motions of ten families, some at once, against closed forms of their distance at many times.

Splines, SciPy's rotation splines, throws, cams, wheels that roll, screws, formulas, pieces, and an arm along
splines and trapezoidal profiles. The referee is `motion_referee`, which works out where bodies are by itself;
`make fuzz-motions` runs a hundred thousand of them.
"""

from typing import Any

import numpy as np

from motion_families import FAMILIES
from motion_referee import check_family

SECONDS_A_CASE = 60


def make(rng: np.random.Generator) -> dict[str, Any]:
    """A family, and how many of its motions."""
    return {
        "family": str(rng.choice(list(FAMILIES))),
        "seed": int(rng.integers(10**9)),
        "n": int(rng.choice([1, 4, 16])),
    }


def check(case: dict[str, Any]) -> str | None:
    """Ask about all of them."""
    fault = check_family(case["family"], case["seed"], case["n"])
    return fault and f"{case['family']}: {fault}"
