"""How deep robots are, against the deepest of all pairs by itself; rays and points against a compound."""

import numpy as np
import pytest

import firstcontact as fc

JOINTS = [
    fc.Joint("slide", "prismatic", "base", "cart", axis=[1, 0, 0]),
    fc.Joint("turn", "revolute", "cart", "arm", axis=[0, 1, 0]),
]
ROBOT = fc.Robot(
    {
        "base": fc.Box([1, 1, 1]),
        "cart": fc.Sphere(0.4),
        "arm": fc.Capsule(0.2, 1).at((np.eye(3), [0, 0, 0.7])),
    },
    JOINTS,
)
TETRA = fc.Mesh(
    [[1.0, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]], [[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]]
)


def world(rng):
    spots = rng.uniform(-1.5, 1.5, (3, 3))
    shapes = fc.Sphere(0.4), fc.Box([0.5, 0.6, 0.7]), fc.ConvexHull(TETRA.vertices)
    return {
        str(k): shape.at((np.eye(3), spot)) for k, (shape, spot) in enumerate(zip(shapes, spots, strict=True))
    }


@pytest.mark.parametrize("seed", range(10))
def test_the_deepest_pair_is_that_of_all(seed):
    rng = np.random.default_rng(seed)
    obstacles, q, by = world(rng), rng.uniform(-1, 1, (4, 2)), 0.25
    found = fc.penetration(ROBOT.at(q), obstacles)
    padded = fc.penetration(ROBOT.pad("arm", by=by).at(q), obstacles)
    for i, row in enumerate(q):
        poses = ROBOT.link_poses(row)
        depths, thick = [0.0], [0.0]
        for part in ROBOT.parts:
            placed = part.shape.at(poses[part.link] @ part.pose)
            for thing in obstacles.values():
                depth = fc.penetration(placed, thing).depth
                depths.append(depth)
                more = by * (part.link == "arm")
                apart = fc.distance(placed, thing).distance
                thick.append(depth + more if depth > 0 else max(more - apart, 0.0))
        assert found.depth[i] == pytest.approx(max(depths), abs=1e-9)
        assert padded.depth[i] == pytest.approx(max(thick), abs=1e-9)
        if padded.depth[i] > 0:
            out = padded.points_a[i] - padded.points_b[i]
            assert out == pytest.approx(padded.depth[i] * padded.direction[i], abs=1e-9)


def test_links_in_each_other_and_nothing_at_all():
    deep = fc.penetration(ROBOT.at([0.0, np.pi]), None, self_contact=True)
    assert (deep.a, deep.b) == ("arm", "base")
    assert deep
    free = fc.penetration(ROBOT.at([0.0, 0.0]), {})
    assert not free
    assert free.depth == 0.0
    assert free.a is None
    assert fc.penetration(ROBOT.allow("arm", "base").at([0.0, np.pi]), None, self_contact=True).depth == 0.0


def test_what_is_no_solid_is_told():
    sheet = fc.Mesh([[-2, -2, 0], [2, -2, 0], [0, 2, 0]], [[0, 1, 2]])
    with pytest.raises(ValueError, match=r"^penetration is of solids, and 'world' is a mesh with open edges"):
        fc.penetration(ROBOT.at([0.0, 0.0]), sheet)
    with pytest.raises(ValueError, match=r"^penetration is for one instant, and a moves"):
        fc.penetration(ROBOT.moving([0.0, 0.0], [1.0, 0.0]), sheet)


def test_rays_and_points_meet_a_robot_as_its_shapes():
    rng = np.random.default_rng(0)
    q, origins, ways = [0.4, 1.0], rng.normal(size=(40, 3)) * 3, rng.normal(size=(40, 3))
    whole, poses = ROBOT.compound(q), ROBOT.link_poses(q)
    one = [part.shape.at(poses[part.link] @ part.pose) for part in ROBOT.parts]
    times = np.min([fc.ray_cast(shape, origins, ways).time for shape in one], axis=0)
    assert fc.ray_cast(ROBOT.at(q), origins, ways).time == pytest.approx(times)
    assert fc.contains(ROBOT.at(q), origins / 3).tolist() == fc.contains(whole, origins / 3).tolist()
    signed = fc.signed_distance(ROBOT.at(q), origins).distance
    assert signed == pytest.approx(np.min([fc.signed_distance(x, origins).distance for x in one], axis=0))
    with pytest.raises(ValueError, match="takes one configuration of a robot; received a batch of 2"):
        fc.ray_cast(ROBOT.at([q, q]), origins, ways)
    with pytest.raises(ValueError, match=r"the robot moves: use robot.at"):
        fc.ray_cast(ROBOT.moving(q, [0.0, 0.0]), origins, ways)
    with pytest.raises(ValueError, match=r"^a compound is of one configuration"):
        ROBOT.compound([q, q])
