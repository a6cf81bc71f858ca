"""What a scene was like when it was looked at: who comes back prepares anew only what has changed."""

from operator import is_not
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from firstcontact.arrays import Array
from firstcontact.scene.bodies import Bodies
from firstcontact.shapes.moving import Moving
from firstcontact.shapes.shape import Shape


class SeenBodies(NamedTuple):
    """All bodies of a scene at one moment.

    names, ids, shapes : of the bodies, row by row
    rows, translations : (n, 26) and (n, 3), motions of what moves in one piece
    others : what does not, by its row
    """

    names: list[str]
    ids: NDArray[np.int64]
    shapes: list[Shape]
    rows: Array
    translations: Array
    others: dict[int, Moving]


class Changed(NamedTuple):
    """What a scene is like now, and the bodies that are other than before, by name.

    are_same : whether it has the bodies that it had; else things are all of them
    """

    seen: SeenBodies
    things: dict[str, Moving]
    are_same: bool


def seen_bodies(bodies: Bodies) -> SeenBodies:
    """Note what all bodies are like; rows of those that have left have the id -1."""
    n, columns = bodies.n_rows, bodies.columns
    ids = np.where(columns.is_there[:n], columns.ids[:n], -1)
    rows, translations = columns.rows[:n].copy(), columns.translations[:n].copy()
    return SeenBodies(bodies.names[:n], ids, bodies.shapes[:n], rows, translations, dict(bodies.others))


def changed_bodies(bodies: Bodies, before: SeenBodies | None) -> Changed:
    """Find which bodies are other than they were."""
    now = seen_bodies(bodies)
    if before is None or not np.array_equal(before.ids, now.ids):
        return Changed(now, bodies.things(), False)
    is_other = np.fromiter(map(is_not, before.shapes, now.shapes), np.bool_, len(now.ids))
    # Numbers that are none are never those of before: what has them is looked at once more.
    is_other |= (before.rows != now.rows).any(axis=1) | (before.translations != now.translations).any(axis=1)
    several = before.others.keys() | now.others.keys()
    is_other[[row for row in several if before.others.get(row) is not now.others.get(row)]] = True
    found = np.flatnonzero(is_other & (now.ids >= 0)).tolist()
    return Changed(now, {now.names[row]: bodies.thing(row) for row in found}, True)


class SeenInTurn:
    """The part of a scene that says what has changed, while no thread changes it."""

    def changed_since(self: Any, before: SeenBodies | None) -> Changed:
        """What it is like now, and which bodies are other than they were: for who prepares bodies once."""
        found: Changed = self._now(lambda bodies: changed_bodies(bodies, before))
        return found
