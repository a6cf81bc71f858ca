"""Contacts with a field over a motion: all within the outer bounds, and proven within the inner ones."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import firstcontact as fc
from when_asked import WhenAsked

HERE, TOLERANCE, N = np.eye(3), 0.02, 12
HALF = np.array([0.7, 0.5, 0.3])
FIELDS = WhenAsked(lambda name: fc.DistanceField.of(SHAPES[name], TOLERANCE, margin=0.5))
SHAPES = {"box": fc.Box(2 * HALF), "ball": fc.Sphere(0.25)}
TIMES = np.linspace(0.0, 1.0, 2001)


def from_box(points):
    """Signed distance of points (..., 3) from the box that the field is of."""
    over = np.abs(points) - HALF
    return np.linalg.norm(over.clip(0.0), axis=-1) + over.max(axis=-1).clip(None, 0.0)


def is_right(found, deep):
    """Compare intervals with how deep a point is at all times, (m,); is anything proven?"""
    outer, inner = (np.zeros(len(TIMES), bool) for _ in range(2))
    for (lower, upper), (part_lower, part_upper), doubt in zip(
        found.touch, found.part, found.doubt, strict=True
    ):
        outer |= (lower <= TIMES) & (part_upper >= TIMES)
        if doubt == 0.0:
            inner |= (upper <= TIMES) & (part_lower >= TIMES)
    assert outer[deep < 0.0].all()
    assert (deep[inner] <= 1e-9).all()
    return inner.any()


@pytest.mark.parametrize("kind", ["shape", "point", "field"])
def test_a_ball_that_passes_by_and_through(kind):
    is_field = kind == "field"
    body = {"shape": SHAPES["ball"], "point": fc.Points([[0, 0, 0]], 0.25)}.get(kind) or FIELDS["ball"]
    rng = np.random.default_rng(1)
    places = rng.normal(size=(N, 3))
    places *= 2.0 / np.linalg.norm(places, axis=1)[:, np.newaxis]
    ways = -2.0 * places + 0.5 * rng.normal(size=(N, 3))
    moving = body.moving(
        (np.tile(HERE, (N, 1, 1)), places), velocity=ways, angular_velocity=rng.normal(size=(N, 3))
    )
    many = fc.contact_intervals(moving, FIELDS["box"])
    proven = 0
    for k in range(N):
        deep = from_box(places[k] + TIMES[:, np.newaxis] * ways[k]) - 0.25
        proven += is_right(many[k], deep)
    assert proven > N // 2
    alone = fc.contact_intervals(body.moving((HERE, places[0]), velocity=ways[0]), FIELDS["box"])
    swapped = fc.contact_intervals(FIELDS["box"], body.moving((HERE, places[0]), velocity=ways[0]))
    if not is_field:
        assert np.array_equal(alone.touch, swapped.touch)


def test_a_box_that_spins_dips_in_again_and_again():
    corners = 0.5 * np.array([[x, y, z] for x in (-1, 1) for y in (-0.4, 0.4) for z in (-0.4, 0.4)])
    spin, place = np.array([0.0, 12.0, 0.0]), np.array([0.0, 0.0, HALF[2] + 0.35])
    for body in (fc.Box([1.0, 0.4, 0.4]), fc.Box([1.0, 0.4, 0.4]).mesh):
        found = fc.contact_intervals(body.moving((HERE, place), angular_velocity=spin), FIELDS["box"])
        turns = Rotation.from_rotvec(TIMES[:, np.newaxis] * spin).as_matrix()
        deep = from_box(np.einsum("tij,cj->tci", turns, corners) + place).min(axis=1)
        assert is_right(found, deep)
        assert len(found) == 4


def test_a_throw_rest_and_nothing():
    thrown = fc.Sphere(0.25).moving((HERE, [0, 0, 1.0]), velocity=[0, 0, -3], acceleration=[0, 0, 6])
    found = fc.contact_intervals(thrown, FIELDS["box"])
    deep = 1.0 - 3.0 * TIMES + 3.0 * TIMES**2 - HALF[2] - 0.25
    assert is_right(found, deep)
    resting = fc.contact_intervals(fc.Sphere(0.25), FIELDS["box"])
    assert (resting.touch[0, 0], resting.part[0, 1], resting.doubt[0]) == (0.0, 1.0, 0.0)
    assert len(fc.contact_intervals(fc.Mesh([], []), FIELDS["box"])) == 0
    far = fc.contact_intervals(fc.Sphere(0.25).at((HERE, [0, 0, 3])), FIELDS["box"])
    assert len(far) == 0


def test_a_tracker_gives_the_plain_answers():
    for a, b in (
        (fc.Sphere(0.25), FIELDS["box"]),
        (FIELDS["box"], fc.Box([0.4, 0.4, 0.4]).mesh),
        (FIELDS["box"], FIELDS["box"]),
    ):
        tracker, pose = fc.Tracker(a, b), np.eye(4)
        for pose[0, 3] in (3.0, 1.5, 0.5):
            assert tracker.distance(pose).distance == fc.distance(a.at(pose), b).distance
            assert tracker.intersects(pose) == fc.intersects(a.at(pose), b)
        assert tracker.first_contact([np.eye(4), pose]).time == 0.0
        with pytest.raises(TypeError, match=r"^penetration knows no fields, and . is one: use contacts"):
            tracker.penetration(pose)


def test_refusals():
    cube = fc.Box([1, 1, 1]).mesh
    with pytest.raises(TypeError, match=r"^contact_intervals is for rigid bodies, and b deforms"):
        fc.contact_intervals(FIELDS["box"], cube.deforming(cube.vertices, cube.vertices + 1.0))
    with pytest.raises(ValueError, match=r"^solid has no meaning for fields"):
        fc.contact_intervals(cube, FIELDS["box"], solid=True)
    with pytest.raises(TypeError, match=r"^contact_intervals of a robot knows no fields, and b is one"):
        fc.contact_intervals(fc.Robot({"a": fc.Sphere(1)}, []).at([]), FIELDS["box"])
