"""All points of contacts that are known: which bodies meet, where they stand then, and how fast."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, cast

import numpy as np

from firstcontact.arrays import Array
from firstcontact.motions.poses_then import poses_then
from firstcontact.motions.rigid_motion import AXIS, BASE_TIME, POSITION, RATE, VELOCITY, RigidMotion
from firstcontact.proximity.manifolds.convex_manifold import (
    FEATURES,
    GAP,
    N_MANIFOLD,
    NORMAL,
    PAIR,
    POINT_A,
    POINT_B,
    Meeting,
    convex_manifolds,
    shape_table,
)
from firstcontact.proximity.manifolds.facing_shape import Ids
from firstcontact.scene.manifold_results import Manifold
from firstcontact.scene.mesh_manifold import Stand, mesh_manifold
from firstcontact.scene.row_motions import WHOLE_STEP
from firstcontact.shapes.convex_shape import ConvexShape
from firstcontact.shapes.half_space import HalfSpace
from firstcontact.shapes.movable import Kind
from firstcontact.shapes.moving import Moving
from firstcontact.shapes.shape import shape_of

# How much farther apart than the nearest points others may be, unless told: a part of the smaller body.
NEAR = 0.01

CONVEX_KINDS = Kind.CONVEX, Kind.HALF_SPACE


class Known(NamedTuple):
    """Contacts of m pairs of bodies: their ids (m, 2), times (m,), a point and the normal of each (m, 3)."""

    ids: Ids
    time: Array
    points: Array
    normals: Array
    names: Sequence[tuple[str, str]]


def manifold_of(things: Mapping[str, Moving], known: Known, within: float | None) -> Manifold:
    """All points of contacts, in their order."""
    if any(thing.shape.dimension == 2 for thing in things.values()):
        raise TypeError("manifold knows no things in the plane: each contact has its point, and its normal")
    bodies = {name: things[name] for pair in known.names for name in pair}
    numbers = {name: k for k, name in enumerate(bodies)}
    listed = list(bodies.values())
    pairs = np.array([[numbers[name] for name in pair] for pair in known.names], np.int64).reshape(-1, 2)
    sizes = np.array([np.inf if thing.kind is Kind.HALF_SPACE else _size(thing) for thing in listed])
    near = (
        np.full(len(pairs), within) if within is not None else NEAR * sizes[pairs].min(axis=1, initial=np.inf)
    )
    is_convex = np.array([thing.kind in CONVEX_KINDS for thing in listed], bool)[pairs].all(axis=1)
    rows = [_of_convex(listed, pairs, known, near, np.flatnonzero(is_convex))]
    for k in np.flatnonzero(~is_convex).tolist():
        two = Stand(
            listed[pairs[k, 0]], listed[pairs[k, 1]], known.time[k], known.points[k], known.normals[k]
        )
        own = mesh_manifold(two, float(near[k]))
        own[:, PAIR] = k
        rows.append(own)
    found = np.concatenate(rows)
    found = found[np.argsort(found[:, PAIR], kind="stable")]
    return _described(listed, pairs, known, found)


def _size(thing: Moving) -> float:
    """Twice how far a body reaches, as its contacts' tolerance is counted."""
    return 2.0 * float(shape_of(thing).reach)


def _of_convex(things: Sequence[Moving], pairs: Ids, known: Known, near: Array, which: Ids) -> Array:
    """Points of the pairs of convex shapes, all in one call."""
    if len(which) == 0:
        return np.empty((0, N_MANIFOLD))
    numbers: dict[int, int] = {}
    kept: list[ConvexShape | HalfSpace] = []
    shape_ids = np.zeros(len(things), np.int64)
    for k, thing in enumerate(things):
        shape = shape_of(thing)
        if thing.kind in CONVEX_KINDS and id(shape) not in numbers:
            numbers[id(shape)] = len(kept)
            kept.append(cast(ConvexShape | HalfSpace, shape))
        shape_ids[k] = numbers.get(id(shape), 0)
    poses = np.empty((len(which), 2, 4, 4))
    for side in range(2):
        own = pairs[which, side]
        motions = [things[k].rigid for k in own.tolist()]
        is_plain = np.array([len(motion.times) == 2 and motion.law is None for motion in motions])
        plain = [motion for motion, is_one in zip(motions, is_plain, strict=True) if is_one]
        if plain:
            parts = np.concatenate([m.pieces for m in plain]), np.concatenate([m.translations for m in plain])
            batch, then = RigidMotion(*parts, WHOLE_STEP, True), known.time[which[is_plain]]
            poses[is_plain, side] = poses_then(batch, then)
        for k in np.flatnonzero(~is_plain).tolist():
            poses[k, side] = poses_then(motions[k], known.time[which[k : k + 1]])[0]
    meeting = Meeting(
        np.ascontiguousarray(shape_ids[pairs[which]]),
        poses,
        np.ascontiguousarray(known.points[which]),
        np.ascontiguousarray(known.normals[which]),
        near[which],
    )
    rows = convex_manifolds(shape_table(kept), meeting)
    rows[:, PAIR] = which[rows[:, PAIR].astype(np.int64)]
    return rows


def _described(things: Sequence[Moving], pairs: Ids, known: Known, rows: Array) -> Manifold:
    """What was found, with how fast points close."""
    which = rows[:, PAIR].astype(np.int64)
    normals, ends = rows[:, NORMAL:].copy(), (rows[:, POINT_A:POINT_B].copy(), rows[:, POINT_B:GAP].copy())
    speeds = np.zeros((2, len(rows)))
    for side, points in enumerate(ends):
        own = [things[k] for k in pairs[:, side].tolist()]
        rates = np.array([_rates(thing, t) for thing, t in zip(own, known.time.tolist(), strict=True)])
        rates = rates.reshape(-1, 6)[which]
        moved = rates[:, :3] + np.cross(rates[:, 3:], points)
        for k in np.flatnonzero([thing.kind is Kind.DEFORMING for thing in own]).tolist():
            for i in np.flatnonzero(which == k).tolist():
                moved[i] = _nearest_velocity(own[k], float(known.time[k]), points[i])
        speeds[side] = np.einsum("ij,ij->i", moved, normals)
    features = rows[:, FEATURES:NORMAL].astype(np.int32)
    closing = speeds[0] - speeds[1]
    return Manifold(which, *ends, normals, rows[:, GAP].copy(), closing, features, known.ids[which])


def _rates(thing: Moving, time: float) -> Array:
    """How a rigid body moves at a time, (6,): where x is, a point goes by v + w x x, with v before w."""
    if thing.kind is Kind.DEFORMING or thing.rigid.is_resting:
        return np.zeros(6)
    motion: RigidMotion = thing.rigid
    if motion.law is None:
        piece = min(int(np.searchsorted(motion.times, time, side="right")), len(motion.times) - 1) - 1
        row = motion.pieces[0, piece]
    else:
        row = motion.law.rows(np.zeros(1, np.intp), np.array([time]), np.array([time]))[0]
    spin, velocity = row[RATE] * row[AXIS:RATE], row[VELOCITY:AXIS]
    center = row[POSITION:VELOCITY] + (time - row[BASE_TIME]) * velocity
    return np.concatenate([velocity - np.cross(spin, center), spin])


def _nearest_velocity(thing: Moving, time: float, point: Array) -> Array:
    """Velocity of the vertex of a deforming mesh that is nearest to a place."""
    before, after = max(time - 1e-6, 0.0), min(time + 1e-6, 1.0)
    k = int(np.argmin(np.linalg.norm(thing.vertices(time) - point, axis=1)))
    moved: Array = (thing.vertices(after)[k] - thing.vertices(before)[k]) / (after - before)
    return moved
