"""Robots along splines: never late, none missed, against dense samples; proofs that check themselves."""

import pickle

import numpy as np
import pytest
from scipy.interpolate import CubicSpline, make_interp_spline

import firstcontact as fc
from samples import sample

HERE = np.eye(3)


def arm():
    """Two hinges, a slide that carries a finger, and another that follows the first hinge."""
    up, link = (HERE, [0, 0, 1.0]), fc.Box([0.2, 0.2, 1.0]).at((HERE, [0.0, 0.0, 0.5]))
    return fc.Robot(
        {"base": (), "lower": link, "upper": link, "finger": fc.Box([0.1, 0.1, 0.5]), "flag": fc.Sphere(0.1)},
        [
            fc.Joint("a", "revolute", "base", "lower", axis=[0, 1, 0]),
            fc.Joint("b", "revolute", "lower", "upper", up, axis=[0, 1, 0]),
            fc.Joint("c", "prismatic", "upper", "finger", up, axis=[0, 0, 1]),
            fc.Joint(
                "d", "revolute", "lower", "flag", (HERE, [0.5, 0, 0]), axis=[1, 0, 0], mimic=("a", 2.0, 0.1)
            ),
        ],
    )


ARM = arm()


def random_spline(rng):
    points = rng.uniform(-1, 1, (5, 3)) * [1.5, 1.5, 0.2]
    return CubicSpline(np.linspace(0, 7, 5), points)


@pytest.mark.parametrize("method", ["subdivision", "advancement"])
def test_never_late_and_none_missed(method):
    rng = np.random.default_rng(0)
    n, n_hits = sample(6, of=12), 0
    for _ in range(n):
        spline, place = random_spline(rng), rng.uniform(-1.6, 1.6, 3) * [1, 0.3, 1]
        ball, moving = fc.Sphere(0.3).at((HERE, place)), ARM.along(spline)
        hit = fc.first_contact(moving, ball, method=method)
        until = min(hit.time, 1.0)
        gaps = fc.distance(ARM.at(spline(7 * until * np.linspace(0, 1, 600))), ball).distance
        n_hits += bool(hit)
        assert until == 0.0 or (gaps[:-1] > 0.0).all()
        if hit:
            assert gaps[-1] < 1e-5
            assert hit.time_upper >= hit.time
        assert fc.is_free(moving, ball, method=method) == (not hit)
    assert n // 4 < n_hits < n


def test_a_pendulum_meets_a_wall_when_its_spline_says():
    rod = fc.Capsule(0.05, 1.0).at((HERE, [0, 0, 0.5]))
    robot = fc.Robot({"base": (), "rod": rod}, [fc.Joint("hinge", "revolute", "base", "rod", axis=[0, 1, 0])])
    swing = CubicSpline([0, 1, 2, 3], [[-1.0], [0.3], [0.8], [1.4]])
    wall = fc.Box([1, 4, 4]).at((HERE, [0.5 + 0.5 + 0.05, 0, 0]))  # its face at x = 0.55
    angle = np.arcsin(0.5)
    found = swing.solve(angle, extrapolate=False)
    truth = float(np.min(found[0])) / 3
    hit = fc.first_contact(robot.along(swing), wall)
    assert truth - 1e-6 < hit.time <= truth <= hit.time_upper


def test_links_are_where_pieces_have_them_but_for_their_deviation():
    from firstcontact.articulated.paths.posed import pose_in_parent
    from firstcontact.articulated.paths.world_motions import world_of
    from firstcontact.motions.rigid_motion import DEVIATION

    rng = np.random.default_rng(2)
    for _ in range(4):
        spline = random_spline(rng)
        world = world_of(ARM.along(spline), fc.Sphere(1), True, None)
        for times in (world.times, np.sort(rng.random(9))):
            part = world.refined(0, np.unique(times))
            for k in range(part.rows.shape[1]):
                for share in (0.0, 0.3, 0.6, 1.0):
                    t = part.times[k] + share * (part.times[k + 1] - part.times[k])
                    true = ARM.link_poses(spline(7 * t))
                    off = [_off(part, k, t, piece, true, pose_in_parent) for piece in part.pieces[:4]]
                    assert max(off) <= part.rows[0, k, :, DEVIATION].max()


def _off(world, k, t, piece, true, pose_in_parent):
    """How far the corners of a piece are from where the robot's own kinematics have them."""
    pose, frame = piece.pose, piece.frame
    while frame >= 0:
        pose, frame = pose_in_parent(world.rows[0, k, frame], t) @ pose, int(world.parents[frame])
    corners = np.array(np.meshgrid(*piece.shape.bounds.T)).reshape(3, -1).T
    link = piece.name.split("/")[-1]
    part = next(part for part in ARM.parts if part.link == link)
    real = true[link] @ part.pose
    away = corners @ (pose[:3, :3] - real[:3, :3]).T + pose[:3, 3] + world.origin - real[:3, 3]
    return np.linalg.norm(away, axis=1).max()


def test_certificates_check_themselves_and_travel():
    rng = np.random.default_rng(3)
    n_free = 0
    for _ in range(8):
        spline = random_spline(rng)
        balls = {str(i): fc.Sphere(0.2).at((HERE, rng.uniform(-2, 2, 3))) for i in range(2)}
        found = fc.first_contact(ARM.along(spline), balls)
        n_free += not found
        assert found.certificate.verify()
        assert pickle.loads(pickle.dumps(found.certificate)).verify()
    assert n_free > 1


def test_batches_and_clearance():
    rng = np.random.default_rng(4)
    points = rng.uniform(-1, 1, (5, 3, 3)) * [1.5, 1.5, 0.2]
    ball = fc.Sphere(0.3).at((HERE, [1.5, 0, 1]))
    many = fc.first_contacts(ARM.along(CubicSpline(np.linspace(0, 1, 5), points)), ball)
    for i in range(3):
        spline = CubicSpline(np.linspace(0, 1, 5), points[:, i])
        one = fc.first_contact(ARM.along(spline), ball)
        assert one.time == many.time[i]
        near = fc.clearance(ARM.along(spline), ball)
        gaps = fc.distance(ARM.at(spline(np.linspace(0, 1, 2000))), ball).distance
        assert near.distance_lower <= gaps.min() + 1e-12
        assert near.distance <= gaps.min() + 1e-3


def test_two_robots_along_splines():
    other = fc.Robot(
        {"root": (), "arm": fc.Sphere(0.3)},
        [fc.Joint("x", "prismatic", "root", "arm", (HERE, [3.0, 0, 1.5]), axis=[1, 0, 0])],
    )
    spline, slide = (
        CubicSpline([0, 1, 2], [[0.0, 0, 0], [0.4, 0.3, 0], [0.2, 0.1, 0]]),
        make_interp_spline([0, 1, 2], [[0.0], [-2.0], [0.0]], k=2),
    )
    hit = fc.first_contact(ARM.along(spline), other.along(slide))
    assert hit
    gaps = [
        fc.distance(ARM.at(spline(2 * t)), other.at(slide(2 * t))).distance
        for t in hit.time * np.linspace(0, 1, 50)
    ]
    assert min(gaps[:-1]) > 0.0
    assert gaps[-1] < 1e-5


def test_what_cannot_be_followed_is_refused():
    with pytest.raises(TypeError, match="leave out times"):
        ARM.along(random_spline(np.random.default_rng(0)), [0, 1])
    with pytest.raises(ValueError, match="values"):
        ARM.along(CubicSpline([0, 1, 2], np.zeros((3, 2))))
    free = fc.Robot({"base": (), "body": fc.Sphere(1)}, [fc.Joint("free", "floating", "base", "body")])
    with pytest.raises(ValueError, match="floating"):
        free.along(CubicSpline([0, 1, 2], np.zeros((3, 7))))
