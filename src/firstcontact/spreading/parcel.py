"""What all parts of a batch share, on its way: each worker gets it once, by its content, and keeps it."""

import pickle
import tempfile
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from threading import RLock
from typing import Any

# Parcels that a worker keeps: the same robot and obstacles are asked about again and again.
N_KEPT = 4

# Up to this many bytes go along with every task; larger ones wait in a file for who can read it.
SMALL = 1 << 16

DIGEST_BYTES = 32


class Parcel:
    """Something that goes along with many tasks.

    In the process that made it, for threads, it is the thing itself. Where a task is pickled, it is known by
    its digest, and the worker that has not met it before reads the file. Where that is on another machine it
    says so, and is sent all of it (`entire`).
    """

    def __init__(self, thing: Any) -> None:
        self._thing = thing
        self._lock = RLock()
        self._letter: Letter | None = None

    def open(self) -> Any:
        """Give what is in it."""
        return self._thing

    def letter(self, is_entire: bool = False) -> "Letter":
        """Write it down, once, when it first has to travel."""
        with self._lock:
            if self._letter is None or is_entire:
                data = pickled(self._thing)
                digest = digest_of(data)
                if is_entire or len(data) <= SMALL:
                    self._letter = Letter(digest, data, None)
                else:
                    self._letter = Letter(digest, None, _written(data))
            return self._letter

    def __reduce__(self) -> tuple[Callable[..., "Letter"], tuple[Any, ...]]:
        return self.letter().__reduce__()

    def discard(self) -> None:
        """Remove the file, if there is one."""
        with self._lock:
            if self._letter is not None and self._letter.path is not None:
                with suppress(OSError):
                    self._letter.path.unlink()


class Letter:
    """A parcel where it arrives."""

    __slots__ = ("data", "digest", "path")

    def __init__(self, digest: bytes, data: bytes | None, path: Path | None) -> None:
        self.digest, self.data, self.path = digest, data, path

    def open(self) -> Any:
        """Give what is in it; None where it is in a file that is not here."""
        found = _kept.get(self.digest)
        if found is not None:
            return found
        data = self.data
        if data is None and self.path is not None:
            with suppress(OSError):
                data = self.path.read_bytes()
        if data is None or digest_of(data) != self.digest:
            return None
        return _kept.put(self.digest, pickle.loads(data))

    def __reduce__(self) -> tuple[Callable[..., "Letter"], tuple[Any, ...]]:
        return Letter, (self.digest, self.data, self.path)


class Enclosed:
    """Something that travels as bytes, so that its arrays are what they were: not read-only, not views."""

    __slots__ = ("thing",)

    def __init__(self, thing: Any) -> None:
        self.thing = thing

    def open(self) -> Any:
        """Give what is in it."""
        return self.thing

    def __reduce__(self) -> tuple[Callable[..., "Closed"], tuple[bytes]]:
        return Closed, (pickled(self.thing),)

    def closed(self) -> tuple["Closed", bytes]:
        """Write it down; and give its digest, by which it is known again."""
        data = pickled(self.thing)
        return Closed(data), digest_of(data)


class Closed:
    """What was enclosed, where it arrives: it is unpacked when it is first looked at, for all threads."""

    __slots__ = ("_data", "_lock", "_thing")

    def __init__(self, data: bytes) -> None:
        self._data: bytes | None = data
        self._thing: Any = None
        self._lock = RLock()

    def open(self) -> Any:
        """Give what is in it."""
        with self._lock:
            if self._data is not None:
                self._thing = pickle.loads(self._data)
                self._data = None
            return self._thing

    def __reduce__(self) -> tuple[Callable[..., "Closed"], tuple[bytes]]:
        with self._lock:
            return Closed, (pickled(self._thing) if self._data is None else self._data,)


def pickled(thing: Any) -> bytes:
    """Pickle something; what cannot be, such as a function that has no name, is told in a sentence."""
    try:
        return pickle.dumps(thing, pickle.HIGHEST_PROTOCOL)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise TypeError(
            f"what is asked about cannot be sent to another process: {error}; threads would do"
        ) from error


def digest_of(data: bytes) -> bytes:
    """By which data are known: others have another."""
    return blake2b(data, digest_size=DIGEST_BYTES).digest()


def _written(data: bytes) -> Path:
    with tempfile.NamedTemporaryFile(prefix="firstcontact-", suffix=".parcel", delete=False) as file:
        file.write(data)
    return Path(file.name)


class _Kept:
    """What has arrived in this process, the latest of it."""

    def __init__(self) -> None:
        self._things: OrderedDict[bytes, Any] = OrderedDict()
        self._lock = RLock()

    def get(self, digest: bytes) -> Any:
        """Give what has this digest, or None."""
        with self._lock:
            if digest in self._things:
                self._things.move_to_end(digest)
            return self._things.get(digest)

    def put(self, digest: bytes, thing: Any) -> Any:
        """Keep a thing; give the one that all threads have."""
        with self._lock:
            found = self._things.setdefault(digest, thing)
            while len(self._things) > N_KEPT:
                self._things.popitem(last=False)
            return found


_kept = _Kept()
