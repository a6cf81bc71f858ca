"""Pairs that are not asked for: neighbours along edges or at rest, and groups; against brute force."""

from itertools import product

import numpy as np
import pytest

import firstcontact as fc
from oracles.feature_distance import distances_over_time
from properties.meshes import generate, moving_scene
from samples import sample

COLUMNS = ("kind", "ids_a", "ids_b", "time", "time_upper", "points", "normals", "gap", "status")
AT_REST = np.zeros(1)


def features_of(contacts, row, meshes):
    """The vertices of both features of a row."""
    words = fc.ContactKind(contacts.kind[row]).name.split("_")
    both = []
    for word, mesh, ids in zip(words, meshes, (contacts.ids_a, contacts.ids_b), strict=True):
        own = {"VERTEX": None, "EDGE": mesh.edges, "FACE": mesh.faces}[word]
        both.append([int(ids[row])] if own is None else own[ids[row]].tolist())
    return both


def edges_apart(mesh):
    """How many edges lie between any two vertices, (n, n)."""
    apart = np.full((mesh.n_vertices, mesh.n_vertices), 10**6)
    np.fill_diagonal(apart, 0)
    apart[mesh.edges[:, 0], mesh.edges[:, 1]] = apart[mesh.edges[:, 1], mesh.edges[:, 0]] = 1
    np.fill_diagonal(apart, 0)
    for k in range(mesh.n_vertices):
        apart = np.minimum(apart, apart[:, [k]] + apart[[k], :])
    return apart


def rest_distance(mesh, f, g):
    """Distance of two features at rest, that do not pass through each other there."""
    if len(f) > len(g):
        f, g = g, f
    if len(f) == 2 and len(g) == 3:
        ends = [rest_distance(mesh, [v], g) for v in f]
        return min([*ends, *(rest_distance(mesh, f, [g[i - 1], g[i]]) for i in range(3))])
    points = mesh.vertices[[*f, *g]]
    return distances_over_time(points, points, len(f) == 2, AT_REST)[0]


def assert_only(found, everything, is_left_out):
    """What is found is everything but what is left out, to the last byte."""
    rows = [row for row in range(len(everything)) if not is_left_out(row)]
    for name in COLUMNS:
        assert getattr(found, name).tobytes() == getattr(everything, name)[rows].tobytes(), name


@pytest.mark.parametrize("family", ["waving", "crumpling", "folded flat", "shared soup"])
def test_neighbours_are_left_out(family):
    for seed in range(sample(1, of=5)):
        body = generate(family, seed).a
        rest = np.random.default_rng(seed).normal(size=body.start.shape)
        mesh = fc.Mesh(rest, body.faces, 0.05)
        moving = mesh.deforming(body.start, body.end)
        everything, apart = fc.contacts(moving, min_separation=0.0625), edges_apart(mesh)
        for near in (0, 1, 2, 0.25, 1.0):
            found = fc.contacts(moving, min_separation=0.0625, ignore_near=near)

            def is_left_out(row, near=near, everything=everything, mesh=mesh, apart=apart):
                f, g = features_of(everything, row, (mesh, mesh))
                if isinstance(near, int):
                    return min(apart[i, j] for i, j in product(f, g)) <= near
                return rest_distance(mesh, f, g) <= near

            assert_only(found, everything, is_left_out)
            first = fc.first_contact(moving, min_separation=0.0625, ignore_near=near)
            assert min(first.time, 1.0) == fc.safe_step(moving, min_separation=0.0625, ignore_near=near)
            assert min(first.time, 1.0) == pytest.approx(found.time.min(initial=1.0), abs=1e-8)


@pytest.mark.parametrize("family", ["crumpling", "two soups", "sheet on ball"])
def test_groups_are_left_out(family):
    for seed in range(sample(1, of=5)):
        scene, rng = generate(family, seed), np.random.default_rng(seed)
        moving = moving_scene(scene)
        meshes = [thing.shape for thing in moving]
        groups = [rng.choice([-7, 2, 3, 99], mesh.n_vertices, p=[0.5, 0.3, 0.1, 0.1]) for mesh in meshes]
        given = groups if len(moving) > 1 else groups[0]
        everything = fc.contacts(*moving, min_separation=0.0625)
        for ignored in ([(-7, -7)], [(2, -7), (2, 2)], [(-7, -7), (-7, 2), (2, 3)]):
            found = fc.contacts(*moving, min_separation=0.0625, groups=given, ignore_groups=ignored)

            def is_left_out(row, ignored=ignored, everything=everything, meshes=meshes, groups=groups):
                f, g = features_of(everything, row, (meshes[0], meshes[-1]))
                pairs = ((groups[0][i], groups[-1][j]) for i, j in product(f, g))
                return all((g, h) in ignored or (h, g) in ignored for g, h in pairs)

            assert_only(found, everything, is_left_out)
            step = fc.safe_step(*moving, min_separation=0.0625, groups=given, ignore_groups=ignored)
            assert step == pytest.approx(found.time.min(initial=1.0), abs=1e-8)


def test_wrong_filters_get_a_sentence():
    mesh = fc.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    moving = mesh.deforming(mesh.vertices, mesh.vertices)
    wrong = {
        "ignore_near must be a number of rings, or a distance, 0 or more": {"ignore_near": -1},
        "ignore_near must be": {"ignore_near": "near"},
        "groups and ignore_groups go together": {"groups": [0, 0, 0]},
        "groups must be one integer for each of 3 vertices": {"groups": [0], "ignore_groups": [(0, 0)]},
        "groups must be integers": {"groups": [0.5, 0, 0], "ignore_groups": [(0, 0)]},
        "ignore_groups must be pairs of groups": {"groups": [0, 0, 0], "ignore_groups": [0, 1]},
    }
    for sentence, options in wrong.items():
        with pytest.raises((TypeError, ValueError), match=sentence):
            fc.contacts(moving, **options)
    with pytest.raises(ValueError, match="ignore_near has no meaning for what deforms: it is about"):
        fc.contacts(moving, mesh, ignore_near=1)
    with pytest.raises(ValueError, match="groups of 2 things are 2 arrays"):
        fc.contacts(moving, mesh, groups=[0, 0, 0], ignore_groups=[(0, 0)])
