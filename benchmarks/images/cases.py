"""Sites at random in the unit square or cube, of more and more."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

LENGTH, WIDTH, N_CORNERS = 0.05, 0.02, 5

Sites = NDArray[np.float64]


class Case(NamedTuple):
    """What the sites are, how many, the cells, and the sites: points (n, d), or polylines (n, m, d)."""

    name: str
    n: int
    shape: tuple[int, ...]
    sites: Sites


def cases(is_quick: bool) -> list[Case]:
    """All that is measured: quick, three numbers of sites in the plane, and two in space."""
    flat = (10, 1000, 100_000) if is_quick else (10, 100, 1000, 10_000, 100_000)
    sides = (128,) if is_quick else (128, 256)
    found = [_case(name, n, (512, 512)) for name in MAKERS for n in flat]
    deep = (1000, 100_000) if is_quick else (10, 1000, 100_000)
    return found + [_case(name, n, (k, k, k)) for k in sides for name in ("points", "segments") for n in deep]


def centers(shape: tuple[int, ...]) -> Sites:
    """The centres of all cells of the unit square or cube, in the order of the image."""
    axes = [(np.arange(n) + 0.5) / n for n in shape]
    return np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, len(shape))


def _case(name: str, n: int, shape: tuple[int, ...]) -> Case:
    return Case(name, n, shape, MAKERS[name](np.random.default_rng(n), n, len(shape)))


def _points(rng: np.random.Generator, n: int, dimension: int) -> Sites:
    return rng.random((n, dimension))


def _segments(rng: np.random.Generator, n: int, dimension: int) -> Sites:
    starts = rng.random((n, dimension))
    return np.stack(
        [starts, starts + rng.uniform(-LENGTH, LENGTH, starts.shape) / np.sqrt(dimension)], axis=1
    )


def _outlines(rng: np.random.Generator, n: int, _dimension: int) -> Sites:
    turns = rng.uniform(0, 2 * np.pi, (n, 1)) + np.linspace(0, 2 * np.pi, N_CORNERS + 1)
    rings: Sites = rng.random((n, 1, 2)) + WIDTH / 2 * np.stack([np.cos(turns), np.sin(turns)], axis=-1)
    rings[:, -1] = rings[:, 0]
    return rings


MAKERS = {"points": _points, "segments": _segments, "outlines": _outlines}
