"""The proof that two rigid bodies keep apart, for the answers about them."""

from collections.abc import Mapping

import numpy as np

from firstcontact.advancement.ask import RELATIVE_TOLERANCE
from firstcontact.articulated.proof.certificate import Certificate, certified_pair
from firstcontact.shapes.bounded import bounded
from firstcontact.shapes.movable import Kind
from firstcontact.shapes.moving import Moving
from firstcontact.shapes.shape import shape_of

# How much before a contact's time, as a part of it, the proof may end: at the contact itself, rounding hides
# the gap. The first that can be proven is taken.
EARLIER = (0.0, *(2.0**-k for k in range(44, 0, -4)), 1.0)

ONE_PAIR = "a certificate is for two rigid bodies with one motion each, and for robots"


def rigid_certificate(things: Mapping[str, Moving], kept: float, time: float, is_solid: bool) -> Certificate:
    """Find the proof that both keep a distance before a contact's time; that is inf if there is none."""
    rigid = (Kind.CONVEX, Kind.MESH)
    if len(things) == 2:
        things = dict(zip(things, bounded(*things.values()), strict=True))
    if len(things) != 2 or any(thing.kind not in rigid or thing.motion.is_batch for thing in things.values()):
        raise ValueError(ONE_PAIR)
    sizes = [float(np.ptp(shape_of(thing).bounds, axis=0).max(initial=0.0)) for thing in things.values()]
    tolerance = RELATIVE_TOLERANCE * min(sizes)
    ends = [time * (1.0 - part) for part in EARLIER] if time <= 1.0 else [1.0]
    for end in ends:
        found = certified_pair(things, kept, tolerance, end, is_solid)
        if (found.intervals.gaps > 0.0).all():
            break
    return found
