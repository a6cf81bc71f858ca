"""Batches, steps and sequences, by executors that do all that one may do, in chunks of any size.

What is tried: chunks that come back in any order, late, twice as large or lost; workers that end of a sudden;
executors that refuse, or are shut down; rows that are poisoned; folders that were left in the middle, and
folders that were damaged there. The referee is the same question without any executor: the same bytes, or
one sentence of the right kind, that names the row where there is one.
"""

import contextlib
import pickle
import random
import tempfile
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Executor, Future
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from threading import Condition, Thread
from typing import Any
from unittest.mock import patch

import numpy as np

import firstcontact as fc
from firstcontact.plain import is_same
from firstcontact.spreading.chunks import Chunks

WAYS = ("any order", "sent", "lost", "lost all", "breaks", "refuses", "poison", "folder", "damaged folder")
ASKED = ("elementary", "first_contacts", "is_free", "contacts", "sequence", "first of sequence")
KEPT = ("elementary", "first_contacts", "is_free", "sequence", "first of sequence")
SECONDS_A_CASE = 60.0

CUBE = fc.Box([1, 1, 1]).mesh


def make(rng: np.random.Generator) -> dict[str, Any]:
    """A question, how it is cut, and what happens to it."""
    way = str(rng.choice(WAYS))
    asked = {"poison": ("elementary", "sequence"), "folder": KEPT, "damaged folder": KEPT}.get(way, ASKED)
    return {
        "asked": str(rng.choice(asked)),
        "way": way,
        "seed": int(rng.integers(1 << 30)),
        "n": int(rng.choice([0, 1, 2, 3, 7, 20])),
        "sizes": rng.choice([1, 2, 3, 5, 40], int(rng.integers(1, 5))).tolist(),
        "when": int(rng.integers(6)),
        "places": rng.random(int(rng.integers(1, 4))).tolist(),
    }


def check(case: dict[str, Any]) -> str | None:
    """Ask without an executor, and with it."""
    ask = _question(case)
    here = None if case["way"] == "poison" else ask()
    sizes, turn = case["sizes"], iter(range(1 << 30))
    with (
        patch.object(Chunks, "_size", lambda _: sizes[next(turn) % len(sizes)]),
        tempfile.TemporaryDirectory() as folder,
        Odd(case) as pool,
    ):
        if case["way"] == "folder":
            return _folder_fault(case, ask, here, Path(folder, "out"), pool)
        if case["way"] == "damaged folder":
            return _damage_fault(case, ask, here, Path(folder, "out"), pool)
        try:
            found = ask(executor=pool)
        except Exception as error:
            return _told_fault(case, error)
        if case["way"] == "poison":
            return "a poisoned row was answered" if case["n"] > (case["asked"] == "sequence") else None
        return _difference(found, here)


def smaller(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Ask about fewer rows."""
    for n in (0, 1, 2, 3, 7):
        if n < case["n"]:
            yield case | {"n": n}


class Odd(Executor):
    """One thread that takes what was given to it in any order, and whatever else the case says."""

    def __init__(self, case: dict[str, Any]) -> None:
        self._way, self._when = case["way"], case["when"]
        self._random = random.Random(case["seed"])
        self._waiting: list[Any] = []
        self._is_over, self._n_given, self._news = False, 0, Condition()
        self._thread = Thread(target=self._work, daemon=True)
        self._thread.start()

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> "Future[Any]":
        """Take something, or refuse it."""
        with self._news:
            self._n_given += 1
            if self._way == "refuses" and self._n_given > self._when:
                raise RuntimeError("cannot schedule new futures after shutdown")
            future: Future[Any] = Future()
            self._waiting.append((future, pickle.dumps((fn, args)) if self._way == "sent" else (fn, args)))
            self._news.notify()
            return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the thread."""
        with self._news:
            self._is_over = True
            self._news.notify()
        self._thread.join()

    def _work(self) -> None:
        n_done = 0
        while True:
            with self._news:
                self._news.wait_for(lambda: self._waiting or self._is_over)
                if not self._waiting:
                    return
                future, task = self._waiting.pop(self._random.randrange(len(self._waiting)))
            n_done += 1
            if self._way == "lost all" or (self._way == "lost" and self._random.random() < 0.1):
                future.cancel()
            if not future.set_running_or_notify_cancel():
                continue
            if self._way in ("breaks", "folder", "damaged folder") and n_done > self._when:
                future.set_exception(BrokenProcessPool("a process was terminated abruptly"))
                continue
            fn, args = pickle.loads(task) if isinstance(task, bytes) else task
            try:
                future.set_result(fn(*args))
            except Exception as error:
                future.set_exception(error)


def _question(case: dict[str, Any]) -> Any:
    """How to ask, with an executor or a folder or neither."""
    rng, n = np.random.default_rng(case["seed"]), case["n"]
    if case["asked"] == "elementary":
        start, end = rng.integers(-2, 3, (2, n, 4, 3)).astype(float)
        if case["way"] == "poison" and n:
            start[case["when"] % n] = np.nan
            with tempfile.TemporaryDirectory() as folder:  # what is in memory is looked at before it is sent
                np.save(f"{folder}/start.npy", start)
                start = np.load(f"{folder}/start.npy", mmap_mode="r")
        return lambda **far: fc.vertex_face_ccd(start, end, exact=True, **far)
    if case["asked"] in ("first_contacts", "is_free"):
        ends = np.tile(np.eye(4), (2, n, 1, 1))
        ends[..., :3, 3] = rng.integers(-3, 4, (2, n, 3))
        verb = fc.first_contacts if case["asked"] == "first_contacts" else fc.is_free
        return lambda **far: verb(CUBE.moving(*ends), CUBE, **far)
    places = CUBE.vertices + rng.integers(-2, 3, (max(n, 2), *CUBE.vertices.shape)) / 4
    if case["asked"] == "contacts":
        return lambda **far: fc.contacts(CUBE.deforming(*places[:2]), CUBE, **far)
    frames = places[:n]
    if case["way"] == "poison" and n:
        frames[case["when"] % n, 3, 1] = np.inf
    is_first = case["asked"] == "first of sequence"
    return lambda **far: fc.sequence(frames, CUBE, only_first=is_first, **far)


def _told_fault(case: dict[str, Any], error: Exception) -> str | None:
    """Whether an error is the one that the case must have."""
    told, row = str(error), case["when"] % max(case["n"], 1)
    expected = {
        "breaks": (BrokenExecutor, "a worker ended of a sudden, with row"),
        "refuses": (RuntimeError, "cannot schedule new futures"),
        "lost": (ConnectionError, "were lost 4 times"),
        "lost all": (ConnectionError, "lost 4 times"),
        "poison": (ValueError, f"row {row}: start must be finite"),
    }
    if case["asked"] == "sequence" and case["way"] == "poison":
        steps = [step for step in (row - 1, row) if 0 <= step < case["n"] - 1]
        is_named = any(told.startswith(f"step {step}: frame {row} must be finite") for step in steps)
        return (
            None if is_named and isinstance(error, ValueError) else f"a poisoned frame is told as {error!r}"
        )
    kind, words = expected.get(case["way"], (type(None), ""))
    if isinstance(error, kind) and words in told and "\n" not in told:
        return None
    return f"{case['way']} of {case['asked']} ends with {error!r}"


def _folder_fault(case: dict[str, Any], ask: Any, here: Any, folder: Path, pool: Odd) -> str | None:
    """Stop in the middle, and go on without an executor."""
    with contextlib.suppress(BrokenExecutor):
        ask(executor=pool, out=folder)
    for turn in ("again", "once more"):
        fault = _difference(ask(out=folder), here)
        if fault:
            return f"{turn}, {fault}"
    return None


def _damage_fault(case: dict[str, Any], ask: Any, here: Any, folder: Path, pool: Odd) -> str | None:
    """Stop in the middle, change a byte or cut a file short there: the same answer then, or a sentence."""
    with contextlib.suppress(BrokenExecutor):
        ask(executor=pool, out=folder)
    files = sorted(folder.iterdir()) if folder.exists() else []
    for place in case["places"] if files else ():
        file = files[int(place * 1e6) % len(files)]
        data = bytearray(file.read_bytes())
        if data:
            at = int(place * len(data))
            data[at] ^= 1 << int(place * 1e4) % 8
            file.write_bytes(data[:at] if int(place * 1e5) % 3 == 0 else data)
    try:
        return _difference(ask(out=folder), here)
    except ValueError as error:
        words = "was changed since answers were written there", "has answers to another question"
        is_told = any(word in str(error) for word in words) and "\n" not in str(error)
        return None if is_told else f"a damaged folder ends with {error!r}"


def _difference(found: Any, here: Any) -> str | None:
    """What differs between two answers, to the last bit."""
    if isinstance(here, np.ndarray):
        return None if found.tobytes() == here.tobytes() else "the arrays differ"
    for name in here.__dataclass_fields__:
        if name.startswith("_") or name in ("stats", "seconds"):
            continue
        one, other = getattr(found, name), getattr(here, name)
        is_array = isinstance(other, np.ndarray)
        if not is_same(one, other) or (is_array and one.tobytes() != other.tobytes()):
            return f"{name} differs"
    return None
