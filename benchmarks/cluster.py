"""What it costs to let workers answer: beside this process alone, in bytes, and before the first answer.

Overhead is of one worker, a process with all threads of this machine, against the same call without it: the
least of several runs that take turns. Weak scaling is of workers that only wait, 10 ms a row, in threads of
one process, so that nothing but the way there and back and the size of chunks is measured; the client, the
scheduler and all workers share this machine's cores.
"""

import pickle
import time
from concurrent.futures import Executor
from functools import partial
from typing import Any, NamedTuple

import numpy as np

import firstcontact as fc
from firstcontact.spreading.batch import Batch
from firstcontact.spreading.joining import stripped
from firstcontact.spreading.keeping import InMemory
from firstcontact.spreading.spread import spread
from report.section import Part, Run, SkippedError, Table, Target

TITLE = "Workers"

# What one worker with all threads may cost, beside the same call without it.
MOST_OVERHEAD = 0.1
_ROW_SECONDS = 0.01


class Waits(NamedTuple):
    """Waits for a while for each row."""

    seconds: float

    def answer(self, rows: tuple[Any, ...]) -> Any:
        """Wait."""
        time.sleep(self.seconds * len(rows[0]))
        return rows[0] + 1


class Weighed(Executor):
    """Weighs all that is sent to another executor, and all that comes back."""

    def __init__(self, inner: Any) -> None:
        self.inner, self.sent, self.back, self.shared, self.n_tasks = inner, 0, 0, 0, 0
        self.n_workers = inner.n_workers

    def send_to_all(self, thing: Any) -> Any:
        """Weigh what all rows share."""
        self.shared += len(pickle.dumps(thing))
        return self.inner.send_to_all(thing)

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Any:
        """Weigh a task."""
        self.n_tasks += 1
        self.sent += len(pickle.dumps(args[1:]))
        future = self.inner.submit(fn, *args, **kwargs)
        future.add_done_callback(self._arrived)
        return future

    def _arrived(self, future: Any) -> None:
        if not future.cancelled() and future.exception() is None:
            self.back += len(pickle.dumps(future.result()))


def _poses(n: int, seed: int) -> Any:
    rng, found = np.random.default_rng(seed), np.tile(np.eye(4), (n, 1, 1))
    found[:, :3, 3] = rng.uniform(-3.0, 3.0, (n, 3))
    return found


def _sphere(n_faces: int) -> fc.Mesh:
    """A bumpy ball of about so many triangles."""
    m = int(np.sqrt(n_faces / 4))
    u, v = np.meshgrid(np.linspace(0, np.pi, m + 1), np.linspace(0, 2 * np.pi, 2 * m + 1), indexing="ij")
    r = 1.0 + 0.1 * np.sin(7 * u) * np.cos(9 * v)
    places = np.stack([r * np.sin(u) * np.cos(v), r * np.sin(u) * np.sin(v), r * np.cos(u)], axis=-1)
    corner = np.arange((m + 1) * (2 * m + 1)).reshape(m + 1, -1)
    a, b, c, d = (
        part.ravel() for part in (corner[:-1, :-1], corner[1:, :-1], corner[1:, 1:], corner[:-1, 1:])
    )
    return fc.Mesh(places.reshape(-1, 3), np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)]))


def _works(quick: bool) -> dict[str, Any]:
    """Work of some seconds, or of a minute, by its name: it takes an executor."""
    scale = 1 if quick else 12
    ball = _sphere(20_000)
    start, end = np.random.default_rng(0).random((2, 2_000_000 * scale, 4, 3))
    n = 4_000 * scale
    return {
        "first contacts of two meshes, 20,000 triangles each": partial(
            fc.first_contacts, ball.moving(_poses(n, 1), _poses(n, 2)), ball
        ),
        "elementary queries": partial(fc.vertex_face_ccd, start, end),
    }


def _seconds(ask: Any) -> float:
    began = time.perf_counter()
    ask()
    return time.perf_counter() - began


def overhead(run: Run) -> Part:
    """One worker with all threads beside none."""
    _need_dask()
    lines = [
        ("work", "rows", "s here", "s by a worker", "overhead", "MB shared", "MB sent", "MB back", "tasks")
    ]
    targets, figures = [], []
    with fc.cluster(n_workers=1) as cluster:
        for name, ask in _works(run.quick).items():
            ask(executor=cluster)  # compiles, or loads what is compiled
            weighed = Weighed(cluster)
            ask(executor=weighed)
            rounds = [(_seconds(ask), _seconds(partial(ask, executor=cluster))) for _ in range(3)]
            here, there = (min(column) for column in zip(*rounds, strict=True))
            part, n = there / here - 1.0, len(ask().time)
            megabytes = [f"{x / 1e6:.3g}" for x in (weighed.shared, weighed.sent, weighed.back)]
            lines.append(
                (
                    name,
                    f"{n:,}",
                    f"{here:.2f}",
                    f"{there:.2f}",
                    f"{part:+.0%}",
                    *megabytes,
                    str(weighed.n_tasks),
                )
            )
            text = f"one worker at most {MOST_OVERHEAD:.0%} slower: {name}"
            targets.append(Target(text, f"{part:+.0%}", part <= MOST_OVERHEAD))
            figures.append((name, n, rounds, weighed.shared, weighed.sent, weighed.back, weighed.n_tasks))
    return Part(
        tables=(Table("One worker with all threads", lines),), targets=tuple(targets), figures=figures
    )


def latency(run: Run) -> Part:
    """How long the first answers take."""
    _need_dask()
    began = time.perf_counter()
    rows = _poses(64, 1)
    with fc.cluster(n_workers=1) as cluster:
        started = time.perf_counter() - began
        ask = partial(fc.distance, fc.Box([1, 1, 1]).at(rows), fc.Sphere(1), executor=cluster)
        first, second = _seconds(ask), min(_seconds(ask) for _ in range(5))
        empty = _seconds(lambda: [f.result() for f in [cluster.submit(int) for _ in range(200)]]) / 200
    table = [
        ("", "s"),
        ("a cluster on this machine starts", f"{started:.2f}"),
        ("first batch: code is loaded from disk", f"{first:.2f}"),
        ("the same batch again", f"{second:.4f}"),
        ("an empty task, of 200 at once", f"{empty:.4f}"),
    ]
    return Part(tables=(Table("Before the first answer", table),), figures=(started, first, second, empty))


def scaling(run: Run) -> Part:
    """Workers that wait, each with as many rows."""
    distributed = _need_dask()
    rows_each, lines, figures = 400 if run.quick else 2_000, [("workers", "s", "efficiency")], []
    for n_workers in (1, 4, 16, 64):
        n = rows_each * n_workers
        with (
            distributed.LocalCluster(
                n_workers=n_workers, processes=False, threads_per_worker=1, dashboard_address=None
            ) as local,
            distributed.Client(local) as client,
            fc.cluster(client) as cluster,
        ):
            batch = Batch(Waits(_ROW_SECONDS), (np.arange(n),), n, "rows")
            keeper = InMemory(n, stripped(np.arange(0)), 0)
            seconds = _seconds(partial(spread, batch, cluster, keeper))
        efficiency = rows_each * _ROW_SECONDS / seconds
        lines.append((str(n_workers), f"{seconds:.2f}", f"{efficiency:.0%}"))
        figures.append((n_workers, seconds, efficiency))
    title = f"Weak scaling of workers that wait: {rows_each} rows each, {_ROW_SECONDS * 1e3:.0f} ms a row"
    return Part(tables=(Table(title, lines),), figures=figures)


def _need_dask() -> Any:
    try:
        import distributed
    except ImportError as error:
        raise SkippedError("distributed is missing: pip install 'firstcontact[cluster]'") from error
    return distributed


PARTS = {"overhead": overhead, "latency": latency, "scaling": scaling}
