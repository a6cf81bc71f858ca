"""Adaptive subdivision of a path (Schwarzer, Saha, Latombe, 2002), with directed bounds.

The path is halved, and halved again, until for each pair the gap in the middle of an interval is wider than
both can travel until its ends. A pair that is settled for an interval is not looked at in its parts.
"""

from firstcontact._jit import kernel
from firstcontact.articulated.paths.path_sifting import sift
from firstcontact.articulated.paths.path_types import Hit, Interval, PathGoal, PathPiece, Work
from firstcontact.bodies.mesh_table import MeshTable


@kernel
def subdivide(
    piece: PathPiece,
    meshes: MeshTable | None,
    goal: PathGoal,
    work: Work,
    interval: Interval,
    hit: Hit,
) -> Hit:
    """Halve an interval that was looked at as a whole until all is settled: the earlier half first.

    hit : what was found of it as a whole
    """
    bounds, extents, n, best = work.bounds, work.extents, 0, hit
    lo, hi, first, last = interval
    while not (hit.is_placed or (hit.pair >= 0 and not goal.is_first)):
        if last > first:
            middle = 0.5 * (lo + hi)
            if hit.pair < 0:
                bounds[n, 0], bounds[n, 1], extents[n, 0], extents[n, 1] = middle, hi, first, last
                n += 1
            else:
                best = hit  # what is later does not matter any more
            bounds[n, 0], bounds[n, 1], extents[n, 0], extents[n, 1] = lo, middle, first, last
            n += 1
        if n == 0 or bounds[n - 1, 0] >= best.time:
            return best
        n -= 1
        lo, hi, first, last = bounds[n, 0], bounds[n, 1], extents[n, 0], extents[n, 1]
        sifted = sift(piece, meshes, goal, work, (lo, hi), (first, last, last))
        first, last, hit = last, sifted.end, sifted.hit
    return hit
