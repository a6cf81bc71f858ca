"""The library on the pairs of the rigid benchmark: times, counters, gaps, and lateness.

Times are those of whole batches, one of the motions that collide and one of those that do not, divided by
their number: the best of several, on one thread, with trees and machine code ready. So is one call each.
"""

from collections.abc import Callable
from importlib.util import find_spec
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import firstcontact as fc
from deformable.surfaces import Points
from rigid.cases import Case
from rigid.motions import center, poses_at, size
from rigid.oracle import Oracle

LABELS = {"c2a": "firstcontact", "c2a-2009": "as in the paper", "ca": "without control"}
COUNTERS = ("iterations", "front_nodes", "volume_tests", "triangle_tests")


class Effort(NamedTuple):
    """Repetitions at most, and seconds after which none is added."""

    repetitions: int
    seconds: float


class Result(NamedTuple):
    """One method on all motions of a case; rows are motions."""

    case: str
    n_triangles: str
    method: str
    is_colliding: NDArray[np.bool_]
    seconds: tuple[float, float]  # a motion, the mean: those that collide, those that do not
    times: Points
    gaps: Points  # at those times, relative to the size of A; of the motions that collide
    counters: dict[str, NDArray[np.int64]]
    n_late: int | None  # times past a contact that was seen; None: not checked

    @property
    def mean(self) -> float:
        """Seconds a motion, over all."""
        share = self.is_colliding.mean()
        parts = zip(self.seconds, (share, 1.0 - share), strict=True)
        return float(sum(seconds * part for seconds, part in parts if part > 0.0))

    def count(self, name: str) -> float:
        """Mean of a counter over the motions that collide."""
        return float(self.counters[name][self.is_colliding].mean()) if self.is_colliding.any() else 0.0


class Singles(NamedTuple):
    """One call a motion: seconds of the colliding and the free ones, the mean; contacts listed, each."""

    seconds: tuple[float, float]
    contacts: NDArray[np.int64]


def run_method(case: Case, method: str, effort: Effort, witnessed: Points | None) -> Result:
    """Time a method and check its answers; `witnessed`: times of contacts that were seen."""
    flags, found = case.motions.is_colliding, _ask(case, method, slice(None))
    seconds = (_timed(case, method, flags, effort), _timed(case, method, ~flags, effort))
    is_hit = found.status != fc.Status.SEPARATED
    times = np.where(is_hit, found.time, np.inf)
    late = None if witnessed is None else int((times > witnessed).sum())
    counters = {name: np.asarray(getattr(found.stats, name)) for name in COUNTERS}
    return Result(
        case.name, case.n_triangles, method, is_hit, seconds, times, _gaps(case, times), counters, late
    )


def _ask(case: Case, method: str, rows: Any) -> Any:
    starts, ends, (a, b) = case.motions.starts[rows], case.motions.ends[rows], case.meshes
    return fc.first_contacts(a.moving(starts, ends), b, tolerance=case.tolerance, method=method)


def _timed(case: Case, method: str, rows: NDArray[np.bool_], effort: Effort) -> float:
    """Seconds a motion of a batch; not a number for an empty one."""
    return best(lambda: _ask(case, method, rows), effort) / rows.sum() if rows.any() else np.nan


def best(call: Callable[[], Any], effort: Effort) -> float:
    """Seconds of a call that has been made before, the least of several."""
    least, spent, n = np.inf, 0.0, 0
    while n == 0 or (n < effort.repetitions and spent < effort.seconds):
        began = perf_counter()
        call()
        took = perf_counter() - began
        least, spent, n = min(least, took), spent + took, n + 1
    return least


def _gaps(case: Case, times: Points) -> Points:
    """Distance at the reported times, relative to the size of A."""
    rows = np.isfinite(times)
    if not rows.any():
        return np.empty(0)
    starts, ends, _ = case.motions
    poses = poses_at(starts[rows], ends[rows], center(case.a), times[rows])
    a, b = case.meshes
    return fc.distance(a.at(poses), b).distance / size(case.a)


def witnessed(case: Case, n_samples: int) -> Points | None:
    """A time at which each motion is seen in contact, infinite where none was; None without python-fcl."""
    if find_spec("fcl") is None:
        return None
    return Oracle(case.a, case.b).witnessed(case.motions.starts, case.motions.ends, n_samples)


def run_singles(case: Case, repetitions: int) -> Singles:
    """Ask motion by motion, as a script would."""
    (a, b), (starts, ends, flags) = case.meshes, case.motions
    seconds, contacts = np.full(len(starts), np.inf), np.zeros(len(starts), np.int64)
    for i, (start, end) in enumerate(zip(starts, ends, strict=True)):
        for _ in range(repetitions):
            began = perf_counter()
            found = fc.first_contact(a.moving(start, end), b, tolerance=case.tolerance)
            seconds[i] = min(seconds[i], perf_counter() - began)
        contacts[i] = len(found.points)
    means = [float(seconds[rows].mean()) if rows.any() else np.nan for rows in (flags, ~flags)]
    return Singles((means[0], means[1]), contacts)
