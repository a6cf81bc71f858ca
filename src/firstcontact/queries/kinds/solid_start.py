"""Solids that deform: what is inside of another at the start is in contact then, though no surfaces touch.

After the start nothing comes inside without its surface meeting that of the other, which the search finds. So
all things are looked at once, as they stand at the start, by who tells whether solids at rest intersect.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from firstcontact.advancement.ask import Ask
from firstcontact.answers.contact_results import FirstContact
from firstcontact.arrays import Array
from firstcontact.bodies.mesh_parts import check_closed
from firstcontact.queries.batches import single
from firstcontact.queries.kinds.resting import resting_intersects
from firstcontact.shapes.mesh import as_moving
from firstcontact.shapes.movable import Kind
from firstcontact.shapes.moving import Moving
from firstcontact.shapes.shape import box_corners, shape_of
from firstcontact.status import Status

# Options that say that the start, or a part of it, does not matter: which is all that solids are asked about.
NOT_OF_SOLIDS = "assume_free_start", "only_closing", "groups", "ignore_groups"

# What two things are called.
AB = "a", "b"

# What is so near at the start, in units of its coordinates, may be inside for all that rounding tells.
DOUBT = 2.0**-44


def first_of_solids(
    things: Sequence[Moving], names: Sequence[str], ask: Ask, search: Callable[[Ask], FirstContact]
) -> FirstContact:
    """First contact of solids, by who searches for that of surfaces; where one is inside, nothing touches."""
    solids = _as_they_start(things, names, ask)
    found = search(ask._replace(solid=False))
    if found.time == 0.0 or not _is_any_inside(solids):
        return found
    return replace(
        found,
        status=Status.CONTACT_AT_START,
        time=0.0,
        points=np.empty((0, 3)),
        normals=np.empty((0, 3)),
        features=np.empty((0, 3), np.int32),
        is_truncated=False,
        _thing_ids=np.empty((0, 2), np.int32),
    )


def step_of_solids(
    things: Sequence[Moving], names: Sequence[str], ask: Ask, search: Callable[[Ask], float]
) -> float:
    """The safe step of solids, by who searches for that of surfaces."""
    solids = _as_they_start(things, names, ask)
    return 0.0 if _is_any_inside(solids) else search(ask._replace(solid=False))


def _as_they_start(things: Sequence[Moving], names: Sequence[str], ask: Ask) -> list[Moving]:
    """Solids at rest where things start; one that is not closed, then, is an error."""
    for option in NOT_OF_SOLIDS:
        if option in ask.given():
            raise ValueError(f"solid=True is about all of the start, and {option} leaves some out: give one")
    solids = [_at_start(single(thing, name)) for thing, name in zip(things, names, strict=True)]
    for solid, name in zip(solids, names, strict=True):
        if solid.kind is not Kind.CONVEX:
            check_closed(solid.surface, name)
    return solids


def _at_start(thing: Moving) -> Moving:
    """A thing at rest where it starts."""
    if thing.kind is Kind.DEFORMING:
        return as_moving(thing.surface.placed(thing.vertices(0.0)))
    return shape_of(thing).at(thing.pose(0.0))


def _is_any_inside(solids: Sequence[Moving]) -> bool:
    """Has any solid a point in common with another, or may have one for all that rounding tells?"""
    boxes = np.array([_box(solid) for solid in solids]).reshape(-1, 2, 3)
    for i, j in _near_pairs(boxes):
        doubt = DOUBT * float(np.abs(boxes[[i, j]]).max())
        if resting_intersects(solids[i], solids[j], Ask(solid=True, within=doubt)):
            return True
    return False


def _near_pairs(boxes: Array) -> Iterator[tuple[int, int]]:
    """Pairs of boxes (n, 2, 3) that are not apart, to rounding; an empty one is apart from all."""
    wide = DOUBT * np.abs(boxes).max(axis=(1, 2))[:, np.newaxis]
    lower, upper = boxes[:, 0] - wide, boxes[:, 1] + wide
    for i in range(len(boxes) - 1):
        is_near = (lower[i] <= upper[i + 1 :]) & (lower[i + 1 :] <= upper[i])
        for j in np.flatnonzero(is_near.all(axis=1)).tolist():
            yield i, i + 1 + j


def _box(solid: Moving) -> Array:
    """A box (2, 3) in the world around a solid; around nothing, one that is apart from all."""
    shape, pose = shape_of(solid), solid.pose(0.0)
    if not np.isfinite(shape.bounds).all():
        return np.array([np.full(3, np.finfo(float).max), np.full(3, -np.finfo(float).max)])
    corners = box_corners(shape.bounds) @ pose[:3, :3].T + pose[:3, 3]
    return np.stack([corners.min(axis=0), corners.max(axis=0)])
