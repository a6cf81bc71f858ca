"""What may touch what, and paddings, against asking about each pair by itself."""

from itertools import combinations

import numpy as np
import pytest

import firstcontact as fc

LINKS = ("one", "two", "three")
METHODS = ("subdivision", "advancement", "interval")
OPEN = fc.Mesh([[-0.3, -0.3, 0], [0.3, -0.3, 0], [0.3, 0.3, 0.1], [-0.3, 0.3, 0]], [[0, 1, 2], [0, 2, 3]])


def placed(shape, *place):
    return shape.at((np.eye(3), place))


def chain():
    """Three links that turn about each other's ends: a capsule, a box and an open mesh."""
    shapes = fc.Capsule(0.1, 0.6), fc.Box([0.2, 0.2, 0.6]), OPEN
    links = {"base": ()} | {name: placed(shape, 0, 0, 0.5) for name, shape in zip(LINKS, shapes, strict=True)}
    joints = []
    for k, (parent, child) in enumerate(zip(("base", *LINKS), LINKS, strict=False)):
        origin = np.eye(4)
        origin[2, 3] = 1.0 if k > 0 else 0.0
        joints.append(fc.Joint(f"turn {k}", "revolute", parent, child, origin, axis=[k % 2, 1, 0]))
    return fc.Robot(links, joints, groups={"tip": ["turn 1", "turn 2"]})


def world(rng):
    """Obstacles of several kinds around the arm, one of them on its way."""
    other = fc.Robot(
        {"foot": fc.Sphere(0.2), "head": placed(fc.Sphere(0.2), 0, 0, 0.5)},
        [fc.Joint("neck", "fixed", "foot", "head")],
    )
    spots = rng.uniform(-2.5, 2.5, (4, 3))
    return {
        "ball": placed(fc.Sphere(0.3), *spots[0]),
        "wall": placed(OPEN, *spots[1]),
        "pair": placed(fc.Compound([fc.Sphere(0.2), placed(fc.Box([0.3, 0.3, 0.3]), 0.5, 0, 0)]), *spots[2]),
        "cart": fc.Sphere(0.2).moving((np.eye(3), spots[3]), (np.eye(3), -spots[3])),
        "dog": other.at([]),
    }


def parts_of(obstacles):
    """Rigid bodies of obstacles, with the names that rules have for them."""
    found = []
    for name, thing in obstacles.items():
        if name == "pair":
            pose = thing.pose(0.0)
            found += [
                (f"pair/{k}", part.shape.at(pose @ part.pose)) for k, part in enumerate(thing.shape.parts)
            ]
        elif name == "dog":
            poses = thing.shape.link_poses([])
            found += [
                (f"dog/{part.link}", part.shape.at(poses[part.link] @ part.pose))
                for part in thing.shape.parts
            ]
        else:
            found.append((name, thing))
    return found


def ruled(rng, robot):
    """A robot with random rules, and the rules as plain sets and functions of names."""
    allowed, singles, pairs = set(), {}, {}
    names = ["ball", "wall", "pair", "pair/1", "cart", "dog", "dog/head"]
    for link in LINKS:
        for name in names:
            if rng.random() < 0.15:
                robot, allowed = (
                    robot.allow(*rng.permutation([link, name]).tolist()),
                    allowed | {(link, name)},
                )
            if rng.random() < 0.15:
                pairs[link, name] = by = rng.uniform(0.0, 0.4)
                robot = robot.pad(link, name, by=by)
    for name in (*LINKS, *names):
        if rng.random() < 0.3:
            singles[name] = by = rng.uniform(0.0, 0.3)
            robot = robot.pad(name, by=by)
    return robot, allowed, singles, pairs


def claims(robot, obstacles, rules):
    """Each pair that counts: link, name, and padding, by rules of names alone."""
    allowed, singles, pairs = rules
    for link in LINKS:
        for name, thing in parts_of(obstacles):
            scopes = [name, name.split("/")[0]]
            if any((link, scope) in allowed for scope in scopes):
                continue
            own = next((pairs[link, scope] for scope in scopes if (link, scope) in pairs), None)
            more = next((singles[scope] for scope in scopes if scope in singles), 0.0)
            yield link, thing, singles.get(link, 0.0) + more if own is None else own
    del robot


def alone(robot, link):
    """The same robot with the shapes of one link only, and no rules."""
    shapes = {part.link: part.shape.at(part.pose) for part in robot.parts if part.link == link}
    links = {name: shapes.get(name, ()) for name in robot.link_names}
    return fc.Robot(links, robot.joints)


@pytest.mark.parametrize("seed", range(12))
def test_rules_are_those_of_each_pair_by_itself(seed):
    rng = np.random.default_rng(seed)
    obstacles = world(rng)
    robot, *rules = ruled(rng, chain())
    q0, q1 = rng.uniform(-2, 2, (2, 3))
    path = robot.moving(q0, q1)
    first, nearest = np.inf, np.inf
    for link, thing, padding in claims(robot, obstacles, rules):
        one = alone(robot, link).moving(q0, q1)
        first = min(first, fc.first_contact(one, thing, min_separation=padding, tolerance=1e-5).time)
        nearest = min(nearest, max(fc.clearance(one, thing).distance - padding, 0.0))
    for method in METHODS:
        found = fc.first_contact(path, obstacles, tolerance=1e-5, method=method)
        assert found.time == pytest.approx(first, abs=1e-3), method
        assert fc.is_free(path, obstacles, tolerance=1e-5, method=method) == np.isinf(first)
    assert fc.safe_step(path, obstacles, tolerance=1e-5) == pytest.approx(min(first, 1.0), abs=1e-3)
    assert fc.first_contact(path, obstacles).certificate.fault() is None
    clearance = fc.clearance(path, obstacles)
    assert clearance.distance == pytest.approx(nearest, rel=0.02, abs=1e-6)
    spans = fc.contact_intervals(path, obstacles)
    assert (len(spans.touch) > 0) == np.isfinite(first)
    if np.isfinite(first):
        assert spans.touch[0] == pytest.approx(first, abs=1e-3)


@pytest.mark.parametrize("seed", range(12))
def test_rules_hold_at_an_instant(seed):
    rng = np.random.default_rng(100 + seed)
    obstacles = {name: thing for name, thing in world(rng).items() if name != "cart"}
    robot, *rules = ruled(rng, chain())
    q = rng.uniform(-2, 2, (5, 3))
    found, touches = fc.distance(robot.at(q), obstacles), fc.intersects(robot.at(q), obstacles)
    for i, row in enumerate(q):
        rest = [
            fc.distance(alone(robot, link).at(row), thing).distance - padding
            for link, thing, padding in claims(robot, obstacles, rules)
        ]
        nearest = min(rest, default=np.inf)
        assert found.distance[i] == pytest.approx(max(nearest, 0.0), abs=1e-9)
        assert touches[i] == (nearest <= 0.0)


def test_paddings_of_links_count_among_links():
    robot = chain()
    q = np.array([0.3, 2.0, 1.9])
    plain = fc.distance(robot.at(q), None, self_contact=True)
    assert {plain.a, plain.b} == {"one", "three"}
    padded = robot.pad("one", by=0.01).pad("three", by=0.02)
    assert fc.distance(padded.at(q), None, self_contact=True).distance == pytest.approx(plain.distance - 0.03)
    pair = padded.pad("three", "one", by=0.005)
    assert fc.distance(pair.at(q), None, self_contact=True).distance == pytest.approx(plain.distance - 0.005)
    assert pair.learn_allowed_pairs(20).allowed_pairs == frozenset()


def test_a_rounded_shape_is_a_padded_one():
    slide = fc.Joint("slide", "prismatic", "base", "box", axis=[1, 0, 0])
    box, ball = fc.Box([1, 1, 1]), placed(fc.Sphere(0.5), 4, 1.2, 0)
    padded = fc.Robot({"base": (), "box": box}, [slide]).pad("box", by=0.25)
    rounded = fc.Robot({"base": (), "box": fc.Rounded(box, 0.25)}, [slide])
    one, other = (
        fc.first_contact(robot.moving([0], [4]), ball, tolerance=1e-9) for robot in (padded, rounded)
    )
    assert one.time == pytest.approx(other.time, abs=1e-8)
    assert fc.distance(padded.at([0]), ball).distance == pytest.approx(
        fc.distance(rounded.at([0]), ball).distance
    )


def test_groups_and_several_names_stand_for_their_links():
    robot = chain()
    assert robot.allow("tip", "table").allowed_obstacles == {("two", "table"), ("three", "table")}
    assert robot.allow(robot.group("tip"), "table").allowed_obstacles == {
        ("two", "table"),
        ("three", "table"),
    }
    many = robot.allow(["one", "tip"], ["table", "floor"])
    assert many.allowed_obstacles == {(link, name) for link in LINKS for name in ("table", "floor")}
    assert robot.allow("tip", "tip").allowed_pairs == {frozenset(("two", "three"))}
    assert robot.allow(LINKS, LINKS).allowed_pairs == {frozenset(x) for x in combinations(LINKS, 2)}
    assert robot.pad("tip", by=0.1).paddings == {frozenset(("two",)): 0.1, frozenset(("three",)): 0.1}
    assert robot.pad("one", by=0.1).pad("one", by=0.2).paddings == {frozenset(("one",)): 0.2}


def test_rules_stay_when_a_thing_is_attached():
    held = chain().allow("three", "table").pad("three", by=0.1).attach("three", fc.Sphere(0.1))
    assert held.allowed_obstacles == {("three", "table")}
    assert held.paddings == {frozenset(("three",)): 0.1}


def test_another_robot_keeps_its_own_paddings():
    slide = fc.Joint("slide", "prismatic", "base", "cart", axis=[1, 0, 0])
    robot = fc.Robot({"base": (), "cart": fc.Sphere(1)}, [slide])
    other = robot.pad("cart", by=0.5)
    found = fc.distance(robot.pad("cart", by=0.25).at([0]), {"other": other.at([5])})
    assert found.distance == pytest.approx(5 - 2 - 0.75)
    proof = fc.first_contact(robot.moving([0], [1]), {"other": other.at([5])}).certificate
    assert proof.fault() is None
    assert proof.paddings.tolist() == [0.5]


def test_fields_are_allowed_and_padded():
    field = fc.DistanceField.of(fc.Sphere(0.5), 0.02)
    slide = fc.Joint("slide", "prismatic", "base", "cart", axis=[1, 0, 0])
    robot = fc.Robot({"base": (), "cart": fc.Sphere(0.5)}, [slide])
    path = [-3.0], [0.0]
    plain = fc.first_contact(robot.moving(*path), {"field": field}, tolerance=1e-4).time
    padded = fc.first_contact(robot.pad("field", by=0.3).moving(*path), {"field": field}, tolerance=1e-4).time
    assert plain - padded == pytest.approx(0.1, abs=0.02)
    assert fc.is_free(robot.allow("cart", "field").moving(*path), {"field": field})
    near = [
        fc.distance(one.at([-2.0]), {"field": field}).distance for one in (robot, robot.pad("cart", by=0.3))
    ]
    assert near[0] - near[1] == pytest.approx(0.3)
