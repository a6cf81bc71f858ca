"""Motions of bodies whose rows are known, and the laws that some of them have."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from firstcontact.arrays import Array
from firstcontact.motions.laws_of_many import laws_of_many
from firstcontact.motions.rigid_motion import RigidMotion
from firstcontact.shapes.movable import Kind
from firstcontact.shapes.moving import Moving

WHOLE_STEP = np.array([0.0, 1.0])


def row_motions(
    pieces: Array, translations: Array, others: Mapping[int, Moving], rows: NDArray[Any]
) -> RigidMotion:
    """Motions of some rows of pieces (n, N_COLUMNS), one each, and of translations (n, 3), as a batch.

    others : what deviates from its piece, by its row
    """
    laws = {}
    for k, row in enumerate(rows.tolist() if others else ()):
        thing = others.get(row)
        is_rigid = thing is not None and thing.kind not in (Kind.DEFORMING, Kind.DEFORMING_PLANAR)
        law = thing.rigid.law if thing is not None and is_rigid else None
        if law is not None:
            laws[k] = law
    own = pieces[rows, np.newaxis], translations[rows, np.newaxis]
    return RigidMotion(*own, WHOLE_STEP, True, laws_of_many(*own, laws))
