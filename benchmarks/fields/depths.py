"""Depths of all vertices of two deforming models: a frame from nothing, as Hoff and others measured it.

Course, table 1 of "Fast 3D Geometric Proximity Queries": average query times a frame for models of so many
triangles in all, on a Pentium 4 with 1.8 GHz and a GeForce3, to a distance error d. Here everything is made
anew for each frame, too: meshes have new vertices, and no tree is kept. Depths are right to rounding, at all
vertices; there, at samples of a grid that is as fine as the error.
"""

from time import process_time
from typing import NamedTuple

import numba
import numpy as np

import firstcontact as fc
from fields.cases import ball


class Published(NamedTuple):
    """A row of the table: models, triangles in all, points in the overlap, milliseconds a frame."""

    name: str
    n_faces: int
    n_points: int
    milliseconds: float


PUBLISHED = (
    Published("cylinders", 2_000, 513, 12.0),
    Published("tori", 5_000, 1_412, 71.0),
    Published("heart", 8_000, 317, 149.0),
    Published("rigid", 15_000, 2_537, 313.0),
)


class Frame(NamedTuple):
    """What a frame took: triangles in all, vertices inside, seconds of the processor; in itself, too."""

    n_faces: int
    n_inside: int
    seconds: float
    n_in_itself: int
    seconds_in_itself: float


def frames(n_faces: int, n_frames: int) -> Frame:
    """Let two bumpy rings of so many triangles in all, interlocked, deform frame by frame."""
    numba.set_num_threads(1)
    rest = ball(n_faces // 2)
    both = np.concatenate([rest.faces, rest.faces + rest.n_vertices])
    taken, own, inside, in_itself = [], [], [], []
    for t in np.linspace(0.0, 0.3, n_frames + 1):
        wave = 1.0 + 0.05 * np.sin(5.0 * rest.vertices[:, :1] + 9.0 * t)
        here, there = rest.vertices * wave, rest.vertices / wave + np.array([0.9 + 0.2 * t, 0.3, 0.1])
        a, b, joined = fc.Mesh(here, rest.faces), fc.Mesh(there, rest.faces), np.concatenate([here, there])
        began = process_time()
        found = fc.depths(a, b)
        taken.append(process_time() - began)
        mesh = fc.Mesh(joined, both)
        began = process_time()
        alone = fc.depths(mesh)
        own.append(process_time() - began)
        inside.append(len(found))
        in_itself.append(len(alone))
    # The first frame may compile.
    counts = [int(np.mean(some[1:])) for some in (inside, in_itself)]
    seconds = [float(np.mean(some[1:])) for some in (taken, own)]
    return Frame(2 * rest.n_faces, counts[0], seconds[0], counts[1], seconds[1])
