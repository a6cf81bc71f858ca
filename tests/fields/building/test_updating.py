"""A field that is brought up to date is as proven as a new one, and keeps what is as it was."""

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.fields.level_mesh import leaf_places
from firstcontact.fields.octree import DEEPEST
from oracles.point_meshes import distances_to_faces, winding_numbers
from samples import sample

BALL = fc.Sphere(1.0).mesh
TOLERANCE = 0.06


def two_balls(shift, radius=0.5):
    """A ball, and another one beside it, or around it."""
    n = BALL.n_vertices
    vertices = np.vstack([0.5 * BALL.vertices, radius * BALL.vertices + np.array(shift)])
    return fc.Mesh(vertices, np.vstack([BALL.faces, BALL.faces + n]))


def slow_distances(mesh, points, is_signed):
    unsigned = distances_to_faces(points, mesh.vertices, mesh.faces).min(axis=1).astype(float)
    inside = is_signed & (np.abs(winding_numbers(points, mesh.vertices, mesh.faces)) > 0.5)
    return np.where(inside, -unsigned, unsigned)


def check(field, mesh, n=400):
    points = np.random.default_rng(0).uniform(*field.box, (n, 3))
    assert np.abs(field(points) - slow_distances(mesh, points, field.is_signed)).max() <= field.tolerance
    places, depths = leaf_places(field.octree)  # and in the middle of every cell
    middles = (places + (1 << (DEEPEST - 1)) / 2.0 ** depths[:, None]) / 2.0**DEEPEST
    middles = np.array(field.octree.grid.lower) + field.octree.grid.width * middles
    truth = fc.signed_distance(mesh, middles, sign="winding").distance
    truth = truth if field.is_signed else np.abs(truth)
    assert np.abs(field(middles) - truth).max() <= field.tolerance


SHIFTS = [[1.0, 0.3, 0], [0, 0, 0], [1.4, 0, 0], [0.4, 0, 0]]


@pytest.mark.parametrize("shift", SHIFTS[: sample(2, of=4)])
def test_what_moves_is_seen_and_what_does_not_is_kept(shift):
    before, after = two_balls([1.4, 0, 0]), two_balls(shift)
    field = fc.DistanceField.of(before, TOLERANCE, margin=1.0)
    later = field.updated(before, after)
    assert later.octree.grid == field.octree.grid
    assert later.tolerance == field.tolerance
    check(later, after)
    check(later.updated(after, before), before)


def test_a_ball_that_closes_around_another_turns_its_outside_inside():
    before, after = two_balls([1.5, 0, 0], 0.2), two_balls([0, 0, 0], 1.0)
    field = fc.DistanceField.of(before, TOLERANCE, margin=1.0)
    later = field.updated(before, after)
    assert field([0, 0, 0.7]) > 0 > later([0, 0, 0.7])
    check(later, after)


@pytest.mark.parametrize("hole", [0, 3])
def test_one_vertex_changes_a_part(hole):
    mesh = fc.Mesh(BALL.vertices, BALL.faces[hole:])
    pulled = mesh.vertices.copy()
    pulled[7] *= 1.1
    after = fc.Mesh(pulled, mesh.faces)
    field = fc.DistanceField.of(mesh, TOLERANCE)
    later = field.updated(mesh, after)
    assert later.is_signed == (hole == 0)
    check(later, after)
    assert field.updated(mesh, mesh) == field


def test_what_leaves_the_box_is_made_anew():
    field = fc.DistanceField.of(BALL, TOLERANCE)
    larger = fc.Mesh(3 * BALL.vertices, BALL.faces)
    assert field.updated(BALL, larger) == fc.DistanceField.of(larger, TOLERANCE)


def test_what_does_not_fit_is_refused_in_a_sentence():
    field = fc.DistanceField.of(BALL, TOLERANCE)
    nearly = BALL.vertices.copy()
    nearly[5] *= (
        1.0 + 1e-12
    )  # far less than the tolerance, but another mesh: what is kept would prove nothing
    for other in (0.7 * BALL.vertices, nearly):
        with pytest.raises(ValueError, match="before must be the mesh that the field was made of"):
            field.updated(fc.Mesh(other, BALL.faces), BALL)
    with pytest.raises(ValueError, match="must have the same faces"):
        field.updated(BALL, fc.Box([1, 1, 1]).mesh)
    with pytest.raises(ValueError, match=f"after must have {BALL.n_vertices} vertices; received"):
        field.updated(BALL, fc.Mesh(np.vstack([BALL.vertices, [[0, 0, 0]]]), BALL.faces))
    for no_mesh in (field.offset(0.1), field.union(field), fc.DistanceField.of(fc.Sphere(1.0), TOLERANCE)):
        with pytest.raises(ValueError, match="before must be the mesh that the field was made of"):
            no_mesh.updated(BALL, BALL)


def test_a_field_from_a_file_can_be_updated(tmp_path):
    field = fc.DistanceField.of(BALL, TOLERANCE)
    field.save(tmp_path / "ball.npz")
    after = fc.Mesh(BALL.vertices * [1.0, 1.0, 1.1], BALL.faces)
    later = fc.DistanceField.load(tmp_path / "ball.npz").updated(BALL, after)
    assert later == field.updated(BALL, after)
    assert later.updated(after, BALL).tolerance == TOLERANCE
