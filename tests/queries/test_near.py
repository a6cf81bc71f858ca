"""`near` of plain things: signed distances against other queries, gradients against differences, ties."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import firstcontact as fc
from queries.test_distance_of_overlaps import torus
from queries.test_registry import FLOOR, PAIR, ROPE, STEPS, TETRA
from samples import sample

N = sample(60, 2000)
STEP = 1e-6
HERE = np.eye(3)
CLOUD = fc.Points([[0.2, 0, 0], [0, 0.3, 0], [0, 0, -0.4]], [0.1, 0.2, 0.05])
SHAPES = {
    "ball": fc.Sphere(0.5),
    "box": fc.Box([1, 2, 0.5]),
    "cone": fc.Cone(0.4, 1),
    "mesh": fc.Box([1, 0.7, 0.5]).mesh,
    "tetra": TETRA,
    "compound": PAIR,
}
MORE = SHAPES | {"floor": FLOOR, "rope": ROPE, "cloud": CLOUD, "voxels": STEPS}


def poses_of(rng, n, far):
    poses = np.tile(np.eye(4), (n, 1, 1))
    poses[:, :3, :3] = Rotation.random(n, random_state=rng.integers(1 << 30)).as_matrix()
    poses[:, :3, 3] = rng.uniform(-far, far, (n, 3))
    return poses


def moved(poses, twist):
    """Poses after a translation, and a rotation about their origins."""
    found = poses.copy()
    found[:, :3, :3] = Rotation.from_rotvec(twist[3:]).as_matrix() @ poses[:, :3, :3]
    found[:, :3, 3] += twist[:3]
    return found


def signed(a, poses_a, b, poses_b):
    return fc.near(a.at(poses_a), b.at(poses_b), within=100)


@pytest.mark.parametrize("name_b", MORE)
@pytest.mark.parametrize("name_a", MORE)
def test_the_sign_is_that_of_intersects_and_the_size_that_of_the_queries_for_it(name_a, name_b):
    a, b, rng = MORE[name_a], MORE[name_b], np.random.default_rng(3)
    if name_a == name_b == "floor":
        with pytest.raises(TypeError, match=r"^two half-spaces touch unless"):
            fc.near(a, b, within=1)
        return
    poses = [poses_of(rng, 20, 1.5) for _ in range(2)]
    found = signed(a, poses[0], b, poses[1])
    assert len(found) == 20
    placed = [x.at(pose) for x, pose in zip((a, b), poses, strict=True)]
    is_solid = {name_a, name_b}.isdisjoint(("rope", "cloud"))
    options = {"solid": True} if is_solid else {}
    try:
        touches = fc.intersects(*placed, **options)
        apart = fc.distance(*placed, **options).distance
    except ValueError:  # what has no use for solid
        touches, apart = fc.intersects(*placed), fc.distance(*placed).distance
    if is_solid:
        np.testing.assert_array_equal(found.distance <= 0.0, touches)
    else:
        assert (found.distance[touches] <= 0.0).all()
    free = found.distance > 0.0
    np.testing.assert_allclose(found.distance[free], np.asarray(apart)[free], atol=1e-12)


@pytest.mark.parametrize("name_b", SHAPES)
@pytest.mark.parametrize("name_a", SHAPES)
def test_gradients_are_those_of_differences_or_of_one_side_where_there_is_a_kink(name_a, name_b):
    a, b, rng = SHAPES[name_a], SHAPES[name_b], np.random.default_rng(7)
    n = max(N // 10, 4)
    poses = [poses_of(rng, n, 1.0) for _ in range(2)]
    found = signed(a, *poses[:1], b, poses[1])
    for side in range(2):
        for k, step in enumerate(STEP * np.eye(6)):
            values = []
            for sign in (1.0, -1.0):
                other = list(poses)
                other[side] = moved(poses[side], sign * step)
                values.append(signed(a, other[0], b, other[1]).distance)
            ahead, behind = (values[0] - found.distance) / STEP, (found.distance - values[1]) / STEP
            low, high = np.sort([ahead, behind], axis=0)
            told = found.gradient[:, side, k]
            assert ((told > low - 1e-3) & (told < high + 1e-3)).all()


def test_moved_by_the_depth_along_the_normal_things_only_touch():
    rng = np.random.default_rng(11)
    poses = [poses_of(rng, 40, 0.4) for _ in range(2)]
    found = signed(SHAPES["box"], poses[0], SHAPES["cone"], poses[1])
    deep = found.distance < 0.0
    assert deep.sum() > 10
    out = poses[1].copy()
    out[:, :3, 3] -= (found.distance * (1 + 1e-6))[:, np.newaxis] * found.normals
    after = signed(SHAPES["box"], poses[0], SHAPES["cone"], out)
    assert (np.abs(after.distance[deep]) < 2e-6).all()


def test_ties_give_one_of_the_gradients_of_either_side():
    cube, ball = fc.Box([2, 2, 2]), fc.Sphere(0.25)
    found = fc.near(cube, ball, within=0)  # six ways out are as short
    assert found.distance.tolist() == [-1.25]
    assert sorted(np.abs(found.normals[0]).round(12).tolist()) == [0, 0, 1]
    touching = fc.near(cube, ball.at((HERE, [0, 0, 1.25])), within=0)
    assert touching.distance.tolist() == [0.0]


def test_what_has_no_inside_is_at_no_distance_where_it_touches():
    leaf = fc.Mesh([[-1, -1, 0], [1, -1, 0], [0, 1, 0]], [[0, 1, 2]])
    found = fc.near(leaf, fc.Sphere(0.5), within=1)
    assert found.distance.tolist() == [0.0]
    assert np.isnan(found.gradient).all()
    inside = fc.near(leaf, fc.Box([9, 9, 9]).mesh, within=1)
    assert inside.distance.tolist() == [0.0]
    assert fc.near(leaf, fc.Sphere(0.5).at((HERE, [0, 0, 2])), within=1.4).distance.size == 0


def test_points_are_as_deep_as_the_deepest_of_them():
    found = fc.near(fc.Points([[0, 0, 0.9], [0, 0, 3]], [0.2, 0.1]), fc.Box([2, 2, 2]), within=1)
    np.testing.assert_allclose(found.distance, [-0.3])
    np.testing.assert_allclose(found.normals, [[0, 0, -1]])
    field = fc.DistanceField.of(fc.Sphere(1), 0.01)
    by_field = fc.near(fc.Points([[0, 0, 0.9]], 0.2), field, within=1)
    np.testing.assert_allclose(by_field.distance, [-0.3], atol=0.03)


def test_batches_have_a_row_for_each_pose():
    there = fc.Sphere(1).at((HERE, [[1.5, 0, 0], [9, 0, 0], [0, 0, 3]]))
    found = fc.near(fc.Sphere(1), there, within=2)
    assert found.starts.tolist() == [0, 1, 1, 2]
    assert found.of(2) == slice(1, 2)
    assert found.least().tolist() == [-0.5, np.inf, 1.0]
    assert found.rows.tolist() == [0, 2]
    with pytest.raises(IndexError, match=r"^row must be below 3, the number of rows; received 3$"):
        found.of(3)
    assert len(fc.near(fc.Sphere(1), fc.Sphere(1).at(np.empty((0, 4, 4))), within=1)) == 0


def test_what_is_wrong_is_told_in_a_sentence():
    ball = fc.Sphere(1)
    with pytest.raises(ValueError, match=r"^within must be a finite number at least 0; received -1"):
        fc.near(ball, ball, within=-1)
    with pytest.raises(ValueError, match=r"^self_contact is for robots"):
        fc.near(ball, ball, within=1, self_contact=True)


def test_a_mesh_with_a_thickness_has_no_depth_for_points_either():
    sheet = fc.Mesh([[-1, -1, 0], [1, -1, 0], [0, 1, 0]], [[0, 1, 2]], thickness=0.2)
    drops = fc.Points([[0, 0, 0.05], [0, 0, 3]], 0.1)
    for a, b in ((sheet, drops), (drops, sheet)):
        found = fc.near(a, b, within=1)
        assert found.distance.tolist() == [0.0]
        assert np.isnan(found.normals).all()


def test_the_deepest_points_of_meshes_are_as_far_apart_along_the_way_out_as_the_depth():
    ring, slab, rng = torus(10, 6, 0.6, 0.24), fc.Box([1.2, 0.5, 0.06]).mesh, np.random.default_rng(7)
    for a, b in ((ring, slab), (ring, ring), (slab, ring)):
        found = signed(a, poses_of(rng, 60, 0.8), b, poses_of(rng, 60, 0.8))
        is_deep = found.distance < 0.0
        assert is_deep.sum() > 5
        along = ((found.points_b - found.points_a) * found.normals).sum(axis=1)
        np.testing.assert_allclose(along[is_deep], found.distance[is_deep], atol=1e-9)
