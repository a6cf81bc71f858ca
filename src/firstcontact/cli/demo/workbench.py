"""A robot arm with six joints and a slim probe, and a thin rod that stands in its way, in metres."""

import numpy as np

import firstcontact as fc
from firstcontact.arrays import Array

# Angles of the six joints: where the path begins, where it ends, and what it passes to avoid the rod.
START = np.array([-0.75, 0.55, 1.15, -0.15, 0.0, 0.3])
GOAL = np.array([0.8, 0.7, 0.95, -0.1, 0.2, -0.3])
DETOUR = np.array([0.05, -0.5, 1.7, -0.6, 0.1, 0.0])

_UP = np.eye(3)
_SIDEWAYS = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])  # takes z to -y


def arm() -> fc.Robot:
    """Make the arm, stretched upwards where all angles are 0."""
    links = {
        "base": fc.Cylinder(0.09, 0.10).at((_UP, [0.0, 0.0, 0.055])),
        "turret": [fc.Cylinder(0.07, 0.13).at((_UP, [0.0, 0.0, 0.075])), _hub(0.066, 0.15, 0.14)],
        "upper arm": [_limb(0.05, 0.0, 0.38), _hub(0.058, 0.17, 0.38)],
        "forearm": [_limb(0.042, 0.0, 0.33), _hub(0.046, 0.12, 0.33)],
        "wrist": _limb(0.038, 0.0, 0.075),
        "hand": [_limb(0.033, 0.06, 0.09), fc.Box([0.07, 0.07, 0.02]).at((_UP, [0.0, 0.0, 0.135]))],
        "probe": fc.Capsule(0.005, 0.24).at((_UP, [0.0, 0.0, 0.12])),
    }
    y, z = [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]
    stations = (
        ("base", "turret", 0.11, z),
        ("turret", "upper arm", 0.14, y),
        ("upper arm", "forearm", 0.38, y),
        ("forearm", "wrist", 0.33, y),
        ("wrist", "hand", 0.075, z),
        ("hand", "probe", 0.15, y),
    )
    joints = [
        fc.Joint(f"joint {i}", "revolute", parent, child, (_UP, [0.0, 0.0, up]), axis, (-2.9, 2.9))
        for i, (parent, child, up, axis) in enumerate(stations, 1)
    ]
    return fc.Robot(links, joints, name="arm")


def surroundings() -> dict[str, fc.Moving]:
    """The rod, and the table that both stand on."""
    return {
        "rod": fc.Capsule(0.004, 0.9).at((_UP, [0.9, 0.0625, 0.46])),
        "table": fc.Box([1.3, 0.8, 0.03]).at((_UP, [0.48, 0.0, -0.02])),
    }


def samples(start: Array, end: Array, resolution: float) -> Array:
    """Configurations along a straight path, with no joint turning by more than the resolution in between."""
    n = int(np.ceil(np.abs(end - start).max() / resolution))
    found: Array = start + np.linspace(0.0, 1.0, n + 1)[:, None] * (end - start)
    return found


def _limb(radius: float, low: float, high: float) -> fc.Moving:
    """A capsule along z between two heights."""
    return fc.Capsule(radius, high - low).at((_UP, [0.0, 0.0, 0.5 * (low + high)]))


def _hub(radius: float, width: float, up: float) -> fc.Moving:
    """The housing of a joint that turns about y."""
    return fc.Cylinder(radius, width).at((_SIDEWAYS, [0.0, 0.0, up]))
