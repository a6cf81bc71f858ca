"""What is worked out once for a mesh, and kept as long as the mesh lives."""

from collections.abc import Callable
from functools import update_wrapper
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

from firstcontact.shapes.mesh import Mesh

T = TypeVar("T")


class OnceForEachMesh(Generic[T]):
    """A function of a mesh that keeps its answers.

    Of two threads that ask first, each may work it out; one answer is kept, and they are the same.
    """

    def __init__(self, make: Callable[[Mesh], T]) -> None:
        self.kept: WeakKeyDictionary[Mesh, T] = WeakKeyDictionary()
        self._make = make
        update_wrapper(self, make)

    def __call__(self, mesh: Mesh) -> T:
        """Give what is known of a mesh, or work it out."""
        known = self.kept.get(mesh)
        if known is None:
            known = self.kept[mesh] = self._make(mesh)
        return known
