"""How the time of this library grows with points and with faces."""

from time import process_time
from typing import NamedTuple

import numba

import firstcontact as fc
from fields.cases import NEAR, ball, clouds


class Growth(NamedTuple):
    """Seconds of the processor, on one thread, for so many points and faces: made ready, and measured."""

    n_points: int
    n_faces: int
    ready: float
    measured: float


def grow(n_points: int, n_faces: int, repeats: int) -> Growth:
    """Measure points near a surface."""
    numba.set_num_threads(1)
    mesh = ball(n_faces)
    points = next(cloud.points for cloud in clouds(mesh, n_points) if cloud.where == NEAR)
    began = process_time()
    fc.signed_distance(mesh, points[:1])
    ready, best = process_time() - began, float("inf")
    for _ in range(repeats):
        began = process_time()
        fc.signed_distance(mesh, points)
        best = min(best, process_time() - began)
    return Growth(n_points, mesh.n_faces, ready, best)
