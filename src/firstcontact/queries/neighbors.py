"""Points that are near each other."""

from numpy.typing import ArrayLike

from firstcontact._validate import SMALLEST_SIZE, as_count, as_flag, as_length, as_vertices, shown
from firstcontact.answers.neighbor_results import Neighbors
from firstcontact.proximity.neighbors.near_points import near_points

# Pairs that are listed unless more are asked for: a gigabyte of numbers, and two of distances.
MOST_PAIRS = 2**28


def neighbors(
    points: ArrayLike,
    radius: float,
    others: ArrayLike | None = None,
    *,
    distances: bool = False,
    max_pairs: int = MOST_PAIRS,
) -> Neighbors:
    """Which points are within a radius of each point, of the same set or of another?

    Exact: a pair is listed where its distance is not above the radius, whatever rounding makes of it, if all
    coordinates are 0 or at least 2**-400 (4e-121) in magnitude. The time grows with points and answers,
    however far apart or crowded points are; the order is the same for any number of threads.

    Parameters
    ----------
    points : (n, 3) numbers
    radius : 0 for points at the same place, or a length of at least 2**-150
    others : (m, 3) numbers, among which neighbors are looked for; without them, among the points: each pair
        is then on both lists, and no point on its own
    distances : also give how far apart they are, to four roundings, or 1e-159
    max_pairs : a `ValueError` where more would be listed; 4 bytes each, with distances 12

    Examples
    --------
    >>> from firstcontact import neighbors
    >>> found = neighbors([[0, 0, 0], [3, 4, 0], [0, 0, 9], [0, 0, 0]], 5, distances=True)
    >>> found.starts.tolist(), found.ids.tolist(), found.distance.tolist()
    ([0, 2, 4, 4, 6], [1, 3, 0, 3, 0, 1], [5.0, 0.0, 5.0, 5.0, 0.0, 5.0])
    >>> neighbors([[0, 0, 0], [3, 4, 0]], 5, others=[[6, 8, 0]]).pairs.tolist(), len(neighbors([], 1))
    ([[1, 0]], 0)
    """
    places = as_vertices(points, "points")
    among = None if others is None else as_vertices(others, "others")
    reach = as_length("radius", radius)
    if 0.0 < reach < SMALLEST_SIZE:
        raise ValueError(f"radius must be 0, or at least 2**-150 (7e-46); received {shown(radius)}")
    has_distances, most = as_flag("distances", distances), as_count("max_pairs", max_pairs)
    found = near_points(places, among, reach, has_distances, most)
    if found is None:
        raise ValueError(
            f"more than max_pairs = {most} pairs are within radius = {reach:g}: take a smaller radius, or a "
            "larger max_pairs if there is memory for it"
        )
    return Neighbors(found.starts, found.ids, found.distances if has_distances else None)
