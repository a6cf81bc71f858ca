"""Whether bounds are drawn again for the time that is left: where that saves more than it takes."""

from firstcontact.deformable.problem import Problem
from firstcontact.deformable.timed_bounds import width_left

# To draw the bounds of a face again takes about as long as a pair of triangles.
PAIRS_A_FACE = 1.0


def is_worth_narrowing(problem: Problem, window: float, limit: float, pairs_left: float) -> bool:
    """Would bounds up to `limit` in place of `window` leave out more pairs than it takes to draw them?

    pairs_left : of triangles that the search would visit, as far as can be told
    """
    share = 1.0 - width_left(problem.surface, window, limit) ** 2
    return pairs_left * share > PAIRS_A_FACE * len(problem.surface.faces)
