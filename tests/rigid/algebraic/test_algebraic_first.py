"""First contacts by algebra: against fractions, in known cases, and as the referee of all methods."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import firstcontact as fc
from oracles.quaternion_motion import cross_at
from samples import sample

TETRAHEDRON = fc.Mesh(
    [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]
)
LEAF = fc.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
MESHES = {"leaf": LEAF, "tetrahedron": TETRAHEDRON, "box": fc.Box([1, 2, 0.5]).mesh}
METHODS = ("c2a", "c2a-2009", "ca")


def motions(seed, one, other, n):
    rng = np.random.default_rng(seed)
    turns = np.random.RandomState(seed)
    ends = [
        (Rotation.random(n, random_state=turns).as_matrix(), rng.normal(size=(n, 3)) * 1.2) for _ in range(4)
    ]
    a = one.moving(ends[0], ends[1], path="quaternion")
    return a, other.moving(ends[2], ends[3], path="quaternion") if seed % 2 else other.at(ends[2])


@pytest.mark.parametrize("seed", range(sample(8, of=200)))
def test_surfaces_cross_after_and_not_before(seed):
    a, b = motions(seed, TETRAHEDRON, (LEAF, TETRAHEDRON)[seed % 2], 1)
    found = fc.first_contacts(a, b, method="algebraic")
    time = float(found.time[0])
    if time == 0.0:
        assert cross_at(a, b, Fraction(0))
        return
    assert not any(cross_at(a, b, Fraction(min(time, 1.0)) * k / 12) for k in range(12))
    if time < 1.0:
        after = [Fraction(time) + Fraction(1, 10**k) for k in (3, 5, 8, 12)]
        assert any(cross_at(a, b, t) for t in after if t <= 1)


def test_a_translation_is_not_rounded_by_the_center_of_the_body():
    # Its center is at thirds, and one of its corners is at (1, 0, 0), the end of the needle.
    leaf = fc.Mesh([[-3, 3, 1], [2, 2, -1], [3, 1, 1]], [[0, 1, 2]])
    needle = fc.Mesh([[-1, -1, 0], [1, 0, 0], [-3, -2, 0]], [[0, 1, 2]])
    for velocity in ([0, 0, 0], [12, -7, 9]):
        start = leaf.moving((np.eye(3), [4, -3, -1]), velocity=velocity)
        assert fc.first_contact(start, needle, method="algebraic").status == fc.Status.CONTACT_AT_START
    coming = leaf.moving((np.eye(3), [5, -3, -1]), velocity=[-2, 0, 0])
    later = fc.first_contact(coming, needle, method="algebraic")
    assert later.time == 0.5


@pytest.mark.parametrize(("one", "other"), list(product(MESHES, MESHES))[:: sample(4, of=1)])
def test_no_method_is_late(one, other):
    n = sample(6, of=300)
    for seed in (1, 2):
        a, b = motions(seed, MESHES[one], MESHES[other], n)
        truth = fc.first_contacts(a, b, method="algebraic")
        for method in METHODS:
            found = fc.first_contacts(a, b, method=method)
            assert (found.time <= truth.time_upper).all()
            assert (found.time_upper >= truth.time).all()
            near = np.isfinite(found.time) & np.isfinite(truth.time)
            assert (truth.time[near] - found.time[near] < 1e-4).all()


def test_hulls_are_not_late_either():
    a, b = motions(3, TETRAHEDRON, TETRAHEDRON, sample(20, of=500))
    truth = fc.first_contacts(a, b, method="algebraic")
    solid = fc.ConvexHull(TETRAHEDRON.vertices)
    others = [fc.Moving(solid, thing.motion) for thing in (a, b)]
    assert (fc.first_contacts(*others).time <= truth.time_upper).all()
    assert (fc.first_contacts(others[0], b).time <= truth.time_upper).all()


def test_a_time_that_is_a_double_is_told_as_it_is():
    there = np.eye(4)
    there[0, 3] = -4.0
    straight = TETRAHEDRON.moving(there, np.eye(4), path="quaternion", center=[0, 0, 0])
    wall = fc.Mesh([[-1, -9, -9], [-1, 9, -9], [-1, 0, 9]], [[0, 1, 2]])
    found = fc.first_contact(straight, wall, method="algebraic")
    assert (found.time, found.time_upper - found.time) == (0.5, 2.0**-53)
    assert len(found.points) >= 1
    assert fc.safe_step(straight, wall, method="algebraic") == 0.5
    assert not fc.is_free(straight, wall, method="algebraic")


def test_sliding_in_a_plane_and_turning_in_it():
    start, end = np.eye(4), np.eye(4)
    start[:2, 3] = -3.0, 0.25
    end[:2, 3] = 1.0, 0.25
    slide = LEAF.moving(start, end, path="quaternion", center=[0, 0, 0])
    assert fc.first_contact(slide, LEAF, method="algebraic").time == 0.5
    turn = np.eye(4)
    turn[:3, :3] = [[0, -1, 0], [1, 0, 0], [0, 0, 1]]
    fan = LEAF.moving(np.eye(4), turn, path="quaternion", center=[0, 0, 0])
    other = fc.Mesh([[-1, 0.5, 0], [-2, 2, 0], [-0.5, 2, 0]], [[0, 1, 2]])
    found = fc.first_contact(fan, other, method="algebraic")
    assert found.status == fc.Status.SEPARATED
    touching = fc.Mesh([[-0.5, 0.5, 0], [-2, 2, 0], [-0.5, 2, 0]], [[0, 1, 2]])
    corner = fc.first_contact(fan, touching, method="algebraic")
    # Its tip is at x = -1/2 after a turn by 30 degrees.
    half, h = np.tan(np.pi / 12), np.sqrt(0.5)
    assert np.isclose(corner.time, half / (h + half * (1 - h)), rtol=1e-14)


def test_in_contact_at_the_start():
    for offset in ([0.2, 0.2, 0.2], [1, 0, 0], [0, 0, 0]):
        rest = TETRAHEDRON.at((np.eye(3), offset))
        found = fc.first_contact(
            TETRAHEDRON.moving(np.eye(4), np.eye(4), path="quaternion"), rest, method="algebraic"
        )
        assert (found.status, found.time, found.time_upper) == (fc.Status.CONTACT_AT_START, 0.0, 0.0)
    inside = TETRAHEDRON.at((np.eye(3), [0.1, 0.1, 0.1]))
    small = fc.Mesh(TETRAHEDRON.vertices * 0.1, TETRAHEDRON.faces)
    around = small.at((np.eye(3), [0.1, 0.1, 0.1]))
    assert fc.first_contact(around, TETRAHEDRON, method="algebraic").status == fc.Status.SEPARATED
    assert fc.first_contact(around, TETRAHEDRON, method="algebraic", solid=True).time == 0.0
    assert fc.first_contact(inside, TETRAHEDRON, method="algebraic").time == 0.0


def test_thousands_of_triangles():
    ball = fc.Sphere(1.0).mesh
    assert len(ball.faces) > 500
    rng = np.random.RandomState(4)
    turns = Rotation.random(2, random_state=rng).as_matrix()
    moving = ball.moving((turns[0], [-3, 0.4, 0.1]), (turns[1], [0.5, 0.1, 0]), path="quaternion")
    found = fc.first_contact(moving, ball, method="algebraic")
    quick = fc.first_contact(moving, ball)
    assert quick.time <= found.time <= quick.time_upper
    assert found.stats.triangle_tests < 20_000


def test_what_it_does_not_take():
    turning = LEAF.moving(np.eye(4), angular_velocity=[0, 0, 1])
    with pytest.raises(ValueError, match=r'^b must stand still.*path="quaternion" for method="algebraic"$'):
        fc.first_contact(LEAF, turning, method="algebraic")
    with pytest.raises(ValueError, match="no use for min_separation"):
        fc.first_contact(LEAF, LEAF, method="algebraic", min_separation=0.1)
    with pytest.raises(ValueError, match="no use for max_iterations"):
        fc.first_contact(LEAF, LEAF, method="algebraic", max_iterations=5)
    with pytest.raises(ValueError, match="a must have no radius"):
        fc.first_contact(fc.Points([[0, 0, 0]], 0.1), LEAF, method="algebraic")
    with pytest.raises(ValueError, match=r"method must be .*'algebraic'"):
        fc.first_contact(LEAF, LEAF, method="algebra")
    nobody = fc.Mesh(np.empty((0, 3)), np.empty((0, 3), int))
    assert fc.first_contact(nobody, LEAF, method="algebraic").status == fc.Status.SEPARATED
