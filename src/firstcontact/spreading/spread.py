"""A batch goes out in chunks, and comes back in order: whatever the workers, the answer is the same."""

from collections import Counter
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from time import monotonic
from typing import Any, NamedTuple

from firstcontact._jit import thread_count
from firstcontact.advancement.progress import Report, shown
from firstcontact.spreading.batch import Batch, part_of, row_bytes
from firstcontact.spreading.chunks import Chunks, Span
from firstcontact.spreading.joining import Stripped
from firstcontact.spreading.keeping import Keeper
from firstcontact.spreading.parcel import Enclosed, Parcel
from firstcontact.spreading.versions import own_versions
from firstcontact.spreading.work import Done, Terms, work

# Packages of executors whose workers may be on other machines, and that say how many there are.
FAR = ("mpi4py",)

# Workers that an executor is taken to have that does not say.
UNKNOWN = 32

# Seconds between two looks at what is late. What takes this many times as long as it should, and at least so
# many seconds, is given to another worker too, once there is nothing else to do; and so are late copies.
LOOK, LATE, LATE_SECONDS = 5.0, 10.0, 30.0
MOST_COPIES = 4

# How often a chunk that was lost on its way is sent again.
MOST_LOST = 3


class Sent(NamedTuple):
    """Rows that are under way, and since when; how often they were lost before."""

    span: Span
    since: float
    n_lost: int = 0


def spread(batch: Batch, executor: Executor, keeper: Keeper, is_shown: bool = False) -> Stripped:
    """Let workers answer about all rows that are not kept yet; give all that is kept then."""
    mail = _Mail(batch, executor)
    try:
        with shown(is_shown, batch.unit, batch.n) as report:
            _Run(mail, keeper, report).go()
    finally:
        mail.end()
    return keeper.all()


class _Mail:
    """Sends rows to workers, and what all rows share, once to each."""

    def __init__(self, batch: Batch, executor: Executor) -> None:
        self.batch, self.executor = batch, executor
        self._parcel = Parcel(batch.whole)
        self._send = getattr(executor, "send_to_all", None)  # who knows a better way has one
        self._sent: Any = None
        most = getattr(executor, "_max_workers", None)
        self._known = most
        self._terms = Terms(self._most_threads(most), own_versions())

    @property
    def n_workers(self) -> int:
        """How many work at once; some may be added."""
        return self._known or getattr(self.executor, "n_workers", None) or UNKNOWN

    def send(self, span: Span, is_entire: bool) -> "Future[Done | None]":
        """Send some rows; on request with all that they share, for who cannot read our files."""
        rows = Enclosed(part_of(self.batch.rows, *span))
        return self.executor.submit(
            work, self._shared(is_entire), rows, span[0], span[1] - span[0], self._terms
        )

    def forget(self) -> None:
        """What all rows share may be lost: send it again, if it is."""
        self._sent = None

    def end(self) -> None:
        """Let go of what was sent."""
        self._sent = None  # where it was sent to, it is let go
        self._parcel.discard()

    def _shared(self, is_entire: bool) -> Any:
        if self._send is None:
            return self._parcel.letter(is_entire=True) if is_entire else self._parcel
        if self._sent is None:
            enclosed = Enclosed(self.batch.whole)
            is_passing = getattr(self.batch.whole, "is_passing", False)
            self._sent = self._send(enclosed) if is_passing else self._send(*enclosed.closed())
        return self._sent

    def _most_threads(self, n_workers: int | None) -> int | None:
        """Threads that each worker may use: on this machine, its share of them."""
        if n_workers is None or _is_far(self.executor):
            return getattr(self.executor, "most_threads", None)
        return max(thread_count() // n_workers, 1)


class _Run:
    """One batch on its way."""

    def __init__(self, mail: _Mail, keeper: Keeper, report: Report) -> None:
        self._mail, self._keeper, self._report = mail, keeper, report
        batch = mail.batch
        self._chunks = Chunks(keeper.missing(), mail.n_workers, batch.is_heavy, row_bytes(batch))
        self._away: dict[Future[Done | None], Sent] = {}
        self._open: set[Span] = set()
        self._n_done = mail.batch.n - sum(last - first for first, last in keeper.missing())

    def go(self) -> None:
        """Send and receive until all is there; whatever ends this, nothing is left in the queue."""
        try:
            self._fill()
            self._report(self._n_done)
            while self._open:
                done, _ = wait(self._away, timeout=LOOK, return_when=FIRST_COMPLETED)
                for future in sorted(done, key=lambda one: self._away[one].span):
                    self._receive(future, self._away.pop(future))
                self._fill()
                self._repeat_late()
        finally:
            for future in self._away:
                future.cancel()

    def _fill(self) -> None:
        """Have two chunks for each worker under way: one that it works on, and the next."""
        while len(self._away) < 2 * self._mail.n_workers + 2:
            span = self._chunks.next()
            if span is None:
                return
            self._open.add(span)
            self._send(span)

    def _send(self, span: Span, n_lost: int = 0, is_entire: bool = False) -> None:
        self._away[self._mail.send(span, is_entire)] = Sent(span, monotonic(), n_lost)

    def _receive(self, future: "Future[Done | None]", sent: Sent) -> None:
        """Keep what came back; what was lost on its way is sent again."""
        if sent.span not in self._open:  # another worker was faster
            return
        try:
            done = future.result()
        except CancelledError as error:
            if sent.n_lost == MOST_LOST:
                raise ConnectionError(f"{rows_of(sent.span)} were lost {MOST_LOST + 1} times") from error
            self._mail.forget()
            self._send(sent.span, sent.n_lost + 1)
        except ChildProcessError as error:
            raise ChildProcessError(f"{rows_of(sent.span)}: {error}") from error
        except BrokenExecutor as error:
            names = ", ".join(map(rows_of, sorted(self._open)))
            raise BrokenExecutor(f"a worker ended of a sudden, with {names} under way: {error}") from error
        else:
            if done is None:
                self._send(sent.span, sent.n_lost, is_entire=True)
            else:
                self._keep(sent.span, done)

    def _keep(self, span: Span, done: Done) -> None:
        n = span[1] - span[0]
        self._open.remove(span)
        self._keeper.put(span, done.answer)
        self._chunks.note(n, done.seconds)
        self._n_done += n
        self._report(self._n_done)

    def _repeat_late(self) -> None:
        """Give what takes far too long to another worker too: the one that has it may hang."""
        if not self._chunks.is_over:
            return
        now, times = monotonic(), Counter(sent.span for sent in self._away.values())
        newest = {sent.span: sent for sent in self._away.values()}
        for span in self._open & newest.keys():
            is_late = now - newest[span].since > max(
                LATE * self._chunks.seconds(span[1] - span[0]), LATE_SECONDS
            )
            if is_late and times[span] < MOST_COPIES:
                self._send(span, newest[span].n_lost)


def _is_far(executor: Executor) -> bool:
    """May its workers be on other machines, whose threads they need not share with each other?"""
    return any(kind.__module__.partition(".")[0] in FAR for kind in type(executor).__mro__)


def rows_of(span: Span) -> str:
    """Say which rows these are."""
    first, last = span
    return f"row {first}" if last - first == 1 else f"rows {first} to {last - 1}"
