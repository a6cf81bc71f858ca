"""The height field."""

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from firstcontact._validate import as_grid, as_size
from firstcontact.shapes.mesh import Mesh
from firstcontact.shapes.shape import frozen


class HeightField(Mesh):
    """A surface over a grid: each square between four neighbouring heights is two triangles.

    It is a mesh like any other, and has no inside: what is below it is on its other side.

    Parameters
    ----------
    heights : (m, n) numbers, finite, m and n at least 2: sample [i, j] is at (i dx, j dy, heights[i, j])
    spacing : a positive number, or two, dx and dy

    Examples
    --------
    >>> HeightField([[0, 0, 0], [0, 1, 0]], spacing=2)
    HeightField(2 x 3 heights, from [0, 0, 0] to [2, 4, 1])
    >>> HeightField([[0, 1, 2]])
    Traceback (most recent call last):
    ValueError: heights must have shape (m, n), both at least 2; received (1, 3)
    """

    has_inside: ClassVar[bool] = False

    heights: NDArray[np.float64]
    spacing: tuple[float, float]

    def __init__(self, heights: ArrayLike, spacing: float | tuple[float, float] = 1.0) -> None:
        grid = as_grid("heights", heights)
        steps = spacing if isinstance(spacing, tuple | list) else (spacing, spacing)
        if len(steps) != 2:
            raise ValueError(f"spacing must be one number or two; received {len(steps)}")
        dx, dy = as_size("spacing", steps[0]), as_size("spacing", steps[1])
        m, n = grid.shape
        x, y = np.meshgrid(dx * np.arange(m), dy * np.arange(n), indexing="ij")
        ids = np.arange(m * n).reshape(m, n)
        corner, right, up, across = (
            part.reshape(-1) for part in (ids[:-1, :-1], ids[1:, :-1], ids[:-1, 1:], ids[1:, 1:])
        )
        faces = np.stack([corner, right, across, corner, across, up], axis=1).reshape(-1, 3)
        super().__init__(np.stack([x, y, grid], axis=2).reshape(-1, 3), faces)
        object.__setattr__(self, "heights", frozen(grid.copy()))
        object.__setattr__(self, "spacing", (dx, dy))

    def __reduce__(self) -> tuple[Callable[..., "HeightField"], tuple[Any, ...]]:
        return HeightField, (self.heights, self.spacing)

    def __repr__(self) -> str:
        m, n = self.heights.shape
        lower, upper = (", ".join(f"{x:.4g}" for x in corner) for corner in self.bounds)
        return f"HeightField({m} x {n} heights, from [{lower}] to [{upper}])"
