"""Manifolds of a scene's contacts: gaps, what closes, and ids that stay the same."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import firstcontact as fc

HERE = np.eye(3)
BOX = fc.Box([1, 1, 1])


def stack(n, shift=0.0, gap=0.001):
    return fc.Scene(
        {f"box {k}": BOX.at((HERE, [0.1 * (k % 2) + shift * k, 0.05, (1 + gap) * k])) for k in range(n)}
    )


def test_a_stack_at_rest_has_four_points_a_contact():
    found = stack(10).contacts(min_separation=0.002)
    m = found.manifold()
    assert np.bincount(m.contact_ids).tolist() == [4] * 9
    np.testing.assert_allclose(m.gap, 0.001, atol=1e-12)
    np.testing.assert_array_equal(m.body_ids, found.ids[m.contact_ids])
    np.testing.assert_allclose(m.points_b - m.points_a, m.gap[:, None] * m.normals, atol=1e-12)
    assert not m.closing.any()


def test_features_are_found_again_in_the_next_step():
    before = stack(6).contacts(min_separation=0.002).manifold()
    after = stack(6, shift=1e-4).contacts(min_separation=0.002).manifold()
    rows = after.rows_in(before)
    assert (rows >= 0).all()
    np.testing.assert_array_equal(before.features[rows], after.features)
    assert (
        stack(2).contacts(min_separation=0.002).manifold().rows_in(fc.Scene().contacts().manifold()) == -1
    ).all()


def test_a_turning_box_closes_on_one_side_and_parts_on_the_other():
    turning = BOX.moving((HERE, [0, 0, 1.001]), angular_velocity=[0, 0.001, 0])
    m = fc.Scene(low=BOX, high=turning).contacts(min_separation=0.002).manifold()
    assert len(m) == 4
    np.testing.assert_array_equal(m.closing, m.points_a[:, 0] > 0)
    np.testing.assert_allclose(m.closing_speed, 0.001 * m.points_b[:, 0], atol=1e-9)


@pytest.mark.parametrize("within", [0.001, 0.1])
def test_an_edge_or_a_face_by_how_near_is_near(within):
    tilted = Rotation.from_euler("y", 0.02).as_matrix()
    falling = BOX.moving((tilted, [0.0, 0.1, 2.0]), velocity=[0, 0, -2])
    m = fc.Scene(low=fc.Box([3, 3, 1]), high=falling).contacts().manifold(within)
    assert len(m) == (2 if within == 0.001 else 4)
    assert m.closing.all()
    assert m.gap.min() == pytest.approx(0.0, abs=1e-6)


def test_meshes_have_the_points_of_the_convex_shapes_and_those_on_diagonals():
    moved = (Rotation.from_euler("z", 0.3).as_matrix(), [0.3, 0.2, 1.5])
    convex = fc.Scene(a=BOX, b=BOX.moving(moved, velocity=[0, 0, -1])).contacts().manifold()
    meshes = fc.Scene(a=BOX.mesh, b=BOX.mesh.moving(moved, velocity=[0, 0, -1])).contacts().manifold()
    far = np.linalg.norm(convex.points_a[:, None] - meshes.points_a, axis=2).min(axis=1)
    assert far.max() < 1e-5
    # A face of a convex shape goes by the first triangle of its plane, so the features are as many at least.
    assert set(convex.features[:, 0].tolist()) <= set(meshes.features[:, 0].tolist())


def test_what_has_no_faces_touches_a_mesh_at_one_point():
    ball = fc.Sphere(0.5).moving((HERE, [0.2, 0.1, 2.0]), velocity=[0, 0, -2])
    m = fc.Scene(low=BOX.mesh, ball=ball).contacts().manifold()
    assert len(m) == 1
    np.testing.assert_allclose(m.points_a, [[0.2, 0.1, 0.5]], atol=1e-5)
    assert m.closing_speed == pytest.approx(2.0)
    with pytest.raises(ValueError, match="within"):
        fc.Scene(low=BOX, ball=ball).contacts().manifold(-1.0)


@pytest.mark.parametrize("seed", range(8))
def test_stacked_meshes_face_each_other_where_their_faces_overlap(seed):
    # Boxes one above the other: edges that only pass each other at the sides are no points of the contact.
    rng = np.random.default_rng(seed)
    low, high, gap = rng.uniform(0.5, 2.0, 3), rng.uniform(0.5, 2.0, 3), 1e-3
    for _ in range(3):
        offset = rng.uniform(-1, 1, 2) * 0.45 * (low + high)[:2]
        place = [*offset, 0.5 * (low + high)[2] + gap]
        scene = fc.Scene(a=fc.Box(low).mesh, b=fc.Box(high).mesh.at((np.eye(3), place)))
        found = scene.contacts(min_separation=2 * gap).manifold()
        points = 0.5 * (found.points_a + found.points_b)
        lower = np.maximum(-0.5 * low[:2], offset - 0.5 * high[:2])
        upper = np.minimum(0.5 * low[:2], offset + 0.5 * high[:2])
        np.testing.assert_allclose(points[:, :2].min(axis=0), lower, atol=1e-6)
        np.testing.assert_allclose(points[:, :2].max(axis=0), upper, atol=1e-6)
        np.testing.assert_allclose(found.gap, gap, atol=1e-9)


def test_meshes_at_rest_have_all_their_points_however_they_are_turned():
    """Rounding pushes some of them into each other by a digit or two."""
    low, high = fc.Box([2, 2, 1]).mesh, fc.Box([1, 1, 1]).mesh
    for angle in np.linspace(0.0, 3.0, 25):
        c, s = np.cos(angle), np.sin(angle)
        turn = np.array([[1, 0, 0], [0, c, -s], [0, s, c]]) @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
        places = [turn @ place + [0.3, -0.7, 5.1] for place in ([0, 0, 0.5], [0.1, 0.2, 1.5])]
        scene = fc.Scene(low=low.at((turn, places[0])), high=high.at((turn, places[1])))
        points = (scene.contacts(min_separation=1e-9).manifold().points_b - [0.3, -0.7, 5.1]) @ turn
        for corner in ([-0.4, -0.3, 1], [0.6, -0.3, 1], [0.6, 0.7, 1], [-0.4, 0.7, 1]):
            assert np.linalg.norm(points - corner, axis=1).min() < 1e-8
