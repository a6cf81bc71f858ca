"""One motion told by every law, in every query that takes motions: all give what its closed form says."""

import numpy as np
import pytest
from scipy.interpolate import BPoly, CubicSpline, PPoly, make_interp_spline
from scipy.spatial.transform import Rotation, RotationSpline

import firstcontact as fc

HERE = np.eye(3)
KNOTS = np.linspace(0.0, 1.0, 5)

# A cube goes along x, to -2 + 2 t + 2 t^2, past another. Both have sides of 1: they meet at -1 and part at 1.
CUBE = fc.Box([1, 1, 1])
OFF = HERE, [0, 0.1, 0.2]  # not face on face, of which it is never certain that they overlap
MEETS, PARTS = 0.5 * (np.sqrt(3) - 1), 0.5 * (np.sqrt(7) - 1)


def x_at(t):
    return -2 + 2 * t + 2 * t * t


def places(t):
    return np.stack([x_at(t), 0 * t, 0 * t], axis=-1)


def poses():
    found = np.tile(np.eye(4), (len(KNOTS), 1, 1))
    found[:, :3, 3] = places(KNOTS)
    return found


CUBIC = CubicSpline(KNOTS, places(KNOTS))
LAWS = {
    "throw": lambda shape: shape.moving((HERE, [-2, 0, 0]), velocity=[2, 0, 0], acceleration=[4, 0, 0]),
    "Spline": lambda shape: shape.along(fc.Spline(KNOTS, poses())),
    "CubicSpline": lambda shape: shape.along(CUBIC),
    "PPoly": lambda shape: shape.along(PPoly(CUBIC.c, CUBIC.x)),
    "BPoly": lambda shape: shape.along(BPoly.from_power_basis(PPoly(CUBIC.c, CUBIC.x))),
    "BSpline": lambda shape: shape.along(make_interp_spline(KNOTS, places(KNOTS), k=3)),
    "RotationSpline": lambda shape: shape.along((RotationSpline(KNOTS, Rotation.identity(5)), CUBIC)),
    "formula": lambda shape: shape.along(fc.motion(lambda t: [x_at(t), 0, 0])),
    "stated": lambda shape: shape.along(
        fc.motion(lambda t: places(np.float64(t)), acceleration_bound=4.0 * (1 + 1e-9))
    ),
}


def robot():
    hinge = fc.Joint("hinge", "revolute", "base", "cube", axis=[0, 0, 1])
    return fc.Robot({"base": (), "cube": CUBE}, [hinge]).at([0.0])


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("shape", [CUBE, CUBE.mesh], ids=["convex", "mesh"])
def test_first_contacts_and_steps(law, shape):
    moving, beside = LAWS[law](shape), CUBE.at((HERE, [0, 1.5, 0]))
    for other in (CUBE.at(OFF), CUBE.mesh.at(OFF)):
        hit = fc.first_contact(moving, other)
        assert MEETS - 1e-6 < hit.time <= MEETS <= hit.time_upper < MEETS + 1e-5
        many = fc.first_contacts(moving, other)
        assert MEETS - 1e-6 < many.time[0] <= MEETS <= many.time_upper[0]
        assert fc.safe_step(moving, other) == hit.time
        assert fc.first_contact(other, moving).time == pytest.approx(MEETS, abs=1e-6)
        assert not fc.is_free(moving, other)
        assert fc.is_free(moving, beside)
        assert not fc.is_free(moving, beside, min_separation=0.51)


@pytest.mark.parametrize("law", LAWS)
def test_distances_intervals_scenes_and_robots(law):
    moving, beside = LAWS[law](CUBE), CUBE.at((HERE, [0, 1.5, 0]))
    near = fc.clearance(moving, beside)
    assert near.distance_lower <= 0.5 <= near.distance + 1e-9
    assert near.distance == pytest.approx(0.5, abs=1e-3)
    assert fc.clearance(moving, CUBE.at(OFF)).distance == 0.0
    ((touch, part),) = fc.contact_intervals(moving, CUBE.at(OFF))
    assert touch[0] - 1e-9 <= MEETS <= touch[1] + 1e-9
    assert part[0] - 1e-9 <= PARTS <= part[1] + 1e-9
    scene = fc.Scene(a=moving, b=CUBE.at(OFF), c=CUBE.at((HERE, [0, 9, 0])))
    assert MEETS - 1e-6 < scene.first_contact().time <= MEETS
    found = fc.first_contact(robot(), {"cube": moving})
    assert MEETS - 1e-5 < found.time <= MEETS


def test_many_laws_in_one_scene_are_those_alone():
    scene = fc.Scene({"cube": CUBE} | {name: law(CUBE) for name, law in LAWS.items()})
    scene.ignore_group(*LAWS)
    hits = [fc.first_contact(law(CUBE), CUBE).time for law in LAWS.values()]
    assert scene.first_contact().time == pytest.approx(min(hits), abs=1e-6)
