"""Steps in which the vertices of one mesh, or of two, all go straight."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from firstcontact.deformable.with_rigid.rigid_segment import PLACED, farthest
from firstcontact.motions.deformation import Deformation
from firstcontact.scalar.error_bounds import SHORTEST
from firstcontact.shapes.movable import Kind
from firstcontact.shapes.moving import Moving


class CommonStep(NamedTuple):
    """A step of all things at once.

    start, end : times
    things : as they move meanwhile
    rounding : how far vertices may be from where they truly are, of all things in sum: 0 where both ends of
        the step are frames of whatever moves
    """

    start: float
    end: float
    things: tuple[Moving, ...]
    rounding: float


def are_in_steps(things: Sequence[Moving]) -> bool:
    """Does any of them deform in more than one step?"""
    return any(thing.kind is Kind.DEFORMING and len(thing.deforms.times) > 2 for thing in things)


def common_steps(things: Sequence[Moving]) -> Iterator[CommonStep]:
    """Give one step after the other: from each frame of any of them to the next.

    Where one has a frame and another has none, that one's places are rounded.
    """
    times = np.unique(np.concatenate([_bends(thing) for thing in things]))
    for start, end in pairwise(times.tolist()):
        parts = [_part(thing, start, end) for thing in things]
        yield CommonStep(start, end, tuple(part[0] for part in parts), sum(part[1] for part in parts))


def _bends(thing: Moving) -> np.ndarray:
    """Times of a thing's frames; those of what rests do not matter."""
    is_moving = thing.kind is Kind.DEFORMING and not thing.motion.is_resting
    return thing.deforms.times if is_moving else np.array([0.0, 1.0])


def _part(thing: Moving, start: float, end: float) -> tuple[Moving, float]:
    """A thing over a stretch of time in which it goes straight, and how far that is off."""
    if thing.kind is not Kind.DEFORMING:
        return thing, 0.0
    places, whole = thing.deforms.vertices(start), thing.deforms
    if whole.is_resting:
        return Moving(thing.shape, Deformation(places, places)), 0.0
    part = Moving(thing.shape, Deformation(places, whole.vertices(end)))
    if {start, end} <= set(whole.times.tolist()):
        return part, 0.0
    used = thing.surface.faces.reshape(-1)
    k = int(np.searchsorted(whole.times, start, side="right"))
    lengths = sum(farthest(frame[used]) for frame in whole.frames[k - 1 : k + 1])
    return part, PLACED * lengths + SHORTEST
