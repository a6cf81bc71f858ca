"""The bodies of a scene as they were when an answer was found."""

from collections.abc import Collection, Iterator, Mapping

from firstcontact.scene.bodies import Reading
from firstcontact.shapes.moving import Moving


class BodiesThen(Mapping[str, Moving]):
    """Bodies by their names, in the order of their arrival; each is made when it is asked for.

    Nothing is copied until the scene changes. Where its bodies only move, motions and corridors are what it
    does not share with them: a third of a kilobyte each.

    Parameters
    ----------
    reading : what keeps the bodies as they were
    only : names of those that count; all unless given
    """

    def __init__(self, reading: Reading, only: Collection[str] | None = None) -> None:
        self._reading, self._only = reading, only

    def __getitem__(self, name: str) -> Moving:
        bodies = self._reading.bodies
        if self._only is not None and name not in self._only:
            raise KeyError(name)
        return bodies.thing(bodies.row_of[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._reading.bodies.row_of if self._only is None else self._only)

    def __len__(self) -> int:
        return len(self._reading.bodies.row_of if self._only is None else self._only)
