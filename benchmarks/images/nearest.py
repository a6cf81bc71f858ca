"""`voronoi` and its peers: seconds of the processor, and the worst error against the library's own bound."""

from collections.abc import Callable
from time import process_time
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import distance_transform_edt
from scipy.spatial import cKDTree

import firstcontact as fc
from images.cases import Case, centers

ROUNDS, PATIENCE = 3, 1.0  # after more seconds than that, one round is enough
SLOW_STEP = 64  # of that many cells, slow peers are asked for one
MOST_MARCHED = 128**3  # cells, of which fast marching takes seconds

Distances = NDArray[np.float64]


class Measured(NamedTuple):
    """Seconds for the whole image; the worst error in cells; or why there are none."""

    library: str
    seconds: float
    error: float
    fault: str = ""


class Asked(NamedTuple):
    """Distances of all cells, or of every `step`th, which took that many seconds; `step` scales them."""

    distance: Distances
    seconds: float
    step: int = 1


def measured(case: Case) -> list[Measured]:
    """The library first, then all peers that know such sites."""
    box = [[0.0] * len(case.shape), [1.0] * len(case.shape)]
    fc.voronoi(case.sites[:2], box, 4)  # compiles
    own = _least(lambda: fc.voronoi(case.sites, box, case.shape).distance)
    found = [Measured("firstcontact", own.seconds, 0.0)]
    for name, (knows, ask) in PEERS.items():
        if not knows(case):
            continue
        try:
            answer = ask(case)
        except ImportError as fault:
            found.append(Measured(name, np.nan, np.nan, f"{fault.name} is missing"))
            continue
        differences = np.abs(answer.distance - own.distance[:: answer.step])
        seconds = answer.seconds * answer.step
        found.append(Measured(name, seconds, float(differences.max()) * max(case.shape)))
    return found


def _least(ask: Callable[[], Distances]) -> Asked:
    """The least processor time of some rounds."""
    best = np.inf
    for _ in range(ROUNDS):
        began = process_time()
        distance = ask()
        best = min(best, process_time() - began)
        if best > PATIENCE:
            break
    return Asked(distance.reshape(-1), best)


def _tree(case: Case) -> Asked:
    """SciPy's tree of points."""
    cells = centers(case.shape)
    return _least(lambda: cKDTree(case.sites).query(cells, workers=-1)[0])


def _free(case: Case) -> NDArray[np.bool_]:
    """Cells without a point in them; the points of transforms are the centres of the others."""
    free = np.ones(case.shape, np.bool_)
    free[tuple((case.sites * case.shape).astype(int).T)] = False
    return free


def _scipy_transform(case: Case) -> Asked:
    free, cell = _free(case), 1 / case.shape[0]
    return _least(lambda: distance_transform_edt(free, sampling=cell, return_indices=True)[0])


def _edt(case: Case) -> Asked:
    import edt

    free, cell = _free(case), 1 / case.shape[0]
    sampling = (cell,) * free.ndim
    return _least(lambda: np.asarray(edt.edt(free, anisotropy=sampling, parallel=0), np.float64))


def _marching(case: Case) -> Asked:
    import skfmm

    free, cell = _free(case), 1 / case.shape[0]
    inside = np.where(free, 1.0, -1.0)  # the surface is half a cell away from each centre
    return _least(lambda: np.asarray(skfmm.distance(inside, dx=cell)) + cell / 2)


def _strtree(case: Case) -> Asked:
    import shapely

    # The centres are made before, as those for cKDTree are.
    cells = shapely.points(centers(case.shape)[::SLOW_STEP])
    make = shapely.linearrings if case.name == "outlines" else shapely.linestrings
    sites = make(case.sites)
    began = process_time()
    tree = shapely.STRtree(sites)
    built = process_time() - began

    def ask() -> Distances:
        distances = tree.query_nearest(cells, return_distance=True, all_matches=False)[1]
        return np.asarray(distances)

    found = _least(ask)
    return Asked(found.distance, found.seconds + built / SLOW_STEP, SLOW_STEP)


def _are_points(case: Case) -> bool:
    return case.name == "points"


def _are_long_and_flat(case: Case) -> bool:
    return case.name != "points" and len(case.shape) == 2


def _are_points_of_few(case: Case) -> bool:
    return _are_points(case) and np.prod(case.shape) <= MOST_MARCHED


PEERS: dict[str, tuple[Callable[[Case], bool], Callable[[Case], Asked]]] = {
    "SciPy, cKDTree": (_are_points, _tree),
    "SciPy, distance_transform_edt": (_are_points, _scipy_transform),
    "edt": (_are_points, _edt),
    "scikit-fmm": (_are_points_of_few, _marching),
    "shapely, STRtree": (_are_long_and_flat, _strtree),
}
