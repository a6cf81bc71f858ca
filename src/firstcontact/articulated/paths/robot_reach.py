"""How far from the origin of the world anything of a robot ever is."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from firstcontact.articulated.model.kinematic_tree import SLIDING
from firstcontact.articulated.model.world_shapes import joint_motion, robot_of, tree_of
from firstcontact.articulated.paths.frame_rows import frame_rows
from firstcontact.motions.origin_range import UP, OriginRange
from firstcontact.motions.rigid_motion import BASE_TIME, END_TIME, POSITION, VELOCITY
from firstcontact.shapes.bounded import HALF_SPACE, slab_for
from firstcontact.shapes.compound import COMPOUND, moving_parts
from firstcontact.shapes.mesh import is_empty
from firstcontact.shapes.moving import Moving
from firstcontact.shapes.voxels import skinned


def robot_reach(robot: Moving) -> float:
    """Bound the distance of all points of all links from the origin, on all paths: the sum of the lengths.

    A hinge keeps lengths; what slides adds its way, and what a spline takes it beyond that.
    """
    own, model = joint_motion(robot), robot_of(robot)
    tree = tree_of(robot)
    rows = frame_rows(tree, own)
    spans = rows[..., END_TIME] - rows[..., BASE_TIME]
    ways = np.linalg.norm(rows[..., VELOCITY : VELOCITY + 3], axis=-1) * spans
    lengths = (np.linalg.norm(rows[..., POSITION:VELOCITY], axis=-1) + ways).max(axis=(0, 1), initial=0.0)
    if own.law is not None:
        away = own.law.deviations(own.times).max(axis=(0, 1))
        off = np.abs(tree.frames.drives[:, 0]) * away[tree.frames.columns]
        lengths = lengths + np.where(tree.frames.kinds == SLIDING, off, 0.0)
    for frame, parent in enumerate(tree.parents.tolist()):  # parents come first
        lengths[frame] += lengths[parent] if parent >= 0 else 0.0
    reach = 0.0
    for part in model.parts:
        frame = tree.link_frames[part.link]
        place = (tree.link_offsets[part.link] @ part.pose)[:3, 3]
        along = float(lengths[frame]) if frame >= 0 else 0.0
        reach = max(reach, along + float(np.linalg.norm(place)) + part.shape.reach)
    return UP * reach


def bounded_obstacles(robot: Moving, obstacles: dict[str, Any]) -> tuple[dict[str, Moving], float]:
    """Let slabs stand for half-spaces, parts for compounds, surfaces for voxels; say how far it may be."""
    obstacles = {name: part for whole, thing in obstacles.items() for name, part in _by_parts(whole, thing)}
    if not any(thing.kind is HALF_SPACE for thing in obstacles.values()):
        return obstacles, np.inf
    reach = 2.0 ** np.ceil(np.log2(max(robot_reach(robot), 2.0**-150)))
    others = OriginRange(np.zeros((1, 3)), np.array([reach]))
    slabs = {name: slab_for(thing, others) for name, thing in obstacles.items() if thing.kind is HALF_SPACE}
    return obstacles | slabs, float(reach)


def _by_parts(name: str, thing: Any) -> Iterator[tuple[str, Moving]]:
    """An obstacle by its name, voxels as their surface; the parts of a compound each by a name of its own."""
    if thing.kind is not COMPOUND:
        yield name, skinned(thing)
        return
    for k, part in enumerate(moving_parts(thing)):
        if not is_empty(part.shape):
            yield f"{name}/{k}", skinned(part)
