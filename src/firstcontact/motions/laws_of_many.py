"""Many bodies in one piece of motion each, some of which have laws."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from firstcontact.arrays import Array
from firstcontact.motions.law import Law, Which
from firstcontact.motions.rigid_motion import END_TIME, START_TIME, write_poses


@dataclass(frozen=True, eq=False)
class LawsOfMany:
    """Motions of n bodies, each by a law of its own, or exactly in one piece.

    Attributes
    ----------
    pieces, translations : (n, 1, N_COLUMNS) and (n, 1, 3), of a `RigidMotion`
    laws : of some of them, all that are of one class joined
    kinds, members : (n,) which of the laws each body has, -1 for none, and its number there
    """

    pieces: Array
    translations: Array
    laws: Sequence[Law]
    kinds: NDArray[np.intp]
    members: NDArray[np.intp]

    def rows(self, which: NDArray[np.intp], starts: Array, ends: Array) -> Array:
        """Give pieces (m, N_COLUMNS) of motions (m,) over stretches of time, from (m,) to (m,)."""
        rows: Array = self.pieces[which, 0]
        rows[:, START_TIME], rows[:, END_TIME] = starts, ends
        for kind, law in enumerate(self.laws):
            own = np.flatnonzero(self.kinds[which] == kind)
            rows[own] = law.rows(self.members[which[own]], starts[own], ends[own])
        return rows

    def poses(self, t: float) -> Array:
        """Give the poses at t, (n, 4, 4)."""
        poses = np.zeros((len(self.pieces), 4, 4))
        poses[:, 3, 3] = 1.0
        write_poses(self.pieces, self.translations, 0, t, poses)
        for kind, law in enumerate(self.laws):
            own = np.flatnonzero(self.kinds == kind)
            poses[own] = law.poses(t)[self.members[own]]
        return poses

    def chosen(self, which: Which) -> "LawsOfMany":
        """Give the laws of some of the bodies."""
        parts = {name: getattr(self, name)[which] for name in ("pieces", "translations", "kinds", "members")}
        return replace(self, **parts)

    def joined(self, others: Sequence["LawsOfMany"]) -> "LawsOfMany":
        """Give the laws of these bodies, and of those of others, one behind the other."""
        laws = [law for many in (self, *others) for law in many.laws]
        before = np.cumsum([0, *(len(many.laws) for many in (self, *others))])
        kinds = [
            np.where(many.kinds >= 0, many.kinds + first, -1)
            for many, first in zip((self, *others), before[:-1], strict=True)
        ]
        pieces, translations, members = (
            np.concatenate([getattr(many, name) for many in (self, *others)])
            for name in ("pieces", "translations", "members")
        )
        return LawsOfMany(pieces, translations, laws, np.concatenate(kinds), members)


def laws_of_many(pieces: Array, translations: Array, laws: Mapping[int, Law]) -> LawsOfMany | None:
    """Join laws, each of a single body, of some of n bodies, by their numbers; None for no laws."""
    if not laws:
        return None
    kinds, members = np.full(len(pieces), -1, np.intp), np.zeros(len(pieces), np.intp)
    by_class: dict[type, list[int]] = {}
    for number, law in laws.items():
        by_class.setdefault(type(law), []).append(number)
    for kind, numbers in enumerate(by_class.values()):
        kinds[numbers], members[numbers] = kind, np.arange(len(numbers))
    groups = ([laws[number] for number in numbers] for numbers in by_class.values())
    return LawsOfMany(pieces, translations, [law.joined(rest) for law, *rest in groups], kinds, members)
