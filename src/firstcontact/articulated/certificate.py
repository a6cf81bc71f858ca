"""The proof that a path is free."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from firstcontact.articulated.arena import Arena
from firstcontact.articulated.paths import record_path
from firstcontact.articulated.request import Asked

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Certificate:
    """Intervals, and the bound that covers each."""


def certified(arena: Arena, asked: Asked, i: int, time: float) -> Certificate:
    """Find the proof for one of the paths, up to a time."""
    record_path(arena, asked, i)
    return Certificate()
