"""Whether bounds are drawn again for the time that is left: where that saves more than it takes."""

import numpy as np

from firstcontact.deformable.problem import Problem
from firstcontact.deformable.surface import Surface

# Faces that tell how wide bounds are, and how much of that is motion.
SAMPLE = 1024

# To draw the bounds of a face again takes about as long as a pair of triangles.
PAIRS_A_FACE = 1.0


def is_worth_narrowing(problem: Problem, window: float, limit: float, pairs_left: float) -> bool:
    """Would bounds up to `limit` in place of `window` leave out more pairs than it takes to draw them?

    pairs_left : of triangles that the search would visit, as far as can be told
    """
    share = 1.0 - width_left(problem.surface, window, limit) ** 2
    return pairs_left * share > PAIRS_A_FACE * len(problem.surface.faces)


def width_left(surface: Surface, window: float, limit: float) -> float:
    """About how wide bounds of faces are up to `limit`, relative to those up to `window`."""
    n_faces, k = surface.face_bounds.shape
    chosen = np.s_[:: -(-n_faces // SAMPLE)] if n_faces else np.s_[:]
    bounds, corners = surface.face_bounds[chosen, :], surface.faces[chosen, 0]
    widths = bounds[:, k // 2 : k // 2 + 3] - bounds[:, :3]
    ways = np.abs(surface.vertices_t1[corners] - surface.vertices_t0[corners])
    width = float(widths.sum())
    return max(1.0 - (window - limit) * float(ways.sum()) / width, 0.0) if width > 0.0 else 1.0
