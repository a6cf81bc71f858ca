"""Listed pairs and their slacks, against distances in rational arithmetic."""

from fractions import Fraction

import numpy as np
import pytest

import firstcontact as fc
from oracles.exact_distance import exact_distance_squared, points_at
from properties.meshes import grid
from samples import sample

INFLATE = 0.2


def crumpled(seed, shift):
    """A sheet that is not flat, some way off, and pieces of it that are smaller than all that is inflated."""
    rng = np.random.default_rng(seed)
    places, faces = grid(4, 4)
    places = rng.choice([0.1, 0.4]) * (places + 0.3 * rng.normal(size=places.shape))
    return fc.Mesh(places + shift * np.array([1.0, -1.0, 1.0]), faces)


def exact_squares(mesh):
    """Squared distances of all pairs of features that share no vertex, as fractions."""
    places, found = points_at(mesh.vertices, mesh.vertices, 0), {}
    edges = mesh.edges.tolist()
    for f, face in enumerate(mesh.faces.tolist()):
        for i in set(range(mesh.n_vertices)) - set(face):
            found[0, i, f] = exact_distance_squared("vf", [places[i], *(places[k] for k in face)])
    for d, first in enumerate(edges):
        for e, second in enumerate(edges[d + 1 :], d + 1):
            if not set(first) & set(second):
                found[1, d, e] = exact_distance_squared("ee", [places[k] for k in (*first, *second)])
    return found


@pytest.mark.parametrize("shift", [0.0, 1e6])
@pytest.mark.parametrize("separation", [0.0, 0.05])
@pytest.mark.parametrize("thickness", [0.0, 0.03])
def test_no_pair_is_nearer_than_its_slack_tells(shift, separation, thickness):
    for seed in range(sample(2, 40)):
        mesh = crumpled(seed, shift)
        thick = fc.Mesh(mesh.vertices, mesh.faces, thickness=thickness)
        listed = fc.candidates(thick, inflate=INFLATE, min_separation=separation)._lists
        truth, n_listed = exact_squares(mesh), 0
        kept = Fraction(separation) + 2 * Fraction(thickness)
        for kind, pairs in enumerate((listed.vertex_faces, listed.edge_edges)):
            assert pairs.ends[-1] == len(pairs.ids)
            for (first, second), slack in zip(pairs.ids.tolist(), pairs.slack.tolist(), strict=True):
                assert 0.0 <= slack <= listed.reach
                if slack > 0.0:
                    assert (Fraction(slack) + kept) ** 2 <= truth[kind, first, second]
            n_listed += len(pairs.ids)
        reach = (2 * Fraction(INFLATE) + kept) ** 2
        assert n_listed >= sum(squared <= reach for squared in truth.values())
