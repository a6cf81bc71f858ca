"""Seeded families of small deforming meshes, alone and in pairs, rich in folds, ties and degenerate faces.

A family maps a random generator to a `Scene`: a body, and for pairs a second one.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
import trimesh

import firstcontact as fc
from oracles.brute_force_contacts import Body, brute_force_contacts

FIELDS = (
    "kind",
    "ids_a",
    "ids_b",
    "vertex_ids",
    "time",
    "time_upper",
    "points",
    "normals",
    "closing_speed",
    "weights",
    "status",
    "gap",
    "velocities",
)


class Scene(NamedTuple):
    """What a query is asked about: a body alone (b is None), or two."""

    a: Body
    b: Body | None = None


def generate(family, seed):
    """A scene of a family; the same for the same arguments."""
    return FAMILIES[family](np.random.default_rng([seed, list(FAMILIES).index(family)]))


def moving(body):
    """A fresh mesh of a body, in motion; what the queries take."""
    return fc.Mesh(body.start, body.faces).deforming(body.start, body.end)


def moving_scene(scene):
    """The arguments of a query about a scene."""
    return (moving(scene.a),) if scene.b is None else (moving(scene.a), moving(scene.b))


@cache
def truth_of(family, seed, min_separation=0.0):
    """The oracle's answer about a scene of a family: {(kind, id on a, id on b): FirstTime}."""
    return brute_force_contacts(*generate(family, seed), min_separation=min_separation)


def rows_by_pair(contacts):
    """The row of each pair of features, (kind, id on a, id on b), of a result; none may be there twice."""
    pairs = list(zip(contacts.kind.tolist(), contacts.ids_a.tolist(), contacts.ids_b.tolist(), strict=True))
    assert len(set(pairs)) == len(pairs)
    return {pair: row for row, pair in enumerate(pairs)}


def fields_as_bytes(contacts):
    """All arrays of a result, with their types."""
    return {name: (getattr(contacts, name).dtype.str, getattr(contacts, name).tobytes()) for name in FIELDS}


def grid(n, m):
    """A flat sheet of n times m unit squares, two triangles each."""
    x, y = np.meshgrid(np.arange(n + 1.0), np.arange(m + 1.0), indexing="ij")
    corner = (np.arange(n)[:, None] * (m + 1) + np.arange(m)).ravel()
    a, b, c, d = corner, corner + m + 1, corner + m + 2, corner + 1
    faces = np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])
    return np.stack([x.ravel(), y.ravel(), 0.0 * x.ravel()], axis=1), faces


def ball(subdivisions=0):
    mesh = trimesh.creation.icosphere(subdivisions=subdivisions)
    return np.array(mesh.vertices), np.array(mesh.faces)


def box():
    mesh = trimesh.creation.box()
    return np.array(mesh.vertices), np.array(mesh.faces)


def rotation_of(rng):
    """A random rotation, or reflection."""
    return np.linalg.qr(rng.normal(size=(3, 3)))[0]


def dyadic(rng, shape, step, reach):
    """Multiples of a power of two: sums and small products are exact."""
    count = round(reach / step)
    return rng.integers(-count, count + 1, shape) * step


def soup(rng):
    """Triangles of their own, small enough for some to miss each other."""
    n = rng.integers(2, 9)
    centers = rng.uniform(-1.0, 1.0, (2, n, 1, 3))
    start, end = (centers + rng.uniform(-0.7, 0.7, (2, n, 3, 3))).reshape(2, 3 * n, 3)
    return Scene(Body(start, end, np.arange(3 * n).reshape(n, 3)))


def shared_soup(rng):
    """Faces over few vertices: fans, non-manifold edges, duplicate and degenerate faces, unused vertices."""
    n_vertices, n_faces = rng.integers(5, 12), rng.integers(3, 12)
    start, end = rng.uniform(-1.0, 1.0, (2, n_vertices, 3))
    return Scene(Body(start, end, rng.integers(0, n_vertices, (n_faces, 3))))


def lattice_soup(rng):
    """The same on small integers: coincident vertices, coplanar faces, contacts at both ends."""
    n_vertices, n_faces = rng.integers(4, 10), rng.integers(2, 9)
    start, end = dyadic(rng, (2, n_vertices, 3), 1.0, 2.0)
    end = np.where(rng.random((n_vertices, 1)) < 0.3, start, end)
    return Scene(Body(start, end, rng.integers(0, n_vertices, (n_faces, 3))))


def waving(rng):
    """A sheet that waves and never touches itself: seen along one direction, it stays unfolded."""
    vertices, faces = grid(*rng.integers(2, 5, 2))
    start, end = vertices.copy(), vertices.copy()
    height = rng.uniform(0.1, 1.0)
    for positions in (start, end):
        positions[:, 2] = height * np.sin(vertices @ rng.uniform(-2.0, 2.0, 3) + rng.uniform(0.0, 6.0))
    rotation = rotation_of(rng)
    return Scene(Body(start @ rotation, end @ rotation, faces))


def crumpling(rng):
    """A sheet whose vertices end somewhere else: it crosses itself."""
    vertices, faces = grid(*rng.integers(2, 4, 2))
    end = rng.normal(0.0, 1.0, vertices.shape) + rng.uniform(0.0, 1.0) * vertices
    return Scene(Body(vertices, end, faces))


def rolling(rng):
    """A strip that rolls up into turns that touch or cross."""
    n = rng.integers(5, 12)
    vertices, faces = grid(n, 1)
    angle = rng.uniform(3.0, 15.0) * vertices[:, 0] / n
    radius = n / angle[-1] * (1.0 + rng.uniform(-0.1, 0.1) * angle)
    rolled = np.stack([radius * np.sin(angle), vertices[:, 1], radius * (1.0 - np.cos(angle))], axis=1)
    return Scene(Body(vertices, rolled, faces))


def folded_flat(rng):
    """A sheet folded in layers on one lattice that rest, slide in their plane, or pass through each other."""
    vertices, faces = grid(rng.integers(3, 6), rng.integers(1, 3))
    u, v = vertices[:, 0], vertices[:, 1]
    x = np.abs((u + 2.0) % 4.0 - 2.0)
    pitch = rng.choice([0.0, 0.25, 0.5], 2)
    slide = rng.choice([0.0, 0.5, 1.0]) * rng.integers(-1, 2, len(u))
    start = np.stack([x, v, pitch[0] * u], axis=1)
    end = np.stack([x, v + slide, -pitch[1] * u], axis=1)
    return Scene(Body(start, end, faces))


def squashed(rng):
    """A closed surface pressed flat, exactly or through itself, or turned inside out."""
    vertices, faces = ball() if rng.random() < 0.5 else box()
    vertices = vertices if rng.random() < 0.3 else vertices @ rotation_of(rng)
    factors = rng.choice([-1.0, -0.25, 0.0, 0.5, 1.0], 3)
    return Scene(Body(vertices, vertices * factors, faces))


def colliding(rng):
    """Two closed surfaces, one moved into the other or past it, deforming on the way."""
    a, faces_a = ball() if rng.random() < 0.5 else box()
    b, faces_b = ball() if rng.random() < 0.5 else box()
    offset, step = rng.uniform(-2.0, 2.0, (2, 3))
    jitter = rng.normal(0.0, 0.1, a.shape)
    return Scene(Body(a @ rotation_of(rng), a + jitter, faces_a), Body(b + offset, b + step, faces_b))


def boxes_on_a_lattice(rng):
    """Boxes with integer sides that meet face to face, edge to edge and corner to corner."""
    vertices, faces = box()
    a = 2.0 * vertices
    offset, step = dyadic(rng, (2, 3), 1.0, 3.0)
    b = a * rng.choice([1.0, 2.0], 3)
    return Scene(Body(a, a, faces), Body(b + offset, b + step, faces))


def two_soups(rng):
    """Two meshes with all that is legal: degenerate faces, doubles, unused vertices, one vertex thrice."""
    a, b = (lattice_soup(rng) if rng.random() < 0.5 else shared_soup(rng) for _ in range(2))
    return Scene(a.a, b.a)


def sheet_on_ball(rng):
    """A sheet that falls on a ball at rest."""
    sheet, faces = grid(2, 2)
    start = (sheet - [1.0, 1.0, 0.0]) * rng.uniform(0.5, 1.5) + [0.0, 0.0, rng.uniform(1.0, 1.5)]
    end = start - [0.0, 0.0, rng.uniform(0.0, 2.0)] + rng.normal(0.0, 0.2, start.shape)
    vertices, ball_faces = ball()
    return Scene(Body(start, end, faces), Body(vertices, vertices, ball_faces))


def degenerate_faces(rng):
    """A sheet with faces that are points, segments or doubles of others, and vertices that coincide."""
    a = crumpling(rng).a
    n = len(a.start)
    extra = rng.integers(0, n, (6, 3))
    extra[:2, 1] = extra[:2, 0]
    extra[2] = extra[2, 0]
    start, end = a.start.copy(), a.end.copy()
    i, j = rng.integers(0, n, 2)
    start[i], end[i] = start[j], end[j]
    faces = np.concatenate([a.faces, extra, a.faces[:2, ::-1]])
    return Scene(Body(start, end, rng.permutation(faces)))


def in_one_plane(rng):
    """Everything in one plane for all time: nothing but ties."""
    n_vertices = rng.integers(4, 9)
    axes = rng.integers(-2, 3, (2, 3)).astype(float)
    start, end = (dyadic(rng, (n_vertices, 2), 0.5, 2.0) @ axes for _ in range(2))
    return Scene(Body(start, end, rng.integers(0, n_vertices, (rng.integers(2, 6), 3))))


def at_rest(rng):
    """No motion at all: whatever touches, touches at the start."""
    scene = [soup, lattice_soup, folded_flat, squashed][rng.integers(4)](rng)
    return Scene(scene.a._replace(end=scene.a.start))


def smooth(rng):
    """Hundreds of faces of a curved sheet, strip or ball: regions that the culling may call smooth.

    Their contours come close to themselves, touch and cross; too large for brute force.
    """
    shape = rng.integers(3)
    if shape == 0:
        vertices, faces = grid(*rng.integers(3, 13, 2))
    elif shape == 1:
        vertices, faces = rolled_strip(rng, rng.integers(10, 40))
    else:
        vertices, faces = ball(2)
    return Scene(Body(bent(rng, vertices), bent(rng, vertices), faces))


def rolled_strip(rng, n):
    """A strip that winds around an axis through up to two turns."""
    flat, faces = grid(n, 1)
    angle = rng.uniform(3.0, 13.0) * flat[:, 0] / n
    radius = 1.0 + rng.uniform(-0.05, 0.05) * angle
    return np.stack([radius * np.sin(angle), flat[:, 1], radius * np.cos(angle)], axis=1), faces


def bent(rng, vertices):
    """Positions moved in one of several ways, from not at all to flat or inside out."""
    change = rng.integers(6)
    if change == 0:
        return vertices.copy()
    if change == 1:
        return vertices @ rng.normal(size=(3, 3))
    if change == 2:
        return vertices + rng.normal(0.0, rng.choice([0.001, 0.03, 0.1]), vertices.shape)
    if change == 3:
        return vertices + 0.5 * np.sin(vertices @ rng.normal(size=(3, 3)))
    if change == 4:
        return np.round(4.0 * vertices) / 4.0
    return vertices * rng.choice([-1.0, 0.0, 0.5, 1.0], 3)


FAMILIES = {
    "soup": soup,
    "shared soup": shared_soup,
    "lattice soup": lattice_soup,
    "waving": waving,
    "crumpling": crumpling,
    "rolling": rolling,
    "folded flat": folded_flat,
    "squashed": squashed,
    "colliding": colliding,
    "boxes on a lattice": boxes_on_a_lattice,
    "two soups": two_soups,
    "sheet on ball": sheet_on_ball,
    "degenerate faces": degenerate_faces,
    "in one plane": in_one_plane,
    "at rest": at_rest,
}
