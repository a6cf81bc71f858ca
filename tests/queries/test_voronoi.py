"""Voronoi diagrams as users ask for them: kinds of sites, features, what is read from an image, bad input."""

import pickle

import numpy as np
import pytest
from scipy.spatial import Delaunay

import firstcontact as fc
from oracles.nearest_sites import assert_nearest, centers, to_segments, to_triangles

BOUNDS = [[0, 0], [1, 1]]
CUBE = [[0, 0, 0], [1, 1, 1]]


def test_all_kinds_of_sites_in_space():
    rng = np.random.default_rng(1)
    place = (np.eye(3), [0.5, 0.2, 0.9])
    mesh = fc.Box([0.1, 0.2, 0.3]).mesh
    hull = fc.ConvexHull(rng.random((8, 3)) * 0.2)
    sites = [
        [0.1, 0.2, 0.3],
        [[0, 0, 0.9], [0.2, 0.1, 0.5], [0.3, 0.3, 0.3]],
        fc.Sphere(0.1).at(place),
        fc.Capsule(0.05, 0.4).at(place),
        fc.Points([[0, 1, 0], [1, 1, 0]], radius=[0.1, 0.0]),
        fc.Strands([[0, 1, 1], [0.5, 1, 1], [1, 1, 1]], [2, 1], radius=0.01),
        mesh.at(place),
        hull,
        fc.Voxels(np.ones((1, 1, 1), bool), 0.125, [0.75, 0, 0]),
    ]
    found = fc.voronoi(sites, CUBE, 10)
    points = centers(found)
    rows = np.array(sites[1], float)
    signed = [fc.signed_distance(site, points).distance for site in sites[2:]]
    signed = [np.abs(d) if i >= 4 else d for i, d in enumerate(signed)]
    values = [
        np.linalg.norm(points - sites[0], axis=1),
        to_segments(points, rows[:-1], rows[1:]).min(axis=1),
        *signed,
    ]
    values = np.stack(values, axis=1).astype(float)
    assert np.abs(found.distance.reshape(-1) - values.min(axis=1)).max() < 1e-14
    assert set(np.unique(found.ids)) == set(range(9))


def test_polygons_and_polylines_of_the_plane_are_sites():
    square = fc.Polygon(
        [[0, 0], [0.4, 0], [0.4, 0.4], [0, 0.4]], holes=[[[0.1, 0.1], [0.2, 0.1], [0.2, 0.2]]]
    )
    bent = fc.Polyline([[0.0, 0.9], [0.5, 0.6], [1.0, 0.9]])
    placed = square.at((0.5, [0.4, 0.1]))
    found = fc.voronoi([placed, bent], BOUNDS, 50)
    points = centers(found)
    values = np.stack([np.abs(fc.signed_distance(site, points).distance) for site in (placed, bent)], axis=1)
    assert np.abs(found.distance.reshape(-1) - values.min(axis=1)).max() < 1e-14
    sunk = fc.voronoi([placed, bent], BOUNDS, 50, solid=True)
    values[:, 0] = fc.signed_distance(placed, points).distance
    assert np.abs(sunk.distance.reshape(-1) - values.min(axis=1)).max() < 1e-14
    moving = square.moving((0.0, [0, 0]), (1.0, [0.5, 0.5]))
    assert np.array_equal(
        found.moved([moving, bent], time=1.0).ids, fc.voronoi([moving, bent], BOUNDS, 50, time=1.0).ids
    )


def test_features_are_sites_of_their_own():
    rng = np.random.default_rng(1)
    corners = rng.random((12, 3, 3))
    corners[::3, 2] = 0.5 * (corners[::3, 0] + corners[::3, 1]) + 0.01  # blunt ones are cut in two within
    meshes = [fc.Mesh(own, [[0, 1, 2]]) for own in corners]
    found = fc.voronoi(meshes, CUBE, 14, features=True)
    whole = fc.voronoi(meshes, CUBE, 14)
    assert found.n_sites == 12 * 7
    assert np.abs(found.distance - whole.distance).max() <= found.error
    values = to_triangles(centers(found), corners)
    own = found.features[found.ids.reshape(-1), 0]
    assert (values[np.arange(len(own)), own] - values.min(axis=1)).max() <= 2 * found.error
    assert set(found.features[np.unique(found.ids), 1]) == {0, 1, 2}


def test_the_features_of_a_square_meet_in_its_diagonals():
    square = [[0, 0], [1, 0], [1, 1], [0, 1], [0, 0]]
    found = fc.voronoi([square], [[-0.5, -0.5], [1.5, 1.5]], 40, features=True)
    assert found.features.tolist() == [[0, 0, i] for i in range(4)] + [[0, 1, i] for i in range(4)]
    assert found.ids[0, 0] == 0  # beyond a corner, it and not an edge is the nearest
    inside = fc.voronoi([square], [[0, 0], [1, 1]], 40)
    assert len(inside.boundary()) == 0
    axis = inside.medial_axis()
    assert (
        np.abs(np.minimum(np.abs(np.diff(axis.points).ravel()), np.abs(axis.points.sum(axis=1) - 1))).max()
        < 0.03
    )
    assert len(axis) > 80
    assert set(axis.sites.reshape(-1)) == {0}


def test_neighbors_of_points_are_those_of_delaunay():
    rng = np.random.default_rng(1)
    points = rng.random((60, 2))
    tri = Delaunay(points).simplices
    edges = {tuple(sorted(pair)) for row in tri.tolist() for pair in zip(row, row[1:] + row[:1], strict=True)}
    found = fc.voronoi(points, BOUNDS, 700)
    seen = set(map(tuple, found.neighbors().tolist()))
    assert len(seen - edges) <= 4  # where four regions nearly meet
    assert len(seen) > 0.85 * len(edges)


def test_boundaries_are_between_cells_of_different_sites():
    found = fc.voronoi([[0.25, 0.5], [0.75, 0.5]], BOUNDS, 10)
    border = found.boundary()
    assert len(border) == 10
    assert border.points[:, 0].tolist() == [0.5] * 10
    assert border.sites.tolist() == [[0, 1]] * 10
    assert border.cells[0].tolist() == [[4, 0], [5, 0]]
    assert not fc.voronoi([[0.25, 0.5]], BOUNDS, 10).boundary()


def test_weights_are_radii_of_circles():
    rng = np.random.default_rng(1)
    points, radii = rng.random((20, 2)), 0.1 * rng.random(20)
    found = fc.voronoi(points, BOUNDS, 60, weights=radii)
    assert_nearest(found, to_segments(centers(found), points, points) - radii)


def test_answers_compare_and_travel():
    found = fc.voronoi([[0.25, 0.5], [0.75, 0.5]], BOUNDS, (6, 4))
    again = pickle.loads(pickle.dumps(found))
    assert again == found
    assert again.moved([[0.25, 0.5], [0.5, 0.5]]) == found.moved([[0.25, 0.5], [0.5, 0.5]])
    assert repr(found).startswith("Voronoi(6 x 4 cells, 2 sites, within ")
    assert [len(axis) for axis in found.axes] == [6, 4]
    with pytest.raises(ValueError, match="read-only"):
        found.ids[0, 0] = 3


WRONG = {
    r"bounds must have shape \(2, 2\) or \(2, 3\), lower and upper ends; received \(2,\)": {"bounds": [0, 1]},
    r"bounds must have upper ends above .* axis 1 they are 1.0 and 1.0": {"bounds": [[0, 1], [1, 1]]},
    r"resolution must be an integer in \[1, ": {"resolution": 0},
    r"resolution must be 2 integers, or one; received \(1, 2, 3\)": {"resolution": (1, 2, 3)},
    r"more than max_cells = 10 cells were asked for: 4 x 4": {"max_cells": 10},
    r"weights must be one number, or one for each of 2 sites; received \(3,\)": {"weights": [1, 2, 3]},
    r"factors must be positive, 2\*\*-100 or more; received 0": {"factors": 0.0},
    r"solid has no meaning for the farthest sites": {"solid": True, "farthest": True},
    r"time must be a finite number in \[0, 1\]": {"time": 2.0},
    r"sites in an array must have shape \(n, 2\)": {"sites": np.zeros((2, 3))},
    r"a site in an array must have shape": {"sites": [[0.0, 1, 2], [[0.0, 1]]]},
    r"sites must be in the 2 dimensions of the bounds; received a Sphere": {"sites": [fc.Sphere(1)]},
    r"a site must be a point, .*; received 'here'": {"sites": [[0.0, 1], "here"]},
}


@pytest.mark.parametrize("rule", WRONG)
def test_bad_input_gets_one_sentence(rule):
    right = {"sites": [[0.0, 0.0], [1.0, 1.0]], "bounds": BOUNDS, "resolution": 4}
    with pytest.raises((ValueError, TypeError), match=rule):
        fc.voronoi(**right | WRONG[rule])


def test_what_is_no_site_is_told():
    for thing in (fc.Cylinder(1, 1), fc.HalfSpace([0, 0, 1]), fc.Compound([fc.Sphere(1)])):
        with pytest.raises(TypeError, match=rf"^a site must be .*; received a {type(thing).__name__}"):
            fc.voronoi([thing], CUBE, 4)
    with pytest.raises(TypeError, match=r"^sites must be several, as in a list; received one shape$"):
        fc.voronoi(fc.Sphere(1), CUBE, 4)
