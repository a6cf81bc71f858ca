"""Whether bounds are drawn again for the time that is left: where that saves more than it takes."""

from firstcontact.deformable.problem import Problem
from firstcontact.deformable.timed_bounds import width_left

# To draw the bounds of a face again takes about as long as a pair of triangles.
PAIRS_A_FACE = 1.0

# Pairs a face that share a vertex, in a mesh of triangles, and a segment, in strands: their bounds overlap,
# however narrow they are.
NEIGHBORS, NEIGHBORS_OF_SEGMENTS = 6.0, 1.0


def is_worth_narrowing(
    problem: Problem, window: float, limit: float, pairs_left: float, part_left: float
) -> bool:
    """Would bounds up to `limit` in place of `window` leave out more pairs than it takes to draw them?

    pairs_left : of triangles that the search would visit, as far as can be told
    part_left : of the whole search
    """
    n_faces = len(problem.surface.faces)
    neighbors = sum(
        (NEIGHBORS_OF_SEGMENTS if mesh.is_cloud else NEIGHBORS) * mesh.n_faces
        for mesh, is_asked in zip(problem.meshes, problem.is_asked, strict=True)
        if is_asked
    )
    apart = pairs_left - neighbors * part_left
    if apart <= PAIRS_A_FACE * n_faces:
        return False
    share = 1.0 - width_left(problem.surface, window, limit) ** 2
    return apart * share > PAIRS_A_FACE * n_faces
