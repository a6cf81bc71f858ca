"""The models of the rigid benchmark, made by code, with the triangle counts of the paper of 2009.

Each is one closed surface without self-intersections, one to two units long.
"""

import numpy as np
from numpy.typing import NDArray

from deformable.surfaces import Faces, Points, ball_surface, block_surfaces, grid_faces

Model = tuple[Points, Faces]
Cells = NDArray[np.bool_]

_N_STUDS = 60
_N_TEETH = 20


def club() -> Model:
    """104,640 triangles: a bent war club, studs all over its head, ridges along its grip."""
    n_rings, n_around = 327, 160
    share = (np.arange(n_rings) + 0.5) / n_rings
    z = 0.5 * (2.0 * share - 1.0) - 0.5 * np.cos(np.pi * share)  # denser towards the round ends
    angle = 2.0 * np.pi * np.arange(n_around) / n_around
    head = 1.0 / (1.0 + np.exp(-14.0 * (z - 0.25)))
    grip = 0.006 * np.sin(90.0 * z) * (z < -0.35)
    radius = ((0.065 + 0.17 * head + grip) * np.sqrt(1.0 - z**10))[:, None] + _studs(z, angle)
    rings = np.stack([radius * np.cos(angle), radius * np.sin(angle), np.tile(z[:, None], n_around)], axis=-1)
    poles = np.array([[0.0, 0.0, z[0] - 0.001], [0.0, 0.0, z[-1] + 0.001]])
    vertices = np.concatenate([rings.reshape(-1, 3), poles])
    vertices[:, 0] += 0.15 * vertices[:, 2] ** 2
    return vertices, np.concatenate(
        [grid_faces(n_rings - 1, n_around, True)[:, ::-1], *_caps(n_rings, n_around)]
    )


def _studs(z: Points, angle: Points) -> Points:
    """Heights (rings, around) of round studs, scattered over the head."""
    rng = np.random.default_rng(5)
    heights = np.zeros((len(z), len(angle)))
    for place, turn in zip(
        rng.uniform(0.35, 0.9, _N_STUDS), rng.uniform(0.0, 2.0 * np.pi, _N_STUDS), strict=True
    ):
        aside = 0.22 * (np.mod(angle - turn + np.pi, 2.0 * np.pi) - np.pi)
        heights += 0.05 * np.exp(-((z[:, None] - place) ** 2 + aside**2) / (2.0 * 0.018**2))
    return heights


def _caps(n_rings: int, n_around: int) -> list[Faces]:
    """Fans that close a tube: the two poles come after its rings."""
    here = np.arange(n_around, dtype=np.int32)
    beside, last = (here + 1) % n_around, (n_rings - 1) * n_around
    pole = np.full(n_around, n_rings * n_around, np.int32)
    return [np.stack([pole, beside, here], axis=1), np.stack([pole + 1, last + here, last + beside], axis=1)]


def gear() -> Model:
    """25,600 triangles: a toothed wheel with a hole, thinner between hub and rim."""
    n_around, n_flat, n_wall = 20 * _N_TEETH, 10, 6
    wave = np.sin(_N_TEETH * 2.0 * np.pi * np.arange(n_around) / n_around)
    outer = 0.68 + 0.07 * np.clip(2.5 * wave, -1.0, 1.0)
    out = np.arange(n_flat + 1) / n_flat  # from the hole to the teeth
    half = 0.06 + 0.09 * np.exp(-((out / 0.25) ** 4)) + 0.06 / (1.0 + np.exp(-30.0 * (out - 0.65)))
    across = np.linspace(-1.0, 1.0, n_wall + 1)
    share = np.concatenate([out[:-1], np.ones(n_wall), out[:0:-1], np.zeros(n_wall)])
    height = np.concatenate([-half[:-1], half[-1] * across[:-1], half[:0:-1], -half[0] * across[:-1]])
    radius = 0.18 + share * (outer[:, None] - 0.18)
    angle = np.repeat(2.0 * np.pi * np.arange(n_around)[:, None] / n_around, len(share), axis=1)
    wheel = np.stack(
        [radius * np.cos(angle), radius * np.sin(angle), np.tile(height, (n_around, 1))], axis=-1
    )
    return wheel.reshape(-1, 3), _ring_faces(n_around, len(share))[:, ::-1]


def torus_knot() -> Model:
    """34,608 triangles: a tube along the (2, 3) torus knot."""
    n_along, n_around = 721, 24
    t = 2.0 * np.pi * np.arange(n_along) / n_along
    reach = 0.5 + 0.22 * np.cos(3.0 * t)
    curve = np.stack([reach * np.cos(2.0 * t), reach * np.sin(2.0 * t), 0.22 * np.sin(3.0 * t)], axis=-1)
    ahead = np.roll(curve, -1, axis=0) - np.roll(curve, 1, axis=0)
    ahead /= np.linalg.norm(ahead, axis=-1, keepdims=True)
    side = np.cross(
        ahead, np.roll(ahead, -1, axis=0) - np.roll(ahead, 1, axis=0)
    )  # the curve bends everywhere
    side /= np.linalg.norm(side, axis=-1, keepdims=True)
    angle = 2.0 * np.pi * np.arange(n_around)[:, None] / n_around
    around = np.cos(angle) * side[:, None] + np.sin(angle) * np.cross(ahead, side)[:, None]
    return (curve[:, None] + 0.11 * around).reshape(-1, 3), _ring_faces(n_along, n_around)


def _ring_faces(n_along: int, n_around: int) -> Faces:
    """The faces of a grid that is closed both ways."""
    return grid_faces(n_along, n_around, True)[:, ::-1] % (n_along * n_around)


def organic_body(n_triangles: int = 69_700) -> Model:
    """About so many triangles: a creature with long ears, pulled out of a ball of clay."""
    points, faces = ball_surface(max(1, round((n_triangles / 12.0) ** 0.5)))
    points = points * [0.4, 0.33, 0.36]
    for near, reach, by, n_pulls in _PULLS:
        tip = points[((points - near) ** 2).sum(-1).argmin()]
        for _ in range(n_pulls):
            points = _pulled(points, tip, reach, np.array(by))
            tip = tip + by
    rng = np.random.default_rng(3)
    for wave, along in zip(rng.normal(0.0, 18.0, (24, 3)), rng.normal(0.0, 0.0015, (24, 3)), strict=True):
        points = points + np.sin(points @ wave + wave[0])[:, None] * along  # fur
    return points, faces


# Head, ears, haunches, paws, tail, eyes, back: near where to pull, how far around, which way, how often.
_PULLS = (
    ((0.3, 0.0, 0.22), 0.2, (0.05, 0.0, 0.07), 5),
    ((0.47, 0.13, 0.66), 0.085, (-0.025, 0.022, 0.05), 8),
    ((0.47, -0.13, 0.66), 0.085, (-0.025, -0.022, 0.05), 8),
    ((-0.15, 0.3, -0.2), 0.16, (0.02, 0.06, -0.03), 3),
    ((-0.15, -0.3, -0.2), 0.16, (0.02, -0.06, -0.03), 3),
    ((0.2, 0.16, -0.28), 0.09, (0.03, 0.02, -0.045), 5),
    ((0.2, -0.16, -0.28), 0.09, (0.03, -0.02, -0.045), 5),
    ((-0.42, 0.0, 0.02), 0.09, (-0.05, 0.0, 0.02), 3),
    ((0.62, 0.12, 0.55), 0.05, (-0.03, -0.02, 0.0), 1),
    ((0.62, -0.12, 0.55), 0.05, (-0.03, 0.02, 0.0), 1),
    ((-0.2, 0.0, 0.36), 0.14, (0.02, 0.0, -0.06), 2),
)


def _pulled(points: Points, center: Points, reach: float, by: Points) -> Points:
    """Clay dragged along at a place: no two points meet while |by| is below 1.6 times the reach."""
    squared = ((points - center) ** 2).sum(-1, keepdims=True)
    return points + np.exp(-squared / (2.0 * reach**2)) * by


def hammer() -> Model:
    """1,692 triangles: a round face, a wedge behind, a handle that swells towards its end."""
    cells = np.zeros((14, 5, 48), bool)
    cells[:, :, 43:] = True
    cells[5:8, 1:4, :43] = True
    lattice, faces = _solid(cells)
    x = np.interp(lattice[:, 0], [0, 5, 8, 14], [-0.3, -0.05, 0.05, 0.4])
    y = np.interp(lattice[:, 1], [0, 1, 4, 5], [-0.11, -0.045, 0.045, 0.11])
    z = np.interp(lattice[:, 2], [0, 43, 48], [-1.15, -0.11, 0.11])
    points = np.stack([x, y, z], axis=-1)
    is_head = lattice[:, 2] >= 43
    points[is_head, 1:] = _rounded(points[is_head, 1:], 0.11, 0.2)
    points[~is_head, :2] = _rounded(points[~is_head, :2], 0.05, 0.1)
    points[is_head, 2] *= np.interp(points[is_head, 0], [0.08, 0.4], [1.0, 0.15])
    swell = np.interp(points[~is_head, 2], [-1.15, -0.7, -0.3], [1.35, 1.0, 0.85])
    points[~is_head, 1] *= swell
    return points, faces


def cad_piece() -> Model:
    """2,640 triangles: a bracket, a wall on a plate, with a rib, a window, bosses and round holes."""
    cells = np.zeros((22, 13, 11), bool)
    cells[:, :, :2] = True
    cells[:, 11:, :] = True
    cells[10:12, 3:11, :3] = True
    cells[9:13, :, 5:9] = False
    points, faces = _bored(cells, ((5, 5), (17, 5)))
    window = [11.0, 7.0]
    points[:, ::2] = window + _rounded(points[:, ::2] - window, 2.0, 4.0)
    return 0.07 * (points - points.mean(axis=0)), faces


def _bored(cells: Cells, places: tuple[tuple[int, int], ...]) -> Model:
    """Round bosses on the plate, with holes through them."""
    for x, y in places:
        cells[x - 2 : x + 2, y - 2 : y + 2, :5] = True
        cells[x - 1 : x + 1, y - 1 : y + 1, :] = False
    lattice, faces = _solid(cells)
    points = lattice.astype(float)
    for place in places:
        points[:, :2] = place + _rounded(points[:, :2] - place, 2.0, 3.0)
    return points, faces


def _solid(cells: Cells) -> tuple[NDArray[np.int64], Faces]:
    """The surface of the cells that are filled: lattice points and faces."""
    blocks = block_surfaces((~cells).astype(np.int64))
    faces = blocks.faces[blocks.piece[blocks.faces[:, 0]] == 0]
    used, renumbered = np.unique(faces, return_inverse=True)
    return blocks.lattice[used], renumbered.reshape(-1, 3).astype(np.int32)


def _rounded(plane: Points, half: float, reach: float) -> Points:
    """Squares about the origin become circles, up to `half`; beyond that less and less, up to `reach`."""
    square, length = np.abs(plane).max(-1), np.linalg.norm(plane, axis=-1)
    circle = square / np.maximum(length, np.finfo(float).tiny)
    share = np.clip((reach - square) / (reach - half), 0.0, 1.0)
    return plane * (1.0 + share * (circle - 1.0))[:, None]
