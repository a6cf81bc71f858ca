"""The proof that two rigid bodies keep apart, for the answers about them."""

from collections.abc import Mapping

import numpy as np

from firstcontact.advancement.ask import RELATIVE_TOLERANCE
from firstcontact.articulated.proof.certificate import Certificate, certified_pair
from firstcontact.shapes.movable import Kind
from firstcontact.shapes.moving import Moving
from firstcontact.shapes.shape import shape_of

ONE_PAIR = "a certificate is for two rigid bodies with one motion each, and for robots"


def rigid_certificate(things: Mapping[str, Moving], kept: float, end: float, is_solid: bool) -> Certificate:
    """Find the proof that two bodies are farther apart than a distance, up to a time."""
    rigid = (Kind.CONVEX, Kind.MESH)
    if len(things) != 2 or any(thing.kind not in rigid or thing.motion.is_batch for thing in things.values()):
        raise ValueError(ONE_PAIR)
    sizes = [float(np.ptp(shape_of(thing).bounds, axis=0).max(initial=0.0)) for thing in things.values()]
    return certified_pair(things, kept, RELATIVE_TOLERANCE * min(sizes), end, is_solid)
