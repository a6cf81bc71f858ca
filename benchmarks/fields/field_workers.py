"""A field and dense grids of the same error, each in a process of its own, on one processor or two."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter, process_time
from typing import Any, NamedTuple

import numpy as np

import firstcontact as fc
from fields.cases import mesh_named
from fields.grids import FILLED, READERS, grid_over
from fields.workers import least
from report.peak import peak_bytes

OWN = "firstcontact, DistanceField"
_LIMIT = 900.0


class Job(NamedTuple):
    """Who makes a field of which mesh, to which tolerance, or in which box at which step."""

    method: str
    mesh: str
    tolerance: float
    box: list[list[float]]
    step: float
    n_points: int
    n_threads: int
    repeats: int


class Made(NamedTuple):
    """A field, or a grid that is read in one way.

    build : seconds; those of all that values need
    kept, peak : bytes of what is kept for values, and by which the process grew at the most
    value, gradient : seconds a point
    error : the worst of all points
    """

    method: str
    reader: str
    n_threads: int
    build: float
    kept: int
    peak: int
    value: float
    gradient: float
    error: float
    n_values: int
    note: str = ""


def run_job(job: Job) -> list[Made]:
    """Measure in a new process, on as many processors as threads."""
    command = [sys.executable, "-m", "fields.field_workers", json.dumps(job)]
    count = str(job.n_threads)
    environment = {**os.environ, "OMP_NUM_THREADS": count, "NUMBA_NUM_THREADS": count}
    try:
        worker = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=_LIMIT, env=environment
        )
        note = (worker.stderr.strip().splitlines() or ["crashed"])[-1] if worker.returncode else ""
    except subprocess.TimeoutExpired:
        note = "time limit"
    if note:
        nothing = float("nan")
        return [Made(job.method, "", job.n_threads, nothing, 0, 0, nothing, nothing, nothing, 0, note)]
    return [Made(*one) for one in json.loads(worker.stdout.strip().splitlines()[-1])]


def box_points(box: np.ndarray, n: int) -> np.ndarray:
    """Points anywhere in a box, always the same."""
    return np.random.default_rng(0).uniform(box[0], box[1], (n, 3))


def _on_threads(ask: Callable[[np.ndarray], Any], n_threads: int) -> Callable[[np.ndarray], Any]:
    """Ask about parts of the points on threads; what is compiled lets others run."""
    if n_threads == 1:
        return ask
    pool = ThreadPoolExecutor(n_threads)

    def asked(points: np.ndarray) -> Any:
        return np.concatenate(list(pool.map(ask, np.array_split(points, 4 * n_threads))))

    return asked


def _own(job: Job, mesh: fc.Mesh, clock: Callable[[], float]) -> list[Made]:
    fc.DistanceField.of(fc.Box([1, 1, 1]).mesh, 0.2)(np.zeros((2, 3)))  # the code is loaded
    before, began = peak_bytes(), clock()
    field = fc.DistanceField.of(mesh, job.tolerance)
    build, peak = clock() - began, peak_bytes() - before
    points = box_points(field.box, job.n_points)
    truth = fc.signed_distance(mesh, points).distance
    error = float(np.abs(field(points) - truth).max())
    value = least(field, points, job.repeats, clock) / job.n_points
    gradient = least(field.gradient, points, job.repeats, clock) / job.n_points
    made = Made(job.method, "", job.n_threads, build, field.nbytes, peak, value, gradient, error, 0)
    return [made._replace(n_values=8 * field.n_cells)]


def _dense(job: Job, mesh: fc.Mesh, clock: Callable[[], float]) -> list[Made]:
    box, found = np.array(job.box), []
    grid = grid_over(box, job.step)
    FILLED[job.method](grid_over(box, 0.5 * float((box[1] - box[0]).max())), mesh, job.n_threads)
    before, began = peak_bytes(), clock()
    values = FILLED[job.method](grid, mesh, job.n_threads)
    build, peak = clock() - began, peak_bytes() - before
    points = box_points(box, job.n_points)
    truth = fc.signed_distance(mesh, points).distance
    for kind in READERS:
        reader = kind(grid, values)
        error = float(np.abs(reader.value(points) - truth).max())
        value = least(_on_threads(reader.value, job.n_threads), points, job.repeats, clock) / job.n_points
        reader.prepare()
        gradient = least(_on_threads(reader.gradient, job.n_threads), points, job.repeats, clock)
        sizes = values.nbytes, peak
        found.append(
            Made(job.method, kind.name, job.n_threads, build, *sizes, value, gradient / job.n_points, error,
                 values.size)
        )  # fmt: skip
    return found


def _main() -> None:
    job = Job(*json.loads(sys.argv[1]))
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, set(sorted(os.sched_getaffinity(0))[: job.n_threads]))
    # On one thread, of the processor: other processes do not count.
    clock = process_time if job.n_threads == 1 else perf_counter
    mesh = mesh_named(job.mesh)
    print(json.dumps((_own if job.method == OWN else _dense)(job, mesh, clock)))


if __name__ == "__main__":
    _main()
