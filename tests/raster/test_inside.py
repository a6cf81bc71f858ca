"""Which pixels are inside of outlines and surfaces, and how deep."""

from itertools import pairwise

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.raster.inside import closed_sites, is_closed
from oracles.nearest_sites import assert_nearest, centers, to_segments


def closed(points):
    return np.concatenate([points, points[:1]])


def test_outlines_in_the_plane_by_winding():
    rng = np.random.default_rng(1)
    for _ in range(10):
        star = closed(np.round(rng.random((7, 2)) * 8) / 8)  # it goes through itself
        found = fc.voronoi([star], [[-0.1, -0.1], [1.1, 1.1]], (31, 47), solid=True)
        points = centers(found)
        crossed = np.zeros(len(points), int)
        for a, b in pairwise(star):
            is_across = (a[0] > points[:, 0]) != (b[0] > points[:, 0])
            with np.errstate(invalid="ignore", divide="ignore"):
                height = a[1] + (points[:, 0] - a[0]) / (b[0] - a[0]) * (b[1] - a[1])
            crossed += is_across & (height <= points[:, 1])
        distance = to_segments(points, star[:-1], star[1:]).min(axis=1)
        assert_nearest(found, np.where(crossed % 2 == 1, -distance, distance)[:, np.newaxis])


def test_solids_in_space_against_signed_distances():
    box = fc.Box([0.5, 0.4, 0.3]).at((np.eye(3), [0.5, 0.5, 0.5]))
    ball = fc.Sphere(0.2).mesh.at((np.eye(3), [0.3, 0.3, 0.6]))
    found = fc.voronoi([box, ball], [[0, 0, 0], [1, 1, 1]], (16, 17, 18), solid=True)
    signed = [fc.signed_distance(thing, centers(found)).distance for thing in (box, ball)]
    assert_nearest(found, np.stack(signed, axis=1))
    assert found.distance.min() < -0.1


def test_of_a_thick_solid_what_is_inside_is_deeper():
    mesh = fc.Box([1, 1, 1]).mesh
    thick = fc.Mesh(mesh.vertices, mesh.faces, thickness=0.25)
    found = fc.voronoi([thick], [[-1, -1, -1], [1, 1, 1]], 3, solid=True)
    assert found.distance[1, 1, 1] == pytest.approx(-0.75)


def test_what_is_closed():
    corners = fc.Box([1, 1, 1]).mesh.vertices[fc.Box([1, 1, 1]).mesh.faces]
    assert is_closed(corners, 3)
    assert not is_closed(corners[:-1], 3)
    assert not is_closed(corners[:0], 3)
    with pytest.raises(ValueError, match=r"^solid has no meaning where no site is closed$"):
        fc.voronoi([[[0, 0], [1, 1]]], [[0, 0], [1, 1]], 2, solid=True)
    ring = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 0]]
    with pytest.raises(ValueError, match=r"^solid has no meaning where no site is closed$"):
        fc.voronoi([ring], [[0, 0, -1], [1, 1, 1]], 2, solid=True)


def test_a_solid_that_one_layer_of_voxels_is_in():
    """Of one layer, too, it is triangles that the lines of voxels cross."""
    ball = fc.Sphere(0.4).mesh.at((np.eye(3), [0.5, 0.5, 0.5]))
    for counts in ((1, 9, 9), (9, 1, 9), (9, 9, 1), (3, 9, 9), (1, 1, 1)):
        found = fc.voronoi([ball], [[0, 0, 0], [1, 1, 1]], counts, solid=True)
        assert_nearest(found, fc.signed_distance(ball, centers(found)).distance[:, np.newaxis])
        assert found.distance.min() < 0.0


@pytest.mark.parametrize(("dimension", "least"), [(2, 40), (3, 3)])
def test_sites_that_are_closed_are_those_that_are_closed_one_by_one(dimension, least):
    rng = np.random.default_rng(4)
    rings, solid = [], fc.Box([1, 1, 1]).mesh
    for _ in range(200):
        points = np.column_stack([np.zeros(5), rng.integers(0, 3, (5, 2))])[: rng.integers(1, 6)].astype(
            float
        )
        points = closed(points) if rng.random() < 0.5 else points
        ends = (points[:-1], points[1:], points[1:]) if len(points) > 1 else (points, points, points)
        edges = np.stack(ends, axis=1)
        rings.append(rng.permutation(edges) if rng.random() < 0.3 else edges)
        if rng.random() < 0.1:
            rings.append(solid.vertices[solid.faces][: rng.integers(10, 13)])
    counts = np.array([len(ring) for ring in rings])
    truth = [k for k, ring in enumerate(rings) if len(ring) > 1 and is_closed(ring, dimension)]
    assert closed_sites(np.concatenate(rings), counts, dimension).tolist() == truth
    assert least < len(truth) < 160
    assert closed_sites(np.empty((0, 3, 3)), counts[:0], dimension).tolist() == []
