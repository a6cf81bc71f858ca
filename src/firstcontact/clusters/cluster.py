"""A cluster of Dask's workers, as an executor."""

import warnings
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import CancelledError, Executor, Future
from contextlib import suppress
from threading import Lock
from time import monotonic, sleep
from typing import Any, Self
from uuid import uuid4
from weakref import ref

from firstcontact._validate import as_count, shown
from firstcontact.clusters.local import as_connected, distributed, local_cluster
from firstcontact.clusters.versions import check_versions

# Seconds for which a count of workers holds.
COUNTED = 5.0

# What was sent to all workers, and stays there for the next query: the latest so many, by their digests.
N_KEPT = 4

# What Dask says of a task that will not be done, or was done in vain.
GONE = ("cancelled", "error", "lost")

# How the names begin of tasks that give what all rows share.
SHARED = "firstcontact-shared"

# Seconds between tries to ask all workers, of which one ends on the way.
WAITS = 0.2, 1.0, 3.0


def cluster(where: Any = None, *, n_workers: int | None = None) -> "Cluster":
    """Open a cluster of Dask's workers, to be given as `executor` to any batch; needs the extra `cluster`.

    Workers must have the same versions of firstcontact, NumPy and Numba, which is checked. One that dies
    costs nothing but its time: what it worked on is done again. What was sent is let go at the end.

    Parameters
    ----------
    where : address of a scheduler, or a `distributed.Client`, which stays open at the end; on this machine
        unless given, in as many processes as fit it
    n_workers : how many processes on this machine, which share its threads

    Examples
    --------
    >>> import firstcontact as fc
    >>> import numpy as np
    >>> with fc.cluster() as cluster:  # doctest: +SKIP
    ...     falls = fc.Sphere(1).moving((np.eye(3), [0, 0, 4]), velocity=np.outer(np.arange(3), [0, 0, -3]))
    ...     fc.first_contacts(falls, fc.Box([2, 2, 2]), executor=cluster).hit.tolist()
    [False, True, True]
    >>> fc.cluster("nowhere", n_workers=2)
    Traceback (most recent call last):
    ValueError: n_workers is for workers on this machine; leave it out, or where
    """
    if where is not None and n_workers is not None:
        raise ValueError("n_workers is for workers on this machine; leave it out, or where")
    dask = distributed()
    if where is None:
        own, n, threads = local_cluster(dask, None if n_workers is None else as_count("n_workers", n_workers))
        found = Cluster(dask.Client(own), [own], is_own=True)
        found.most_threads = threads
        found.restore = lambda count: own.scale(n) if count < n else None
        return found
    if isinstance(where, dask.Client):
        return Cluster(where, [], is_own=False)
    if not isinstance(where, str):
        raise TypeError(f"where must be the address of a scheduler, or a Client; received {shown(where)}")
    return Cluster(as_connected(dask, where), [], is_own=True)


class Cluster(Executor):
    """What `cluster` gives: an executor, and a context at whose end all that is its own is closed.

    Attributes
    ----------
    client : the `distributed.Client`
    dashboard : address of the page on which Dask shows what its workers do
    n_workers : tasks that are worked on at once
    most_threads : that a task may use; None for all of its machine
    restore : told how many workers there are, start those of its own anew that Dask has given up, as it does
        after some deaths
    """

    most_threads: int | None = None
    restore: Callable[[int], None] | None = None

    def __init__(self, client: Any, owned: list[Any], *, is_own: bool) -> None:
        self.client = client
        self._owned = [client, *owned] if is_own else owned
        self._tasks = client.get_executor(pure=False)
        self._checked: set[str] = set()
        self._counted: tuple[float, int] = (-COUNTED, 0)
        self._kept: OrderedDict[bytes, Any] = OrderedDict()
        self._lock = Lock()
        try:
            check_versions(client, self._checked)
        except BaseException:
            self.shutdown()
            raise

    @property
    def dashboard(self) -> str:
        """Address of the page on which Dask shows what its workers do."""
        return str(self.client.dashboard_link)

    @property
    def n_workers(self) -> int:
        """Tasks that are worked on at once."""
        when, count = self._counted
        if monotonic() - when >= COUNTED:
            count = sum(_asked(self.client.nthreads, self.client).values())
            if self.restore is not None:
                self.restore(count)
            self._counted = monotonic(), count
        return max(count, 1)

    def send_to_all(self, thing: Any, digest: bytes | None = None) -> Any:
        """Send a thing to all workers that need it, for as long as what is returned is held on to.

        One that is known by a digest stays there for the next query, among the latest of them. Sent as a
        task, it outlives the workers that have it: what is scattered is lost with them, and so is, without a
        word, all that was to be done with it.
        """
        _patiently(lambda: check_versions(self.client, self._checked), self.client)
        with self._lock:
            sent = None if digest is None else self._kept.pop(digest, None)
            if sent is None or sent.status in GONE:
                sent = _asked(lambda: _submitted(self.client, thing), self.client)
            if digest is not None:
                self._kept[digest] = sent
                while len(self._kept) > N_KEPT:
                    self._kept.popitem(last=False)
            return sent

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        """Let a worker do something."""
        inner = _asked(lambda: self._tasks.submit(fn, *args, **kwargs), self.client)
        outer: Future[Any] = Future()
        outer.add_done_callback(lambda done: _cancel(inner) if done.cancelled() else None)
        # Not in a circle: a worker lets go of what it found when nobody here holds on to it.
        waiting = ref(outer)
        inner.add_done_callback(lambda done: _hand_on(done, waiting()))
        return outer

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Let go of what was sent, and close what is its own."""
        self._kept.clear()
        with suppress(Exception):  # of a client whose scheduler has gone, there is nothing left to cancel
            self._tasks.shutdown(wait=False)
        for one in self._owned:
            one.close()
        self._owned = []

    def __enter__(self) -> Self:
        return self

    def __repr__(self) -> str:
        return f"Cluster({self.client.scheduler.address if self.client.scheduler else 'closed'})"


def _asked(ask: Callable[[], Any], client: Any) -> Any:
    """Ask something of the scheduler; where it has gone, say so in a sentence."""
    try:
        return ask()
    except (OSError, CancelledError, TimeoutError) as error:
        raise ConnectionError(f"the scheduler of {_name(client)} does not answer: {error}") from error
    except (RuntimeError, AttributeError) as error:  # a client that is closed has no scheduler to ask
        if client.status in ("running", "newly-created"):
            raise
        raise ConnectionError(f"the scheduler of {_name(client)} has gone") from error


def _submitted(client: Any, thing: Any) -> Any:
    """Give a thing to a task, which gives it back; it may be as large as it is, of which Dask would warn."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Sending large graph", UserWarning)
        return client.submit(_itself, thing, key=f"{SHARED}-{uuid4().hex}")


def _itself(thing: Any) -> Any:
    return thing


def _patiently(ask: Callable[[], Any], client: Any) -> Any:
    """Ask something that all workers have a part in: one that ends meanwhile makes Dask fail, once."""
    for wait in WAITS:
        try:
            return ask()
        except (OSError, LookupError, AttributeError, CancelledError):  # or the scheduler: told at last
            sleep(wait)
    return _asked(ask, client)


def _name(client: Any) -> str:
    return repr(getattr(client, "_start_arg", "this cluster") or "this cluster")


def _cancel(task: "Future[Any]") -> None:
    """Cancel a task; where the scheduler has gone, it has gone with it."""
    with suppress(Exception):  # Dask's own kinds of them
        task.cancel()


def _is_shared(error: BaseException | None) -> bool:
    """Did too many workers end while they received what all rows share? It is no fault of these rows."""
    return type(error).__name__ == "KilledWorker" and str(getattr(error, "task", "")).startswith(SHARED)


def _hand_on(inner: "Future[Any]", outer: "Future[Any] | None") -> None:
    """Hand on what became of a task; of one that its workers did not survive, in a sentence."""
    if outer is None:
        return
    if inner.cancelled() or _is_shared(inner.exception()):
        outer.cancel()
    if not outer.set_running_or_notify_cancel():
        return
    error = inner.exception()
    if error is None:
        outer.set_result(inner.result())
    elif type(error).__name__ == "KilledWorker":
        n = getattr(error, "allowed_failures", 0) + 1
        told = ChildProcessError(f"{n} workers ended, one after the other, while they worked on this")
        told.__cause__ = error
        outer.set_exception(told)
    else:
        outer.set_exception(error)
