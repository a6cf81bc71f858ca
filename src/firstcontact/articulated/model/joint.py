"""Joints of robots, as URDF has them."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.spatial.transform import Rotation

from firstcontact._validate import COORDINATE_LIMIT, as_choice, as_float, as_name, as_stack, shown
from firstcontact.arrays import Array
from firstcontact.motions.joint_motion import N_QUATERNION
from firstcontact.motions.poses import as_poses
from firstcontact.plain import Sealed
from firstcontact.shapes.shape import frozen

# Numbers that a configuration has for a joint of each kind.
KINDS = {"revolute": 1, "continuous": 1, "prismatic": 1, "fixed": 0}
KINDS |= {"ball": N_QUATERNION, "floating": 3 + N_QUATERNION, "planar": 3}

# What a planar joint consists of, one after the other: its values.
PLANAR = {"x": "prismatic", "y": "prismatic", "theta": "continuous"}


@dataclass(frozen=True, eq=False)
class Joint(Sealed):
    """What joins two links: the child is at `origin` in the parent's frame, and moves from there.

    Parameters
    ----------
    name : str
    kind : "revolute" or "continuous" (turns about the axis, in radians), "prismatic" (slides along it),
        "fixed", "ball": four numbers, a quaternion (x, y, z, w) of any length, "floating": seven, a position
        and a quaternion, or "planar": x, y and theta in the plane across the axis; a robot has three joints
        for it, with these behind the name, and links between them that have the same names
    parent, child : names of links
    origin : pose of the child in the parent's frame where the joint's value is 0
    axis : (3,) in the joint's frame, of any length but 0; fixed, ball and floating joints have no use for it
    limits : least and greatest value; for information, not a bound of what may be asked
    mimic : (name, multiplier, offset) of another joint whose value this one follows, in place of its own

    Examples
    --------
    >>> Joint("elbow", "revolute", "upper", "lower", (np.eye(3), [0, 0, 0.4]), [0, 2, 0]).axis.tolist()
    [0.0, 1.0, 0.0]
    >>> Joint("elbow", "revolute", "upper", "lower", axis=[0, 0, 0])
    Traceback (most recent call last):
    ValueError: the axis of joint 'elbow' must not be zero
    """

    name: str
    kind: str
    parent: str
    child: str
    origin: Any = field(default_factory=lambda: np.eye(4))
    axis: ArrayLike | Array = (1.0, 0.0, 0.0)
    limits: tuple[float, float] = (-math.inf, math.inf)
    mimic: tuple[str, float, float] | None = None

    def __post_init__(self) -> None:
        for what in ("name", "parent", "child"):
            if not as_name(f"{what} of a joint", getattr(self, what)):
                raise TypeError(f"{what} of a joint must be a name; received ''")
        called = f"joint {self.name!r}"
        as_choice(f"kind of {called}", self.kind, tuple(KINDS))
        poses = as_poses(f"the origin of {called}", self.origin)
        if poses.is_batch:
            raise ValueError(f"the origin of {called} must be one pose; received {len(poses.rotations)}")
        origin = np.eye(4)
        origin[:3, :3], origin[:3, 3] = poses.rotations[0], poses.translations[0]
        object.__setattr__(self, "origin", frozen(origin))
        object.__setattr__(self, "axis", frozen(_as_axis(called, self.kind, self.axis)))
        object.__setattr__(self, "limits", _as_limits(called, self.limits))
        object.__setattr__(self, "mimic", _as_mimic(called, self.kind, self.mimic))

    @property
    def n_values(self) -> int:
        """Numbers that a configuration has for this joint."""
        return KINDS[self.kind] if self.mimic is None else 0


def without_planar(joints: Sequence[Joint]) -> tuple[list[str], tuple[Joint, ...]]:
    """Put two slides and a turn in place of each planar joint; and the names of the links between these."""
    between: list[str] = []
    simple: list[Joint] = []
    for joint in joints:
        if joint.kind != "planar":
            simple.append(joint)
            continue
        names = [f"{joint.name}/{value}" for value in PLANAR]
        between += names[:2]
        links = joint.parent, *names[:2], joint.child
        axes = (*_across(np.asarray(joint.axis)), joint.axis)
        for i, kind in enumerate(PLANAR.values()):
            origin = joint.origin if i == 0 else np.eye(4)
            limits = joint.limits if kind == "prismatic" else (-math.inf, math.inf)
            simple.append(Joint(names[i], kind, links[i], links[i + 1], origin, axes[i], limits))
    return between, tuple(simple)


def _across(axis: Array) -> Array:
    """Two axes across a unit vector, (2, 3): x and y, turned with z to where it is by the shortest way."""
    x, y, z = axis
    turn = (1.0, 0.0, 0.0, 0.0) if z == -1.0 else (-y, x, 0.0, 1.0 + z)
    axes: Array = Rotation.from_quat(turn).apply([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    return axes


def _as_axis(called: str, kind: str, axis: ArrayLike) -> Array:
    vectors, is_batch = as_stack(f"the axis of {called}", axis, (3,))
    if is_batch:
        raise ValueError(f"the axis of {called} must have shape (3,); received {vectors.shape}")
    size = np.abs(vectors[0]).max()
    if size == 0.0 and kind in ("fixed", "ball", "floating"):  # which have no use for it
        return np.array([1.0, 0.0, 0.0])
    if size == 0.0:
        raise ValueError(f"the axis of {called} must not be zero")
    scaled = vectors[0] / size
    unit: Array = scaled / np.sqrt(scaled @ scaled)
    return unit


def _as_limits(called: str, limits: Any) -> tuple[float, float]:
    try:
        low, high = (as_float("a limit", limit) for limit in limits)
    except (TypeError, ValueError) as error:
        raise ValueError(f"limits of {called} must be two numbers; received {shown(limits)}") from error
    if not low <= high:
        raise ValueError(f"limits of {called} must ascend; received {low:g} and {high:g}")
    return low, high


def _as_mimic(called: str, kind: str, mimic: Any) -> tuple[str, float, float] | None:
    if mimic is None or kind == "fixed":  # what cannot move follows nobody
        return None
    if KINDS[kind] != 1:
        raise ValueError(f"{called} is {kind}, and cannot mimic another")
    try:
        name, multiplier, offset = mimic
        numbers = as_float("multiplier", multiplier), as_float("offset", offset)
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"mimic of {called} must be a name, a multiplier and an offset; received {shown(mimic)}"
        ) from error
    if not isinstance(name, str) or not all(map(math.isfinite, numbers)):
        raise ValueError(
            f"mimic of {called} must be a name, a multiplier and an offset; received {shown(mimic)}"
        )
    return name, *numbers


def sampled_ranges(joints: Sequence[Joint]) -> Array:
    """Where random values are: between limits; without any, within half a turn, or 1, either way."""
    lows, highs = [], []
    for joint in joints:
        wide = math.pi if joint.kind in ("revolute", "continuous") else 1.0
        low, high = joint.limits
        lows += [low if math.isfinite(low) else min(-wide, high)] * joint.n_values
        highs += [high if math.isfinite(high) else max(wide, low)] * joint.n_values
    # A configuration has no numbers beyond this.
    return np.clip([lows, highs], -COORDINATE_LIMIT, COORDINATE_LIMIT)
