"""The methods of the deformable benchmark, each run in a process of its own.

A process can be given up when a peer does not end, and its peak memory is that of the method alone.
"""

import faulthandler
import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from deformable.surfaces import Step
from report.peak import peak_bytes

CONTACTS, SAFE_STEP = "contacts", "safe_step"
PEERS = ("AdditiveCCD", "TightInclusion")
LABELS = {
    CONTACTS: "firstcontact, contacts",
    SAFE_STEP: "firstcontact, safe_step",
    "AdditiveCCD": "ipctk LBVH, AdditiveCCD",
    "TightInclusion": "ipctk LBVH, TightInclusion 1e-6",
}
N_THREADS = 2
_COMPILING = 180.0  # seconds that a first call may take on top of the limit
_Call = Callable[[], dict[str, Any]]


class Ask(NamedTuple):
    """One method with its settings; `culling` goes to `firstcontact.Culling`."""

    method: str
    min_separation: float = 0.0
    culling: dict[str, Any] = {}  # noqa: RUF012  (read only)


class Limits(NamedTuple):
    """Repetitions at most, seconds after which none is added, seconds that a call may take."""

    repetitions: int
    seconds: float
    call: float


class Outcome(NamedTuple):
    """What one method did on all steps of a scene; of several repetitions, the first does not count."""

    ask: Ask
    seconds: list[float]
    answer: dict[str, Any]  # of the last repetition: steps, contacts, first_upper, counters, stages
    peak_bytes: int
    error: str = ""
    limit: float = float("nan")  # seconds after which a call was given up

    @property
    def median(self) -> float:
        """Seconds for all steps, the median of the repetitions; infinite where there was none."""
        return float(np.median(self.seconds)) if self.seconds else float("inf")

    @property
    def standard_error(self) -> float:
        """Of the mean of the repetitions."""
        n = len(self.seconds)
        return float(np.std(self.seconds, ddof=1)) / n**0.5 if n > 1 else float("nan")


def save_steps(steps: list[Step], file: Path) -> None:
    """Write a scene for other processes: the faces of a step only where they differ from the step before."""
    arrays = {}
    for i, step in enumerate(steps):
        arrays |= {f"start{i}": step.start, f"end{i}": step.end}
        if i == 0 or step.faces is not steps[i - 1].faces:
            arrays[f"faces{i}"] = step.faces
    np.savez(file, **arrays)


def measure(file: Path, asks: list[Ask], limits: Limits) -> list[Outcome]:
    """Run methods on a scene in turns, in one new process."""
    if find_spec("ipctk") is None and any(ask.method in PEERS for ask in asks):
        return [Outcome(ask, [], {}, 0, "ipctk is missing") for ask in asks]
    request = json.dumps([str(file), [ask._asdict() for ask in asks], limits._asdict()])
    command = [sys.executable, "-m", "deformable.methods", request]
    worker = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = [json.loads(line) for line in worker.stdout.splitlines() if line.startswith("{")]
    by_ask = [[line for line in lines if line["ask"] == i] for i in range(len(asks))]
    return [_outcome(ask, own, worker, limits.call) for ask, own in zip(asks, by_ask, strict=True)]


def _outcome(
    ask: Ask, lines: list[dict[str, Any]], worker: subprocess.CompletedProcess[str], limit: float
) -> Outcome:
    is_late = "Timeout (" in worker.stderr
    is_own = ask.method not in PEERS
    if is_own and worker.returncode and not is_late:
        raise RuntimeError(f"{ask} failed: {(worker.stderr.strip().splitlines() or ['crashed'])[-1]}")
    if len(lines) < 1 + is_own:  # this library's first call may have compiled: it does not count
        said = (worker.stderr.strip().splitlines() or [f"exit code {worker.returncode}"])[-1]
        return Outcome(ask, [], {}, 0, "time limit", limit) if is_late else Outcome(ask, [], {}, 0, said)
    seconds = [line["seconds"] for line in lines]
    return Outcome(ask, seconds[1:] or seconds, lines[-1]["answer"], max(line["peak"] for line in lines))


def _work(request: str) -> None:
    """The other process: one line of JSON for each repetition of each method."""
    file, asks, limits = json.loads(request)
    file, asks, limits = Path(file), [Ask(**ask) for ask in asks], Limits(**limits)
    calls = [_prepared(ask, _load_steps(file)) for ask in asks]
    spent = [0.0] * len(asks)
    for repetition in range(limits.repetitions + 1):
        for i, ask in enumerate(asks):
            is_warming_up = repetition == 0 and ask.method not in PEERS  # it may compile
            if spent[i] == 0.0 or spent[i] < limits.seconds:
                took = _timed(calls[i], limits.call + _COMPILING * is_warming_up)
                spent[i] += 0.0 if is_warming_up else took["seconds"]
                print(json.dumps({"ask": i, **took, "peak": peak_bytes()}), flush=True)


def _timed(call: _Call, limit: float) -> dict[str, Any]:
    """Time a call; past the limit the process ends, whatever the call is busy with."""
    faulthandler.dump_traceback_later(limit, exit=True)
    began = perf_counter()
    answer = call()
    seconds = perf_counter() - began
    faulthandler.cancel_dump_traceback_later()
    return {"seconds": seconds, "answer": answer}


def _load_steps(file: Path) -> list[Step]:
    steps: list[Step] = []
    with np.load(file) as arrays:
        while (name := f"start{len(steps)}") in arrays:
            n = len(steps)
            faces = arrays[f"faces{n}"] if f"faces{n}" in arrays else steps[-1].faces
            steps.append(Step(arrays[name], arrays[f"end{n}"], faces))
    return steps


def _prepared(ask: Ask, steps: list[Step]) -> _Call:
    return _peer(ask, steps) if ask.method in PEERS else _library(ask, steps)


def _library(ask: Ask, steps: list[Step]) -> _Call:
    """All steps with this library; a mesh is made beforehand, or in the step where the faces are new."""
    import numba

    import firstcontact as fc

    numba.set_num_threads(min(N_THREADS, numba.config.NUMBA_NUM_THREADS))
    options = {"min_separation": ask.min_separation, "culling": fc.Culling(**ask.culling)}
    first_mesh = fc.Mesh(steps[0].start, steps[0].faces)
    has_new_faces = _new_faces(steps)

    def call() -> dict[str, Any]:
        mesh, answers = first_mesh, []
        for step, is_new in zip(steps, has_new_faces, strict=True):
            mesh = fc.Mesh(step.start, step.faces) if is_new else mesh
            deforming = mesh.deforming(step.start, step.end)
            if ask.method == SAFE_STEP:
                answers.append({"steps": [fc.safe_step(deforming, **options)]})
            else:
                answers.append(_summary(fc.contacts(deforming, **options)))
        return _sum(answers)

    return call


def _summary(found: Any) -> dict[str, Any]:
    """Of all contacts of a step: how many, the bracket of the first, and what the search did."""
    stats = asdict(found.stats)
    stages, _ = stats.pop("seconds"), stats.pop("trees")
    return {
        "steps": [float(np.min(found.time, initial=1.0))],
        "first_upper": [float(found.time_upper.min()) if len(found) else None],
        "contacts": len(found),
        "counters": stats,
        "stages": stages,
    }


def _sum(answers: list[dict[str, Any]]) -> dict[str, Any]:
    """Join lists, add numbers, key by key."""
    total = dict(answers[0])
    for answer in answers[1:]:
        for key, value in answer.items():
            is_table = isinstance(value, dict)
            total[key] = {k: total[key][k] + value[k] for k in value} if is_table else total[key] + value
    return total


def _peer(ask: Ask, steps: list[Step]) -> _Call:
    """All steps with ipctk, which gives the collision-free step and nothing else."""
    import ipctk

    ipctk.set_logger_level(ipctk.LoggerLevel.error)
    ipctk.set_num_threads(N_THREADS)
    is_additive = ask.method == "AdditiveCCD"
    solver: Any = ipctk.AdditiveCCD() if is_additive else ipctk.TightInclusionCCD(tolerance=1e-6)
    steps = [Step(*map(np.asfortranarray, step[:2]), step.faces) for step in steps]  # what ipctk works on
    has_new_faces = _new_faces(steps)
    first_mesh = ipctk.CollisionMesh(steps[0].start, ipctk.edges(steps[0].faces), steps[0].faces)

    def call() -> dict[str, Any]:
        mesh, answers = first_mesh, []
        for step, is_new in zip(steps, has_new_faces, strict=True):
            if is_new:
                mesh = ipctk.CollisionMesh(step.start, ipctk.edges(step.faces), step.faces)
            answers.append(
                ipctk.compute_collision_free_stepsize(
                    mesh, step.start, step.end, ask.min_separation, ipctk.LBVH(), solver
                )
            )
        return {"steps": answers}

    return call


def _new_faces(steps: list[Step]) -> list[bool]:
    """Which steps need a mesh of their own: all, where the faces ever change."""
    return [any(step.faces is not steps[0].faces for step in steps)] * len(steps)


if __name__ == "__main__":
    _work(sys.argv[1])
