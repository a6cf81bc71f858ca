"""Single things are answered in short: the same bits as at length, and the same answers as plain data."""

import copy
import dataclasses
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import trimesh

import firstcontact as fc
from firstcontact.advancement.ask import AS_SOLIDS, USUAL, Ask
from firstcontact.motions import rigid_paths, short_rows
from firstcontact.plain import later
from firstcontact.queries.look_up import in_short
from firstcontact.shapes.moving import Moving
from poses import pose, random_poses
from properties.convex_families import FAMILIES, generate
from queries.in_both_ways import bits, matrices, same
from samples import sample

BOX, BALL = fc.Box([1, 1.2, 0.9]), fc.Sphere(0.5)
HULL = fc.ConvexHull(np.random.default_rng(3).normal(size=(60, 3)))
CUBE = BOX.mesh
AWAY, HERE, DEEP = pose((3, 0.2, 0.1), (0.3, 0.4, 0.5)), np.eye(4), pose((0.6, 0.2, 0.1), (0.3, 0.4, 0.5))
SEEDS = sample(4, of=60)


def at_length(shape, matrix):
    """A shape at a pose, made the long way."""
    return Moving(shape, rigid_paths.motion_at(matrix))


@pytest.mark.parametrize("family", FAMILIES)
def test_shapes_at_rest(family):
    for seed in range(SEEDS):
        case = generate(family, seed)
        for here, there in zip(matrices(*case.poses_a), matrices(*case.poses_b), strict=True):
            a, b = case.a.at(here), case.b.at(there)
            assert bits(a.motion.pieces) == bits(at_length(case.a, here).motion.pieces)
            for verb in ("distance", "intersects", "penetration"):
                assert same(verb, a, b) is not None or verb == "distance"
            for verb in ("distance", "intersects"):
                assert same(verb, a, b, Ask.checked(solid=True)) is not None or verb == "distance"
            same("distance", a, case.b)
            same("distance", case.a, case.b)


@pytest.mark.parametrize("family", FAMILIES)
def test_shapes_that_move(family):
    ask = Ask.checked(tolerance=1e-3, min_separation=0.01, max_iterations=7)
    for seed in range(SEEDS):
        case = generate(family, seed)
        poses_a, poses_b = matrices(*case.poses_a), matrices(*case.poses_b)
        for k in range(0, len(poses_a) - 2, 2):
            a, b = case.a.moving(poses_a[k], poses_a[k + 1]), case.b.moving(poses_b[k + 1], poses_b[k + 2])
            several = case.a.along(poses_a[k : k + 3], path="screw")
            for one, other in ((a, b), (a, case.b), (several, b), (case.a.at(poses_a[k]), b)):
                for verb in ("first_contact", "safe_step", "is_free"):
                    assert same(verb, one, other) is not None
                    assert same(verb, one, other, ask) is not None


@pytest.mark.parametrize("path", ["constant", "screw"])
@pytest.mark.parametrize("shape", [BOX, HULL, CUBE], ids=repr)
def test_motions_are_made_of_the_same_rows(shape, path):
    poses = [*random_poses(20), HERE, pose((1, 2, 3), (np.pi, 0, 0)), pose((0, -0.0, 1e-9), (1e-12, 0, 0))]
    poses += [np.round(matrix, 5) for matrix in random_poses(5, seed=1)]  # not quite rigid
    way, turn = np.array([1.0, -2.0, 0.5]), np.array([0.0, 7.0, 0.1])
    for start, end in zip(poses, poses[1:] + poses[:1], strict=True):
        pairs = [
            (
                shape.moving(start, end, path=path),
                rigid_paths.motion_between(start, end, shape.centroid, path),
            ),
            (
                shape.moving(start, velocity=way, angular_velocity=turn, path=path),
                rigid_paths.motion_with(start, way, turn, shape.centroid, path),
            ),
            (
                shape.moving(start, angular_velocity=turn, path=path),
                rigid_paths.motion_with(start, None, turn, shape.centroid, path),
            ),
            (shape.at(start), rigid_paths.motion_at(start)),
            (
                shape.at((start[:3, :3].copy(), start[:3, 3].copy())),
                rigid_paths.motion_at((start[:3, :3], start[:3, 3])),
            ),
        ]
        for moving, motion in pairs:
            with pytest.raises(AttributeError):
                Moving.motion.__get__(moving)  # not yet: it was made in short
            for name in ("pieces", "translations", "times"):
                assert bits(getattr(moving.motion, name)) == bits(getattr(motion, name))
            assert moving.motion.is_batch == motion.is_batch
            once = moving.motion
            assert moving.motion is once


@pytest.mark.parametrize("path", ["constant", "screw"])
@pytest.mark.parametrize("shape", [BOX, HULL, CUBE], ids=repr)
def test_ways_through_poses_are_made_of_the_same_pieces(shape, path):
    poses = random_poses(9)
    poses[3], poses[5] = poses[2], np.round(poses[4], 5)  # a rest, and one that is not quite rigid
    for n in (2, 3, 9):
        short, long = shape.along(poses[:n], path=path).motion, shape.along(list(poses[:n]), path=path).motion
        assert short_rows.motion_through(poses[:n], shape._pivot, path) is not None
        for name in ("pieces", "translations", "times"):
            assert bits(getattr(short, name)) == bits(getattr(long, name))
        assert short.is_batch == long.is_batch
    for wrong in (poses[:1], poses[0], 2.0 * poses, poses[:, :3], poses.astype(np.float32)):
        assert short_rows.motion_through(wrong, shape._pivot, path) is None


def unusual_poses():
    readonly, long = AWAY.copy(), np.asfortranarray(AWAY)
    readonly.setflags(write=False)
    wide = np.zeros((4, 8))
    wide[:, ::2] = AWAY
    yield from (AWAY.tolist(), readonly, long, wide[:, ::2], AWAY.astype(">f8"), AWAY.astype(np.float32))
    yield AWAY.view(type("Own", (np.ndarray,), {}))


def test_any_other_array_is_taken_as_before():
    expected = bits(fc.distance(BOX.at(AWAY), BALL))
    for unusual in unusual_poses():
        found = fc.distance(BOX.at(unusual), BALL)
        if np.asarray(unusual).dtype.itemsize == 8:
            assert bits(found) == expected
        assert fc.first_contact(BOX.moving(unusual, HERE), BALL)


def wrong_poses():
    for row, column, value in (
        *((0, 3, np.nan), (1, 1, np.inf), (2, 3, 2.0**151), (3, 3, np.nan), (3, 0, np.inf)),
        *((3, 3, 2.0), (0, 0, 1.5), (3, 1, 1e-3)),
    ):
        wrong = np.eye(4)
        wrong[row, column] = value
        yield wrong
    yield np.diag([1.0, 1.0, -1.0, 1.0])
    yield np.zeros((4, 4))
    yield np.eye(3)


@pytest.mark.parametrize("wrong", list(wrong_poses()), ids=range(11))
def test_a_bad_pose_gets_its_sentence(wrong):
    for short, long in (
        (lambda: BOX.at(wrong), lambda: rigid_paths.motion_at(wrong)),
        (
            lambda: BOX.moving(HERE, wrong),
            lambda: rigid_paths.motion_between(HERE, wrong, np.zeros(3), "screw"),
        ),
        (
            lambda: BOX.moving(wrong, velocity=np.ones(3)),
            lambda: rigid_paths.motion_with(wrong, np.ones(3), None, np.zeros(3), "screw"),
        ),
    ):
        with pytest.raises(ValueError, match=r"must|give") as told:
            short()
        with pytest.raises(ValueError, match=r"must|give") as known:
            long()
        assert str(told.value) == str(known.value)


def test_what_moves_has_no_instant():
    for verb in (fc.distance, fc.intersects, fc.penetration):
        with pytest.raises(ValueError, match=f"^{verb.__name__} is for one instant, and a moves: use a.at"):
            verb(BOX.moving(AWAY, HERE), BALL)
        with pytest.raises(ValueError, match="and b moves"):
            verb(BALL, BOX.along([HERE, HERE, AWAY]))
    assert fc.distance(BOX.along([AWAY, AWAY, AWAY]), BALL) == fc.distance(BOX.at(AWAY), BALL)


def test_a_gap_that_rounding_hides_is_none():
    side = BOX.at(pose((1.0 + 2**-52, 0, 0)))
    assert fc.intersects(side, BOX)
    assert fc.distance(side, BOX).distance == 0.0


ANSWERS = {
    "distance": lambda: fc.distance(BOX.at(AWAY), BALL),
    "penetration": lambda: fc.penetration(BOX.at(DEEP), BALL),
    "no penetration": lambda: fc.penetration(BOX.at(AWAY), BALL),
    "first contact": lambda: fc.first_contact(BOX.moving(AWAY, HERE), BALL),
    "no contact": lambda: fc.first_contact(BOX.at(AWAY), BALL),
}


@pytest.mark.parametrize("ask", ANSWERS.values(), ids=list(ANSWERS))
def test_answers_are_plain_data_before_and_after_they_are_read(ask):
    read = ask()
    assert bits(read) == bits(ask())
    assert repr(read).split("seconds")[0] == repr(ask()).split("seconds")[0]
    assert bool(read) == bool(ask())
    for duplicate in (copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x)), dataclasses.replace):
        for answer in (read, ask()):
            twin = duplicate(answer)
            assert bits(twin) == bits(answer)
            assert twin == answer
    assert ask() == read
    assert list(ask().things) == ["a", "b"]
    assert ask().things["b"].shape is BALL
    unread = ask()
    assert unread.with_things(unread.things).things == unread.things
    with pytest.raises(dataclasses.FrozenInstanceError):
        ask().stats = None
    with pytest.raises(AttributeError, match="nowhere"):
        _ = ask().nowhere
    with pytest.raises(TypeError, match="unhashable"):
        hash(ask())


def test_things_are_those_that_were_given():
    a, b = BOX.at(AWAY), BALL.at(HERE)
    assert fc.distance(a, b).things == {"a": a, "b": b}


def test_answers_share_no_memory():
    first, second = fc.distance(BOX.at(AWAY), BALL), fc.distance(BOX.at(AWAY), BALL)
    kept = second.points_a.copy()
    first.points_a[:] = first.points_b[:] = 7.0
    assert (second.points_a == kept).all()
    assert not np.shares_memory(first.points_a, first.points_b)
    matrix = AWAY.copy()
    standing = BOX.at(matrix)
    matrix[:] = 9.0
    assert bits(fc.distance(standing, BALL)) == bits(fc.distance(BOX.at(AWAY), BALL))


def test_two_threads_that_read_one_answer_get_the_same():
    slowly = {"depth": float, "direction": lambda number: np.full(3, number)}
    with ThreadPoolExecutor(4) as pool:
        for number in range(200):
            answer = later(fc.Penetration, slowly, number)
            seen = list(pool.map(lambda _, one=answer: (one.depth, id(one.direction)), range(4)))
            assert set(seen) == {(float(number), id(answer.direction))}


def test_threads_have_their_own_answers():
    poses = random_poses(300)
    poses[:, :3, 3] *= 2.0

    def ask(matrix):
        a, m = HULL.at(matrix), HULL.moving(matrix, HERE)
        return (
            *(bits(fc.distance(a, BOX)), fc.intersects(a, BOX), bits(fc.penetration(a, BOX))),
            bits(fc.first_contact(m, BOX)),
        )

    alone = [ask(matrix) for matrix in poses]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(ask, poses)) == alone


def meshes():
    """Solids, a ring, a sheet, triangles, slivers and points."""
    flat = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]
    ring = trimesh.creation.torus(1.0, 0.3, major_sections=24, minor_sections=12)
    return {
        "box": CUBE,
        "hull": HULL.mesh,
        "ring": fc.Mesh(ring.vertices, ring.faces),
        "sheet": fc.Mesh(flat, [[0, 1, 2], [2, 1, 3]]),
        "triangle": fc.Mesh(flat, [[0, 1, 2]]),
        "sliver": fc.Mesh([*flat, [0.5, 1e-9, 0]], [[0, 1, 4]]),
        "point": fc.Mesh(flat, [[3, 3, 3]]),
        "field": fc.HeightField(np.random.default_rng(0).random((9, 7))),
    }


MESHES = meshes()
SHELL = fc.Mesh(
    np.concatenate([3.0 * CUBE.vertices, CUBE.vertices]), [*CUBE.faces, *(CUBE.faces[:, ::-1] + 8)]
)
CLOSED = {name: MESHES[name] for name in ("box", "hull", "ring")} | {"shell": SHELL}
TINY = fc.Box([0.1, 0.2, 0.1])
SOLIDS = {"ball": BALL, "cube": BOX, "hull": HULL, "capsule": fc.Capsule(0.2, 1), "disc": fc.Cylinder(1, 0.1)}


@pytest.mark.parametrize("name", MESHES)
def test_meshes_at_rest(name):
    a, poses = MESHES[name], random_poses(sample(12, of=200), seed=5)
    poses[::3, :3, 3] *= 3.0
    poses[1::6, :3, :3] = np.eye(3)  # with parallel faces, some of them in contact
    poses[1::12, :3, 3] = np.round(poses[1::12, :3, 3])
    for here, there in zip(poses, np.roll(poses, 1, axis=0), strict=True):
        for b in (*MESHES.values(), *SOLIDS.values()):
            for one, other in ((a.at(here), b.at(there)), (b.at(here), a), (a, b.at(here))):
                same("distance", one, other)
                assert same("intersects", one, other) is not None


@pytest.mark.parametrize("name", ["box", "hull", "ring", "shell"])
def test_solid_meshes_at_rest(name):
    a, poses = CLOSED[name], random_poses(sample(12, of=200), seed=9)
    poses[::3, :3, 3] *= 0.2  # inside each other, some of them
    poses[1::6, :3, :3] = np.eye(3)
    for here, there in zip(poses, np.roll(poses, 1, axis=0), strict=True):
        for b in (*CLOSED.values(), *SOLIDS.values(), TINY, TINY.mesh):
            for one, other in ((a.at(here), b.at(there)), (b.at(here), a)):
                for ask in (AS_SOLIDS, Ask.checked(solid=True)):
                    same("distance", one, other, ask)
                    assert same("intersects", one, other, ask) is not None
                is_one = fc.distance(one, other, solid=True).distance == 0.0
                assert fc.intersects(one, other, solid=True) == is_one


def test_open_meshes_are_no_solids():
    for name in ("sheet", "field"):
        for other in (BALL, CUBE, MESHES[name]):
            for ask in (fc.distance, fc.intersects):
                with pytest.raises(ValueError, match=r"^solid=True needs closed meshes; a has"):
                    ask(MESHES[name].at(AWAY), other, solid=True)


def test_meshes_that_are_empty_or_moving_are_answered_at_length():
    nothing, ring = fc.Mesh([], []), MESHES["ring"]
    for one, other in ((nothing, ring), (ring, nothing), (BALL, nothing), (nothing, BALL)):
        assert in_short("distance", one, other, USUAL) is None
        assert fc.distance(one, other).distance == np.inf
        assert not fc.intersects(one, other)
    for other in (ring, BALL):
        for verb in ("distance", "intersects"):
            assert in_short(verb, ring.moving(HERE, AWAY), other, USUAL) is None
            assert in_short(verb, ring, other, Ask.checked(solid=True, self_contact=True)) is None


@pytest.mark.parametrize("name", [*MESHES, *SOLIDS])
def test_single_rays(name):
    shape = (MESHES | SOLIDS)[name]
    rng = np.random.default_rng(2)
    poses = [None, HERE, *random_poses(sample(8, of=100), seed=6)]
    for matrix in poses:
        thing = shape if matrix is None else shape.at(matrix)
        middle = np.zeros(3) if matrix is None else matrix[:3, 3]
        for _ in range(10):
            origin = middle + rng.choice([0.0, 0.5, 3.0]) * rng.normal(size=3)
            towards = middle - origin + rng.choice([0.0, 0.3, 2.0]) * rng.normal(size=3)
            direction = towards if towards.any() else np.array([0.0, 0.0, 1.0])
            direction = np.round(direction) if np.round(direction).any() else direction
            for latest in (np.inf, 1.0, 0.0):
                found = fc.ray_cast(thing, origin, direction, max_time=latest)
                many = fc.ray_cast(thing, origin[np.newaxis], direction, max_time=latest)
                names = "hit", "time", "points", "normals", "faces"
                hit, time, *places, face = (getattr(many, name)[0] for name in names)
                expected = fc.RayHits(bool(hit), float(time), *places, int(face))
                assert bits(found) == bits(expected)
                assert pickle.loads(pickle.dumps(found)) == found


def test_a_bad_ray_gets_its_sentence():
    ring, ahead = MESHES["ring"], np.array([1.0, 0.0, 0.0])
    for origin, direction, latest, message in (
        (np.array([np.nan, 0, 0]), ahead, np.inf, "origins must be finite"),
        (ahead, np.array([2.0**151, 0, 0]), np.inf, "directions must lie within"),
        (ahead, np.zeros(3), np.inf, "directions must not be zero"),
        (ahead, np.full(3, 2.0**-1001), np.inf, "directions must not be zero"),
        (ahead, ahead, -1.0, "max_time must be"),
        (ahead, ahead, np.nan, "max_time must be"),
    ):
        for shape in (ring, BALL):
            with pytest.raises(ValueError, match=f"^{message}"):
                fc.ray_cast(shape, origin, direction, max_time=latest)
    with pytest.raises(ValueError, match=r"^ray_cast is for one instant"):
        fc.ray_cast(ring.moving(HERE, AWAY), ahead, ahead)
    resting = ring.moving(AWAY, AWAY)  # turned about its centre, by nothing
    assert fc.ray_cast(resting, ahead, ahead) == fc.ray_cast(ring.at(AWAY), ahead, ahead)


@pytest.mark.parametrize("kind", [fc.Sphere, fc.Mesh])
def test_a_class_is_no_thing(kind):
    sentence = r"^a thing must be a shape, moving or not, or a trimesh.Trimesh; received ABCMeta$"
    for ask in (fc.distance, fc.intersects, fc.penetration, fc.first_contact):
        for things in ((kind, BALL), (BALL, kind)):
            with pytest.raises(TypeError, match=sentence):
                ask(*things)
    for ask in (fc.signed_distance, fc.contains):
        with pytest.raises(TypeError, match=sentence):
            ask(kind, np.zeros(3))
    with pytest.raises(TypeError, match=sentence):
        fc.ray_cast(kind, np.zeros(3), np.ones(3))
