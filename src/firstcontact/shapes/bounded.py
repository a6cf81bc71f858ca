"""Half-spaces, bounded by what they are to meet."""

import numpy as np

from firstcontact.motions.origin_range import OriginRange, origin_range
from firstcontact.shapes.half_space import as_half_space
from firstcontact.shapes.mesh import is_empty
from firstcontact.shapes.movable import Kind
from firstcontact.shapes.moving import Moving
from firstcontact.shapes.shape import shape_of

HALF_SPACE, DEFORMING = Kind.HALF_SPACE, Kind.DEFORMING


def bounded(a: Moving, b: Moving) -> tuple[Moving, Moving]:
    """Give both things, and for one that is a half-space the slab that stands for it beside the other."""
    if (a.kind is HALF_SPACE) is (b.kind is HALF_SPACE):
        return a, b
    return (a, slab_for(b, range_of(a))) if b.kind is HALF_SPACE else (slab_for(a, range_of(b)), b)


def slab_for(half_space: Moving, others: OriginRange) -> Moving:
    """The slab that stands for a half-space beside all that is ever in a range."""
    own = origin_range(half_space.rigid)
    shape = as_half_space(half_space.shape)
    return Moving(shape.within(own.farthest_to(others)), half_space.motion)


def range_of(thing: Moving) -> OriginRange:
    """Where all points of a thing that has bounds are, at any time; a row for each motion of a batch."""
    if is_empty(thing.shape):
        return OriginRange(np.zeros((1, 3)), np.zeros(1))
    if thing.kind is DEFORMING:
        frames = thing.deforms.frames.reshape(-1, 3)
        lower, upper = frames.min(axis=0), frames.max(axis=0)
        half = np.linalg.norm(0.5 * upper - 0.5 * lower) + thing.surface.thickness
        return OriginRange((0.5 * lower + 0.5 * upper)[np.newaxis], np.array([half]))
    found = origin_range(thing.rigid)
    return found._replace(spans=found.spans + shape_of(thing).reach)
