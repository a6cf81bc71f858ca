"""When bodies touch and part: closed forms, samples, and what is degenerate."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import firstcontact as fc
from samples import sample

HERE = np.eye(3)
CUBE = fc.Box([1, 1, 1])
N = sample(12, 400)


def at(x, y=0.0, z=0.0):
    return HERE, [x, y, z]


def brackets(found, truth, width=1e-4):
    """Are these intervals those of the truth, (k, 2), within brackets that are not wide?"""
    assert len(found.touch) == len(truth)
    for column, bounds in enumerate((found.touch, found.part)):
        assert (bounds[:, 0] <= truth[:, column] + 1e-12).all()
        assert (truth[:, column] <= bounds[:, 1] + 1e-12).all()
        assert (bounds[:, 1] - bounds[:, 0] <= width).all()
    assert found.is_proven.all()
    assert (found.touch[:, 1] <= found.part[:, 0]).all()


@pytest.mark.parametrize("b", [fc.Sphere(1), fc.ConvexHull(fc.Sphere(1).mesh.vertices)], ids=["ball", "hull"])
def test_a_ball_goes_through_a_ball(b):
    through = fc.Sphere(1).moving(at(-4, 1), velocity=[8, 0, 0])
    half = np.sqrt(3) / 8
    if isinstance(b, fc.Sphere):
        brackets(fc.contact_intervals(through, b), np.array([[0.5 - half, 0.5 + half]]), 1e-6)
    else:
        assert len(fc.contact_intervals(through, b)) == 1


@pytest.mark.parametrize("kinds", [(0, 0), (0, 1), (1, 0), (1, 1)])
def test_a_square_turns_against_a_wall(kinds):
    """Its corners reach 1.3 between two angles of each quarter turn."""
    square, wall = fc.Box([2, 2, 1]), fc.Box([1, 9, 9])
    square, wall = square.mesh if kinds[0] else square, wall.mesh if kinds[1] else wall
    turning = square.moving(np.eye(4), angular_velocity=[0, 0, 3 * np.pi])
    found = fc.contact_intervals(turning, wall.at(at(1.8)))
    half = np.arccos(1.3 / np.sqrt(2))
    middles = np.pi / 4 + np.pi / 2 * np.arange(6)
    brackets(found, np.stack([middles - half, middles + half], axis=1) / (3 * np.pi), 1e-4)
    assert not found.doubt.any()


def test_a_cam_lifts_its_follower():
    """A disc about a point off its middle touches a ball above while its top is higher than that."""
    off, gap = 0.25, 0.1
    turning = fc.Cylinder(1.0, 0.5).moving(at(-off), angular_velocity=[0, 0, 2 * np.pi], center=[off, 0, 0])
    found = fc.contact_intervals(turning, fc.Sphere(0.2).at(at(0, 1.2 + gap)))
    # The middle of the disc, -off (cos u, sin u), is within 1.2 of the ball's at a height of 1.3.
    sine = (1.2**2 - off**2 - 1.3**2) / (2 * off * 1.3)
    turn = np.pi - np.arcsin(sine)
    brackets(found, np.array([[turn, 3 * np.pi - turn]]) / (2 * np.pi), 1e-4)


def test_a_throw_dips_into_a_pool_twice():
    """Down, out, and back: a ball below a level while its parabola is."""
    thrown = fc.Sphere(0.5).moving(at(0, 0, 0.6), velocity=[0, 0, -4], acceleration=[0, 0, 8])
    pool = fc.Box([9, 9, 2]).at(at(0, 0, -1))
    roots = np.sort(np.roots([4, -4, 0.1]))
    brackets(fc.contact_intervals(thrown, pool), roots[np.newaxis], 1e-4)
    brackets(fc.contact_intervals(thrown, fc.Box([9, 9, 2]).mesh.at(at(0, 0, -1))), roots[np.newaxis], 1e-4)


def test_what_touches_from_the_start_to_the_end():
    deep = fc.contact_intervals(CUBE.moving(np.eye(4), velocity=[0.1, 0, 0]), CUBE)
    assert list(deep) == [((0, 0), (1, 1))]
    still = fc.contact_intervals(CUBE, CUBE.at(at(0.5)))
    assert list(still) == [((0, 0), (1, 1))]
    assert list(fc.contact_intervals(CUBE, CUBE.at(at(2)))) == []
    assert repr(deep) == "ContactIntervals(0 to 1)"


def test_what_slides_is_not_proven():
    sliding = fc.contact_intervals(CUBE.moving(at(0, 1), velocity=[0.5, 0, 0]), CUBE)
    assert list(sliding) == [((0, 1), (0, 1))]
    assert not sliding.is_proven.any()


def test_no_faces_and_no_motions():
    assert len(fc.contact_intervals(CUBE.moving(np.eye(4), velocity=[1, 0, 0]), fc.Mesh([], []))) == 0
    assert len(fc.contact_intervals(CUBE.at(np.empty((0, 4, 4))), CUBE)) == 0


def test_solids_are_in_contact_while_one_is_inside():
    small, large = fc.Box([1, 1, 1]).mesh, fc.Box([4, 4, 4]).mesh
    through = small.moving(at(-5, 0.1, 0.2), velocity=[10, 0, 0])
    truth = np.array([[2.5, 3.5], [6.5, 7.5]]) / 10
    surfaces = fc.contact_intervals(through, large)
    brackets(surfaces, truth, 1e-3)
    for one, other in ((through, large), (CUBE.moving(at(-5, 0.1, 0.2), velocity=[10, 0, 0]), large)):
        solids = fc.contact_intervals(one, other, solid=True)
        brackets(solids, np.array([[0.25, 0.75]]), 1e-3)
        assert solids.doubt[0] < 1e-3
    inside = fc.contact_intervals(small.moving(np.eye(4), velocity=[0.5, 0, 0]), large, solid=True)
    assert list(inside) == [((0, 0), (1, 1))]
    with pytest.raises(ValueError, match=r"^solid=True needs closed meshes; a has 3 open edges$"):
        fc.contact_intervals(fc.Mesh(np.eye(3), [[0, 1, 2]]), large, solid=True)


SHAPES = {
    "box": fc.Box([1, 2, 0.5]),
    "cylinder": fc.Cylinder(0.5, 1),
    "hull": fc.ConvexHull(np.random.default_rng(5).normal(size=(20, 3)) * 0.6),
    "box mesh": fc.Box([1, 1.7, 1.5]).mesh,
    "soup": fc.Mesh(np.random.default_rng(6).normal(size=(12, 3)), np.arange(12).reshape(4, 3)),
}


@pytest.mark.parametrize("kind", ["turning", "thrown"])
@pytest.mark.parametrize(
    ("a", "b"), [("box", "hull"), ("cylinder", "box mesh"), ("box mesh", "soup"), ("soup", "hull")]
)
def test_samples_agree(a, b, kind):
    """No contact is outside the outer bounds, and none is missing within the inner ones."""
    rng = np.random.default_rng(8)
    turns, places = Rotation.random(N, random_state=1).as_matrix(), rng.normal(size=(N, 3)) * 1.5
    more = {"acceleration": rng.normal(size=(N, 3)) * 6} if kind == "thrown" else {}
    velocity = rng.normal(size=(N, 3)) * 3
    moving = SHAPES[a].moving(
        (turns, places), velocity=velocity, angular_velocity=rng.normal(size=(N, 3)) * 4, **more
    )
    found = fc.contact_intervals(moving, SHAPES[b], tolerance=1e-5)
    times = np.linspace(0, 1, 201)
    distances = fc.clearance(moving, SHAPES[b]).profile(201).distances
    assert len(found) == N
    for own, row in zip(found, distances, strict=True):
        is_out, is_in = np.ones(201, bool), np.zeros(201, bool)
        for k, ((touch, proven), (lasts, part)) in enumerate(own):
            is_out &= ~((touch <= times) & (times <= part))
            if own.is_proven[k] and own.doubt[k] == 0.0:
                is_in |= (proven <= times) & (times <= lasts)
        assert (row[is_out] > 0).all()
        assert (row[is_in] < 1e-9).all()


def test_one_of_a_batch_is_the_one_alone():
    speeds = [[8, 0, 0], [0, 8, 0], [4, 0, 0]]
    found = fc.contact_intervals(CUBE.moving(at(-4), velocity=speeds), CUBE)
    assert found.offsets.tolist() == [0, 1, 1, 2]
    for k in range(3):
        assert list(found[k]) == list(fc.contact_intervals(CUBE.moving(at(-4), velocity=speeds[k]), CUBE))
    assert repr(found) == "ContactIntervals(3 motions, 2 intervals)"


def test_a_contact_ends_before_a_leg_at_rest():
    """Grazing is not proven, and over before the leg in which nothing moves, far above."""
    places = np.array([[0, 0, 2], [1, 0, 2], [1.05, 0, 2.01], [1.05, 0, 2.01]])
    path = fc.Sphere(1).along((np.tile(HERE, (4, 1, 1)), places), [0, 0.5, 0.50005, 1])
    found = fc.contact_intervals(path, fc.Box([10, 10, 2]))
    assert found.part[-1, 1] <= 0.50005


def test_fast_sliding_some_tolerances_deep_takes_no_longer_than_slow():
    """It would take half a thousand million steps; what is left out is in doubt, and little at either end."""
    sliding = fc.Sphere(1).moving(at(-2, 0, 2 - 4e-6), velocity=[2000, 0, 0])
    found = fc.contact_intervals(sliding, fc.Box([5000, 10, 2]))
    (touch, part) = found[0]
    assert len(found) == 1
    assert found.is_proven.all()
    assert touch == (0, 0)
    assert part[1] == 1
    assert part[0] > 0.999
    assert 0 < found.doubt[0] < 1
