"""Seeded families of small triangle soups in rigid motion, rich in grazing, ties, and degenerate triangles.

A family maps a random generator to a `Case`: two meshes and a few motions of each.
"""

from itertools import pairwise
from typing import NamedTuple

import numpy as np

import firstcontact as fc
from oracles.rigid_first_contact import Soups

# The columns of a piece of motion, as `motions.rigid_motion` describes them.
ROTATION, POSITION, VELOCITY, AXIS = slice(0, 9), slice(9, 12), slice(12, 15), slice(15, 18)
RATE, START_TIME, CENTER, END_TIME = 18, 19, slice(20, 23), 23
N_COLUMNS = 26

# Motions of each case.
N_MOTIONS = 6

RESTING = (0.0, 0.0, 0.0)


class Case(NamedTuple):
    """Two meshes, and their motions in pieces: rows (n, k, 26) and (n, l, 26)."""

    mesh_a: fc.Mesh
    mesh_b: fc.Mesh
    rows_a: np.ndarray
    rows_b: np.ndarray


def generate(family, seed):
    """A case of a family; the same for the same arguments."""
    return FAMILIES[family](np.random.default_rng([seed, list(FAMILIES).index(family)]))


def soups_of(case):
    """The case as the oracle takes it."""
    triangles = (mesh.vertices[mesh.faces] for mesh in (case.mesh_a, case.mesh_b))
    return Soups(*triangles, case.rows_a, case.rows_b)


def row(rotation, center, position, velocity=RESTING, turn=RESTING, span=(0.0, 1.0)):
    """A piece of motion: the body point `center` starts at `position`, in an orientation.

    velocity, turn : linear and angular, per unit of time
    """
    rate = np.linalg.norm(turn)
    piece = np.zeros(N_COLUMNS)
    piece[ROTATION], piece[POSITION], piece[VELOCITY] = np.ravel(rotation), position, velocity
    piece[AXIS], piece[RATE] = np.asarray(turn) / rate if rate > 0.0 else 0.0, rate
    piece[START_TIME], piece[END_TIME], piece[CENTER] = *span, center
    return piece


def unit(rng):
    v = rng.standard_normal(3)
    return v / np.linalg.norm(v)


def rotation_by(turn):
    """Rotation matrix of a rotation vector, to the last digit or two."""
    angle = np.linalg.norm(turn)
    x, y, z = np.asarray(turn) / angle if angle > 0.0 else np.zeros(3)
    k = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.eye(3) + np.sin(angle) * k + 2.0 * np.sin(0.5 * angle) ** 2 * (k @ k)


def orientation(rng):
    return rotation_by(rng.uniform(0.0, np.pi) * unit(rng))


def soup(rng, n=None):
    """Triangles of all sizes in a ball of radius one or so."""
    n = rng.integers(1, 13) if n is None else n
    places = 0.4 * rng.standard_normal((n, 1, 3))
    return mesh_of(places + rng.choice([0.1, 0.4, 0.8], (n, 1, 1)) * rng.standard_normal((n, 3, 3)))


def mesh_of(triangles):
    return fc.Mesh(triangles.reshape(-1, 3), np.arange(3 * len(triangles)).reshape(-1, 3))


def aimed(rng, slow=1.0):
    """A place a few sizes away, and a velocity that leads to the origin, or past it."""
    place = rng.uniform(1.5, 4.0) * unit(rng)
    return place, slow * (rng.uniform(0.3, 1.6) * -place + rng.choice([0.0, 0.7]) * rng.standard_normal(3))


def pieces(rows):
    """Rows of motions in one piece."""
    return np.array(rows)[:, np.newaxis]


def resting(mesh, rng=None):
    """The mesh's own place, or any orientation about its origin."""
    rotation = np.eye(3) if rng is None else orientation(rng)
    return pieces([row(rotation, np.zeros(3), np.zeros(3))] * N_MOTIONS)


def against_resting(rng, motion, mesh_a=None, mesh_b=None):
    """A case in which a moves as `motion(rng, mesh)` says and b rests."""
    mesh_a = soup(rng) if mesh_a is None else mesh_a
    mesh_b = soup(rng) if mesh_b is None else mesh_b
    return Case(mesh_a, mesh_b, pieces([motion(rng, mesh_a) for _ in range(N_MOTIONS)]), resting(mesh_b))


def thrown(rng, mesh, rate=None, slow=1.0):
    """A mesh that flies towards the origin and turns about its centroid."""
    place, velocity = aimed(rng, slow)
    rate = rng.choice([0.1, 1.0, 3.0]) if rate is None else rate
    return row(orientation(rng), mesh.centroid, place, velocity, rate * unit(rng))


def near_half_turn(rng, mesh):
    return thrown(rng, mesh, np.pi * (1.0 + rng.choice([-1.0, 1.0]) * 10.0 ** rng.uniform(-16.0, -2.0)))


def many_turns(rng, mesh):
    return thrown(rng, mesh, rng.uniform(2.0, 80.0) * np.pi, rng.choice([0.05, 0.3, 1.0]))


def swept(rng, mesh):
    """A turn about an axis that passes the origin, the mesh on a lever."""
    lever = 10.0 ** rng.uniform(0.0, 1.5)
    axis, outward = unit(rng), unit(rng)
    outward -= (outward @ axis) * axis
    pivot = lever * outward / np.linalg.norm(outward)
    rotation, back = orientation(rng), rng.uniform(0.2, 3.0) / lever
    center = rotation.T @ rotation_by(back * axis) @ pivot + 0.2 * rng.standard_normal(3)
    return row(rotation, center, pivot, RESTING, rng.uniform(0.2, 2.0) * 2.0 * back * axis)


def screwed(rng, mesh):
    piece = swept(rng, mesh)
    piece[VELOCITY] = rng.uniform(-2.0, 2.0) * piece[AXIS]
    piece[POSITION] -= rng.uniform(0.2, 0.8) * piece[VELOCITY]
    return piece


def spun(rng, mesh):
    """A mesh that turns in place, next to the origin."""
    place = rng.uniform(0.0, 2.5) * unit(rng)
    return row(orientation(rng), mesh.centroid, place, RESTING, rng.uniform(0.1, 7.0) * unit(rng))


def translation(rng):
    return against_resting(rng, lambda rng, mesh: thrown(rng, mesh, 0.0))


def rotation(rng):
    return against_resting(rng, swept)


def near_half_turns(rng):
    return against_resting(rng, near_half_turn)


def half_turns(rng):
    return against_resting(rng, lambda rng, mesh: thrown(rng, mesh, np.pi))


def turns(rng):
    return against_resting(rng, many_turns)


def screw(rng):
    return against_resting(rng, screwed)


def both_moving(rng):
    motions = [thrown, swept, spun, many_turns, screwed]
    mesh_a, mesh_b = soup(rng), soup(rng)
    rows = [
        pieces([motions[rng.integers(5)](rng, mesh) for _ in range(N_MOTIONS)]) for mesh in (mesh_a, mesh_b)
    ]
    return Case(mesh_a, mesh_b, *rows)


def spinning(rng):
    mesh_a, mesh_b = soup(rng), soup(rng)
    return Case(mesh_a, mesh_b, *(pieces([spun(rng, m) for _ in range(N_MOTIONS)]) for m in (mesh_a, mesh_b)))


def sliding(rng):
    """Past a table at a gap of a millionth, straight or turning about the upright axis; then all tilted."""
    table = mesh_of(rng.uniform(-2.0, 2.0, (4, 3, 3)) * [1.0, 1.0, 0.0])
    corners = soup(rng).vertices.copy()
    corners[:, 2] += 1e-6 - corners[:, 2].min()
    mesh, tilt = mesh_of(corners.reshape(-1, 3, 3)), orientation(rng)
    rows = []
    for _ in range(N_MOTIONS):
        velocity, turn = rng.uniform(-3.0, 3.0, 3) * [1.0, 1.0, 0.0], [0.0, 0.0, rng.choice([0.0, 2.0, 20.0])]
        center = mesh.centroid + rng.choice([0.0, 2.0]) * np.array([1.0, 0.0, 0.0])
        rows.append(row(tilt, center, tilt @ center, tilt @ velocity, tilt @ turn))
    return Case(mesh, table, pieces(rows), pieces([row(tilt, np.zeros(3), np.zeros(3))] * N_MOTIONS))


def at_start(rng):
    """In contact from the start, crossing or sharing a corner; then on their way."""
    mesh_a, mesh_b = soup(rng), soup(rng)
    rows = []
    for k in range(N_MOTIONS):
        corner_a, corner_b = mesh_a.vertices[rng.integers(3)], mesh_b.vertices[rng.integers(3)]
        place = corner_b if k % 2 else 0.2 * rng.standard_normal(3)
        rows.append(row(np.eye(3), corner_a, place, rng.standard_normal(3), rng.standard_normal(3)))
    return Case(mesh_a, mesh_b, pieces(rows), resting(mesh_b))


def no_motion(rng):
    return against_resting(
        rng, lambda rng, mesh: row(orientation(rng), mesh.centroid, rng.uniform(0.0, 3.0) * unit(rng))
    )


def trail(rng, mesh):
    """A motion without gaps in one to four pieces, for one body."""
    times = np.concatenate([[0.0], np.sort(rng.uniform(0.05, 0.95, rng.integers(4))), [1.0]])
    rotation, place, center = orientation(rng), aimed(rng)[0], mesh.centroid + 0.1 * rng.standard_normal(3)
    rows = []
    for start, end in pairwise(times):
        velocity, turn = (0.5 * rng.standard_normal(3) - place) / (end - start), 4.0 * rng.standard_normal(3)
        velocity *= rng.choice([0.0, 0.3, 0.8])
        rows.append(row(rotation, center, place, velocity, turn, (start, end)))
        place, rotation = place + (end - start) * velocity, rotation_by((end - start) * turn) @ rotation
    return rows


def piecewise(rng):
    """Several pieces with different breakpoints; all motions of a body have as many."""
    mesh_a, mesh_b = soup(rng), soup(rng)
    rows_a = np.array([trail(np.random.default_rng(rng.integers(2**32)), mesh_a)])
    rows_b = np.array([trail(np.random.default_rng(rng.integers(2**32)), mesh_b)])
    return Case(mesh_a, mesh_b, rows_a, rows_b)


def moved_by(case, offset):
    """The same in a world whose origin is elsewhere."""
    rows = [rows.copy() for rows in (case.rows_a, case.rows_b)]
    for part in rows:
        part[..., POSITION] += offset
    return case._replace(rows_a=rows[0], rows_b=rows[1])


def far(rng, distance):
    """Far from the world's origin, or from the origins of the bodies' own frames."""
    case, offset = any_of(rng), distance * unit(rng)
    if rng.random() < 0.5:
        return moved_by(case, offset)
    mesh_a = fc.Mesh(case.mesh_a.vertices + offset, case.mesh_a.faces)
    rows_a = case.rows_a.copy()
    rows_a[..., CENTER] += offset
    return case._replace(mesh_a=mesh_a, rows_a=rows_a)


def scaled(case, factor):
    """The same with all lengths larger, or smaller."""
    meshes = (fc.Mesh(factor * mesh.vertices, mesh.faces) for mesh in (case.mesh_a, case.mesh_b))
    rows = [rows.copy() for rows in (case.rows_a, case.rows_b)]
    for part in rows:
        for columns in (POSITION, VELOCITY, CENTER):
            part[..., columns] *= factor
    return Case(*meshes, *rows)


def any_of(rng):
    return (translation, rotation, both_moving, spinning, screw)[rng.integers(5)](rng)


def degenerate_soup(rng):
    """Segments, points, needles, doubled triangles among healthy ones."""
    corners = soup(rng).vertices.reshape(-1, 3, 3).copy()
    kinds = rng.integers(0, 5, len(corners))
    middle = 0.3 * corners[:, 0] + 0.7 * corners[:, 1]
    corners[kinds == 0, 2] = middle[kinds == 0]
    corners[kinds == 1, 2] = corners[kinds == 1, 1]
    corners[kinds == 2] = corners[kinds == 2, :1]
    thin = middle + 10.0 ** rng.uniform(-14.0, -3.0, (len(corners), 1)) * rng.standard_normal(middle.shape)
    corners[kinds == 3, 2] = thin[kinds == 3]
    return mesh_of(np.concatenate([corners, corners[:1]]))


def degenerate(rng):
    case = any_of(rng)
    return case._replace(mesh_a=degenerate_soup(rng), mesh_b=degenerate_soup(rng))


def point(rng):
    """One of the bodies is a point."""
    case, dot = any_of(rng), fc.Mesh(0.3 * rng.standard_normal((1, 3)), [[0, 0, 0]])
    return case._replace(mesh_a=dot) if rng.random() < 0.5 else case._replace(mesh_b=dot)


def lattice(rng):
    """Whole numbers everywhere, and quarter turns: exact ties, faces on faces, edges along edges."""
    meshes = [mesh_of(rng.integers(-1, 2, (rng.integers(1, 9), 3, 3)).astype(float)) for _ in range(2)]
    rows = []
    for _ in range(2 * N_MOTIONS):
        axis = np.eye(3)[rng.integers(3)]
        velocity, rate = rng.integers(-3, 4, 3).astype(float), rng.choice([0.0, 0.0, 0.5 * np.pi, np.pi])
        rows.append(row(np.eye(3), np.zeros(3), rng.integers(-3, 4, 3), velocity, rate * axis))
    return Case(*meshes, pieces(rows[:N_MOTIONS]), pieces(rows[N_MOTIONS:]))


def unequal(rng):
    """A body far smaller than the other."""
    case, factor = any_of(rng), 10.0 ** rng.uniform(-6.0, -2.0)
    return case._replace(mesh_a=fc.Mesh(factor * case.mesh_a.vertices, case.mesh_a.faces))


FAMILIES = {
    "translation": translation,
    "rotation": rotation,
    "near half turns": near_half_turns,
    "half turns": half_turns,
    "many turns": turns,
    "screw": screw,
    "both moving": both_moving,
    "spinning": spinning,
    "sliding": sliding,
    "at start": at_start,
    "no motion": no_motion,
    "piecewise": piecewise,
    "far 1e6": lambda rng: far(rng, 1e6),
    "far 1e8": lambda rng: far(rng, 1e8),
    "tiny": lambda rng: scaled(any_of(rng), 1e-6),
    "large": lambda rng: scaled(any_of(rng), 1e6),
    "degenerate": degenerate,
    "point": point,
    "lattice": lattice,
    "unequal": unequal,
}
