"""What it costs to let workers answer: beside this process alone, in bytes, and before the first answer.

Overhead is of one worker, a process with all threads of this machine, against the same call without it: the
least of several runs that take turns. Weak scaling is of workers that only wait, 10 ms a row, in threads of
one process, so that nothing but the way there and back and the size of chunks is measured; the client, the
scheduler and all workers share this machine's cores. Memory is that of a client and of its workers, read
while many rows pass from files to a folder, and after as many again.
"""

import os
import pickle
import subprocess
import sys
import tempfile
import time
from concurrent.futures import Executor
from functools import partial
from pathlib import Path
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
QUICKER_THAN_SENT = "elementary queries"


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

    def send_to_all(self, thing: Any, digest: bytes | None = None) -> Any:
        """Weigh what all rows share."""
        self.shared += len(pickle.dumps(thing))
        return self.inner.send_to_all(thing, digest)

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


def _cloth(n_side: int) -> Any:
    """A crumpled sheet that crumples on: one step, with many contacts of it with itself."""
    x, y = np.meshgrid(*[np.linspace(0.0, 1.0, n_side + 1)] * 2, indexing="ij")
    ids = np.arange((n_side + 1) ** 2).reshape(n_side + 1, -1)
    a, b, c, d = (part.ravel() for part in (ids[:-1, :-1], ids[1:, :-1], ids[1:, 1:], ids[:-1, 1:]))
    mesh = fc.Mesh(
        np.stack([x, y, 0 * x], axis=-1).reshape(-1, 3),
        np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)]),
    )
    places = mesh.vertices + np.random.default_rng(4).normal(0.0, 1.5 / n_side, (2, *mesh.vertices.shape))
    return mesh.deforming(*places)


def _works(quick: bool) -> dict[str, Any]:
    """Work of some seconds, or of half a minute, by its name: it takes an executor.

    Elementary queries are answered sooner than they are sent: they are there to tell what the way costs.
    """
    ball = _sphere(20_000)
    start, end = np.random.default_rng(0).random((2, 2_000_000, 4, 3))
    n = 10_000 if quick else 300_000
    return {
        "first contacts of two meshes, 20,000 triangles each": partial(
            fc.first_contacts, ball.moving(_poses(n, 1), _poses(n, 2)), ball
        ),
        QUICKER_THAN_SENT: partial(fc.vertex_face_ccd, start, end),
        "contacts of one step of a sheet": partial(fc.contacts, _cloth(150 if quick else 500)),
    }


def _seconds(ask: Any) -> float:
    began = time.perf_counter()
    ask()
    return time.perf_counter() - began


def overhead(run: Run) -> Part:
    """One worker with all threads beside none; bytes are those of the quick sizes."""
    _need_dask()
    lines = [
        (
            "work",
            "rows",
            "s here",
            "s by a worker",
            "overhead",
            "kB shared",
            "B sent a row",
            "B back a row",
            "tasks",
        )
    ]
    targets, figures = [], []
    with fc.cluster(n_workers=1) as cluster:
        for name, ask in _works(run.quick).items():
            small, weighed = _works(True)[name], Weighed(cluster)
            small(executor=cluster)  # compiles, or loads what is compiled
            n = len(small(executor=weighed).time)
            n_rounds = 3 if run.quick else 1
            rounds = [(_seconds(ask), _seconds(partial(ask, executor=cluster))) for _ in range(n_rounds)]
            here, there = (min(column) for column in zip(*rounds, strict=True))
            part = there / here - 1.0
            bytes_moved = f"{weighed.shared / 1e3:.0f}", f"{weighed.sent / n:.0f}", f"{weighed.back / n:.0f}"
            times = f"{here:.2f}", f"{there:.2f}", f"{part:+.0%}"
            lines.append((name, f"{n:,}", *times, *bytes_moved, str(weighed.n_tasks)))
            if name != QUICKER_THAN_SENT:
                text = f"one worker at most {MOST_OVERHEAD:.0%} slower: {name}"
                targets.append(Target(text, f"{part:+.0%}", part <= MOST_OVERHEAD))
            figures.append((name, n, rounds, weighed.shared, weighed.sent, weighed.back, weighed.n_tasks))
    table = Table("One worker with all threads", lines, note="rows of contacts are contacts")
    return Part(tables=(table,), targets=tuple(targets), figures=figures)


# What a client does while its memory is looked at: rows go from files to a folder, twice as many by and by.
_CLIENT = """
import sys
import threading
import time
import numpy as np
import firstcontact as fc

most = 0

def own():
    text = open("/proc/self/status").read()
    return int(text.split("RssAnon:")[1].split()[0]) * 1024

def watch():
    global most
    while True:
        most = max(most, own())
        time.sleep(0.02)

def begin():
    threading.Thread(target=watch, daemon=True).start()

def peak():
    return most

if __name__ == "__main__":
    import client  # the same, as workers load it

    folder, n = sys.argv[1], int(sys.argv[2])
    start, end = (np.load(f"{folder}/{name}.npy", mmap_mode="r") for name in ("start", "end"))
    client.begin()
    with fc.cluster(n_workers=1) as cluster:
        cluster.client.upload_file(f"{folder}/client.py")
        cluster.client.run(client.begin)
        for part in (n // 10, n):
            out = f"{folder}/{part}"
            fc.vertex_face_ccd(start[:part], end[:part], executor=cluster, out=out)
            print(part, client.peak(), max(cluster.client.run(client.peak).values()), flush=True)
"""


def memory(run: Run) -> Part:
    """Peaks of a client and its worker while rows pass, after a tenth of them and after all.

    What is counted is their own: pages of files that are mapped are the system's, which takes them back.
    """
    _need_dask()
    if not Path("/proc/self/status").exists():
        raise SkippedError("memory is read from /proc, which is missing here")
    n = 1_000_000 if run.quick else 10_000_000
    with tempfile.TemporaryDirectory() as folder:
        rng = np.random.default_rng(0)
        for name in ("start", "end"):
            array = np.lib.format.open_memmap(f"{folder}/{name}.npy", "w+", np.float64, (n, 4, 3))
            for first in range(0, n, 100_000):
                array[first : first + 100_000] = rng.random((min(100_000, n - first), 4, 3))
            del array
        script = Path(folder, "client.py")
        script.write_text(_CLIENT)
        words = [sys.executable, str(script), folder, str(n)]
        done = subprocess.run(words, capture_output=True, text=True, check=True, env=dict(os.environ))
        figures = [tuple(map(int, line.split())) for line in done.stdout.splitlines()[-2:]]
        mapped = sum(file.stat().st_size for file in Path(folder).rglob("*.npy"))
    lines = [("rows", "client, MB", "worker, MB")]
    lines += [(f"{rows:,}", f"{a / 1e6:.0f}", f"{b / 1e6:.0f}") for rows, a, b in figures]
    note = f"files of {mapped / 1e6:.0f} MB in all are read and written by the client, in parts"
    return Part(tables=(Table("Memory while rows pass", lines, note=note),), figures=(figures, mapped))


def latency(run: Run) -> Part:
    """How long the first answers take."""
    _need_dask()
    kept = [_latency_of(None) for _ in range(1 if run.quick else 3)]
    started, first, second, empty = (min(column) for column in zip(*kept, strict=True))
    with tempfile.TemporaryDirectory() as folder:  # of machine code: it is empty
        anew = _latency_of(folder)[1]
    table = [
        ("", "s"),
        ("a cluster on this machine starts", f"{started:.2f}"),
        ("first batch: machine code is loaded from disk, as shipped code is", f"{first:.2f}"),
        ("first batch: all of it is compiled", f"{anew:.2f}"),
        ("the same batch again", f"{second:.4f}"),
        ("an empty task, of 200 at once", f"{empty:.4f}"),
    ]
    return Part(tables=(Table("Before the first answer", table),), figures=(kept, anew))


def _latency_of(folder: str | None) -> tuple[float, float, float, float]:
    """Seconds until a cluster stands, of a first batch, of a second, and of an empty task."""
    before = os.environ.get("NUMBA_CACHE_DIR")
    if folder is not None:
        os.environ["NUMBA_CACHE_DIR"] = folder  # which the workers inherit
    try:
        began = time.perf_counter()
        with fc.cluster(n_workers=1) as cluster:
            started = time.perf_counter() - began
            ask = partial(fc.distance, fc.Box([1, 1, 1]).at(_poses(64, 1)), fc.Sphere(1), executor=cluster)
            first, second = _seconds(ask), min(_seconds(ask) for _ in range(5))
            empty = _seconds(lambda: [f.result() for f in [cluster.submit(int) for _ in range(200)]]) / 200
    finally:
        os.environ.pop("NUMBA_CACHE_DIR", None)
        if before is not None:
            os.environ["NUMBA_CACHE_DIR"] = before
    return started, first, second, empty


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


PARTS = {"overhead": overhead, "latency": latency, "scaling": scaling, "memory": memory}
