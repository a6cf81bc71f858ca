"""The least signed distance of plain things over motions: against samples, differences and closed forms."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import firstcontact as fc
from firstcontact.motions.poses_then import poses_then
from queries.test_near import MORE, SHAPES, moved, poses_of
from queries.test_registry import BALL, FIELDS, ROPE, TETRA
from samples import sample

HERE = np.eye(3)
N = sample(6, 100)
ROUNDED = 1e-9

PASSING = BALL.moving((HERE, [-4, 0.7, 0]), velocity=[8, 0, 0])


def test_a_ball_that_passes_another_is_as_deep_as_it_gets_half_way():
    found = fc.near(PASSING, BALL, within=1, tolerance=1e-6)
    assert isinstance(found, fc.NearPaths)
    assert (found.a, found.b, found.starts.tolist()) == (["a"], ["b"], [0, 1])
    assert found.distance[0] == pytest.approx(-0.3, abs=1e-6)
    assert found.distance_lower[0] <= -0.3 <= found.distance[0] + 1e-12
    assert found.time[0] == pytest.approx(0.5, abs=1e-3)
    np.testing.assert_allclose(found.normals, [[0, -1, 0]], atol=1e-3)
    # Both ends are moved down by d: so is the middle. One alone: half of it.
    np.testing.assert_allclose(found.gradient[0, :, 0, 1], [0.5, 0.5], atol=1e-3)
    np.testing.assert_allclose(found.gradient[0, :, 1, 1], [-0.5, -0.5], atol=1e-3)


@pytest.mark.parametrize("name_b", MORE)
@pytest.mark.parametrize("name_a", MORE)
def test_no_sample_is_nearer_than_the_bracket(name_a, name_b):
    if name_a == name_b == "floor":
        return
    a, b, rng = MORE[name_a], MORE[name_b], np.random.default_rng(17)
    ends = [poses_of(rng, N, 2.5) for _ in range(3)]
    one, other = a.moving(ends[0], ends[1]), b.at(ends[2])
    found = fc.near(one, other, within=9, tolerance=0.01)
    assert found.rows.tolist() == list(range(N))
    assert (found.distance_lower <= found.distance).all()
    is_apart = found.distance_lower > 0.0
    assert (found.distance - found.distance_lower)[is_apart].max(initial=0.0) <= 0.01 + ROUNDED
    for t in np.linspace(0, 1, 17):
        seen = fc.near(a.at(one.pose(t)), other, within=99).distance
        assert (seen >= found.distance_lower - ROUNDED).all()
    for i, t in enumerate(found.time):
        then = fc.near(a.at(one.pose(t)[i]), b.at(ends[2][i]), within=99)
        assert then.distance[0] == pytest.approx(found.distance[i], abs=ROUNDED)


def test_a_batch_is_what_its_motions_are_one_by_one():
    rng = np.random.default_rng(2)
    start, end = poses_of(rng, 5, 2.0), poses_of(rng, 5, 2.0)
    box = fc.Box([1, 2, 0.5])
    many = fc.near(box.moving(start, end), BALL, within=9, tolerance=1e-4)
    for i in range(5):
        one = fc.near(box.moving(start[i], end[i]), BALL, within=9, tolerance=1e-4)
        np.testing.assert_allclose(one.distance, many.distance[many.of(i)], atol=1e-4)
        np.testing.assert_allclose(one.gradient, many.gradient[many.of(i)], atol=0.02)
    nothing = fc.near(box.moving(np.empty((0, 4, 4)), np.empty((0, 4, 4))), BALL, within=1, tolerance=1)
    assert (len(nothing), nothing.gradient.shape) == (0, (0, 2, 2, 6))
    assert nothing.starts.tolist() == [0]


def between(values, step):
    """The slopes to both sides, the lesser one first."""
    ahead, behind = (values[1] - values[0]) / step, (values[0] - values[2]) / step
    return np.sort([ahead, behind], axis=0)


@pytest.mark.parametrize("name_b", ["ball", "box", "cone"])
@pytest.mark.parametrize("name_a", ["ball", "box", "compound"])
def test_gradients_are_those_of_both_ends_at_the_time_that_is_told(name_a, name_b):
    a, b, rng, step = SHAPES[name_a], SHAPES[name_b], np.random.default_rng(4), 1e-6
    n = max(N, 12)
    ends = [poses_of(rng, n, 1.5) for _ in range(4)]
    found = fc.near(a.moving(ends[0], ends[1]), b.moving(ends[2], ends[3]), within=99, tolerance=1e-3)
    assert found.gradient.shape == (n, 2, 2, 6)

    def then(at):
        poses = (poses_then(x.moving(*y).rigid, found.time) for x, y in ((a, at[:2]), (b, at[2:])))
        return fc.near(*(x.at(pose) for x, pose in zip((a, b), poses, strict=True)), within=99).distance

    for side in range(4):
        for k, twist in enumerate(step * np.eye(6)):
            values = [then(ends)]
            for sign in (1.0, -1.0):
                other = list(ends)
                other[side] = moved(ends[side], sign * twist)
                values.append(then(other))
            low, high = between(values, step)
            told = found.gradient[:, side % 2, side // 2, k]
            assert ((told > low - 1e-3) & (told < high + 1e-3)).all()


def test_where_things_stay_apart_gradients_are_those_of_the_least():
    a, b, rng, step = SHAPES["ball"], SHAPES["cone"], np.random.default_rng(8), 1e-3
    ends = [poses_of(rng, 12, 1.5) for _ in range(4)]
    ends[2][:, 0, 3] += 6.0
    ends[3][:, 0, 3] += 6.0

    def told(at):
        return fc.near(a.moving(at[0], at[1]), b.moving(at[2], at[3]), within=99, tolerance=1e-7)

    found = told(ends)
    assert found.distance.min() > 0.5
    for side in range(4):
        for k, twist in enumerate(step * np.eye(6)):
            values = [found.distance]
            for sign in (1.0, -1.0):
                other = list(ends)
                other[side] = moved(ends[side], sign * twist)
                values.append(told(other).distance)
            low, high = between(values, step)
            slopes = found.gradient[:, side % 2, side // 2, k]
            assert ((slopes > low - 0.01) & (slopes < high + 0.01)).all()


def test_splines_throws_and_what_deforms_are_bracketed_too():
    through = np.tile(HERE, (3, 1, 1)), [[-2, 0, 0.9], [0, 0, 0.4], [2, 0, 1.2]]
    ways = [
        BALL.along(fc.Spline([0, 0.5, 1], through)),
        BALL.moving((HERE, [-2, 0, 2]), (HERE, [2, 0, 2]), acceleration=[0, 0, 13]),
        fc.Capsule(0.2, 1).along(np.stack([np.eye(4)] * 2), [0, 1]),
    ]
    for way in ways:
        found = fc.near(way, fc.Box([1, 1, 0.5]), within=1, tolerance=1e-3)
        seen = [
            fc.near(way.shape.at(way.pose(t)), fc.Box([1, 1, 0.5]), within=9) for t in np.linspace(0, 1, 33)
        ]
        least = min(one.distance[0] for one in seen)
        assert found.distance_lower[0] <= least <= found.distance[0] + 0.02
        assert found.distance[0] - found.distance_lower[0] < 2e-3
        assert not np.isnan(found.gradient).any()
    sinking = TETRA.deforming(TETRA.vertices + np.array([0, 0, 4]), TETRA.vertices + np.array([0, 0, 1.6]))
    found = fc.near(sinking, fc.Box([4, 4, 2]), within=1, tolerance=1e-3)
    np.testing.assert_allclose([found.distance[0], found.time[0]], [-0.4, 1.0], atol=1e-3)
    assert found.distance_lower[0] >= -0.402
    np.testing.assert_allclose(found.gradient[0, :, 0, 2], [0, 1], atol=1e-3)
    pair = fc.Compound([BALL, BALL.at((HERE, [0, 0, 1]))])
    by_parts = fc.near(sinking, pair.at((HERE, [0, 0, -0.5])), within=9, tolerance=1e-3)
    assert by_parts.distance_lower[0] <= by_parts.distance[0] < 0.2


def test_what_has_no_inside_is_never_below_0():
    rope = ROPE.moving((HERE, [-3, 0, 0]), velocity=[6, 0, 0])
    for other in (BALL, fc.Box([1, 1, 1]).mesh, FIELDS[BALL]):
        found = fc.near(rope, other, within=1)
        assert found.distance.tolist() == found.distance_lower.tolist() == [0.0]
        assert np.isnan(found.gradient).all()
    inside = fc.near(rope, fc.Box([99, 99, 99]).mesh, within=1)
    assert inside.distance.tolist() == [0.0]
    drops = fc.Points([[0, 0, 0]], 0.1).moving((HERE, [-3, 0.5, 0]), velocity=[6, 0, 0])
    field = fc.near(drops, FIELDS[fc.Sphere(1)], within=1)
    assert field.distance_lower[0] <= -0.6 <= field.distance[0] + 0.2


def test_a_tolerance_gives_brackets_also_of_what_rests():
    found = fc.near(BALL, BALL.at((HERE, [0.6, 0, 0])), within=1, tolerance=1e-3)
    assert isinstance(found, fc.NearPaths)
    assert found.distance.tolist() == pytest.approx([-0.4])
    assert found.distance_lower[0] == pytest.approx(-0.4, abs=1e-9)
    assert fc.near(PASSING, fc.Mesh([], []), within=1).distance.size == 0
    assert fc.near(PASSING, BALL.at((HERE, [0, 9, 0])), within=1).distance.size == 0


def test_what_is_wrong_is_told_in_a_sentence():
    many = BALL.moving((HERE, np.zeros((2, 3))), velocity=[1, 0, 0])
    bent = TETRA.deforming(TETRA.vertices, TETRA.vertices + 1)
    with pytest.raises(ValueError, match=r"^near of what deforms over a motion takes one motion"):
        fc.near(bent, many, within=1)
    with pytest.raises(ValueError, match=r"^tolerance must be"):
        fc.near(PASSING, BALL, within=1, tolerance=np.nan)
    with pytest.raises(ValueError, match=r"^batches must have the same length; a has 2 motions and b has 3$"):
        fc.near(many, BALL.at((HERE, np.zeros((3, 3)))), within=1)
    turned = Rotation.from_euler("z", 90, degrees=True).as_matrix()
    spun = BALL.moving((HERE, [2, 0, 0]), (turned, [2, 0, 0]))
    assert fc.near(spun, BALL, within=2).distance[0] == 1.0
