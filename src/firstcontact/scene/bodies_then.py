"""The bodies of a scene as they were when an answer was found."""

from collections.abc import Iterator, Mapping

from firstcontact.scene.bodies import Reading
from firstcontact.shapes.moving import Moving


class BodiesThen(Mapping[str, Moving]):
    """Bodies by their names, in the order of their arrival; each is made when it is asked for.

    Nothing is copied until the scene changes. Where its bodies only move, motions and corridors are what it
    does not share with them: a third of a kilobyte each.
    """

    def __init__(self, reading: Reading) -> None:
        self._reading = reading

    def __getitem__(self, name: str) -> Moving:
        bodies = self._reading.bodies
        return bodies.thing(bodies.row_of[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._reading.bodies.row_of)

    def __len__(self) -> int:
        return len(self._reading.bodies.row_of)
