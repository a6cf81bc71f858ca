"""The bodies of I-COLLIDE's simulation: polytopes of 36 faces that fly and turn in a box, frame after frame.

Each has 20 corners at random on a sphere of radius 1. In a frame it goes by a tenth of the radius and turns
by 10 degrees; together they fill a hundredth of the box, whatever their number, and fly back from its walls.
They fly through each other: what a contact does is not part of the benchmark.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import firstcontact as fc

Array = NDArray[np.float64]

N_KINDS = 16  # of polytopes
N_CORNERS = 20  # of which triangles make 2 * 20 - 4 faces
WARM_UP = 3  # frames that do not count: the first builds, the second has no step to go by
DENSITY, SPEED, TURN = 0.01, 0.1, np.radians(10.0)


class Frame(NamedTuple):
    """Rotations (n, 3, 3) and places (n, 3) at the start and at the end."""

    rotations_t0: Array
    places_t0: Array
    rotations_t1: Array
    places_t1: Array


class Crowd(NamedTuple):
    """Bodies at the start: kinds (n,), place, rotation, step (n, 3) and turn about an axis, and their box."""

    polytopes: Array
    kinds: NDArray[np.int64]
    places: Array
    rotations: Array
    steps: Array
    axes: Array
    side: float


def crowd(n: int, seed: int = 0) -> Crowd:
    """So many bodies, at random."""
    rng = np.random.default_rng(seed)
    polytopes = _directions(rng, N_KINDS * N_CORNERS).reshape(N_KINDS, N_CORNERS, 3)
    kinds = np.arange(n) % N_KINDS
    volumes = np.array([_volume(points) for points in polytopes])
    side = float((volumes[kinds].sum() / DENSITY) ** (1.0 / 3.0))
    starts = _turns(_directions(rng, n), rng.uniform(0.0, np.pi, n))
    places = side * rng.random((n, 3))
    return Crowd(polytopes, kinds, places, starts, SPEED * _directions(rng, n), _directions(rng, n), side)


def frames(bodies: Crowd, n_frames: int, turn: float = TURN) -> Iterator[Frame]:
    """The frames of a flight, in each of which all turn by an angle."""
    places, rotations, steps = bodies.places, bodies.rotations, bodies.steps.copy()
    turns = _turns(bodies.axes, np.full(len(places), turn))
    for _ in range(n_frames):
        ahead = places + steps
        steps[(ahead < 0.0) | (ahead > bodies.side)] *= -1.0
        frame = Frame(rotations, places, turns @ rotations, places + steps)
        rotations, places = frame.rotations_t1, frame.places_t1
        yield frame


def swept_boxes(bodies: Crowd, frame: Frame, turn: float = TURN) -> Array:
    """Boxes (n, 6) that hold the bodies throughout a frame."""
    arc = 1.0 - np.cos(0.5 * turn)  # how far from its chord a point at distance 1 goes while it turns
    points = bodies.polytopes[bodies.kinds]
    ends = ((frame.rotations_t0, frame.places_t0), (frame.rotations_t1, frame.places_t1))
    corners = [np.matmul(points, turn.swapaxes(1, 2)) + place[:, np.newaxis] for turn, place in ends]
    both = np.concatenate(corners, axis=1)
    return np.concatenate([both.min(axis=1) - arc, both.max(axis=1) + arc], axis=1)


def _directions(rng: np.random.Generator, n: int) -> Array:
    vectors = rng.normal(size=(n, 3))
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def _turns(axes: Array, angles: Array) -> Array:
    """Rotations about axes, (n, 3, 3)."""
    cross = np.zeros((len(axes), 3, 3))
    cross[:, [2, 0, 1], [1, 2, 0]] = axes
    cross[:, [1, 2, 0], [2, 0, 1]] = -axes
    sines, cosines = np.sin(angles)[:, np.newaxis, np.newaxis], np.cos(angles)[:, np.newaxis, np.newaxis]
    return np.eye(3) + sines * cross + (1.0 - cosines) * (cross @ cross)


def _volume(points: Array) -> float:
    mesh = fc.ConvexHull(points).mesh
    corners = mesh.vertices[mesh.faces]
    return float(abs(np.linalg.det(corners).sum()) / 6.0)
