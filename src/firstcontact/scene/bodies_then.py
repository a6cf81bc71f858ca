"""The bodies of a scene as they were when an answer was found."""

from collections.abc import Iterator, Mapping

from firstcontact.motions.rigid_motion import RigidMotion
from firstcontact.scene.bodies import Bodies
from firstcontact.scene.row_motions import WHOLE_STEP
from firstcontact.shapes.moving import Moving


class BodiesThen(Mapping[str, Moving]):
    """Bodies by their names, in the order of their arrival; each is made when it is asked for.

    Of all that a scene knows of its bodies it has their motions, a fifth of a kilobyte each, and no more.
    """

    def __init__(self, bodies: Bodies) -> None:
        n = bodies.n_rows
        self._row_of, self._shapes, self._others = (
            bodies.row_of.copy(),
            bodies.shapes.copy(),
            bodies.others.copy(),
        )
        self._rows, self._translations = (
            bodies.columns.rows[:n].copy(),
            bodies.columns.translations[:n].copy(),
        )

    def __getitem__(self, name: str) -> Moving:
        row = self._row_of[name]
        if row in self._others:
            return self._others[row]
        pieces, translations = (column[[[row]]] for column in (self._rows, self._translations))
        return Moving(self._shapes[row], RigidMotion(pieces, translations, WHOLE_STEP, False))

    def __iter__(self) -> Iterator[str]:
        return iter(self._row_of)

    def __len__(self) -> int:
        return len(self._row_of)
