"""The queries of the elementary benchmark: random, filtered, degenerate, and the third-party sets."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import firstcontact as fc

QUERY: dict[str, Callable[..., fc.ElementaryContacts]] = {
    "vertex-face": fc.vertex_face_ccd,
    "edge-edge": fc.edge_edge_ccd,
}
SUFFIX = {"vertex-face": "vf", "edge-edge": "ee"}
FILES = ("handcrafted", "cloth-ball", "n-body-simulation")

# How many queries of a set a peer is asked: TightInclusion, AdditiveCCD. The means of TightInclusion on
# `handcrafted` and `coplanar` hang on few queries that take seconds each.
PEER_QUERIES = {
    "random": (2000, 20_000),
    "separation": (2000, 20_000),
    "filtered": (2000, 20_000),
    "coplanar": (20, 200),
    "handcrafted": (600, 3000),
    "cloth-ball": (300, 5000),
    "n-body-simulation": (300, 5000),
}


class QuerySet(NamedTuple):
    """Queries of one kind, and which of them are hits where that is known from elsewhere."""

    name: str
    kind: str
    start: NDArray[np.float64]
    end: NDArray[np.float64]
    truth: NDArray[np.bool_] | None = None
    min_separation: float = 0.0


def query_sets(n_queries: int, seed: int, data: Path, names: tuple[str, ...]) -> Iterator[QuerySet]:
    """The sets of these names, made one after the other; those whose file is missing left out."""
    for name in names:
        for kind in QUERY:
            if name in FILES:
                yield from _from_file(_file(data, name, kind), name, kind)
            else:
                yield _made(name, kind, n_queries, seed)


def _from_file(file: Path, name: str, kind: str) -> Iterator[QuerySet]:
    if file.exists():
        with np.load(file) as arrays:
            yield QuerySet(name, kind, arrays["start"], arrays["end"], arrays["hit"])


def _made(name: str, kind: str, n_queries: int, seed: int) -> QuerySet:
    """Make one of the sets that need no file."""
    rng = np.random.default_rng([seed, len(kind)])
    if name == "coplanar":
        return QuerySet(name, kind, *_coplanar(n_queries // 100, rng))
    start, end = rng.random((2, n_queries, 4, 3))
    if name == "filtered":
        return _filtered(kind, start[: n_queries // 2], end[: n_queries // 2])
    return QuerySet(name, kind, start, end, min_separation=1e-3 if name == "separation" else 0.0)


def missing_files(data: Path, names: tuple[str, ...]) -> list[Path]:
    """Third-party files that these sets would use and that are not there."""
    files = [_file(data, name, kind) for name in names if name in FILES for kind in QUERY]
    return [file for file in files if not file.exists()]


def _file(data: Path, name: str, kind: str) -> Path:
    return data / "ccd-truth" / f"{name}-{SUFFIX[kind]}.npz"


def _filtered(kind: str, start: NDArray[np.float64], end: NDArray[np.float64]) -> QuerySet:
    """The queries that the filter removes; asked one by one, since a batch does not say which they are."""
    query = QUERY[kind]
    is_culled = np.array([query(*pair).stats.culled == 1 for pair in zip(start, end, strict=True)], bool)
    return QuerySet("filtered", kind, start[is_culled], end[is_culled])


def _coplanar(n_queries: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Points of an integer grid that slide within one oblique plane: coplanar at every time."""
    xy = rng.integers(0, 9, (2, n_queries, 4, 2)).astype(np.float64)
    return np.concatenate([xy, xy @ np.array([[1.0], [2.0]])], axis=-1)
