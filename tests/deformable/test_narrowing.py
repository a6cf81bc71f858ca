import numpy as np
import pytest

from firstcontact import Mesh
from firstcontact.deformable.culling import Culling
from firstcontact.deformable.narrowing import is_worth_narrowing
from firstcontact.deformable.problem import narrowed, pose_problem
from firstcontact.deformable.timed_bounds import width_left


def posed(way, n=40):
    """Triangles of size 1 in a row, all of which go that far along every axis."""
    corners = np.array([[0.0, 0, 0], [1, 0, 1], [0, 1, 0.5]])
    vertices = (corners + 2.0 * np.arange(n)[:, None, None]).reshape(-1, 3)
    mesh = Mesh(vertices, np.arange(3 * n).reshape(-1, 3))
    return pose_problem([mesh.deforming(vertices, vertices + way)], 0.0, Culling())


@pytest.mark.parametrize(("way", "limit"), [(0.0, 0.5), (1.0, 0.5), (9.0, 0.1), (9.0, 0.0)])
def test_the_width_that_is_told_is_that_of_bounds_drawn_again(way, limit):
    problem = posed(way)
    k = problem.surface.face_bounds.shape[1] // 2
    widths = [
        float((one.surface.face_bounds[:, k : k + 3] - one.surface.face_bounds[:, :3]).sum())
        for one in (problem, narrowed(problem, limit))
    ]
    assert width_left(problem.surface, 1.0, limit) == pytest.approx(widths[1] / widths[0], rel=1e-6)


def test_it_is_worth_it_where_much_is_left_and_much_of_the_bounds_is_motion():
    assert is_worth_narrowing(posed(9.0), 1.0, 0.1, 1000.0, 0.5)
    assert not is_worth_narrowing(posed(9.0), 1.0, 0.1, 10.0, 0.0)
    assert not is_worth_narrowing(posed(0.0), 1.0, 0.1, 1e9, 0.5)
    assert not is_worth_narrowing(posed(9.0), 0.1, 0.1, 1e9, 0.5)
    # Of 40 faces, 240 pairs that are left may be neighbours.
    assert not is_worth_narrowing(posed(9.0), 1.0, 0.1, 250.0, 1.0)


def test_nothing_is_left_of_no_faces():
    empty = pose_problem([Mesh([], []).deforming([], [])], 0.0, Culling())
    assert width_left(empty.surface, 1.0, 0.0) == 1.0
