"""Meshes made ready for a search."""

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.deformable.problem import narrowed, pose_problem
from properties.meshes import grid

VERTICES, FACES = grid(5, 5)
STEP = fc.Mesh(VERTICES, FACES).deforming(VERTICES, VERTICES + np.array([1.0, 2.0, 3.0]))


def test_bounds_hold_all_features_at_both_ends():
    surface = pose_problem([STEP], 0.0, fc.Culling(dop=6)).surface
    ends = np.stack([STEP.motion.vertices_t0, STEP.motion.vertices_t1])
    for bounds, ids in ((surface.edge_bounds, surface.edges), (surface.face_bounds, surface.faces)):
        corners = ends[:, ids]
        assert np.array_equal(bounds[:, :3], corners.min(axis=(0, 2)))
        assert np.array_equal(bounds[:, 3:], corners.max(axis=(0, 2)))


@pytest.mark.parametrize("separation", [5e-324, 1e-300, 0.25])
def test_a_separation_widens_both_sides(separation):
    plain = pose_problem([STEP], 0.0, fc.Culling(dop=6)).surface.face_bounds
    wide = pose_problem([STEP], separation, fc.Culling(dop=6)).surface.face_bounds
    assert np.all(plain[:, :3] - wide[:, :3] >= 0.5 * separation)
    assert np.all(wide[:, 3:] - plain[:, 3:] >= 0.5 * separation)
    assert np.all(wide[:, 3] > wide[:, 0] + separation) or separation < 1e-200


def test_a_shorter_time_has_smaller_bounds_in_the_same_tree():
    problem = pose_problem([STEP], 0.0, fc.Culling(dop=6))
    half = narrowed(problem, 0.5)
    assert half.pairing.children is problem.pairing.children
    assert np.all(half.surface.face_bounds[:, 3:] < problem.surface.face_bounds[:, 3:])
    assert np.all(half.surface.face_bounds[:, :3] == problem.surface.face_bounds[:, :3])
    middle = STEP.vertices(0.5)[half.surface.faces]
    assert np.all(half.surface.face_bounds[:, 3:] >= middle.max(axis=1))


def test_two_meshes_have_a_tree_each():
    problem = pose_problem([STEP, STEP], 0.0, fc.Culling(dop=6))
    assert problem.is_asked == (False, False)
    assert len(problem.trees) == 2
    assert problem.starts.face.tolist() == [0, len(FACES), 2 * len(FACES)]


def test_segments_and_points_are_bounded_once():
    strands = fc.Strands(VERTICES, [len(VERTICES) - 1, 1], radius=0.1)
    went, cloud = strands.deforming(VERTICES, VERTICES + 1.0), fc.Points(VERTICES).at((np.eye(3), [2, 0, 0]))
    for things in ([went], [went, cloud]):
        surface = pose_problem(things, 0.5, fc.Culling()).surface
        assert surface.edge_bounds is surface.face_bounds
        assert np.array_equal(surface.edges, surface.faces[:, :2])
    mixed = pose_problem([went, STEP], 0.5, fc.Culling()).surface
    assert len(mixed.edge_bounds) == len(mixed.edges) > len(mixed.face_bounds)
