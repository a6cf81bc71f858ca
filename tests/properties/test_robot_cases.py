"""Paths of robots whose first contacts are known: wires, grazing, sliding, ends of the path, many turns."""

import warnings

import numpy as np
import pytest

import firstcontact as fc
from firstcontact.status import Status
from poses import at

every_method = pytest.mark.parametrize("method", ["subdivision", "advancement"])

ALONG_X = np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])

# An L-shaped sheet with two sides: closed, flat, and not convex.
CORNER = np.array([[0, 0, 0], [2, 0, 0], [2, 1, 0], [1, 1, 0], [1, 2, 0], [0, 2, 0]], float)
CORNER_FACES = [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]]
TWO_SIDED = fc.Mesh(CORNER, CORNER_FACES + [face[::-1] for face in CORNER_FACES])


def arm(*parts, kind="revolute", axis=(0.0, 0.0, 1.0), **others):
    """A robot of one joint at the origin."""
    return fc.Robot({"base": (), "arm": parts}, [fc.Joint("joint", kind, "base", "arm", axis=axis, **others)])


def blade(radius=0.0005):
    """An arm of one metre, as thin as a wire."""
    return arm(fc.Capsule(radius, 1.0).at((ALONG_X, [0.5, 0.0, 0.0])))


def wire(angle, radius=0.0005, away=0.9):
    """Upright, a metre long."""
    return fc.Capsule(radius, 1.0).at(at(away * np.cos(angle), away * np.sin(angle)))


def slider(part=None):
    """A box of side 1, or another thing, on a rail along the first axis."""
    return arm(fc.Box([1.0, 1.0, 1.0]) if part is None else part, kind="prismatic", axis=(1.0, 0.0, 0.0))


@every_method
@pytest.mark.parametrize("degrees", [10.5, 45.5, 89.5])
def test_a_wire_that_samples_miss(method, degrees):
    robot, thin = blade(), wire(np.radians(degrees))
    samples = robot.at(np.radians(np.arange(91.0))[:, None])
    assert not np.any(fc.intersects(samples, thin))
    path = robot.moving([0.0], [np.pi / 2])
    hit = fc.first_contact(path, thin, tolerance=1e-7, method=method)
    touching = (np.radians(degrees) - np.arcsin(0.001 / 0.9)) / (np.pi / 2)
    assert touching - 1e-6 < hit.time <= touching
    assert hit.time <= hit.time_upper
    assert (hit.a, hit.b) == ("arm", "world")
    assert not fc.is_free(path, thin, method=method)


@every_method
def test_a_wire_behind_the_reach_is_free(method):
    path = blade().moving([0.0], [np.pi / 2])
    beyond = wire(0.7, away=1.0 + 0.001 + 1e-5)
    free = fc.first_contact(path, beyond, tolerance=1e-7, method=method)
    assert not free
    assert free.status == Status.SEPARATED
    assert free.certificate.verify()
    assert fc.is_free(path, beyond, method=method)
    hit = fc.first_contact(path, wire(0.7, away=1.0 + 0.001 - 1e-9), tolerance=1e-7, method=method)
    assert 0.0 < hit.time <= 0.7 / (np.pi / 2)


@every_method
def test_a_hundred_turns(method):
    robot = arm(fc.Box([1.0, 0.1, 0.1]).at(at(0.5)))
    path = robot.moving([0.0], [200.0 * np.pi])
    corner = np.hypot(1.0, 0.05)
    beyond = fc.Sphere(0.1).at(at(0.0, corner + 0.1 + 1e-3))
    assert fc.is_free(path, beyond, method=method)
    assert fc.first_contact(path, beyond, method=method).certificate.verify()
    later = fc.Sphere(0.1).moving(at(0.0, corner + 0.1 + 1e-3), at(0.0, corner + 0.1 - 1e-3))
    hit = fc.first_contact(path, later, tolerance=1e-7, method=method)
    assert 0.5 < hit.time < 0.515  # the first corner that comes by afterwards
    assert fc.first_contact(robot.moving([0.0], [-200.0 * np.pi]), beyond, method=method).time == np.inf


@every_method
def test_contact_at_the_very_start(method):
    wall = fc.Box([1.0, 9.0, 9.0]).at(at(1.0))
    for way in (0.0, 1.0, -1.0):
        hit = fc.first_contact(slider().moving([0.0], [way]), wall, method=method)
        assert hit.time == 0.0
        assert hit.status == Status.CONTACT_AT_START
        assert not fc.is_free(slider().moving([0.0], [way]), wall, method=method)


@every_method
def test_contact_at_the_very_end(method):
    wall = fc.Box([1.0, 9.0, 9.0]).at(at(2.0))
    hit = fc.first_contact(slider().moving([0.0], [1.0]), wall, tolerance=1e-9, method=method)
    assert 1.0 - 1e-8 < hit.time <= 1.0
    assert not fc.is_free(slider().moving([0.0], [1.0]), wall, method=method)
    assert fc.is_free(slider().moving([0.0], [1.0 - 1e-5]), wall, tolerance=1e-6, method=method)


@every_method
@pytest.mark.parametrize("gap", [1e-2, 1e-4, 1e-6])
def test_sliding_along_a_wall_at_a_distance(method, gap):
    table = fc.Box([20.0, 9.0, 1.0]).at(at(z=-1.0 - gap))
    path = slider().moving([-5.0], [5.0])
    free = fc.first_contact(path, table, tolerance=gap / 8, method=method)
    assert not free
    assert free.certificate.verify()
    assert fc.first_contact(path, table, tolerance=gap / 8, min_separation=gap, method=method).time == 0.0
    assert (
        fc.first_contact(path, table, tolerance=gap / 8, min_separation=gap / 2, method=method).time == np.inf
    )


@every_method
def test_sliding_in_touch(method):
    table = fc.Box([20.0, 9.0, 1.0]).at(at(z=-1.0))
    assert fc.first_contact(slider().moving([-5.0], [5.0]), table, method=method).time == 0.0


@every_method
@pytest.mark.parametrize("gap", [1e-3, 1e-6, -1e-9])
def test_grazing(method, gap):
    robot = arm(fc.Sphere(0.1).at(at(1.0)))
    ball = fc.Sphere(0.2).at(at(0.0, 1.3 + gap))
    found = fc.first_contact(robot.moving([0.0], [np.pi]), ball, tolerance=1e-7, method=method)
    if gap > 0.0:
        assert not found
        assert found.certificate.verify()
    else:
        assert 0.0 < found.time <= 0.5


@every_method
@pytest.mark.parametrize("tolerance", [1e-3, 1e-6, 1e-9])
def test_a_contact_across_the_way_is_placed_where_it_is(method, tolerance):
    """What passes at right angles to the gap, and touches in the very middle of the path."""
    ball, path = fc.Sphere(0.5), slider(fc.Sphere(0.5).at(at(z=1.0))).moving([-1.0], [1.0])
    hit = fc.first_contact(path, ball, tolerance=tolerance, method=method)
    way = 2.0 * hit.time - 1.0
    assert way <= 0.0
    assert np.hypot(way, 1.0) - 1.0 <= tolerance


@every_method
def test_no_motion_at_all(method):
    robot = slider()
    still = robot.moving([0.5], [0.5])
    far, near = fc.Sphere(1.0).at(at(5.0)), fc.Sphere(1.0).at(at(1.5))
    assert fc.is_free(still, far, method=method)
    assert fc.first_contact(robot.at([0.5]), near, method=method).time == 0.0
    coming = fc.Sphere(1.0).moving(at(5.0), velocity=[-5.0, 0.0, 0.0])
    assert fc.first_contact(still, coming, tolerance=1e-9, method=method).time == pytest.approx(0.6)


@every_method
def test_a_robot_without_joints(method):
    statue = fc.Robot({"base": fc.Box([1.0, 1.0, 1.0])}, [])
    coming = fc.Sphere(1.0).moving(at(5.0), velocity=[-5.0, 0.0, 0.0])
    hit = fc.first_contact(statue.at([]), coming, tolerance=1e-9, method=method)
    assert hit.time == pytest.approx(0.7)
    assert fc.is_free(statue.at([]), fc.Sphere(1.0).at(at(5.0)), self_contact=True, method=method)


@every_method
def test_nothing_in_the_way(method):
    path = slider().moving([0.0], [1.0])
    for obstacles in (
        None,
        fc.Scene(),
        fc.Mesh([], []),
        fc.Mesh([], []).moving(np.eye(4), velocity=[1, 0, 0]),
    ):
        free = fc.first_contact(path, obstacles, self_contact=True, method=method)
        assert not free
        assert free.certificate.verify()
        assert fc.is_free(path, obstacles, self_contact=True, method=method)


@every_method
def test_links_without_volume(method):
    wall = fc.Box([1.0, 9.0, 9.0]).at(at(2.0))
    point, segment = (
        fc.ConvexHull([[0.5, 0, 0]], flat=True),
        fc.ConvexHull([[0.5, 0, 0], [0, 0, 1]], flat=True),
    )
    needle = fc.Mesh([[0.5, 0, 0], [0, 0, 1], [0, 0, 1]], [[0, 1, 2]])
    for thing in (point, segment, needle):
        hit = fc.first_contact(slider(thing).moving([0.0], [2.0]), wall, tolerance=1e-9, method=method)
        assert hit.time == pytest.approx(0.5)
        assert hit.time <= 0.5


@every_method
def test_the_notch_of_a_two_sided_sheet_is_empty(method):
    ball = fc.Sphere(0.1).at(at(1.8, 1.8))
    path = slider(TWO_SIDED).moving([0.0], [0.1])
    free = fc.first_contact(path, ball, tolerance=1e-6, method=method)
    assert not free
    assert fc.distance(slider(TWO_SIDED).at([0.0]), ball).distance == pytest.approx(0.7)


@every_method
def test_self_contact_of_a_folding_arm(method):
    """Three links in a row of length 1, folded in the plane: the last comes back to the first."""
    rod = fc.Capsule(0.05, 1.0).at((ALONG_X, [0.5, 0.0, 0.0]))
    ends = [("one", "two"), ("two", "three")]
    joints = [fc.Joint(f"to {b}", "revolute", a, b, at(1.0), (0, 0, 1)) for a, b in ends]
    robot = fc.Robot({"one": rod, "two": rod, "three": rod}, joints)
    path = robot.moving([0.0, 0.0], [2.4, 2.4])
    hit = fc.first_contact(path, self_contact=True, tolerance=1e-9, method=method)
    assert {hit.a, hit.b} == {"one", "three"}
    # The end of the third is at 1 + e^(ia) + e^(2ia), the first goes from 0 to 1.
    angles = np.linspace(2.0, 2.2, 200_001)
    end = 1.0 + np.exp(1j * angles) + np.exp(2j * angles)
    touching = angles[np.argmax(np.hypot(np.minimum(end.real, 0.0), end.imag) <= 0.1)] / 2.4
    assert touching - 1e-5 < hit.time <= touching
    assert not fc.first_contact(path, {}, method=method)
    assert fc.is_free(
        robot.allow("three", "one").moving([0.0, 0.0], [2.4, 2.4]), self_contact=True, method=method
    )


@every_method
def test_what_is_held_counts(method):
    wall = fc.Box([1.0, 9.0, 9.0]).at(at(3.0))
    holding = slider().attach("arm", fc.Sphere(0.25), at(0.75), name="ball")
    hit = fc.first_contact(holding.moving([0.0], [2.0]), wall, tolerance=1e-9, method=method)
    assert (hit.a, hit.b) == ("ball", "world")
    assert hit.time == pytest.approx(0.75)
    assert not fc.first_contact(holding.moving([0.0], [1.0]), wall, self_contact=True, method=method)


@every_method
def test_two_robots(method):
    other = slider(fc.Sphere(0.5).at(at(6.0)))
    both = fc.first_contact(
        slider().moving([0.0], [4.0]), other.moving([0.0], [-4.0]), tolerance=1e-9, method=method
    )
    assert (both.a, both.b) == ("arm", "world/arm")
    assert both.time == pytest.approx(5.0 / 8.0)
    assert fc.is_free(slider().moving([0.0], [4.0]), other.moving([0.0], [4.0]), method=method)


@every_method
def test_through_waypoints_at_times(method):
    wall = fc.Box([1.0, 9.0, 9.0]).at(at(4.0))
    path = slider().along([[0.0], [2.0], [0.0], [4.0]], [0.0, 0.5, 0.6, 1.0])
    hit = fc.first_contact(path, wall, tolerance=1e-9, method=method)
    assert hit.time == pytest.approx(0.6 + 0.4 * 0.75)
    assert fc.first_contact(
        path, wall, min_separation=1.0, tolerance=1e-9, method=method
    ).time == pytest.approx(0.5)


def test_values_beyond_limits_are_fine_unless_a_warning_is_asked_for():
    robot = slider(fc.Sphere(0.5))
    limited = fc.Robot(
        {"base": (), "arm": fc.Sphere(0.5)}, [fc.Joint("j", "prismatic", "base", "arm", limits=(0, 1))]
    )
    wall = fc.Box([1.0, 9.0, 9.0]).at(at(4.0))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert not fc.is_free(limited.moving([0.0], [4.0]), wall)
        assert fc.is_free(limited.moving([0.0], [1.0], warn_limits=True), wall)
    with pytest.warns(UserWarning, match="beyond"):
        limited.moving([0.0], [4.0], warn_limits=True)
    assert robot.dof == 1
