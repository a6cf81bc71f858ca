"""Configurations of a robot: checked, by the names of joints, and random."""

import warnings
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from firstcontact._validate import as_stack
from firstcontact.arrays import Array
from firstcontact.articulated.model.joint import Joint, sampled_ranges
from firstcontact.articulated.model.kinematic_tree import unknown
from firstcontact.motions.joint_motion import N_QUATERNION, JointMotion, brought_near
from firstcontact.shapes.shape import frozen


def checked_configurations(name: str, q: ArrayLike, joints: tuple[Joint, ...]) -> tuple[Array, bool]:
    """Check configurations (n, dof) or one of them; make quaternions of unit length."""
    columns, dof = quaternion_columns(joints), value_count(joints)
    values, is_batch = as_stack(name, q, (dof,))
    if dof == 0 and np.shape(q) == (0,):  # one configuration, not a batch of none
        values, is_batch = np.empty((1, 0)), False
    for column in columns:
        turn = values[:, column : column + N_QUATERNION]
        lengths = np.linalg.norm(turn, axis=1)
        if not (lengths > 0.0).all():
            row = int(np.argmin(lengths > 0.0))
            raise ValueError(f"{name} must have no quaternion of length 0; row {row} has")
        values = values.copy()
        values[:, column : column + N_QUATERNION] = turn / lengths[:, np.newaxis]
    return values, is_batch


# A robot is asked about again and again: to count anew takes a tenth of a query.
@lru_cache(maxsize=256)
def value_count(joints: tuple[Joint, ...]) -> int:
    """Numbers in a configuration."""
    return sum(joint.n_values for joint in joints)


@lru_cache(maxsize=256)
def quaternion_columns(joints: tuple[Joint, ...]) -> tuple[int, ...]:
    """First columns of the quaternions of ball joints and of floating ones, which end with them."""
    ends = np.cumsum([joint.n_values for joint in joints]).tolist()
    pairs = zip(ends, joints, strict=True)
    return tuple(end - N_QUATERNION for end, joint in pairs if joint.kind in ("ball", "floating"))


def joint_columns(joints: Sequence[Joint]) -> dict[str, NDArray[np.intp]]:
    """Columns that the values of each joint have in a configuration, by names."""
    ends = np.cumsum([joint.n_values for joint in joints]).tolist()
    return {
        joint.name: np.arange(end - joint.n_values, end)
        for joint, end in zip(joints, ends, strict=True)
        if joint.n_values > 0
    }


def named_configuration(joints: tuple[Joint, ...], values: Mapping[str, Any]) -> Array:
    """A configuration (dof,) of values by the names of joints, or one for each of a batch; others have 0."""
    columns = joint_columns(joints)
    read = {}
    for name, value in values.items():
        if name not in columns:
            raise unknown("joint with a value", str(name), columns)
        size = len(columns[name])
        stack, is_batch = as_stack(f"value of joint {name!r}", value, () if size == 1 else (size,))
        stack = stack.reshape(-1, size)
        read[name] = stack if is_batch else stack[0]
    lengths = {len(value) for value in read.values() if value.ndim == 2}
    if len(lengths) > 1:
        raise ValueError(f"values by name must be batches of the same length; received {sorted(lengths)}")
    dof = sum(map(len, columns.values()))
    whole = np.zeros((*lengths, dof))
    whole[..., [column + N_QUATERNION - 1 for column in quaternion_columns(joints)]] = 1.0
    for name, value in read.items():
        whole[..., columns[name]] = value
    return whole


def random_configurations(joints: tuple[Joint, ...], n: int, rng: np.random.Generator) -> Array:
    """Configurations (n, dof), uniform within the limits, with uniform turns."""
    low, high = sampled_ranges(joints)
    values = rng.uniform(low, high, (n, len(low)))
    for column in quaternion_columns(joints):
        turns = rng.normal(size=(n, 4))
        turns /= np.linalg.norm(turns, axis=1, keepdims=True)
        values[:, column : column + N_QUATERNION] = turns
    return values


def motion_through(
    points: list[tuple[Array, bool]], times: Array | None, joints: tuple[Joint, ...]
) -> JointMotion:
    """Go through configurations, one or a batch each."""
    if len(points) == 1:  # it stands still
        values, is_batch = points[0]
        resting, knots = np.empty((len(values), 2, values.shape[1])), frozen(np.array([0.0, 1.0]))
        resting[:] = values[:, np.newaxis]
        return JointMotion(frozen(resting), knots, quaternion_columns(joints), is_batch)
    sizes = {len(values) for values, is_batch in points if is_batch}
    if len(sizes) > 1:
        raise ValueError(f"q0 and q1 must be batches of the same length; received {sorted(sizes)}")
    n, quaternions = sizes.pop() if sizes else 1, quaternion_columns(joints)
    stacked = np.stack([np.broadcast_to(values, (n, values.shape[1])) for values, _ in points], axis=1)
    brought_near(stacked, quaternions)
    knots = np.array([0.0, 1.0]) if times is None else times
    return JointMotion(frozen(stacked), frozen(knots), quaternions, any(is_batch for _, is_batch in points))


def warn_of_limits(joints: Sequence[Joint], limits: Array, values: Array) -> None:
    """Warn whoever moves a robot of the first value of configurations (n, dof) beyond limits (dof, 2)."""
    is_beyond = (values < limits[:, 0]) | (values > limits[:, 1])
    if is_beyond.any():
        row, column = np.argwhere(is_beyond)[0]
        names = [joint.name for joint in joints for _ in range(joint.n_values)]
        low, high = limits[column]
        text = f"joint {names[column]!r} goes to {values[row, column]:.6g}, beyond [{low:g}, {high:g}]"
        warnings.warn(text, stacklevel=4)
