"""A body that a ball breaks into more and more pieces: each step has faces of its own."""

import numpy as np
from numpy.typing import NDArray

from deformable.surfaces import Points, Step, ball_surface, block_surfaces, joined, rotations

PIECES = (1, 10, 30, 70, 120)  # at each step
SPREAD = (
    0.0,
    0.02,
    0.06,
    0.12,
    0.2,
)  # how far apart they are by then, relative to the distance of their seeds
BALL_RADIUS = 0.35

Labels = NDArray[np.int64]


def breaking_body(n_cells: int) -> list[Step]:
    """Steps of a boulder of n_cells**3 cells, hit from above, that breaks into ever more pieces.

    Before the boulder gets its shape it is a cube, its pieces the cells nearest to each of some seeds. Pieces
    move apart as their seeds do, across the plane where they were joined: each step starts free of contact.
    """
    rng = np.random.default_rng(11)
    places = np.stack(np.meshgrid(*[np.linspace(-1.0, 1.0, n_cells + 1)] * 3, indexing="ij"), axis=-1)
    middles = 0.5 * (places[:-1, :-1, :-1] + places[1:, 1:, 1:])
    # Any two seeds differ along every axis, so that no two faces slide along each other.
    seeds = rng.permuted(np.tile(np.linspace(-0.95, 0.95, PIECES[-1]), (3, 1)), axis=1).T
    steps = []
    for n_pieces, spread in zip(PIECES, SPREAD, strict=True):
        squared = ((middles[..., None, :] - seeds[:n_pieces]) ** 2).sum(-1)
        steps.append(_step(squared.argmin(-1), places, seeds[:n_pieces], spread, rng))
    return steps


def _boulder(cube: Points) -> Points:
    """An uneven lump: a smooth map of space that rounds the cube and bends it."""
    squares = cube * cube
    a, b = squares[..., [1, 2, 0]], squares[..., [2, 0, 1]]
    lump = cube * np.sqrt(1.0 - 0.2 * (a + b) + 0.05 * a * b)
    return (lump + 0.08 * np.sin(2.0 * lump[..., [1, 2, 0]] + [0.3, 1.1, 2.0])) * [1.0, 0.85, 1.2]


def _step(labels: Labels, places: Points, seeds: Points, spread: float, rng: np.random.Generator) -> Step:
    """The pieces fly apart, tumble and jostle; a ball comes down on them."""
    surfaces = block_surfaces(labels)
    edge, n_pieces, piece = 2.0 / len(labels), len(seeds), surfaces.piece
    tumbles = rotations(rng.normal(size=(n_pieces, 3)), rng.uniform(0.0, 0.1, n_pieces))
    jostles = rng.normal(0.0, 0.4 * edge, (n_pieces, 3))
    arm = places[tuple(surfaces.lattice.T)] - seeds[piece]
    start = _boulder(arm + (1.0 + spread) * seeds[piece])
    turned = (tumbles[piece] @ arm[:, :, None])[:, :, 0]
    end = _boulder(turned + ((1.03 + spread) * seeds + jostles)[piece])
    ball, ball_faces = ball_surface(max(3, len(labels) // 3))
    above = BALL_RADIUS * ball + _resting_on(start) + [0.0, 0.0, 0.5 * edge]
    vertices, faces = joined([(start, surfaces.faces), (above, ball_faces)])
    return Step(vertices, np.concatenate([end, above - [0.0, 0.0, 1.5 * edge]]), faces)


def _resting_on(points: Points) -> Points:
    """The centre of a ball that has come down along the z axis onto the points."""
    squared = BALL_RADIUS**2 - (points[:, :2] ** 2).sum(-1)
    near = squared > 0.0
    return np.array([0.0, 0.0, (points[near, 2] + np.sqrt(squared[near])).max()])
