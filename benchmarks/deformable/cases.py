"""The scenes of the deformable benchmark: third-party frames, and steps of animations made here.

A simulator's tentative step begins without intersections and ends wherever the velocities lead. The scenes
made here are of that kind; each is a formula and a seed, so that they are the same everywhere.
"""

from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

from deformable.breaking_body import breaking_body
from deformable.surfaces import Points, Step, ball_surface, grid_faces, joined, rotations

FRAMES = ("cloth-ball", "n-body-simulation")
SEQUENCES = ("rumba",)
N_FOLDS = 14  # of the cloth that hangs from the ball
FOLDS_TOUCH = 2.3011  # the strength at which neighbouring folds touch: see _folded


class Scene(NamedTuple):
    """Steps of one animation, and the separation that suits its scale."""

    name: str
    steps: list[Step]
    min_separation: float

    @property
    def n_triangles(self) -> int:
        """Triangles of the largest step."""
        return max(len(step.faces) for step in self.steps)


def scene_names() -> tuple[str, ...]:
    """All scenes, in the order of the tables."""
    return (*FRAMES, *SEQUENCES, *MADE)


def scenes(data: Path, names: tuple[str, ...], quick: bool) -> Iterator[Scene]:
    """The scenes of these names, one after the other; those whose file is missing left out."""
    for name in names:
        if name in MADE:
            steps, separation = MADE[name](quick)
            yield Scene(name, steps, separation)
        elif file_of(data, name).exists():
            yield _from_file(name, file_of(data, name), quick)


def missing_files(data: Path, names: tuple[str, ...]) -> list[Path]:
    """Third-party files that these scenes would use and that are not there."""
    files = [file_of(data, name) for name in names if name not in MADE]
    return [file for file in files if not file.exists()]


def file_of(data: Path, name: str) -> Path:
    """Where a third-party scene is kept."""
    return data / ("frames" if name in FRAMES else "sequences") / f"{name}.npz"


def _from_file(name: str, file: Path, quick: bool) -> Scene:
    with np.load(file) as arrays:
        faces = arrays["faces"]
        if name in FRAMES:
            return Scene(name, [Step(arrays["vertices_t0"], arrays["vertices_t1"], faces)], 1e-7)
        frames = arrays["vertices"][: 4 if quick else None]
    return Scene(name, [Step(a, b, faces) for a, b in pairwise(frames)], 1e-7)


def cloth_over_ball(n_triangles: int = 92_000) -> list[Step]:
    """A square cloth that has fallen over a turning ball, its hanging folds about to close.

    Gaps and motion are proportional to the edge length, as time steps are in practice, so that scenes of
    different sizes ask the same of each triangle.
    """
    n_side = max(4, round((0.95 * n_triangles / 2) ** 0.5))
    edge = 4.4 / n_side
    u, v = np.meshgrid(*[np.linspace(-2.2, 2.2, n_side + 1)] * 2, indexing="ij")
    reach, azimuth = np.hypot(u, v).ravel(), np.arctan2(v, u).ravel()
    cloth = [
        _draped(reach, azimuth, 1.0 + 0.35 * edge, 0.0, -0.35 * edge),
        _draped(reach, azimuth, 1.0 - 0.2 * edge, -0.6 * edge, 0.6 * edge),
    ]
    ball, ball_faces = ball_surface(max(2, round((0.05 * n_triangles / 12) ** 0.5)))
    turn = rotations(np.array([[0.0, 0.0, 1.0]]), np.array([1.5 * edge]))[0]
    faces = grid_faces(n_side, n_side)
    start, all_faces = joined([(cloth[0], faces), (ball, ball_faces)])
    end, _ = joined([(cloth[1], faces), (ball @ turn.T, ball_faces)])
    return [Step(start, end, all_faces)]


def _draped(reach: Points, azimuth: Points, radius: float, drop: float, closing: float) -> Points:
    """Points of the cloth by their distance along it from the top, and their direction.

    On the upper half the cloth lies on a sphere of this radius; from the equator it hangs in folds.
    `closing` is the length by which neighbouring folds overlap.
    """
    on_ball = np.minimum(reach / radius, 0.5 * np.pi)
    hanging = np.maximum(reach - 0.5 * np.pi * radius, 0.0)
    full = np.clip(hanging / 0.6, 0.0, 1.0)
    full = full * full * (3.0 - 2.0 * full)
    loose = 0.06 * full * (1.0 + np.sin(2.0 * azimuth + 3.0 * hanging))  # some folds stay open
    width = 2.0 * np.pi * 1.3 / N_FOLDS
    strength = (FOLDS_TOUCH * (1.0 - loose) + 0.5 * np.pi * closing / width) * full
    around = azimuth + strength / N_FOLDS * np.sin(2.0 * N_FOLDS * azimuth)
    around += full * (0.25 + 0.5 * drop + 0.06 * np.sin(3.0 * around))  # a twist, and folds of unequal width
    depth = full * (0.16 + 0.05 * np.sin(5.0 * azimuth) + 0.04 * hanging)
    out = radius * np.sin(on_ball) + depth * (1.0 + np.cos(N_FOLDS * azimuth))
    height = radius * np.cos(on_ball) - hanging + drop * full
    return np.stack([out * np.cos(around), out * np.sin(around), height], axis=-1)


def balls(n_balls: int = 315) -> list[Step]:
    """Balls of 108 triangles that fly at each other and spin, a good part of a radius in the step."""
    rng = np.random.default_rng(7)
    per_side = int(np.ceil(n_balls ** (1 / 3)))
    cells = np.stack(np.unravel_index(np.arange(n_balls), (per_side,) * 3), axis=-1) - 0.5 * (per_side - 1)
    radii = rng.uniform(0.34, 0.44, n_balls)
    centers = cells + rng.uniform(-1.0, 1.0, (n_balls, 3)) * (0.5 - radii)[:, None]
    velocities = -0.025 * cells + rng.normal(0.0, 0.09, (n_balls, 3))
    spins = rotations(rng.normal(size=(n_balls, 3)), rng.uniform(0.0, 0.3, n_balls))
    ball, faces = ball_surface(3)
    start = centers[:, None] + radii[:, None, None] * ball
    end = (centers + velocities)[:, None] + radii[:, None, None] * (ball @ spins.transpose(0, 2, 1))
    all_faces = (faces + len(ball) * np.arange(n_balls)[:, None, None]).reshape(-1, 3)
    return [Step(start.reshape(-1, 3), end.reshape(-1, 3), all_faces.astype(np.int32))]


def twisted_rod(n_around: int = 24, n_along: int = 900) -> list[Step]:
    """A rod bent back on itself, whose two halves wind around each other and tighten."""
    edge = 2.0 * np.pi * 0.1 / n_around
    start = _wound_rod(n_around, n_along, 0.1 + 0.4 * edge, 2.5)
    end = _wound_rod(n_around, n_along, 0.1 - 0.15 * edge, 2.5 + 2.0 * edge)
    faces = grid_faces(n_along, n_around, is_round=True)
    return [Step(start, end, faces)]


def _wound_rod(n_around: int, n_along: int, distance: float, turns: float) -> Points:
    """The rod's surface; `distance`: of each half's axis from the common axis."""
    s = np.linspace(-3.0, 3.0, n_along + 1)
    side, height = s / np.hypot(s, 0.25), np.hypot(s, 0.25)
    angle = turns * 2.0 * np.pi * height / 3.0
    apart = distance + 0.16 * np.exp(-(((height - 0.25) / 0.35) ** 2))  # the rod turns back in a loop
    axis = np.stack([apart * side * np.cos(angle), apart * side * np.sin(angle), height], axis=-1)
    tangent = np.gradient(axis, axis=0)
    tangent /= np.linalg.norm(tangent, axis=-1, keepdims=True)
    across = np.stack([-np.sin(angle), np.cos(angle), np.zeros_like(angle)], axis=-1)
    across -= (across * tangent).sum(-1, keepdims=True) * tangent
    across /= np.linalg.norm(across, axis=-1, keepdims=True)
    third = np.cross(across, tangent)
    around = 2.0 * np.pi * np.arange(n_around) / n_around
    ring = across[:, None] * np.cos(around)[:, None] + third[:, None] * np.sin(around)[:, None]
    return (axis[:, None] + 0.1 * ring).reshape(-1, 3)


def folded_sheet(motion: str, n_side: int = 40) -> list[Step]:
    """A square sheet folded like an accordion into four layers on one aligned grid.

    "resting": the layers lie in one plane and stay. "sliding": they move against each other in that plane.
    "crossing": they approach, meet all at once and pass through each other.
    """
    u, v = np.meshgrid(np.linspace(0.0, 4.0, n_side + 1), np.linspace(0.0, 4.0, n_side + 1), indexing="ij")
    x = np.abs((u + 1.0) % 2.0 - 1.0)
    pitch_t0, pitch_t1 = (0.05, -0.025) if motion == "crossing" else (0.0, 0.0)
    slide = 0.06 * np.sin(0.5 * np.pi * u) if motion == "sliding" else 0.0
    start = np.stack([x, v, pitch_t0 * u], axis=-1).reshape(-1, 3)
    end = np.stack([x, v + slide, pitch_t1 * u], axis=-1).reshape(-1, 3)
    return [Step(start, end, grid_faces(n_side, n_side))]


MADE: dict[str, Callable[[bool], tuple[list[Step], float]]] = {
    "cloth over ball": lambda quick: (cloth_over_ball(30_000 if quick else 92_000), 1e-3),
    "balls": lambda quick: (balls(150 if quick else 315), 1e-3),
    "breaking body": lambda quick: (breaking_body(10 if quick else 30), 1e-4),
    "twisted rod": lambda quick: (twisted_rod(24, 300) if quick else twisted_rod(), 1e-4),
    "folded sheet, resting": lambda quick: (folded_sheet("resting", 20 if quick else 40), 1e-3),
    "folded sheet, sliding": lambda quick: (folded_sheet("sliding", 20 if quick else 40), 1e-3),
    "folded sheet, crossing": lambda quick: (folded_sheet("crossing", 20 if quick else 40), 1e-3),
}
