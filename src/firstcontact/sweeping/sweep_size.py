"""How large a sweep is, about: nothing is proven by it."""

from collections.abc import Container, Iterator
from typing import Any

import numpy as np

from firstcontact.arrays import Array
from firstcontact.shapes.movable import Kind
from firstcontact.shapes.moving import Moving
from firstcontact.shapes.shape import box_corners

# Times at which a thing is looked at.
N_TIMES = 33


def sweep_size(thing: Moving, links: Container[str]) -> float:
    """Longest side of a box around a thing, or some links of a robot, at some times; -inf for nothing."""
    corners = np.concatenate([np.empty((0, 3)), *_corners(thing, links)])
    sides = corners.max(axis=0, initial=-np.inf) - corners.min(axis=0, initial=np.inf)
    return float(sides.max())


def _corners(thing: Moving, links: Container[str]) -> Iterator[Array]:
    """Corners of boxes around its shapes, at one time after the other."""
    shape, motion, times = _any(thing.shape), _any(thing.motion), np.linspace(0.0, 1.0, N_TIMES)
    if thing.kind is Kind.DEFORMING:
        yield motion.frames[:, np.unique(shape.faces)].reshape(-1, 3)
        return
    if thing.kind is Kind.ROBOT:
        base, values = motion.base, [motion.configuration(t) for t in times]
        at = shape.link_poses(values, base=base) if shape.dof > 0 else None
        resting = shape.link_poses(np.zeros(0), base=base) if at is None else {}
        for part in (part for part in shape.parts if part.link in links):
            poses = resting[part.link][np.newaxis] if at is None else at[part.link]
            yield _placed(poses @ part.pose, part.shape.bounds)
    elif np.isfinite(shape.bounds).all():
        yield _placed(np.array([thing.pose(float(t)) for t in times]), shape.bounds)


def _placed(poses: Array, bounds: Array) -> Array:
    """Corners of a box in poses (k, 4, 4)."""
    placed = np.einsum("kij,nj->kni", poses[:, :3, :3], box_corners(bounds)) + poses[:, np.newaxis, :3, 3]
    found: Array = placed.reshape(-1, 3)
    return found


def _any(thing: Any) -> Any:
    return thing
