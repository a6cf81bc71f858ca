"""What is worked out once for a mesh, and kept as long as a mesh with that content lives."""

import os
from collections.abc import Callable
from functools import update_wrapper
from hashlib import blake2b
from threading import RLock
from typing import TYPE_CHECKING, Any, Generic, TypeVar
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from firstcontact.shapes.mesh import Mesh

T = TypeVar("T")

# Contents that differ have other digests: two with the same are not to be found by chance, nor by search.
DIGEST_BYTES = 32


class Content:
    """Vertices and faces of a mesh, by their digest, and all that is known of them, whichever mesh has them.

    Every mesh holds on to its content: it goes with the last of them.
    """

    __slots__ = ("__weakref__", "digest", "known")

    def __init__(self, digest: bytes) -> None:
        self.digest = digest
        self.known: dict[Any, Any] = {}


class Contents:
    """All contents that some mesh has, by their digests."""

    def __init__(self) -> None:
        self._contents: WeakValueDictionary[bytes, Content] = WeakValueDictionary()
        self.unlock()

    def get(self, digest: bytes) -> Content:
        """Give the content that is known, or a new one; to all threads the same."""
        with self._lock:
            return self._contents.setdefault(digest, Content(digest))

    def unlock(self) -> None:
        """Have a lock that is free: who held it is not there in a forked process."""
        self._lock = RLock()  # a thread takes it twice where it collects garbage in between

    def __len__(self) -> int:
        return len(self._contents)


contents = Contents()
if hasattr(os, "register_at_fork"):  # not on Windows, which has no fork
    os.register_at_fork(after_in_child=contents.unlock)


def content_of(
    vertices: NDArray[np.float64], faces: NDArray[np.int32], radii: NDArray[np.float64] | None = None
) -> Content:
    """Give the content of a mesh with these contiguous arrays, in about a nanosecond a byte."""
    digest = blake2b(len(vertices).to_bytes(8, "little"), digest_size=DIGEST_BYTES)
    digest.update(vertices.data)
    digest.update(faces.data)
    if radii is not None:
        digest.update(b"radii")
        digest.update(radii.data)
    return contents.get(digest.digest())


class OnceForEachMesh(Generic[T]):
    """A function of a mesh's vertices and faces that keeps its answers, one for each content.

    Of two threads that ask first, each may work it out; one answer is kept, and they are the same.
    """

    def __init__(self, make: "Callable[[Mesh], T]") -> None:
        self._make = make
        update_wrapper(self, make)

    def __call__(self, mesh: "Mesh") -> T:
        """Give what is known of a mesh, or work it out."""
        known = mesh.content.known
        found: T | None = known.get(self)
        if found is None:
            found = known.setdefault(self, self._make(mesh))
        return found
